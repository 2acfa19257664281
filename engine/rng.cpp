#include "engine/rng.hpp"

#include <bit>

namespace triquetra {
namespace {

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = (word << 8U) | bytes[4 * index + i];
  return word;
}

using Words = std::array<std::uint32_t, 16>;

void quarter_round(Words& s, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  s[a] += s[b];
  s[d] = std::rotl(s[d] ^ s[a], 16);
  s[c] += s[d];
  s[b] = std::rotl(s[b] ^ s[c], 12);
  s[a] += s[b];
  s[d] = std::rotl(s[d] ^ s[a], 8);
  s[c] += s[d];
  s[b] = std::rotl(s[b] ^ s[c], 7);
}

}  // namespace

std::array<std::uint8_t, 64> chacha20_block(std::span<const std::uint8_t, 32> key,
                                            std::uint32_t counter,
                                            std::span<const std::uint8_t, 12> nonce) {
  // "expand 32-byte k", the constant of the RFC.
  Words start{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < 8; ++i) start[4 + i] = word_at(key, i);
  start[12] = counter;
  for (std::size_t i = 0; i < 3; ++i) start[13 + i] = word_at(nonce, i);

  Words s = start;
  for (int double_round = 0; double_round < 10; ++double_round) {
    quarter_round(s, 0, 4, 8, 12);
    quarter_round(s, 1, 5, 9, 13);
    quarter_round(s, 2, 6, 10, 14);
    quarter_round(s, 3, 7, 11, 15);
    quarter_round(s, 0, 5, 10, 15);
    quarter_round(s, 1, 6, 11, 12);
    quarter_round(s, 2, 7, 8, 13);
    quarter_round(s, 3, 4, 9, 14);
  }

  std::array<std::uint8_t, 64> out{};
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t word = s[i] + start[i];
    for (std::size_t byte = 0; byte < 4; ++byte) {
      out[4 * i + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
  }
  return out;
}

std::uint32_t Rng::next() {
  if (used_ == block_.size()) {
    constexpr std::array<std::uint8_t, 12> kNonce{};
    ensure(counter_ != UINT32_MAX, "generator exhausted");
    block_ = chacha20_block(seed_.bytes, counter_++, kNonce);
    used_ = 0;
  }
  const std::uint32_t word = word_at(std::span(block_).subspan(used_, 4), 0);
  used_ += 4;
  return word;
}

std::uint32_t Rng::below(std::uint32_t bound) {
  ensure(bound > 0, "below(0)");
  while (true) {
    const std::uint32_t word = next();
    // Only the last `bound` words may be above the largest multiple: 2^32 % bound of them are.
    const std::uint32_t words_above = UINT32_MAX - word;
    if (words_above >= bound || words_above >= (UINT32_MAX - bound + 1) % bound) {
      return word % bound;
    }
  }
}

}  // namespace triquetra
