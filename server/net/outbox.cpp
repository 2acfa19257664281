#include "server/net/outbox.hpp"

#include <utility>

namespace triquetra {

bool Outbox::push(Outgoing frame, const std::string& room) {
  if (frame.is_view || frame.is_roster) drop_older(frame, room);
  bytes_ += frame.size();
  waiting_.push_back({std::move(frame), room});
  return waiting_.size() <= limits::kOutboxFrames && bytes_ <= limits::kOutboxBytes;
}

void Outbox::drop_older(const Outgoing& frame, const std::string& room) {
  for (auto older = waiting_.begin(); older != waiting_.end(); ++older) {
    const bool is_like =
        older->frame.is_view == frame.is_view && older->frame.is_roster == frame.is_roster;
    if (!is_like || older->room != room) continue;
    bytes_ -= older->frame.size();
    waiting_.erase(older);
    return;
  }
}

void Outbox::drop(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes_ -= waiting_[i].frame.size();
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  // What a slow moment took is given back: few frames wait at a time.
  if (waiting_.empty() && waiting_.capacity() > 4) std::vector<Waiting>().swap(waiting_);
}

void Outbox::end_with(Outgoing farewell) {
  waiting_.clear();
  bytes_ = farewell.size();
  waiting_.push_back({std::move(farewell), {}});
}

}  // namespace triquetra
