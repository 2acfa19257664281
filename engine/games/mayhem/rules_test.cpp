// The statements of RULES.md, case by case. What the vector files of tests/vectors/triangles say
// is not repeated here.
#include "engine/games/mayhem/rules.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <type_traits>

#include "tests/seed.hpp"

namespace triquetra::mayhem {
namespace {

using tests::seed_number;
using Words = std::vector<std::string>;

Words split(const std::string& text) {
  Words words;
  for (std::size_t i = 0; i < text.size(); i += 4) words.push_back(text.substr(i, 3));
  return words;
}

Piece piece(const std::string& code) { return triangles::piece_from(code).value(); }

/// A deal from seat 0 that begins with these cards; the others follow in their order.
Deal deal_with(const std::string& top) {
  Words deck = split(top);
  std::vector<std::string> rest;
  for (const Piece& other : triangles::all_pieces())
    rest.push_back(triangles::code_of(other).str());
  for (const std::string& code : deck) rest.erase(std::find(rest.begin(), rest.end(), code));
  Deal deal;
  for (const std::string& code : deck) deal.deck.push_back(code);
  for (const std::string& code : rest) deal.deck.push_back(code);
  return deal;
}

/// The deal that gives these hands to the seats, and then these cards to whoever draws.
Deal deal_with_hands(const std::vector<std::string>& hands, const std::string& pile) {
  std::string top;
  for (std::size_t i = 0; i < kHandSize; ++i) {
    for (const std::string& hand : hands) top += split(hand)[i] + " ";
  }
  return deal_with(top + pile);
}

/// A game and the acts of its test; every act is checked and every state verified.
struct Game {
  State state;

  explicit Game(const std::vector<std::string>& hands, const std::string& pile = "",
                const Options& options = {})
      : state(lay(hands.size(), deal_with_hands(hands, pile), options)) {}

  static State lay(std::size_t seat_count, const Deal& deal, const Options& options) {
    Chance<Deal> chance(deal);
    return Rules::setup(options, seat_count, chance);
  }

  static Action action(const std::string& code, std::optional<int> onto) {
    Play play{piece(code), {}};
    if (onto) play.onto = *onto;
    return play;
  }

  /// The statement that forbids it; empty if it is allowed. Also that nothing changes by asking.
  std::string fault(std::size_t seat, const Action& act) const {
    const State before = state;
    const auto found = Rules::check(state, Seat(seat), act);
    CHECK(state == before);
    return found ? std::string(found->rule) : "";
  }
  std::string fault(std::size_t seat, const std::string& code, std::optional<int> onto = {}) const {
    return fault(seat, action(code, onto));
  }

  void act(std::size_t seat, const Action& act) {
    REQUIRE(fault(seat, act).empty());
    Rules::apply(state, Seat(seat), act);
    Rules::verify(state);
  }
  void play(std::size_t seat, const std::string& code, std::optional<int> onto = {}) {
    act(seat, action(code, onto));
  }
  void end(std::size_t seat) { act(seat, End{}); }
  void lapse() {
    Rules::lapse(state, window()->id);
    Rules::verify(state);
  }

  Decisions decisions() const { return Rules::decisions(state); }
  DecisionId turn_id() const { return decisions().front().id; }
  Seat turn() const { return std::get<Turn>(decisions().front().ask).seat; }
  std::optional<Decision> window() const {
    const auto open = decisions();
    return open.size() < 2 ? std::nullopt : std::optional(open[1]);
  }

  TableView table() const { return Rules::table_view(state); }
  SeatTable seat(std::size_t seat) const { return table().seats[seat]; }
  SeatView mine(std::size_t seat) const {
    return Rules::seat_view(state, EyeMaker::of(Seat(seat)));
  }

  /// The pieces of the open triangle with this name.
  std::string triangle(int id) const {
    for (const TriangleView& open : table().triangles) {
      if (open.id == TriangleId(id)) return text(open.cards);
    }
    return "";
  }
  template <class Cards>
  static std::string text(const Cards& cards) {
    std::string words;
    for (const auto& card : cards) {
      words += (words.empty() ? "" : " ") + triangles::code_of(*card.value()).str();
    }
    return words;
  }

