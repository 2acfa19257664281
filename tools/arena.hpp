// `triquetra arena`: tournaments of the games' own bots, here and without a server. The same words
// give the same report on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/levels.hpp"
#include "protocol/catalog.hpp"
#include "protocol/client_frames.hpp"
#include "tools/tournament.hpp"

namespace triquetra {

struct ArenaPlan {
  std::string game = "triqueta";
  std::string options = "{}";     // the game's own, as JSON
  std::vector<std::string> bots;  // one seat each
  std::int64_t games = 100;
  std::int64_t seed = 1;
  bool as_json = false;
};

/// A bot that plays here: one for tests, or one for people.
using ArenaBot = std::variant<BotLevel, Level>;
/// The one of this name.
std::optional<ArenaBot> arena_bot(std::string_view name);

/// How much the bots of a tournament think.
struct ArenaEffort {
  std::vector<std::int64_t> acts;  // by bot
  std::vector<double> seconds;     // of one processor
};

/// The match of this number between these bots, which take turns at the seats; as many matches in a
/// row as there are bots have one deal. Before: the options are canonical, and so many may play.
MatchPlayed play_match(const GameKind& game, const std::string& options,
                       const std::vector<ArenaBot>& bots, std::int64_t seed, std::int64_t number,
                       ArenaEffort* effort = nullptr);

/// Plays the plan with bots named random, greedy or after a level, and prints the report. Each deal
/// is played by as many games in a row as there are bots, every bot once at every seat, so that
/// luck evens out. 0, or 2 if the plan makes no sense, which is then said on standard error.
int run_arena(const ArenaPlan& plan);

}  // namespace triquetra
