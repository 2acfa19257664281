#include "tests/allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
thread_local std::uint64_t counted = 0;
}  // namespace

std::uint64_t triquetra::tests::allocations() { return counted; }

// All other forms of new and delete end in these.
void* operator new(std::size_t size) {
  ++counted;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
