// The threads that look ahead for bots and hints, beside those of the rooms: no room ever waits for
// a thought. They have a low priority, and all of them one budget: the more there is to think
// about, the less each thought gets of it; and where others take the machine, its time runs out
// first.
#pragma once

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "protocol/table.hpp"
#include "server/base/limits.hpp"

namespace triquetra {

/// A thought that somebody waits for. When this goes, the thought ends and nobody hears of it.
class AwaitedThought {
 public:
  using Flag = std::shared_ptr<std::atomic<bool>>;
  explicit AwaitedThought(Flag is_cancelled) : is_cancelled_(std::move(is_cancelled)) {}
  ~AwaitedThought() {
    if (is_cancelled_) *is_cancelled_ = true;
  }
  AwaitedThought(AwaitedThought&&) noexcept = default;
  AwaitedThought& operator=(AwaitedThought&& other) noexcept {
    std::swap(is_cancelled_, other.is_cancelled_);
    return *this;
  }
  AwaitedThought(const AwaitedThought&) = delete;
  AwaitedThought& operator=(const AwaitedThought&) = delete;

 private:
  Flag is_cancelled_;
};

/// What a thought may take at most; what has come out by then is what came of it.
struct ThoughtLimits {
  std::uint32_t playouts = UINT32_MAX;
  /// From the moment it is asked for.
  std::chrono::milliseconds time = limits::kThoughtTime;
};

class Thinkers {
 public:
  /// For rooms on so many threads. Nothing is thought before start(), or poll().
  explicit Thinkers(std::size_t room_threads);
  ~Thinkers();
  Thinkers(const Thinkers&) = delete;
  Thinkers& operator=(const Thinkers&) = delete;

  void start();
  /// What is thought ends, and nothing more is. From any thread.
  void stop();
  /// Thinks here what waits, with so many playouts at most and without a clock, and says how many
  /// thoughts that were: for tests, whose chance must lead to the same again. Before: not start().
  std::size_t poll(std::uint32_t playouts_most);
  /// How many thoughts wait for a thread.
  std::size_t waiting() const { return waiting_; }

  /// `done` hears on `thread`, which is the caller's, what came of it; unless the answer is dropped
  /// before, or thinking fails, which is logged.
  AwaitedThought think(std::unique_ptr<Thinking> thinking, boost::asio::io_context& thread,
                       std::function<void(const Thought&)> done, ThoughtLimits most = {});

 private:
  struct Job;
  /// `time`: how much of its budget that is, for the metrics.
  void run(Job& job, std::uint32_t playouts, std::string_view time);
  /// Its part of the budget, by how many wait behind it.
  std::uint32_t share_of(std::uint32_t playouts, std::size_t waiting) const;

  std::size_t thread_count_;
  std::uint32_t playouts_most_ = UINT32_MAX;
  std::atomic<std::size_t> waiting_{0};
  std::atomic<bool> stopped_{false};
  boost::asio::io_context context_;
  std::vector<std::thread> threads_;
};

}  // namespace triquetra
