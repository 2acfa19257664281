// gym_kind_of<Game>(): how one game becomes a Batch. Included by one source for each game, which
// the build writes (gym_kind.cpp.in).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/planner.hpp"
#include "gym/batch.hpp"
#include "gym/numbering.hpp"
#include "protocol/fairness.hpp"
#include "protocol/match_record.hpp"
#include "protocol/table_of.hpp"

namespace triquetra::gym {
namespace detail {

/// What the chance of a match comes from. As in a room, so that its record can be checked.
struct Origin {
  std::string secret;
  std::string match;

  Origin(std::string_view seed, std::uint64_t number)
      : secret(drawn("triquetra gym secret 1", seed, number)),
        match(drawn("triquetra gym match 1", seed, number).substr(0, 32)) {}
  Seed seed(std::size_t seats) const {
    return seed_of(secret, match, std::vector<std::string>(seats));
  }
  /// For the bots at the table: nothing of the deal shows in what they do.
  static Seed of_bots(std::string_view seed, std::uint64_t number) {
    return Seed{
        sha256_of_parts({"triquetra gym bots 1", std::string(seed), std::to_string(number)})};
  }

 private:
  static std::string drawn(const char* label, std::string_view seed, std::uint64_t number) {
    const auto bytes = sha256_of_parts({label, std::string(seed), std::to_string(number)});
    return to_hex(std::string(bytes.begin(), bytes.end()));
  }
};

}  // namespace detail

/// A match, and which of its seats is asked.
template <Game G>
class Match {
 public:
  using State = typename G::State;
  using Action = typename G::Action;
  /// An act, or a lapse.
  struct Step {
    Seat seat;
    Choice<G> act;
    DecisionId lapsed;
  };

  Match(const typename G::Options& options, std::size_t seats, const Seed& seed)
      : state_(set_up(options, seats, seed)) {
    ask();
  }
  static State set_up(const typename G::Options& options, std::size_t seats, const Seed& seed) {
    Chance<typename G::Deal> chance{Rng(seed)};
    return G::setup(options, seats, chance);
  }

  const State& state() const { return state_; }
  const std::vector<Step>& steps() const { return steps_; }
  bool is_over() const { return !asked_.has_value(); }
  /// Before: !is_over().
  Seat asked() const { return *asked_; }
  bool may_pass() const { return may_pass_; }
  const std::vector<Action>& legal() const { return legal_; }
  bool is_open(const Choice<G>& choice) const {
    if (!choice) return may_pass_;
    return std::find(legal_.begin(), legal_.end(), *choice) != legal_.end();
  }

  /// Before: is_open(choice).
  void act(const Choice<G>& choice) {
    if (choice) {
      G::apply(state_, *asked_, *choice);
      steps_.push_back({*asked_, choice, {}});
      passed_ = {};
    } else {
      passed_.insert(*asked_);
    }
    ask();
  }
  void imagine(Viewer viewer, Rng& rng) {
    G::imagine(state_, viewer, rng);
    G::legal(state_, *asked_, legal_);
  }

 private:
  /// Finds who is asked next. What nobody uses lapses once nothing else is open.
  void ask() {
    for (Decisions open = G::decisions(state_);; open = G::decisions(state_)) {
      for (const bool windows : {true, false}) {
        for (const Decision& decision : open) {
          if (std::holds_alternative<Window>(decision.ask) == windows && ask(decision)) return;
        }
      }
      asked_.reset();
      legal_.clear();
      may_pass_ = false;
      if (open.empty()) return;
      ensure(std::holds_alternative<Window>(open.front().ask), "only windows are passed");
      G::lapse(state_, open.front().id);
      steps_.push_back({{}, {}, open.front().id});
      passed_ = {};
    }
  }
  bool ask(const Decision& decision) {
    for (const Seat seat : triquetra::asked(decision).list()) {
      if (passed_.contains(seat)) continue;
      asked_ = seat;
      may_pass_ = std::holds_alternative<Window>(decision.ask);
      G::legal(state_, seat, legal_);
      return true;
    }
    return false;
  }

