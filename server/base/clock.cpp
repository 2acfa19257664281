#include "server/base/clock.hpp"

#include <algorithm>

namespace triquetra {

TimePoint now() { return std::chrono::steady_clock::now(); }

TimePoint::duration sleep_until(TimePoint at) {
  return std::max(at - now(), TimePoint::duration::zero());
}

}  // namespace triquetra
