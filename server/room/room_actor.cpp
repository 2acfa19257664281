#include "server/room/room_actor.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"
#include "server/base/random.hpp"
#include "server/ops/metrics.hpp"
#include "server/room/after.hpp"
#include "server/store/log_codec.hpp"

namespace triquetra {

namespace asio = boost::asio;

namespace {

/// The same for the same words: see RoomPolicy::test_seed.
Rng repeatable(const std::string& test_seed, const std::string& promised) {
  return Rng(Seed{sha256(test_seed + " " + promised)});
}

/// A room whose log has come to an end and stays.
RoomEntry closed_entry(const std::string& code) {
  RoomEntry entry;
  entry.room = code;
  entry.closed = true;
  return entry;
}

bool is_about_door(const RoomMessage& message) {
  const auto* client = std::get_if<FromClient>(&message);
  return client != nullptr && std::holds_alternative<Door>(client->frame);
}

}  // namespace

RoomActor::RoomActor(asio::io_context& context, EventStore& store, Thinkers& thinkers,
                     std::string code, const RoomPolicy& policy, std::function<void(RoomNews)> tell,
                     const Tenure& tenure)
    : context_(context),
      store_(store),
      thinkers_(thinkers),
      code_(std::move(code)),
      policy_(policy),
      tell_(std::move(tell)),
      tenure_(tenure),
      epoch_(next_epoch(0, tenure.writer)),
      alarm_(context),
      retry_(context),
      put_away_(context),
      doze_(context),
      rng_(fresh_seed()) {}

void RoomActor::create(const Sender& maker, const Create& frame,
                       const ConnectionPointer& connection) {
  know(connection);
  if (policy_.test_seed && frame.entropy_hash) {
    rng_ = repeatable(*policy_.test_seed, frame.entropy_hash->str());
  }
  const TimePoint at = now();
  keep(Room::create(code_, maker, frame, at, rng_, policy_), {FromClient{maker, frame}, at});
}

void RoomActor::restore(const LoadedLog& log) {
  epoch_ = next_epoch(log.epoch, tenure_.writer);
  if (is_of_another(log.epoch, tenure_.writer)) metrics().took_over();
  if (log.state == LogState::damaged) return shut(ErrorCode::room_closed, "its log is damaged");
  const auto* end = log.records.empty() ? nullptr : std::get_if<RoomClosed>(&log.records.back());
  if (end != nullptr && end->why != WhyClosed::idle) {
    const RoomEntry entry = closed_entry(code_);
    const std::vector<Record> nothing;
    const std::uint64_t size = log.records.size();
    if (log.in_use)
      store_.append({code_, size, size, epoch_, nothing, &entry}, context_, [](Kept) {});
    return shut(ErrorCode::room_closed, "it was closed before", end->why);
  }
  if (log.state != LogState::ok || log.records.empty() || !Room::has_rules_for(log.records)) {
    return shut(ErrorCode::needs_version, "this program lacks the version that it was played by");
  }
  Outcome outcome;
  try {
    remember(0, log.records);
    outcome.next = Room::replayed(log.records, now(), log.age, policy_, log.nap);
  } catch (const std::exception& wrong) {
    return shut(ErrorCode::room_closed, wrong.what());
  }
  // It may be closed, but not erased in time.
  outcome.effects.alarm = outcome.next->alarm(now());
  adopt(std::move(outcome), {Tick{}, now()});
  if (closed_) return;
  const bool is_ours = tenure_.writer == 0;
  if (is_ours && log.in_use && log.entry == room_->entry()) {
    entry_ = log.entry;
  } else {
    mark_in_use();
  }
}

void RoomActor::mark_in_use() {
  keeping_ = true;
  const std::vector<Record> nothing;
  const RoomEntry entry = room_->entry();
  store_.append(
      {code_, seq_, seq_, epoch_, nothing, &entry}, context_,
      [self = shared_from_this(), entry](Kept kept) { self->marked_in_use(kept, entry); });
}

void RoomActor::marked_in_use(Kept kept, const RoomEntry& entry) {
  if (closed_) return;
  const bool must_be = tenure_.writer != 0;
  if (must_be && kept == Kept::fenced) return fenced();
  if (must_be && kept != Kept::ok) {
    // Once more does no harm.
    metrics().stored(false);
    retry_.expires_after(limits::kStoreRetry);
    retry_.async_wait([self = shared_from_this()](boost::system::error_code error) {
      if (!error && !self->closed_) self->mark_in_use();
    });
    return;
  }
  keeping_ = false;
  // Else the next append says it.
  if (kept == Kept::ok) entry_ = entry;
  work();
}

void RoomActor::fenced() {
  if (tenure_.writer != 0) return put_down();
  shut(ErrorCode::room_closed, "its log has another writer");
}

void RoomActor::put_down(bool after_append) {
  if (closed_) return;
  leaves_ = true;
  if (after_append && keeping_) return;
  spdlog::debug("room {} is put down", code_);
  closed_ = ErrorCode::storage_unavailable;
  for (const auto& [id, weak] : std::exchange(connections_, {})) {
    if (const auto connection = weak.lock()) {
      connection->finish(ByeCode::restarting, limits::kMovedRetryMs);
    }
  }
  answer_closers(false);
  thoughts_.clear();
  review_ = nullptr;
  refuse_hints(*closed_);
  for (; !mailbox_.empty(); mailbox_.pop_front()) {
    metrics().waiting(false);
    refuse(mailbox_.front().message, *closed_);
  }
  if (const auto pending = std::exchange(pending_, std::nullopt)) {
    refuse(pending->letter.message, *closed_);
  }
  for (Timer* timer : {&alarm_, &retry_, &put_away_, &doze_}) timer->cancel();
  room_ = nullptr;
  RoomNews news;
  news.room = code_;
  news.asleep = true;
  tell_(std::move(news));
}

void RoomActor::doze() {
  if (std::exchange(dozes_, true)) return;
  doze_.expires_after(policy_.rest_time);
  doze_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (error || !self || self->closed_) return;
    self->dozes_ = false;
    if (!self->room_ || !self->room_->empty_since()) return;
    if (self->is_busy() || !self->room_->may_sleep(now())) return self->doze();
    self->fall_asleep();
  });
}

