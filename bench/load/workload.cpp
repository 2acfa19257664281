#include "bench/load/workload.hpp"

#include <algorithm>
#include <iostream>
#include <limits>

#include "bench/load/process.hpp"

namespace triquetra::load {

namespace {

constexpr std::uint64_t kComplaintsPrinted = 5;
constexpr std::size_t kComplaintBytes = 300;

}  // namespace

void Workload::ready(Actor& actor, std::size_t room) {
  Room& mine = rooms_[room];
  if (running_ && plan_.rate <= 0) return actor.act(room, now_ns());
  if (running_ && !mine.due.empty()) {
    const std::uint64_t due = mine.due.front();
    mine.due.pop_front();
    return actor.act(room, due);
  }
  mine.is_ready = true;
}

void Workload::begin(Actor& actor, std::uint64_t now) {
  running_ = true;
  began_ = now;
  if (plan_.rate > 0) return;
  for (std::size_t room = 0; room < rooms_.size(); ++room) {
    if (!rooms_[room].is_ready) continue;
    rooms_[room].is_ready = false;
    actor.act(room, now);
  }
}

std::uint64_t Workload::send_due(Actor& actor, std::uint64_t now) {
  if (plan_.rate <= 0) return std::numeric_limits<std::uint64_t>::max();
  for (;;) {
    const auto after =
        static_cast<std::uint64_t>(static_cast<double>(fallen_due_) * 1e9 / plan_.rate);
    const std::uint64_t due = began_ + after;
    if (due > now) return due;
    const std::size_t room = fallen_due_++ % rooms_.size();
    if (rooms_[room].is_ready) {
      rooms_[room].is_ready = false;
      actor.act(room, due);
    } else {
      rooms_[room].due.push_back(due);
    }
  }
}

std::size_t Workload::rooms_without_act() const {
  return static_cast<std::size_t>(
      std::count_if(rooms_.begin(), rooms_.end(), [](const Room& room) { return !room.is_ready; }));
}

void Workload::count_from_here() {
  counting_ = true;
  counts_ = {};
}

void Workload::acted(std::uint64_t due, std::uint64_t revision) {
  if (!counting_) return;
  ++counts_.acts;
  counts_.revisions += revision;
  times_.add(now_ns() - due);
}

void Workload::viewed(std::size_t bytes) {
  if (!counting_) return;
  ++counts_.views;
  counts_.view_bytes += bytes;
  counts_.largest_view = std::max<std::uint64_t>(counts_.largest_view, bytes);
}

void Workload::answered(std::size_t bytes) {
  if (!counting_) return;
  ++counts_.answers;
  counts_.answer_bytes += bytes;
}

void Workload::heard_other(std::size_t bytes) {
  if (!counting_) return;
  ++counts_.others;
  counts_.other_bytes += bytes;
}

void Workload::ended_match() {
  if (counting_) ++counts_.matches;
}

void Workload::complain(std::string_view what) {
  if (errors_++ < kComplaintsPrinted) std::cerr << what.substr(0, kComplaintBytes) << '\n';
}

void Dialect::lost(std::size_t connection) {
  workload_.complain("connection " + std::to_string(connection) + " was lost");
}

void Dialect::arrive(std::size_t connection) {
  ++arrived_;
  arrivals_.add(now_ns() - client_.connection(connection).began_ns);
}

}  // namespace triquetra::load
