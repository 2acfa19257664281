#include "tools/strength.hpp"

#include <boost/describe/class.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/json.hpp"
#include "tools/arena.hpp"

namespace triquetra {
namespace {

/// One bot of a kind at a table full of another, in one game: a line of the table.
struct Cell {
  std::string game;
  std::string options;
  std::int64_t seats{};
  std::string one;
  std::string others;
  friend bool operator==(const Cell&, const Cell&) = default;
};
BOOST_DESCRIBE_STRUCT(Cell, (), (game, options, seats, one, others))

/// A match as it is kept.
struct KeptMatch {
  /// What decided who plays how: a match between other bots of the same names is no match of ours.
  std::string bots;
  Cell cell;
  std::int64_t seed{};
  std::int64_t number{};
  MatchPlayed match;
  std::int64_t acts_of_one{};
  std::int64_t microseconds_of_one{};
  std::int64_t microseconds{};  // of all bots
};
BOOST_DESCRIBE_STRUCT(KeptMatch, (),
                      (bots, cell, seed, number, match, acts_of_one, microseconds_of_one,
                       microseconds))

struct Pairing {
  const char* one;
  const char* others;
};
constexpr Pairing kPairings[] = {
    {"easy", "random"}, {"normal", "easy"},   {"hard", "normal"},
    {"expert", "hard"}, {"expert", "greedy"},
};

/// What one bot came to among others of one kind.
struct Tally {
  std::int64_t matches = 0;
  double wins = 0.0;  // a shared one counts in parts
  double points = 0.0;
  double points_of_others = 0.0;  // of one of them
  bool has_points = false;
  std::int64_t acts = 0;
  std::int64_t microseconds = 0;  // of the one
  std::int64_t microseconds_of_all = 0;

  void add(const KeptMatch& kept) {
    ++matches;
    acts += kept.acts_of_one;
    microseconds += kept.microseconds_of_one;
    microseconds_of_all += kept.microseconds;
    add(kept.match);
  }

 private:
  void add(const MatchPlayed& match) {
    wins += part_of(match, 0);
    const auto seats = match.bots.size();
    for (std::size_t seat = 0; seat < seats; ++seat) {
      if (seat >= match.scores.size()) continue;
      has_points = true;
      if (match.bots[seat] == 0) {
        points += match.scores[seat];
      } else {
        points_of_others += match.scores[seat] / static_cast<double>(seats - 1);
      }
    }
  }
};

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string line(const Cell& cell, const Tally& tally) {
  const auto [low, high] = interval(tally.wins, tally.matches);
  const auto matches = static_cast<double>(tally.matches);
  const std::string points = !tally.has_points
                                 ? "-"
                                 : number("%.1f", tally.points / matches) + " : " +
                                       number("%.1f", tally.points_of_others / matches);
  const double each_ms = static_cast<double>(tally.microseconds) * 1e-3 /
                         static_cast<double>(std::max<std::int64_t>(1, tally.acts));
  return "| `" + cell.options + "` | " + std::to_string(cell.seats) + " | " + cell.one + " | " +
         cell.others + " | " + std::to_string(tally.matches) + " | " +
         number("%.3f", tally.wins / matches) + " | " + number("%.3f", low) + " to " +
         number("%.3f", high) + " | " + number("%.3f", 1.0 / static_cast<double>(cell.seats)) +
         " | " + points + " | " + number("%.1f", each_ms) + " |\n";
}

/// The fewest and the most seats that these options allow.
std::vector<std::size_t> tables_of(const GameKind& game, const std::string& options) {
  std::vector<std::size_t> tables;
  for (std::size_t seats = game.min_seats; seats <= game.max_seats; ++seats) {
    if (!game.check(options, seats)) tables.push_back(seats);
  }
  if (tables.size() > 2) tables.erase(tables.begin() + 1, tables.end() - 1);
  return tables;
}

/// All lines of a table, in its order.
std::vector<Cell> cells_of(const std::string& game) {
  std::vector<Cell> cells;
  for (const GameKind& kind : catalog()) {
    if (!game.empty() && kind.name != game) continue;
    for (const std::string& options : kind.variants()) {
      for (const std::size_t seats : tables_of(kind, options)) {
        for (const Pairing& pairing : kPairings) {
          cells.push_back({std::string(kind.name), options, static_cast<std::int64_t>(seats),
                           pairing.one, pairing.others});
        }
      }
    }
  }
  return cells;
}

/// What these bots do, as far as numbers tell.
std::string bots_of(const GameKind& game) {
  std::string text = std::string(game.name) + " " + std::to_string(game.version);
  for (const Strength& strength : kStrengths) {
    text += " " + std::to_string(strength.random_percent) + "/" +
            std::to_string(strength.habit_percent) + "/" + std::to_string(strength.playouts);
  }
  return text;
}

KeptMatch played(const Cell& cell, std::int64_t seed, std::int64_t number) {
  const GameKind& game = *find_game(cell.game);
  const auto seats = static_cast<std::size_t>(cell.seats);
  std::vector<ArenaBot> bots{*arena_bot(cell.one)};
  while (bots.size() < seats) bots.push_back(*arena_bot(cell.others));
  ArenaEffort effort{std::vector<std::int64_t>(seats), std::vector<double>(seats)};
  KeptMatch kept{bots_of(game), cell, seed, number, {}, 0, 0, 0};
  kept.match = play_match(game, cell.options, bots, seed, number, &effort);
  kept.acts_of_one = effort.acts.front();
  const auto microseconds = [](double seconds) { return std::llround(seconds * 1e6); };
  kept.microseconds_of_one = microseconds(effort.seconds.front());
  kept.microseconds =
      microseconds(std::accumulate(effort.seconds.begin(), effort.seconds.end(), 0.0));
  return kept;
}

/// What each line has come to.
class Tallies {
 public:
  Tallies(std::vector<Cell> cells, const StrengthPlan& plan)
      : cells_(std::move(cells)), tallies_(cells_.size()), plan_(plan) {}

