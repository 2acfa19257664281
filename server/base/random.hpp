// Numbers that nobody can guess, from the operating system; but in a test, which plays them again.
#pragma once

#include <cstddef>
#include <string>

#include "engine/rng.hpp"

namespace triquetra {

/// 256 fresh random bits; throws Bug if the system has none to give.
Seed fresh_seed();
/// `bytes` random bytes in lower-case hex.
std::string fresh_hex(std::size_t bytes);
/// `length` letters without vowels and look-alikes.
std::string fresh_code(std::size_t length);

#ifdef TRIQUETRA_TEST_SEED
/// For tests alone, before there are other threads: from now on all of the above follows from these
/// words, in the order in which it is asked for. A released server does not have this.
void foresee(const std::string& test_seed);
#endif

}  // namespace triquetra