bool RoomActor::is_busy() const {
  return keeping_ || !mailbox_.empty() || !closing_.empty() || !readers_.empty() ||
         !thoughts_.empty() || !hints_.empty();
}

void RoomActor::fall_asleep() {
  keeping_ = true;
  const TimePoint at = now();
  const auto alarm = room_->alarm(at);
  std::optional<std::chrono::milliseconds> left;
  if (alarm) left = std::chrono::ceil<std::chrono::milliseconds>(*alarm - at);
  const std::string note = room_->nap_note(at);
  store_.rest({code_, seq_, epoch_, note, left}, context_,
              [self = shared_from_this(), alarm](Kept kept) { self->fell_asleep(kept, alarm); });
}

void RoomActor::fell_asleep(Kept kept, std::optional<TimePoint> alarm) {
  if (closed_) return;
  keeping_ = false;
  if (kept == Kept::fenced && tenure_.writer != 0) return put_down();
  // Perhaps it is not in use any more, for the store.
  entry_.reset();
  if (kept != Kept::ok || is_busy()) {
    // Somebody has come meanwhile, or it stays awake for another while.
    doze();
    return work();
  }
  RoomNews news = news_;
  news.asleep = true;
  news.alarm = alarm;
  tell_(std::move(news));
}

void RoomActor::post(RoomMessage message, const ConnectionPointer& connection) {
  know(connection);
  if (closed_) {
    refuse(message, *closed_);
    connections_.clear();
    return;
  }
  // Soon everybody here is sent to whoever has the room then.
  if (leaves_ || !may_speak()) return refuse(message, ErrorCode::storage_unavailable);
  if (mailbox_.size() >= limits::kMailboxMessages && std::holds_alternative<FromClient>(message)) {
    return refuse(message, ErrorCode::busy);
  }
  const auto wait = wait_for(message);
  if (wait.count() > 0) return refuse(message, ErrorCode::too_fast, about_retry(wait.count()));
  mailbox_.push_back({std::move(message), now()});
  metrics().waiting(true);
  work();
}

void RoomActor::close(std::function<void(bool)> done) {
  if (closed_) return done(true);
  closing_.push_back(std::move(done));
  work();
}

