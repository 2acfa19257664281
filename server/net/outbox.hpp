// What waits to be written to one connection: replies and notices in order, and of the views and of
// the people of each room only the newest. Bounded, so that a slow reader costs nobody but itself.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "server/base/limits.hpp"
#include "server/room/outgoing.hpp"

namespace triquetra {

class Outbox {
 public:
  /// Queues a frame; the front stays as it is, since it may be being written. False when the limit
  /// is passed: the peer is too slow and has to go.
  bool push(Outgoing frame, std::string room);
  /// The frame to write. Before: not empty().
  const Outgoing& front() const { return waiting_.front().frame; }
  void pop();
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }
  std::size_t bytes() const { return bytes_; }
  /// Drops all but the front, which may be being written, and queues a last word.
  void end_with(Outgoing farewell);

 private:
  struct Waiting {
    Outgoing frame;
    std::string room;
    std::size_t bytes() const {
      return frame.own.size() + (frame.shared ? frame.shared->size() : 0);
    }
  };
  /// Takes out what the newer `frame` makes old, but for the front.
  void drop_older(const Outgoing& frame, const std::string& room);

  std::deque<Waiting> waiting_;
  std::size_t bytes_ = 0;
};

}  // namespace triquetra
