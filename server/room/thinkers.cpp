#include "server/room/thinkers.hpp"

#include <sched.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <exception>
#include <optional>

#include "server/ops/metrics.hpp"

namespace triquetra {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

// A tenth of what a thread of a room gets where both want all.
constexpr int kNiceness = 10;

struct Thinkers::Job {
  std::unique_ptr<Thinking> thinking;
  AwaitedThought::Flag is_cancelled;
  Clock::time_point until;
  asio::io_context& thread;
  std::function<void(const Thought&)> done;
};

Thinkers::Thinkers(std::size_t room_threads)
    : thread_count_(std::max<std::size_t>(1, room_threads / limits::kRoomThreadsPerThinker)) {}

Thinkers::~Thinkers() {
  stop();
  for (std::thread& thread : threads_) thread.join();
}

void Thinkers::start() {
  for (std::size_t i = 0; i < thread_count_; ++i) {
    threads_.emplace_back([this] {
      // Rooms come first, but whatever else keeps this machine busy does not stop a thought for
      // good. Linux counts both for each thread.
      const sched_param none{};
      sched_setscheduler(0, SCHED_BATCH, &none);
      setpriority(PRIO_PROCESS, 0, kNiceness);
      const auto guard = asio::make_work_guard(context_);
      context_.run();
    });
  }
}

void Thinkers::stop() {
  stopped_ = true;
  context_.stop();
}

std::size_t Thinkers::poll(std::uint32_t playouts_most) {
  playouts_most_ = playouts_most;
  context_.restart();
  return context_.poll();
}

AwaitedThought Thinkers::think(std::unique_ptr<Thinking> thinking, asio::io_context& thread,
                               std::function<void(const Thought&)> done, ThoughtLimits most) {
  auto is_cancelled = std::make_shared<std::atomic<bool>>(false);
  const auto until = threads_.empty() ? Clock::time_point::max() : Clock::now() + most.time;
  const auto job =
      std::make_shared<Job>(Job{std::move(thinking), is_cancelled, until, thread, std::move(done)});
  if (waiting_ >= limits::kThoughtsWaiting) {
    // Without a playout this takes no longer than any bot's act.
    run(*job, 0, "none");
  } else {
    ++waiting_;
    metrics().thought_waits(true);
    asio::post(context_, [this, job, most] {
      const std::size_t behind = --waiting_;
      metrics().thought_waits(false);
      if (*job->is_cancelled || stopped_) return;
      const std::uint32_t wanted = std::min(job->thinking->playouts(), most.playouts);
      const std::uint32_t share = share_of(wanted, behind);
      metrics().thought_runs(true);
      run(*job, share, share == wanted ? "whole" : "shortened");
      metrics().thought_runs(false);
    });
  }
  return AwaitedThought(std::move(is_cancelled));
}

void Thinkers::run(Job& job, std::uint32_t playouts, std::string_view time) {
  const auto has_to_end = [&] { return *job.is_cancelled || Clock::now() >= job.until; };
  std::optional<Thought> thought;
  try {
    thought = job.thinking->run(playouts, has_to_end);
  } catch (const std::exception& bug) {
    spdlog::error("a thought came to nothing: {}", bug.what());
    return;
  }
  // What was dropped on the way counts where its bot acts without it.
  const bool is_cut = playouts > 0 && Clock::now() >= job.until;
  if (!*job.is_cancelled) metrics().thought(is_cut ? "shortened" : time);
  asio::post(job.thread,
             [is_cancelled = job.is_cancelled, done = job.done, thought = std::move(*thought)] {
               // It is dropped on this thread, so that nobody hears of it from then on.
               if (!*is_cancelled) done(thought);
             });
}

std::uint32_t Thinkers::share_of(std::uint32_t playouts, std::size_t waiting) const {
  const std::uint64_t most = std::min(playouts, playouts_most_);
  return static_cast<std::uint32_t>(most * thread_count_ / (thread_count_ + waiting));
}

}  // namespace triquetra
