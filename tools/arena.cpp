#include "tools/arena.hpp"

#include <iostream>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "protocol/catalog.hpp"
#include "protocol/errors.hpp"
#include "protocol/fairness.hpp"
#include "protocol/reflect.hpp"
#include "tools/tournament.hpp"

namespace triquetra {
namespace {

constexpr int kStepsAtMost = 20'000;  // the longest game of ours has a few hundred

/// Chance for one purpose of a tournament.
Seed seed_for(std::string_view purpose, std::int64_t seed, std::int64_t number) {
  return {sha256("triquetra arena " + std::string(purpose) + " " + std::to_string(seed) + " " +
                 std::to_string(number))};
}

/// One act by whichever bot wants to act first, or the lapse of a window that none of them uses.
TablePointer step(const Table& table, const std::vector<BotLevel>& levels, Rng& rng) {
  std::optional<DecisionId> window;
  for (const Decision& decision : table.decisions()) {
    if (std::holds_alternative<Window>(decision.ask)) window = decision.id;
    for (const Seat seat : asked(decision).list()) {
      const auto action = table.choose(seat, levels.at(seat.index()), rng);
      if (!action) continue;
      auto next = table.act(seat, *action);
      ensure(std::holds_alternative<TablePointer>(next), "a bot chose what the rules forbid");
      return std::get<TablePointer>(std::move(next));
    }
  }
  ensure(window.has_value(), "nobody acts, and nothing lapses");
  return table.lapse(*window);
}

MatchPlayed play(const GameKind& game, const ArenaPlan& plan, const std::vector<BotLevel>& levels,
                 std::int64_t number) {
  const auto bot_count = static_cast<std::int64_t>(levels.size());
  MatchPlayed match;
  std::vector<BotLevel> seated;
  for (std::int64_t seat = 0; seat < bot_count; ++seat) {
    match.bots.push_back((seat + number) % bot_count);
    seated.push_back(levels.at(static_cast<std::size_t>(match.bots.back())));
  }
  Rng rng(seed_for("bots", plan.seed, number));
  TablePointer table =
      game.lay(plan.options, levels.size(), seed_for("deal", plan.seed, number / bot_count));
  for (; !table->result(); ++match.acts) {
    ensure(match.acts < kStepsAtMost, "a match without an end");
    table = step(*table, seated, rng);
  }
  const Result result = *table->result();
  match.winners = result.winners.to_vector();
  match.scores = result.scores.to_vector();
  return match;
}

int refuse(const std::string& why) {
  std::cerr << "triquetra arena: " << why << "\n";
  return 2;
}

}  // namespace

int run_arena(const ArenaPlan& plan) {
  const GameKind* game = find_game(plan.game);
  if (game == nullptr) return refuse("there is no game " + plan.game);
  std::vector<BotLevel> levels;
  for (const std::string& bot : plan.bots) {
    const auto level = enumerator_of<BotLevel>(bot);
    if (!level) return refuse("a bot is random or greedy; others play with --server: " + bot);
    levels.push_back(*level);
  }
  std::string options;
  try {
    options = game->canonical_options(plan.options);
    if (const auto fault = game->check(options, levels.size())) {
      return refuse("so many bots cannot play this (rule " + std::string(fault->rule) + ")");
    }
  } catch (const Malformed&) {
    return refuse("these are no options of " + plan.game + ": " + plan.options);
  }
  TournamentReport report = empty_report(plan.game, options, plan.seed, plan.bots);
  for (std::int64_t number = 0; number < plan.games; ++number) {
    add_match(report, play(*game, plan, levels, number));
  }
  print_report(report, plan.as_json);
  return 0;
}

}  // namespace triquetra
