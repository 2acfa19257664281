#include "server/room_actor.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <utility>

#include "protocol/encode.hpp"
#include "server/clock.hpp"
#include "server/random.hpp"

namespace triquetra {

namespace asio = boost::asio;

RoomActor::RoomActor(asio::io_context& context, EventStore& store, std::string code,
                     RoomPolicy policy, std::function<void(RoomNews)> tell)
    : context_(context),
      store_(store),
      code_(std::move(code)),
      policy_(policy),
      tell_(std::move(tell)),
      alarm_(context),
      rng_(fresh_seed()) {}

void RoomActor::create(const Sender& maker, const Create& frame,
                       const ConnectionPointer& connection) {
  connections_[connection->id()] = connection;
  Outcome outcome = Room::create(code_, maker, frame, now(), rng_, policy_);
  keep(std::move(outcome), FromClient{maker, frame});
}

void RoomActor::post(RoomMessage message, const ConnectionPointer& connection) {
  if (connection) connections_[connection->id()] = connection;
  if (closed_) return refuse(message, ErrorCode::room_closed);
  if (mailbox_.size() >= limits::kMailboxMessages && std::holds_alternative<FromClient>(message)) {
    return refuse(message, ErrorCode::busy);
  }
  mailbox_.push_back({std::move(message), now()});
  work();
}

void RoomActor::work() {
  while (!keeping_ && !closed_ && room_ && !mailbox_.empty()) {
    const Letter letter = std::move(mailbox_.front());
    mailbox_.pop_front();
    take(letter);
  }
}

void RoomActor::take(const Letter& letter) {
  try {
    Outcome outcome = room_->handle(letter.message, letter.at, rng_);
    if (outcome.next) keep(std::move(outcome), letter.message);
  } catch (const Bug& bug) {
    // The log is kept, and says that it ends here: somebody will want to know.
    store_.append(code_, seq_, 0, {RoomClosed{}}, [](Kept) {});
    fail(bug.what());
  }
}

void RoomActor::keep(Outcome outcome, const RoomMessage& message) {
  if (outcome.effects.records.empty()) return adopt(std::move(outcome));
  keeping_ = true;
  std::vector<Record> records = outcome.effects.records;
  auto self = shared_from_this();
  store_.append(code_, seq_, 0, std::move(records),
                [self, outcome = std::move(outcome), message](Kept kept) mutable {
                  asio::post(self->context_,
                             [self, kept, outcome = std::move(outcome), message]() mutable {
                               self->kept(kept, std::move(outcome), message);
                             });
                });
}

void RoomActor::kept(Kept kept, Outcome outcome, const RoomMessage& message) {
  keeping_ = false;
  if (kept == Kept::ok) {
    seq_ += outcome.effects.records.size();
    adopt(std::move(outcome));
  } else if (kept == Kept::refused) {
    refuse(message, ErrorCode::storage_unavailable);
    // A room that was never kept is none.
    if (!room_) {
      closed_ = true;
      tell_(RoomNews{code_, std::nullopt, {}, true});
    }
  } else {
    fail("the log has another writer");
  }
  work();
}

void RoomActor::adopt(Outcome outcome) {
  room_ = std::move(outcome.next);
  for (Outgoing& frame : outcome.effects.frames) {
    const auto found = connections_.find(frame.to);
    if (found == connections_.end()) continue;
    if (const auto connection = found->second.lock()) {
      connection->send(std::move(frame), code_);
    }
  }
  std::erase_if(connections_, [this](const auto& entry) {
    if (!entry.second.expired()) return false;
    mailbox_.push_back({Disconnected{entry.first}, now()});
    return true;
  });
  set_alarm(outcome.effects.alarm);
  closed_ = room_->status() == RoomStatus::closed;
  // It was open or over, and nobody has been there for long: nothing of it is wanted any more.
  if (closed_) store_.erase(code_);
  RoomNews news{code_, room_->listing(), room_->players(), closed_};
  if (news != news_) {
    news_ = news;
    tell_(std::move(news));
  }
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

void RoomActor::fail(const char* why) {
  spdlog::error("room {} closes: {}", code_, why);
  closed_ = true;
  mailbox_.clear();
  alarm_.cancel();
  Bye bye;
  bye.code = ByeCode::closed;
  bye.room = code_;
  for (const auto& entry : connections_) {
    if (const auto connection = entry.second.lock()) {
      connection->send({entry.first, nullptr, encoded(bye)}, code_);
    }
  }
  tell_(RoomNews{code_, std::nullopt, {}, true});
}

void RoomActor::refuse(const RoomMessage& message, ErrorCode code) {
  const auto* client = std::get_if<FromClient>(&message);
  if (client == nullptr) return;
  const auto found = connections_.find(client->from.connection);
  const auto connection = found == connections_.end() ? nullptr : found->second.lock();
  if (!connection) return;
  send_error(*connection,
             std::visit([](const auto& frame) { return frame.id.str(); }, client->frame), code);
}

}  // namespace triquetra
