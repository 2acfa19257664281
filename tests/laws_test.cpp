// Every game against the contract, over many random games; and canaries: games that break one law
// each, which the law must catch.
#include "tests/laws.hpp"

#include <doctest/doctest.h>

#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <cstdlib>

#include "all_games.hpp"
#include "engine/games/triqueta/rules.hpp"
#include "tests/games/bids/rules.hpp"

namespace triquetra {
namespace {

/// Random games for each game, its options and each number of seats; TRIQUETRA_LAW_GAMES asks for
/// more.
std::uint32_t games() {
  const char* asked = std::getenv("TRIQUETRA_LAW_GAMES");
  return asked != nullptr ? static_cast<std::uint32_t>(std::stoul(asked)) : 60;
}

template <Game G>
laws::Violation all_laws(const typename G::Options& options, std::size_t seats,
                         std::uint32_t number) {
  Rng rng(laws::seed_number(number + 1'000'000));
  const auto played = laws::play<G>(options, seats, number);
  if (auto wrong = laws::ends<G>(played)) return wrong;
  if (auto wrong = laws::legal<G>(played, seats, rng)) return wrong;
  if (auto wrong = laws::repeatable<G>(played)) return wrong;
  if (auto wrong = laws::decisions<G>(played)) return wrong;
  if (auto wrong = laws::deal<G>(played, options, seats)) return wrong;
  if (auto wrong = laws::scramble<G>(played, seats, rng)) return wrong;
  if (!laws::scrambles<G>(played, rng)) return "scramble changes nothing";
  return laws::bots<G>(options, seats, number);
}

template <Game G>
void hold(const typename G::Options& options) {
  for (std::size_t seats = 0; seats <= kMaxSeats; ++seats) {
    if (G::check(options, seats)) continue;
    CAPTURE(G::kName);
    CAPTURE(encoded(options));
    CAPTURE(seats);
    for (std::uint32_t number = 0; number < games(); ++number) {
      CAPTURE(number);
      const auto wrong = all_laws<G>(options, seats, number);
      REQUIRE_MESSAGE(!wrong.has_value(), *wrong);
    }
  }
}

/// The options worth playing: a game's own list where it has one, else the defaults.
template <Game G>
std::vector<typename G::Options> options_of() {
  return {typename G::Options{}};
}
template <>
std::vector<triqueta::Options> options_of<triqueta::Rules>() {
  std::vector<triqueta::Options> all;
  for (const auto variant :
       {triqueta::Variant::base, triqueta::Variant::wolves, triqueta::Variant::duo}) {
    triqueta::Options options;
    options.variant = variant;
    all.push_back(options);
  }
  return all;
}

TEST_CASE("every game obeys the laws") {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<boost::mp11::mp_identity, AllGames>>(
      [](auto game) {
        using G = typename decltype(game)::type;
        std::size_t table_sizes = 0;
        for (const auto& options : options_of<G>()) {
          for (std::size_t seats = 0; seats <= kMaxSeats; ++seats)
            table_sizes += !G::check(options, seats);
          hold<G>(options);
        }
        CHECK(table_sizes > 0);
      });
}

TEST_CASE("the id law: the first view tells nothing of the deal") {
  for (auto options : options_of<triqueta::Rules>()) {
    options.first_seat = Int<0, 4>(0);
    const std::size_t seats = options.variant == triqueta::Variant::duo ? 2 : 4;
    CHECK(!laws::ids<triqueta::Rules>(options, seats, 200));
  }
  CHECK(!laws::ids<bids::Rules>({}, 3, 200));
}

// --- canaries: each breaks one law

/// A table view in which a number depends on a hidden face.
struct CountLeaks : bids::Rules {
  static bids::TableView table_view(const bids::State& state) {
    auto view = bids::Rules::table_view(state);
    for (std::size_t i = 0; i < view.seats.size(); ++i) {
      for (const auto& card : state.hands[Seat{i}])
        view.seats[i].points += int{card.for_rules()} > 9 ? 1 : 0;
    }
    return view;
  }
};
/// A seat view from the neighbour's eye.
struct EyeLeaks : bids::Rules {
  static bids::SeatView seat_view(const bids::State& state, Eye eye) {
    return bids::Rules::seat_view(state, EyeMaker::of(next_seat(eye.seat(), state.points.size())));
  }
};
/// Legal acts in an order that a hidden face decides.
struct OrderLeaks : bids::Rules {
  static std::vector<bids::Action> legal(const bids::State& state, Seat seat) {
    auto acts = bids::Rules::legal(state, seat);
    const auto& other = state.hands[next_seat(seat, state.points.size())];
    if (!other.empty() && int{other.front().for_rules()} > 6)
      std::reverse(acts.begin(), acts.end());
    return acts;
  }
};
/// A sealed answer that others can see.
struct AnswerLeaks : bids::Rules {
  static std::vector<bids::Event> happened(const bids::State& state) {
    auto events = bids::Rules::happened(state);
    const auto* bidding = std::get_if<bids::Bidding>(&state.stage);
    if (bidding != nullptr && bidding->sealed[Seat{0}]) {
      events.emplace_back(bids::Claimed{Seat{0}, *bidding->sealed[Seat{0}]});
    }
    return events;
  }
};
/// A list of legal acts with one missing.
struct ListForgets : bids::Rules {
  static std::vector<bids::Action> legal(const bids::State& state, Seat seat) {
    auto acts = bids::Rules::legal(state, seat);
    if (acts.size() > 1) acts.pop_back();
    return acts;
  }
};
/// A refusal of what the list offers.
struct CheckRefuses : bids::Rules {
  using bids::Rules::check;
  static std::optional<Fault> check(const bids::State& state, Seat seat,
                                    const bids::Action& action) {
    if (state.round == 2 && std::holds_alternative<bids::Grab>(action)) return Fault{"B5"};
    return bids::Rules::check(state, seat, action);
  }
};
/// An act that does not always do the same.
struct Forgetful : bids::Rules {
  static bids::State apply(const bids::State& state, Seat seat, const bids::Action& action) {
    static int calls = 0;
    auto next = bids::Rules::apply(state, seat, action);
    next.last_id += static_cast<std::uint32_t>(++calls % 2);
    return next;
  }
};
/// A window whose lapse changes the id of the turn beside it.
struct WindowBumps : bids::Rules {
  static bids::State lapse(const bids::State& state, DecisionId decision) {
    auto next = bids::Rules::lapse(state, decision);
    std::get<bids::Claiming>(next.stage).id = DecisionId{static_cast<std::size_t>(++next.last_id)};
    return next;
  }
};
/// A deal that is written down wrongly.
struct DealLies : bids::Rules {
  static bids::Deal deal(const bids::State& start, const bids::State& end) {
    auto deal = bids::Rules::deal(start, end);
    std::reverse(deal.hands.begin(), deal.hands.end());
    return deal;
  }
};
/// A result before the end.
struct EndsEarly : bids::Rules {
  static std::optional<Result> result(const bids::State& state) {
    if (state.round == 3) return Result{};
    return bids::Rules::result(state);
  }
};
/// A handle that was given out before the shuffle.
struct IdLeaks : bids::Rules {
  static bids::TableView table_view(const bids::State& state) {
    auto view = bids::Rules::table_view(state);
    if (!state.hands[Seat{0}].empty())
      view.round += 100 * int{state.hands[Seat{0}].front().for_rules()};
    return view;
  }
};
/// A bot that answers out of turn.
struct BotErrs : bids::Rules {
  static std::optional<bids::Action> choose(const bids::TableView&, const bids::SeatView&,
                                            const std::vector<bids::Action>&, Rng&) {
    return bids::Grab{};
  }
};

template <Game Leaky>
bool is_caught() {
  for (std::uint32_t number = 0; number < 20; ++number) {
    if (all_laws<Leaky>({}, 3, number)) return true;
  }
  return laws::ids<Leaky>({}, 3, 50).has_value();
}

TEST_CASE("each canary is caught, and the game that it is made from is not") {
  CHECK(is_caught<CountLeaks>());
  CHECK(is_caught<EyeLeaks>());
  CHECK(is_caught<OrderLeaks>());
  CHECK(is_caught<AnswerLeaks>());
  CHECK(is_caught<ListForgets>());
  CHECK(is_caught<CheckRefuses>());
  CHECK(is_caught<Forgetful>());
  CHECK(is_caught<WindowBumps>());
  CHECK(is_caught<DealLies>());
  CHECK(is_caught<EndsEarly>());
  CHECK(is_caught<IdLeaks>());
  CHECK(is_caught<BotErrs>());
  CHECK(!is_caught<bids::Rules>());
}

}  // namespace
}  // namespace triquetra
