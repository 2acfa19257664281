#include "tests/sim/world.hpp"

#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "protocol/fairness.hpp"
#include "server/base/random.hpp"
#include "tests/seed.hpp"

// The kernel's timers are not needed: what stands for one here is always due, so that each poll
// looks at all alarms, by the simulated clock. Setting real ones took a quarter of the time.
extern "C" int timerfd_create(clockid_t /*clock*/, int /*flags*/) noexcept {
  return eventfd(1, EFD_CLOEXEC);
}
extern "C" int timerfd_settime(int /*timer*/, int /*flags*/, const itimerspec* /*next*/,
                               itimerspec* /*before*/) noexcept {
  return 0;
}

namespace triquetra {
namespace {

// The one world that runs in this process, as clock.hpp and random.hpp need it.
constexpr TimePoint kBegin{std::chrono::hours(1)};
TimePoint the_time = kBegin;
TimePoint next_alarm = TimePoint::max();
std::unique_ptr<Rng> the_randomness;

}  // namespace

TimePoint now() { return the_time; }

TimePoint::duration sleep_until(TimePoint at) {
  next_alarm = std::min(next_alarm, at);
  return TimePoint::duration::zero();
}

Seed fresh_seed() {
  Seed seed;
  for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(the_randomness->below(256));
  return seed;
}

std::string fresh_hex(std::size_t bytes) {
  std::string raw;
  for (std::size_t i = 0; i < bytes; ++i) raw += static_cast<char>(the_randomness->below(256));
  return to_hex(raw);
}

std::string fresh_code(std::size_t length) {
  constexpr std::string_view kLetters = "BCDFGHJKLMNPQRSTVWXZ";
  std::string code;
  for (std::size_t i = 0; i < length; ++i) {
    code += kLetters[the_randomness->below(static_cast<std::uint32_t>(kLetters.size()))];
  }
  return code;
}

namespace sim {

World::World(std::uint32_t seed) : rng_(tests::seed_number(seed, 1)) {
  the_randomness = std::make_unique<Rng>(tests::seed_number(seed, 2));
  next_alarm = TimePoint::max();
  the_time = kBegin;
}

World::~World() { the_randomness.reset(); }

void World::after(milliseconds delay, std::function<void()> f) {
  events_[{the_time + delay, ++order_}] = std::move(f);
}

milliseconds World::between(int least_ms, int most_ms) {
  return milliseconds(least_ms +
                      static_cast<int>(below(static_cast<std::uint32_t>(most_ms - least_ms + 1))));
}

void World::work(const std::function<void()>& poll) {
  if (!awake_ && next_alarm > the_time) return;
  awake_ = false;
  next_alarm = TimePoint::max();
  poll();
}

void World::step(const std::function<void()>& poll) {
  work(poll);
  TimePoint next = next_alarm;
  if (!events_.empty()) next = std::min(next, events_.begin()->first.first);
  if (next == TimePoint::max()) return;
  the_time = std::max(the_time, next);
  while (!events_.empty() && events_.begin()->first.first <= the_time) {
    const auto event = std::move(events_.begin()->second);
    events_.erase(events_.begin());
    event();
    work(poll);
  }
}

}  // namespace sim
}  // namespace triquetra
