// The statements of RULES.md, case by case. What the vector files of tests/vectors/triqueta say is
// not repeated here.
#include "engine/games/triqueta/rules.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/seed.hpp"

namespace triquetra::triqueta {
namespace {

using Words = std::vector<std::string>;

std::size_t index(int number) { return static_cast<std::size_t>(number); }

Words words(std::size_t count, const std::string& word) { return Words(count, word); }

/// A deal whose first tower is tower 0 with these columns, each from top to bottom; what remains
/// follows in animal order, the shadow tokens from wolf to rabbit.
Deal deal_with(Variant variant, const std::vector<Words>& first_tower, int first_seat = 0) {
  Words light;
  Words shadow = words(9, "shadow-wolf");
  for (const char* const animal : {"bear", "ram", "boar", "deer", "owl", "rabbit"}) {
    for (int i = 0; i < 10; ++i) light.emplace_back(animal);
    shadow.push_back(std::string("shadow-") + animal);
  }
  for (const Words& column : first_tower) {
    for (const std::string& word : column) light.erase(std::find(light.begin(), light.end(), word));
  }
  Deal deal;
  deal.first_seat = first_seat;
  for (std::size_t t = 0; t < kTowers; ++t) {
    List<List<TokenWord, 4>, kColumns> columns;
    for (std::size_t c = 0; c < kColumns; ++c) {
      List<TokenWord, 4> column;
      for (std::size_t level = 0; level < 3; ++level) {
        if (t == 0) {
          column.push_back(first_tower.at(c).at(level));
        } else {
          column.push_back(light.back());
          light.pop_back();
        }
      }
      if (t > 0 && variant != Variant::base) {
        column.push_back(shadow.front());
        shadow.erase(shadow.begin());
      }
      columns.push_back(column);
    }
    deal.towers.columns.push_back(columns);
  }
  return deal;
}

/// Bears on top, rams, deer and so on below: every face of the first tower is known to the test.
const std::vector<Words> kTower{{"bear", "ram", "deer"},
                                {"bear", "ram", "deer"},
                                {"bear", "ram", "owl"},
                                {"owl", "owl", "owl"},
                                {"boar", "boar", "boar"}};

/// A game and the acts of its test; every act is checked and every state verified.
struct Game {
  State state;

  Game(Variant variant, std::size_t seat_count, const Deal& deal)
      : state(lay(variant, seat_count, deal)) {}
  explicit Game(Variant variant, std::size_t seat_count)
      : Game(variant, seat_count, deal_with(variant, kTower)) {}

  static State lay(Variant variant, std::size_t seat_count, const Deal& deal) {
    Chance<Deal> chance(deal);
    return Rules::setup(Options{variant, std::nullopt}, seat_count, chance);
  }

  /// The statement that forbids it; empty if it is allowed. Also that nothing changes by asking.
  std::string fault(std::size_t seat, const Action& action) const {
    const State before = state;
    const auto fault = Rules::check(state, Seat(seat), action);
    CHECK(state == before);
    return fault ? std::string(fault->rule) : "";
  }

  void act(std::size_t seat, const Action& action) {
    REQUIRE(fault(seat, action) == "");
    Rules::apply(state, Seat(seat), action);
    Rules::verify(state);
  }

  std::size_t on_turn() const {
    const Decisions decisions = Rules::decisions(state);
    REQUIRE(decisions.size() == 1);
    return asked(decisions.front()).list().front().index();
  }

  TableView table() const { return Rules::table_view(state); }
  SeatView mine(std::size_t seat) const {
    return Rules::seat_view(state, EyeMaker::of(Seat(seat)));
  }
  SeatTable seat(std::size_t seat) const { return table().seats[seat]; }
  bool is_open(std::size_t seat, const Action& action) const {
    const std::vector<Action> legal = legal_acts<Rules>(state, Seat(seat));
    return std::find(legal.begin(), legal.end(), action) != legal.end();
  }

  void draw(std::size_t seat, int column) { act(seat, Draw{{column}}); }
  void draw_and_place(std::size_t seat, int column, int row) {
    draw(seat, column);
    act(seat, Place{0, row});
  }
  void draw_and_keep(std::size_t seat, int column) {
    draw(seat, column);
    act(seat, Keep{0});
  }

