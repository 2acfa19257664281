#include "server/room/thinkers.hpp"

#include <sched.h>
#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <exception>
#include <optional>

#include "server/base/limits.hpp"
#include "server/ops/metrics.hpp"

namespace triquetra {

namespace asio = boost::asio;

struct Thinkers::Job {
  std::unique_ptr<Thinking> thinking;
  AwaitedThought::Flag is_cancelled;
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
      // Where that is not allowed, it thinks as an equal.
      const sched_param none{};
      sched_setscheduler(0, SCHED_IDLE, &none);
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
                               std::function<void(const Thought&)> done,
                               std::uint32_t playouts_most) {
  auto is_cancelled = std::make_shared<std::atomic<bool>>(false);
  const auto job =
      std::make_shared<Job>(Job{std::move(thinking), is_cancelled, thread, std::move(done)});
  if (waiting_ >= limits::kThoughtsWaiting) {
    // Without a playout this takes no longer than any bot's act.
    run(*job, 0, "none");
  } else {
    ++waiting_;
    metrics().thought_waits(true);
    asio::post(context_, [this, job, playouts_most] {
      const std::size_t behind = --waiting_;
      metrics().thought_waits(false);
      if (*job->is_cancelled || stopped_) return;
      const std::uint32_t wanted = std::min(job->thinking->playouts(), playouts_most);
      const std::uint32_t share = share_of(wanted, behind);
      metrics().thought_runs(true);
      run(*job, share, share == wanted ? "whole" : "shortened");
      metrics().thought_runs(false);
    });
  }
  return AwaitedThought(std::move(is_cancelled));
}

void Thinkers::run(Job& job, std::uint32_t playouts, std::string_view time) {
  std::optional<Thought> thought;
  try {
    thought = job.thinking->run(playouts, *job.is_cancelled);
  } catch (const std::exception& bug) {
    spdlog::error("a thought came to nothing: {}", bug.what());
    return;
  }
  // What was dropped on the way counts where its bot acts without it.
  if (!*job.is_cancelled) metrics().thought(time);
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