void RoomActor::forget(std::function<void(bool)> done) {
  forgets_ = true;
  close(std::move(done));
}

bool RoomActor::is_empty_for(TimePoint::duration time) const {
  const auto since = room_ ? room_->empty_since() : std::nullopt;
  return since && now() - *since >= time;
}

void RoomActor::close_now() {
  keeping_ = true;
  const std::vector<Record> records{RoomClosed{WhyClosed::admin}};
  const RoomEntry entry = closed_entry(code_);
  store_.append({code_, seq_, seq_, epoch_, records, &entry}, context_,
                [self = shared_from_this()](Kept kept) {
                  if (self->closed_) return;
                  self->keeping_ = false;
                  if (kept == Kept::ok) {
                    return self->shut(ErrorCode::room_closed, "whoever runs the server says so",
                                      WhyClosed::admin);
                  }
                  self->forgets_ = false;
                  self->entry_.reset();
                  // Should the record be in the log all the same, the next append finds that out.
                  self->answer_closers(false);
                  self->work();
                });
}

void RoomActor::answer_closers(bool is_closed) {
  for (const auto& done : std::exchange(closing_, {})) done(is_closed);
}

void RoomActor::work() {
  // What is kept at once comes back here before its letter is done with.
  if (std::exchange(working_, true)) return;
  if (leaves_ && !keeping_) put_down();
  if (!closing_.empty() && !keeping_ && !closed_ && room_) close_now();
  while (!keeping_ && !closed_ && room_ && !mailbox_.empty() && may_speak()) {
    Letter letter = std::move(mailbox_.front());
    mailbox_.pop_front();
    metrics().waiting(false);
    take(std::move(letter));
  }
  working_ = false;
}

void RoomActor::take(Letter letter) {
  try {
    Outcome outcome = room_->handle(letter.message, letter.at, rng_);
    if (outcome.effects.records.empty()) count(outcome, letter);
    if (outcome.next) keep(std::move(outcome), std::move(letter));
  } catch (const std::exception& bug) {
    // The log is kept, and says that it ends here: somebody will want to know.
    const std::vector<Record> end{RoomClosed{WhyClosed::failed}};
    const RoomEntry entry = closed_entry(code_);
    store_.append({code_, seq_, seq_, epoch_, end, &entry}, context_, [](Kept) {});
    shut(ErrorCode::room_closed, bug.what());
  }
}

void RoomActor::keep(Outcome outcome, Letter letter) {
  if (outcome.effects.records.empty()) return adopt(std::move(outcome), letter);
  keeping_ = true;
  shorten(outcome.effects.records);
  const auto& pending = pending_.emplace(Pending{std::move(outcome), std::move(letter)});
  const RoomEntry* const entry = entry_after(pending.outcome);
  store_.append({code_, from_, seq_, epoch_, pending.outcome.effects.records, entry}, context_,
                [self = shared_from_this()](Kept kept) { self->kept(kept); });
}

const RoomEntry* RoomActor::entry_after(const Outcome& outcome) {
  next_entry_.reset();
  const Room& next = *outcome.next;
  // One that closes is erased: until then the store is to take it for one in use.
  if (next.status() == RoomStatus::closed) return nullptr;
  if (entry_ && room_ && !next.is_news_after(*room_)) return nullptr;
  RoomEntry entry = next.entry();
  if (entry == entry_) return nullptr;
  return &next_entry_.emplace(std::move(entry));
}

void RoomActor::kept(Kept kept) {
  metrics().stored(kept == Kept::ok || kept == Kept::fenced);
  if (closed_) return;
  if (kept == Kept::unknown) return find_out();
  keeping_ = false;
  // What was kept is told by whoever has the room now.
  if (!may_speak()) return put_down();
  auto [outcome, letter] = *std::exchange(pending_, std::nullopt);
  if (kept == Kept::ok) {
    if (next_entry_) entry_ = std::exchange(next_entry_, std::nullopt);
    count(outcome, letter);
    if (is_about_door(letter.message)) doors_.owe(1, now());
    remember(from_, outcome.effects.records);
    outcome.next->kept_at(letter.at, now());
    outcome.effects.alarm = outcome.next->alarm(now());
    adopt(std::move(outcome), letter);
  } else if (kept == Kept::refused) {
    refused(letter);
  } else {
    if (!room_) refuse(letter.message, ErrorCode::storage_unavailable);
    fenced();
  }
  work();
}

