// The planner and its levels in every game, those for tests among them; and canaries: a planner
// that peeks, and imagination that is not fair.
#include "engine/planner.hpp"

#include <doctest/doctest.h>

#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <string>

#include "all_games.hpp"
#include "engine/levels.hpp"
#include "tests/games/bids/rules.hpp"
#include "tests/laws.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

const auto kNever = [] { return false; };

/// Calls `visit` with the rules of every game, each of its options, and its smallest and its
/// largest table.
template <class Visit>
void for_each_table(const Visit& visit) {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<boost::mp11::mp_identity, AllGames>>(
      [&](auto game) {
        using G = typename decltype(game)::type;
        for (const auto& options : G::variants()) {
          std::vector<std::size_t> tables;
          for (std::size_t seats = 0; seats <= kMaxSeats; ++seats) {
            if (!G::check(options, seats)) tables.push_back(seats);
          }
          visit(game, options, tables.front());
          if (tables.size() > 1) visit(game, options, tables.back());
        }
      });
}

/// What a bot of this level does with few playouts.
template <Game G>
Choice<G> decided(Level level, const typename G::State& state, Seat seat, Rng& rng) {
  constexpr std::uint32_t kFew = 6;
  Strength strength = strength_of(level);
  strength.playouts = std::min(strength.playouts, kFew);
  const Imagined<G> known(state, seat, rng);
  return decide(known, strength, rng, kNever).choice;
}

TEST_CASE("bots of every level do what their seat was sent, whatever is hidden") {
  for_each_table([](auto game, const auto& options, std::size_t seats) {
    using G = typename decltype(game)::type;
    const std::uint32_t number = tests::take_seed();
    CAPTURE(G::kName);
    CAPTURE(seats);
    CAPTURE(number);
    Rng rng(laws::seed_number(number, 2));
    const auto played = laws::play<G>(options, seats, number);
    for (const Level level : {Level::easy, Level::normal, Level::hard, Level::expert}) {
      const auto wrong =
          laws::blind<G>(played, 16, rng, [&](const auto& state, Seat seat, Rng& luck) {
            return decided<G>(level, state, seat, luck);
          });
      CHECK_MESSAGE(!wrong, wrong.value_or(""));
    }
  });
}

TEST_CASE("a canary: a planner that peeks at the real state is caught") {
  using G = bids::Rules;
  const std::uint32_t first = tests::take_seed(0);
  bool is_caught = false;
  for (std::uint32_t number = first; number != first + 20; ++number) {
    Rng rng(laws::seed_number(number, 2));
    const auto played = laws::play<G>({}, 3, number);
    const auto peeks = [](const auto& state, Seat seat, Rng&) -> Choice<G> {
      auto acts = legal_acts<G>(state, seat);
      const auto& other = state.hands[next_seat(seat, state.points.size())];
      const bool is_high = !other.empty() && int{other.front().for_rules()} > 6;
      return is_high ? acts.back() : acts.front();
    };
    is_caught = is_caught || laws::blind<G>(played, 1, rng, peeks).has_value();
  }
  CHECK(is_caught);
}

TEST_CASE("tables with bots of every level play to the end") {
  for_each_table([](auto game, const auto& options, std::size_t seats) {
    using G = typename decltype(game)::type;
    const std::uint32_t number = tests::take_seed();
    CAPTURE(G::kName);
    CAPTURE(number);
    const auto wrong = laws::plays_to_the_end<G>(
        options, seats, number, [](const auto& state, Seat seat, Rng& rng) {
          const auto level = static_cast<Level>((seat.index() + 2) % kStrengths.size());
          return decided<G>(level, state, seat, rng);
        });
    CHECK_MESSAGE(!wrong, wrong.value_or(""));
  });
}

TEST_CASE("a plan is the same for the same chance and budget, and ends when it is told") {
  using G = bids::Rules;
  const std::uint32_t number = tests::take_seed();
  Chance<G::Deal> chance{Rng(laws::seed_number(number))};
  const auto state = G::setup({}, 3, chance);
  const auto plan = [&](std::uint32_t playouts, std::uint32_t until) {
    Rng rng(laws::seed_number(number, 1));
    const Imagined<G> known(state, Seat{1}, rng);
    std::uint32_t asked = 0;
    return decide(known, Strength{.playouts = playouts}, rng, [&] { return asked++ == until; });
  };
  const auto one = plan(200, 1000), again = plan(200, 1000), cut = plan(200, 10);
  CHECK(one.choice == again.choice);
  REQUIRE(one.acts.size() == 3);
  for (std::size_t i = 0; i < one.acts.size(); ++i) {
    CHECK(one.acts[i].worth == again.acts[i].worth);
    CHECK(one.acts[i].worlds > 0);
    CHECK(one.acts[i].points.has_value());
  }
  CHECK(one.playouts <= 200);
  CHECK(cut.playouts == 10);
  CHECK(cut.choice.has_value());
  CHECK(plan(200, 0).playouts == 0);
  CHECK(plan(200, 0).choice.has_value());
}

/// Cards that are imagined too low.
struct ImaginesLow : bids::Rules {
  static void imagine(bids::State& state, Viewer viewer, Rng& rng) {
    bids::Rules::imagine(state, viewer, rng);
    for (auto& hand : state.hands) {
      for (auto& card : hand) {
        if (!card.visible_to(viewer)) card.replace((int{card.for_rules()} + 1) / 2);
      }
    }
  }
};

TEST_CASE("what a seat imagines at first is as likely as what is dealt") {
  constexpr std::uint32_t kGames = 300;
  for_each_table([](auto game, const auto& options, std::size_t seats) {
    using G = typename decltype(game)::type;
    const auto wrong =
        laws::fair_imagination<G>(options, seats, Seat{0}, tests::take_seed(), kGames);
    CHECK_MESSAGE(!wrong, G::kName << ": " << wrong.value_or(""));
  });
  CHECK(laws::fair_imagination<ImaginesLow>({}, 3, Seat{0}, tests::take_seed(0), kGames));
}

}  // namespace
}  // namespace triquetra