  /// Everybody who is still in takes the first row there is, in turn order.
  void end_round() {
    while (std::holds_alternative<Acting>(state.stage)) {
      const std::size_t seat = on_turn();
      act(seat, legal_acts<Rules>(state, Seat(seat)).back());
    }
  }
  void choose_first_tower() { act(on_turn(), legal_acts<Rules>(state, Seat(on_turn())).front()); }
  /// Ends this round and all that follow, without a draw, up to the end decisions.
  void end_all_rounds() {
    end_round();
    while (std::holds_alternative<ChoosingTower>(state.stage)) {
      choose_first_tower();
      end_round();
    }
  }
};

template <class E>
E event_of(const State& state) {
  const Events& happened = Rules::happened(state);
  const auto found = std::find_if(happened.begin(), happened.end(), [](const Event& event) {
    return std::holds_alternative<E>(event);
  });
  REQUIRE(found != happened.end());
  return std::get<E>(*found);
}

std::optional<Fault> options_fault(Variant variant, std::size_t seat_count) {
  return Rules::check(Options{variant, std::nullopt}, seat_count);
}

Chance<Deal> luck(std::uint32_t number) { return Chance<Deal>(Rng(tests::seed_number(number))); }

std::map<std::string, int> words_of(const Deal& deal) {
  std::map<std::string, int> counts;
  for (const auto& tower : deal.towers.columns) {
    for (const auto& column : tower) {
      for (const TokenWord& word : column) ++counts[word.str()];
    }
  }
  return counts;
}

Deal shuffled(Variant variant, std::size_t seat_count, std::uint32_t number) {
  Chance<Deal> chance = luck(number);
  const State state = Rules::setup(Options{variant, std::nullopt}, seat_count, chance);
  return Rules::deal(state, state);
}

}  // namespace

static_assert(triquetra::Game<Rules>);

// Setup.

TEST_CASE("T1, T6, T7, T8: sixty shuffled tokens in four towers of five columns of three") {
  const std::uint32_t first = tests::take_seed();
  const Deal deal = shuffled(Variant::base, 4, first);
  const auto counts = words_of(deal);
  CHECK(counts.size() == 6);
  for (const auto& [word, count] : counts) CHECK(count == 10);
  CHECK(deal.towers.columns.size() == 4);
  for (const auto& tower : deal.towers.columns) {
    CHECK(tower.size() == 5);
    for (const auto& column : tower) CHECK(column.size() == 3);
  }
  CHECK(deal.towers.first == TowerIndex(0));
  CHECK(deal.towers != shuffled(Variant::base, 4, first + 1).towers);

  const Game game(Variant::base, 4);
  CHECK(int{game.table().tower->id} == 0);
  CHECK(game.table().waiting == List<TowerIndex, 3>{1, 2, 3});
  for (std::size_t seat = 0; seat < 4; ++seat)
    CHECK(game.mine(seat) == SeatView{Seat(seat), {}, {}, {}});
}

TEST_CASE("T2, W2: printed values") {
  CHECK(printed_value(Animal::rabbit) == 5);
  CHECK(printed_value(Animal::owl) == 6);
  CHECK(printed_value(Animal::deer) == 7);
  CHECK(printed_value(Animal::boar) == 8);
  CHECK(printed_value(Animal::ram) == 9);
  CHECK(printed_value(Animal::bear) == 10);
  CHECK(printed_value(Animal::wolf) == 11);
  CHECK(Counts<Animal>::kSize == 7);
}

TEST_CASE("T4, A25: how many may play") {
  for (std::size_t seats = 0; seats <= 8; ++seats) {
    CHECK(options_fault(Variant::base, seats).has_value() == (seats < 2 || seats > 5));
    CHECK(options_fault(Variant::wolves, seats).has_value() == (seats < 3 || seats > 5));
    CHECK(options_fault(Variant::duo, seats).has_value() == (seats != 2));
  }
  CHECK(options_fault(Variant::base, 6)->rule == "T4");
  CHECK(options_fault(Variant::wolves, 2)->rule == "A25");
  CHECK(Rules::check(Options{Variant::base, 3}, 3)->rule == "A1");
  CHECK(!Rules::check(Options{Variant::base, 2}, 3));
}

TEST_CASE("T5, V1: as many empty rows as players") {
  for (std::size_t seats = 2; seats <= 5; ++seats) {
    const TableView table = Game(Variant::base, seats).table();
    CHECK(table.rows.size() == seats);
    for (const RowView& row : table.rows) CHECK(row == RowView{});
  }
  CHECK(Game(Variant::duo, 2).table().rows.size() == 2);
}

TEST_CASE("T9, T11, A1: the rock's holder begins; drawn unless fixed") {
  const Game game(Variant::base, 3, deal_with(Variant::base, kTower, 2));
  CHECK(game.table().rock == Seat(2));
  CHECK(game.on_turn() == 2);

  // One of three is not drawn in sixty deals once in ten thousand million runs.
  const std::uint32_t first = tests::take_seed();
  SeatSet drawn;
  for (std::uint32_t i = 0; i < 60; ++i)
    drawn.insert(Seat(index(shuffled(Variant::base, 3, first + i).first_seat)));
  CHECK(drawn == SeatSet::all(3));
  Chance<Deal> chance = luck(first);
  CHECK(Rules::setup(Options{Variant::base, 1}, 3, chance).rock == Seat(1));
}

TEST_CASE("A written deal that does not fit is a Bug") {
  const Deal good = deal_with(Variant::base, kTower);
  CHECK_NOTHROW(Game(Variant::base, 2, good));
  CHECK_THROWS_AS(Game(Variant::duo, 2, good), Bug);
  CHECK_THROWS_AS(Game(Variant::base, 3, deal_with(Variant::wolves, kTower)), Bug);
  CHECK_THROWS_AS(Game(Variant::base, 2, Deal{}), Bug);

  Deal no_such_seat = good;
  no_such_seat.first_seat = 2;
  CHECK_THROWS_AS(Game(Variant::base, 2, no_such_seat), Bug);

  const auto with_first_column = [&](const List<TokenWord, 4>& column) {
    Deal deal = good;
    List<List<List<TokenWord, 4>, kColumns>, kTowers> towers;
    for (std::size_t t = 0; t < kTowers; ++t) {
      List<List<TokenWord, 4>, kColumns> columns;
      for (std::size_t c = 0; c < kColumns; ++c) {
        columns.push_back(t == 0 && c == 0 ? column : good.towers.columns[t][c]);
      }
      towers.push_back(columns);
    }
    deal.towers.columns = towers;
    return deal;
  };
  CHECK_NOTHROW(Game(Variant::base, 2, with_first_column({"deer", "ram", "bear"})));
  CHECK_THROWS_AS(Game(Variant::base, 2, with_first_column({"deer", "ram"})), Bug);
  CHECK_THROWS_AS(Game(Variant::base, 2, with_first_column({"deer", "ram", "ram"})), Bug);
  CHECK_THROWS_AS(Game(Variant::base, 2, with_first_column({"deer", "ram", "bee"})), Bug);
  CHECK_THROWS_AS(Game(Variant::base, 2, with_first_column({"deer", "ram", "shadow-bear"})), Bug);

  Chance<Deal> chance(good);
  CHECK_THROWS_AS(Rules::setup(Options{Variant::base, 1}, 2, chance), Bug);
}

TEST_CASE("The deal of a game, written down, deals it again") {
  for (const auto& [variant, seats] :
       {std::pair(Variant::base, 5), {Variant::wolves, 3}, {Variant::duo, 2}}) {
    Chance<Deal> chance = luck(tests::take_seed());
    const State first = Rules::setup(Options{variant, std::nullopt}, index(seats), chance);
    CHECK(Game::lay(variant, index(seats), Rules::deal(first, first)) == first);
  }
}

// Turns, action A.

TEST_CASE("T12, T14: clockwise, one action a turn, past those who dropped out") {
  Game game(Variant::base, 3);
  CHECK(game.fault(1, Take{0}) == "T12");
  CHECK(game.fault(7, Take{0}) == "T12");
  game.draw_and_place(0, 0, 0);
  CHECK(game.on_turn() == 1);
  game.act(1, Take{1});
  CHECK(game.on_turn() == 2);
  game.draw_and_place(2, 0, 0);
  CHECK(game.on_turn() == 0);
  game.draw_and_place(0, 0, 0);
  CHECK(game.on_turn() == 2);
}

TEST_CASE("T13: draw or take a row, nothing else") {
  const Game game(Variant::base, 2);
  CHECK(game.fault(0, Place{0, 0}) == "T13");
  CHECK(game.fault(0, Keep{0}) == "T13");
  CHECK(game.fault(0, Discard{0}) == "T13");
  CHECK(game.fault(0, ChooseTower{1}) == "T13");
  CHECK(game.fault(0, Reveal{}) == "T13");
  CHECK(legal_acts<Rules>(game.state, Seat(0)).size() == 5 + 2);
  CHECK(legal_acts<Rules>(game.state, Seat(1)).empty());
}

TEST_CASE("T15, A3: the top token of a column of one's choice") {
  Game game(Variant::base, 2);
  CHECK(game.fault(0, Draw{{}}) == "T15");
  CHECK(game.fault(0, Draw{{0, 1}}) == "T15");
  game.draw(0, 3);
  CHECK(game.mine(0).drawn[0].animal.value() == Animal::owl);
  CHECK(game.table().tower->light == List<Int<0, 3>, 5>{3, 3, 3, 2, 3});
  game.act(0, Place{0, 0});
  game.draw_and_place(1, 3, 0);
  game.draw_and_place(0, 3, 0);
  CHECK(game.fault(1, Draw{{3}}) == "T15");
  CHECK(!game.is_open(1, Draw{{3}}));
}

TEST_CASE("T16, A27: only the drawer sees the token drawn") {
  Game game(Variant::base, 3);
  game.draw(0, 4);
  CHECK(game.mine(0).drawn.size() == 1);
  CHECK(game.mine(0).drawn[0].animal.value() == Animal::boar);
  CHECK(game.mine(1).drawn.empty());
  CHECK(game.mine(2).drawn.empty());
  const auto event = event_of<Drew>(game.state);
  CHECK(event == Drew{Seat(0), {4}, {Back::light}});
  CHECK(game.table().pending == PendingView{{0}, std::nullopt});
}

TEST_CASE("T17, A28, A29: the drawer must choose an option, and there is no way back") {
  Game game(Variant::base, 2);
  game.draw(0, 0);
  CHECK(game.fault(0, Take{0}) == "T17");
  CHECK(game.fault(0, Draw{{0}}) == "T17");
  CHECK(game.fault(0, Place{1, 0}) == "T17");
  CHECK(game.fault(0, Discard{0}) == "T17");
  CHECK(legal_acts<Rules>(game.state, Seat(0)) ==
        std::vector<Action>{Place{0, 0}, Place{0, 1}, Keep{0}});
  CHECK(game.fault(1, Place{0, 0}) == "T12");
}

TEST_CASE("T18, T24: option 1, face up into any row still there, and the turn is over") {
  Game game(Variant::base, 2);
  game.draw(0, 0);
  CHECK(game.fault(0, Place{0, 2}) == "T18");
  game.act(0, Place{0, 1});
  CHECK(event_of<Placed>(game.state).animal.value() == Animal::bear);
  CHECK(game.table().rows[1].tokens[0].value() == Animal::bear);
  CHECK(game.on_turn() == 1);
  CHECK(!game.seat(0).row);
}

TEST_CASE("T19: a row has no largest size") {
  Game game(Variant::base, 2);
  for (int i = 0; i < 15; ++i) game.draw_and_place(game.on_turn(), i / 3, 0);
  CHECK(game.table().rows[0].tokens.size() == 15);
}

TEST_CASE("T20, T21: option 2, face down, seen by its owner only and at any time") {
  Game game(Variant::base, 2);
  game.draw_and_keep(0, 4);
  CHECK(game.seat(0).down == Int<0, 2>(1));
  CHECK(event_of<Kept>(game.state) == Kept{Seat(0), 0});
  game.draw_and_place(1, 0, 0);
  CHECK(game.mine(0).down[0].value() == Animal::boar);
  CHECK(game.mine(1).down.empty());
  CHECK(game.seat(0).up == Counts<Animal>{});
}

TEST_CASE("T22, T23: twice in a game, not in a round") {
  Game game(Variant::base, 2);
  game.draw_and_keep(0, 0);
  game.draw_and_place(1, 0, 0);
  game.draw_and_keep(0, 0);
  game.act(1, Take{0});
  game.draw(0, 1);
  CHECK(game.fault(0, Keep{0}) == "T22");
  CHECK(legal_acts<Rules>(game.state, Seat(0)) == std::vector<Action>{Place{0, 1}});
  game.act(0, Place{0, 1});
  game.end_round();
  game.choose_first_tower();
  game.draw(0, 0);
  CHECK(game.fault(0, Keep{0}) == "T22");
}

// Action B, end of a round.

TEST_CASE("T25, T28, T29, T30, T31: a row with its marker, face up and grouped") {
  Game game(Variant::base, 3);
  game.draw_and_place(0, 3, 1);
  game.draw_and_place(1, 3, 1);
  game.draw_and_place(2, 3, 1);
  game.draw_and_place(0, 0, 1);
  CHECK(game.fault(1, Take{3}) == "T25");
  game.act(1, Take{1});
  const auto event = event_of<Took>(game.state);
  CHECK(event.animals.size() == 4);
  CHECK(event.animals[3].value() == Animal::bear);
  CHECK(game.seat(1).up[Animal::owl] == 3);
  CHECK(game.seat(1).up[Animal::bear] == 1);
  CHECK(game.seat(1).row == RowIndex(1));
  CHECK(game.table().rows[1] == RowView{{}, Seat(1)});
  CHECK(game.fault(2, Take{1}) == "T31");
  game.draw(2, 0);
  CHECK(game.fault(2, Place{0, 1}) == "T31");
  CHECK(points_for(Animal::owl, 6) == -3);
}

TEST_CASE("T26, T27: an empty row, on the first turn of a round") {
  Game game(Variant::base, 2);
  game.act(0, Take{1});
  CHECK(game.seat(0).row == RowIndex(1));
  CHECK(game.seat(0).up.total() == 0);
}

TEST_CASE("T32: as many rows as players still in") {
  Game game(Variant::base, 5);
  for (std::size_t taken = 0; taken < 5; ++taken) {
    std::size_t rows = 0;
    std::size_t in = 0;
    for (const RowView& row : game.table().rows) rows += row.taken_by ? 0U : 1U;
    for (const SeatTable& seat : game.table().seats) in += seat.row ? 0U : 1U;
    CHECK(rows == 5 - taken);
    CHECK(in == 5 - taken);
    game.act(game.on_turn(), Take{static_cast<int>(taken)});
  }
}

TEST_CASE("T33, A12: with the tower empty only rows are left to take") {
  Game game(Variant::base, 2);
  for (int i = 0; i < 15; ++i) game.draw_and_place(game.on_turn(), i / 3, 0);
  CHECK(game.fault(1, Draw{{0}}) == "T33");
  CHECK(legal_acts<Rules>(game.state, Seat(1)) == std::vector<Action>{Take{0}, Take{1}});
  game.act(1, Take{1});
  CHECK(legal_acts<Rules>(game.state, Seat(0)) == std::vector<Action>{Take{0}});
}

TEST_CASE("T34, T35, A11: the last player draws on, and must take the last row") {
  Game game(Variant::base, 2);
  game.act(0, Take{0});
  for (int i = 0; i < 15; ++i) {
    CHECK(game.is_open(1, Take{1}));
    game.draw_and_place(1, i / 3, 1);
  }
  CHECK(legal_acts<Rules>(game.state, Seat(1)) == std::vector<Action>{Take{1}});
}

TEST_CASE("T36, T37, T38, T39, A24: the last row ends the round") {
  Game game(Variant::base, 3);
  game.draw_and_place(0, 0, 0);
  game.draw_and_place(1, 0, 0);
  game.act(2, Take{1});
  game.act(0, Take{2});
  game.act(1, Take{0});
  CHECK(event_of<RoundOver>(game.state) == RoundOver{1, Seat(1), {13, 0}});
  const TableView table = game.table();
  CHECK(table.phase == Phase::tower);
  CHECK(table.rock == Seat(1));
  CHECK(table.box == TokenCounts{13, 0});
  CHECK(!table.tower);
  CHECK(!table.turn);
  for (const RowView& row : table.rows) CHECK(row == RowView{});
  for (const SeatTable& seat : table.seats) CHECK(!seat.row);
  for (const Token& token : game.state.box) {
    for (std::size_t seat = 0; seat < 3; ++seat) CHECK(!token.face.visible_to(Seat(seat)));
  }
}

TEST_CASE("T3, T40, T41, A21: the holder of the rock picks a tower, takes its tree and begins") {
  Game game(Variant::base, 2);
  game.end_round();
  CHECK(game.on_turn() == 1);
  CHECK(game.fault(1, ChooseTower{0}) == "T40");
  CHECK(game.fault(1, Draw{{0}}) == "T40");
  CHECK(game.fault(0, ChooseTower{1}) == "T40");
  CHECK(legal_acts<Rules>(game.state, Seat(1)) ==
        std::vector<Action>{ChooseTower{1}, ChooseTower{2}, ChooseTower{3}});
  game.act(1, ChooseTower{2});
  CHECK(event_of<TowerChosen>(game.state) == TowerChosen{Seat(1), 2, 2});
  CHECK(game.on_turn() == 1);
  CHECK(game.seat(1).trees == Int<0, 3>(1));
  CHECK(int{game.table().tower->id} == 2);
  CHECK(int{game.table().round} == 2);
  CHECK(game.table().waiting == List<TowerIndex, 3>{1, 3});
}

TEST_CASE("T10, T42, A18: four rounds, the last rock, and no question without face-down tokens") {
  Game game(Variant::base, 2);
  game.end_all_rounds();
  CHECK(int{game.table().round} == 4);
  CHECK(game.table().phase == Phase::over);
  CHECK(Rules::decisions(game.state).empty());
  CHECK(game.fault(0, Take{0}) == "T42");
  const std::optional<Result> result = Rules::result(game.state);
  REQUIRE(result);
  // Without a draw the rock and the trees decide: seat 1 took the last row of rounds 1 and 3, seat
  // 0 that of rounds 2 and 4 with the last rock.
  CHECK(result->scores == decltype(result->scores){2, 2});
  CHECK(game.table().rock == Seat(0));
}

// The end.

namespace {

/// Up to the end decisions: seat 0 keeps a bear and an owl, seat 1 a boar, seat 2 nothing.
Game at_reveal() {
  Game game(Variant::base, 3);
  game.draw_and_keep(0, 0);
  game.draw_and_keep(1, 4);
  game.act(2, Take{2});
  game.draw_and_keep(0, 3);
  game.end_all_rounds();
  return game;
}

}  // namespace

TEST_CASE("T43, A16, A18: each decides for each token, in secret, whoever has any") {
  Game game = at_reveal();
  const Decisions decisions = Rules::decisions(game.state);
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].ask == Ask{Ballot{{Seat(0), Seat(1)}}});
  CHECK(legal_acts<Rules>(game.state, Seat(0)).size() == 4);
  CHECK(legal_acts<Rules>(game.state, Seat(1)).size() == 2);
  CHECK(legal_acts<Rules>(game.state, Seat(2)).empty());
  CHECK(game.fault(0, Reveal{{true}}) == "T43");
  CHECK(game.fault(0, Take{0}) == "T43");
  CHECK(game.fault(2, Reveal{}) == "T43");

  game.act(0, Reveal{{true, false}});
  CHECK(Rules::decisions(game.state) == Decisions{{decisions[0].id, Ballot{{Seat(1)}}}});
  CHECK(game.fault(0, Reveal{{true, true}}) == "T43");
  CHECK(Rules::happened(game.state) == Events{Answered{Seat(0)}});
  CHECK(Rules::answer(game.state, EyeMaker::of(Seat(0))) == Action{Reveal{{true, false}}});
  CHECK(!Rules::answer(game.state, EyeMaker::of(Seat(1))));
  CHECK(game.seat(0).down == Int<0, 2>(2));

  game.act(1, Reveal{{false}});
  CHECK(game.table().phase == Phase::over);
  CHECK(!Rules::answer(game.state, EyeMaker::of(Seat(0))));
}

