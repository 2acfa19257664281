// How often this thread has asked the heap for memory: for tests of what must not. A program that
// uses it counts in every operator new that it has.
#pragma once

#include <cstdint>

namespace triquetra::tests {

std::uint64_t allocations();

}  // namespace triquetra::tests