  template <class T>
  std::optional<T> event() const {
    for (const Event& event : Rules::happened(state)) {
      if (const auto* found = std::get_if<T>(&event)) return *found;
    }
    return std::nullopt;
  }
};

/// Hands that have nothing to do with each other.
const std::vector<std::string> kHands{"v1p v2r h1g", "c1p c1r c2g", "h2p h2r h3g"};

// Setup.

TEST_CASE("M1 M3 AM11 81 pieces; three cards each, dealt singly and clockwise") {
  const Game game(kHands, "v3p");
  CHECK(Game::text(game.mine(0).hand) == "h1g v1p v2r");
  CHECK(Game::text(game.mine(1).hand) == "c1p c1r c2g");
  CHECK(Game::text(game.mine(2).hand) == "h2p h2r h3g");
  CHECK(int{game.table().pile} == 81 - 9);
  CHECK(game.table().triangles.empty());
  CHECK(game.state.pile.back().for_rules() == piece("v3p"));
}

TEST_CASE("M2 AM1 two to eight seats") {
  for (std::size_t seats = 0; seats < 12; ++seats) {
    const auto fault = Rules::check(Options{}, seats);
    CHECK(fault.has_value() == (seats < 2 || seats > 8));
    if (fault) CHECK(fault->rule == "M2");
  }
}

TEST_CASE("M4 the options fix who starts, or chance does; turns go clockwise") {
  Options options;
  options.first_seat = 2;
  CHECK(Rules::check(options, 2)->rule == "M4");
  // One of three is not drawn in sixty deals once in ten thousand million runs.
  const std::uint32_t first = tests::take_seed();
  std::set<std::size_t> starters;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const Seed seed = seed_number(first + i);
    Chance<Deal> fixed{Rng(seed)};
    CHECK(Rules::table_view(Rules::setup(options, 3, fixed)).turn == Seat(2));
    Chance<Deal> drawn{Rng(seed)};
    starters.insert(Rules::table_view(Rules::setup(Options{}, 3, drawn)).turn->index());
  }
  CHECK(starters == std::set<std::size_t>{0, 1, 2});

