// The simulation: the rooms, lobby and sessions that ship, on a simulated clock, network and store,
// all from one seed. Plays whole evenings with faults in them, and holds the checkers' promises.
//
//   sim_test                       the canaries, some known evenings, and fresh ones for as long as
//                                  TRIQUETRA_SIM_SECONDS says (none if it is not set)
//   sim_test --evenings N [--views PER_MILLE]     a long run of fresh ones
//
// With TRIQUETRA_SEED: the one evening of that number, or N evenings from it on.
#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "protocol/catalog.hpp"
#include "protocol/fairness.hpp"
#include "tests/seed.hpp"
#include "tests/sim/people.hpp"

namespace triquetra::sim {
namespace {

using std::chrono::minutes;

// Of one thought at most: what bots do with more is for other tests.
constexpr std::uint32_t kPlayouts = 4;

struct Tally {
  std::size_t evenings = 0, matches = 0, acts = 0, views = 0, faults = 0, restarts = 0, closed = 0,
              rests = 0;
  TimePoint::duration time{};  // of the simulated clock
  void operator+=(const Tally& other) {
    evenings += other.evenings;
    matches += other.matches;
    acts += other.acts;
    views += other.views;
    faults += other.faults;
    restarts += other.restarts;
    closed += other.closed;
    rests += other.rests;
    time += other.time;
  }
};

class Evening {
 public:
  Evening(std::uint32_t seed, Canary canary, std::uint32_t views)
      : world_(seed), canary_(canary), store_(world_, canary), checkers_(world_, store_) {
    checkers_.views_looked_at = views;
    restless_ = world_.chance(500);
    if (restless_) rest_time_ = world_.between(1, 5000);
    start_server();
    invite();
  }
  ~Evening() {
    world_.forget();
    stop_server();
  }
  Evening(const Evening&) = delete;
  Evening& operator=(const Evening&) = delete;

