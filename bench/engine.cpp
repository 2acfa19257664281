// The engine alone, on one core: how many random acts a second each game plays, what the greedy bot
// thinks about an act, what verify costs, and how large a state is. One line for each game, its
// options, and its fewest and most seats. Takes the seconds to measure each figure: 1 if not given.
#include <boost/mp11/algorithm.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "all_games.hpp"
#include "protocol/encode.hpp"

namespace triquetra {
namespace {

/// Of this process: others on the machine do not count.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Rng rng_number(std::uint32_t number) {
  Seed seed;
  for (std::size_t i = 0; i < 4; ++i) {
    seed.bytes.at(i) = static_cast<std::uint8_t>(number >> (8 * i));
  }
  return Rng(seed);
}

template <Game G>
struct Bench {
  typename G::Options options;
  std::size_t seats = 0;
  double seconds = 1.0;
  std::vector<typename G::Action> acts;

  /// Microseconds an act, over whole games from the same deals, each setup included; `play` makes
  /// one step for a seat that is asked by a decision.
  template <class Play>
  double each_us(const Play& play) {
    Rng rng = rng_number(1);
    std::uint64_t steps = 0;
    const double start = processor_seconds();
    double spent = 0.0;
    while ((spent = processor_seconds() - start) < seconds) {
      Chance<typename G::Deal> chance{rng_number(rng.next())};
      auto state = G::setup(options, seats, chance);
      for (auto open = G::decisions(state); !open.empty(); open = G::decisions(state)) {
        const Decision& decision = rng.pick(open);
        play(state, decision, rng.pick(asked(decision).list()), rng);
        ++steps;
      }
    }
    return spent * 1e6 / static_cast<double>(steps);
  }

  /// An act drawn from the legal ones, as a planner plays on.
  void draw(typename G::State& state, Seat seat, Rng& rng) {
    G::legal(state, seat, acts);
    G::apply(state, seat, rng.pick(acts));
  }

  void print() {
    const double random_us =
        each_us([&](auto& state, const Decision&, Seat seat, Rng& rng) { draw(state, seat, rng); });
    const double verified_us = each_us([&](auto& state, const Decision&, Seat seat, Rng& rng) {
      draw(state, seat, rng);
      G::verify(state);
    });
    const double greedy_us =
        each_us([&](auto& state, const Decision& decision, Seat seat, Rng& rng) {
          G::legal(state, seat, acts);
          const auto mine = G::seat_view(state, EyeMaker::of(seat));
          const auto act = G::choose(G::table_view(state), mine, acts, rng);
          act ? G::apply(state, seat, *act) : G::lapse(state, decision.id);
        });
    std::printf(
        "%-15s%-45s%zu seats %8.0f random acts/s, greedy %5.1f us, verify %4.1f us, "
        "state %zu bytes\n",
        std::string(G::kName).c_str(), encoded(options).c_str(), seats, 1e6 / random_us, greedy_us,
        verified_us - random_us, sizeof(typename G::State));
  }
};

template <Game G>
void measure(double seconds) {
  for (const auto& options : G::variants()) {
    std::vector<std::size_t> tables;
    for (std::size_t seats = G::kMinSeats; seats <= G::kMaxSeats; ++seats) {
      if (!G::check(options, seats)) tables.push_back(seats);
    }
    if (tables.size() > 1) Bench<G>{options, tables.front(), seconds, {}}.print();
    Bench<G>{options, tables.back(), seconds, {}}.print();
  }
}

}  // namespace
}  // namespace triquetra

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
  boost::mp11::mp_for_each<
      boost::mp11::mp_transform<boost::mp11::mp_identity, triquetra::AllGames>>(
      [&](auto game) { triquetra::measure<typename decltype(game)::type>(seconds); });
  return 0;
}
