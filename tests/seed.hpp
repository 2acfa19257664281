// The number from which a test draws all its chance: printed when it begins and when it fails, and
// taken back as TRIQUETRA_SEED. tests/e2e/seed.py is the same for Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/rng.hpp"

namespace triquetra::tests {

/// TRIQUETRA_SEED, or else `otherwise`: a number for which the outcome is known, as a regression or
/// a statistic needs it. Or else a fresh one, the same in the whole program: there a test explores.
std::uint32_t take_seed(std::optional<std::uint32_t> otherwise = {});

/// What was taken last since forget_seed(), and how to take it again; empty if nothing was. `flags`
/// choose the part of the program that took it.
std::string seed_taken(const std::string& flags = "");
void forget_seed();

/// A number as a generator wants it; each use of one number has its own.
inline Seed seed_number(std::uint32_t number, std::uint8_t use = 0) {
  Seed seed;
  for (std::size_t i = 0; i < 4; ++i) seed.bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
  seed.bytes[31] = use;
  return seed;
}

}  // namespace triquetra::tests
