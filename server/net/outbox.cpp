#include "server/net/outbox.hpp"

#include <utility>

namespace triquetra {

bool Outbox::push(Outgoing frame, std::string room) {
  if (frame.is_view || frame.is_roster) drop_older(frame, room);
  waiting_.push_back({std::move(frame), std::move(room)});
  bytes_ += waiting_.back().bytes();
  return waiting_.size() <= limits::kOutboxFrames && bytes_ <= limits::kOutboxBytes;
}

void Outbox::drop_older(const Outgoing& frame, const std::string& room) {
  for (std::size_t i = 1; i < waiting_.size(); ++i) {
    const Outgoing& older = waiting_[i].frame;
    const bool is_like = older.is_view == frame.is_view && older.is_roster == frame.is_roster;
    if (!is_like || waiting_[i].room != room) continue;
    bytes_ -= waiting_[i].bytes();
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void Outbox::pop() {
  bytes_ -= waiting_.front().bytes();
  waiting_.pop_front();
}

void Outbox::end_with(Outgoing farewell) {
  while (waiting_.size() > 1) {
    bytes_ -= waiting_.back().bytes();
    waiting_.pop_back();
  }
  waiting_.push_back({std::move(farewell), {}});
  bytes_ += waiting_.back().bytes();
}

}  // namespace triquetra