  /// Counts a match, if it is the next one of its line.
  void add(const KeptMatch& kept) {
    const auto found = std::find(cells_.begin(), cells_.end(), kept.cell);
    if (found == cells_.end() || kept.seed != plan_.seed) return;
    Tally& tally = tallies_[static_cast<std::size_t>(found - cells_.begin())];
    if (kept.number != tally.matches || kept.bots != bots_of(*find_game(kept.cell.game))) return;
    tally.add(kept);
  }

  /// The line that is to have the next match, and which match that is.
  std::optional<std::pair<Cell, std::int64_t>> next() const {
    // An expert against greedy ones is what is asked for most.
    const auto had = [&](std::size_t i) {
      const auto spent = static_cast<double>(tallies_[i].microseconds_of_all);
      return cells_[i].one == "expert" && cells_[i].others == "greedy" ? spent / 3 : spent;
    };
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (tallies_[i].matches >= plan_.matches) continue;
      if (!least || had(i) < had(*least)) least = i;
    }
    if (!least) return std::nullopt;
    return std::pair(cells_[*least], tallies_[*least].matches);
  }

  /// The part of the table that is a game's.
  std::string lines_of(std::string_view game) const {
    std::string lines =
        "| Options | Seats | One | Others | Matches | Part of the wins | 95 % | Fair | Points, one "
        ": others | ms an act |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].game == game) lines += line(cells_[i], tallies_[i]);
    }
    return lines + "\nSeed " + std::to_string(plan_.seed) + ".\n";
  }

 private:
  std::vector<Cell> cells_;
  std::vector<Tally> tallies_;
  const StrengthPlan& plan_;
};

int refuse(const std::string& why) {
  std::cerr << "triquetra arena: " << why << "\n";
  return 2;
}

/// The page with the lines of a game anew; none if it has no place for them.
std::optional<std::string> with_lines(std::string page, std::string_view game,
                                      const std::string& lines) {
  const std::string begin = "<!-- strength of " + std::string(game) + " -->\n";
  const std::string end = "<!-- end -->";
  const std::size_t from = page.find(begin);
  if (from == std::string::npos) return std::nullopt;
  const std::size_t to = page.find(end, from);
  if (to == std::string::npos) return std::nullopt;
  return page.replace(from + begin.size(), to - from - begin.size(), lines);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Counts what a file keeps. A match that was being written when the run was stopped goes, so that
/// the next one has a line of its own. Throws Malformed.
void take_kept(const std::string& path, Tallies& tallies) {
  const std::string text = text_of(path);
  const std::size_t whole = text.rfind('\n') + 1;
  if (whole < text.size()) std::filesystem::resize_file(path, whole);
  std::istringstream lines(text.substr(0, whole));
  for (std::string line; std::getline(lines, line);) {
    tallies.add(decode<KeptMatch>(line, Reading::strict, kTrustedJson));
  }
}

void play(const StrengthPlan& plan, Tallies& tallies) {
  std::ofstream file;
  if (!plan.kept.empty()) file.open(plan.kept, std::ios::app);
  while (const auto next = tallies.next()) {
    const KeptMatch kept = played(next->first, plan.seed, next->second);
    if (file.is_open()) file << encoded(kept) << std::endl;
    tallies.add(kept);
  }
}

}  // namespace

int run_strength(const StrengthPlan& plan) {
  if (!plan.game.empty() && find_game(plan.game) == nullptr) {
    return refuse("there is no game " + plan.game);
  }
  std::vector<std::string_view> games;
  for (const GameKind& game : catalog()) {
    if (plan.game.empty() || game.name == plan.game) games.push_back(game.name);
  }
  for (const std::string_view game : games) {
    if (plan.page.empty() || with_lines(text_of(plan.page), game, "")) continue;
    return refuse(plan.page + " has no place for the strength of " + std::string(game));
  }
  Tallies tallies(cells_of(plan.game), plan);
  try {
    if (!plan.kept.empty()) take_kept(plan.kept, tallies);
  } catch (const Malformed&) {
    return refuse(plan.kept + " holds something else than matches of a table");
  }
  play(plan, tallies);
  for (const std::string_view game : games) {
    const std::string lines = tallies.lines_of(game);
    if (plan.page.empty()) {
      std::cout << game << "\n\n" << lines << "\n";
    } else if (const auto page = with_lines(text_of(plan.page), game, lines)) {
      std::ofstream(plan.page) << *page;
    }
  }
  return 0;
}

}  // namespace triquetra
