// The laws that every game obeys, as functions that say what is wrong, so that canaries can be
// caught by them. A law plays one random game from a seed and looks at every state of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/game.hpp"
#include "engine/planner.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "tests/allocations.hpp"
#include "tests/seed.hpp"

namespace triquetra::laws {

using Violation = std::optional<std::string>;

using tests::seed_number;

/// No game of ours comes near it.
inline constexpr std::size_t kMostSteps = 3000;

/// One step of a random game: an act of a seat that answers a decision, or the lapse of that
/// decision.
template <Game G>
struct Step {
  std::optional<std::pair<Seat, typename G::Action>> act;
  DecisionId decision;
};

template <Game G>
void take(typename G::State& state, const Step<G>& step) {
  step.act ? G::apply(state, step.act->first, step.act->second) : G::lapse(state, step.decision);
}

template <Game G>
typename G::State next_state(const typename G::State& state, const Step<G>& step) {
  auto next = state;
  take<G>(next, step);
  return next;
}

/// A random step of a game that is not over; windows lapse now and then.
template <Game G>
Step<G> random_step(const typename G::State& state, Rng& rng) {
  const auto decisions = G::decisions(state);
  const Decision decision = rng.pick(decisions);
  if (std::holds_alternative<Window>(decision.ask) && rng.below(3) == 0) {
    return {std::nullopt, decision.id};
  }
  const Seat seat = rng.pick(asked(decision).list());
  return {std::pair(seat, rng.pick(legal_acts<G>(state, seat))), decision.id};
}

/// A random game: every state from the setup to the end, and the steps between them. `ended` is
/// false if it took too long.
template <Game G>
struct Played {
  std::vector<typename G::State> states;
  std::vector<Step<G>> steps;
  bool ended = false;
};

template <Game G>
Played<G> play(const typename G::Options& options, std::size_t seats, std::uint32_t number) {
  Chance<typename G::Deal> chance{Rng(seed_number(number))};
  Played<G> played;
  played.states.push_back(G::setup(options, seats, chance));
  Rng rng(seed_number(number, 1));
  while (played.steps.size() < kMostSteps) {
    const auto& state = played.states.back();
    if (G::decisions(state).empty()) {
      played.ended = true;
      break;
    }
    auto step = random_step<G>(state, rng);
    auto next = next_state<G>(state, step);
    played.steps.push_back(std::move(step));
    played.states.push_back(std::move(next));
  }
  return played;
}

/// What everybody is sent of a state.
template <Game G>
struct Public {
  typename G::TableView table;
  typename G::Events happened;
  Decisions decisions;
  bool operator==(const Public&) const = default;
};

/// What one seat is sent beside it.
template <Game G>
struct Private {
  typename G::SeatView mine;
  std::vector<typename G::Action> legal;
  std::vector<std::optional<int>> previews;
  std::vector<std::optional<int>> worths;
  std::optional<typename G::Action> answer;
  bool operator==(const Private&) const = default;
};

template <Game G>
Public<G> sent_to_all(const typename G::State& state) {
  return {G::table_view(state), G::happened(state), G::decisions(state)};
}

/// `table` is what everybody is sent of this state.
template <Game G>
Private<G> sent_to(const typename G::State& state, const typename G::TableView& table, Seat seat) {
  const Eye eye = EyeMaker::of(seat);
  Private<G> sent{
      G::seat_view(state, eye), legal_acts<G>(state, seat), {}, {}, G::answer(state, eye)};
  for (const auto& action : sent.legal) {
    sent.previews.push_back(G::preview(table, sent.mine, action));
    if constexpr (HasWorth<G>) sent.worths.push_back(G::worth(table, sent.mine, action));
  }
  return sent;
}

template <Game G>
std::string bytes_of(const Public<G>& sent) {
  std::string bytes = encoded(sent.table) + encoded(sent.happened);
  for (const Decision& decision : sent.decisions) {
    bytes += std::to_string(decision.id.value) + encoded(asked(decision));
    bytes += "turn, ballot or window: " + std::to_string(decision.ask.index());
    if (const auto* window = std::get_if<Window>(&decision.ask)) {
      bytes += std::to_string(window->length.count()) + " ms";
    }
  }
  return bytes;
}

template <Game G>
std::string bytes_of(const Private<G>& sent) {
  std::string bytes = encoded(sent.mine) + encoded(sent.legal);
  for (const auto& points : sent.previews) bytes += points ? std::to_string(*points) : "-";
  for (const auto& points : sent.worths) bytes += points ? std::to_string(*points) : "-";
  return bytes + (sent.answer ? encoded(*sent.answer) : "");
}

/// How what is sent differs, if it does, as bytes: equal values are equal bytes, and far cheaper to
/// compare.
template <class Sent>
Violation difference(const Sent& one, const Sent& other) {
  if (one == other) return std::nullopt;
  const std::string bytes = bytes_of(one), others = bytes_of(other);
  if (bytes == others) return std::nullopt;
  return bytes + " and " + others;
}

/// The same for one viewer of two states; `seen` is what is sent to all of the first one.
template <Game G>
Violation difference(const typename G::State& one, const Public<G>& seen,
                     const typename G::State& other, Viewer viewer) {
  const auto shown = sent_to_all<G>(other);
  if (auto differs = difference(seen, shown)) return differs;
  const Seat* seat = std::get_if<Seat>(&viewer);
  if (seat == nullptr) return std::nullopt;
  return difference(sent_to<G>(one, seen.table, *seat), sent_to<G>(other, shown.table, *seat));
}

inline std::vector<Viewer> viewers(std::size_t seats) {
  std::vector<Viewer> all{Spectator{}};
  for (const Seat seat : seats_of(seats)) all.emplace_back(seat);
  return all;
}

/// Random play ends, the result is set exactly then, and every state passes verify().
template <Game G>
Violation ends(const Played<G>& played) {
  if (!played.ended) return "the game does not end";
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    const bool last = i + 1 == played.states.size();
    if (G::result(played.states[i]).has_value() != last)
      return "the result is not set at the end alone";
    try {
      G::verify(played.states[i]);
    } catch (const Bug& bug) {
      return std::string("verify: ") + bug.what();
    }
  }
  return std::nullopt;
}

