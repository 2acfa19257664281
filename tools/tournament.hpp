// What a tournament between bots came to: the same report for one that was played here and for one
// that was played at a server.
#pragma once

#include <boost/describe/class.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/ids.hpp"
#include "protocol/reflect.hpp"

namespace triquetra {

/// One match. Bots are named by their place in the report's list, because a name may come twice.
struct MatchPlayed {
  std::vector<std::int64_t> bots;  // by seat
  std::vector<Seat> winners;
  std::vector<int> scores;  // by seat; empty in a game without points
  std::int64_t acts{};      // and lapses
};
BOOST_DESCRIBE_STRUCT(MatchPlayed, (), (bots, winners, scores, acts))

struct Standing {
  std::string bot;
  std::int64_t games{};
  std::int64_t wins{};   // alone
  std::int64_t ties{};   // won together with others
  std::int64_t score{};  // of all games together
};
BOOST_DESCRIBE_STRUCT(Standing, (), (bot, games, wins, ties, score))

struct TournamentReport {
  std::string game;
  Raw options;
  std::int64_t seed{};
  std::vector<Standing> bots;
  std::vector<MatchPlayed> matches;
};
BOOST_DESCRIBE_STRUCT(TournamentReport, (), (game, options, seed, bots, matches))

/// A report with these bots and no match yet.
TournamentReport empty_report(const std::string& game, const std::string& options,
                              std::int64_t seed, const std::vector<std::string>& bots);
/// Adds a match to the list and to the standings.
void add_match(TournamentReport& report, MatchPlayed match);
/// The bot of this number's part of the wins of a match: a shared one counts in parts.
double part_of(const MatchPlayed& match, std::int64_t bot);
/// Wilson's interval for a part of so many matches, at 95 %. Before: there is one at least.
std::pair<double, double> interval(double wins, std::int64_t matches);
/// On standard output: one line of JSON, or a table for people.
void print_report(const TournamentReport& report, bool as_json);

}  // namespace triquetra