TEST_CASE("T43, T44, A19, A20: added tokens are shown, boxed ones never") {
  Game game = at_reveal();
  game.act(1, Reveal{{false}});
  game.act(0, Reveal{{true, false}});
  const auto revealed = event_of<Revealed>(game.state);
  CHECK(revealed.seat == Seat(0));
  CHECK(revealed.light.size() == 1);
  CHECK(revealed.light[0].value() == Animal::bear);
  CHECK(int{revealed.boxed} == 1);
  CHECK(game.seat(0).up[Animal::bear] == 1);
  CHECK(game.seat(0).up[Animal::owl] == 0);
  CHECK(game.seat(0).down == Int<0, 2>(0));
  CHECK(game.mine(0).down.empty());
  CHECK(std::none_of(game.state.box.begin(), game.state.box.end(),
                     [](const Token& token) { return token.face.is_public(); }));
  CHECK((*game.table().scores)[1].tokens == Int<0, 75>(0));
}

TEST_CASE("T45, T46, T47, T48, T49, T52: points for a number of one animal") {
  for (const Animal animal : {Animal::rabbit, Animal::bear, Animal::wolf}) {
    CHECK(points_for(animal, 0) == 0);
    CHECK(points_for(animal, 1) == 1);
    CHECK(points_for(animal, 2) == 2);
    CHECK(points_for(animal, 3) == printed_value(animal));
    CHECK(points_for(animal, 4) == -1);
    CHECK(points_for(animal, 10) == -7);
  }
  Counts<Animal> many;
  many[Animal::owl] = 8;
  CHECK(int{score(many, true, 0).total} == -4);
}

