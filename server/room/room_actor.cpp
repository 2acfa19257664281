#include "server/room/room_actor.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"
#include "server/base/clock.hpp"
#include "server/base/random.hpp"
#include "server/ops/metrics.hpp"
#include "server/room/room.hpp"
#include "server/store/log_codec.hpp"

namespace triquetra {

namespace asio = boost::asio;

namespace {

/// The same for the same words: see RoomPolicy::test_seed.
Rng repeatable(const std::string& test_seed, const std::string& promised) {
  return Rng(Seed{sha256(test_seed + " " + promised)});
}

bool is_about_door(const RoomMessage& message) {
  const auto* client = std::get_if<FromClient>(&message);
  return client != nullptr && std::holds_alternative<Door>(client->frame);
}

}  // namespace

RoomActor::RoomActor(asio::io_context& context, EventStore& store, std::string code,
                     const RoomPolicy& policy, std::function<void(RoomNews)> tell)
    : context_(context),
      store_(store),
      code_(std::move(code)),
      policy_(policy),
      tell_(std::move(tell)),
      alarm_(context),
      retry_(context),
      rng_(fresh_seed()) {}

void RoomActor::create(const Sender& maker, const Create& frame,
                       const ConnectionPointer& connection) {
  connections_[connection->id()] = connection;
  if (policy_.test_seed && frame.entropy_hash) {
    rng_ = repeatable(*policy_.test_seed, frame.entropy_hash->str());
  }
  const Letter letter{FromClient{maker, frame}, now()};
  keep(Room::create(code_, maker, frame, letter.at, rng_, policy_), letter);
}

void RoomActor::restore(const LoadedLog& log) {
  if (log.state == LogState::damaged) return shut(ErrorCode::room_closed, "its log is damaged");
  const auto* end = log.records.empty() ? nullptr : std::get_if<RoomClosed>(&log.records.back());
  if (end != nullptr && end->why != WhyClosed::idle) {
    return shut(ErrorCode::room_closed, "it was closed before", end->why);
  }
  if (log.state != LogState::ok || log.records.empty() || !Room::has_rules_for(log.records)) {
    return shut(ErrorCode::needs_version, "this program lacks the version that it was played by");
  }
  try {
    remember(0, log.records);
    room_ = Room::replayed(log.records, now(), log.age, policy_);
  } catch (const std::exception& wrong) {
    return shut(ErrorCode::room_closed, wrong.what());
  }
  // Closed, but not erased in time.
  Outcome outcome{room_, {}};
  outcome.effects.alarm = room_->alarm(now());
  adopt(std::move(outcome), {Tick{}, now()});
}

void RoomActor::post(RoomMessage message, const ConnectionPointer& connection) {
  if (closed_) {
    if (connection) connections_[connection->id()] = connection;
    refuse(message, *closed_);
    connections_.clear();
    return;
  }
  if (connection) connections_[connection->id()] = connection;
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
  store_.append(code_, seq_, 0, {RoomClosed{WhyClosed::admin}},
                [self = shared_from_this()](Kept kept) {
                  asio::post(self->context_, [self, kept] {
                    self->keeping_ = false;
                    if (kept == Kept::ok) {
                      return self->shut(ErrorCode::room_closed, "whoever runs the server says so",
                                        WhyClosed::admin);
                    }
                    self->forgets_ = false;
                    // Should the record be in the log all the same, the next append finds that out.
                    self->answer_closers(false);
                    self->work();
                  });
                });
}

void RoomActor::answer_closers(bool is_closed) {
  for (const auto& done : std::exchange(closing_, {})) done(is_closed);
}

void RoomActor::work() {
  if (!closing_.empty() && !keeping_ && !closed_ && room_) close_now();
  while (!keeping_ && !closed_ && room_ && !mailbox_.empty()) {
    const Letter letter = std::move(mailbox_.front());
    mailbox_.pop_front();
    metrics().waiting(false);
    take(letter);
  }
}

void RoomActor::take(const Letter& letter) {
  try {
    Outcome outcome = room_->handle(letter.message, letter.at, rng_);
    if (outcome.effects.records.empty()) count(outcome, letter);
    if (outcome.next) keep(std::move(outcome), letter);
  } catch (const std::exception& bug) {
    // The log is kept, and says that it ends here: somebody will want to know.
    store_.append(code_, seq_, 0, {RoomClosed{WhyClosed::failed}}, [](Kept) {});
    shut(ErrorCode::room_closed, bug.what());
  }
}

void RoomActor::keep(Outcome outcome, const Letter& letter) {
  if (outcome.effects.records.empty()) return adopt(std::move(outcome), letter);
  keeping_ = true;
  shorten(outcome.effects.records);
  std::vector<Record> records = outcome.effects.records;
  auto self = shared_from_this();
  store_.rewrite(code_, from_, seq_, 0, std::move(records),
                 [self, outcome = std::move(outcome), letter](Kept kept) mutable {
                   asio::post(self->context_,
                              [self, kept, outcome = std::move(outcome), letter]() mutable {
                                self->kept(kept, std::move(outcome), letter);
                              });
                 });
}

void RoomActor::kept(Kept kept, Outcome outcome, const Letter& letter) {
  if (kept == Kept::unknown) {
    metrics().stored(false);
    return find_out(std::move(outcome), letter);
  }
  keeping_ = false;
  metrics().stored(kept != Kept::refused);
  if (kept == Kept::ok) {
    count(outcome, letter);
    if (is_about_door(letter.message)) doors_.owe(1, now());
    remember(from_, outcome.effects.records);
    outcome.next = outcome.next->kept_at(letter.at, now());
    outcome.effects.alarm = outcome.next->alarm(now());
    adopt(std::move(outcome), letter);
  } else if (kept == Kept::refused) {
    refused(letter);
  } else {
    if (!room_) refuse(letter.message, ErrorCode::storage_unavailable);
    shut(ErrorCode::room_closed, "its log has another writer");
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
      gathering_.clear();
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
  }
  const auto* client = std::get_if<FromClient>(&letter.message);
  if (client == nullptr || !room_ || !std::holds_alternative<Act>(client->frame)) return;
  if (outcome.effects.records.empty()) {
    metrics().act_refused(room_->game());
  } else {
    metrics().acted(room_->game(), now() - letter.at);
  }
}

void RoomActor::refused(const Letter& letter) {
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

void RoomActor::find_out(Outcome outcome, const Letter& letter) {
  store_.load(code_, [self = shared_from_this(), outcome = std::move(outcome),
                      letter](LoadedLog log) mutable {
    asio::post(self->context_,
               [self, log = std::move(log), outcome = std::move(outcome), letter]() mutable {
                 self->found_out(log, std::move(outcome), letter);
               });
  });
}

void RoomActor::found_out(const LoadedLog& log, Outcome outcome, const Letter& letter) {
  if (log.state == LogState::unavailable) {
    retry_.expires_after(limits::kStoreRetry);
    retry_.async_wait([self = shared_from_this(), outcome = std::move(outcome),
                       letter](boost::system::error_code error) mutable {
      if (!error) self->find_out(std::move(outcome), letter);
    });
    return;
  }
  const auto& records = outcome.effects.records;
  const auto same = [](const Record& a, const Record& b) { return log_text(a) == log_text(b); };
  const auto start = static_cast<std::ptrdiff_t>(from_);
  // A shorter log and a new record may be as long as what was there: so first whether it is this.
  if (log.state == LogState::ok && log.records.size() == from_ + records.size() &&
      std::equal(records.begin(), records.end(), log.records.begin() + start, same)) {
    kept(Kept::ok, std::move(outcome), letter);
  } else if (log.state == LogState::ok && log.records.size() == seq_) {
    kept(Kept::refused, std::move(outcome), letter);
  } else {
    kept(Kept::fenced, std::move(outcome), letter);
  }
}

void RoomActor::adopt(Outcome outcome, const Letter& letter) {
  room_ = std::move(outcome.next);
  const auto* client = std::get_if<FromClient>(&letter.message);
  std::optional<ErrorCode> refusal;
  for (Outgoing& frame : outcome.effects.frames) {
    // Nobody but the sender of the letter is refused anything.
    if (frame.refusal) refusal = frame.refusal;
    const auto found = connections_.find(frame.to);
    if (found == connections_.end()) continue;
    if (const auto connection = found->second.lock()) {
      connection->send(std::move(frame), code_);
    }
  }
  if (client != nullptr && client->asker) client->asker->tell(refusal);
  std::erase_if(connections_, [this](const auto& entry) {
    if (!entry.second.expired()) return false;
    mailbox_.push_back({Disconnected{entry.first}, now()});
    metrics().waiting(true);
    return true;
  });
  set_alarm(outcome.effects.alarm);
  if (room_->status() == RoomStatus::closed) {
    // Nobody has been there for long: nothing of it is wanted any more.
    closed_ = ErrorCode::room_closed;
    store_.erase(code_);
    for (; !mailbox_.empty(); mailbox_.pop_front()) {
      metrics().waiting(false);
      refuse(mailbox_.front().message, *closed_);
    }
  }
  tell();
}

void RoomActor::tell() {
  RoomNews news;
  news.room = code_;
  news.closed = closed();
  if (closed()) {
    answer_closers(true);
  } else {
    news.listing = room_->listing();
    news.summary = room_->summary();
    news.players = room_->players();
    news.open_records = room_->open_records();
    news.maker = room_->maker();
    news.request = room_->made_by_request();
  }
  if (news == news_) return;
  news_ = news;
  tell_(std::move(news));
}

void RoomActor::set_alarm(std::optional<TimePoint> at) {
  if (!at) {
    alarm_.cancel();
    return;
  }
  alarm_.expires_at(*at);
  alarm_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!error && self) self->post(Tick{}, nullptr);
  });
}

