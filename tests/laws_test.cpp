// Every game against the contract, over many random games; and canaries: games that break one law
// each, which the law must catch.
#include "tests/laws.hpp"

#include <doctest/doctest.h>

#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "all_games.hpp"
#include "tests/games/bids/rules.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

/// Random games for each game, its options and each number of seats, numbered from the seed on;
/// TRIQUETRA_LAW_GAMES asks for another count: more in a long run, fewer in the asan preset, where
/// each takes ten times as long.
std::uint32_t games() {
  const char* asked = std::getenv("TRIQUETRA_LAW_GAMES");
  return asked != nullptr ? static_cast<std::uint32_t>(std::stoul(asked)) : 60;
}

/// What each law says of one random game, by the law's name; laws that hold say nothing.
template <Game G>
std::map<std::string, std::string> broken_laws(const typename G::Options& options,
                                               std::size_t seats, std::uint32_t number) {
  std::map<std::string, std::string> broken;
  const auto ask = [&](const std::string& name, auto law) {
    try {
      if (const laws::Violation wrong = law()) broken[name] = *wrong;
    } catch (const Bug& bug) {
      broken[name] = bug.what();
    }
  };
  Rng rng(laws::seed_number(number, 2));
  const auto played = laws::play<G>(options, seats, number);
  ask("ends", [&] { return laws::ends<G>(played); });
  ask("legal", [&] { return laws::legal<G>(played, seats, rng); });
  ask("repeatable", [&] { return laws::repeatable<G>(played, options, seats, number); });
  ask("heap", [&] { return laws::heap<G>(played, rng); });
  ask("decisions", [&] { return laws::decisions<G>(played); });
  ask("lapse", [&] { return laws::lapse<G>(played); });
  ask("answer", [&] { return laws::answer<G>(played, seats); });
  ask("deal", [&] { return laws::deal<G>(played, options, seats); });
  ask("imagine", [&] { return laws::imagine<G>(played, seats, rng); });
  ask("preview", [&] { return laws::preview<G>(played, seats, rng); });
  ask("imagines", [&] { return laws::imagines<G>(played, seats, rng); });
  ask("bots", [&] { return laws::bots<G>(options, seats, number); });
  return broken;
}

template <Game G>
void hold(const typename G::Options& options) {
  for (std::size_t seats = 0; seats <= kMaxSeats; ++seats) {
    if (G::check(options, seats)) continue;
    CAPTURE(G::kName);
    CAPTURE(encoded(options));
    CAPTURE(seats);
    const std::uint32_t first = tests::take_seed();
    for (std::uint32_t number = first; number != first + games(); ++number) {
      CAPTURE(number);
      for (const auto& [law, wrong] : broken_laws<G>(options, seats, number)) {
        FAIL("law " << law << ": " << wrong);
      }
    }
  }
}

TEST_CASE("every game obeys the laws") {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<boost::mp11::mp_identity, AllGames>>(
      [](auto game) {
        using G = typename decltype(game)::type;
        std::size_t table_sizes = 0;
        for (const auto& options : G::variants()) {
          for (std::size_t seats = 0; seats <= kMaxSeats; ++seats)
            table_sizes += !G::check(options, seats);
          hold<G>(options);
        }
        CHECK(table_sizes > 0);
      });
}

/// The options with nothing public left to chance.
template <class Options>
Options without_public_chance(Options options) {
  if constexpr (requires { options.first_seat; }) options.first_seat = 0;
  return options;
}