TEST_CASE("T50, T51, T56: rock, trees and the rule book's example") {
  Counts<Animal> tokens;
  tokens[Animal::rabbit] = 2;
  tokens[Animal::owl] = 3;
  tokens[Animal::deer] = 1;
  tokens[Animal::boar] = 3;
  tokens[Animal::bear] = 5;
  const ScoreSheet sheet = score(tokens, true, 2);
  CHECK(int{sheet.rock} == 1);
  CHECK(int{sheet.trees} == 2);
  CHECK(sheet.points[Animal::bear] == -2);
  CHECK(int{sheet.total} == 18);
  CHECK(int{sheet.tokens} == 14);
}

TEST_CASE("T53, T54, T55, A14, A15: most points, then most tokens, then together") {
  const auto sheet = [](int total, int tokens) {
    ScoreSheet made;
    made.total = total;
    made.tokens = tokens;
    return made;
  };
  CHECK(winners({sheet(5, 9), sheet(6, 1)}) == List<Seat, 5>{Seat(1)});
  CHECK(winners({sheet(5, 9), sheet(5, 10)}) == List<Seat, 5>{Seat(1)});
  CHECK(winners({sheet(5, 9), sheet(5, 8), sheet(5, 9)}) == List<Seat, 5>{Seat(0), Seat(2)});
}

