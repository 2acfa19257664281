// Where what rooms have to keep waits until their thread has done what it had to do: it goes to a
// store in one piece, which is what a commit of many rooms is made of.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/limits.hpp"
#include "server/base/placement.hpp"

namespace triquetra {

template <class Written>
class Desks {
 public:
  /// Takes what has waited on a thread of rooms, which it is told of; never nothing.
  using HandOver =
      std::function<void(std::vector<Written> all, boost::asio::io_context& rooms_thread)>;

  Desks(std::size_t threads, HandOver hand_over)
      : hand_over_(std::move(hand_over)), desks_(threads) {}

  /// Waits behind all that the room's thread has to do by now. On that thread.
  void put(const std::string& room, boost::asio::io_context& thread, Written written) {
    Desk& desk = desk_of(room);
    desk.thread = &thread;
    desk.waiting.push_back(std::move(written));
    if (desk.waiting.size() >= limits::kStoreBatch) return clear(desk);
    if (std::exchange(desk.will_clear, true)) return;
    boost::asio::post(thread, [this, &desk] {
      desk.will_clear = false;
      clear(desk);
    });
  }
  /// What waits beside this room goes now. On its thread.
  void clear_beside(const std::string& room) { clear(desk_of(room)); }
  /// Once no thread of rooms runs any more.
  void clear_all() {
    for (Desk& desk : desks_) clear(desk);
  }

 private:
  /// Touched by its thread alone.
  struct Desk {
    boost::asio::io_context* thread = nullptr;
    std::vector<Written> waiting{};
    bool will_clear = false;
  };
  Desk& desk_of(const std::string& room) { return desks_[thread_of(room, desks_.size())]; }
  void clear(Desk& desk) {
    if (!desk.waiting.empty()) hand_over_(std::exchange(desk.waiting, {}), *desk.thread);
  }

  const HandOver hand_over_;
  std::vector<Desk> desks_;
};

}  // namespace triquetra
