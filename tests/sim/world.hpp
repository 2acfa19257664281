// The simulated world: its clock, its chance, and what shall happen when. It stands in for the
// server's clock and for the system's randomness, which this program links instead of the real
// ones, so that one seed makes one evening.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/rng.hpp"
#include "server/base/clock.hpp"

namespace triquetra::sim {

using std::chrono::milliseconds;

class World {
 public:
  explicit World(std::uint32_t seed);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Calls f at now() + delay; events of one moment in the order in which they were asked for.
  void after(milliseconds delay, std::function<void()> f);
  /// A number below `bound`; the world's own chance.
  std::uint32_t below(std::uint32_t bound) { return rng_.below(bound); }
  bool chance(std::uint32_t per_mille) { return below(1000) < per_mille; }
  milliseconds between(int least_ms, int most_ms);
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return rng_.pick(items);
  }

  /// Moves the clock to the next event or alarm and runs what is due; `poll` lets the server work,
  /// as long as it has something to do: after wake(), and when one of its alarms is due.
  void step(const std::function<void()>& poll);
  void wake() { awake_ = true; }
  /// Forgets all that was to happen.
  void forget() { events_.clear(); }

 private:
  Rng rng_;
  void work(const std::function<void()>& poll);

  bool awake_ = true;
  std::uint64_t order_ = 0;
  std::map<std::pair<TimePoint, std::uint64_t>, std::function<void()>> events_;
};

}  // namespace triquetra::sim