void RoomActor::shut(ErrorCode answer, const std::string& reason, WhyClosed why) {
  spdlog::error("room {} is shut: {}", code_, reason);
  closed_ = answer;
  answer_closers(true);
  for (; !mailbox_.empty(); mailbox_.pop_front()) metrics().waiting(false);
  alarm_.cancel();
  Bye bye;
  bye.code = ByeCode::closed;
  bye.room = code_;
  bye.why = why;
  for (const auto& entry : connections_) {
    if (const auto connection = entry.second.lock()) {
      connection->send({entry.first, nullptr, encoded(bye)}, code_);
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
  const bool talks = std::holds_alternative<React>(frame) || std::holds_alternative<Say>(frame);
  const bool visits = std::holds_alternative<Join>(frame) || std::holds_alternative<Watch>(frame);
  const bool is_seated = room_->seat_of(client->from.player).has_value();
  TokenBucket* const credits = talks && is_seated     ? &talk_
                               : visits && !is_seated ? &visits_
                                                      : nullptr;
  if (credits == nullptr || credits->spend(now())) return {};
  return credits->wait(now());
}

void RoomActor::refuse(const RoomMessage& message, ErrorCode code, ErrorArgs args) {
  const auto* client = std::get_if<FromClient>(&message);
  if (client == nullptr) return;
  if (client->asker) client->asker->tell(code);
  const auto found = connections_.find(client->from.connection);
  const auto connection = found == connections_.end() ? nullptr : found->second.lock();
  if (!connection) return;
  send_error(*connection,
             std::visit([](const auto& frame) { return frame.id.str(); }, client->frame), code,
             std::move(args));
}

}  // namespace triquetra
