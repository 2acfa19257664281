// Credits that come back with time: a burst may be spent at once, then so many a second.
#pragma once

#include <algorithm>
#include <chrono>

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
  bool is_empty(TimePoint now) const { return credits_at(now) < 1; }
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
