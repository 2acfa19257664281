// A planner for every game: how good an act is shows when the match is played out in the head, in
// many worlds that fit what the seat knows. It gets no state but an imagined one, so all that it
// does is a function of what its seat was sent, of its generator and of its budget.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/game.hpp"
#include "engine/levels.hpp"

namespace triquetra {

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

/// Weighs all that a seat may choose by playing it out in the same worlds, with the same luck, and
/// drops in each of a few rounds what has come out worse.
template <Game G>
class Planner {
 public:
  using State = typename G::State;
  using Action = typename G::Action;

  Planner(const Imagined<G>& known, const Rng& rng)
      : known_(known), rng_(rng), world_(known.world()) {}

  /// Before: the seat is asked. At most so many playouts; `is_cancelled()` is asked before each,
  /// and once it says yes the plan is what has come out so far.
  template <class IsCancelled>
  Plan<G> plan(std::uint32_t playouts, const IsCancelled& is_cancelled) {
    const auto decision = decision_for(G::decisions(known_.world()), known_.seat());
    ensure(decision.has_value(), "a plan is for a seat that is asked");
    choices<G>(known_.world(), *decision, known_.seat(), acts_, choices_);
    candidates_.assign(choices_.size(), {});
    std::vector<std::size_t> left(choices_.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    std::uint32_t spent = 0;
    const std::uint32_t rounds = rounds_for(left.size());
    for (std::uint32_t round = 0; round < rounds && left.size() > 1; ++round) {
      const std::uint32_t until = playouts * (round + 1) / rounds;
      while (spent + left.size() <= until) {
        known_.imagine(world_, rng_);
        luck_ = Rng(seed_from(rng_));
        for (const std::size_t place : left) {
          if (is_cancelled()) return weighed(spent);
          play_out(place);
          ++spent;
        }
      }
      halve(left);
    }
    return weighed(spent);
  }

 private:
  struct Candidate {
    double worth = 0.0;
    double wins = 0.0;
    double points = 0.0;
    std::uint32_t worlds = 0;
    double mean() const { return worlds == 0 ? -1.0 : worth / worlds; }
  };

  static std::uint32_t rounds_for(std::size_t count) {
    std::uint32_t rounds = 1;
    while ((std::size_t{1} << rounds) < count) ++rounds;
    return rounds;
  }
  static Seed seed_from(Rng& rng) {
    Seed seed;
    for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(rng.below(256));
    return seed;
  }

  void halve(std::vector<std::size_t>& left) const {
    std::stable_sort(left.begin(), left.end(), [&](std::size_t one, std::size_t other) {
      return candidates_[one].mean() > candidates_[other].mean();
    });
    left.resize((left.size() + 1) / 2);
  }

  void play_out(std::size_t place) {
    State state = world_;
    Rng luck = luck_;
    bool has_chosen = false;
    const auto choose = [&](const State& now, const Decision&, Seat seat) -> Choice<G> {
      if (!has_chosen && seat != known_.seat()) return std::nullopt;
      if (has_chosen) return choose_by_game<G>(now, seat, acts_, luck);
      has_chosen = true;
      return choices_[place];
    };
    if (choices_[place]) {
      G::apply(state, known_.seat(), *choices_[place]);
      has_chosen = true;
    }
    while (!G::decisions(state).empty()) step<G>(state, choose);
    add(candidates_[place], *G::result(state));
  }

  void add(Candidate& candidate, const Result& result) {
    const std::size_t own = known_.seat().index();
    const bool has_won = std::find(result.winners.begin(), result.winners.end(), known_.seat()) !=
                         result.winners.end();
    const double wins = has_won ? 1.0 / static_cast<double>(result.winners.size()) : 0.0;
    double worth = wins;
    if (!result.scores.empty()) {
      int best = INT32_MIN;
      for (std::size_t i = 0; i < result.scores.size(); ++i) {
        if (i != own) best = std::max(best, result.scores[i]);
      }
      const double lead = result.scores[own] - best;
      worth += lead / (std::abs(lead) + 10.0);
      candidate.points += result.scores[own];
      has_points_ = true;
    }
    candidate.wins += wins;
    candidate.worth += worth;
    ++candidate.worlds;
  }

  Plan<G> weighed(std::uint32_t playouts) const {
    Plan<G> plan;
    plan.playouts = playouts;
    std::size_t best = 0;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const Candidate& candidate = candidates_[i];
      const double worlds = std::max(1U, candidate.worlds);
      plan.acts.push_back({choices_[i], candidate.worth / worlds, candidate.wins / worlds,
                           std::nullopt, candidate.worlds});
      if (has_points_) plan.acts.back().points = candidate.points / worlds;
      const Candidate& other = candidates_[best];
      if (candidate.worlds > other.worlds ||
          (candidate.worlds == other.worlds && candidate.mean() > other.mean())) {
        best = i;
      }
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
  std::vector<Candidate> candidates_;
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
  if (strength.playouts == 0) {
    return {choose_by_game<G>(known.world(), known.seat(), acts, rng), {}, 0};
  }
  return Planner<G>(known, rng).plan(strength.playouts, is_cancelled);
}

}  // namespace triquetra