void RoomActor::remember(std::uint64_t from, const std::vector<Record>& records) {
  if (from < seq_) {
    gathering_.clear();
    shorten_at_ = records.size() + limits::kGatheringRecords;
  }
  seq_ = from + records.size();
  for (const Record& record : records) {
    if (std::holds_alternative<MatchOpened>(record) ||
        std::holds_alternative<MatchStarting>(record)) {
      gathers_ = std::holds_alternative<MatchOpened>(record);
      gathering_ = std::vector<Record>();  // also what it had room for: a match may take hours
      shorten_at_ = limits::kGatheringRecords;
    } else if (gathers_) {
      gathering_.push_back(record);
    }
  }
}

void RoomActor::shorten(std::vector<Record>& records) {
  from_ = seq_;
  if (!gathers_ || gathering_.size() + records.size() <= shorten_at_) return;
  const auto begins = [](const Record& record) {
    return std::holds_alternative<MatchStarting>(record) ||
           std::holds_alternative<RoomClosed>(record);
  };
  if (std::any_of(records.begin(), records.end(), begins)) return;
  from_ = seq_ - gathering_.size();
  std::vector<Record> all = gathering_;
  all.insert(all.end(), records.begin(), records.end());
  records = without_detours(all);
}

void RoomActor::count(const Outcome& outcome, const Letter& letter) const {
  for (const Record& record : outcome.effects.records) {
    const auto* covered = std::get_if<SeatCovered>(&record);
    if (covered != nullptr && covered->covered) metrics().covered();
    const auto* acted = std::get_if<Acted>(&record);
    const bool has_thought = std::holds_alternative<BotThought>(letter.message);
    if (acted != nullptr && acted->by == ActedBy::bot && !has_thought) count_if_late(*acted);
  }
  const auto* client = std::get_if<FromClient>(&letter.message);
  if (client == nullptr || !room_ || !std::holds_alternative<Act>(client->frame)) return;
  if (outcome.effects.records.empty()) {
    metrics().act_refused(room_->game());
  } else {
    metrics().acted(room_->game(), now() - letter.at);
  }
}

void RoomActor::count_if_late(const Acted& acted) const {
  const auto is_awaited = [&](const auto& thought) {
    return thought.first.seat == acted.seat && thought.first.decision == acted.decision;
  };
  if (std::any_of(thoughts_.begin(), thoughts_.end(), is_awaited)) metrics().thought("none");
}

void RoomActor::refused(const Letter& letter) {
  end_thought(letter);
  refuse(letter.message, ErrorCode::storage_unavailable);
  if (!room_) {
    // A room that was never kept is none.
    closed_ = ErrorCode::no_such_room;
    tell();
  } else {
    // What time has brought waits for better times.
    set_alarm(now() + limits::kStoreRetry);
  }
}

void RoomActor::find_out() {
  store_.load(code_, [self = shared_from_this()](LoadedLog log) {
    asio::post(self->context_, [self, log = std::move(log)] { self->found_out(log); });
  });
}

void RoomActor::found_out(const LoadedLog& log) {
  if (closed_) return;
  if (log.state == LogState::unavailable) {
    retry_.expires_after(limits::kStoreRetry);
    retry_.async_wait([self = shared_from_this()](boost::system::error_code error) {
      if (!error) self->find_out();
    });
    return;
  }
  if (log.state == LogState::ok && log.epoch > epoch_) return kept(Kept::fenced);
  const auto& records = pending_->outcome.effects.records;
  const auto same = [](const Record& a, const Record& b) { return log_text(a) == log_text(b); };
  const auto start = static_cast<std::ptrdiff_t>(from_);
  // A shorter log and a new record may be as long as what was there: so first whether it is this.
  if (log.state == LogState::ok && log.records.size() == from_ + records.size() &&
      std::equal(records.begin(), records.end(), log.records.begin() + start, same)) {
    kept(Kept::ok);
  } else if (log.state == LogState::ok && log.records.size() == seq_) {
    kept(Kept::refused);
  } else {
    kept(Kept::fenced);
  }
}

