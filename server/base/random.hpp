// Numbers that nobody can guess, from the operating system.
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

}  // namespace triquetra
