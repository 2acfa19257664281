// What a room holds in memory, counted by the bytes that it asks for and does not give back: a
// match that is over leaves it, and one that runs has a bound.
#include <doctest/doctest.h>
#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/wire.hpp"
#include "server/room/room.hpp"
#include "tests/seed.hpp"

namespace {
// What this program holds now.
std::int64_t g_bytes = 0;

void give_back(void* piece) {
  g_bytes -= static_cast<std::int64_t>(malloc_usable_size(piece));
  std::free(piece);  // NOLINT(cppcoreguidelines-no-malloc): where memory goes.
}
}  // namespace

// Not inlined, or g++ takes the two halves for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const piece = std::malloc(size);  // NOLINT(cppcoreguidelines-no-malloc): whence it comes.
  if (piece == nullptr) throw std::bad_alloc();
  g_bytes += static_cast<std::int64_t>(malloc_usable_size(piece));
  return piece;
}
[[gnu::noinline]] void operator delete(void* piece) noexcept { give_back(piece); }
[[gnu::noinline]] void operator delete(void* piece, std::size_t) noexcept { give_back(piece); }

namespace triquetra {
namespace {

struct Played {
  Seat seat;
  std::string act;  // its frame, but for the id
};

/// A match as it can be played again and again.
struct Course {
  std::string deal;
  std::vector<Played> steps;
};

Course random_course(const GameKind& game, const std::string& options, std::size_t seats,
                     Rng& rng) {
  Course course;
  Seed seed;
  for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(rng.below(256));
  const TablePointer start = game.lay(options, seats, seed);
  TablePointer table = start;
  while (!table->result()) {
    const auto decisions = table->decisions();
    const Decision& decision = decisions[rng.below(static_cast<std::uint32_t>(decisions.size()))];
    const Seat seat = asked(decision).list()[0];
    const std::string action = rng.pick(table->legal(seat, false)).action.text;
    course.steps.push_back({seat, R"("type":"act","decision":)" +
                                      std::to_string(decision.id.value) + R"(,"action":)" +
                                      action});
    table = std::get<TablePointer>(table->act(seat, action));
  }
  course.deal = table->deal(*start);
  return course;
}

/// A room whose people play one course over and over.
class Evening {
 public:
  /// `course` outlives it.
  Evening(const GameKind& game, const std::string& options, std::size_t seats, const Course& course)
      : course_(course) {
    RoomPolicy policy;
    policy.written_deal = course_.deal;
    Create create;
    create.id = "c";
    create.game = std::string(game.name);
    create.options = Raw{options};
    create.seats = static_cast<int>(seats);
    room_ = Room::create("BCDFGH", sender(0), create, now_, rng_, policy).next;
    for (std::size_t seat = 1; seat < seats; ++seat) say(seat, R"("type":"join")");
  }
  /// Plays the next match up to this step.
  void play(std::size_t steps) {
    if (room_->status() == RoomStatus::over) say(0, R"("type":"rematch")");
    say(0, R"("type":"start")");
    REQUIRE(room_->status() == RoomStatus::playing);
    for (std::size_t i = 0; i < steps; ++i)
      say(course_.steps[i].seat.index(), course_.steps[i].act);
  }
  RoomStatus status() const { return room_->status(); }

 private:
  static Sender sender(ConnectionId who) {
    return {who, std::string(31, 'p') + std::to_string(who), "Name" + std::to_string(who)};
  }
  void say(ConnectionId who, const std::string& members) {
    const std::string text =
        "{" + members + R"(,"id":"x)" + std::to_string(++ids_) + R"(","room":"BCDFGH"})";
    Outcome outcome = room_->handle(
        FromClient{sender(who), decode<ClientFrame>(parse_json(text), Reading::strict)}, now_,
        rng_);
    REQUIRE(!outcome.effects.records.empty());
    room_ = std::move(outcome.next);
  }

  const Course& course_;
  TimePoint now_{};
  Rng rng_{Seed{}};
  std::shared_ptr<Room> room_;
  int ids_ = 100'000;
};

/// Calls f(game, options, seats) for each game with its most seats.
template <class F>
void for_all_games(const F& f) {
  for (const GameKind& game : catalog()) {
    const std::string options = game.variants().front();
    std::size_t seats = game.max_seats;
    while (game.check(options, seats)) --seats;
    f(game, options, seats);
  }
}

TEST_CASE("a match that is over leaves the memory of its room") {
  Rng rng(tests::seed_number(tests::take_seed()));
  for_all_games([&](const GameKind& game, const std::string& options, std::size_t seats) {
    CAPTURE(game.name);
    const Course course = random_course(game, options, seats, rng);
    Evening evening(game, options, seats, course);
    std::vector<std::int64_t> held;
    held.reserve(8);
    for (int match = 0; match < 8; ++match) {
      evening.play(course.steps.size());
      REQUIRE(evening.status() == RoomStatus::over);
      held.push_back(g_bytes);
    }
    // The second has answers of the one before, and the ids of some are known.
    CHECK(held[7] - held[1] < 512);
  });
}

TEST_CASE("a room with a match takes little more than its table and what has happened") {
  Rng rng(tests::seed_number(tests::take_seed()));
  for_all_games([&](const GameKind& game, const std::string& options, std::size_t seats) {
    CAPTURE(game.name);
    const Course course = random_course(game, options, seats, rng);
    const std::int64_t before = g_bytes;
    Evening evening(game, options, seats, course);
    const std::size_t half = course.steps.size() / 2;
    evening.play(half);
    const std::int64_t held = g_bytes - before;
    MESSAGE(game.name << " with " << seats << " seats after " << half << " acts: " << held);
    // With the most seats, and matches longer than people's.
    CHECK(held < 20'000 + 260 * static_cast<std::int64_t>(half));
    if (game.name == "triqueta") CHECK(held < 24'000);
  });
}

}  // namespace
}  // namespace triquetra
