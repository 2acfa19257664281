// Credits that come back with time: a burst may be spent at once, then so many a second. What was
// spent and need not have been can be given back.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "server/base/time_point.hpp"

namespace triquetra {

class TokenBucket {
 public:
  TokenBucket(double burst, double per_second)
      : credits_(burst), burst_(burst), per_second_(per_second) {}

  /// Takes a credit; false if there is none.
  bool spend(TimePoint now) {
    credits_ = credits_at(now);
    last_ = now;
    if (credits_ < 1) return false;
    credits_ -= 1;
    return true;
  }
  /// Takes what has been used already, also beyond what there is: the rest is owed.
  void owe(double credits, TimePoint now) {
    credits_ = credits_at(now) - credits;
    last_ = now;
  }
  /// A credit that was taken and need not have been.
  void give_back(TimePoint now) { owe(-1, now); }
  bool is_empty(TimePoint now) const { return credits_at(now) < 1; }
  /// How long until there is a credit again.
  std::chrono::milliseconds wait(TimePoint now) const {
    const double missing = 1 - credits_at(now);
    if (missing <= 0) return {};
    return std::chrono::milliseconds(1 + static_cast<std::int64_t>(1000 * missing / per_second_));
  }
  /// Whether nothing is owed: forgetting this bucket changes nothing.
  bool is_full(TimePoint now) const { return credits_at(now) >= burst_; }

 private:
  double credits_at(TimePoint now) const {
    const double seconds = std::chrono::duration<double>(now - last_).count();
    return std::min(burst_, credits_ + seconds * per_second_);
  }

  double credits_;
  double burst_;
  double per_second_;
  TimePoint last_{};
};

}  // namespace triquetra
