#include "tests/sim/network.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

#include "protocol/wire.hpp"

namespace triquetra::sim {

namespace asio = boost::asio;

void Line::open(Hub& hub) { session_ = std::make_shared<Session>(hub, shared_from_this()); }

void Line::say(std::string text) {
  if (!up_) return;
  last_arrival_ = std::max(last_arrival_, now() + world_.between(1, 120));
  const auto delay = std::chrono::duration_cast<milliseconds>(last_arrival_ - now());
  world_.after(delay, [self = shared_from_this(), text = std::move(text)] {
    // What was under way when the line was cut has never arrived.
    if (!self->up_) return;
    self->world_.wake();
    asio::post(self->context_, [self, text] {
      if (!self->session_) return;
      if (text.empty()) {
        self->session_->hear_binary();
      } else {
        self->session_->hear(text);
      }
    });
  });
}

void Line::cut() {
  if (!up_) return;
  up_ = false;
  const milliseconds notice =
      world_.chance(700) ? world_.between(0, 50) : milliseconds(limits::kIdleTime);
  world_.after(notice, [self = shared_from_this()] {
    if (self->server_dead_) return;
    self->world_.wake();
    asio::post(self->context_, [self] { self->gone(); });
  });
}

void Line::server_died() {
  session_.reset();
  is_frozen_ = false;
  written_ = nullptr;
  server_dead_ = ending_ = true;
  if (!up_) return;
  up_ = false;
  world_.after(world_.between(0, 5000), [self = shared_from_this()] { self->hear_(nullptr); });
}

void Line::gone() {
  ending_ = true;
  if (session_) session_->gone();
  session_.reset();
}

void Line::send(Outgoing frame, std::string room) {
  if (!room.empty()) says_(room);
  asio::post(context_,
             [self = shared_from_this(), frame = std::move(frame),
              room = std::move(room)]() mutable { self->enqueue(std::move(frame), room); });
}

void Line::finish(ByeCode code, std::int64_t retry_ms) {
  asio::post(context_, [self = shared_from_this(), code, retry_ms] { self->end(code, retry_ms); });
}

void Line::enqueue(Outgoing frame, const std::string& room) {
  if (ending_) return;
  if (!outbox_.push(std::move(frame), room)) {
    return end(ByeCode::slow, limits::kSlowRetryMs);
  }
  longest_queue_ = std::max(longest_queue_, outbox_.size());
  write();
}

void Line::end(ByeCode code, std::int64_t retry_ms) {
  if (ending_) return;
  ending_ = true;
  outbox_.end_with({id_, nullptr, encoded(Bye{code, {}, retry_ms}), false});
  write();
}

void Line::write() {
  if (writing_ || outbox_.empty()) return;
  writing_ = true;
  const Outgoing first = outbox_[0];
  outbox_.drop(1);
  world_.after(pause_ + world_.between(1, 60), [self = shared_from_this(), frame = first] {
    if (!self->is_frozen_) return self->written(frame);
    self->written_ = [self, frame] { self->written(frame); };
  });
}

void Line::written(const Outgoing& frame) {
  std::string text = (frame.shared ? *frame.shared : "") + frame.own;
  if (frame.is_view) {
    last_view_ = text;
    if (victim_ && !victim_->last_view_.empty()) text = victim_->last_view_;
  }
  writing_ = false;
  if (up_) hear_(&text);
  if (outbox_.empty() && ending_) return close();
  write();
}

void Line::freeze(bool is_frozen) {
  is_frozen_ = is_frozen;
  if (is_frozen || !written_) return;
  world_.after(milliseconds(0), std::exchange(written_, nullptr));
}

void Line::close() {
  if (!up_) return;
  up_ = false;
  world_.wake();
  gone();
  hear_(nullptr);
}

}  // namespace triquetra::sim
