// A match on the table: acts, each answered once and then again in the same way, and what is asked
// until when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/match_record.hpp"
#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"
#include "server/base/append_only.hpp"
#include "server/base/time_point.hpp"
#include "server/room/copy_on_write.hpp"
#include "server/room/messages.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Draft;
struct RoomState;

/// What is on the table from the deal on, and stays there after the end.
struct Match {
  CopyOnWrite<MatchRecord> head;  // its record, as far as it is settled by the deal
  SeatSet covered;                // the bot plays for these players
  SeatSet sent_away;              // for these of them until the table agrees to have them back
  TablePointer table;
  std::int64_t revision = 0;  // acts and lapses so far; the log has them
  RecentTexts happened;       // by revision - 1; none once it is over
  TimePoint started_at{};

  /// What the newest revision did, as JSON.
  std::string newly_happened() const;
};

/// A decision on the table.
struct Asked {
  Decision decision;
  TimePoint since;                 // or since the player who is asked came back
  TimePoint opened;                // from here on it counts
  std::optional<TimePoint> until;  // none: it waits
};

/// A bot's thought about what it is asked: under way, or found.
struct Pondered {
  Question question;
  bool is_found = false;
  std::optional<std::string> action{};
};

/// The stage of play.
struct Playing {
  static constexpr RoomStatus kStatus = RoomStatus::playing;
  Match match;
  List<Asked, kMaxSeats> asked;
  std::optional<TimePoint> bots_at;         // when bots act next
  std::vector<Pondered> pondered;           // by the bots that look ahead, of what is asked now
  std::optional<TimePoint> thoughts_until;  // a bot whose moment has come waits so long for its own
  std::map<Seat, SeatSet> kick_votes;       // against a seat, by whom
  std::map<Seat, SeatSet> readmit_votes;    // for one that was sent away

  /// The decision that asks this seat; null if none does.
  const Asked* asked_of(Seat seat) const;
  /// What this seat's bot thinks or has thought about what is asked; null if it does not look
  /// ahead.
  const Pondered* pondered_by(Seat seat) const;
  /// Decisions that were opened at `handled` have their full length from `durable` on.
  bool opened_any(TimePoint handled) const;
  void put_off(TimePoint handled, TimePoint durable);
};

/// Accepted acts by player and id of the request: of this match, and of the one before, to which a
/// late repetition belongs. Of all words it has hashes of 64 bits alone: whoever finds two that are
/// one has an answer for another act of one's own.
class Answers {
 public:
  void begin_match(const std::string& match);
  /// The match that has begun has another id now.
  void rename_match(const std::string& match);
  void add(const std::string& player, const Acted& acted);
  /// The revision that this request has made; or 0, if its id was that of another act. None if
  /// there is no such request.
  std::optional<std::int64_t> find(const std::string& player, const Act& again) const;

 private:
  struct Answer {
    std::uint64_t act;
    std::uint32_t rev;
  };
  struct OfMatch {
    std::uint64_t match = 0;
    AppendOnlyMap<Answer> by_request;
  };
  OfMatch now_;
  OfMatch before_;
};

std::int64_t ms_between(TimePoint from, TimePoint to);

/// What the table asks now: until when, and when bots answer.
void ask(RoomState& room, TimePoint now);
/// An act or a lapse has made the next table.
void go_on(RoomState& room, TablePointer table, TimePoint now);
/// What an act is to the one who made it: how it is answered again, and that somebody is there.
void remember(RoomState& room, const Acted& acted);
/// An act that the rules have allowed: it is to be kept and shown.
void make(Draft& draft, TablePointer table, Seat seat, DecisionId decision, std::string action,
          ActedBy by, std::string id = {});

void adopt(RoomState& room, const Acted& acted, TimePoint now);
void adopt(RoomState& room, const Lapsed& lapsed, TimePoint now);

/// What came of thinking about a hint, for whoever asked for it.
Outgoing answer_from(const Thought& thought, const Question& question, const Sender& from,
                     const AskHint& frame);
/// What happened after a revision, as many as a page holds: of `size` revisions, each told by
/// `happened`, which takes it less 1.
Ok history_page(const History& frame, std::size_t size,
                const std::function<std::string(std::size_t)>& happened);

void on(Draft& draft, const Act& frame);
void on(Draft& draft, const AskHint& frame);
void on(Draft& draft, const History& frame);

}  // namespace triquetra
