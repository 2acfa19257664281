// Goldens: whole games as text that a person can read aloud, one or more for each game, in its
// folder. The first line says what is played; all else follows from it. UPDATE_GOLDENS=1 writes
// them anew; a golden that changes means that old logs play differently: raise the game's kVersion.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/encode.hpp"
#include "tests/golden.hpp"

namespace triquetra {
namespace {

namespace fs = std::filesystem;

struct Heading {
  std::string game;
  std::string options;
  std::size_t seats = 0;
  std::uint32_t seed = 0;
};

/// As in: triqueta {"variant":"base"} seats 3 seed 1
Heading read_heading(const fs::path& path) {
  std::ifstream file(path);
  Heading heading;
  std::string word;
  file >> heading.game >> heading.options >> word >> heading.seats >> word >> heading.seed;
  REQUIRE_MESSAGE(file.good(), path.string(), " has no heading");
  return heading;
}

void tell_table(std::ostream& out, const Table& table, std::size_t seats) {
  out << "  table    " << table.table_view() << "\n";
  for (const Seat seat : seats_of(seats)) {
    out << "  seat " << seat.index() << "   " << table.seat_view(seat);
    if (const auto answer = table.answer(seat)) out << " answered " << *answer;
    out << "\n";
  }
  for (const Decision& decision : table.decisions()) {
    out << "  asks     " << encoded(asked(decision));
    for (const Seat seat : asked(decision).list()) out << " " << table.legal(seat, false).size();
    out << " acts open\n";
  }
}

std::string played(const Heading& heading) {
  const GameKind* game = find_game(heading.game);
  REQUIRE(game != nullptr);
  Seed seed;
  seed.bytes[0] = static_cast<std::uint8_t>(heading.seed);
  TablePointer table = game->lay(heading.options, heading.seats, seed);
  Rng rng(seed);
  std::ostringstream out;
  out << heading.game << " " << heading.options << " seats " << heading.seats << " seed "
      << heading.seed << "\n";
  tell_table(out, *table, heading.seats);
  for (int step = 1; !table->decisions().empty(); ++step) {
    const Decision decision = rng.pick(table->decisions());
    const Seat seat = rng.pick(asked(decision).list());
    out << "\n" << step << ". ";
    if (const auto action = table->choose(seat, BotLevel::random, rng)) {
      table = std::get<TablePointer>(table->act(seat, *action));
      out << "seat " << seat.index() << " " << *action << "\n";
    } else {
      table = table->lapse(decision.id);
      out << "the window of seat " << seat.index() << " lapses\n";
    }
    out << "  happened " << table->happened() << "\n";
    tell_table(out, *table, heading.seats);
  }
  const Result result = table->result().value();
  out << "\nwinners " << encoded(result.winners) << " scores " << encoded(result.scores) << "\n";
  return out.str();
}

std::vector<fs::path> goldens_of(std::string_view game) {
  std::vector<fs::path> paths;
  for (const char* folder : {"engine/games", "tests/games"}) {
    const fs::path goldens = fs::path(TRIQUETRA_SOURCE_DIR) / folder / game / "goldens";
    if (!fs::exists(goldens)) continue;
    for (const auto& entry : fs::directory_iterator(goldens)) paths.push_back(entry.path());
  }
  return paths;
}

TEST_CASE("every game has goldens, and plays them as they are written") {
  for (const GameKind& game : catalog()) {
    const auto paths = goldens_of(game.name);
    CHECK_MESSAGE(!paths.empty(), game.name, " has no golden");
    for (const fs::path& path : paths) tests::compare_golden(path, played(read_heading(path)));
  }
}

}  // namespace
}  // namespace triquetra
