// A Room with a mailbox: takes one message at a time, keeps its records, and only then shows what
// changed. Lives on one thread; every function is called there.
#pragma once

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/rng.hpp"
#include "server/base/clock.hpp"
#include "server/base/lease.hpp"
#include "server/base/limits.hpp"
#include "server/base/token_bucket.hpp"
#include "server/room/connection.hpp"
#include "server/room/logged_match.hpp"
#include "server/room/messages.hpp"
#include "server/room/review.hpp"
#include "server/room/room.hpp"
#include "server/room/room_news.hpp"
#include "server/room/terms.hpp"
#include "server/room/thinkers.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

/// A match as the log has it, or why it cannot be told.
using ReadMatch = std::variant<std::shared_ptr<const LoggedMatch>, ErrorCode>;

class RoomActor : public std::enable_shared_from_this<RoomActor> {
 public:
  RoomActor(boost::asio::io_context& context, EventStore& store, Thinkers& thinkers,
            std::string code, const RoomPolicy& policy, std::function<void(RoomNews)> tell,
            const Tenure& tenure = {});

  /// Makes the room. Throws Malformed, as Room::create.
  void create(const Sender& maker, const Create& frame, const ConnectionPointer& connection);
  /// A message for the room; `connection` is the sender's. Over limits::kMailboxMessages: busy.
  void post(RoomMessage message, const ConnectionPointer& connection);
  /// The room that its log leads to. A log that cannot be played here is left untouched, and the
  /// room answers everybody why. Of several servers this one takes the log over first: nothing is
  /// shown before the store has kept that.
  void restore(const LoadedLog& log);
  /// Whoever runs the server closes it for good; the log is kept. `done` says, on the room's
  /// thread, whether the store has kept that; if not, the room goes on.
  void close(std::function<void(bool)> done);
  /// The same, and the log goes: the room is as if it had never been.
  void forget(std::function<void(bool)> done);
  /// The room lives elsewhere from now on: nothing more is shown, and whoever is in it comes back
  /// there. The hub hears of it at once. With `after_append`: when what is being kept has come to
  /// its end.
  void put_down(bool after_append = false);
  /// Reads a match from the log: the one that is played up to the newest act at least.
  void read_match(const std::string& match, std::function<void(const ReadMatch&)> done);
  /// Whether nobody has been there for so long.
  bool is_empty_for(TimePoint::duration time) const;
  bool closed() const { return closed_.has_value(); }

 private:
  struct Letter {
    RoomMessage message;
    TimePoint at;
  };
  /// What is being kept, and the letter that it answers.
  struct Pending {
    Outcome outcome;
    Letter letter;
  };
  void work();
  void close_now();
  /// The store is to know that the room is in use; nothing else is done meanwhile.
  void mark_in_use();
  void marked_in_use(Kept kept, const RoomEntry& entry);
  /// Whether this server may still speak for the room.
  bool may_speak() const { return tenure_.lease == nullptr || tenure_.holds(now()); }
  /// Another writer has the log.
  void fenced();
  /// Looks after a while whether the room may sleep, if nobody is there then either.
  void doze();
  /// Puts the room away: from then on the store has all that there is of it.
  void fall_asleep();
  void fell_asleep(Kept kept, std::optional<TimePoint> alarm);
  bool is_busy() const;
  void answer_closers(bool is_closed);
  void take(Letter letter);
  void keep(Outcome outcome, Letter letter);
  /// The entry that goes with this append; null if it is as before.
  const RoomEntry* entry_after(const Outcome& outcome);
  void kept(Kept kept);
  /// These records are in the log, from the number `from` on.
  void remember(std::uint64_t from, const std::vector<Record>& records);
  /// If people have come and gone too often, what all of it comes to takes the place of what the
  /// log has of it.
  void shorten(std::vector<Record>& records);
  /// Reads the log until it is known whether the records of an append are in it.
  void find_out();
  void found_out(const LoadedLog& log);
  void refused(const Letter& letter);
  void count(const Outcome& outcome, const Letter& letter) const;
  /// A bot has acted; if its thought is still awaited, it did so without.
  void count_if_late(const Acted& acted) const;
  /// The next room is the room, and shows what `letter` has led to.
  void adopt(Outcome outcome, const Letter& letter);
  /// Answers by a match that the log has.
  void answer_from_log(const std::string& match, const FromClient& client);
  /// Answers by what has come out so far of looking at this match; begins with that, if nobody has.
  void answer_by_review(const std::shared_ptr<const LoggedMatch>& match, const FromClient& client);
  /// What was asked for stays at hand for a while.
  void put_away_later();
  void read_log();
  /// As many readers as had asked when the log was read have their answer from it.
  void answer_readers(const LoadedLog& log, std::size_t asked_before);
  bool has_at_hand(const std::string& match) const;
  /// Has thought about what its bots are asked, and about nothing else.
  void think();
  /// None if the rules fail, which is logged.
  std::optional<AwaitedThought> begin_thought(const Question& question,
                                              std::function<void(const Thought&)> done);
  /// This letter's thought, if it is one, is under way no longer.
  void end_thought(const Letter& letter);
  void answer_by_hint(const Question& question, const FromClient& client);
  /// Hints that are under way have no answer any more but this.
  void refuse_hints(ErrorCode code);
  void tell();
  void set_alarm(std::optional<TimePoint> at);
  void ring();
  /// Closes the room and leaves its log as it is; everybody hears `answer` from now on. `reason` is
  /// for the log of the server.
  void shut(ErrorCode answer, const std::string& reason, WhyClosed why = WhyClosed::failed);
  void refuse(const RoomMessage& message, ErrorCode code, ErrorArgs args = {});
  /// How long a newcomer, or what somebody says, has to wait because everybody here hears of it.
  std::chrono::milliseconds wait_for(const RoomMessage& message);
  std::chrono::milliseconds wait_for_hint(const Sender& from);
  /// Frames for this connection can be sent. Null: nobody's.
  void know(const ConnectionPointer& connection);
  ConnectionPointer connection_of(ConnectionId id) const;

