// Durations by their size, to one part in 64: a million of them cost no memory, and a percentile is
// read off at the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace triquetra::load {

class Histogram {
 public:
  /// One more duration, in nanoseconds.
  void add(std::uint64_t value) {
    ++buckets_.at(bucket_of(value));
    ++count_;
    largest_ = std::max(largest_, value);
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t largest() const { return largest_; }
  /// What the given share of all durations does not exceed, in nanoseconds; 0 if there are none.
  std::uint64_t percentile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      seen += buckets_[bucket];
      if (seen >= wanted && seen > 0) return std::min(middle_of(bucket), largest_);
    }
    return largest_;
  }

 private:
  static constexpr std::size_t kSteps = 64;
  static constexpr unsigned kStepBits = 6;

  static std::size_t bucket_of(std::uint64_t value) {
    if (value < kSteps) return value;
    const auto exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
    return (exponent - kStepBits + 1) * kSteps + ((value >> (exponent - kStepBits)) % kSteps);
  }
  static std::uint64_t middle_of(std::size_t bucket) {
    if (bucket < kSteps) return bucket;
    const auto exponent = static_cast<unsigned>(bucket / kSteps) + kStepBits - 1;
    const std::uint64_t step = std::uint64_t{1} << (exponent - kStepBits);
    return (std::uint64_t{1} << exponent) + (bucket % kSteps) * step + step / 2;
  }

  std::array<std::uint64_t, kSteps * kSteps> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace triquetra::load