  State state_;
  std::vector<Step> steps_;
  /// Who leaves an open window to its clock.
  SeatSet passed_;
  std::optional<Seat> asked_;
  bool may_pass_ = false;
  std::vector<Action> legal_;
};

template <Game G>
class BatchOf final : public Batch {
 public:
  using Action = typename G::Action;
  static constexpr std::size_t kCells =
      cells_of<typename G::TableView>() + cells_of<typename G::SeatView>();

  explicit BatchOf(const Setting& setting)
      : setting_(setting),
        options_(decode<typename G::Options>(setting.options, Reading::partial)) {
    if (const auto fault = G::check(options_, setting.seats)) {
      throw Refused("these seats cannot play with these options: rule " + std::string(fault->rule));
    }
    if (setting.players.size() != setting.seats) throw Refused("one player for each seat");
    const auto& players = setting.players;
    if (std::find(players.begin(), players.end(), std::nullopt) == players.end()) {
      throw Refused("one seat at least must be the caller's");
    }
  }

  void start(std::string_view seed, const Rows& rows) override {
    seed_ = seed;
    slots_.clear();
    slots_.reserve(setting_.slots);
    for (std::size_t i = 0; i < setting_.slots; ++i) {
      slots_.push_back(fresh(i));
      settle(i, rows, false);
    }
  }

  void step(std::span<const std::int32_t> acts, const Rows& rows) override {
    if (acts.size() != slots_.size()) throw Refused("one act for each slot");
    chosen_.clear();
    for (std::size_t i = 0; i < slots_.size(); ++i) chosen_.push_back(choice_of(i, acts[i]));
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const bool was_over = slots_[i].match.is_over();
      if (!was_over) slots_[i].match.act(chosen_[i]);
      settle(i, rows, was_over);
    }
  }

  void observe(std::size_t slot, Seat seat, float* observation, std::uint8_t* mask) const override {
    const Match<G>& match = at(slot, seat).match;
    if (observation != nullptr) write_observation(match, seat, observation);
    if (mask != nullptr) write_mask(match, seat, mask);
  }

  std::string view(std::size_t slot, Seat seat) const override {
    const Slot& here = at(slot, seat);
    const TableOf<G> table(here.match.state());
    View view;
    view.room = "gym";
    view.match = here.origin.match;
    view.rev = static_cast<std::int64_t>(here.match.steps().size());
    const Decisions open = table.decisions();
    view.decisions = shown(open);
    view.table.text = table.table_view();
    view.happened.text = table.happened();
    view.seat = seat;
    view.mine = Raw{table.seat_view(seat)};
    view.legal = table.legal(seat, true);
    if (const auto answer = table.answer(seat)) view.answer = Raw{*answer};
    return encoded(view);
  }

