// What the kernel counts of processes: the time they have had on a core, and their memory.
#pragma once

#include <cstdint>

namespace triquetra::load {

/// Nanoseconds of a clock that only goes forward.
std::uint64_t now_ns();
/// The time that all threads of a process have had on a core, in nanoseconds; 0 if there is none.
std::uint64_t cpu_ns_of(int process);
/// The same of this process.
std::uint64_t own_cpu_ns();
/// The memory that a process has in use, without its files, in KiB; 0 if there is none.
std::uint64_t memory_kib_of(int process);

/// Time of all cores since the machine was started, in nanoseconds.
struct MachineTime {
  std::uint64_t busy = 0;
  std::uint64_t stolen = 0;  // by the host of a virtual machine
};
MachineTime machine_time();

}  // namespace triquetra::load
