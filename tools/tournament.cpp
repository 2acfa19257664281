#include "tools/tournament.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <utility>

#include "protocol/encode.hpp"

namespace triquetra {

TournamentReport empty_report(const std::string& game, const std::string& options,
                              std::int64_t seed, const std::vector<std::string>& bots) {
  TournamentReport report;
  report.game = game;
  report.options.text = options;
  report.seed = seed;
  for (const std::string& bot : bots) {
    report.bots.emplace_back();
    report.bots.back().bot = bot;
  }
  return report;
}

void add_match(TournamentReport& report, MatchPlayed match) {
  for (std::size_t seat = 0; seat < match.bots.size(); ++seat) {
    Standing& standing = report.bots.at(static_cast<std::size_t>(match.bots[seat]));
    const bool has_won =
        std::find(match.winners.begin(), match.winners.end(), Seat{seat}) != match.winners.end();
    standing.games += 1;
    if (has_won) (match.winners.size() == 1 ? standing.wins : standing.ties) += 1;
    if (seat < match.scores.size()) standing.score += match.scores[seat];
  }
  report.matches.push_back(std::move(match));
}

double part_of(const MatchPlayed& match, std::int64_t bot) {
  const auto is_its = [&](Seat winner) { return match.bots.at(winner.index()) == bot; };
  const auto won = std::count_if(match.winners.begin(), match.winners.end(), is_its);
  return won == 0 ? 0.0 : static_cast<double>(won) / static_cast<double>(match.winners.size());
}

std::pair<double, double> interval(double wins, std::int64_t matches) {
  constexpr double kZ = 1.96;
  const auto n = static_cast<double>(matches);
  const double part = wins / n;
  const double middle = part + kZ * kZ / (2 * n);
  const double reach = kZ * std::sqrt(part * (1 - part) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {(middle - reach) / scale, (middle + reach) / scale};
}

void print_report(const TournamentReport& report, bool as_json) {
  if (as_json) {
    std::cout << encoded(report) << std::endl;
    return;
  }
  const bool has_scores = !report.matches.empty() && !report.matches.front().scores.empty();
  std::cout << report.game << " " << report.options.text << ", " << report.matches.size()
            << " games, seed " << report.seed << "\n";
  for (std::size_t bot = 0; bot < report.bots.size(); ++bot) {
    const Standing& standing = report.bots[bot];
    std::cout << std::setw(6) << standing.wins << " won " << std::setw(4) << standing.ties
              << " shared of " << standing.games;
    if (has_scores && standing.games > 0) {
      std::cout << ", mean score " << std::fixed << std::setprecision(2)
                << static_cast<double>(standing.score) / static_cast<double>(standing.games);
    }
    if (standing.games > 0) {
      double wins = 0.0;
      for (const MatchPlayed& match : report.matches) {
        wins += part_of(match, static_cast<std::int64_t>(bot));
      }
      const auto [low, high] = interval(wins, standing.games);
      std::cout << std::fixed << std::setprecision(3) << ", part of the wins "
                << wins / static_cast<double>(standing.games) << " (" << low << " to " << high
                << ")";
    }
    std::cout << "  " << standing.bot << "\n";
  }
}

}  // namespace triquetra
