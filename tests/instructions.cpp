#include "tests/instructions.hpp"

#include <csignal>

namespace triquetra::tests {

#if defined(__x86_64__) && !defined(TRIQUETRA_SANITIZED)

namespace {

volatile std::uint64_t g_steps = 0;

void count_step(int /*signal*/) { g_steps = g_steps + 1; }

// The trap flag of the processor, past what a compiler may keep below the stack's end.
void step() {
  asm volatile(
      "lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
}
void run_on() {
  asm volatile(
      "lea -128(%%rsp), %%rsp\n pushfq\n andq $~0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
}

}  // namespace

std::optional<std::uint64_t> instructions_of(const std::function<void()>& f) {
  struct sigaction by_us {};
  struct sigaction before {};
  by_us.sa_handler = count_step;
  sigaction(SIGTRAP, &by_us, &before);
  g_steps = 0;
  step();
  f();
  run_on();
  sigaction(SIGTRAP, &before, nullptr);
  return g_steps;
}

#else

std::optional<std::uint64_t> instructions_of(const std::function<void()>& f) {
  f();
  return std::nullopt;
}

#endif

}  // namespace triquetra::tests