/// legal() and check() agree, for the acts of this state and for acts that were legal elsewhere.
template <Game G>
Violation legal(const Played<G>& played, std::size_t seats, Rng& rng) {
  std::vector<typename G::Action> elsewhere, sent;
  const auto contains = [](const auto& acts, const auto& act) {
    return std::find(acts.begin(), acts.end(), act) != acts.end();
  };
  for (const auto& state : played.states) {
    for (const Seat seat : seats_of(seats)) {
      const auto acts = legal_acts<G>(state, seat);
      if (acts.empty() == decision_for(G::decisions(state), seat).has_value()) {
        return "legal acts stand for seats that are not asked, or not for one that is";
      }
      for (auto act = acts.begin(); act != acts.end(); ++act) {
        if (G::check(state, seat, *act)) return "a legal act is refused: " + encoded(*act);
        if (std::find(acts.begin(), act, *act) != act) {
          return "a legal act stands twice: " + encoded(*act);
        }
        if (contains(sent, *act)) continue;
        sent.push_back(*act);
        const auto back = decode<typename G::Action>(parse_json(encoded(*act)), Reading::strict);
        if (!(back == *act)) return "an act changes on the wire: " + encoded(*act);
      }
      for (const auto& act : elsewhere) {
        if (!G::check(state, seat, act) && !contains(acts, act)) {
          return "an act passes that is not listed: " + encoded(act);
        }
      }
      if (!acts.empty() && elsewhere.size() < 60) elsewhere.push_back(rng.pick(acts));
    }
  }
  return std::nullopt;
}

