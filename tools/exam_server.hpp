// `triquetra conformance`: the sockets of an exam, and the process of the candidate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/exam.hpp"

namespace triquetra {

struct ExamOrders {
  ExamPlan plan;
  std::vector<SittingName> sittings;  // side by side, each at a port of its own
  std::uint16_t port = 0;             // of the first, the others follow; 0: any free ones
  std::string command;  // to start with a room code and --server URL; empty: wait for somebody
  std::string host;     // words of a shell: what it takes instead of the code to make a room
  bool as_json = false;
};

/// What is sat when nobody says otherwise: give_up takes six minutes, and not everybody can make a
/// room or has come without being started.
std::vector<SittingName> usual_sittings(const ExamOrders& orders);

/// Serves an exam on the local machine and prints what came of it. 0 if the candidate passed, 1 if
/// not, 2 if the plan makes no sense, which is then said on standard error.
int run_exam(const ExamOrders& orders);

}  // namespace triquetra