void RoomActor::adopt(Outcome outcome, const Letter& letter) {
  const bool is_news = !room_ || outcome.next->is_news_after(*room_);
  room_ = std::move(outcome.next);
  const auto* client = std::get_if<FromClient>(&letter.message);
  std::optional<ErrorCode> refusal;
  for (Outgoing& frame : outcome.effects.frames) {
    // Nobody but the sender of the letter is refused anything.
    if (frame.refusal) refusal = frame.refusal;
    if (const auto connection = connection_of(frame.to)) connection->send(std::move(frame), code_);
  }
  if (client != nullptr && client->asker) client->asker->tell(refusal);
  std::erase_if(connections_, [this](const auto& entry) {
    if (!entry.second.expired()) return false;
    mailbox_.push_back({Disconnected{entry.first}, now()});
    metrics().waiting(true);
    return true;
  });
  set_alarm(outcome.effects.alarm);
  end_thought(letter);
  think();
  if (room_->status() == RoomStatus::closed) {
    // Nobody has been there for long: nothing of it is wanted any more.
    closed_ = ErrorCode::room_closed;
    store_.erase(code_);
    refuse_hints(*closed_);
    for (; !mailbox_.empty(); mailbox_.pop_front()) {
      metrics().waiting(false);
      refuse(mailbox_.front().message, *closed_);
    }
  }
  if (is_news) tell();
  if (!closed_ && room_->empty_since()) doze();
  if (client != nullptr && outcome.effects.wanted_hint) {
    answer_by_hint(*outcome.effects.wanted_hint, *client);
  }
  const std::string& match = outcome.effects.wanted_match;
  if (client != nullptr && !match.empty()) answer_from_log(match, *client);
}

void RoomActor::answer_from_log(const std::string& match, const FromClient& client) {
  // Not its own: what waits in the actor would keep it for ever if the store never answers.
  read_match(match, [weak = weak_from_this(), client](const ReadMatch& read) {
    const auto self = weak.lock();
    if (!self) return;
    if (const auto* refusal = std::get_if<ErrorCode>(&read)) return self->refuse(client, *refusal);
    const auto& logged = std::get<std::shared_ptr<const LoggedMatch>>(read);
    const bool is_enough = logged->finished || std::holds_alternative<History>(client.frame);
    if (!is_enough) return self->refuse(client, ErrorCode::record_not_ready);
    if (std::holds_alternative<GetReview>(client.frame)) {
      return self->answer_by_review(logged, client);
    }
    const auto connection = self->connection_of(client.from.connection);
    if (!connection || !self->room_) return;
    connection->send(answer_from(*logged, client, self->room_->rev()), self->code_);
  });
}

void RoomActor::read_match(const std::string& match, std::function<void(const ReadMatch&)> done) {
  if (closed_) return done(*closed_);
  if (has_at_hand(match)) return done(at_hand_);
  if (readers_.size() >= limits::kMatchReaders) return done(ErrorCode::busy);
  readers_.push_back({match, std::move(done)});
  // Who comes while the log is read has an answer from it as well, if it tells enough.
  if (readers_.size() == 1) read_log();
}

void RoomActor::read_log() {
  store_.load(code_, [self = shared_from_this(), asked = readers_.size()](LoadedLog log) {
    asio::post(self->context_,
               [self, asked, log = std::move(log)] { self->answer_readers(log, asked); });
  });
}

bool RoomActor::has_at_hand(const std::string& match) const {
  if (!at_hand_ || at_hand_->match != match) return false;
  const bool is_played = room_ && room_->plays(match);
  if (!is_played) return at_hand_->finished.has_value();
  return at_hand_->happened.size() >= static_cast<std::size_t>(room_->rev());
}