  Tally run() {
    const bool rough = world_.chance(800);
    const auto begun = now();
    set_trouble(rough);
    const auto until = begun + world_.between(60'000, 1'200'000);
    // Now and then the plug is pulled.
    const bool fragile = rough && world_.chance(400);
    while (now() < until) {
      run_until(std::min(until, now() + world_.between(1000, 240'000)), [] { return false; });
      if (fragile) restart();
      if (restless_ && world_.chance(500)) empty_house();
    }
    // From here on nothing fails any more: everything has to come to its end.
    set_trouble(false);
    const auto all_content = [this] {
      return std::all_of(devices_.begin(), devices_.end(),
                         [this](const auto& device) { return device->is_content() || broken(); });
    };
    run_until(now() + std::chrono::hours(12), all_content);
    if (!all_content()) throw Wrong("stuck: a match does not end\n" + whoever_waits());
    run_until(now() + minutes(2), [] { return false; });
    checkers_.at_the_end();
    check_queues();
    Tally tally;
    tally.evenings = 1;
    tally.matches = checkers_.matches_over();
    tally.acts = checkers_.acts;
    tally.views = checkers_.views;
    tally.faults = restarts_ + store_.faults();
    for (const auto& device : devices_) tally.faults += device->faults();
    tally.closed = closed_rooms();
    tally.rests = store_.rests();
    tally.restarts = restarts_;
    tally.time = now() - begun;
    return tally;
  }

 private:
  void start_server() {
    // On some evenings rooms are put away whenever nobody looks.
    RoomPolicy policy;
    policy.rest_time = rest_time_;
    // Two threads' worth of mailboxes, worked off in turns.
    hub_ = std::make_unique<Hub>(2, policy,
                                 [this](boost::asio::io_context&) { return store_.front(); });
    for (std::size_t i = 0; i < hub_->thread_count(); ++i) {
      guards_.emplace_back(hub_->context(i).get_executor());
    }
    world_.wake();
    hub_->load([this](bool all_loaded) {
      // As the real one: it would rather not start than forget a room.
      if (all_loaded) {
        is_up_ = true;
      } else {
        world_.after(std::chrono::seconds(1), [this] { restart(); });
      }
    });
  }
  /// As by a kill: whatever was under way is gone, but for what was kept.
  void stop_server() {
    is_up_ = false;
    note_outboxes();
    for (const auto& line : lines_) line->server_died();
    guards_.clear();
    poll();
    store_.server_died();
    hub_.reset();
    lines_.clear();
  }
  void restart() {
    ++restarts_;
    stop_server();
    start_server();
  }
  /// Everybody goes, and nobody comes in for a while: rooms sleep, and their clocks ring.
  void empty_house() {
    nobody_until_ = now() + world_.between(10'000, 400'000);
    for (const auto& device : devices_) device->lose_line();
  }
  void poll() {
    std::size_t worked = 1;
    while (worked > 0) {
      worked = 0;
      for (std::size_t i = 0; i < hub_->thread_count(); ++i) worked += hub_->context(i).poll();
    }
    if (hub_->thinkers().waiting() == 0 || std::exchange(thinks_, true)) return;
    // Before the pause of a bot is over, or so late that it has acted without.
    world_.after(world_.between(0, 4000), [this] {
      thinks_ = false;
      if (hub_) hub_->thinkers().poll(kPlayouts);
      world_.wake();
    });
  }
  void run_until(TimePoint end, const std::function<bool()>& done) {
    while (now() < end && !done()) world_.step([this] { poll(); });
  }

  std::shared_ptr<Line> connect(Line::Hear hear) {
    if (!is_up_ || now() < nobody_until_) return nullptr;
    const ConnectionId id = ++last_connection_;
    auto line = std::make_shared<Line>(world_, hub_->context(id), id, std::move(hear));
    line->open(*hub_);
    world_.wake();
    if (canary_ == Canary::leak && !lines_.empty() && lines_.front() != line) {
      line->overhear(lines_.front());
    }
    lines_.push_back(line);
    return line;
  }

  /// Who comes, to which games.
  void invite() {
    const std::size_t rooms = 1 + world_.below(3);
    std::vector<std::shared_ptr<Person>> people;
    for (std::uint32_t i = 0; i < 7; ++i) {
      people.push_back(std::make_shared<Person>(Person{"P" + std::to_string(i), {}, 0}));
    }
    std::vector<std::vector<Meeting>> plans(people.size());
    for (std::size_t room = 0; room < rooms; ++room) plan_room(plans, room);
    for (std::size_t i = 0; i < people.size(); ++i) {
      if (plans[i].empty()) continue;
      const std::size_t devices = world_.chance(150) ? 2 : 1;
      for (std::size_t n = 0; n < devices; ++n) {
        auto meetings = plans[i];
        // The second device makes no rooms.
        if (n > 0) meetings.front().create.clear();
        devices_.push_back(std::make_unique<Device>(
            Device::Services{world_, checkers_,
                             [this](Line::Hear hear) { return connect(std::move(hear)); }},
            people[i], std::move(meetings)));
        tick(devices_.back().get());
      }
    }
  }

  void plan_room(std::vector<std::vector<Meeting>>& plans, std::size_t maker) {
    const GameKind& game = world_.pick(catalog());
    const std::string options = world_.pick(game.variants());
    std::vector<std::size_t> counts;
    for (std::size_t n = game.min_seats; n <= game.max_seats; ++n) {
      if (!game.check(options, n)) counts.push_back(n);
    }
    const std::size_t seats = world_.pick(counts);
    // There are seven people, and nobody sits twice at one table.
    std::size_t bots = world_.below(static_cast<std::uint32_t>(seats));
    if (seats - bots > 6) bots = seats - 6;
    const auto code = std::make_shared<std::string>();
    Json create{{"type", "create"},
                {"game", game.name},
                {"seats", seats},
                {"options", parse_json(options, kTrustedJson)},
                {"visibility", world_.chance(500) ? "listed" : "unlisted"},
                {"hints", world_.chance(500)}};
    if (world_.chance(400)) create["clock"] = 5 + world_.below(60);
    Meeting meeting;
    meeting.code = code;
    meeting.matches = 1 + static_cast<int>(world_.below(2));
    meeting.password = world_.chance(200);
    if (meeting.password) create["password"] = "open sesame";
    std::size_t person = maker;
    for (std::size_t seat = 0; seat < seats - bots; ++seat, ++person) {
      Meeting mine = meeting;
      if (world_.chance(300)) mine.entropy = sha256_hex(std::to_string(world_.below(1U << 30U)));
      if (seat == 0) {
        if (!mine.entropy.empty()) {
          create["entropy_hash"] = commitment_of(mine.entropy).value();
        }
        mine.create = create.dump();
        mine.bots = static_cast<int>(bots);
      }
      auto& plan = plans[person % plans.size()];
      // A maker's own room comes first: its create is answered with a code.
      plan.insert(seat == 0 ? plan.begin() : plan.end(), mine);
    }
    Meeting watching = meeting;
    watching.plays = false;
    if (person < plans.size() + maker) plans[person % plans.size()].push_back(watching);
  }

  void tick(Device* device) {
    world_.after(world_.between(50, 1500), [this, device] {
      device->act_up();
      tick(device);
    });
  }

  void set_trouble(bool rough) {
    for (const auto& device : devices_) device->trouble = rough ? 10 + world_.below(60) : 0;
    store_.refuses = rough && world_.chance(500) ? 20 : 0;
    store_.loses_track = rough && world_.chance(500) ? 20 : 0;
    for (const auto& device : devices_) {
      if (!rough && device->line()) device->line()->read_slowly(milliseconds(0));
    }
  }
  /// A planted fault may leave a room closed: then only the checkers count.
  bool broken() const { return canary_ != Canary::none; }

  std::string whoever_waits() const {
    std::string list;
    for (const auto& device : devices_) {
      if (!device->is_content()) list += device->situation();
    }
    return list;
  }
  void note_outboxes() {
    for (const auto& line : lines_) {
      longest_outbox_ = std::max(longest_outbox_, line->longest_queue());
    }
  }
  void check_queues() {
    note_outboxes();
    if (longest_outbox_ > limits::kOutboxFrames) throw Wrong("an outbox has no limit");
    if (store_.longest_queue() > limits::kStoreQueue) throw Wrong("too much waits for the store");
    // A room waits for each of its appends before it takes the next message.
    if (store_.most_appends() > 1) throw Wrong("a room does not wait for the store");
    for (const auto& device : devices_) {
      if (device->line() && !broken() &&
          device->unanswered().find("\"act\"") != std::string::npos) {
        throw Wrong("an act has no answer:" + device->unanswered());
      }
    }
  }
  std::size_t closed_rooms() const {
    std::size_t closed = 0;
    for (const auto& [room, log] : store_.logs()) {
      if (!log.empty() && std::holds_alternative<RoomClosed>(log.back())) ++closed;
    }
    return closed;
  }

  World world_;
  Canary canary_;
  FaultyStore store_;
  Checkers checkers_;
  std::unique_ptr<Hub> hub_;
  std::vector<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guards_;
  std::vector<std::shared_ptr<Line>> lines_;
  std::vector<std::unique_ptr<Device>> devices_;
  bool restless_ = false;
  milliseconds rest_time_ = limits::kRestTime;
  TimePoint nobody_until_{};
  ConnectionId last_connection_ = 0;
  bool is_up_ = false;
  bool thinks_ = false;  // soon
  std::size_t restarts_ = 0;
  std::size_t longest_outbox_ = 0;
};

/// One evening; says what is wrong, if anything is.
std::optional<std::string> wrong_with(std::uint32_t seed, Canary canary, std::uint32_t views,
                                      Tally& tally) {
  try {
    Evening evening(seed, canary, views);
    tally += evening.run();
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  }
}

void report(const Tally& tally) {
  using Hours = std::chrono::duration<double, std::ratio<3600>>;
  std::cout << tally.evenings << " evenings of " << static_cast<int>(Hours(tally.time).count())
            << " hours in all: " << tally.matches << " matches to their end, " << tally.acts
            << " acts of people acknowledged, " << tally.views << " views, " << tally.faults
            << " faults, " << tally.restarts << " restarts of the server, " << tally.closed
            << " rooms closed, " << tally.rests << " times a room fell asleep\n";
}

bool play(std::uint32_t from, std::uint32_t count, std::uint32_t views, Tally& tally) {
  for (std::uint32_t seed = from; seed != from + count; ++seed) {
    if (const auto wrong = wrong_with(seed, Canary::none, views, tally)) {
      std::cout << "evening " << seed << ": " << wrong->substr(0, 3000) << "\n"
                << "seed " << seed << " (again: TRIQUETRA_SEED=" << seed << " sim_test)\n";
      return false;
    }
  }
  return true;
}

/// Each planted fault is seen within some evenings.
bool canaries() {
  for (const Canary canary : {Canary::leak, Canary::lost_act, Canary::doubled_act}) {
    std::optional<std::string> seen;
    for (std::uint32_t seed = 1; seed <= 20 && !seen; ++seed) {
      Tally ignored;
      seen = wrong_with(seed, canary, 1000, ignored);
    }
    if (!seen) {
      std::cout << "a planted fault was not seen: " << static_cast<int>(canary) << "\n";
      return false;
    }
    std::cout << "planted and seen: " << seen->substr(0, 100) << "\n";
  }
  return true;
}

int run(int argc, char** argv) {
  const bool again = std::getenv("TRIQUETRA_SEED") != nullptr;
  std::uint32_t evenings = again ? 1 : 0;
  std::uint32_t views = 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    const auto value = static_cast<std::uint32_t>(std::stoul(argv[i + 1]));
    if (flag == "--evenings") evenings = value;
    if (flag == "--views") views = value;
  }
  spdlog::set_level(spdlog::level::off);
  Tally tally;
  bool well = true;
  std::uint32_t fresh = tests::take_seed();
  if (evenings > 0) {
    well = play(fresh, evenings, views, tally);
  } else {
    well = canaries() && play(1, 20, views, tally);
    // Fresh ones, for as long as TRIQUETRA_SIM_SECONDS says.
    const char* patience = std::getenv("TRIQUETRA_SIM_SECONDS");
    const auto until = std::chrono::steady_clock::now() +
                       std::chrono::seconds(patience != nullptr ? std::atoi(patience) : 0);
    while (well && std::chrono::steady_clock::now() < until) {
      well = play(fresh++, 1, views, tally);
    }
  }
  report(tally);
  return well ? 0 : 1;
}

}  // namespace
}  // namespace triquetra::sim

int main(int argc, char** argv) { return triquetra::sim::run(argc, argv); }
