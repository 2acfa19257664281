// The figures of one run, as one line of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/process.hpp"
#include "bench/load/workload.hpp"

namespace triquetra::load {

/// What the clocks of everybody say at one moment.
struct Moment {
  std::uint64_t at = 0;
  std::uint64_t server_cpu = 0;
  std::uint64_t own_cpu = 0;
  MachineTime machine;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};
Moment moment(int server, const Client& client);

/// A piece of the measured time: what its acts were and cost.
struct Slice {
  Moment end;
  Counts counts;  // up to its end
};

struct Report {
  std::string label;
  std::size_t connections = 0;
  // The arriving.
  Moment before;
  Moment arrived;
  std::uint64_t memory_before_kib = 0;
  std::uint64_t memory_arrived_kib = 0;
  // The acts.
  Moment begin;
  Moment end;
  std::vector<Slice> slices;
  std::uint64_t memory_end_kib = 0;
  std::uint64_t lost_turns = 0;
};

std::string as_json(const Report& report, const Workload& workload, const Histogram& arrivals);

}  // namespace triquetra::load
