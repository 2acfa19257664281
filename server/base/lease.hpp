// How long this process may speak for its rooms: several servers share a database, and each has a
// lease in it. Written by one thread, read by all; a server that is alone has one without an end.
#pragma once

#include <atomic>
#include <cstdint>

#include "server/base/limits.hpp"
#include "server/base/time_point.hpp"

namespace triquetra {

class Lease {
 public:
  /// Which lease this is: another one, once it has lapsed.
  std::uint64_t term() const { return term_.load(); }
  /// Whether what belongs to that term may be shown at `at`: not in the last third, so that a clock
  /// that goes a little wrong, or a thread that waits a little, is no harm.
  bool holds(std::uint64_t term, TimePoint at) const {
    // In this order: who sees a new end sees the new term too.
    const bool is_in_time = at.time_since_epoch().count() < until_.load();
    return is_in_time && term == term_.load();
  }
  bool holds(TimePoint at) const { return holds(term(), at); }

  /// The database has said yes to what was asked at `asked`. A lease that holds no more must have
  /// lapsed before.
  void renew(TimePoint asked) {
    until_ = (asked + limits::kLeaseTime - limits::kLeaseTime / 3).time_since_epoch().count();
  }
  /// It is over, for all that belongs to it.
  void lapse() {
    ++term_;
    until_ = TimePoint::min().time_since_epoch().count();
  }
  TimePoint until() const { return TimePoint(TimePoint::duration(until_.load())); }

 private:
  std::atomic<TimePoint::rep> until_{TimePoint::min().time_since_epoch().count()};
  std::atomic<std::uint64_t> term_{1};
};

/// By what right somebody writes a room's log and shows it: a lease, one of its terms, and the
/// number of the writer, which no other server has. Without a lease: there is no other server.
struct Tenure {
  const Lease* lease = nullptr;
  std::uint64_t term = 0;
  std::uint32_t writer = 0;
  bool holds(TimePoint at) const { return lease == nullptr || lease->holds(term, at); }
};

inline constexpr unsigned kWriterBits = 31;

/// The epoch of whoever takes a log over that was last written in epoch `last`: above it, and never
/// that of another writer who does so at the same time.
inline std::uint64_t next_epoch(std::uint64_t last, std::uint32_t writer) {
  return writer == 0 ? last : ((last >> kWriterBits) + 1) << kWriterBits | writer;
}

/// Whether one of several servers, and not this writer, is the one of that epoch.
inline bool is_of_another(std::uint64_t epoch, std::uint32_t writer) {
  const std::uint64_t last = epoch & ((std::uint64_t{1} << kWriterBits) - 1);
  return last != 0 && last != writer;
}

}  // namespace triquetra
