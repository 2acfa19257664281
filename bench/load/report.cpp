#include "bench/load/report.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace triquetra::load {

namespace {

class Line {
 public:
  void text(std::string_view name, std::string_view value) {
    name_of(name);
    text_.append("\"").append(value).append("\"");
  }
  void number(std::string_view name, std::uint64_t value) {
    name_of(name);
    text_ += std::to_string(value);
  }
  void decimal(std::string_view name, double value) {
    name_of(name);
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.2f", value);
    text_ += digits.data();
  }
  void list(std::string_view name, const std::vector<std::string>& parts) {
    name_of(name);
    text_ += '[';
    for (const std::string& part : parts) {
      if (text_.back() != '[') text_ += ',';
      text_ += part;
    }
    text_ += ']';
  }
  std::string ended() const { return "{" + text_ + "}"; }

 private:
  void name_of(std::string_view name) {
    if (!text_.empty()) text_ += ',';
    text_.append("\"").append(name).append("\":");
  }
  std::string text_;
};

double per(std::uint64_t amount, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(amount) / static_cast<double>(of);
}

double microseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e3; }

void write_arrival(Line& line, const Report& report, const Histogram& arrivals) {
  const std::uint64_t time = report.arrived.at - report.before.at;
  line.number("connections", report.connections);
  line.decimal("connections_s", per(report.connections, time) * 1e9);
  line.decimal("server_us_per_connection",
               per(report.arrived.server_cpu - report.before.server_cpu, report.connections) / 1e3);
  line.decimal("arrival_p50_us", microseconds(arrivals.percentile(0.5)));
  line.decimal("arrival_p99_us", microseconds(arrivals.percentile(0.99)));
  line.number("memory_before_kib", report.memory_before_kib);
  line.number("memory_arrived_kib", report.memory_arrived_kib);
}

void write_acts(Line& line, const Report& report, const Workload& workload) {
  const Counts& counts = workload.counts();
  const std::uint64_t time = report.end.at - report.begin.at;
  const std::uint64_t server = report.end.server_cpu - report.begin.server_cpu;
  const std::uint64_t own = report.end.own_cpu - report.begin.own_cpu;
  const std::uint64_t machine = report.end.machine.busy - report.begin.machine.busy;
  const std::uint64_t stolen = report.end.machine.stolen - report.begin.machine.stolen;
  line.decimal("seconds", static_cast<double>(time) / 1e9);
  line.number("acts", counts.acts);
  line.decimal("acts_s", per(counts.acts, time) * 1e9);
  line.decimal("server_us_per_act", per(server, counts.acts) / 1e3);
  line.decimal("server_percent", per(server, time) * 100);
  line.decimal("generator_percent", per(own, time) * 100);
  line.decimal("others_percent", per(machine - std::min(machine, server + own), time) * 100);
  line.decimal("stolen_percent", per(stolen, time) * 100);
  line.decimal("p50_us", microseconds(workload.times().percentile(0.5)));
  line.decimal("p99_us", microseconds(workload.times().percentile(0.99)));
  line.decimal("p999_us", microseconds(workload.times().percentile(0.999)));
  line.decimal("largest_us", microseconds(workload.times().largest()));
  line.number("views", counts.views);
  line.decimal("view_bytes", per(counts.view_bytes, counts.views));
  line.number("largest_view", counts.largest_view);
  line.number("answers", counts.answers);
  line.decimal("answer_bytes", per(counts.answer_bytes, counts.answers));
  line.number("others", counts.others);
  line.decimal("other_bytes", per(counts.other_bytes, counts.others));
  line.decimal("bytes_in_per_act", per(report.end.bytes_in - report.begin.bytes_in, counts.acts));
  line.decimal("bytes_out_per_act",
               per(report.end.bytes_out - report.begin.bytes_out, counts.acts));
  line.number("matches", counts.matches);
  line.decimal("revision", per(counts.revisions, counts.acts));
  line.number("memory_end_kib", report.memory_end_kib);
}

// How the cost moves with time: for matches that all begin at once, with their length.
void write_slices(Line& line, const Report& report) {
  std::vector<std::string> parts;
  Moment from = report.begin;
  Counts before;
  for (const Slice& slice : report.slices) {
    const std::uint64_t acts = slice.counts.acts - before.acts;
    Line part;
    part.number("acts", acts);
    part.decimal("revision", per(slice.counts.revisions - before.revisions, acts));
    part.decimal("server_us_per_act", per(slice.end.server_cpu - from.server_cpu, acts) / 1e3);
    part.decimal("view_bytes", per(slice.counts.view_bytes - before.view_bytes,
                                   slice.counts.views - before.views));
    parts.push_back(part.ended());
    from = slice.end;
    before = slice.counts;
  }
  line.list("slices", parts);
}

}  // namespace

Moment moment(int server, const Client& client) {
  return {now_ns(),          server != 0 ? cpu_ns_of(server) : 0,
          own_cpu_ns(),      machine_time(),
          client.bytes_in(), client.bytes_out()};
}

std::string as_json(const Report& report, const Workload& workload, const Histogram& arrivals) {
  Line line;
  line.text("label", report.label);
  line.number("rooms", workload.plan().rooms);
  write_arrival(line, report, arrivals);
  if (report.end.at != 0) write_acts(line, report, workload);
  if (!report.slices.empty()) write_slices(line, report);
  line.number("errors", workload.errors());
  line.number("lost_turns", report.lost_turns);
  return line.ended();
}

}  // namespace triquetra::load