/// The same input gives the same output, setup included.
template <Game G>
Violation repeatable(const Played<G>& played, const typename G::Options& options, std::size_t seats,
                     std::uint32_t number) {
  Chance<typename G::Deal> chance{Rng(seed_number(number))};
  if (!(G::setup(options, seats, chance) == played.states.front()))
    return "setup is not repeatable";
  for (std::size_t i = 0; i < played.steps.size(); ++i) {
    if (!(next_state<G>(played.states[i], played.steps[i]) == played.states[i + 1])) {
      return "the same act leads elsewhere at step " + std::to_string(i);
    }
  }
  return std::nullopt;
}

/// A question that a step does not answer stands as it was, unless it is a window; a ballot that
/// somebody answers stands without that seat. `before` is what was open, `now` what is, after
/// `step`.
template <Game G>
Violation standing(const Decisions& before, const Decisions& now, const Step<G>& step) {
  for (Decision old : before) {
    if (std::holds_alternative<Window>(old.ask)) continue;
    if (old.id == step.decision) {
      auto* ballot = std::get_if<Ballot>(&old.ask);
      if (ballot == nullptr || ballot->seats.size() == 1) continue;
      ballot->seats.erase(step.act->first);
    }
    if (std::find(now.begin(), now.end(), old) == now.end()) {
      return "a question changes that nobody has answered";
    }
  }
  return std::nullopt;
}

/// What a planner does a million times a second needs no heap: to copy a state, to see what is
/// asked and open, to imagine, and to play on. Only an act in which chance decides something may
/// need it.
template <Game G>
Violation heap(const Played<G>& played, Rng& rng) {
  std::vector<typename G::Action> acts;
  const auto look = [&](const typename G::State& state) {
    const auto table = G::table_view(state);
    for (const Decision& decision : G::decisions(state)) {
      const Seat seat = asked(decision).front();
      const auto mine = G::seat_view(state, EyeMaker::of(seat));
      G::legal(state, seat, acts);
      for (const auto& act : acts) {
        G::check(state, seat, act);
        G::preview(table, mine, act);
      }
      auto other = state;
      G::imagine(other, seat, rng);
    }
    G::result(state);
  };
  // The list of acts grows once; then it is large enough.
  for (const auto& state : played.states) look(state);
  for (std::size_t i = 0; i < played.steps.size(); ++i) {
    const auto before = tests::allocations();
    auto next = played.states[i];
    look(next);
    if (tests::allocations() != before) return "a look needs the heap at step " + std::to_string(i);
    take<G>(next, played.steps[i]);
    if (tests::allocations() == before) continue;
    const auto& first = played.states.front();
    if (G::deal(first, next) == G::deal(first, played.states[i])) {
      return "an act needs the heap at step " + std::to_string(i);
    }
  }
  return std::nullopt;
}

/// Ids are never used twice, a seat is asked once at a time, and what nobody answered keeps its id.
template <Game G>
Violation decisions(const Played<G>& played) {
  std::set<std::uint32_t> gone;
  Decisions before;
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    const auto now = G::decisions(played.states[i]);
    SeatSet seats;
    std::set<std::uint32_t> ids;
    for (const Decision& decision : now) {
      if (asked(decision).empty()) return "a question asks nobody";
      if (gone.contains(decision.id.value)) return "a decision id comes back";
      if (!ids.insert(decision.id.value).second) return "two questions have one id";
      for (const Seat seat : asked(decision).list()) {
        if (seats.contains(seat)) return "a seat is asked twice at once";
        seats.insert(seat);
      }
    }
    if (i > 0) {
      if (auto wrong = standing<G>(before, now, played.steps[i - 1])) return wrong;
    }
    for (const Decision& old : before) {
      if (!ids.contains(old.id.value)) gone.insert(old.id.value);
    }
    before = now;
  }
  return std::nullopt;
}

