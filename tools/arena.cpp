#include "tools/arena.hpp"

#include <ctime>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "protocol/catalog.hpp"
#include "protocol/errors.hpp"
#include "protocol/fairness.hpp"
#include "protocol/reflect.hpp"

namespace triquetra {
namespace {

constexpr int kStepsAtMost = 20'000;  // the longest game of ours has a few hundred

/// Chance for one purpose of a tournament.
Seed seed_for(std::string_view purpose, std::int64_t seed, std::int64_t number) {
  return {sha256("triquetra arena " + std::string(purpose) + " " + std::to_string(seed) + " " +
                 std::to_string(number))};
}

/// Keeps count of what thinking takes, if somebody wants to know.
class Effort {
 public:
  explicit Effort(ArenaEffort* effort) : effort_(effort) {}
  template <class Think>
  auto of(std::size_t bot, const Think& think) {
    if (effort_ == nullptr) return think();
    const std::clock_t start = std::clock();
    auto thought = think();
    effort_->seconds.at(bot) += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    effort_->acts.at(bot) += 1;
    return thought;
  }

 private:
  ArenaEffort* effort_;
};

std::optional<std::string> choose(const Table& table, Seat seat, const ArenaBot& bot, Rng& rng) {
  if (const auto* level = std::get_if<BotLevel>(&bot)) return table.choose(seat, *level, rng);
  Seed seed;
  for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(rng.below(256));
  const auto thinking = table.think(seat, std::get<Level>(bot), seed);
  return thinking->run(thinking->playouts(), [] { return false; }).action;
}

/// One act by whichever bot wants to act first, windows before turns as in a room, or the lapse of
/// a window that none of them uses.
template <class Choose>
TablePointer step(const Table& table, const Choose& choose_for) {
  std::optional<DecisionId> window;
  const Decisions open = table.decisions();
  for (const bool windows : {true, false}) {
    for (const Decision& decision : open) {
      if (std::holds_alternative<Window>(decision.ask) != windows) continue;
      if (windows) window = decision.id;
      for (const Seat seat : asked(decision).list()) {
        const std::optional<std::string> action = choose_for(seat);
        if (!action) continue;
        auto next = table.act(seat, *action);
        ensure(std::holds_alternative<TablePointer>(next), "a bot chose what the rules forbid");
        return std::get<TablePointer>(std::move(next));
      }
    }
  }
  ensure(window.has_value(), "nobody acts, and nothing lapses");
  return table.lapse(*window);
}

int refuse(const std::string& why) {
  std::cerr << "triquetra arena: " << why << "\n";
  return 2;
}

}  // namespace

std::optional<ArenaBot> arena_bot(std::string_view name) {
  if (const auto level = enumerator_of<Level>(name)) return *level;
  if (const auto level = enumerator_of<BotLevel>(name)) return *level;
  return std::nullopt;
}

MatchPlayed play_match(const GameKind& game, const std::string& options,
                       const std::vector<ArenaBot>& bots, std::int64_t seed, std::int64_t number,
                       ArenaEffort* effort) {
  const auto bot_count = static_cast<std::int64_t>(bots.size());
  MatchPlayed match;
  for (std::int64_t seat = 0; seat < bot_count; ++seat) {
    match.bots.push_back((seat + number) % bot_count);
  }
  Effort measured(effort);
  Rng rng(seed_for("bots", seed, number));
  TablePointer table = game.lay(options, bots.size(), seed_for("deal", seed, number / bot_count));
  for (; !table->result(); ++match.acts) {
    ensure(match.acts < kStepsAtMost, "a match without an end");
    table = step(*table, [&](Seat seat) {
      const auto bot = static_cast<std::size_t>(match.bots[seat.index()]);
      return measured.of(bot, [&] { return choose(*table, seat, bots[bot], rng); });
    });
  }
  const Result result = *table->result();
  match.winners = result.winners.to_vector();
  match.scores = result.scores.to_vector();
  return match;
}

int run_arena(const ArenaPlan& plan) {
  const GameKind* game = find_game(plan.game);
  if (game == nullptr) return refuse("there is no game " + plan.game);
  std::vector<ArenaBot> bots;
  for (const std::string& name : plan.bots) {
    const auto bot = arena_bot(name);
    if (!bot) return refuse("no bot here has this name; others play with --server: " + name);
    bots.push_back(*bot);
  }
  std::string options;
  try {
    options = game->canonical_options(plan.options);
    if (const auto fault = game->check(options, bots.size())) {
      return refuse("so many bots cannot play this (rule " + std::string(fault->rule) + ")");
    }
  } catch (const Malformed&) {
    return refuse("these are no options of " + plan.game + ": " + plan.options);
  }
  TournamentReport report = empty_report(plan.game, options, plan.seed, plan.bots);
  for (std::int64_t number = 0; number < plan.games; ++number) {
    add_match(report, play_match(*game, options, bots, plan.seed, number));
  }
  print_report(report, plan.as_json);
  return 0;
}

}  // namespace triquetra
