// A room: the table, the people at it, and those who watch. A pure state machine: a message and the
// time go in, the next room and what to do come out. No sockets, no clock, no store.
//
// Folder: the life of a room, from its first seat to its last match.
// May see: server/store, server/ops, server/base, protocol, engine.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/rng.hpp"
#include "server/room/messages.hpp"
#include "server/room/state.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class Room;
/// `next` is null when nothing changed.
struct Outcome {
  std::shared_ptr<Room> next;
  Effects effects;
};

class Room {
 public:
  /// A new room with its maker at seat 0. Throws Malformed (no_such_game, bad_options and what
  /// decoding the options finds).
  static Outcome create(const std::string& code, const Sender& maker, const Create& frame,
                        TimePoint now, Rng& rng, const RoomPolicy& policy = {});
  /// The room that a log leads to, with nobody connected and every open decision at its full
  /// length. `age`: since the last record. Or, after a nap, the room that went to sleep. Before:
  /// has_rules_for(log). Throws Bug.
  static std::shared_ptr<Room> replayed(const std::vector<Record>& log, TimePoint now,
                                        std::chrono::seconds age = {},
                                        const RoomPolicy& policy = {},
                                        const std::optional<Nap>& nap = {});
  /// Whether this program has the game of this log, in the versions of the rules that it was played
  /// by.
  static bool has_rules_for(const std::vector<Record>& log);

  explicit Room(RoomState state) : state_(std::move(state)) {}

  /// Total: any message. Throws Bug only, and Malformed never.
  Outcome handle(const RoomMessage& message, TimePoint now, Rng& rng) const;

  /// What was handled at `handled` is durable only now: decisions that were opened by it have their
  /// full length from here on.
  void kept_at(TimePoint handled, TimePoint durable);
  /// Whether entry() or listing() may be others than they were.
  bool is_news_after(const Room& before) const;
  /// What bots have to think about now. Whoever does so hands in a BotThought for each; a room that
  /// gets none, or gets it late, has its bots act all the same.
  std::vector<Question> questions() const;
  /// What it takes to think about a question that stands. All chance in it comes from the seed.
  std::unique_ptr<Thinking> thinking(const Question& question, const Seed& seed) const;
  /// When to handle a Tick at the latest, if ever.
  std::optional<TimePoint> alarm(TimePoint now) const;
  /// Whether nobody would miss it for a while: it was left some time ago, and nothing is due soon.
  bool may_sleep(TimePoint now) const;
  /// What replayed() needs to make this room again, besides its log. Before: may_sleep(now).
  std::string nap_note(TimePoint now) const;

  const std::string& code() const { return wanted().room; }
  const std::string& game() const { return wanted().game; }
  RoomStatus status() const { return state_.status(); }
  /// Whether this match is on the table, and not over.
  bool plays(const std::string& match) const {
    return state_.in<Playing>() != nullptr && state_.opened->match == match;
  }
  /// Acts and lapses of the match on the table so far; 0 if there is none.
  std::int64_t rev() const { return state_.match() == nullptr ? 0 : state_.rev(); }
  /// Since when nobody is there; none while somebody is.
  std::optional<TimePoint> empty_since() const;
  /// The seat that a player holds, if any.
  std::optional<Seat> seat_of(const std::string& player) const { return state_.seats->of(player); }
  /// What is to be known of it without reading its log.
  RoomEntry entry() const;
  /// What the lobby shows; none for unlisted and closed rooms.
  std::optional<ListedRoom> listing() const;

  /// The players and their seats.
  std::vector<PlayerAtTable> players() const;
  /// What is public about it.
  ListedRoom summary() const;
  /// What whoever has the code is told; none unless whoever has it may come in now.
  std::optional<Invitation> invitation() const;
  /// The finished matches whose records anybody may have: the newest, if the room is listed and
  /// whoever comes may watch it, else none.
  std::vector<std::string> open_records() const;

 private:
  const RoomCreated& wanted() const { return state_.terms->wanted; }
  bool is_listed() const;

  RoomState state_;
};

}  // namespace triquetra
