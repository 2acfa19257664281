// The arena's bots for people, and `triquetra arena --table`, with a game that takes no time.
#include "tools/strength.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/seed.hpp"
#include "tools/arena.hpp"

namespace triquetra {
namespace {

/// A page that is gone with the test.
class Page {
 public:
  explicit Page(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("triquetra_strength_" + std::to_string(getpid()) + ".md")) {
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
  StrengthPlan plan{"bids", 3, 7, page.path()};
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

}  // namespace
}  // namespace triquetra
