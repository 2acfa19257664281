// A match on the table: acts, each answered once and then again in the same way, and what is asked
// until when.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/match_record.hpp"
#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"
#include "server/base/time_point.hpp"
#include "server/room/append_only.hpp"
#include "server/room/copy_on_write.hpp"
#include "server/room/finished_match.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Draft;
struct RoomState;

/// What is on the table from the deal on, and stays there after the end.
struct Match {
  CopyOnWrite<MatchRecord> head;  // its record, as far as it is settled by the deal
  SeatSet covered;                // the bot plays for these players
  SeatSet sent_away;              // for these of them until the table agrees to have them back
  TablePointer start;
  TablePointer table;
  AppendOnly<Step> steps;
  AppendOnly<TablePointer> marks;    // see FinishedMatch
  AppendOnly<std::string> happened;  // by revision - 1
  TimePoint started_at{};

  std::int64_t rev() const { return static_cast<std::int64_t>(steps.size()); }
};

struct Deadline {
  DecisionId decision;
  TimePoint at;
  TimePoint opened;
};

/// The stage of play.
struct Playing {
  static constexpr RoomStatus kStatus = RoomStatus::playing;
  Match match;
  std::vector<Deadline> deadlines;
  std::optional<TimePoint> bots_at;
  std::map<DecisionId, TimePoint> asked_since;
  std::map<Seat, SeatSet> kick_votes;     // against a seat, by whom
  std::map<Seat, SeatSet> readmit_votes;  // for one that was sent away

  /// Decisions that were opened at `handled` have their full length from `durable` on.
  bool opened_any(TimePoint handled) const;
  void put_off(TimePoint handled, TimePoint durable);
};

/// An accepted act, and its answer.
struct Answer {
  std::string match;
  DecisionId decision;
  std::string action;
  std::int64_t rev;
};
/// By player and id of the request: of this match, and of the one before, to which a late
/// repetition belongs.
class Answers {
 public:
  void begin_match() { before_ = std::exchange(of_match_, {}); }
  void add(const std::string& player, const std::string& id, Answer answer);
  /// Null if there is none.
  const Answer* find(const std::string& player, const std::string& id) const;

 private:
  using ById = AppendOnlyMap<std::pair<std::string, std::string>, Answer>;
  ById of_match_;
  ById before_;
};

std::int64_t ms_between(TimePoint from, TimePoint to);

/// What the table asks now: until when, and when bots answer.
void ask(RoomState& room, TimePoint now);
/// An act or a lapse has made the next table.
void go_on(RoomState& room, TablePointer table, Step step, TimePoint now);
/// An act that the rules have allowed: it is to be kept and shown.
void make(Draft& draft, TablePointer table, Seat seat, DecisionId decision, std::string action,
          ActedBy by, std::string id = {});

void adopt(RoomState& room, const Acted& acted, TimePoint now);
void adopt(RoomState& room, const Lapsed& lapsed, TimePoint now);

void on(Draft& draft, const Act& frame);
void on(Draft& draft, const History& frame);

}  // namespace triquetra