TEST_CASE("the id law: the first view tells nothing of the deal") {
  boost::mp11::mp_for_each<boost::mp11::mp_transform<boost::mp11::mp_identity, AllGames>>(
      [](auto game) {
        using G = typename decltype(game)::type;
        for (const auto& variant : G::variants()) {
          const auto options = without_public_chance(variant);
          for (std::size_t seats = 0; seats <= kMaxSeats; ++seats) {
            if (!G::check(options, seats)) {
              CHECK(!laws::ids<G>(options, seats, tests::take_seed(), 50));
            }
          }
        }
      });
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
  static void legal(const bids::State& state, Seat seat, std::vector<bids::Action>& acts) {
    bids::Rules::legal(state, seat, acts);
    const auto& other = state.hands[next_seat(seat, state.points.size())];
    if (!other.empty() && int{other.front().for_rules()} > 6)
      std::reverse(acts.begin(), acts.end());
  }
};
/// An event that tells a sealed answer.
struct SealLeaks : bids::Rules {
  static bids::Events happened(const bids::State& state) {
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
  static void legal(const bids::State& state, Seat seat, std::vector<bids::Action>& acts) {
    bids::Rules::legal(state, seat, acts);
    if (acts.size() > 1) acts.pop_back();
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
  static void apply(bids::State& state, Seat seat, const bids::Action& action) {
    static int calls = 0;
    bids::Rules::apply(state, seat, action);
    state.last_id += static_cast<std::uint32_t>(++calls % 2);
  }
};
/// A list of legal acts that is made elsewhere first.
struct ListsOnHeap : bids::Rules {
  static void legal(const bids::State& state, Seat seat, std::vector<bids::Action>& acts) {
    acts = legal_acts<bids::Rules>(state, seat);
  }
};
/// An act that keeps the old state while it makes the new one.
struct ActsOnHeap : bids::Rules {
  static void apply(bids::State& state, Seat seat, const bids::Action& action) {
    const std::vector<bids::State> before{state};
    bids::Rules::apply(state, seat, action);
    ensure(state.last_id >= before.front().last_id, "ids count up");
  }
};
/// A window whose lapse changes the id of the turn beside it.
struct WindowBumps : bids::Rules {
  static void lapse(bids::State& state, DecisionId decision) {
    bids::Rules::lapse(state, decision);
    std::get<bids::Claiming>(state.stage).id =
        DecisionId{static_cast<std::size_t>(++state.last_id)};
  }
};
/// A window whose length depends on a hidden face.
struct LengthLeaks : bids::Rules {
  static Decisions decisions(const bids::State& state) {
    auto open = bids::Rules::decisions(state);
    for (Decision& decision : open) {
      auto* window = std::get_if<Window>(&decision.ask);
      if (window == nullptr || state.hands[Seat{0}].empty()) continue;
      window->length += std::chrono::milliseconds(int{state.hands[Seat{0}].front().for_rules()});
    }
    return open;
  }
};
/// A window that does not lapse.
struct WindowStays : bids::Rules {
  static void lapse(bids::State&, DecisionId) {}
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

/// A refusal that depends on a hidden face.
struct RefusalLeaks : bids::Rules {
  using bids::Rules::check;
  static std::optional<Fault> check(const bids::State& state, Seat seat,
                                    const bids::Action& action) {
    const auto fault = bids::Rules::check(state, seat, action);
    const auto& other = state.hands[next_seat(seat, state.points.size())];
    if (fault && !other.empty() && other.front().for_rules() == bids::Number(7)) return Fault{"B1"};
    return fault;
  }
};
/// A ballot that becomes another question with each answer.
struct BallotBumps : bids::Rules {
  static void apply(bids::State& state, Seat seat, const bids::Action& action) {
    bids::Rules::apply(state, seat, action);
    auto* bidding = std::get_if<bids::Bidding>(&state.stage);
    const bool fills = bidding != nullptr && std::holds_alternative<bids::Bid>(action);
    if (fills) bidding->id = DecisionId{static_cast<std::size_t>(++state.last_id)};
  }
};
/// A turn that becomes another question when somebody uses the window beside it.
struct GrabBumps : bids::Rules {
  static void apply(bids::State& state, Seat seat, const bids::Action& action) {
    bids::Rules::apply(state, seat, action);
    if (auto* claiming = std::get_if<bids::Claiming>(&state.stage);
        claiming != nullptr && std::holds_alternative<bids::Grab>(action)) {
      claiming->id = DecisionId{static_cast<std::size_t>(++state.last_id)};
    }
  }
};
/// A seat that forgets what it has answered.
struct AnswerForgets : bids::Rules {
  static std::optional<bids::Action> answer(const bids::State&, Eye) { return std::nullopt; }
};
/// Imagining that leaves everything where it is.
struct ImaginesNothing : bids::Rules {
  static void imagine(bids::State&, Viewer, Rng&) {}
};

/// Imagining that leaves what is hidden where it is, a place further.
struct ImaginesNearby : bids::Rules {
  static void imagine(bids::State& state, Viewer viewer, Rng& rng) {
    for (auto& hand : state.hands) {
      for (auto& card : hand) {
        if (!card.visible_to(viewer)) card.replace(int{card.for_rules()} % 12 + 1);
      }
    }
    rng.next();
  }
};

/// A preview that forgets what one act brings.
struct PreviewErrs : bids::Rules {
  static std::optional<int> preview(const bids::TableView& table, const bids::SeatView& mine,
                                    const bids::Action& action) {
    const auto points = bids::Rules::preview(table, mine, action);
    return std::holds_alternative<bids::Grab>(action) ? std::optional(0) : points;
  }
};
/// A preview that depends on what the seat does not see.
struct PreviewGuesses : bids::Rules {
  static std::optional<int> preview(const bids::TableView&, const bids::SeatView&,
                                    const bids::Action&) {
    return 3;
  }
};

/// Whether this law finds fault with the game in some of a few random plays.
template <Game Leaky>
bool is_caught(const std::string& law) {
  const std::uint32_t first = tests::take_seed(0);
  for (std::uint32_t number = first; number != first + 20; ++number) {
    if (broken_laws<Leaky>({}, 3, number).contains(law)) return true;
  }
  return false;
}

TEST_CASE("each canary is caught by the law it breaks") {
  CHECK(is_caught<CountLeaks>("imagine"));
  CHECK(is_caught<EyeLeaks>("imagine"));
  CHECK(is_caught<OrderLeaks>("imagine"));
  CHECK(is_caught<SealLeaks>("imagine"));
  CHECK(is_caught<RefusalLeaks>("imagine"));
  CHECK(is_caught<LengthLeaks>("imagine"));
  CHECK(is_caught<ImaginesNothing>("imagines"));
  CHECK(is_caught<ImaginesNearby>("imagine"));
  CHECK(is_caught<ListForgets>("legal"));
  CHECK(is_caught<CheckRefuses>("legal"));
  CHECK(is_caught<Forgetful>("repeatable"));
  CHECK(is_caught<ListsOnHeap>("heap"));
  CHECK(is_caught<ActsOnHeap>("heap"));
  CHECK(is_caught<WindowBumps>("decisions"));
  CHECK(is_caught<WindowStays>("lapse"));
  CHECK(is_caught<BallotBumps>("decisions"));
  CHECK(is_caught<GrabBumps>("decisions"));
  CHECK(is_caught<AnswerForgets>("answer"));
  CHECK(is_caught<DealLies>("deal"));
  CHECK(is_caught<EndsEarly>("ends"));
  CHECK(is_caught<BotErrs>("bots"));
  CHECK(is_caught<PreviewErrs>("preview"));
  CHECK(is_caught<PreviewGuesses>("preview"));
  CHECK(laws::ids<IdLeaks>({}, 3, tests::take_seed(0), 50).has_value());
}

TEST_CASE("a canary: a failure tells the seed that led to it" * doctest::skip()) {
  CHECK(tests::take_seed() != tests::take_seed());
}

TEST_CASE("the game that the canaries are made from breaks no law") {
  const std::uint32_t first = tests::take_seed();
  for (std::uint32_t number = first; number != first + 20; ++number) {
    CHECK(broken_laws<bids::Rules>({}, 3, number).empty());
  }
}

}  // namespace
}  // namespace triquetra
