// The generator of all chance: ChaCha20 (RFC 8439) with a 256-bit key. Players see what it
// produced, so it must not be guessable from that; and it must give the same numbers everywhere and
// for ever, so nothing of <random> is used. docs/FAIRNESS.md specifies it for other languages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/ensure.hpp"

namespace triquetra {

/// 256 secret bits. Has no codec.
struct Seed {
  std::array<std::uint8_t, 32> bytes{};
  friend bool operator==(const Seed&, const Seed&) = default;
};

/// One block of the ChaCha20 key stream (RFC 8439, section 2.3).
std::array<std::uint8_t, 64> chacha20_block(std::span<const std::uint8_t, 32> key,
                                            std::uint32_t counter,
                                            std::span<const std::uint8_t, 12> nonce);

/// The key stream of ChaCha20 with the seed as key, nonce 0 and counters 0, 1, 2, ..., read as
/// 32-bit little-endian words. A value: a copy goes on with the same numbers.
class Rng {
 public:
  explicit Rng(const Seed& seed) : seed_(seed) {}

  std::uint32_t next();
  /// A number below `bound` (1 to 2^32 - 1), each equally likely: words at or above the largest
  /// multiple of `bound` are thrown away.
  std::uint32_t below(std::uint32_t bound);

  /// Fisher-Yates from the last element down: i = n-1 ... 1 swaps with below(i + 1).
  template <class Items>
  void shuffle(Items& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      const std::size_t j = below(static_cast<std::uint32_t>(i));
      if (j != i - 1) std::swap(items[i - 1], items[j]);
    }
  }

  /// One of the items, each equally likely.
  template <class Items>
  const typename Items::value_type& pick(const Items& items) {
    ensure(!items.empty(), "pick from nothing");
    return items[below(static_cast<std::uint32_t>(items.size()))];
  }

  friend bool operator==(const Rng&, const Rng&) = default;

 private:
  Seed seed_;
  std::uint32_t counter_ = 0;
  std::array<std::uint8_t, 64> block_{};
  std::size_t used_ = 64;
};

}  // namespace triquetra