  Game game(kHands);
  CHECK(game.turn() == Seat(0));
  CHECK(game.fault(1, "c1p") == "M4");
  CHECK(game.fault(1, End{}) == "M4");
  game.play(0, "v1p");
  game.end(0);
  CHECK(game.turn() == Seat(1));
  game.play(1, "c1p");
  game.end(1);
  game.play(2, "h2p");
  game.end(2);
  CHECK(game.turn() == Seat(0));
}

// A turn.

TEST_CASE("M5 AM6 one to three cards of the own hand, one after the other") {
  Game game(kHands);
  CHECK(game.fault(0, End{}) == "M5");
  CHECK(game.fault(0, "c1p") == "M5");
  game.play(0, "v1p");
  CHECK(int{game.table().played} == 1);
  CHECK(int{game.seat(0).cards} == 2);
  CHECK(game.triangle(1) == "v1p");
  CHECK(game.fault(0, End{}).empty());
  game.play(0, "v2r", 1);
  game.play(0, "h1g");
  CHECK(int{game.table().played} == 3);
  CHECK(int{game.table().pile} == 72);
  CHECK(legal_acts<Rules>(game.state, Seat(0)) == std::vector<Action>{End{}});
  CHECK(game.turn() == Seat(0));
}

TEST_CASE("M6 M7 an open triangle takes its cut and the numbers it lacks, from anybody") {
  Game game({"v1p h1g c1g", "v1r v2g h3p", "v3r c1p c2g"});
  game.play(0, "v1p");
  game.play(0, "h1g");
  game.end(0);
  CHECK(game.fault(1, "v1r", 1) == "M7");
  CHECK(game.fault(1, "v2g", 2) == "M7");
  CHECK(game.fault(1, "v2g", 3) == "M6");
  game.play(1, "v2g", 1);
  CHECK(game.triangle(1) == "v1p v2g");
  game.end(1);
  game.play(2, "v3r", 1);
  CHECK(int{game.seat(2).triangles} == 1);
}

TEST_CASE("M8 what fits an open triangle must join one, also when played fast") {
  Game game({"v1p v1r h1g", "v2r c1r c2g"}, "v3g");
  game.play(0, "v1p");
  game.end(0);
  CHECK(game.fault(1, "v2r") == "M8");
  CHECK(game.fault(0, "v3g") == "M8");
  game.play(0, "v3g", 1);
  CHECK(game.fault(1, "v2r") == "M8");
  CHECK(game.fault(1, "c1r").empty());
}

TEST_CASE("M9 M10 several open triangles of one cut; what fits several may join any") {
  Game game({"v1p v1r v1g", "v2r c1r c2g"});
  game.play(0, "v1p");
  game.play(0, "v1r");
  game.play(0, "v1g");
  CHECK(game.table().triangles.size() == 3);
  game.end(0);
  for (const int onto : {1, 2, 3}) CHECK(game.fault(1, "v2r", onto).empty());
  game.play(1, "v2r", 2);
  CHECK(game.triangle(2) == "v1r v2r");
}

TEST_CASE("M11 M12 M13 a turn may start, extend and complete; who completes takes") {
  Game game({"v1p v3g v2r", "c1p c1r c2g"});
  game.play(0, "v1p");
  game.play(0, "v3g", 1);
  CHECK(game.event<Played>()->how == How::extend);
  game.play(0, "v2r", 1);
  CHECK(game.event<Played>()->how == How::complete);
  const auto taken = game.event<Taken>();
  REQUIRE(taken);
  CHECK(Game::text(taken->cards) == "v1p v3g v2r");
  CHECK(taken->pure == false);
  CHECK(game.table().triangles.empty());
  CHECK(int{game.seat(0).triangles} == 1);
  CHECK(int{game.seat(0).sheet->points} == 3);
  // Names are never used again.
  game.end(0);
  game.play(1, "c1p");
  CHECK(game.triangle(1).empty());
  CHECK(game.triangle(2) == "c1p");
}

TEST_CASE("M14 whoever ends a turn draws until there are three cards") {
  Game game(kHands, "v3p c3p c3r h3r");
  game.play(0, "h1g");
  game.play(0, "v1p");
  CHECK(int{game.table().pile} == 72);
  game.end(0);
  CHECK(int{game.seat(0).cards} == 3);
  CHECK(Game::text(game.mine(0).hand) == "v2r v3p c3p");
  CHECK(Game::text(game.mine(0).drew) == "v3p c3p");
  CHECK(int{game.table().pile} == 70);
  CHECK(game.event<Drew>()->count == (Int<1, 3>(2)));
  CHECK(game.mine(1).drew.empty());
}

/// The first state of some random game without the window that satisfies `wanted`: of five seats
/// three games of four have one that is wanted here, so a thousand have one for sure.
template <class Wanted>
std::optional<Game> random_game_until(std::size_t seat_count, const Wanted& wanted) {
  Options options;
  options.window_ms = 0;
  const std::uint32_t first = tests::take_seed();
  for (std::uint32_t number = first; number != first + 1000; ++number) {
    Chance<Deal> chance{Rng(seed_number(number))};
    Rng rng(seed_number(number, 1));
    Game game(kHands);
    game.state = Rules::setup(options, seat_count, chance);
    while (!game.decisions().empty()) {
      if (wanted(game)) return game;
      game.act(game.turn().index(), rng.pick(legal_acts<Rules>(game.state, game.turn())));
    }
  }
  return std::nullopt;
}

TEST_CASE("M14 AM2 a short pile gives what it has, an empty one nothing") {
  const auto short_draw = random_game_until(5, [](const Game& game) {
    const auto drew = game.event<Drew>();
    return drew && game.table().pile == CardCount(0) &&
           int{game.seat(drew->seat.index()).cards} < 3;
  });
  REQUIRE(short_draw);
  const auto no_draw = random_game_until(
      5, [](const Game& game) { return game.event<Ended>() && !game.event<Drew>(); });
  REQUIRE(no_draw);
  CHECK(no_draw->table().pile == CardCount(0));
  CHECK(!no_draw->table().winners);
}

TEST_CASE("M15 AM3 who has no cards left is skipped and keeps the triangles") {
  const auto game =
      random_game_until(5, [](const Game& other) { return other.event<Skipped>().has_value(); });
  REQUIRE(game);
  const Seat skipped = game->event<Skipped>()->seat;
  CHECK(int{game->seat(skipped.index()).cards} == 0);
  CHECK(legal_acts<Rules>(game->state, skipped).empty());
  CHECK(game->turn() != skipped);
}

// The window.

TEST_CASE("M16 AM7 only what was just drawn may be played fast, but a copy of it counts") {
  Game game({"v1p c2p c3g", "h1p h1r h1g"}, "c2p h2r h3r");
  game.play(0, "v1p");
  game.play(0, "c3g");
  game.end(0);
  CHECK(Game::text(game.mine(0).hand) == "h2r c2p c2p");
  CHECK(Game::text(game.mine(0).fast) == "h2r c2p");
  CHECK(int{game.table().window->cards} == 2);
  game.play(0, "c2p", 2);
  // The other copy was kept, and only what replaced this one is new.
  CHECK(game.fault(0, "c2p", 2) == "M16");
  CHECK(game.fault(0, "h1p") == "M16");
}

TEST_CASE("M17 M18 a fast card is drawn for at once, without limit, and is not one of a turn's") {
  Game game({"v1p c2p c3g", "h1p h1r h1g"}, "v2p v3p c1p c3r v1r");
  game.play(0, "v1p");
  game.end(0);
  const DecisionId turn = game.turn_id();
  game.play(0, "v2p", 1);
  CHECK(game.event<Played>()->fast);
  CHECK(Game::text(game.mine(0).drew) == "v3p");
  game.play(0, "v3p", 1);
  CHECK(game.event<Taken>()->pure == true);
  CHECK(int{game.seat(0).sheet->points} == 6);
  CHECK(Game::text(game.mine(0).fast) == "c1p");
  game.play(0, "c1p");
  game.play(0, "c3r", 2);
  CHECK(Game::text(game.mine(0).fast) == "v1r");
  CHECK(int{game.seat(0).cards} == 3);
  CHECK(game.turn() == Seat(1));
  CHECK(game.turn_id() == turn);
  CHECK(int{game.table().played} == 0);
}

TEST_CASE("M19 the window belongs to who has drawn, and there is none without a draw") {
  Game game(kHands, "v3p");
  game.play(0, "h1g");
  CHECK(!game.window());
  CHECK(game.fault(0, Lapse{}) == "M19");
  game.end(0);
  REQUIRE(game.window());
  const auto window = std::get<Window>(game.window()->ask);
  CHECK(window.seats == SeatSet{Seat(0)});
  CHECK(window.length == std::chrono::milliseconds(3000));
  CHECK(game.fault(1, Lapse{}) == "M19");
  CHECK(game.fault(2, Lapse{}) == "M20");
  CHECK(game.fault(2, "h2p") == "M4");
  CHECK(game.fault(0, End{}) == "M4");

  const auto no_draw = random_game_until(
      5, [](const Game& other) { return other.event<Ended>() && !other.event<Drew>(); });
  CHECK(!no_draw->event<WindowOpened>());
}

TEST_CASE("M20 the next player's first card closes it, a refused one does not") {
  Game game(kHands, "v3p");
  game.play(0, "h1g");
  game.end(0);
  CHECK(game.fault(1, "v3p") == "M5");
  CHECK(game.window());
  game.play(1, "c1p");
  CHECK(game.event<WindowClosed>()->reason == Closing::move);
  CHECK(!game.window());
  CHECK(game.fault(0, "v3p") == "M4");
  CHECK(game.fault(0, Lapse{}) == "M20");
}

TEST_CASE("M20 it lapses, and a waiver does the same; the turn stays as it was") {
  Game game(kHands, "v3p");
  game.play(0, "h1g");
  game.end(0);
  const DecisionId turn = game.turn_id();
  Game waived = game;
  game.lapse();
  CHECK(game.event<WindowClosed>()->reason == Closing::lapse);
  waived.act(0, Lapse{});
  CHECK(waived.state == game.state);
  CHECK(game.turn_id() == turn);
  CHECK(!game.window());
  CHECK(game.fault(0, "v3p") == "M4");
}

TEST_CASE("M20 each card drawn begins its time anew, and one without a draw does not") {
  Game game(kHands, "v3p c3p");
  game.play(0, "h1g");
  game.end(0);
  const DecisionId first = game.window()->id;
  game.play(0, "v3p");
  CHECK(game.window()->id != first);

  // The last cards: two drawn, and no more behind them.
  game = Game({"v1p v2p v3p", "c1p c2p c3p"});
  const std::span<const Card> last_two = std::span(game.state.pile).last(2);
  game.state.pile = List<Card, kPieces>(last_two);
  State& state = game.state;
  Rules::apply(state, Seat(0), Game::action("v1p", {}));
  Rules::apply(state, Seat(0), Game::action("v2p", 1));
  Rules::apply(state, Seat(0), End{});
  const DecisionId opened = game.window()->id;
  CHECK(Game::text(game.mine(0).fast) == Game::text(game.mine(0).hand).substr(0, 7));
  Rules::apply(state, Seat(0), legal_acts<Rules>(state, Seat(0)).front());
  CHECK(game.window()->id == opened);
  CHECK(int{game.table().window->cards} == 1);
  Rules::apply(state, Seat(0), legal_acts<Rules>(state, Seat(0)).front());
  CHECK(game.event<WindowClosed>()->reason == Closing::spent);
  CHECK(!game.window());
}

TEST_CASE("M21 without time there is no window") {
  Options options;
  options.window_ms = 0;
  Game game(kHands, "v3p", options);
  game.play(0, "h1g");
  game.end(0);
  CHECK(!game.window());
  CHECK(!game.event<WindowOpened>());
  options.window_ms = 1500;
  Game other(kHands, "v3p", options);
  other.play(0, "h1g");
  other.end(0);
  CHECK(std::get<Window>(other.window()->ask).length == std::chrono::milliseconds(1500));
}

// Points and the end.

TEST_CASE("M22 M23 a triangle gives 3 points, one of a single colour 6") {
  const std::array mixed{piece("v1p"), piece("v2p"), piece("v3r")};
  const std::array pure{piece("v1p"), piece("v2p"), piece("v3p")};
  CHECK(!is_pure(mixed));
  CHECK(points_for(mixed) == 3);
  CHECK(is_pure(pure));
  CHECK(points_for(pure) == 6);
  const std::vector<TakenTriangle> taken{{Seat(1), mixed}, {Seat(1), pure}};
  const auto sheets = score(Claims::checked, 2, taken, {});
  CHECK(sheets[0] == ScoreSheet{0, 0, {}, {}, 0});
  CHECK(sheets[1] == ScoreSheet{1, 1, {}, {}, 9});
}

TEST_CASE("M27 AM10 most points win, and equal ones share it") {
  const auto winners_with = [](const std::vector<int>& points) {
    std::vector<ScoreSheet> sheets;
    for (const int each : points) sheets.push_back({0, 0, {}, {}, each});
    return winners(sheets).to_vector();
  };
  CHECK(winners_with({30, 33, 18}) == std::vector{Seat(1)});
  CHECK(winners_with({30, 21, 30}) == std::vector{Seat(0), Seat(2)});
  CHECK(winners_with({-9, -12}) == std::vector{Seat(0)});
}

/// Plays to the end; windows lapse, and both seats of a race come first now and then.
State random_play(const Options& options, std::size_t seat_count, std::uint32_t number) {
  Chance<Deal> chance{Rng(seed_number(number))};
  State state = Rules::setup(options, seat_count, chance);
  Rng rng(seed_number(number, 1));
  for (auto open = Rules::decisions(state); !open.empty(); open = Rules::decisions(state)) {
    const Decision& decision = rng.pick(open);
    const Seat seat = asked(decision).list().front();
    const auto acts = legal_acts<Rules>(state, seat);
    const bool lapses = std::holds_alternative<Window>(decision.ask) && rng.below(4) == 0;
    if (lapses) {
      Rules::lapse(state, decision.id);
    } else {
      Rules::apply(state, seat, rng.pick(acts));
    }
  }
  Rules::verify(state);
  return state;
}

/// How many games a simulation plays; TRIQUETRA_MAYHEM_GAMES asks for more.
std::uint32_t simulated_games() {
  const char* asked_for = std::getenv("TRIQUETRA_MAYHEM_GAMES");
  return asked_for != nullptr ? static_cast<std::uint32_t>(std::stoul(asked_for)) : 700;
}

TEST_CASE("M25 M26 every game ends with 27 triangles, and its points add up") {
  Options slow;
  slow.window_ms = 0;
  const std::uint32_t first = tests::take_seed();
  for (std::uint32_t number = first; number != first + simulated_games(); ++number) {
    CAPTURE(number);
    const State state = random_play(number % 5 == 0 ? slow : Options{}, 2 + number % 7, number);
    const TableView table = Rules::table_view(state);
    int points = 0;
    int pure = 0;
    int unpure = 0;
    for (const SeatTable& seat : table.seats) {
      points += int{seat.sheet->points};
      pure += int{seat.sheet->pure};
      unpure += int{seat.sheet->unpure};
    }
    REQUIRE(table.triangles.empty());
    REQUIRE(pure + unpure == 27);
    REQUIRE(points == 81 + 3 * pure);
    REQUIRE(std::holds_alternative<Taken>(*(Rules::happened(state).end() - 2)));
  }
}

// Unchecked claims.

Options unchecked() {
  Options options;
  options.claims = Claims::unchecked;
  return options;
}

TEST_CASE("U1 U2 U3 anything goes onto anything, the third card takes, and nobody says a word") {
  Game game({"v1p v1r h1g", "v1g c1r c2g"}, "v2r", unchecked());
  game.play(0, "v1p");
  game.play(0, "v1r", 1);
  CHECK(game.fault(0, "h1g", 2) == "M6");
  game.end(0);
  CHECK(game.fault(0, "v2r").empty());
  game.play(1, "c1r", 1);
  const auto taken = game.event<Taken>();
  REQUIRE(taken);
  CHECK(!taken->pure);
  CHECK(!taken->points);
  CHECK(int{game.seat(1).triangles} == 1);
  CHECK(!game.seat(1).sheet);
  for (const Action& act : legal_acts<Rules>(game.state, Seat(1))) {
    CHECK(!Rules::preview(game.table(), game.mine(1), act));
  }
}

TEST_CASE("U4 the game ends with the last card, whatever is left on the table") {
  bool is_some_left = false;
  const std::uint32_t first = tests::take_seed();
  for (std::uint32_t number = first; number != first + 60; ++number) {
    const State state = random_play(unchecked(), 2 + number % 7, number);
    is_some_left |= !state.table.empty();
    CHECK(Rules::result(state)->scores.size() == state.hands.size());
    for (const SeatTable& seat : Rules::table_view(state).seats) CHECK(seat.sheet);
  }
  CHECK(is_some_left);
}

OpenTriangle open_triangle(TriangleId id, const std::string& codes) {
  OpenTriangle open{id, {}};
  for (const std::string& code : split(codes)) {
    open.cards.emplace_back(piece(code)).show_to_all();
  }
  return open;
}

TakenTriangle taken_by(std::size_t seat, const std::string& codes) {
  const Words words = split(codes);
  return {Seat(seat), {piece(words[0]), piece(words[1]), piece(words[2])}};
}

TEST_CASE("M24 U5 U6 AM9 wrong triangles cost, and so do the pieces that they leave behind") {
  const std::vector<TakenTriangle> taken{
      taken_by(0, "h1p h2p h3p"),  // pure
      taken_by(1, "v1p v1r h2r"),  // wrong: spoils v and h
      taken_by(2, "v2p v2p v2r"),  // wrong too, but too late for v
      taken_by(2, "h1r h1r h1r"),  // wrong, of one colour
  };
  const std::vector<OpenTriangle> left{open_triangle(1, "v3p"), open_triangle(2, "h3g c1p")};
  const auto sheets = score(Claims::unchecked, 3, taken, left);
  CHECK(sheets[0] == ScoreSheet{1, 0, 0, 0, 6});
  CHECK(sheets[1] == ScoreSheet{0, 0, 1, 2, -5});
  CHECK(sheets[2] == ScoreSheet{0, 0, 2, 0, -6});
}

// What is known.

/// All that somebody hears, as one value.
struct Heard {
  TableView table;
  Events happened;
  Decisions decisions;
  std::optional<SeatView> mine;
  std::vector<Action> legal;
  friend bool operator==(const Heard&, const Heard&) = default;
};

Heard heard(const State& state, std::optional<Seat> seat) {
  Heard all{Rules::table_view(state), Rules::happened(state), Rules::decisions(state), {}, {}};
  if (seat) all.mine = Rules::seat_view(state, EyeMaker::of(*seat));
  if (seat) all.legal = legal_acts<Rules>(state, *seat);
  return all;
}

/// A random game as it was played, and which places of the deck each hand holds after each step.
struct PlayedGame {
  std::vector<State> states;
  std::vector<std::pair<DecisionId, std::optional<Action>>> steps;  // no act: a lapse
  std::vector<std::vector<std::vector<std::size_t>>> places;
};

/// Where in its hand a seat takes the card from: the first such card that it may play now.
std::size_t place_played(const State& before, Seat seat, const Piece& card) {
  const auto& playing = std::get<Playing>(before.stage);
  const Hand& hand = before.hands[seat];
  std::size_t at = playing.seat == seat ? 0 : hand.size() - playing.window->cards;
  while (hand[at].for_rules() != card) ++at;
  return at;
}

/// What a step has done to the places that the hands hold.
void move_places(const State& before, const State& after,
                 std::vector<std::vector<std::size_t>>& hands) {
  std::size_t next = kPieces - before.pile.size();
  for (const Event& event : Rules::happened(after)) {
    if (const auto* played = std::get_if<Played>(&event)) {
      auto& hand = hands[played->seat.index()];
      const std::size_t at = place_played(before, played->seat, *played->card.value());
      hand.erase(hand.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (const auto* drew = std::get_if<Drew>(&event)) {
      for (int i = 0; i < int{drew->count}; ++i) hands[drew->seat.index()].push_back(next++);
    }
  }
}

PlayedGame play_game(std::size_t seat_count, std::uint32_t number) {
  Options options;
  options.first_seat = 0;
  Chance<Deal> chance{Rng(seed_number(number))};
  Rng rng(seed_number(number, 1));
  PlayedGame game;
  game.states.push_back(Rules::setup(options, seat_count, chance));
  std::vector<std::vector<std::size_t>> hands(seat_count);
  for (std::size_t i = 0; i < kHandSize * seat_count; ++i) hands[i % seat_count].push_back(i);
  game.places.push_back(hands);
  for (;;) {
    const State& state = game.states.back();
    const auto open = Rules::decisions(state);
    if (open.empty()) return game;
    const Decision& decision = rng.pick(open);
    const Seat seat = asked(decision).list().front();
    const bool lapses = std::holds_alternative<Window>(decision.ask) && rng.below(4) == 0;
    std::optional<Action> act;
    if (!lapses) act = rng.pick(legal_acts<Rules>(state, seat));
    State next = state;
    act ? Rules::apply(next, seat, *act) : Rules::lapse(next, decision.id);
    move_places(state, next, hands);
    game.steps.emplace_back(decision.id, act);
    game.states.push_back(next);
    game.places.push_back(hands);
  }
}

/// The deal of a world that the viewer cannot tell from this one in the first `count` steps: what
/// it was not shown by then lies elsewhere.
Deal other_deal(const PlayedGame& game, std::size_t count, std::optional<Seat> viewer, Rng& rng) {
  Deal deal = Rules::deal(game.states.front(), game.states.back());
  std::vector<CardCode> deck(deal.deck.begin(), deal.deck.end());
  std::vector<std::size_t> hidden;
  for (std::size_t i = kPieces - game.states[count].pile.size(); i < kPieces; ++i) {
    hidden.push_back(i);
  }
  for (std::size_t seat = 0; seat < game.places[count].size(); ++seat) {
    if (viewer == Seat(seat)) continue;
    const auto& held = game.places[count][seat];
    hidden.insert(hidden.end(), held.begin(), held.end());
  }
  std::vector<CardCode> faces;
  for (const std::size_t place : hidden) faces.push_back(deck[place]);
  rng.shuffle(faces);
  for (std::size_t i = 0; i < hidden.size(); ++i) deck[hidden[i]] = faces[i];
  deal.deck = List<CardCode, kPieces>(deck);
  return deal;
}

TEST_CASE("whole games: until it is shown, nobody can tell what lies elsewhere") {
  const std::uint32_t first = tests::take_seed();
  Rng rng(seed_number(first, 2));
  std::size_t windows = 0;
  for (std::uint32_t number = first; number != first + 6; ++number) {
    const std::size_t seat_count = 2 + number % 3;
    const PlayedGame game = play_game(seat_count, number);
    for (std::size_t count = 0; count < game.steps.size(); count += 5) {
      for (std::size_t eye = 0; eye <= seat_count; ++eye) {
        CAPTURE(number);
        CAPTURE(count);
        CAPTURE(eye);
        const auto viewer = eye < seat_count ? std::optional(Seat(eye)) : std::nullopt;
        Chance<Deal> chance(other_deal(game, count, viewer, rng));
        State state = Rules::setup(game.states.front().options, seat_count, chance);
        for (std::size_t i = 0; i <= count; ++i) {
          REQUIRE(heard(state, viewer) == heard(game.states[i], viewer));
          windows += Rules::table_view(state).window.has_value() ? 1U : 0U;
          if (i == count) break;
          const auto& [decision, act] = game.steps[i];
          const auto open = Rules::decisions(state);
          const auto found = std::find_if(open.begin(), open.end(),
                                          [id = decision](const auto& d) { return d.id == id; });
          REQUIRE(found != open.end());
          const Seat seat = asked(*found).list().front();
          act ? Rules::apply(state, seat, *act) : Rules::lapse(state, decision);
        }
      }
    }
  }
  CHECK(windows > 1000);
}

// Bots.

/// The points of each seat when seat `greedy_seat` is greedy and the others play at random; windows
/// are offered first to one, then to the other.
std::vector<int> contest(const Options& options, std::size_t seat_count, std::size_t greedy_seat,
                         std::uint32_t number) {
  Chance<Deal> chance{Rng(seed_number(number))};
  State state = Rules::setup(options, seat_count, chance);
  Rng rng(seed_number(number, 2));
  for (auto open = Rules::decisions(state); !open.empty(); open = Rules::decisions(state)) {
    // As in a room of bots: the window comes first, and what nobody wants of it lapses.
    const Decision decision = open.back();
    const Seat seat = asked(decision).list().front();
    const auto acts = legal_acts<Rules>(state, seat);
    std::optional<Action> act;
    if (seat.index() == greedy_seat) {
      act = Rules::choose(Rules::table_view(state), Rules::seat_view(state, EyeMaker::of(seat)),
                          acts, rng);
    } else if (const Action picked = rng.pick(acts); !is_waiver(picked)) {
      act = picked;
    }
    act ? Rules::apply(state, seat, *act) : Rules::lapse(state, decision.id);
  }
  return Rules::result(state)->scores.to_vector();
}

TEST_CASE("the greedy bot beats random ones at every number of seats") {
  const char* asked_for = std::getenv("TRIQUETRA_MAYHEM_CONTESTS");
  const std::uint32_t first = tests::take_seed(0);
  const auto games = asked_for != nullptr ? static_cast<std::uint32_t>(std::stoul(asked_for)) : 40U;
  for (const int window_ms : {3000, 0}) {
    for (std::size_t seat_count = 2; seat_count <= 8; ++seat_count) {
      Options options;
      options.window_ms = window_ms;
      double wins = 0;
      double points = 0;
      for (std::uint32_t number = 0; number < games; ++number) {
        const std::size_t greedy_seat = number % seat_count;
        const auto scores = contest(options, seat_count, greedy_seat, first + number);
        const int best = *std::max_element(scores.begin(), scores.end());
        if (scores[greedy_seat] == best) {
          wins += 1.0 / static_cast<double>(std::count(scores.begin(), scores.end(), best));
        }
        points += scores[greedy_seat];
      }
      MESSAGE(seat_count << " seats, window " << window_ms << " ms: greedy wins "
                         << 100 * wins / games << " % against random with " << points / games
                         << " points");
      CHECK(wins / games > 1.5 / static_cast<double>(seat_count));
    }
  }
}

TEST_CASE(
    "AM8 a bot lets its window lapse rather than waive it, and never takes a wrong triangle") {
  const std::uint32_t first = tests::take_seed();
  Rng rng(seed_number(first, 1));
  std::size_t lapsed = 0;
  for (std::uint32_t number = first; number != first + 20; ++number) {
    Chance<Deal> chance{Rng(seed_number(number))};
    State state = Rules::setup(number % 2 == 0 ? Options{} : unchecked(), 2 + number % 4, chance);
    for (auto open = Rules::decisions(state); !open.empty(); open = Rules::decisions(state)) {
      const Decision decision = open.back();
      const Seat seat = asked(decision).list().front();
      const auto act =
          Rules::choose(Rules::table_view(state), Rules::seat_view(state, EyeMaker::of(seat)),
                        legal_acts<Rules>(state, seat), rng);
      lapsed += act ? 0U : 1U;
      if (act) REQUIRE(!is_waiver(*act));
      act ? Rules::apply(state, seat, *act) : Rules::lapse(state, decision.id);
    }
    for (const TakenTriangle& taken : state.taken) CHECK(is_right(taken.pieces));
  }
  CHECK(lapsed > 0);
}

// Fast against slow.

// Copied as bytes, so nothing of it is on the heap.
static_assert(std::is_trivially_copyable_v<State>);
static_assert(std::is_trivially_copyable_v<TableView> && std::is_trivially_copyable_v<SeatView>);

/// Every act there could be, in the order of legal(), of which check() leaves those that are.
std::vector<Action> legal_by_checking(const State& state, Seat seat) {
  std::set<Piece> hand;
  for (const Card& card : state.hands[seat]) hand.insert(card.for_rules());
  std::vector<Action> acts;
  for (const Piece& piece : hand) {
    for (const OpenTriangle& open : state.table) acts.emplace_back(Play{piece, open.id});
    acts.emplace_back(Play{piece, {}});
  }
  acts.emplace_back(End{});
  acts.emplace_back(Lapse{});
  std::erase_if(acts, [&](const Action& act) { return Rules::check(state, seat, act); });
  return acts;
}

/// The bot with no regard to how long it takes: every plan has a table of its own.
class SlowPlanner {
 public:
  SlowPlanner(const TableView& table, const SeatView& mine)
      : is_turn_(table.turn == mine.seat),
        may_be_fast_(table.window_ms != WindowLength(0)),
        others_(static_cast<double>(table.seats.size() - 1)) {
    for (const auto& card : mine.hand) ++seen_[*card.value()];
    for (const TriangleView& view : table.triangles) {
      Making open{view.id, {}};
      for (const auto& card : view.cards) open.pieces.push_back(*card.value());
      for (const Piece& piece : open.pieces) ++seen_[piece];
      start_.table.push_back(open);
    }
    for (const auto& card : is_turn_ ? mine.hand : mine.fast) {
      start_.cards.push_back(*card.value());
    }
    start_.played = table.played;
  }

  std::optional<Play> best() const {
    double most = !is_turn_ || start_.played > 0 ? worth(start_) : kNever;
    std::optional<Play> best;
    for (const auto& [play, next] : plays(start_)) {
      const double its_worth = best_from(next);
      if (its_worth <= most + 1e-9) continue;
      most = its_worth;
      best = play;
    }
    return best;
  }

 private:
  static constexpr double kNever = -1e9;

  struct Making {
    TriangleId id;
    std::vector<Piece> pieces;
  };
  struct Position {
    std::vector<Making> table;
    std::vector<Piece> cards;
    int gained = 0;
    int played = 0;
  };

  double best_from(const Position& position) const {
    double best = is_turn_ || position.gained > 0 ? worth(position) : kNever;
    for (const auto& [play, next] : plays(position)) best = std::max(best, best_from(next));
    return best;
  }

  std::vector<std::pair<Play, Position>> plays(const Position& position) const {
    std::vector<std::pair<Play, Position>> found;
    for (std::size_t card = 0; card < position.cards.size(); ++card) {
      const Piece piece = position.cards[card];
      Position without = position;
      without.cards.erase(without.cards.begin() + static_cast<std::ptrdiff_t>(card));
      ++without.played;
      bool must_extend = false;
      for (std::size_t at = 0; at < position.table.size(); ++at) {
        if (!fits(piece, position.table[at].pieces)) continue;
        must_extend = true;
        Position next = without;
        std::vector<Piece>& pieces = next.table[at].pieces;
        pieces.push_back(piece);
        if (pieces.size() == kTriangleSize) {
          next.gained += points_for(pieces);
          next.table.erase(next.table.begin() + static_cast<std::ptrdiff_t>(at));
        }
        found.emplace_back(Play{piece, position.table[at].id}, next);
      }
      if (must_extend) continue;
      without.table.push_back({TriangleId::kHighest, {piece}});
      found.emplace_back(Play{piece, {}}, without);
    }
    return found;
  }

  double worth(const Position& position) const {
    double offered = 0.0, hope = 0.2;
    for (const Making& open : position.table) {
      if (open.pieces.size() == 1) offered += 0.2;
      if (open.pieces.size() == 1 || !is_right(open.pieces)) continue;
      int unseen = 0, unseen_pure = 0;
      for (const triangles::Color color : triangles::all_of<triangles::Color>()) {
        const Piece lacking{open.pieces[0].cut, 6 - open.pieces[0].number - open.pieces[1].number,
                            color};
        const auto seen = seen_.find(lacking);
        const int copies = triangles::kCopies - (seen == seen_.end() ? 0 : seen->second);
        unseen += copies;
        if (is_pure(open.pieces) && color == open.pieces[0].color) unseen_pure = copies;
      }
      if (unseen == 0) continue;
      const double chance = unseen / static_cast<double>(kPieces);
      const double points = 3.0 + 3.0 * unseen_pure / unseen;
      offered += points * (1.0 - std::pow(1.0 - chance, 3.0 * others_));
      if (may_be_fast_) hope += points * chance;
    }
    return position.gained + hope * position.played - 0.9 * offered / others_;
  }

  bool is_turn_;
  bool may_be_fast_;
  double others_;
  Position start_;
  std::map<Piece, int> seen_;
};

TEST_CASE("legal() and the bot find what slow searches find") {
  const std::uint32_t first = tests::take_seed();
  std::size_t compared = 0;
  for (std::uint32_t number = first; number != first + 12; ++number) {
    const Options options = Rules::variants()[number % 3];
    Chance<Deal> chance{Rng(seed_number(number))};
    Rng rng(seed_number(number, 1));
    State state = Rules::setup(options, 2 + number % 7, chance);
    for (auto open = Rules::decisions(state); !open.empty(); open = Rules::decisions(state)) {
      for (const Seat seat : seats_of(state.hands.size())) {
        REQUIRE(legal_acts<Rules>(state, seat) == legal_by_checking(state, seat));
      }
      const Decision decision = open.back();
      const Seat seat = asked(decision).front();
      const auto acts = legal_acts<Rules>(state, seat);
      const TableView table = Rules::table_view(state);
      const SeatView mine = Rules::seat_view(state, EyeMaker::of(seat));
      const auto chosen = Rules::choose(table, mine, acts, rng);
      const auto best = SlowPlanner(table, mine).best();
      const auto* play = chosen ? std::get_if<Play>(&*chosen) : nullptr;
      REQUIRE((play == nullptr ? std::nullopt : std::optional(*play)) == best);
      ++compared;
      // Random acts fill the table, and the bot's empty it.
      if (rng.below(3) == 0 && chosen) {
        Rules::apply(state, seat, *chosen);
      } else {
        Rules::apply(state, seat, rng.pick(acts));
      }
    }
  }
  CHECK(compared > 500);
}

}  // namespace
}  // namespace triquetra::mayhem
