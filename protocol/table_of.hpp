// TableOf<Game>: how one game becomes a Table. Included by kind_of.hpp alone.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "engine/planner.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/table.hpp"

namespace triquetra {

template <Game G>
class ThinkingOf final : public Thinking {
 public:
  ThinkingOf(const typename G::State& state, Seat seat, Level level, const Seed& seed)
      : strength_(strength_of(level)), rng_(seed), known_(state, seat, rng_) {}

  std::uint32_t playouts() const override { return strength_.playouts; }
  Thought run(std::uint32_t playouts, const std::function<bool()>& has_to_end) override {
    Strength strength = strength_;
    strength.playouts = std::min(strength.playouts, playouts);
    const Plan<G> plan = decide(known_, strength, rng_, has_to_end);
    Thought thought{written(plan.choice), {}, plan.playouts};
    for (const Weighed<G>& weighed : plan.acts) {
      thought.acts.push_back(
          {written(weighed.choice), weighed.worth, weighed.wins, weighed.points, weighed.worlds});
    }
    return thought;
  }

 private:
  static std::optional<std::string> written(const Choice<G>& choice) {
    if (!choice) return std::nullopt;
    return encoded(*choice);
  }

  Strength strength_;
  Rng rng_;
  Imagined<G> known_;
};

template <Game G>
class TableOf final : public Table {
 public:
  using State = typename G::State;
  using Action = typename G::Action;

  explicit TableOf(State state) : state_(std::move(state)) { G::verify(state_); }
  const State& state() const { return state_; }

  Decisions decisions() const override { return G::decisions(state_); }
  std::optional<Result> result() const override { return G::result(state_); }

  std::variant<Fault, TablePointer> act(Seat seat, std::string_view action) const override {
    const auto decoded = decode<Action>(action, Reading::strict);
    if (const auto fault = G::check(state_, seat, decoded)) return *fault;
    return after([&](State& state) { G::apply(state, seat, decoded); });
  }
  TablePointer lapse(DecisionId decision) const override {
    return after([&](State& state) { G::lapse(state, decision); });
  }

  std::string table_view() const override { return encoded(G::table_view(state_)); }
  std::string happened() const override { return encoded<typename G::Events>(G::happened(state_)); }
  std::string seat_view(Seat seat) const override { return encoded(seen(seat)); }

  std::vector<LegalAct> legal(Seat seat, bool hints) const override {
    const std::vector<Action> actions = legal_acts<G>(state_, seat);
    std::vector<LegalAct> shown;
    shown.reserve(actions.size());
    if (actions.empty()) return shown;
    const auto table = G::table_view(state_);
    const auto mine = seen(seat);
    for (const Action& action : actions) {
      LegalAct act;
      encode(act.action.text, action);
      if (hints) act.preview = G::preview(table, mine, action);
      if constexpr (HasWorth<G>) {
        if (hints) act.worth = G::worth(table, mine, action);
      }
      shown.push_back(std::move(act));
    }
    return shown;
  }
  std::optional<std::string> answer(Seat seat) const override {
    const auto sealed = G::answer(state_, EyeMaker::of(seat));
    if (!sealed) return std::nullopt;
    return encoded(*sealed);
  }

  void show(std::string& out, Seat seat, bool hints) const override {
    bool first = false;
    const auto mine = seen(seat);
    detail::encode_key(out, "mine", first);
    encode(out, mine);
    detail::encode_key(out, "legal", first);
    show_legal(out, seat, mine, hints);
    if (const auto sealed = G::answer(state_, EyeMaker::of(seat))) {
      detail::encode_key(out, "answer", first);
      encode(out, *sealed);
    }
  }

  std::optional<std::string> choose(Seat seat, BotLevel level, Rng& rng) const override {
    const std::vector<Action> actions = legal_acts<G>(state_, seat);
    ensure(!actions.empty(), "a bot is asked without a choice");
    if (acts_by_chance(level, rng)) {
      const Action& act = rng.pick(actions);
      if (is_waiver(act)) return std::nullopt;  // and leaves the window to its clock
      return encoded(act);
    }
    const auto chosen = G::choose(G::table_view(state_), seen(seat), actions, rng);
    if (!chosen) return std::nullopt;
    return encoded(*chosen);
  }

  std::unique_ptr<Thinking> think(Seat seat, Level level, const Seed& seed) const override {
    return std::make_unique<ThinkingOf<G>>(state_, seat, level, seed);
  }

  std::string deal(const Table& start) const override {
    return encoded(G::deal(dynamic_cast<const TableOf&>(start).state_, state_));
  }
  TablePointer imagined(Viewer viewer, Rng& rng) const override {
    State other = state_;
    G::imagine(other, viewer, rng);
    return std::make_shared<TableOf>(std::move(other));
  }
  bool equals(const Table& other) const override {
    return dynamic_cast<const TableOf&>(other).state_ == state_;
  }

 private:
  /// The table after a transition.
  template <class Change>
  TablePointer after(const Change& change) const {
    auto next = std::make_shared<TableOf>(*this);
    change(next->state_);
    G::verify(next->state_);
    return next;
  }
  /// As legal() has it, each act straight into the text.
  void show_legal(std::string& out, Seat seat, const typename G::SeatView& mine, bool hints) const {
    // Lent to each view in turn.
    static thread_local std::vector<Action> actions;
    G::legal(state_, seat, actions);
    std::optional<typename G::TableView> table;
    if (hints && !actions.empty()) table = G::table_view(state_);
    out += '[';
    for (const Action& action : actions) {
      if (out.back() != '[') out += ',';
      out += '{';
      bool first = true;
      detail::encode_key(out, "action", first);
      encode(out, action);
      if (table) show_hints(out, G::preview(*table, mine, action), "preview");
      if constexpr (HasWorth<G>) {
        if (table) show_hints(out, G::worth(*table, mine, action), "worth");
      }
      out += '}';
    }
    out += ']';
  }
  static void show_hints(std::string& out, const std::optional<int>& points,
                         std::string_view name) {
    bool first = false;
    if (!points) return;
    detail::encode_key(out, name, first);
    detail::encode_number(out, *points);
  }
  static bool acts_by_chance(BotLevel level, Rng& rng) {
    const auto for_people = level_for_people(level);
    if (!for_people) return level == BotLevel::random;
    const std::uint32_t percent = strength_of(*for_people).random_percent;
    return percent > 0 && rng.below(100) < percent;
  }
  typename G::SeatView seen(Seat seat) const { return G::seat_view(state_, EyeMaker::of(seat)); }

  State state_;
};

}  // namespace triquetra
