// What waits to be written to one connection: replies and notices in order, and of the views and of
// the people of each room only the newest. Bounded, so that a slow reader costs nobody but itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/base/limits.hpp"
#include "server/room/outgoing.hpp"

namespace triquetra {

class Outbox {
 public:
  /// Queues a frame. False when the limit is passed: the peer is too slow and has to go.
  bool push(Outgoing frame, const std::string& room);
  /// What waits, the first to be written first.
  const Outgoing& operator[](std::size_t index) const { return waiting_[index].frame; }
  /// The first `count` are being written, and wait no more.
  void drop(std::size_t count);
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }
  std::size_t bytes() const { return bytes_; }
  /// Drops everything and queues a last word.
  void end_with(Outgoing farewell);

 private:
  struct Waiting {
    Outgoing frame;
    std::string room;
  };
  /// Takes out what the newer `frame` makes old.
  void drop_older(const Outgoing& frame, const std::string& room);

  std::vector<Waiting> waiting_;
  std::size_t bytes_ = 0;
};

}  // namespace triquetra
