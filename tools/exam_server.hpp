// `triquetra conformance`: the sockets of an exam, and the process of the candidate.
#pragma once

#include <cstdint>
#include <string>

#include "tools/exam.hpp"

namespace triquetra {

struct ExamOrders {
  ExamPlan plan;
  std::uint16_t port = 0;  // any free one
  std::string command;     // to start with a room code and --server URL; empty: wait for somebody
  bool as_json = false;
};

/// Serves one exam on the local machine and prints what came of it. 0 if the candidate passed, 1 if
/// not, 2 if the plan makes no sense, which is then said on standard error.
int run_exam(const ExamOrders& orders);

}  // namespace triquetra