  boost::asio::io_context& context_;
  EventStore& store_;
  Thinkers& thinkers_;
  std::string code_;
  RoomPolicy policy_;
  std::function<void(RoomNews)> tell_;
  const Tenure tenure_;
  std::uint64_t epoch_;
  bool leaves_ = false;  // put_down() waits for an append
  Timer alarm_;
  Timer retry_;
  Timer put_away_;
  Timer doze_;
  std::optional<TimePoint> alarm_at_;  // none: nothing is due
  TimePoint rings_at_ = TimePoint::max();
  Rng rng_;
  std::shared_ptr<const Room> room_;
  TokenBucket talk_{limits::kTalkBurst, limits::kTalkPerSecond};
  TokenBucket doors_{limits::kDoorBurst, limits::kDoorsPerMinute / 60.0};
  TokenBucket visits_{limits::kVisitBurst, limits::kVisitsPerSecond};
  std::list<Letter> mailbox_;
  std::vector<std::pair<ConnectionId, std::weak_ptr<Connection>>> connections_;  // by id
  RoomNews news_;
  bool dozes_ = false;
  // What the store has for an entry while the room is in use, and what it will have. None: the next
  // append says it.
  std::optional<RoomEntry> entry_;
  std::optional<RoomEntry> next_entry_;
  std::uint64_t seq_ = 0;
  std::uint64_t from_ = 0;         // where what is being kept begins: at seq_, or before
  std::vector<Record> gathering_;  // the end of the log, if a match was opened and has not begun
  bool gathers_ = false;
  std::size_t shorten_at_ = limits::kGatheringRecords;
  bool working_ = false;
  bool keeping_ = false;
  std::optional<Pending> pending_;  // while something of the room's own is kept
  bool forgets_ = false;            // once it is closed, its log goes
  std::vector<std::function<void(bool)>> closing_;
  std::optional<ErrorCode> closed_;  // and what everybody who asks is told
  // The match that was asked for last, for a while; and who waits for one.
  std::shared_ptr<const LoggedMatch> at_hand_;
  struct Reader {
    std::string match;
    std::function<void(const ReadMatch&)> done;
  };
  std::vector<Reader> readers_;
  std::vector<std::pair<Question, AwaitedThought>> thoughts_;  // of bots
  struct AwaitedHint {
    FromClient client;
    AwaitedThought thought;
  };
  std::map<Seat, AwaitedHint> hints_;  // one for each seat
  std::map<Seat, TokenBucket> hint_credits_;
  std::unique_ptr<Review>
      review_;  // of the match that was looked at last, as long as it is asked for
};

}  // namespace triquetra
