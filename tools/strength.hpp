// `triquetra arena --table`: how strong each level is, in every game, with all of its options and
// at the smallest and the largest table, as one table for docs/BOTS.md.
#pragma once

#include <cstdint>
#include <string>

namespace triquetra {

struct StrengthPlan {
  std::string game;  // all games if empty
  std::int64_t matches = 400;
  std::int64_t seed = 1;
  /// A page in which the lines of each game stand between two comments; without one, they go to
  /// standard output.
  std::string page;
  /// A file that gets each match once it is over, one line of JSON each, and from which a run that
  /// was stopped goes on; without one, nothing is kept.
  std::string kept;
};

/// Has one bot of each level play against a table full of the level below, and an expert against
/// greedy ones, and writes one line for each, with all of its matches that are kept. The next match
/// is always played for the line that has had the least time, so that wherever it is stopped, each
/// line has what could be had. 0, or 2 if the plan makes no sense, which is then said on standard
/// error.
int run_strength(const StrengthPlan& plan);

}  // namespace triquetra
