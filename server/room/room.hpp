// A room: the table, the people at it, and those who watch. A pure state machine: a message and the
// time go in, the next room and what to do come out. No sockets, no clock, no store.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/rng.hpp"
#include "protocol/catalog.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"
#include "server/base/limits.hpp"
#include "server/base/time_point.hpp"
#include "server/room/append_only.hpp"
#include "server/room/finished_match.hpp"
#include "server/store/records.hpp"

namespace triquetra {

using ConnectionId = std::uint64_t;

/// Who speaks: a connection, and the player whose token it showed. Player ids are ours and never
/// sent.
struct Sender {
  ConnectionId connection{};
  std::string player;
  std::string name;
  bool is_program = false;  // its hello said so
};

/// A frame for a room: every ClientFrame that has a `room`.
struct FromClient {
  Sender from;
  ClientFrame frame;
};
/// The maker's frame, for a room that does not exist yet: see Room::create.
struct Disconnected {
  ConnectionId connection{};
};
/// Time has passed: the alarm that effects asked for, or any other moment.
struct Tick {};
using RoomMessage = std::variant<FromClient, Disconnected, Tick>;

/// One frame for one connection: `shared` is the same bytes for many receivers, `own` follows it.
struct Outgoing {
  ConnectionId to{};
  std::shared_ptr<const std::string> shared;  // may be null
  std::string own;
  bool is_view = false;                // a newer view of the same room replaces it while it waits
  std::optional<ErrorCode> refusal{};  // what it says no with, if it does
};

/// What to do about a message, in this order: append the records and wait until they are durable;
/// adopt the next room; send the frames; ring at `alarm`.
struct Effects {
  std::vector<Record> records;
  std::vector<Outgoing> frames;
  std::optional<TimePoint> alarm;
};

/// How long a room waits for people and bots. Tests and the command line may choose otherwise.
struct RoomPolicy {
  std::chrono::milliseconds bot_delay = limits::kBotDelay;
  std::chrono::milliseconds reveal_time = limits::kRevealTime;
  std::chrono::milliseconds away_time = limits::kAwayTime;
  std::chrono::milliseconds idle_time = limits::kIdleRoomTime;
  /// For tests of secrecy alone: the deal of every match instead of what its seed gives, so that
  /// two rooms differ in nothing else.
  std::optional<std::string> written_deal;
  /// For tests in browsers alone, to play a game again: all chance of a room follows from this and
  /// from what its maker promised for the shuffle. Only a build with tests has a flag for it.
  std::optional<std::string> test_seed;
  std::chrono::milliseconds abandoned_time = limits::kAbandonedRoomTime;
};

class Room;
/// `next` is null when nothing changed.
struct Outcome {
  std::shared_ptr<const Room> next;
  Effects effects;
};

class Room {
 public:
  /// A new room with its maker at seat 0. Throws Malformed (no_such_game, bad_options and what
  /// decoding the options finds).
  static Outcome create(const std::string& code, const Sender& maker, const Create& frame,
                        TimePoint now, Rng& rng, const RoomPolicy& policy = {});
  /// The room that a log leads to, with nobody connected and every open decision at its full
  /// length. `age`: since the last record. Before: has_rules_for(log). Throws Bug.
  static std::shared_ptr<const Room> replayed(const std::vector<Record>& log, TimePoint now,
                                              std::chrono::seconds age = {},
                                              const RoomPolicy& policy = {});
  /// Whether this program has the game of this log, in the versions of the rules that it was played
  /// by.
  static bool has_rules_for(const std::vector<Record>& log);

  /// Total: any message. Throws Bug only, and Malformed never.
  Outcome handle(const RoomMessage& message, TimePoint now, Rng& rng) const;

  /// The same room when what was handled at `handled` is durable only later: decisions that were
  /// opened by it have their full length from then on.
  std::shared_ptr<const Room> kept_at(TimePoint handled, TimePoint durable) const;
  /// When to handle a Tick at the latest, if ever.
  std::optional<TimePoint> alarm(TimePoint now) const;

  const std::string& code() const { return settings_.room; }
  const std::string& game() const { return settings_.game; }
  /// The player who made it, and by which request.
  const std::string& maker() const { return settings_.maker; }
  const std::string& made_by_request() const { return settings_.request; }
  RoomStatus status() const { return status_; }
  /// The seat that a player holds, if any.
  std::optional<Seat> seat_of(const std::string& player) const;
  /// The players and their seats.
  std::vector<std::pair<std::string, Seat>> players() const;
  /// What is public about it.
  ListedRoom summary() const;
  /// What the lobby shows; none for unlisted and closed rooms.
  std::optional<ListedRoom> listing() const;
  /// The finished matches whose records anybody may have: those at hand, if the room is listed and
  /// whoever comes may watch it, else none.
  std::vector<std::shared_ptr<const FinishedMatch>> open_records() const;

 private:
  struct Chair {
    SeatKind kind{};  // human: a player, who may be a program over the network
    std::string player;
    std::string name;
    bool is_program = false;
    BotLevel level{};
    std::string asked_by;  // the player who added this bot, with this request
    std::string request;
    bool covered = false;
    int lapses_in_a_row = 0;
    std::optional<std::string> entropy_hash;
    std::optional<std::string> entropy;
    SeatSet kick_votes;
    std::optional<TimePoint> away_since;
  };
  struct Member {
    std::string player;
    std::optional<Seat> seat;
  };
  struct Deadline {
    DecisionId decision;
    TimePoint at;
    TimePoint opened;
  };
  /// An accepted act's answer, given again when its id comes again.
  struct Answer {
    std::string match;
    std::string player;
    std::string id;
    DecisionId decision;
    std::string action;
    std::int64_t rev;
  };

  friend class RoomTurn;
  void adopt(const Record& record, TimePoint now);
  void adopt_step(TablePointer table, Step step, TimePoint now);
  void adopt_starting(TimePoint now);
  void open_match(const MatchOpened& opened);
  void deal(const MatchStarted& started, TimePoint now);
  void set_deadlines(TimePoint now);
  void schedule_bots(TimePoint now);
  bool plays_itself(Seat seat) const;
  bool is_listed() const;
  /// Until when the room may be without connections before it closes.
  TimePoint empty_until() const;
  std::string record_of_match() const;

  RoomPolicy policy_;
  RoomCreated settings_;
  const GameKind* game_ = nullptr;
  RoomStatus status_ = RoomStatus::open;
  std::vector<Chair> chairs_;
  std::optional<Seat> host_;
  std::map<ConnectionId, Member> members_;
  std::string match_;
  std::string secret_;
  TablePointer start_;
  TablePointer table_;
  std::vector<RecordedSeat> match_seats_;
  AppendOnly<Step> steps_;             // of this match
  AppendOnly<TablePointer> marks_;     // of this match, see FinishedMatch
  AppendOnly<std::string> happened_;   // of this match, by revision - 1
  AppendOnly<Answer> answers_;         // of this match
  AppendOnly<Answer> answers_before_;  // of the match before: a late repetition belongs to it
  std::vector<std::shared_ptr<const FinishedMatch>> finished_;  // the newest kRecordsPerRoom
  std::int64_t rev() const { return static_cast<std::int64_t>(steps_.size()); }
  TimePoint started_at_{};
  TimePoint touched_at_{};
  std::optional<TimePoint> reveal_until_;
  std::vector<Deadline> deadlines_;
  std::optional<TimePoint> bots_at_;
};

}  // namespace triquetra
