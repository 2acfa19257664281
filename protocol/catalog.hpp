// The games that this program knows, by name: how to lay a table for each. Filled by
// sources that the build writes (cmake/games.cmake); no other file lists games.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game.hpp"
#include "protocol/json.hpp"
#include "protocol/table.hpp"

namespace triquetra {

/// JSON Schemas of what a game puts into frames.
struct GameSchemas {
  Json options, action, event, table, mine, deal;
};

/// One game, without its types. Options and deals are JSON text; functions that read them throw
/// Malformed.
struct GameKind {
  std::string_view name;
  int version;
  std::size_t min_seats;
  std::size_t max_seats;
  /// `options` as the codec writes it: what rooms show and logs keep.
  std::string (*canonical_options)(std::string_view options);
  /// Why this number of seats cannot play with these options.
  std::optional<Fault> (*check)(std::string_view options, std::size_t seat_count);
  /// The options once the seats have other numbers: `now` has, by the old number, the new one, or
  /// none for a seat that is gone. What names a seat follows who sits there; if nobody does, it is
  /// not set.
  std::string (*renumbered)(std::string_view options,
                            const std::vector<std::optional<std::size_t>>& now);
  /// The table before the first act. Before: check() has no fault.
  TablePointer (*lay)(std::string_view options, std::size_t seat_count, const Seed& seed);
  /// The same from a written deal; one that does not fit is a Bug.
  TablePointer (*lay_dealt)(std::string_view options, std::size_t seat_count,
                            std::string_view deal);
  GameSchemas (*schemas)();
  /// Options that between them show what the game can do: for tests and tournaments.
  std::vector<std::string> (*variants)();
};

/// All games, in the order of their names.
const std::vector<GameKind>& catalog();
/// The game of this name, or null.
const GameKind* find_game(std::string_view name);

}  // namespace triquetra