// Hidden Wolves.

namespace {

/// Round 2 of a game of wolves, tower 1 with nine tokens of columns 0 to 2 gone: three of its
/// shadow tokens, all wolves, are accessible. Seat 2 holds the rock and is on turn.
Game wolves_open() {
  Game game(Variant::wolves, 3);
  game.end_round();
  game.act(2, ChooseTower{1});
  for (int i = 0; i < 9; ++i) game.draw_and_place(game.on_turn(), i / 3, 0);
  return game;
}

}  // namespace

TEST_CASE("W1, W3, W4, W5: fifteen shadow tokens under the three towers with trees") {
  for (const auto& [variant, seats] : {std::pair(Variant::wolves, 4), {Variant::duo, 2}}) {
    const Deal deal = shuffled(variant, index(seats), tests::take_seed());
    const auto counts = words_of(deal);
    CHECK(counts.size() == 13);
    CHECK(counts.at("shadow-wolf") == 9);
    for (const char* const animal : {"rabbit", "owl", "deer", "boar", "ram", "bear"}) {
      CHECK(counts.at(animal) == 10);
      CHECK(counts.at(std::string("shadow-") + animal) == 1);
    }
    for (std::size_t t = 0; t < kTowers; ++t) {
      for (const auto& column : deal.towers.columns[t]) {
        CHECK(column.size() == (t == index(deal.towers.first) ? 3U : 4U));
        for (std::size_t i = 0; i < column.size(); ++i) {
          CHECK(column[i].str().starts_with("shadow-") == (i == 3));
        }
      }
    }
  }
  Game game(Variant::wolves, 3);
  CHECK(game.table().tower->shadow == List<Int<0, 1>, 5>{0, 0, 0, 0, 0});
  CHECK(game.table().waiting == List<TowerIndex, 3>{1, 2, 3});
}

TEST_CASE("W6, W7, A4: a shadow token opens when its own column is clear above it") {
  Game game = wolves_open();
  CHECK(game.table().tower->light == List<Int<0, 3>, 5>{0, 0, 0, 3, 3});
  CHECK(game.table().tower->shadow == List<Int<0, 1>, 5>{1, 1, 1, 1, 1});
  const std::size_t seat = game.on_turn();
  game.draw(seat, 3);
  CHECK(event_of<Drew>(game.state).backs == List<Back, 2>{Back::light});
  game.act(seat, Place{0, 0});
  game.draw(game.on_turn(), 0);
  CHECK(event_of<Drew>(game.state).backs == List<Back, 2>{Back::shadow});
}

