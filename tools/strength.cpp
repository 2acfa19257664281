#include "tools/strength.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "tools/arena.hpp"

namespace triquetra {
namespace {

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

  void add(const MatchPlayed& match) {
    ++matches;
    const auto seats = match.bots.size();
    for (std::size_t seat = 0; seat < seats; ++seat) {
      const bool is_one = match.bots[seat] == 0;
      if (seat < match.scores.size()) {
        has_points = true;
        if (is_one) points += match.scores[seat];
        if (!is_one) points_of_others += match.scores[seat] / static_cast<double>(seats - 1);
      }
      if (!is_one) continue;
      for (const Seat winner : match.winners) {
        if (winner == Seat(seat)) wins += 1.0 / static_cast<double>(match.winners.size());
      }
    }
  }
};

/// Wilson's interval for a part of so many matches, at 95 %.
std::pair<double, double> interval(double wins, std::int64_t matches) {
  constexpr double kZ = 1.96;
  const auto n = static_cast<double>(matches);
  const double part = wins / n;
  const double middle = part + kZ * kZ / (2 * n);
  const double reach = kZ * std::sqrt(part * (1 - part) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {(middle - reach) / scale, (middle + reach) / scale};
}

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string line(const GameKind& game, const std::string& options, std::size_t seats,
                 const Pairing& pairing, const StrengthPlan& plan) {
  std::vector<ArenaBot> bots{*arena_bot(pairing.one)};
  while (bots.size() < seats) bots.push_back(*arena_bot(pairing.others));
  ArenaEffort effort{std::vector<std::int64_t>(seats), std::vector<double>(seats)};
  Tally tally;
  for (std::int64_t match = 0; match < plan.matches; ++match) {
    tally.add(play_match(game, options, bots, plan.seed, match, &effort));
  }
  const auto [low, high] = interval(tally.wins, tally.matches);
  const auto matches = static_cast<double>(tally.matches);
  const std::string points = !tally.has_points
                                 ? "-"
                                 : number("%.1f", tally.points / matches) + " : " +
                                       number("%.1f", tally.points_of_others / matches);
  const double each_ms = effort.seconds.front() * 1e3 /
                         static_cast<double>(std::max<std::int64_t>(1, effort.acts.front()));
  return "| `" + options + "` | " + std::to_string(seats) + " | " + pairing.one + " | " +
         pairing.others + " | " + number("%.3f", tally.wins / matches) + " | " +
         number("%.3f", low) + " to " + number("%.3f", high) + " | " +
         number("%.3f", 1.0 / static_cast<double>(seats)) + " | " + points + " | " +
         number("%.1f", each_ms) + " |\n";
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

std::string lines_of(const GameKind& game, const StrengthPlan& plan) {
  std::string lines =
      "| Options | Seats | One | Others | Part of the wins | 95 % | Fair | Points, one : others | "
      "ms an act |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const std::string& options : game.variants()) {
    for (const std::size_t seats : tables_of(game, options)) {
      for (const Pairing& pairing : kPairings) {
        lines += line(game, options, seats, pairing, plan);
        std::cerr << game.name << " " << lines.substr(lines.rfind('\n', lines.size() - 2) + 1);
      }
    }
  }
  return lines + "\n" + std::to_string(plan.matches) + " matches a line, seed " +
         std::to_string(plan.seed) + ".\n";
}

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

}  // namespace

int run_strength(const StrengthPlan& plan) {
  if (!plan.game.empty() && find_game(plan.game) == nullptr) {
    return refuse("there is no game " + plan.game);
  }
  for (const GameKind& game : catalog()) {
    if (!plan.game.empty() && game.name != plan.game) continue;
    if (plan.page.empty()) {
      std::cout << game.name << "\n\n" << lines_of(game, plan) << "\n";
      continue;
    }
    if (!with_lines(text_of(plan.page), game.name, "")) {
      return refuse(plan.page + " has no place for the strength of " + std::string(game.name));
    }
    const std::string lines = lines_of(game, plan);
    // Read again: it takes hours, and another game's lines may have come meanwhile.
    if (const auto page = with_lines(text_of(plan.page), game.name, lines)) {
      std::ofstream(plan.page) << *page;
    }
  }
  return 0;
}

}  // namespace triquetra
