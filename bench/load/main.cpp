// The load generator: plays whole games in many rooms at once, as fast as the server goes or at a
// fixed rate, and prints one line of JSON. Ends with 1 if anything was refused, or a turn was lost.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "bench/load/client.hpp"
#include "bench/load/dialects.hpp"
#include "bench/load/report.hpp"
#include "bench/load/workload.hpp"

namespace triquetra::load {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// Whoever has not arrived by then does not come any more.
constexpr std::uint64_t kArrivalTime = 120 * kSecond;
// A server that is well has answered everything after this.
constexpr std::uint64_t kDrainTime = 3 * kSecond;
// The generator looks at its clock at least so often.
constexpr std::uint64_t kLook = kSecond / 10;

struct Run {
  Plan plan;
  std::string dialect = "triquetra";
  std::string label;
  std::size_t at_once = 64;
  std::size_t addresses = 1;
  int server = 0;
  double hold_s = 0.2;
  double warm_s = 1;
  double seconds = 3;
  std::uint64_t acts = 0;
  double slice_s = 0;
};

std::uint64_t after(double seconds) {
  return now_ns() + static_cast<std::uint64_t>(seconds * static_cast<double>(kSecond));
}

void pump_until(Client& client, Dialect& dialect, std::uint64_t end) {
  while (now_ns() < end) client.pump(dialect, end);
}

void arrive(const Run& run, Client& client, Dialect& dialect, const Workload& workload) {
  const std::size_t wanted = run.plan.rooms * run.plan.members();
  const std::uint64_t give_up = now_ns() + kArrivalTime;
  while (dialect.arrived() < wanted) {
    while (client.count() < wanted && client.count() - dialect.arrived() < run.at_once) {
      client.connect();
    }
    client.pump(dialect, now_ns() + kLook);
    if (workload.errors() > 0 || now_ns() > give_up) {
      throw std::runtime_error("only " + std::to_string(dialect.arrived()) + " of " +
                               std::to_string(wanted) + " have arrived");
    }
  }
}

void play_until(Client& client, Dialect& dialect, Workload& workload, std::uint64_t end) {
  for (std::uint64_t now = now_ns(); now < end; now = now_ns()) {
    const std::uint64_t due = workload.send_due(dialect, now);
    client.pump(dialect, std::min(due, end));
  }
}

// Acts that were never answered, and rooms in which nobody was asked any more.
std::uint64_t lost_turns(Client& client, Dialect& dialect, const Workload& workload) {
  const auto missing = [&] {
    // Beside a bot nobody may be asked for a while.
    const bool goes_on = workload.plan().matches == 0 && workload.plan().bots == 0;
    return std::max(dialect.open_acts(), goes_on ? workload.rooms_without_act() : 0);
  };
  const std::uint64_t end = now_ns() + kDrainTime;
  while (missing() > 0 && now_ns() < end) client.pump(dialect, now_ns() + kLook);
  return missing();
}

void play(const Run& run, Client& client, Dialect& dialect, Workload& workload, Report& report) {
  workload.begin(dialect, now_ns());
  play_until(client, dialect, workload, after(run.warm_s));
  workload.count_from_here();
  report.begin = moment(run.server, client);
  const std::uint64_t end = after(run.seconds);
  while (run.slice_s > 0 && now_ns() < end) {
    play_until(client, dialect, workload, std::min(after(run.slice_s), end));
    report.slices.push_back({moment(run.server, client), workload.counts()});
  }
  const auto enough = [&] { return run.acts > 0 && workload.counts().acts >= run.acts; };
  while (now_ns() < end && !enough()) {
    play_until(client, dialect, workload, run.acts > 0 ? std::min(now_ns() + kLook, end) : end);
  }
  report.end = moment(run.server, client);
  report.memory_end_kib = memory_kib_of(run.server);
  workload.end();
}

int measure(const Run& run) {
  Client client(run.plan.port, framing_of(run.dialect), run.addresses);
  Workload workload(run.plan);
  const std::unique_ptr<Dialect> dialect = make_dialect(run.dialect, client, workload);
  if (!dialect) throw std::runtime_error("there is no dialect " + run.dialect);
  Report report;
  report.label = run.label;
  report.connections = run.plan.rooms * run.plan.members();
  report.memory_before_kib = memory_kib_of(run.server);
  report.before = moment(run.server, client);
  arrive(run, client, *dialect, workload);
  report.arrived = moment(run.server, client);
  pump_until(client, *dialect, after(run.hold_s));
  report.memory_arrived_kib = memory_kib_of(run.server);
  if (run.seconds > 0) {
    play(run, client, *dialect, workload, report);
    // What comes from here on is only waited for.
    const Workload measured = workload;
    report.lost_turns = lost_turns(client, *dialect, workload);
    std::cout << as_json(report, measured, dialect->arrivals()) << std::endl;
  } else {
    std::cout << as_json(report, workload, dialect->arrivals()) << std::endl;
  }
  return workload.errors() > 0 || report.lost_turns > 0 ? 1 : 0;
}

void add_options(CLI::App& app, Run& run) {
  static const std::map<std::string, Stage> kStages{
      {"hello", Stage::hello}, {"seated", Stage::seated}, {"view", Stage::view}};
  Plan& plan = run.plan;
  app.add_option("--port", plan.port, "of the server, on this machine")->required();
  app.add_option("--dialect", run.dialect, "triquetra, floor, draft60 or boardgame.io");
  app.add_option("--pid", run.server, "the process of the server: its time and memory are told");
  app.add_option("--rooms", plan.rooms, "how many")->check(CLI::Range(1, 20'000));
  app.add_option("--seats", plan.seats, "of each room, for people")->check(CLI::Range(1, 8));
  app.add_option("--bots", plan.bots, "of each room beside them, the server's");
  app.add_option("--level", plan.level, "theirs");
  app.add_option("--watchers", plan.watchers, "of each room, beside its seats");
  app.add_option("--game", plan.game, "such as triqueta, mayhem or card_triangles");
  app.add_option("--options", plan.options, "of the game, as JSON");
  app.add_flag("!--no-hints", plan.hints, "rooms without previews");
  app.add_flag("--listed", plan.listed, "rooms that the lobby shows");
  app.add_option("--stage", plan.stage, "how far everybody comes: hello, seated or view")
      ->transform(CLI::CheckedTransformer(kStages));
  app.add_option("--matches", plan.matches, "of each room, then it rests; 0: without end");
  app.add_option("--frame-bytes", plan.frame_bytes, "what an act to the floor has at least");
  app.add_option("--rate", plan.rate, "acts a second of all rooms; 0: as fast as it goes");
  app.add_option("--at-once", run.at_once, "connections that are on their way at the same time");
  app.add_option("--addresses", run.addresses, "addresses that they come from, in turn");
  app.add_option("--hold", run.hold_s, "seconds of rest before the first act");
  app.add_option("--warm", run.warm_s, "seconds of acts that do not count");
  app.add_option("--seconds", run.seconds, "seconds of acts that count; 0: none");
  app.add_option("--acts", run.acts,
                 "that count and are enough, before the seconds are over; 0: none are");
  app.add_option("--slice", run.slice_s, "seconds of one piece of them, told apart");
  app.add_option("--label", run.label, "is printed with the figures");
}

}  // namespace
}  // namespace triquetra::load

int main(int argc, char** argv) {
  CLI::App app{"Plays many rooms at once and measures the server"};
  triquetra::load::Run run;
  triquetra::load::add_options(app, run);
  CLI11_PARSE(app, argc, argv);
  try {
    return triquetra::load::measure(run);
  } catch (const std::exception& error) {
    std::cerr << "load: " << error.what() << '\n';
    return 2;
  }
}
