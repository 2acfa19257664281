// What a room keeps: one log per room, from which the room can be made again. A log holds the
// secrets of running matches and never leaves the store.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/match_record.hpp"
#include "protocol/reflect.hpp"

namespace triquetra {

/// A room, as its maker wanted it.
struct RoomCreated {
  static constexpr Tag kTag{"record", "created"};
  std::string room;
  std::string game;
  std::string options;
  std::int64_t seats{};
  Visibility visibility{};
  std::optional<std::int64_t> clock;
  bool spectators{};
  Chat chat{};
  bool hints{};
  std::string password_hash;  // empty: none
};
BOOST_DESCRIBE_STRUCT(RoomCreated, (),
                      (room, game, options, seats, visibility, clock, spectators, chat, hints,
                       password_hash))

/// A new match may gather: its id and secret are fixed before any entropy counts.
struct MatchOpened {
  static constexpr Tag kTag{"record", "opened"};
  std::string match;
  std::string secret;  // 256 bits in hex
};
BOOST_DESCRIBE_STRUCT(MatchOpened, (), (match, secret))

struct SeatTaken {
  static constexpr Tag kTag{"record", "sat"};
  Seat seat;
  std::string player;
  std::string name;
  std::optional<std::string> entropy_hash;
  std::optional<bool> bot;  // the player is a program
};
BOOST_DESCRIBE_STRUCT(SeatTaken, (), (seat, player, name, entropy_hash, bot))

struct BotSeated {
  static constexpr Tag kTag{"record", "bot"};
  Seat seat;
  BotLevel level{};
};
BOOST_DESCRIBE_STRUCT(BotSeated, (), (seat, level))

struct SeatLeft {
  static constexpr Tag kTag{"record", "left"};
  Seat seat;
};
BOOST_DESCRIBE_STRUCT(SeatLeft, (), (seat))

struct HostChanged {
  static constexpr Tag kTag{"record", "host"};
  Seat seat;
};
BOOST_DESCRIBE_STRUCT(HostChanged, (), (seat))

/// Seats and entropy hashes are frozen; empty seats are gone and the rest renumbered.
struct MatchStarting {
  static constexpr Tag kTag{"record", "starting"};
};
BOOST_DESCRIBE_STRUCT(MatchStarting, (), ())

/// The deal: entropies by seat, empty where none was sent or opened in time.
struct MatchStarted {
  static constexpr Tag kTag{"record", "started"};
  std::int64_t rules{};  // the version of the game's rules
  std::vector<std::string> entropies;
};
BOOST_DESCRIBE_STRUCT(MatchStarted, (), (rules, entropies))

struct Acted {
  static constexpr Tag kTag{"record", "acted"};
  std::int64_t rev{};
  Seat seat;
  DecisionId decision;
  std::string action;
  ActedBy by{};
  std::string id;        // the player's request id; empty unless by the player
  std::int64_t at_ms{};  // since the match started
};
BOOST_DESCRIBE_STRUCT(Acted, (), (rev, seat, decision, action, by, id, at_ms))

struct Lapsed {
  static constexpr Tag kTag{"record", "lapsed"};
  std::int64_t rev{};
  DecisionId decision;
  std::int64_t at_ms{};
};
BOOST_DESCRIBE_STRUCT(Lapsed, (), (rev, decision, at_ms))

/// The seat's bot plays for it, or no longer does.
struct SeatCovered {
  static constexpr Tag kTag{"record", "covered"};
  Seat seat;
  bool covered{};
};
BOOST_DESCRIBE_STRUCT(SeatCovered, (), (seat, covered))

struct RoomClosed {
  static constexpr Tag kTag{"record", "closed"};
};
BOOST_DESCRIBE_STRUCT(RoomClosed, (), ())

using Record = std::variant<RoomCreated, MatchOpened, SeatTaken, BotSeated, SeatLeft, HostChanged,
                            MatchStarting, MatchStarted, Acted, Lapsed, SeatCovered, RoomClosed>;

}  // namespace triquetra
