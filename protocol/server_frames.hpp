// Everything that a client may hear, one struct each: codes and values, never sentences. Clients
// must pass over fields that they do not know.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/errors.hpp"
#include "protocol/reflect.hpp"

namespace triquetra {

// bot: one of the server's own, which has a level, or a program over the network, which has a name.
BOOST_DEFINE_ENUM_CLASS(SeatKind, empty, human, bot)
BOOST_DEFINE_ENUM_CLASS(Presence, here, away)
// open: people gather. starting: entropies are revealed. over: finished, a rematch may follow.
BOOST_DEFINE_ENUM_CLASS(RoomStatus, open, starting, playing, over, closed)
BOOST_DEFINE_ENUM_CLASS(DecisionKind, turn, ballot, window)
// Who made an act: a seat's player, its bot, or the bot when the clock had run out.
BOOST_DEFINE_ENUM_CLASS(ActedBy, player, bot, clock)

struct SeatHeld {
  std::string room;
  Seat seat;
  friend bool operator==(const SeatHeld&, const SeatHeld&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatHeld, (), (room, seat))

/// What this server accepts.
struct LimitsShown {
  std::int64_t frame_bytes{};
  std::int64_t depth{};
  std::int64_t frames_per_second{};
  std::int64_t name_length{};
};
BOOST_DESCRIBE_STRUCT(LimitsShown, (), (frame_bytes, depth, frames_per_second, name_length))

struct ServerInfo {
  std::string name;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(ServerInfo, (), (name, version))

/// The answer to hello. The token stands in it only when it is new: keep it, it is the player.
struct Welcome {
  static constexpr Tag kTag{"type", "welcome"};
  std::string re;
  int protocol{};
  std::string player;  // the player's name
  std::optional<std::string> token;
  std::vector<SeatHeld> seats;
  LimitsShown limits;
  ServerInfo server;
};
BOOST_DESCRIBE_STRUCT(Welcome, (), (re, protocol, player, token, seats, limits, server))

/// What happened in one revision of a match.
struct HistoryPage {
  std::int64_t rev{};
  Raw happened;
};
BOOST_DESCRIBE_STRUCT(HistoryPage, (), (rev, happened))

struct DecisionShown {
  DecisionId id;
  DecisionKind kind{};
  std::vector<Seat> seats;  // who is asked; of a ballot, who has not answered
};
BOOST_DESCRIBE_STRUCT(DecisionShown, (), (id, kind, seats))

/// One revision of a finished match, with everything that the record opens: each seat's own view
/// too.
struct ReplayStep {
  std::int64_t rev{};
  std::optional<ActedBy> by;  // who made the act; absent for the setup and for lapses
  std::vector<DecisionShown> decisions;
  Raw table;
  Raw happened;
  std::vector<Raw> seats;  // what each seat saw beside the table
};
BOOST_DESCRIBE_STRUCT(ReplayStep, (), (rev, by, decisions, table, happened, seats))

/// One act, as the planner weighed it.
struct WeighedShown {
  std::optional<Raw> action;  // none: leaves the window to its clock
  std::int64_t wins{};        // of a hundred matches like this one
  std::optional<std::int64_t>
      points;  // the seat's score at the end, in the mean; with points alone
};
BOOST_DESCRIBE_STRUCT(WeighedShown, (), (action, wins, points))

/// What an expert would do, by what the seat knew at this revision.
struct HintShown {
  std::int64_t rev{};
  DecisionId decision;
  std::optional<Raw> action;       // none: it would leave the window to its clock
  std::vector<WeighedShown> acts;  // the best few, the best first; none if there was no time
};
BOOST_DESCRIBE_STRUCT(HintShown, (), (rev, decision, action, acts))

/// An act of a finished match, and a better one.
struct ReviewedAct {
  std::int64_t rev{};  // that it made
  Seat seat;
  Raw action;
  Raw better;                          // what an expert would have done, by what the seat knew
  std::int64_t wins{};                 // what it cost, of a hundred matches like this one
  std::optional<std::int64_t> points;  // and of the seat's score at the end; with points alone
};
BOOST_DESCRIBE_STRUCT(ReviewedAct, (), (rev, seat, action, better, wins, points))

/// What has come out of looking at a finished match.
struct ReviewShown {
  std::int64_t steps{};           // acts and lapses of the match
  std::int64_t looked_at{};       // of them so far
  std::vector<ReviewedAct> acts;  // of people, the costliest first
};
BOOST_DESCRIBE_STRUCT(ReviewShown, (), (steps, looked_at, acts))

/// Yes. What stands in it beside `re` depends on the request: create, join and watch tell the room
/// (and the seat), act the revision it made, device its code, history its pages, record the record,
/// replay its steps, hint the hint, review the review.
struct Ok {
  static constexpr Tag kTag{"type", "ok"};
  std::string re;
  std::optional<std::string> room;
  std::optional<Seat> seat;
  std::optional<std::int64_t> rev;
  std::optional<std::string> device;
  std::optional<std::vector<HistoryPage>> pages;
  std::optional<bool> more;  // whether another page follows the last one here
  std::optional<Raw> record;
  std::optional<std::vector<ReplayStep>> steps;
  std::optional<HintShown> hint;
  std::optional<ReviewShown> review;
};
BOOST_DESCRIBE_STRUCT(Ok, (),
                      (re, room, seat, rev, device, pages, more, record, steps, hint, review))

/// No. `re` is absent when the request had no id that could be read.
struct Error {
  static constexpr Tag kTag{"type", "error"};
  std::optional<std::string> re;
  ErrorCode code{};
  ErrorArgs args;
};
BOOST_DESCRIBE_STRUCT(Error, (), (re, code, args))

struct Pong {
  static constexpr Tag kTag{"type", "pong"};
  std::string re;
};
BOOST_DESCRIBE_STRUCT(Pong, (), (re))

struct SeatShown {
  Seat seat;
  SeatKind kind{};
  std::optional<std::string> name;   // of a player: a human or a program
  std::optional<Presence> presence;  // of a player
  std::optional<BotLevel> level;     // of a bot of the server's own
  std::optional<bool> covered;       // a player's seat that the bot plays for the time being
  std::optional<bool> sent_away;     // by a vote: covered until the table agrees
  std::optional<bool> entropy;       // a player who takes part in the shuffle
  friend bool operator==(const SeatShown&, const SeatShown&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatShown, (),
                      (seat, kind, name, presence, level, covered, sent_away, entropy))

/// The room and the people in it: all public, the same bytes for everyone.
struct RoomFrame {
  static constexpr Tag kTag{"type", "room"};
  std::string room;
  std::string game;
  Raw options;
  RoomStatus status{};
  std::vector<SeatShown> seats;
  std::optional<Seat> host;
  Visibility visibility{};
  bool locked{};                      // whether joining takes a password
  std::optional<std::int64_t> clock;  // seconds per decision
  std::optional<bool> door_closed;    // true: only who is seated comes in
  bool spectators{};
  std::int64_t watching{};  // how many do
  Chat chat{};
  bool hints{};
  std::string match;
  std::string commitment;                   // SHA-256 of the match's secret, in hex
  std::optional<std::vector<Seat>> reveal;  // while starting: seats whose entropy is awaited
  std::optional<std::string> binding;       // from the start on: see MatchRecord
  std::optional<std::int64_t> called_off;   // starts of this match that ended without a deal
};
BOOST_DESCRIBE_STRUCT(RoomFrame, (),
                      (room, game, options, status, seats, host, visibility, locked, clock,
                       door_closed, spectators, watching, chat, hints, match, commitment, reveal,
                       binding, called_off))

/// The public half of a view: the same bytes for everyone in the room.
struct ViewHead {
  static constexpr Tag kTag{"type", "view"};
  std::string room;
  std::string match;
  std::int64_t rev{};  // acts and lapses of this match so far
  std::vector<DecisionShown> decisions;
  Raw table;     // the game's table view
  Raw happened;  // what the last act or lapse did: the game's events
};
BOOST_DESCRIBE_STRUCT(ViewHead, (), (room, match, rev, decisions, table, happened))

struct TimeLeft {
  DecisionId decision;
  std::int64_t ms{};
};
BOOST_DESCRIBE_STRUCT(TimeLeft, (), (decision, ms))

/// An action that may be sent back as it is.
struct LegalAct {
  Raw action;
  std::optional<int> preview;  // points that it changes my score by, as far as I can tell
  std::optional<int> worth;    // points of what it puts together, nobody's as yet: a hint
};
BOOST_DESCRIBE_STRUCT(LegalAct, (), (action, preview, worth))

/// The receiver's own half.
struct ViewTail {
  std::optional<std::vector<TimeLeft>> left_ms;  // of decisions that have a clock
  std::optional<Seat> seat;                      // absent for a spectator, like all below
  std::optional<Raw> mine;                       // the game's seat view
  std::optional<std::vector<LegalAct>> legal;
  std::optional<Raw> answer;  // my sealed answer to an open ballot
};
BOOST_DESCRIBE_STRUCT(ViewTail, (), (left_ms, seat, mine, legal, answer))

struct View : ViewHead, ViewTail {};
BOOST_DESCRIBE_STRUCT(View, (ViewHead, ViewTail), ())

struct ListedRoom {
  std::string room;
  std::string game;
  Raw options;
  RoomStatus status{};
  std::int64_t seats{};
  std::int64_t taken{};
  bool locked{};
  bool spectators{};
  friend bool operator==(const ListedRoom&, const ListedRoom&) = default;
};
BOOST_DESCRIBE_STRUCT(ListedRoom, (),
                      (room, game, options, status, seats, taken, locked, spectators))

/// What whoever has a room's code is told before they go in. Only of a room that lets in whoever
/// comes: those would see all of it.
struct Invitation {
  std::string game;
  Raw options;
  RoomStatus status{};
  std::optional<std::string> host;  // the name
  std::int64_t seats{};
  std::int64_t taken{};
  friend bool operator==(const Invitation&, const Invitation&) = default;
};
BOOST_DESCRIBE_STRUCT(Invitation, (), (game, options, status, host, seats, taken))

/// All listed rooms; sent again whenever one changes, at most a few times a second.
struct LobbyFrame {
  static constexpr Tag kTag{"type", "lobby"};
  std::vector<ListedRoom> rooms;
};
BOOST_DESCRIBE_STRUCT(LobbyFrame, (), (rooms))

struct ReactionShown {
  static constexpr Tag kTag{"type", "reaction"};
  std::string room;
  Seat seat;
  ReactionKind reaction{};
};
BOOST_DESCRIBE_STRUCT(ReactionShown, (), (room, seat, reaction))

struct Said {
  static constexpr Tag kTag{"type", "said"};
  std::string room;
  Seat seat;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(Said, (), (room, seat, text))

// slow: this connection did not read fast enough. too_fast: it sent too much. kicked, left (the
// same player gave up the seat on another connection) and closed are about the room they name; the
// others end the connection.
BOOST_DEFINE_ENUM_CLASS(ByeCode, restarting, slow, too_fast, idle, kicked, left, closed)

// idle: nobody wanted the room any more. failed: the server made a mistake. admin: whoever runs the
// server said so.
BOOST_DEFINE_ENUM_CLASS(WhyClosed, idle, failed, admin)

struct Bye {
  static constexpr Tag kTag{"type", "bye"};
  ByeCode code{};
  std::optional<std::string> room;
  std::optional<std::int64_t> retry_ms;
  std::optional<WhyClosed> why{};  // of a room that is closed
};
BOOST_DESCRIBE_STRUCT(Bye, (), (code, room, retry_ms, why))

// What the people of a room should hear of, whose seat and name stand beside it. sent_away: by the
// host. voted_away, readmitted: by the table. host: the role has gone on. start_called_off: this
// seat did not open its entropy. options: the host has set others. hinted: this seat has asked for
// a hint.
BOOST_DEFINE_ENUM_CLASS(NewsKind, sent_away, voted_away, readmitted, host, door_closed, door_open,
                        watching_closed, watching_open, forgiven, start_called_off, options, hinted)

struct News {
  static constexpr Tag kTag{"type", "news"};
  std::string room;
  NewsKind what{};
  std::optional<Seat> seat;
  std::optional<std::string> name;
};
BOOST_DESCRIBE_STRUCT(News, (), (room, what, seat, name))

/// Whoever runs the server has something to say to everybody.
struct Notice {
  static constexpr Tag kTag{"type", "notice"};
  std::string text;
};
BOOST_DESCRIBE_STRUCT(Notice, (), (text))

using ServerFrame = std::variant<Welcome, Ok, Error, Pong, RoomFrame, View, LobbyFrame,
                                 ReactionShown, Said, Bye, News, Notice>;

}  // namespace triquetra
