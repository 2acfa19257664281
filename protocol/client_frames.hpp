// Everything that a client may say, one struct each. A request carries an id of the client's own
// choosing and gets exactly one answer, ok or error (hello: welcome; ping: pong), that names it in
// `re`.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <variant>

#include "engine/bounded.hpp"
#include "engine/decision.hpp"
#include "engine/game.hpp"
#include "engine/ids.hpp"
#include "protocol/reflect.hpp"

namespace triquetra {

inline constexpr int kProtocolVersion = 1;

using RequestId = Text<64>;
using RoomCode = Text<12>;  // six letters today
using MatchId = Text<32>;   // 128 bits in hex
using Hash = Text<64>;      // 256 bits in hex
using PlayerName = Text<24>;
using Password = Text<64>;
using SeatNumber = Int<0, static_cast<int>(kMaxSeats) - 1>;

BOOST_DEFINE_ENUM_CLASS(Visibility, listed, unlisted)
BOOST_DEFINE_ENUM_CLASS(Chat, off, reactions, text)
// easy, normal, hard, expert: for people (engine/levels.hpp). random, greedy: for tests and
// programs; greedy plays as normal does.
BOOST_DEFINE_ENUM_CLASS(BotLevel, random, greedy, easy, normal, hard, expert)
BOOST_DEFINE_ENUM_CLASS(ReactionKind, hello, clap, laugh, wow, think, sad, hurry, thanks)

/// Who I am: a new guest (neither token nor device), a returning one, or one who comes with a
/// one-use code.
struct Hello {
  static constexpr Tag kTag{"type", "hello"};
  RequestId id;
  Int<0, 1000000> protocol;
  std::optional<Text<64>> token;
  std::optional<Text<16>> device;
  std::optional<PlayerName> name;
  std::optional<Text<16>> locale;
  std::optional<bool> bot;  // a program plays: the seats that it takes are shown as a bot's
};
BOOST_DESCRIBE_STRUCT(Hello, (), (id, protocol, token, device, name, locale, bot))

/// A new room; its maker sits down at seat 0 and is the host.
struct Create {
  static constexpr Tag kTag{"type", "create"};
  RequestId id;
  Text<32> game;
  std::optional<Raw> options;                                // the game's own; {} if absent
  std::optional<Int<1, static_cast<int>(kMaxSeats)>> seats;  // as many as the game allows if absent
  std::optional<Visibility> visibility;                      // unlisted if absent
  std::optional<Int<5, 86400>> clock;                        // seconds per decision; none if absent
  std::optional<bool> spectators;                            // true if absent
  std::optional<Chat> chat;                                  // reactions if absent
  std::optional<bool> hints;                                 // previews in legal; true if absent
  std::optional<Password> password;
  std::optional<Hash> entropy_hash;
};
BOOST_DESCRIBE_STRUCT(Create, (),
                      (id, game, options, seats, visibility, clock, spectators, chat, hints,
                       password, entropy_hash))

struct Join {
  static constexpr Tag kTag{"type", "join"};
  RequestId id;
  RoomCode room;
  std::optional<SeatNumber> seat;  // the first free one if absent
  std::optional<Password> password;
  std::optional<Hash> entropy_hash;
};
BOOST_DESCRIBE_STRUCT(Join, (), (id, room, seat, password, entropy_hash))

struct Watch {
  static constexpr Tag kTag{"type", "watch"};
  RequestId id;
  RoomCode room;
  std::optional<Password> password;
};
BOOST_DESCRIBE_STRUCT(Watch, (), (id, room, password))

/// Gives the seat up before the start; in play the seat stays the player's and only this connection
/// goes.
struct Leave {
  static constexpr Tag kTag{"type", "leave"};
  RequestId id;
  RoomCode room;
};
BOOST_DESCRIBE_STRUCT(Leave, (), (id, room))

struct Start {
  static constexpr Tag kTag{"type", "start"};
  RequestId id;
  RoomCode room;
};
BOOST_DESCRIBE_STRUCT(Start, (), (id, room))

/// The entropy whose SHA-256 was sent as entropy_hash: 256 bits in hex.
struct RevealEntropy {
  static constexpr Tag kTag{"type", "reveal_entropy"};
  RequestId id;
  RoomCode room;
  Hash entropy;
};
BOOST_DESCRIBE_STRUCT(RevealEntropy, (), (id, room, entropy))

struct AddBot {
  static constexpr Tag kTag{"type", "add_bot"};
  RequestId id;
  RoomCode room;
  std::optional<SeatNumber> seat;
  std::optional<BotLevel> level;  // greedy if absent
};
BOOST_DESCRIBE_STRUCT(AddBot, (), (id, room, seat, level))

/// Before the start by the host: the bot on this seat plays so from now on.
struct SetLevel {
  static constexpr Tag kTag{"type", "set_level"};
  RequestId id;
  RoomCode room;
  SeatNumber seat;
  BotLevel level{};
};
BOOST_DESCRIBE_STRUCT(SetLevel, (), (id, room, seat, level))

struct RemoveBot {
  static constexpr Tag kTag{"type", "remove_bot"};
  RequestId id;
  RoomCode room;
  SeatNumber seat;
};
BOOST_DESCRIBE_STRUCT(RemoveBot, (), (id, room, seat))

/// Before the start by the host, and who was sent away does not come in again; in play it needs the
/// voice of every other person at the table, and two at least.
struct Kick {
  static constexpr Tag kTag{"type", "kick"};
  RequestId id;
  RoomCode room;
  SeatNumber seat;
  std::optional<bool> address;  // by the host: nor does anybody else from that player's address
};
BOOST_DESCRIBE_STRUCT(Kick, (), (id, room, seat, address))

/// Has somebody play again who was sent away by a vote: by the voices that a kick needs.
struct Readmit {
  static constexpr Tag kTag{"type", "readmit"};
  RequestId id;
  RoomCode room;
  SeatNumber seat;
};
BOOST_DESCRIBE_STRUCT(Readmit, (), (id, room, seat))

/// Who may come in from now on, by the host; what is absent stays as it is.
struct Door {
  static constexpr Tag kTag{"type", "door"};
  RequestId id;
  RoomCode room;
  std::optional<bool> open;        // false: only who is seated now
  std::optional<bool> spectators;  // false: those who watch go, and nobody may watch
  std::optional<bool> forgive;     // true: who was sent away may come in again
};
BOOST_DESCRIBE_STRUCT(Door, (), (id, room, open, spectators, forgive))

/// How the room's game is played from the next start on, by the host before it.
struct SetOptions {
  static constexpr Tag kTag{"type", "options"};
  RequestId id;
  RoomCode room;
  Raw options;                                               // the game's own
  std::optional<Int<1, static_cast<int>(kMaxSeats)>> seats;  // as many as now if absent
};
BOOST_DESCRIBE_STRUCT(SetOptions, (), (id, room, options, seats))

/// Another match in the same room, once this one is over.
struct Rematch {
  static constexpr Tag kTag{"type", "rematch"};
  RequestId id;
  RoomCode room;
  std::optional<Hash> entropy_hash;
};
BOOST_DESCRIBE_STRUCT(Rematch, (), (id, room, entropy_hash))

/// Let the bot play for a seat whose player has been gone for a minute, until that player comes
/// back; without a clock also, if a person asks, for one who has let five minutes pass when asked.
struct Cover {
  static constexpr Tag kTag{"type", "cover"};
  RequestId id;
  RoomCode room;
  SeatNumber seat;
};
BOOST_DESCRIBE_STRUCT(Cover, (), (id, room, seat))

/// A one-use code with which hello on another device becomes the same player.
struct Device {
  static constexpr Tag kTag{"type", "device"};
  RequestId id;
};
BOOST_DESCRIBE_STRUCT(Device, (), (id))

/// An act in the game: the action answers the decision. Ids are unique per player and room. With
/// `match`, an act that arrives when the next match has begun is too_late in any case.
struct Act {
  static constexpr Tag kTag{"type", "act"};
  RequestId id;
  RoomCode room;
  std::optional<MatchId> match;
  DecisionId decision;
  Raw action;
};
BOOST_DESCRIBE_STRUCT(Act, (), (id, room, match, decision, action))

/// What an expert would do in my place, by what my seat knows: for a seat that is asked, in a room
/// with hints. The table hears that it was asked for.
struct AskHint {
  static constexpr Tag kTag{"type", "hint"};
  RequestId id;
  RoomCode room;
};
BOOST_DESCRIBE_STRUCT(AskHint, (), (id, room))

struct React {
  static constexpr Tag kTag{"type", "react"};
  RequestId id;
  RoomCode room;
  ReactionKind reaction{};
};
BOOST_DESCRIBE_STRUCT(React, (), (id, room, reaction))

struct Say {
  static constexpr Tag kTag{"type", "say"};
  RequestId id;
  RoomCode room;
  Text<200> text;
};
BOOST_DESCRIBE_STRUCT(Say, (), (id, room, text))

/// Start or stop hearing of the listed rooms.
struct WatchLobby {
  static constexpr Tag kTag{"type", "lobby"};
  RequestId id;
  bool watch{};
};
BOOST_DESCRIBE_STRUCT(WatchLobby, (), (id, watch))

/// What happened in a match after revision `after`, a page at a time.
struct History {
  static constexpr Tag kTag{"type", "history"};
  RequestId id;
  RoomCode room;
  MatchId match;
  Int<0, 1000000> after;
};
BOOST_DESCRIBE_STRUCT(History, (), (id, room, match, after))

/// The whole of a finished match, for replay and verification.
struct GetRecord {
  static constexpr Tag kTag{"type", "record"};
  RequestId id;
  RoomCode room;
  MatchId match;
};
BOOST_DESCRIBE_STRUCT(GetRecord, (), (id, room, match))

/// A finished match as views, from revision `from` on, a page at a time: for clients that know no
/// rules.
struct Replay {
  static constexpr Tag kTag{"type", "replay"};
  RequestId id;
  RoomCode room;
  MatchId match;
  Int<0, 1000000> from;
};
BOOST_DESCRIBE_STRUCT(Replay, (), (id, room, match, from))

/// Which acts of a finished match cost most, and what an expert would have done; as far as it has
/// been thought out, so ask again while there is `more`.
struct GetReview {
  static constexpr Tag kTag{"type", "review"};
  RequestId id;
  RoomCode room;
  MatchId match;
};
BOOST_DESCRIBE_STRUCT(GetReview, (), (id, room, match))

struct Ping {
  static constexpr Tag kTag{"type", "ping"};
  RequestId id;
};
BOOST_DESCRIBE_STRUCT(Ping, (), (id))

using ClientFrame =
    std::variant<Hello, Create, Join, Watch, Leave, Start, RevealEntropy, AddBot, SetLevel,
                 RemoveBot, Kick, Readmit, Door, SetOptions, Rematch, Cover, Device, Act, AskHint,
                 React, Say, WatchLobby, History, GetRecord, Replay, GetReview, Ping>;

}  // namespace triquetra
