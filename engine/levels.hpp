// How strong a bot for people plays: one table for every game. What a level means is a number of
// games played out in the head before an act, and how often it does not think at all.
#pragma once

#include <boost/describe/enum.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace triquetra {

enum class Level : std::uint8_t { easy, normal, hard, expert };
BOOST_DESCRIBE_ENUM(Level, easy, normal, hard, expert)

/// What a level does about one act.
struct Strength {
  /// Out of a hundred acts so many are drawn from all that are open.
  std::uint32_t random_percent = 0;
  /// Out of a hundred of the others so many are made by the game's own `choose` alone.
  std::uint32_t habit_percent = 0;
  /// Games played out before an act, at most; none: the game's own `choose` acts.
  std::uint32_t playouts = 0;
};

/// From the weakest to the strongest, by Level. normal is the game's own `greedy`.
inline constexpr std::array<Strength, 4> kStrengths = {{
    {.random_percent = 50},
    {},
    {.habit_percent = 50, .playouts = 60},
    {.playouts = 300},
}};

constexpr const Strength& strength_of(Level level) {
  return kStrengths.at(static_cast<std::size_t>(level));
}

}  // namespace triquetra
