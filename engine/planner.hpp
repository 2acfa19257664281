// A planner for every game: how good an act is shows when the match is played out in the head, in
// many worlds that fit what the seat knows. It gets no state but an imagined one, so all that it
// does is a function of what its seat was sent, of its generator and of its budget.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "engine/game.hpp"
#include "engine/levels.hpp"

namespace triquetra {

// Plain determinised Monte-Carlo, on purpose: an information-set tree below each act, grown by
// PUCT with the game's own bot as its prior, was no stronger for the same playouts (docs/BOTS.md).

/// A world as one seat may imagine it. States that the seat cannot tell apart become the same one.
template <Game G>
class Imagined {
 public:
  using State = typename G::State;

  Imagined(const State& state, Seat seat, Rng& rng) : seat_(seat), world_(state) {
    G::imagine(world_, seat_, rng);
  }
  Seat seat() const { return seat_; }
  const State& world() const { return world_; }
  /// Makes `other` another world that the seat cannot tell from this one.
  void imagine(State& other, Rng& rng) const {
    other = world_;
    G::imagine(other, seat_, rng);
  }

 private:
  Seat seat_;
  State world_;
};

/// An act, or none: the seat leaves a window to its clock.
template <Game G>
using Choice = std::optional<typename G::Action>;

/// What an act promises its seat, as far as it was looked into.
template <Game G>
struct Weighed {
  Choice<G> choice;
  /// What the planner goes by: higher is better, comparable within one plan alone.
  double worth = 0.0;
  /// The part of the matches that it wins, a shared win counted in parts: 0 to 1.
  double wins = 0.0;
  /// Its score at the end; none in a game without points.
  std::optional<double> points;
  /// In how many worlds; the less, the less the numbers say. 0: it was not looked into.
  std::uint32_t worlds = 0;
};

template <Game G>
struct Plan {
  Choice<G> choice;
  /// All that is open, in the order of legal() without waivers; last, where a window asks, none.
  std::vector<Weighed<G>> acts;
  /// Played out altogether.
  std::uint32_t playouts = 0;
};

/// Makes the next step of a match that is not over, as bots do at a table: windows are asked before
/// what stands beside them, and one that nobody uses lapses if nothing else is open. `choose` gets
/// the state, a decision and a seat that it asks, and gives a Choice.
template <Game G, class Choose>
void step(typename G::State& state, const Choose& choose) {
  const Decisions open = G::decisions(state);
  ensure(!open.empty(), "a match that is over has no next step");
  for (const bool windows : {true, false}) {
    for (const Decision& decision : open) {
      if (std::holds_alternative<Window>(decision.ask) != windows) continue;
      for (const Seat seat : asked(decision).list()) {
        const auto choice = choose(std::as_const(state), decision, seat);
        if (choice) return G::apply(state, seat, *choice);
      }
    }
  }
  const auto window = std::find_if(open.begin(), open.end(), [](const Decision& decision) {
    return std::holds_alternative<Window>(decision.ask);
  });
  ensure(window != open.end(), "nobody acts, and nothing lapses");
  G::lapse(state, window->id);
}

/// What a seat that a decision asks may choose: its legal acts without waivers, and none if a
/// window asks.
template <Game G>
void choices(const typename G::State& state, const Decision& decision, Seat seat,
             std::vector<typename G::Action>& acts, std::vector<Choice<G>>& choices) {
  G::legal(state, seat, acts);
  choices.clear();
  for (const auto& act : acts) {
    if (!is_waiver(act)) choices.emplace_back(act);
  }
  if (std::holds_alternative<Window>(decision.ask)) choices.emplace_back();
}

/// The game's own bot in one seat.
template <Game G>
Choice<G> choose_by_game(const typename G::State& state, Seat seat,
                         std::vector<typename G::Action>& acts, Rng& rng) {
  G::legal(state, seat, acts);
  return G::choose(G::table_view(state), G::seat_view(state, EyeMaker::of(seat)), acts, rng);
}

/// What a match came to for one seat, or what several came to, summed.
struct Payoff {
  double worth = 0.0;
  double wins = 0.0;
  double points = 0.0;
};

/// A seat's part of the win, and how far it leads the best of the others (or trails), in part: a
/// planner that sees no win strives for points, and one that leads does not get careless.
inline Payoff payoff_of(const Result& result, Seat seat) {
  // A lead of so many points counts as half of all that leads can count.
  constexpr double kHalf = 10.0;
  Payoff payoff;
  const auto& winners = result.winners;
  if (std::find(winners.begin(), winners.end(), seat) != winners.end()) {
    payoff.wins = 1.0 / static_cast<double>(winners.size());
  }
  payoff.worth = payoff.wins;
  if (result.scores.empty()) return payoff;
  int best = std::numeric_limits<int>::min();
  for (const Seat other : seats_of(result.scores.size())) {
    if (other != seat) best = std::max(best, result.scores[other.index()]);
  }
  payoff.points = result.scores[seat.index()];
  const double lead = payoff.points - best;
  payoff.worth += lead / (std::abs(lead) + kHalf);
  return payoff;
}

/// Weighs all that a seat may choose by playing it out in the same worlds, with the same luck. In
/// each of a few rounds the worse half is dropped, and before that whatever is clearly worse.
template <Game G>
class Planner {
 public:
  using State = typename G::State;
  using Action = typename G::Action;

