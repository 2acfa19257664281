#include "bench/load/process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace triquetra::load {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::filesystem::path folder_of(int process) {
  return std::filesystem::path("/proc") / std::to_string(process);
}

std::uint64_t nanoseconds(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_usec) * 1000;
}

}  // namespace

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1));
}

std::uint64_t cpu_ns_of(int process) {
  std::uint64_t sum = 0;
  std::error_code error;
  for (const auto& thread :
       std::filesystem::directory_iterator(folder_of(process) / "task", error)) {
    std::uint64_t time = 0;
    if (std::ifstream(thread.path() / "schedstat") >> time) sum += time;
  }
  return sum;
}

std::uint64_t own_cpu_ns() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

std::uint64_t memory_kib_of(int process) {
  static const std::string kAnonymous = "RssAnon:";
  std::ifstream status(folder_of(process) / "status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kAnonymous)) return std::stoull(line.substr(kAnonymous.size()));
  }
  return 0;
}

MachineTime machine_time() {
  // user, nice, system, idle, waiting, interrupts, soft interrupts, stolen: of all cores.
  std::ifstream file("/proc/stat");
  std::string label;
  file >> label;
  std::array<std::uint64_t, 8> ticks{};
  for (std::uint64_t& tick : ticks) file >> tick;
  const std::uint64_t unit = kSecond / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return {(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * unit, ticks[7] * unit};
}

}  // namespace triquetra::load
