#include "tools/tournament.hpp"

#include <algorithm>
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

void print_report(const TournamentReport& report, bool as_json) {
  if (as_json) {
    std::cout << encoded(report) << std::endl;
    return;
  }
  const bool has_scores = !report.matches.empty() && !report.matches.front().scores.empty();
  std::cout << report.game << " " << report.options.text << ", " << report.matches.size()
            << " games, seed " << report.seed << "\n";
  for (const Standing& standing : report.bots) {
    std::cout << std::setw(6) << standing.wins << " won " << std::setw(4) << standing.ties
              << " shared of " << standing.games;
    if (has_scores && standing.games > 0) {
      std::cout << ", mean score " << std::fixed << std::setprecision(2)
                << static_cast<double>(standing.score) / static_cast<double>(standing.games);
    }
    std::cout << "  " << standing.bot << "\n";
  }
}

}  // namespace triquetra