  /// `known` must outlive it. Before: its seat is asked.
  Planner(const Imagined<G>& known, const Rng& rng)
      : known_(known), rng_(rng), world_(known.world()) {
    const auto decision = decision_for(G::decisions(world_), known.seat());
    ensure(decision.has_value(), "a plan is for a seat that is asked");
    const Choice<G> usual = choose_by_game<G>(world_, known.seat(), acts_, rng_);
    choices<G>(world_, *decision, known.seat(), acts_, choices_);
    const auto found = std::find(choices_.begin(), choices_.end(), usual);
    ensure(found != choices_.end(), "a bot chooses what is open");
    usual_ = static_cast<std::size_t>(found - choices_.begin());
    candidates_.resize(choices_.size());
  }

  /// At most so many playouts; `is_cancelled()` is asked before each, and once it says yes the plan
  /// is what has come out so far.
  template <class IsCancelled>
  Plan<G> plan(std::uint32_t playouts, const IsCancelled& is_cancelled) {
    std::vector<std::size_t> left = first_candidates(playouts);
    std::size_t rounds = 1;
    while ((left.size() >> rounds) > 1) ++rounds;
    for (std::size_t round = 1; round <= rounds && left.size() > 1; ++round) {
      const std::size_t until = playouts * round / rounds;
      while (!is_clear(left)) {
        known_.imagine(world_, rng_);
        luck_ = Rng(seed_from(rng_));
        for (const std::size_t place : left) {
          if (is_cancelled()) return weighed();
          const double worth = play_out(place);
          if (place == usual_) worth_of_usual_ = worth;
          candidates_[place].add_lead(worth - worth_of_usual_);
          ++spent_;
        }
        if (spent_ + left.size() > until) break;
      }
      drop(left);
    }
    return weighed();
  }

 private:
  struct Candidate {
    Payoff sum;
    std::uint32_t worlds = 0;
    /// What it came to beyond the usual choice in the same world.
    double lead = 0.0;
    double lead_squares = 0.0;

    void add_lead(double more) {
      lead += more;
      lead_squares += more * more;
    }
    double mean_lead() const { return worlds == 0 ? 0.0 : lead / worlds; }
    /// How far chance may have moved the mean.
    double error() const {
      if (worlds < 2) return 1.0;
      const double spread = lead_squares / worlds - mean_lead() * mean_lead();
      return std::sqrt(std::max(0.0, spread) / (worlds - 1));
    }
  };

  /// A lead of so many errors is none by chance.
  static constexpr double kClear = 3.0;

  static Seed seed_from(Rng& rng) {
    Seed seed;
    for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(rng.below(256));
    return seed;
  }

  /// The usual choice, and as many others as a few worlds each can be afforded for.
  std::vector<std::size_t> first_candidates(std::uint32_t playouts) {
    constexpr std::uint32_t kFewestWorlds = 3;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (i != usual_) left.push_back(i);
    }
    rng_.shuffle(left);
    left.insert(left.begin(), usual_);
    left.resize(std::min<std::size_t>(left.size(), playouts / kFewestWorlds));
    return left;
  }

