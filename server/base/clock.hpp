// The only place of the server that reads a clock. Simulations link their own clock.cpp instead.
#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include "server/base/time_point.hpp"

namespace triquetra {

/// Now, on a clock that never goes back.
TimePoint now();

/// How long the system shall sleep before a timer that is due at `at` is looked at again: until
/// then, unless the clock is not the system's.
TimePoint::duration sleep_until(TimePoint at);

/// now() as a clock of the standard library.
struct ServerClock {
  using duration = TimePoint::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = TimePoint;
  static constexpr bool is_steady = true;
  static time_point now() { return triquetra::now(); }
};

/// What Asio asks about ServerClock.
struct ServerWaitTraits {
  static ServerClock::duration to_wait_duration(const ServerClock::duration& wait) {
    const TimePoint from = now();
    const bool has_end = wait < TimePoint::max() - from;
    return sleep_until(has_end ? from + wait : TimePoint::max());
  }
  static ServerClock::duration to_wait_duration(const TimePoint& at) { return sleep_until(at); }
};

/// A timer that runs by now().
using Timer = boost::asio::basic_waitable_timer<ServerClock, ServerWaitTraits,
                                                boost::asio::io_context::executor_type>;

}  // namespace triquetra