/// A window that lapses is gone, and all else is asked as before. The waiver of its only seat does
/// the same.
template <Game G>
Violation lapse(const Played<G>& played) {
  for (const auto& state : played.states) {
    const auto open = G::decisions(state);
    for (const Decision& decision : open) {
      if (!std::holds_alternative<Window>(decision.ask)) continue;
      auto after = state;
      G::lapse(after, decision.id);
      Decisions others;
      for (const Decision& other : open) {
        if (!(other == decision)) others.push_back(other);
      }
      if (!(G::decisions(after) == others)) return "a lapse does not just close its window";
      if (asked(decision).size() > 1) continue;
      const Seat seat = asked(decision).list().front();
      for (const auto& act : legal_acts<G>(state, seat)) {
        if (is_waiver(act) && !(next_state<G>(state, {std::pair(seat, act), {}}) == after)) {
          return "a waiver does not do what a lapse does";
        }
      }
    }
  }
  return std::nullopt;
}

/// While a ballot is open each seat's own answer is the one that it gave, and nobody has one
/// otherwise.
template <Game G>
Violation answer(const Played<G>& played, std::size_t seats) {
  std::map<std::pair<DecisionId, Seat>, std::string> given;
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    if (i > 0 && played.steps[i - 1].act) {
      const auto& [seat, act] = *played.steps[i - 1].act;
      given[{played.steps[i - 1].decision, seat}] = encoded(act);
    }
    for (const Seat seat : seats_of(seats)) {
      std::string expected;
      for (const Decision& decision : G::decisions(played.states[i])) {
        const auto found = given.find({decision.id, seat});
        if (std::holds_alternative<Ballot>(decision.ask) && found != given.end()) {
          expected = found->second;
        }
      }
      const auto shown = G::answer(played.states[i], EyeMaker::of(seat));
      if ((shown ? encoded(*shown) : "") != expected) return "an answer is not what the seat gave";
    }
  }
  return std::nullopt;
}

/// Setup with the written deal, and the same steps, show everybody the same.
template <Game G>
Violation deal(const Played<G>& played, const typename G::Options& options, std::size_t seats) {
  const auto written = G::deal(played.states.front(), played.states.back());
  const auto read =
      decode<typename G::Deal>(parse_json(encoded(written), kTrustedJson), Reading::strict);
  Chance<typename G::Deal> chance{read};
  auto state = G::setup(options, seats, chance);
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    const auto seen = sent_to_all<G>(played.states[i]);
    for (const Viewer viewer : viewers(seats)) {
      if (auto differs = difference<G>(played.states[i], seen, state, viewer)) {
        return "a written deal plays differently at step " + std::to_string(i) + ": " + *differs;
      }
    }
    if (i < played.steps.size()) take<G>(state, played.steps[i]);
  }
  return std::nullopt;
}

/// Some acts of a game, to be tried where they do not belong.
template <Game G>
std::vector<typename G::Action> sampled_acts(const Played<G>& played, Rng& rng) {
  std::vector<typename G::Action> acts;
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& step = rng.pick(played.steps);
    if (step.act) acts.push_back(step.act->second);
  }
  return acts;
}

/// What is promised of an act comes true, in this world and in another that the seat cannot tell
/// from it; and in the end the points are those of the result. Looks at some states only.
template <Game G>
Violation preview(const Played<G>& played, std::size_t seats, Rng& rng) {
  for (const auto& state : played.states) {
    if (rng.below(4) != 0) continue;
    const auto table = G::table_view(state);
    for (const Seat seat : seats_of(seats)) {
      const auto sent = sent_to<G>(state, table, seat);
      if (sent.legal.empty()) continue;
      auto other = state;
      G::imagine(other, seat, rng);
      for (std::size_t i = 0; i < sent.legal.size(); ++i) {
        if (!sent.previews[i]) continue;
        for (const auto* world : {&state, &std::as_const(other)}) {
          const auto before = G::points(*world, seat);
          const auto after =
              G::points(next_state<G>(*world, {std::pair(seat, sent.legal[i]), {}}), seat);
          if (!before || !after) return "a preview in a game without points";
          if (*after - *before == *sent.previews[i]) continue;
          return "a preview of " + std::to_string(*sent.previews[i]) +
                 " where the score changes by " + std::to_string(*after - *before) + ": " +
                 encoded(sent.legal[i]);
        }
      }
    }
  }
  const auto result = G::result(played.states.back());
  if (!result) return std::nullopt;
  for (std::size_t i = 0; i < result->scores.size(); ++i) {
    if (G::points(played.states.back(), Seat(i)) != result->scores[i]) {
      return "the points at the end are not those of the result";
    }
  }
  return std::nullopt;
}

