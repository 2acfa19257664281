#include "server/base/turns.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace triquetra {

void take_what_is_left() {
  const sched_param none{};
  sched_setscheduler(0, SCHED_IDLE, &none);
}

void take_short_turns() {
  // As in sched_setattr(2): Debian's C library has no name for it yet.
  struct {
    std::uint32_t size;
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = getpriority(PRIO_PROCESS, 0);  // of this thread, and as before
    std::uint32_t priority = 0;
    std::uint64_t turn_ns = 100'000;  // the shortest that the system knows
    std::uint64_t deadline_ns = 0;
    std::uint64_t period_ns = 0;
  } wanted{sizeof wanted};
  syscall(SYS_sched_setattr, 0, &wanted, 0);
}

}  // namespace triquetra
