// What must hold in every simulated evening. Each checker throws Wrong with what it saw.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocol/json.hpp"
#include "protocol/table.hpp"
#include "tests/sim/faulty_store.hpp"

namespace triquetra::sim {

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One match as the log has it, replayed as far as the log goes.
struct MatchKept {
  std::string match;
  std::string secret;
  bool hints = true;
  std::size_t seats = 0;
  std::vector<TablePointer> tables;    // by revision; empty before the deal
  std::vector<PlayerAtTable> players;  // at the deal, which fixes the seats
  bool is_over() const { return !tables.empty() && tables.back()->result().has_value(); }
};

/// The logs of all rooms, read as they grow.
class Logs {
 public:
  explicit Logs(const FaultyStore& store) : store_(store) {}
  /// The match of this id in a room's log, as far as it is kept now; null if there is none.
  const MatchKept* match(const std::string& room, const std::string& match);
  /// How many matches a room has opened.
  std::size_t matches(const std::string& room);

 private:
  struct RoomKept {
    std::size_t read = 0;
    RoomCreated settings;
    std::vector<MatchKept> matches;
  };
  void read(const std::string& room, RoomKept& kept);

  const FaultyStore& store_;
  std::map<std::string, RoomKept> rooms_;
};

class Checkers {
 public:
  Checkers(World& world, const FaultyStore& store) : world_(world), store_(store), logs_(store) {}

  /// A frame that a connection of this player (by the hash of its token; empty before it has one)
  /// received.
  void hears(const std::string& token_hash, const std::string& text, const Json& frame);
  /// A request got this answer, which is no error.
  void answered(const Json& request, const Json& answer);
  /// An act was acknowledged, or refused, to the player.
  void acknowledged(const std::string& token_hash, const std::string& room, const std::string& id,
                    std::int64_t rev);
  void refused(const std::string& token_hash, const std::string& room, const std::string& id,
               const std::string& code);
  /// After the evening: acknowledgements against the logs, and every log replayed.
  void at_the_end();
  /// A random part of the views, in thousandths, is held against an imagined world.
  std::uint32_t views_looked_at = 1000;

  std::size_t views = 0;
  std::size_t acts = 0;
  std::size_t matches_over() const { return matches_over_; }

 private:
  struct Said {
    std::string room, id;
    std::string player;
    std::optional<std::int64_t> rev;  // none: refused
    std::string code;                 // why
    std::size_t matches = 0;          // of the room when it was said
  };
  std::string player_of(const std::string& token_hash) const;
  void view(const std::string& player, const std::string& text, const Json& view);
  void check_acts(const std::string& room, const std::vector<Record>& log);
  void check_replay(const std::string& room, const std::vector<Record>& log);

  World& world_;
  const FaultyStore& store_;
  Logs logs_;
  std::vector<Said> said_;
  std::map<std::string, std::string> secrets_;  // of running matches, by match
  std::map<std::string, std::string> records_;  // looked at, by match
  std::size_t matches_over_ = 0;
};

}  // namespace triquetra::sim