template <Game G>
bool becomes_the_same(typename G::State one, typename G::State other, Viewer viewer, Rng& rng) {
  Rng again = rng;
  G::imagine(one, viewer, rng);
  G::imagine(other, viewer, again);
  return one == other;
}

/// Worlds that a viewer cannot tell apart look the same to it, refusals included, and with the same
/// chance they become the same other one.
template <Game G>
Violation imagine(const Played<G>& played, std::size_t seats, Rng& rng) {
  const auto acts = sampled_acts<G>(played, rng);
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    const auto& state = played.states[i];
    const auto seen = sent_to_all<G>(state);
    for (const Viewer viewer : viewers(seats)) {
      auto other = state;
      G::imagine(other, viewer, rng);
      if (auto differs = difference<G>(state, seen, other, viewer)) {
        return "what is hidden shows at step " + std::to_string(i) + ": " + *differs;
      }
      if (rng.below(4) == 0 && !becomes_the_same<G>(state, other, viewer, rng)) {
        return "what is imagined tells of what is hidden at step " + std::to_string(i);
      }
      const Seat* seat = std::get_if<Seat>(&viewer);
      if (seat == nullptr) continue;
      for (const auto& act : acts) {
        if (!(G::check(state, *seat, act) == G::check(other, *seat, act))) {
          return "a refusal tells what is hidden at step " + std::to_string(i);
        }
      }
    }
  }
  return std::nullopt;
}

/// Imagining moves something for every viewer: else the law above could not fail.
template <Game G>
Violation imagines(const Played<G>& played, std::size_t seats, Rng& rng) {
  for (const Viewer viewer : viewers(seats)) {
    const bool moves =
        std::any_of(played.states.begin(), played.states.end(), [&](const auto& state) {
          auto other = state;
          G::imagine(other, viewer, rng);
          return !(other == state);
        });
    if (!moves) return "imagine changes nothing for a viewer";
  }
  return std::nullopt;
}

/// Before anything is shown, what a spectator sees is the same whatever was dealt: no id, order or
/// count tells a face. `fixed` are options under which nothing public is drawn; the games are
/// numbered from `first` on.
template <Game G>
Violation ids(const typename G::Options& fixed, std::size_t seats, std::uint32_t first,
              std::uint32_t games) {
  std::set<std::string> seen;
  for (std::uint32_t number = first; number != first + games; ++number) {
    Chance<typename G::Deal> chance{Rng(seed_number(number))};
    seen.insert(bytes_of(sent_to_all<G>(G::setup(fixed, seats, chance))));
  }
  if (seen.size() != 1) return "the table tells of the deal before the first act";
  return std::nullopt;
}

/// What a bot does is a function of what its seat was sent: the same, with the same chance, in
/// every world that the seat cannot tell from this one. `decide` gets a state, a seat that is asked
/// and a generator, and gives a Choice. Looks at one state in so many.
template <Game G, class Decide>
Violation blind(const Played<G>& played, std::uint32_t one_in, Rng& rng, const Decide& decide) {
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    if (rng.below(one_in) != 0) continue;
    for (const Decision& decision : G::decisions(played.states[i])) {
      const Seat seat = rng.pick(asked(decision).list());
      auto other = played.states[i];
      G::imagine(other, seat, rng);
      Rng luck(seed_number(rng.next()));
      Rng same_luck = luck;
      if (decide(played.states[i], seat, luck) != decide(other, seat, same_luck)) {
        return "a bot knows what is hidden at step " + std::to_string(i);
      }
    }
  }
  return std::nullopt;
}

