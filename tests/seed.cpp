#include "tests/seed.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <set>

#include "engine/ensure.hpp"

namespace triquetra::tests {
namespace {

std::optional<std::uint32_t> taken;
std::set<std::uint32_t> printed;

std::uint32_t fresh_number() {
  static const std::uint32_t number = [] {
    std::uint32_t drawn = 0;
    ensure(getrandom(&drawn, sizeof drawn, 0) == sizeof drawn, "no randomness");
    return drawn;
  }();
  return number;
}

}  // namespace

std::uint32_t take_seed(std::optional<std::uint32_t> otherwise) {
  const char* const given = std::getenv("TRIQUETRA_SEED");
  if (given != nullptr) {
    taken = static_cast<std::uint32_t>(std::stoul(given));
  } else {
    taken = otherwise ? *otherwise : fresh_number();
  }
  if (printed.insert(*taken).second) std::cout << seed_taken() << std::endl;
  return *taken;
}

std::string seed_taken(const std::string& flags) {
  if (!taken) return "";
  const std::string number = std::to_string(*taken);
  return "seed " + number + " (again: TRIQUETRA_SEED=" + number + " " + program_invocation_name +
         (flags.empty() ? "" : " " + flags) + ")";
}

void forget_seed() { taken.reset(); }

}  // namespace triquetra::tests