TEST_CASE("W8: a light token drawn is handled as in the base game") {
  Game game = wolves_open();
  const std::size_t seat = game.on_turn();
  game.draw(seat, 4);
  CHECK(legal_acts<Rules>(game.state, Seat(seat)) ==
        std::vector<Action>{Place{0, 0}, Place{0, 1}, Place{0, 2}, Keep{0}});
  CHECK(game.fault(seat, Discard{0}) == "T17");
}

TEST_CASE("W9, W13: a shadow token goes face down at once, seen by the drawer, and ends the turn") {
  Game game = wolves_open();
  const std::size_t seat = game.on_turn();
  game.draw(seat, 1);
  CHECK(game.on_turn() != seat);
  CHECK(game.table().phase == Phase::turn);
  CHECK(game.seat(seat).shadow == Int<0, 15>(1));
  CHECK(game.mine(seat).shadow[0].value() == Animal::wolf);
  CHECK(game.mine((seat + 1) % 3).shadow.empty());
  CHECK(Rules::happened(game.state).size() == 1);
}

TEST_CASE("W10, W11: shadow tokens do not count for option 2") {
  Game game(Variant::wolves, 3);
  game.draw_and_keep(0, 0);
  game.act(1, Take{1});
  game.act(2, Take{2});
  game.draw_and_keep(0, 0);
  game.end_round();
  game.act(0, ChooseTower{1});
  game.draw_and_place(0, 0, 0);
  game.act(1, Take{1});
  game.act(2, Take{2});
  for (int i = 0; i < 2; ++i) game.draw_and_place(0, 0, 0);
  CHECK(game.seat(0).down == Int<0, 2>(2));
  game.draw(0, 0);
  CHECK(game.seat(0).shadow == Int<0, 15>(1));
  game.draw(0, 1);
  CHECK(game.fault(0, Keep{0}) == "T22");

  Game other = wolves_open();
  const std::size_t seat = other.on_turn();
  other.draw(seat, 0);
  other.draw_and_place(other.on_turn(), 3, 0);
  other.draw_and_place(other.on_turn(), 3, 0);
  other.draw(seat, 4);
  CHECK(other.fault(seat, Keep{0}) == "");
}

TEST_CASE("W12, T33: a tower with only shadow tokens is not empty") {
  Game game = wolves_open();
  for (int i = 9; i < 15; ++i) game.draw_and_place(game.on_turn(), i / 3, 0);
  CHECK(game.table().tower->light == List<Int<0, 3>, 5>{0, 0, 0, 0, 0});
  for (int column = 0; column < 5; ++column) {
    CHECK(game.is_open(game.on_turn(), Draw{{column}}));
    game.draw(game.on_turn(), column);
  }
  CHECK(game.fault(game.on_turn(), Draw{{0}}) == "T33");
}

TEST_CASE("W14, W15, W16, A30: shadow tokens are all added, grouped whatever their back") {
  Game game(Variant::wolves, 3);
  game.draw_and_place(0, 0, 0);
  game.act(1, Take{1});
  game.act(2, Take{2});
  game.draw_and_keep(0, 0);
  game.act(0, Take{0});
  game.act(0, ChooseTower{3});
  game.draw_and_place(0, 0, 0);
  game.act(1, Take{1});
  game.act(2, Take{2});
  game.draw_and_place(0, 0, 0);
  game.draw_and_place(0, 0, 0);
  game.draw(0, 0);
  CHECK(game.mine(0).shadow[0].value() == Animal::ram);
  game.end_all_rounds();
  REQUIRE(game.table().phase == Phase::reveal);
  CHECK(!game.table().scores);
  CHECK(!game.table().winners);
  const int rams = game.seat(0).up[Animal::ram];
  CHECK(legal_acts<Rules>(game.state, Seat(0)) ==
        std::vector<Action>{Reveal{{true}}, Reveal{{false}}});
  game.act(0, Reveal{{true}});
  CHECK(event_of<Revealed>(game.state).shadow[0].value() == Animal::ram);
  CHECK(game.seat(0).up[Animal::ram] == rams + 2);
  CHECK((*game.table().scores)[0].counts[Animal::ram] == rams + 2);
}

TEST_CASE("W15: seats with shadow tokens alone are not asked, and show them") {
  Game game = wolves_open();
  const std::size_t seat = game.on_turn();
  game.draw(seat, 0);
  game.end_all_rounds();
  CHECK(game.table().phase == Phase::over);
  const auto revealed = event_of<Revealed>(game.state);
  CHECK(revealed.seat == Seat(seat));
  CHECK(revealed.light.empty());
  CHECK(revealed.shadow.size() == 1);
  CHECK(revealed.shadow[0].value() == Animal::wolf);
  CHECK(game.seat(seat).up[Animal::wolf] == 1);
  CHECK(game.seat(seat).shadow == Int<0, 15>(0));
}

// The duo game.

namespace {

/// Round 2 of a duo game with the two left columns of tower 1 down to their shadow tokens; seat 1
/// holds the rock.
Game duo_open() {
  Game game(Variant::duo, 2);
  game.end_round();
  game.act(1, ChooseTower{1});
  for (int i = 0; i < 3; ++i) {
    const std::size_t seat = game.on_turn();
    game.act(seat, Draw{{0, 1}});
    game.act(seat, Place{0, 0});
    game.act(seat, Discard{1});
  }
  return game;
}

}  // namespace

TEST_CASE("V2, A10: two tokens, no more and no less") {
  const Game game(Variant::duo, 2);
  CHECK(game.fault(0, Draw{{}}) == "V2");
  CHECK(game.fault(0, Draw{{0}}) == "V2");
  CHECK(game.fault(0, Draw{{0, 0}}) == "");
  CHECK(legal_acts<Rules>(game.state, Seat(0)).size() == 25 + 2);
}

TEST_CASE("V3, A5: any columns, the one under the first included if there is one") {
  Game game(Variant::duo, 2);
  game.act(0, Draw{{0, 0}});
  CHECK(game.mine(0).drawn[0].animal.value() == Animal::bear);
  CHECK(game.mine(0).drawn[1].animal.value() == Animal::ram);
  game.act(0, Place{0, 0});
  game.act(0, Discard{1});
  CHECK(game.fault(1, Draw{{0, 0}}) == "V3");
  CHECK(game.fault(1, Draw{{0, 1}}) == "");
  CHECK(game.fault(1, Draw{{1, 0}}) == "");
}

