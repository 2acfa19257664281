// The arena's bots for people, and `triquetra arena --table`, with a game that takes no time.
#include "tools/strength.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/seed.hpp"
#include "tools/arena.hpp"

namespace triquetra {
namespace {

/// A page, or another file, that is gone with the test.
class Page {
 public:
  explicit Page(const std::string& text, const std::string& name = "page")
      : path_(std::filesystem::temp_directory_path() /
              ("triquetra_strength_" + name + "_" + std::to_string(getpid()) + ".md")) {
    std::ofstream(path_) << text;
  }
  ~Page() { std::filesystem::remove(path_); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  std::string path() const { return path_.string(); }
  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

std::ptrdiff_t lines_with(const std::string& text, const std::string& word) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("bots for people play matches that can be had again") {
  const GameKind* game = find_game("bids");
  REQUIRE(game != nullptr);
  const std::vector<ArenaBot> bots{*arena_bot("easy"), *arena_bot("normal"), *arena_bot("hard"),
                                   *arena_bot("expert")};
  CHECK(!arena_bot("nobody"));
  const std::int64_t seed = tests::take_seed();
  ArenaEffort effort{std::vector<std::int64_t>(4), std::vector<double>(4)};
  for (std::int64_t number = 0; number < 4; ++number) {
    const MatchPlayed match = play_match(*game, "{}", bots, seed, number, &effort);
    const MatchPlayed again = play_match(*game, "{}", bots, seed, number);
    CHECK(match.scores == again.scores);
    CHECK(match.acts == again.acts);
    CHECK(match.bots.front() == number);
  }
  CHECK(*std::min_element(effort.acts.begin(), effort.acts.end()) > 0);
}

TEST_CASE("the table of strength takes its place in a page, and leaves the rest alone") {
  const Page page("before\n<!-- strength of bids -->\nold\n<!-- end -->\nafter\n");
  StrengthPlan plan{"bids", 3, 7, page.path(), ""};
  REQUIRE(run_strength(plan) == 0);
  const std::string text = page.text();
  CHECK(text.rfind("before\n<!-- strength of bids -->\n|", 0) == 0);
  CHECK(text.find("old") == std::string::npos);
  CHECK(text.find("Seed 7.\n<!-- end -->\nafter\n") != std::string::npos);
  CHECK(lines_with(text, "| expert | hard | 3 |") ==
        2);  // at the smallest table and at the largest
  CHECK(lines_with(text, "| easy | random |") == 2);
  REQUIRE(run_strength(plan) == 0);
  CHECK(lines_with(page.text(), "| expert | hard |") == 2);

  plan.game = "triqueta";
  CHECK(run_strength(plan) == 2);
  plan.game = "chess";
  CHECK(run_strength(plan) == 2);
}

/// The lines of a table without what differs each time: how long an act took.
std::string without_times(const std::string& text) {
  std::string lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    const auto last = line.rfind(" | ");
    lines += line.substr(0, last) + "\n";
  }
  return lines;
}

TEST_CASE("a table that was stopped goes on from the matches that it kept") {
  const std::string empty = "<!-- strength of bids -->\n<!-- end -->\n";
  const Page at_once(empty);
  REQUIRE(run_strength({"bids", 4, 7, at_once.path(), ""}) == 0);

  const Page page(empty, "in_parts"), kept("", "kept");
  REQUIRE(run_strength({"bids", 2, 7, page.path(), kept.path()}) == 0);
  const std::string first = kept.text();
  CHECK(std::count(first.begin(), first.end(), '\n') == 2 * 10);
  CHECK(lines_with(page.text(), "| expert | hard | 2 |") == 2);
  // It was stopped while it wrote a match, and bots of the same names played otherwise before.
  std::string other = first.substr(0, first.find('\n'));
  other.replace(other.find('/'), 1, "/1");
  std::ofstream(kept.path(), std::ios::app) << other << "\n" << first.substr(0, 30);
  REQUIRE(run_strength({"bids", 4, 7, page.path(), kept.path()}) == 0);
  const std::string all = kept.text();
  CHECK(all.rfind(first, 0) == 0);
  CHECK(std::count(all.begin(), all.end(), '\n') == 4 * 10 + 1);
  CHECK(without_times(page.text()) == without_times(at_once.text()));

  // All that is there stands in the table, and nothing is played.
  REQUIRE(run_strength({"bids", 1, 7, page.path(), kept.path()}) == 0);
  CHECK(kept.text() == all);
  CHECK(lines_with(page.text(), "| expert | hard | 4 |") == 2);
  std::ofstream(kept.path(), std::ios::app) << "{}\n";
  CHECK(run_strength({"bids", 1, 7, page.path(), kept.path()}) == 2);
}

}  // namespace
}  // namespace triquetra