void RoomActor::answer_readers(const LoadedLog& log, std::size_t asked_before) {
  std::vector<Reader> late;
  std::size_t number = 0;
  for (Reader& reader : std::exchange(readers_, {})) {
    const auto& [match, done] = reader;
    const bool is_late = ++number > asked_before;
    if (leaves_ || !may_speak()) {
      done(ErrorCode::storage_unavailable);
      continue;
    }
    if (log.state != LogState::ok) {
      const bool may_come = log.state == LogState::unavailable;
      done(may_come ? ErrorCode::storage_unavailable : ErrorCode::room_closed);
      continue;
    }
    try {
      if (!has_at_hand(match)) at_hand_ = logged_match(log.records, match, policy_);
    } catch (const std::exception& wrong) {
      spdlog::error("match {} of room {} cannot be played again: {}", match, code_, wrong.what());
      at_hand_ = nullptr;
    }
    // It may have been read before that match was over.
    if (is_late && !has_at_hand(match)) {
      late.push_back(std::move(reader));
      continue;
    }
    done(at_hand_ ? ReadMatch(at_hand_) : ReadMatch(ErrorCode::no_such_match));
  }
  const bool reads_already = !readers_.empty();
  std::move(late.begin(), late.end(), std::back_inserter(readers_));
  if (!reads_already && !readers_.empty()) read_log();
  put_away_later();
}

void RoomActor::put_away_later() {
  put_away_.expires_after(limits::kMatchAtHand);
  put_away_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (error || !self) return;
    self->at_hand_ = nullptr;
    self->review_ = nullptr;
  });
}

void RoomActor::answer_by_review(const std::shared_ptr<const LoggedMatch>& match,
                                 const FromClient& client) {
  put_away_later();
  try {
    if (!review_ || review_->match() != match->match) {
      review_ = std::make_unique<Review>(match, thinkers_, context_);
    }
  } catch (const std::exception& bug) {
    spdlog::error("match {} of room {} cannot be looked at: {}", match->match, code_, bug.what());
    return refuse(client, ErrorCode::internal_error);
  }
  const auto connection = connection_of(client.from.connection);
  if (connection) connection->send(review_->answer(client), code_);
}

void RoomActor::think() {
  const std::vector<Question> open = room_->questions();
  const auto is_over = [&](const auto& thought) {
    return std::find(open.begin(), open.end(), thought.first) == open.end();
  };
  std::erase_if(thoughts_, is_over);
  for (const Question& question : open) {
    const auto is_it = [&](const auto& thought) { return thought.first == question; };
    if (std::any_of(thoughts_.begin(), thoughts_.end(), is_it)) continue;
    auto done = [weak = weak_from_this(), question](const Thought& thought) {
      if (const auto self = weak.lock()) self->post(BotThought{question, thought.action}, nullptr);
    };
    auto thought = begin_thought(question, std::move(done));
    if (thought) thoughts_.emplace_back(question, std::move(*thought));
  }
}

std::optional<AwaitedThought> RoomActor::begin_thought(const Question& question,
                                                       std::function<void(const Thought&)> done) {
  try {
    return thinkers_.think(room_->thinking(question, fresh_seed()), context_, std::move(done));
  } catch (const std::exception& bug) {
    // The room can do without.
    spdlog::error("room {} cannot be thought about: {}", code_, bug.what());
    return std::nullopt;
  }
}

void RoomActor::end_thought(const Letter& letter) {
  const auto* thought = std::get_if<BotThought>(&letter.message);
  if (thought == nullptr) return;
  std::erase_if(thoughts_, [&](const auto& one) { return one.first == thought->question; });
}

void RoomActor::answer_by_hint(const Question& question, const FromClient& client) {
  auto done = [weak = weak_from_this(), question](const Thought& thought) {
    const auto self = weak.lock();
    if (!self) return;
    const auto hint = self->hints_.extract(question.seat);
    const Sender& from = hint.mapped().client.from;
    const auto& frame = std::get<AskHint>(hint.mapped().client.frame);
    if (const auto connection = self->connection_of(from.connection)) {
      connection->send(answer_from(thought, question, from, frame), self->code_);
    }
  };
  // Whoever asks again, while the first answer is on its way, waits for the second alone.
  const auto before = hints_.extract(question.seat);
  if (before) refuse(before.mapped().client, ErrorCode::too_late);
  auto thought = begin_thought(question, std::move(done));
  if (!thought) return refuse(client, ErrorCode::internal_error);
  hints_.emplace(question.seat, AwaitedHint{client, std::move(*thought)});
}

void RoomActor::refuse_hints(ErrorCode code) {
  for (const auto& [seat, hint] : std::exchange(hints_, {})) refuse(hint.client, code);
}

void RoomActor::tell() {
  RoomNews news;
  news.room = code_;
  news.closed = closed();
  if (closed()) {
    answer_closers(true);
  } else {
    static_cast<RoomEntry&>(news) = room_->entry();
    news.listing = room_->listing();
  }
  if (news == news_) return;
  news_ = news;
  tell_(std::move(news));
}