TEST_CASE("V4: both are looked at after the second is drawn") {
  Game game(Variant::duo, 2);
  game.act(0, Draw{{4, 3}});
  CHECK(game.mine(0).drawn.size() == 2);
  CHECK(game.mine(1).drawn.empty());
  CHECK(event_of<Drew>(game.state) == Drew{Seat(0), {4, 3}, {Back::light, Back::light}});
}

TEST_CASE("V5, V9, A7: a shadow token goes face down, and the light one gets any option") {
  Game game = duo_open();
  const std::size_t seat = game.on_turn();
  game.act(seat, Draw{{0, 4}});
  CHECK(event_of<Drew>(game.state).backs == List<Back, 2>{Back::shadow, Back::light});
  CHECK(game.seat(seat).shadow == Int<0, 15>(1));
  CHECK(game.table().pending == PendingView{{1}, std::nullopt});
  CHECK(game.fault(seat, Place{0, 0}) == "V6");
  CHECK(legal_acts<Rules>(game.state, Seat(seat)) ==
        std::vector<Action>{Place{1, 0}, Place{1, 1}, Keep{1}, Discard{1}});
  game.act(seat, Keep{1});
  CHECK(game.on_turn() != seat);
}

TEST_CASE("V6, V8, A8: each light token gets an option, and another than the first") {
  Game game(Variant::duo, 2);
  game.act(0, Draw{{0, 3}});
  CHECK(legal_acts<Rules>(game.state, Seat(0)).size() == 8);
  const Game start = game;

  game.act(0, Place{1, 0});
  CHECK(game.table().pending == PendingView{{0}, TokenOption::place});
  CHECK(game.fault(0, Place{0, 0}) == "V8");
  CHECK(game.fault(0, Place{0, 1}) == "V8");
  CHECK(game.fault(0, Keep{1}) == "V6");
  CHECK(legal_acts<Rules>(game.state, Seat(0)) == std::vector<Action>{Keep{0}, Discard{0}});

  game = start;
  game.act(0, Keep{0});
  CHECK(game.fault(0, Keep{1}) == "V8");
  game = start;
  game.act(0, Discard{0});
  CHECK(game.fault(0, Discard{1}) == "V8");
  game.act(0, Keep{1});
  CHECK(game.on_turn() == 1);
}

TEST_CASE("V7, A20: option 3, into the box, unseen by the other") {
  Game game(Variant::duo, 2);
  game.act(0, Draw{{0, 3}});
  game.act(0, Discard{1});
  CHECK(event_of<Discarded>(game.state) == Discarded{Seat(0), 1});
  CHECK(game.table().box == TokenCounts{1, 0});
  CHECK(game.mine(0).drawn.size() == 1);
  CHECK(!game.state.box[0].face.visible_to(Seat(1)));
  CHECK(!game.state.box[0].face.is_public());
}

TEST_CASE("V10, A6: with two kept, one light token goes to a row and one to the box") {
  Game game(Variant::duo, 2);
  for (int i = 0; i < 2; ++i) {
    game.act(0, Draw{{0, 1}});
    game.act(0, Keep{0});
    game.act(0, Discard{1});
    if (i == 0) game.act(1, Take{1});
  }
  game.act(0, Draw{{2, 3}});
  CHECK(game.fault(0, Keep{0}) == "T22");
  CHECK(legal_acts<Rules>(game.state, Seat(0)) ==
        std::vector<Action>{Place{0, 0}, Discard{0}, Place{1, 0}, Discard{1}});
  game.act(0, Discard{0});
  CHECK(legal_acts<Rules>(game.state, Seat(0)) == std::vector<Action>{Place{1, 0}});
}

TEST_CASE("V11: two shadow tokens leave nothing to choose") {
  Game game = duo_open();
  const std::size_t seat = game.on_turn();
  game.act(seat, Draw{{1, 0}});
  CHECK(game.seat(seat).shadow == Int<0, 15>(2));
  CHECK(game.on_turn() != seat);
  CHECK(game.table().phase == Phase::turn);
}

TEST_CASE("V12, V13, A9: seven draws from fifteen tokens, ten from twenty, and none from one") {
  Game game(Variant::duo, 2);
  const auto draw_all = [&] {
    int draws = 0;
    while (true) {
      const std::size_t seat = game.on_turn();
      const std::vector<Action> legal = legal_acts<Rules>(game.state, Seat(seat));
      if (!std::holds_alternative<Draw>(legal.front())) return draws;
      game.act(seat, legal.front());
      ++draws;
      while (std::holds_alternative<Resolving>(game.state.stage)) {
        game.act(seat, legal_acts<Rules>(game.state, Seat(seat)).back());
      }
    }
  };
  CHECK(draw_all() == 7);
  CHECK(game.fault(game.on_turn(), Draw{{4, 4}}) == "V12");
  game.end_round();
  CHECK(event_of<RoundOver>(game.state).boxed == TokenCounts{1, 0});
  game.choose_first_tower();
  CHECK(draw_all() == 10);
  CHECK(game.fault(game.on_turn(), Draw{{4, 4}}) == "V12");
}

// What the bot and the previews know.