/// What the imagined deals of one viewer show, as against the real ones: each character at some
/// places of the deal as it is written, in so many games. Chi-square, far beyond chance.
template <Game G>
Violation fair_imagination(const typename G::Options& options, std::size_t seats, Viewer viewer,
                           std::uint32_t first, std::uint32_t games) {
  constexpr std::size_t kPlaces = 24;
  std::map<std::pair<std::size_t, char>, std::array<double, 2>> counts;
  for (std::uint32_t number = first; number != first + games; ++number) {
    Chance<typename G::Deal> chance{Rng(seed_number(number))};
    const auto state = G::setup(options, seats, chance);
    auto other = state;
    Rng rng(seed_number(number, 1));
    G::imagine(other, viewer, rng);
    const std::string texts[] = {encoded(G::deal(state, state)), encoded(G::deal(other, other))};
    for (const std::size_t which : {0U, 1U}) {
      for (std::size_t place = 0; place < kPlaces; ++place) {
        const char letter = texts[which][texts[which].size() * place / kPlaces];
        ++counts[{place, letter}].at(which);
      }
    }
  }
  double chi_square = 0.0, expected = 0.0;
  for (const auto& [what, both] : counts) {
    const double difference = both[0] - both[1];
    chi_square += difference * difference / (both[0] + both[1]);
    expected += 1.0;
  }
  if (chi_square <= expected + 8.0 * std::sqrt(2.0 * expected)) return std::nullopt;
  return "what is imagined is not as likely as what is dealt: " + std::to_string(chi_square) +
         " where " + std::to_string(expected) + " is usual";
}

/// A table with such bots plays to the end, and all that they do is allowed. `decide` gets a state,
/// a seat that is asked and a generator, and gives a Choice.
template <Game G, class Decide>
Violation plays_to_the_end(const typename G::Options& options, std::size_t seats,
                           std::uint32_t number, const Decide& decide) {
  Rng rng(seed_number(number));
  Chance<typename G::Deal> chance{rng};
  auto state = G::setup(options, seats, chance);
  for (std::size_t made = 0; made < kMostSteps && !G::decisions(state).empty(); ++made) {
    Violation wrong;
    step<G>(state, [&](const auto& now, const Decision& decision, Seat seat) -> Choice<G> {
      const Choice<G> choice = decide(now, seat, rng);
      if (!choice && !std::holds_alternative<Window>(decision.ask)) wrong = "a bot has no act";
      if (choice && G::check(now, seat, *choice)) wrong = "a bot's act is refused";
      if (choice && is_waiver(*choice)) wrong = "a bot waives";
      return wrong ? legal_acts<G>(now, seat).front() : choice;
    });
    if (wrong) return wrong;
    G::verify(state);
  }
  if (!G::decisions(state).empty()) return "bots do not come to an end";
  return std::nullopt;
}

/// The greedy bot's acts are legal, and it plays to the end.
template <Game G>
Violation bots(const typename G::Options& options, std::size_t seats, std::uint32_t number) {
  Rng rng(seed_number(number));
  Chance<typename G::Deal> chance{rng};
  auto state = G::setup(options, seats, chance);
  for (std::size_t step = 0; step < kMostSteps; ++step) {
    const auto open = G::decisions(state);
    if (open.empty()) return std::nullopt;
    const Decision decision = rng.pick(open);
    const Seat seat = rng.pick(asked(decision).list());
    const auto chosen = G::choose(G::table_view(state), G::seat_view(state, EyeMaker::of(seat)),
                                  legal_acts<G>(state, seat), rng);
    if (!chosen) {
      if (!std::holds_alternative<Window>(decision.ask)) return "a bot has no act";
      G::lapse(state, decision.id);
      continue;
    }
    if (G::check(state, seat, *chosen)) return "a bot's act is refused: " + encoded(*chosen);
    G::apply(state, seat, *chosen);
  }
  return "bots do not come to an end";
}

}  // namespace triquetra::laws