  void draw(std::span<std::int32_t> acts) override {
    if (acts.size() != slots_.size()) throw Refused("one act for each slot");
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Match<G>& match = slots_[i].match;
      acts[i] = 0;
      if (match.is_over()) continue;
      const std::size_t count = match.legal().size() + (match.may_pass() ? 1 : 0);
      const std::size_t place = slots_[i].bots.below(static_cast<std::uint32_t>(count));
      if (place == match.legal().size()) continue;
      acts[i] = static_cast<std::int32_t>(Numbering<G>::get().number(match.legal()[place]));
    }
  }

  std::uint32_t choose(std::size_t slot, BotLevel level) override {
    Slot& here = asked_in(slot);
    const Choice<G> choice = choice_of_bot(here, level);
    return choice ? Numbering<G>::get().number(*choice) : 0;
  }

  std::string result(std::size_t slot) const override {
    return encoded(recorded(*G::result(ended(slot).match.state())));
  }

  std::string record(std::size_t slot, std::span<const std::string> names) const override {
    const Slot& last = ended(slot);
    if (last.is_imagined) throw Refused("there is no record of an imagined match");
    if (names.size() != setting_.seats) throw Refused("one name for each seat");
    MatchRecord record;
    record.format = 2;
    record.match = last.origin.match;
    record.game = G::kName;
    record.rules = G::kVersion;
    record.options.text = encoded(options_);
    for (std::size_t i = 0; i < setting_.seats; ++i) {
      const auto& level = setting_.players[i];
      RecordedSeat seat;
      seat.kind = level ? SeatKind::bot : SeatKind::human;
      seat.level = level;
      if (!level) seat.name = names[i];
      record.seats.push_back(std::move(seat));
    }
    record.secret = last.origin.secret;
    record.commitment = commitment_of(record.secret).value();
    record.called_off.emplace();
    record.binding = binding_of(record);
    const auto start = Match<G>::set_up(options_, setting_.seats, last.origin.seed(setting_.seats));
    record.deal.text = encoded(G::deal(start, last.match.state()));
    for (const auto& step : last.match.steps()) record.steps.push_back(recorded_step(step));
    for (std::size_t i = 0; i < record.steps.size(); ++i) {
      record.steps[i].rev = static_cast<std::int64_t>(i + 1);
    }
    record.result = recorded(*G::result(last.match.state()));
    return encoded(record);
  }

  void copy(std::size_t from, std::size_t to) override {
    if (from >= slots_.size() || to >= slots_.size()) throw Refused("no such slot");
    if (from != to) slots_[to] = slots_[from];
  }

  void imagine(std::size_t slot, Seat seat, std::string_view seed) override {
    at(slot, seat);
    Slot& here = asked_in(slot);
    Rng rng{detail::Origin::of_bots(seed, slot)};
    here.match.imagine(seat, rng);
    here.is_imagined = true;
  }

 private:
  struct Slot {
    detail::Origin origin;
    /// How many matches have begun here.
    std::uint64_t count;
    Rng bots;
    Match<G> match;
    bool is_imagined = false;
    /// The one before, if the slot has begun another.
    std::shared_ptr<const Slot> ended;
  };

  Slot fresh(std::size_t slot, std::uint64_t count = 0) const {
    const std::uint64_t number = slot + count * setting_.slots;
    const detail::Origin origin(seed_, number);
    return {origin,
            count + 1,
            Rng{detail::Origin::of_bots(seed_, number)},
            Match<G>(options_, setting_.seats, origin.seed(setting_.seats)),
            false,
            nullptr};
  }
  const Slot& at(std::size_t slot, Seat seat) const {
    if (slot >= slots_.size()) throw Refused("no such slot: start() makes them");
    if (seat.index() >= setting_.seats) throw Refused("no such seat");
    return slots_[slot];
  }
  Slot& asked_in(std::size_t slot) {
    if (slot >= slots_.size()) throw Refused("no such slot: start() makes them");
    if (slots_[slot].match.is_over()) throw Refused("this match is over");
    return slots_[slot];
  }
  const Slot& ended(std::size_t slot) const {
    const Slot& here = at(slot, Seat{0});
    if (here.match.is_over()) return here;
    if (!here.ended) throw Refused("no match has ended in this slot");
    return *here.ended;
  }

  Choice<G> choice_of(std::size_t slot, std::int32_t number) const {
    const Match<G>& match = slots_[slot].match;
    if (match.is_over()) return std::nullopt;
    const auto& numbering = Numbering<G>::get();
    const bool is_act = number >= 0 && static_cast<std::uint32_t>(number) < numbering.size();
    Choice<G> choice;
    if (is_act && number != 0) choice = numbering.act(static_cast<std::uint32_t>(number));
    if (!is_act || !match.is_open(choice)) {
      throw Refused("act " + std::to_string(number) + " is not open to seat " +
                    std::to_string(match.asked().index()) + " in slot " + std::to_string(slot));
    }
    return choice;
  }

  Choice<G> choice_of_bot(Slot& here, BotLevel level) const {
    const Match<G>& match = here.match;
    const Seat seat = match.asked();
    if (level == BotLevel::random) {
      const Action& act = here.bots.pick(match.legal());
      // Who waives tells the others something: a bot leaves the window to its clock.
      return is_waiver(act) ? Choice<G>() : Choice<G>(act);
    }
    if (const auto for_people = level_for_people(level)) {
      const Imagined<G> known(match.state(), seat, here.bots);
      return decide(known, strength_of(*for_people), here.bots, [] { return false; }).choice;
    }
    const auto mine = G::seat_view(match.state(), EyeMaker::of(seat));
    return G::choose(G::table_view(match.state()), mine, match.legal(), here.bots);
  }

  /// Plays on until the caller is asked, and tells what there is to tell.
  void settle(std::size_t slot, const Rows& rows, bool was_over) {
    Slot& here = slots_[slot];
    if (rows.over != nullptr) rows.over[slot] = 0;
    float* rewards = rows.rewards == nullptr ? nullptr : rows.rewards + slot * setting_.seats;
    if (rewards != nullptr) std::fill_n(rewards, setting_.seats, 0.0F);
    while (!was_over) {
      while (!here.match.is_over()) {
        const auto& level = setting_.players[here.match.asked().index()];
        if (!level) break;
        here.match.act(choice_of_bot(here, *level));
      }
      if (!here.match.is_over()) break;
      if (rows.over != nullptr) rows.over[slot] = 1;
      if (rewards != nullptr) add_rewards(here.match, rewards);
      if (!setting_.restarts) break;
      auto last = std::make_shared<Slot>(std::move(here));
      last->ended.reset();
      here = fresh(slot, last->count);
      here.ended = std::move(last);
    }
    tell(slot, rows);
  }

  /// A seat's part of the win beyond its fair share: they add up to nothing.
  void add_rewards(const Match<G>& match, float* rewards) const {
    const Result result = *G::result(match.state());
    if (result.winners.empty()) return;
    const auto won = static_cast<float>(result.winners.size());
    for (const Seat seat : result.winners) rewards[seat.index()] += 1.0F / won;
    for (std::size_t i = 0; i < setting_.seats; ++i) {
      rewards[i] -= 1.0F / static_cast<float>(setting_.seats);
    }
  }

  void tell(std::size_t slot, const Rows& rows) const {
    const Match<G>& match = slots_[slot].match;
    const bool is_over = match.is_over();
    const std::size_t acts = Numbering<G>::get().size();
    if (rows.seats != nullptr) {
      rows.seats[slot] = is_over ? -1 : static_cast<std::int32_t>(match.asked().index());
    }
    if (rows.observations != nullptr) {
      float* row = rows.observations + slot * kCells;
      is_over ? void(std::fill_n(row, kCells, 0.0F)) : write_observation(match, match.asked(), row);
    }
    if (rows.masks != nullptr) {
      std::uint8_t* row = rows.masks + slot * acts;
      is_over ? void(std::fill_n(row, acts, std::uint8_t{0}))
              : write_mask(match, match.asked(), row);
    }
  }

  /// From the views of a seat alone: nobody learns here what no client is sent.
  static void write_observation(const Match<G>& match, Seat seat, float* row) {
    std::fill_n(row, kCells, 0.0F);
    write_cells(row, G::table_view(match.state()));
    write_cells(row + cells_of<typename G::TableView>(),
                G::seat_view(match.state(), EyeMaker::of(seat)));
  }
  static void write_mask(const Match<G>& match, Seat seat, std::uint8_t* row) {
    const auto& numbering = Numbering<G>::get();
    std::fill_n(row, numbering.size(), std::uint8_t{0});
    if (match.is_over() || match.asked() != seat) return;
    if (match.may_pass()) row[0] = 1;
    for (const Action& act : match.legal()) row[numbering.number(act)] = 1;
  }

  RecordedStep recorded_step(const typename Match<G>::Step& step) const {
    RecordedStep told;
    if (!step.act) {
      told.lapsed = step.lapsed;
      return told;
    }
    told.seat = step.seat;
    told.action = Raw{encoded(*step.act)};
    told.by = setting_.players[step.seat.index()] ? ActedBy::bot : ActedBy::player;
    return told;
  }

  Setting setting_;
  typename G::Options options_;
  std::string seed_;
  std::vector<Slot> slots_;
  std::vector<Choice<G>> chosen_;
};

template <Game G>
GymKind gym_kind_of() {
  return GymKind{
      .name = G::kName,
      .cells = BatchOf<G>::kCells,
      .acts = [] { return Numbering<G>::get().size(); },
      .layout =
          [] {
            std::vector<Cell> cells;
            describe_cells<typename G::TableView>(cells, "table");
            describe_cells<typename G::SeatView>(cells, "mine");
            return cells;
          },
      .act_text = [](std::uint32_t number) { return encoded(Numbering<G>::get().act(number)); },
      .act_number =
          [](std::string_view text) {
            return Numbering<G>::get().number(decode<typename G::Action>(text, Reading::strict));
          },
      .make = [](const Setting& setting) -> std::unique_ptr<Batch> {
        return std::make_unique<BatchOf<G>>(setting);
      },
  };
}

}  // namespace triquetra::gym
