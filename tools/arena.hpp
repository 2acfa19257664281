// `triquetra arena`: tournaments of the games' own bots, here and without a server. The same words
// give the same report on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace triquetra {

struct ArenaPlan {
  std::string game = "triqueta";
  std::string options = "{}";     // the game's own, as JSON
  std::vector<std::string> bots;  // one seat each
  std::int64_t games = 100;
  std::int64_t seed = 1;
  bool as_json = false;
};

/// Plays the plan with bots named random and greedy, and prints the report. Each deal is played by
/// as many games in a row as there are bots, every bot once at every seat, so that luck evens out.
/// 0, or 2 if the plan makes no sense, which is then said on standard error.
int run_arena(const ArenaPlan& plan);

}  // namespace triquetra