  /// Whether more worlds would hardly change what is chosen.
  bool is_clear(const std::vector<std::size_t>& left) const {
    constexpr std::uint32_t kEnoughWorlds = 16;
    const Candidate& last = candidates_[left.back()];
    return left.size() < 3 && last.worlds >= kEnoughWorlds &&
           std::abs(last.mean_lead()) > kClear * last.error();
  }

  /// Keeps the usual choice, which all are measured by, and the better half of the others.
  void drop(std::vector<std::size_t>& left) const {
    std::sort(left.begin() + 1, left.end(), [&](std::size_t one, std::size_t other) {
      const double lead = candidates_[one].mean_lead(), others = candidates_[other].mean_lead();
      return lead > others || (lead == others && one < other);
    });
    left.resize(1 + left.size() / 2);
    const Candidate& best = candidates_[left[1]];
    const double floor = std::max(0.0, best.mean_lead() - kClear * best.error());
    while (left.size() > 1) {
      const Candidate& last = candidates_[left.back()];
      if (last.mean_lead() + kClear * last.error() >= floor) break;
      left.pop_back();
    }
  }

  double play_out(std::size_t place) {
    State state = world_;
    Rng luck = luck_;
    bool has_chosen = choices_[place].has_value();
    if (has_chosen) G::apply(state, known_.seat(), *choices_[place]);
    const auto choose = [&](const State& now, const Decision&, Seat seat) -> Choice<G> {
      if (!has_chosen) {
        has_chosen = seat == known_.seat();
        return std::nullopt;
      }
      return choose_by_game<G>(now, seat, acts_, luck);
    };
    while (!G::decisions(state).empty()) step<G>(state, choose);
    const Result result = *G::result(state);
    has_points_ = !result.scores.empty();
    const Payoff own = payoff_of(result, known_.seat());
    Candidate& candidate = candidates_[place];
    candidate.sum.worth += own.worth;
    candidate.sum.wins += own.wins;
    candidate.sum.points += own.points;
    ++candidate.worlds;
    return own.worth;
  }

  Plan<G> weighed() const {
    // So many errors are taken off a lead: of many acts that are no better, one looks so by chance.
    constexpr double kDoubt = 0.7;
    Plan<G> plan;
    plan.playouts = spent_;
    std::size_t best = usual_;
    double most = 0.0;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const Candidate& candidate = candidates_[i];
      const double worlds = std::max(1U, candidate.worlds);
      plan.acts.push_back({choices_[i], candidate.sum.worth / worlds, candidate.sum.wins / worlds,
                           std::nullopt, candidate.worlds});
      if (has_points_) plan.acts.back().points = candidate.sum.points / worlds;
      const double lead = candidate.mean_lead() - kDoubt * candidate.error();
      if (candidate.worlds < 2 || lead <= most) continue;
      best = i;
      most = lead;
    }
    plan.choice = choices_[best];
    return plan;
  }

  const Imagined<G>& known_;
  Rng rng_;
  State world_;
  Rng luck_{Seed{}};
  std::vector<Action> acts_;
  std::vector<Choice<G>> choices_;
  /// The place of what the game's own bot would do: it comes first, and stays unless another is
  /// better for all that is known.
  std::size_t usual_ = 0;
  double worth_of_usual_ = 0.0;
  std::vector<Candidate> candidates_;
  std::uint32_t spent_ = 0;
  bool has_points_ = false;
};

/// What a bot of this strength does; acts are weighed only if it looks ahead.
template <Game G, class IsCancelled>
Plan<G> decide(const Imagined<G>& known, const Strength& strength, Rng& rng,
               const IsCancelled& is_cancelled) {
  const auto decision = decision_for(G::decisions(known.world()), known.seat());
  ensure(decision.has_value(), "a bot decides for a seat that is asked");
  std::vector<typename G::Action> acts;
  if (rng.below(100) < strength.random_percent) {
    std::vector<Choice<G>> open;
    choices<G>(known.world(), *decision, known.seat(), acts, open);
    return {rng.pick(open), {}, 0};
  }
  if (strength.playouts == 0 || rng.below(100) < strength.habit_percent) {
    return {choose_by_game<G>(known.world(), known.seat(), acts, rng), {}, 0};
  }
  return Planner<G>(known, rng).plan(strength.playouts, is_cancelled);
}

}  // namespace triquetra