void RoomActor::set_alarm(std::optional<TimePoint> at) {
  alarm_at_ = at;
  // One that rings too early looks again: a timer for each act would cost more.
  if (!at || rings_at_ <= *at) return;
  rings_at_ = *at;
  alarm_.expires_at(*at);
  alarm_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!error && self) self->ring();
  });
}

void RoomActor::ring() {
  rings_at_ = TimePoint::max();
  if (!alarm_at_) return;
  if (now() < *alarm_at_) return set_alarm(alarm_at_);
  post(Tick{}, nullptr);
}

void RoomActor::shut(ErrorCode answer, const std::string& reason, WhyClosed why) {
  spdlog::error("room {} is shut: {}", code_, reason);
  closed_ = answer;
  answer_closers(true);
  thoughts_.clear();
  review_ = nullptr;
  refuse_hints(answer);
  for (; !mailbox_.empty(); mailbox_.pop_front()) metrics().waiting(false);
  alarm_.cancel();
  Bye bye;
  bye.code = ByeCode::closed;
  bye.room = code_;
  bye.why = why;
  for (const auto& [id, weak] : connections_) {
    if (const auto connection = weak.lock()) {
      connection->send({id, nullptr, encoded(bye)}, code_);
    }
  }
  connections_.clear();
  room_ = nullptr;
  RoomNews news;
  news.room = code_;
  news.closed = true;
  news.log_stays = !forgets_;
  if (forgets_) store_.erase(code_);
  tell_(std::move(news));
}

std::chrono::milliseconds RoomActor::wait_for(const RoomMessage& message) {
  const auto* client = std::get_if<FromClient>(&message);
  if (client == nullptr || !room_) return {};
  // Paid for when it has changed something: whoever may not touch the door takes nothing from its
  // host.
  if (is_about_door(message)) return doors_.wait(now());
  const ClientFrame& frame = client->frame;
  if (std::holds_alternative<AskHint>(frame)) return wait_for_hint(client->from);
  const bool talks = std::holds_alternative<React>(frame) || std::holds_alternative<Say>(frame);
  const bool visits = std::holds_alternative<Join>(frame) || std::holds_alternative<Watch>(frame);
  const bool is_seated = room_->seat_of(client->from.player).has_value();
  TokenBucket* const credits = talks && is_seated     ? &talk_
                               : visits && !is_seated ? &visits_
                                                      : nullptr;
  if (credits == nullptr || credits->spend(now())) return {};
  return credits->wait(now());
}

std::chrono::milliseconds RoomActor::wait_for_hint(const Sender& from) {
  const auto seat = room_->seat_of(from.player);
  if (!seat) return {};
  const TokenBucket full(limits::kHintBurst, limits::kHintsPerMinute / 60.0);
  TokenBucket& credits = hint_credits_.emplace(*seat, full).first->second;
  if (credits.spend(now())) return {};
  return credits.wait(now());
}

namespace {

constexpr auto kById = [](const auto& entry, ConnectionId id) { return entry.first < id; };

}  // namespace

void RoomActor::know(const ConnectionPointer& connection) {
  if (!connection) return;
  const ConnectionId id = connection->id();
  const auto place = std::lower_bound(connections_.begin(), connections_.end(), id, kById);
  if (place != connections_.end() && place->first == id) return;
  connections_.emplace(place, id, connection);
}

ConnectionPointer RoomActor::connection_of(ConnectionId id) const {
  if (!may_speak()) return nullptr;
  const auto place = std::lower_bound(connections_.begin(), connections_.end(), id, kById);
  return place != connections_.end() && place->first == id ? place->second.lock() : nullptr;
}

void RoomActor::refuse(const RoomMessage& message, ErrorCode code, ErrorArgs args) {
  const auto* client = std::get_if<FromClient>(&message);
  if (client == nullptr) return;
  if (client->asker) client->asker->tell(code);
  const auto connection = connection_of(client->from.connection);
  if (!connection) return;
  send_error(*connection,
             std::visit([](const auto& frame) { return frame.id.str(); }, client->frame), code,
             std::move(args));
}

}  // namespace triquetra