TEST_CASE("Previews: the change of the seat's own score, none where it is hidden") {
  Game game(Variant::base, 2);
  const auto preview = [&](std::size_t seat, const Action& action) {
    return Rules::preview(game.table(), game.mine(seat), action);
  };
  CHECK(!preview(0, Draw{{0}}));
  // Whoever holds the rock and takes a row that is not the last gives the rock away.
  CHECK(preview(0, Take{0}) == -1);
  game.draw(0, 0);
  const auto worth = [&](std::size_t seat, const Action& action) {
    return Rules::worth(game.table(), game.mine(seat), action);
  };
  CHECK(preview(0, Place{0, 0}) == 0);
  CHECK(worth(0, Place{0, 0}) == 1);
  CHECK(preview(0, Keep{0}) == 1);
  CHECK(!worth(0, Keep{0}));
  game.act(0, Place{0, 0});
  game.draw_and_place(1, 1, 0);
  game.draw(0, 2);
  CHECK(worth(0, Place{0, 0}) == 10);
  CHECK(preview(0, Place{0, 0}) == 0);
  game.act(0, Place{0, 0});
  CHECK(preview(1, Take{0}) == 10);
  game.act(1, Take{0});
  // The last row brings the rock, which seat 0 has already.
  CHECK(preview(0, Take{1}) == 0);
  game.end_round();
  // A tree is a point for certain.
  CHECK(preview(0, ChooseTower{1}) == 1);
  game.act(0, ChooseTower{1});
  CHECK(preview(0, Take{0}) == -1);
  game.act(0, Take{0});
  CHECK(preview(1, Take{1}) == 1);
}

TEST_CASE("T43, A17: the bot decides best at the end") {
  // Seat 0 holds three bears face up and keeps a bear and an owl: the bear would spoil the
  // triqueta.
  const std::vector<Words> tower{{"bear", "bear", "bear"},
                                 {"bear", "owl", "deer"},
                                 {"ram", "ram", "owl"},
                                 {"owl", "owl", "owl"},
                                 {"boar", "boar", "boar"}};
  Game game(Variant::base, 2, deal_with(Variant::base, tower));
  game.draw_and_place(0, 0, 0);
  game.act(1, Take{1});
  game.draw_and_place(0, 0, 0);
  game.draw_and_place(0, 0, 0);
  game.draw_and_keep(0, 1);
  game.draw_and_keep(0, 1);
  game.end_all_rounds();
  Rng rng(Seed{});
  const auto legal = legal_acts<Rules>(game.state, Seat(0));
  const auto choice = Rules::choose(game.table(), game.mine(0), legal, rng);
  CHECK(choice == Action{Reveal{{false, true}}});
  // Keeping them has counted what the best decision brings.
  CHECK(Rules::preview(game.table(), game.mine(0), Reveal{{true, true}}) == -11);
  CHECK(Rules::preview(game.table(), game.mine(0), *choice) == 0);
  CHECK(Rules::worth(game.table(), game.mine(0), Reveal{{true, true}}) == -10);
  CHECK(Rules::worth(game.table(), game.mine(0), *choice) == 1);
}

TEST_CASE("The bot beats random players in every variant") {
  const std::uint32_t first = tests::take_seed(0);
  const auto wins_of_bot = [first](Variant variant, std::size_t seat_count, int games) {
    int wins = 0;
    for (int number = 0; number < games; ++number) {
      const std::uint32_t seed = first + static_cast<std::uint32_t>(number);
      Chance<Deal> chance = luck(seed);
      Rng rng(tests::seed_number(seed, 1));
      State state = Rules::setup(Options{variant, std::nullopt}, seat_count, chance);
      const Seat bot(index(number) % seat_count);
      while (!Rules::result(state)) {
        const Seat seat = asked(Rules::decisions(state).front()).list().front();
        const std::vector<Action> legal = legal_acts<Rules>(state, seat);
        const Action action =
            seat == bot ? *Rules::choose(Rules::table_view(state),
                                         Rules::seat_view(state, EyeMaker::of(seat)), legal, rng)
                        : rng.pick(legal);
        Rules::apply(state, seat, action);
        Rules::verify(state);
      }
      const auto won = Rules::result(state)->winners;
      wins += std::count(won.begin(), won.end(), bot) > 0 ? 1 : 0;
    }
    return wins;
  };
  // Measured over 1,000 games each: 0.96, 0.93, 0.92 and 0.89. Three quarters of 200 are six
  // deviations from that: no seed fails.
  for (const auto& [variant, seat_count] : {std::pair<Variant, std::size_t>{Variant::base, 2},
                                            {Variant::base, 5},
                                            {Variant::wolves, 4},
                                            {Variant::duo, 2}}) {
    CHECK(wins_of_bot(variant, seat_count, 200) >= 150);
  }
}

// The invariants: each state here is one that no act leads to.

TEST_CASE("verify() finds what must not be") {
  Game game = wolves_open();
  const std::size_t seat = game.on_turn();
  game.draw(seat, 0);
  game.draw_and_keep(game.on_turn(), 3);
  const State good = game.state;
  CHECK_NOTHROW(Rules::verify(good));
  const auto finds = [&](const auto& spoil) {
    State state = good;
    spoil(state);
    CHECK_THROWS_AS(Rules::verify(state), Bug);
  };
  const Seat holder(seat);
  finds([&](State& state) { state.box.push_back(state.box.front()); });
  finds([&](State& state) { state.box.pop_back(); });
  finds([&](State& state) { state.box.back().face.show_to_all(); });
  finds([&](State& state) { state.players[holder].shadow[0].face.replace(Animal::owl); });
  finds([&](State& state) { state.players[holder].shadow[0].face.show_to_all(); });
  finds([&](State& state) { state.players[holder].shadow[0].face.show_to(next_seat(holder, 3)); });
  finds([&](State& state) { state.players[holder].shadow[0].back = Back::light; });
  finds([&](State& state) { state.players[holder].trees += 1; });
  finds([&](State& state) { state.towers[2].columns[0].back().face.show_to(holder); });
  finds([&](State& state) { state.towers[2].has_tree = false; });
  finds([&](State& state) { state.current.reset(); });
  finds([&](State& state) { state.round = 3; });
  finds([&](State& state) { state.rows.emplace_back(); });
  finds([&](State& state) { state.rows[0].taken_by = Seat(0); });
  finds([&](State& state) { state.rows[1].taken_by = Seat(3); });
  finds([&](State& state) { state.rows[1].taken_by = std::get<Acting>(state.stage).seat; });
  finds([&](State& state) {
    state.rows[1].taken_by = Seat(0);
    state.rows[2].taken_by = Seat(0);
  });
  finds([&](State& state) { state.rock = Seat(3); });
  finds([&](State& state) { state.stage = ChoosingTower{state.rock}; });
  finds([&](State& state) { state.stage = Over{}; });
}

}  // namespace triquetra::triqueta
