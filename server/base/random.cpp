#include "server/base/random.hpp"

#include <openssl/rand.h>

#include <atomic>
#include <string_view>

#include "protocol/fairness.hpp"

namespace triquetra {

#ifdef TRIQUETRA_TEST_SEED
namespace {

std::string foreseen;  // empty: nothing is
std::atomic<std::uint64_t> times_asked{0};

}  // namespace

void foresee(const std::string& test_seed) {
  foreseen = test_seed;
  times_asked = 0;
}
#endif

Seed fresh_seed() {
#ifdef TRIQUETRA_TEST_SEED
  if (!foreseen.empty()) {
    return Seed{sha256("triquetra test " + foreseen + " " + std::to_string(times_asked++))};
  }
#endif
  Seed seed;
  ensure(RAND_bytes(seed.bytes.data(), static_cast<int>(seed.bytes.size())) == 1, "no randomness");
  return seed;
}

std::string fresh_hex(std::size_t bytes) {
  std::string raw;
  Rng rng(fresh_seed());
  for (std::size_t i = 0; i < bytes; ++i) raw += static_cast<char>(rng.below(256));
  return to_hex(raw);
}

std::string fresh_code(std::size_t length) {
  constexpr std::string_view kLetters = "BCDFGHJKLMNPQRSTVWXZ";
  std::string code;
  Rng rng(fresh_seed());
  for (std::size_t i = 0; i < length; ++i) {
    code += kLetters[rng.below(static_cast<std::uint32_t>(kLetters.size()))];
  }
  return code;
}

}  // namespace triquetra
