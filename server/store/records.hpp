// What a room keeps: one log per room, from which the room can be made again. A log holds the
// secrets of running matches and never leaves the store: records have a LogTag, which the wire's
// codec refuses, and are written by log_codec.hpp alone.
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

/// Raised with every record, and every field of one, that programs of before cannot read.
inline constexpr std::int64_t kLogFormat = 1;

/// A room, as its maker wanted it.
struct RoomCreated {
  static constexpr LogTag kLogTag{"created"};
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
  std::string maker;          // the player, and the request that gets the same room again
  std::string request;
};
BOOST_DESCRIBE_STRUCT(RoomCreated, (),
                      (room, game, options, seats, visibility, clock, spectators, chat, hints,
                       password_hash, maker, request))

/// A new match may gather: its id and secret are fixed before any entropy counts.
struct MatchOpened {
  static constexpr LogTag kLogTag{"opened"};
  std::string match;
  std::string secret;  // 256 bits in hex
};
BOOST_DESCRIBE_STRUCT(MatchOpened, (), (match, secret))

struct SeatTaken {
  static constexpr LogTag kLogTag{"sat"};
  Seat seat;
  std::string player;
  std::string name;
  std::optional<std::string> entropy_hash;
  std::optional<bool> bot;  // the player is a program
};
BOOST_DESCRIBE_STRUCT(SeatTaken, (), (seat, player, name, entropy_hash, bot))

struct BotSeated {
  static constexpr LogTag kLogTag{"bot"};
  Seat seat;
  BotLevel level{};
  // Who asked for it, and the id of that request: asked again, it is the same bot. Absent in older
  // logs.
  std::optional<std::string> player;
  std::optional<std::string> request;
};
BOOST_DESCRIBE_STRUCT(BotSeated, (), (seat, level, player, request))

struct SeatLeft {
  static constexpr LogTag kLogTag{"left"};
  Seat seat;
};
BOOST_DESCRIBE_STRUCT(SeatLeft, (), (seat))

struct HostChanged {
  static constexpr LogTag kLogTag{"host"};
  Seat seat;
};
BOOST_DESCRIBE_STRUCT(HostChanged, (), (seat))

/// Who was sent away by the host, and does not come in again: the player, and all who come from
/// these addresses, of which a log has only hashes.
struct SentAway {
  static constexpr LogTag kLogTag{"sent_away"};
  std::string player;
  std::vector<std::string> address_hashes;
};
BOOST_DESCRIBE_STRUCT(SentAway, (), (player, address_hashes))

/// Who may come in from now on.
struct DoorSet {
  static constexpr LogTag kLogTag{"door"};
  bool open{};
  bool spectators{};
  std::optional<bool> forgiven;  // nobody counts as sent away any more
};
BOOST_DESCRIBE_STRUCT(DoorSet, (), (open, spectators, forgiven))

/// How the game is played, and by how many at most, from the next start on.
struct OptionsSet {
  static constexpr LogTag kLogTag{"options"};
  std::string options;
  std::int64_t seats{};
};
BOOST_DESCRIBE_STRUCT(OptionsSet, (), (options, seats))

/// Seats and entropy hashes are frozen; empty seats are gone and the rest renumbered.
struct MatchStarting {
  static constexpr LogTag kLogTag{"starting"};
  std::optional<std::string> options;  // if they name a seat that has another number now
};
BOOST_DESCRIBE_STRUCT(MatchStarting, (), (options))

/// A seat has opened what its entropy hash had promised.
struct EntropyOpened {
  static constexpr LogTag kLogTag{"entropy"};
  Seat seat;
  std::string entropy;
};
BOOST_DESCRIBE_STRUCT(EntropyOpened, (), (seat, entropy))

/// These seats have not opened theirs in time: no deal, and the next match opens in its place.
struct StartCalledOff {
  static constexpr LogTag kLogTag{"called_off"};
  std::vector<Seat> unopened;
};
BOOST_DESCRIBE_STRUCT(StartCalledOff, (), (unopened))

/// The deal: entropies by seat, empty where none was promised (older: or none opened in time).
struct MatchStarted {
  static constexpr LogTag kLogTag{"started"};
  std::int64_t rules{};  // the version of the game's rules
  std::vector<std::string> entropies;
  std::optional<std::int64_t> format;  // of its record; absent in older logs: 1
};
BOOST_DESCRIBE_STRUCT(MatchStarted, (), (rules, entropies, format))

struct Acted {
  static constexpr LogTag kLogTag{"acted"};
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
  static constexpr LogTag kLogTag{"lapsed"};
  std::int64_t rev{};
  DecisionId decision;
  std::int64_t at_ms{};
};
BOOST_DESCRIBE_STRUCT(Lapsed, (), (rev, decision, at_ms))

/// The seat's bot plays for it, or no longer does.
struct SeatCovered {
  static constexpr LogTag kLogTag{"covered"};
  Seat seat;
  bool covered{};
  std::optional<bool> sent_away;  // by a vote: until the table agrees
};
BOOST_DESCRIBE_STRUCT(SeatCovered, (), (seat, covered, sent_away))

/// One of the votes by which all other humans send a seat away in play.
struct KickVoted {
  static constexpr LogTag kLogTag{"vote"};
  Seat seat;
  Seat by;
};
BOOST_DESCRIBE_STRUCT(KickVoted, (), (seat, by))

/// One of the votes by which they have it play again.
struct ReadmitVoted {
  static constexpr LogTag kLogTag{"readmit_vote"};
  Seat seat;
  Seat by;
};
BOOST_DESCRIBE_STRUCT(ReadmitVoted, (), (seat, by))

/// The log of an idle room is erased; a Bug's and an operator's stay.
struct RoomClosed {
  static constexpr LogTag kLogTag{"closed"};
  WhyClosed why{};
};
BOOST_DESCRIBE_STRUCT(RoomClosed, (), (why))

using Record =
    std::variant<RoomCreated, MatchOpened, SeatTaken, BotSeated, SeatLeft, HostChanged, SentAway,
                 DoorSet, OptionsSet, MatchStarting, EntropyOpened, StartCalledOff, MatchStarted,
                 Acted, Lapsed, SeatCovered, KickVoted, ReadmitVoted, RoomClosed>;

}  // namespace triquetra
