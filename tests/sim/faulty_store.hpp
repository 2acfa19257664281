// A store of its own kind: it takes its time, refuses, loses answers, and survives the server. It
// is also where the checkers read what was really kept.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/store/device_codes.hpp"
#include "server/store/event_store.hpp"
#include "server/store/room_index.hpp"
#include "tests/sim/network.hpp"

namespace triquetra::sim {

class FaultyStore {
 public:
  FaultyStore(World& world, Canary canary) : world_(world), canary_(canary) {}

  /// What the server is given: it may end with the server, this stays.
  std::unique_ptr<EventStore> front();
  /// The server has died: what it waits for will never be said to it, and what was not yet written
  /// may or may not have been.
  void server_died();

  /// For each write, in thousandths: it is refused; its outcome is unknown.
  std::uint32_t refuses = 0;
  std::uint32_t loses_track = 0;

  /// All that was ever kept of a room, also of rooms that were erased.
  const std::vector<Record>& log(const std::string& room) const;
  const std::map<std::string, std::vector<Record>>& logs() const { return logs_; }
  /// Whether the server may still load the room.
  bool is_erased(const std::string& room) const { return erased_.contains(room); }
  /// The player who showed this token's hash.
  std::optional<StoredPlayer> player(const std::string& token_hash) const;
  std::size_t faults() const { return faults_; }
  /// How often a room was put to sleep.
  std::size_t rests() const { return rests_; }
  /// The most calls that ever waited here, and the most appends of one room among them.
  std::size_t longest_queue() const { return longest_queue_; }
  int most_appends() const { return most_appends_; }

 private:
  friend class FrontStore;
  struct Waiting {
    std::function<void()> work;
    std::function<void()> write;  // its effect on the store alone
  };
  /// Runs `work` when its time has come: one after the other.
  void line_up(std::function<void()> work, std::function<void()> write = {});
  bool rewrite(const std::string& room, std::uint64_t from, std::uint64_t seq,
               const std::vector<Record>& records);
  Kept outcome(const std::function<bool()>& write);

  World& world_;
  Canary canary_;
  std::map<std::string, std::vector<Record>> logs_;
  std::set<std::string> erased_;
  std::map<std::string, StoredPlayer> players_;
  DeviceCodes codes_;
  std::map<std::string, RoomEntry> entries_;
  std::map<std::string, std::pair<std::string, TimePoint>> naps_;  // notes, and since when
  RoomIndex index_;
  std::size_t rests_ = 0;
  TimePoint last_done_{};
  std::map<std::uint64_t, Waiting> waiting_;
  std::uint64_t last_waiting_ = 0;
  std::size_t faults_ = 0;
  std::size_t longest_queue_ = 0;
  std::map<std::string, int> appends_;  // that wait, by room
  int most_appends_ = 0;
};

}  // namespace triquetra::sim
