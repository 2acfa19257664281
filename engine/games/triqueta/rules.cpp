// The rules: setup, what is legal, what an act does, scoring, and what must always hold. The views
// are in view.cpp.
//
// The order of chance. The light tokens lie in animal order, ten rabbits first and ten bears last,
// and are shuffled. With wolves, the shadow tokens lie in the same order, one each and then nine
// wolves, and are shuffled. The towers are filled in order, each column by column, each column from
// top to bottom: three light tokens, and in towers 1 to 3 with wolves a shadow token under them,
// always the next of its shuffled deck. Tower 0 is that of round 1. Last, unless the options fix
// it, the first seat is drawn with below(number of seats).
#include "engine/games/triqueta/rules.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <string>
#include <tuple>

namespace triquetra::triqueta {
namespace {

constexpr int kLightOfEach = 10;
constexpr int kWolves = 9;
constexpr std::size_t kLightPerColumn = 3;
constexpr std::string_view kShadowPrefix = "shadow-";

template <class Visit>
void for_each_animal(const Visit& visit) {
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<Animal>>(
      [&](auto animal) { visit(animal.value); });
}

std::size_t index(int number) { return static_cast<std::size_t>(number); }

/// How many tokens there are of a kind (T1, W1).
int in_the_game(Variant variant, Animal animal, Back back) {
  if (back == Back::light) return animal == Animal::wolf ? 0 : kLightOfEach;
  if (variant == Variant::base) return 0;
  return animal == Animal::wolf ? kWolves : 1;
}

// Setup.

TokenWord word_for(Animal animal, Back back) {
  const char* const name = boost::describe::enum_to_string(animal, "");
  return (back == Back::shadow ? std::string(kShadowPrefix) : std::string()) + name;
}

Token token_from(const TokenWord& word) {
  std::string name = word.str();
  const Back back = name.starts_with(kShadowPrefix) ? Back::shadow : Back::light;
  if (back == Back::shadow) name.erase(0, kShadowPrefix.size());
  Animal animal{};
  ensure(boost::describe::enum_from_string(name.c_str(), animal), "a deal names an unknown token");
  return Token{back, Secret<Animal>(animal)};
}

bool has_shadow_level(Variant variant, std::size_t tower, TowerIndex first) {
  return variant != Variant::base && tower != index(first);
}

using Deck = List<Token, kLightTokens>;

/// In the order of being dealt, the last one first.
Deck shuffled_deck(Variant variant, Back back, Rng& rng) {
  Deck deck;
  for_each_animal([&](Animal animal) {
    for (int i = in_the_game(variant, animal, back); i > 0; --i) {
      deck.push_back(Token{back, Secret<Animal>(animal)});
    }
  });
  rng.shuffle(deck);
  std::reverse(deck.begin(), deck.end());
  return deck;
}

Token next_of(Deck& deck) {
  const Token token = deck.back();
  deck.pop_back();
  return token;
}

/// The towers and the first seat as chance decides them.
void deal_shuffled(State& state, std::size_t seat_count, Rng& rng) {
  const Variant variant = state.options.variant;
  Deck light = shuffled_deck(variant, Back::light, rng);
  Deck shadow = shuffled_deck(variant, Back::shadow, rng);
  state.current = TowerIndex(0);
  for (std::size_t t = 0; t < kTowers; ++t) {
    for (Column& column : state.towers.at(t).columns) {
      for (std::size_t level = 0; level < kLightPerColumn; ++level) {
        column.push_back(next_of(light));
      }
      if (has_shadow_level(variant, t, *state.current)) column.push_back(next_of(shadow));
      std::reverse(column.begin(), column.end());
    }
  }
  const auto& fixed = state.options.first_seat;
  state.rock = Seat(fixed ? index(*fixed) : rng.below(static_cast<std::uint32_t>(seat_count)));
}

/// Three light tokens, over one shadow token where there is such a level (T7, W4).
Column column_from(const List<TokenWord, kColumnLimit>& words, bool shadow_level) {
  ensure(words.size() == kLightPerColumn + (shadow_level ? 1 : 0), "a deal has an odd column");
  Column column;
  for (std::size_t i = words.size(); i-- > 0;) {
    column.push_back(token_from(words[i]));
    ensure((column.back().back == Back::shadow) == (i == kLightPerColumn),
           "a deal has an odd back");
  }
  return column;
}

/// The towers and the first seat as they are written.
void deal_written(State& state, std::size_t seat_count, const Deal& deal) {
  const auto& fixed = state.options.first_seat;
  ensure(deal.towers.columns.size() == kTowers, "a deal has four towers (T6)");
  ensure(index(deal.first_seat) < seat_count, "a deal starts with a seat (A1)");
  ensure(!fixed || *fixed == deal.first_seat,
         "a deal starts with the seat that the options fix (A1)");
  state.rock = Seat(index(deal.first_seat));
  state.current = deal.towers.first;
  for (std::size_t t = 0; t < kTowers; ++t) {
    const auto& columns = deal.towers.columns[t];
    ensure(columns.size() == kColumns, "a tower has five columns (T7)");
    const bool shadow_level = has_shadow_level(state.options.variant, t, deal.towers.first);
    for (std::size_t c = 0; c < kColumns; ++c) {
      state.towers.at(t).columns.at(c) = column_from(columns[c], shadow_level);
    }
  }
}

// Where things are.

bool is_in_round(const State& state, Seat seat) {
  return std::none_of(state.rows.begin(), state.rows.end(),
                      [&](const Row& row) { return row.taken_by == seat; });
}

const Tower& current_tower(const State& state) { return state.towers.at(index(*state.current)); }

std::size_t size_of(const Tower& tower) {
  std::size_t size = 0;
  for (const Column& column : tower.columns) size += column.size();
  return size;
}

std::size_t draw_size(const State& state) { return state.options.variant == Variant::duo ? 2 : 1; }

/// Shows these, and lays them open among `up`.
template <class Animals>
Animals lay_open(std::span<Token> tokens, Counts<Animal>& up) {
  Animals animals;
  for (Token& token : tokens) {
    token.face.show_to_all();
    animals.push_back(token.face.shown());
    ++up[*animals.back().value()];
  }
  return animals;
}

ScoreSheets score_sheets(const State& state) {
  ScoreSheets sheets;
  for (const Seat seat : seats_of(state.players.size())) {
    const Player& player = state.players[seat];
    sheets.push_back(score(all_up(player), state.rock == seat, player.trees));
  }
  return sheets;
}

// Moving through the game.

/// Every stage asks a new question.
void enter(State& state, const Stage& stage) {
  state.stage = stage;
  state.decision = DecisionId(state.decision.index() + 1);
}

/// The next seat clockwise that is still in; the same one if it is alone (T12, T14, A11).
void end_turn(State& state, Seat seat) {
  Seat next = next_seat(seat, state.players.size());
  while (!is_in_round(state, next)) next = next_seat(next, state.players.size());
  enter(state, Acting{next});
}

/// The score, when nothing is left to decide (T53).
void end_game(State& state) {
  enter(state, Over{});
  const ScoreSheets sheets = score_sheets(state);
  GameOver over;
  for (const ScoreSheet& sheet : sheets) over.totals.push_back(sheet.total);
  over.winners = winners(sheets);
  state.happened.emplace_back(over);
}

/// The end decisions carried out: tokens added are shown, the others boxed unseen, and all shadow
/// tokens are shown and added (T43, T44, W15).
void carry_out(State& state, const SeatMap<std::optional<Reveal>, kMostSeats>& answers) {
  for (const Seat seat : seats_of(state.players.size())) {
    Player& player = state.players[seat];
    if (player.down.empty() && player.shadow.empty()) continue;
    List<Token, kDownLimit> added;
    List<Token, kDownLimit> boxed;
    for (std::size_t i = 0; i < player.down.size(); ++i) {
      (answers[seat]->keep[i] ? added : boxed).push_back(player.down[i]);
    }
    state.happened.emplace_back(
        Revealed{seat, lay_open<decltype(Revealed::light)>(added, player.light_up),
                 static_cast<int>(boxed.size()),
                 lay_open<decltype(Revealed::shadow)>(player.shadow, player.shadow_up)});
    state.box.append(boxed);
    player.down.clear();
    player.shadow.clear();
  }
  end_game(state);
}

/// The end decisions, asked of those who have face-down light tokens (A16, A18).
void begin_reveal(State& state) {
  Revealing stage{{}, decltype(Revealing::answers)(state.players.size())};
  for (const Seat seat : seats_of(state.players.size())) {
    if (!state.players[seat].down.empty()) stage.waiting.insert(seat);
  }
  if (stage.waiting.empty()) return carry_out(state, stage.answers);
  enter(state, stage);
}

/// The last row is taken: rock, leftover, markers, then the next tower (T36-T42, A23).
void end_round(State& state, Seat last) {
  state.rock = last;
  const std::size_t in_box = state.box.size();
  for (Column& column : state.towers.at(index(*state.current)).columns) {
    state.box.append(column);
    column.clear();
  }
  const auto left = std::span<const Token>(state.box).subspan(in_box);
  state.current.reset();
  for (Row& row : state.rows) row.taken_by.reset();
  state.happened.emplace_back(RoundOver{state.round, last, count_backs(left)});
  const bool towers_remain = std::any_of(state.towers.begin(), state.towers.end(),
                                         [](const Tower& tower) { return tower.has_tree; });
  if (!towers_remain) return begin_reveal(state);
  enter(state, ChoosingTower{last});
}

/// One token fewer to decide about; then the second one (V8), or the end of the turn (T24).
void resolve(State& state, TokenIndex token, TokenOption option) {
  Resolving stage = std::get<Resolving>(state.stage);
  stage.tokens.erase(stage.tokens.front().index == token ? 0 : 1);
  stage.used = option;
  if (stage.tokens.empty()) return end_turn(state, stage.seat);
  enter(state, stage);
}

Token drawn_token(const State& state, TokenIndex index) {
  const auto& tokens = std::get<Resolving>(state.stage).tokens;
  const auto found = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const DrawnToken& drawn) { return drawn.index == index; });
  ensure(found != tokens.end(), "no such drawn token");
  return found->token;
}

// What an act does.

void play(State& state, Seat seat, const Draw& draw) {
  Tower& tower = state.towers.at(index(*state.current));
  Resolving stage{seat, {}, {}};
  Drew event{seat, draw.columns, {}};
  int number = 0;
  for (const ColumnIndex column : draw.columns) {
    Column& tokens = tower.columns.at(index(column));
    Token token = tokens.back();
    tokens.pop_back();
    token.face.show_to(seat);
    event.backs.push_back(token.back);
    if (token.back == Back::shadow) {
      state.players[seat].shadow.push_back(token);
    } else {
      stage.tokens.push_back(DrawnToken{number, token});
    }
    ++number;
  }
  state.happened.emplace_back(event);
  if (stage.tokens.empty()) return end_turn(state, seat);
  enter(state, stage);
}

void play(State& state, Seat seat, const Place& place) {
  Token token = drawn_token(state, place.token);
  token.face.show_to_all();
  state.happened.emplace_back(Placed{seat, place.token, place.row, token.face.shown()});
  state.rows[index(place.row)].tokens.push_back(token);
  resolve(state, place.token, TokenOption::place);
}

void play(State& state, Seat seat, const Keep& keep) {
  state.players[seat].down.push_back(drawn_token(state, keep.token));
  state.happened.emplace_back(Kept{seat, keep.token});
  resolve(state, keep.token, TokenOption::keep);
}

void play(State& state, Seat seat, const Discard& discard) {
  state.box.push_back(drawn_token(state, discard.token));
  state.happened.emplace_back(Discarded{seat, discard.token});
  resolve(state, discard.token, TokenOption::discard);
}

void play(State& state, Seat seat, const Take& take) {
  Row& row = state.rows[index(take.row)];
  auto& up = state.players[seat].light_up;
  state.happened.emplace_back(
      Took{seat, take.row, lay_open<decltype(Took::animals)>(row.tokens, up)});
  row.tokens.clear();
  row.taken_by = seat;
  const bool rows_left = std::any_of(state.rows.begin(), state.rows.end(),
                                     [](const Row& other) { return !other.taken_by; });
  if (rows_left) return end_turn(state, seat);
  end_round(state, seat);
}

void play(State& state, Seat seat, const ChooseTower& choice) {
  state.towers.at(index(choice.tower)).has_tree = false;
  state.players[seat].trees += 1;
  state.current = choice.tower;
  state.round = state.round + 1;
  state.happened.emplace_back(TowerChosen{seat, choice.tower, state.round});
  enter(state, Acting{seat});
}

void play(State& state, Seat seat, const Reveal& reveal) {
  auto& stage = std::get<Revealing>(state.stage);
  stage.waiting.erase(seat);
  stage.answers[seat] = reveal;
  state.happened.emplace_back(Answered{seat});
  if (!stage.waiting.empty()) return;
  const auto answers = stage.answers;
  carry_out(state, answers);
}

// Why an act is refused. The seat is one that the stage asks.

/// The statement that says what the stage asks for.
Fault other_act_wanted(const State& state) {
  struct {
    Fault operator()(const Acting&) const { return {"T13"}; }
    Fault operator()(const Resolving&) const { return {"T17"}; }
    Fault operator()(const ChoosingTower&) const { return {"T40"}; }
    Fault operator()(const Revealing&) const { return {"T43"}; }
    Fault operator()(const Over&) const { return {"T42"}; }
  } constexpr wanted;
  return std::visit(wanted, state.stage);
}

Fault not_asked(const State& state) {
  const Fault wanted = other_act_wanted(state);
  const bool is_turn =
      std::holds_alternative<Acting>(state.stage) || std::holds_alternative<Resolving>(state.stage);
  return is_turn ? Fault{"T12"} : wanted;
}

std::optional<Fault> refusal(const State& state, Seat, const Draw& draw) {
  if (!std::holds_alternative<Acting>(state.stage)) return other_act_wanted(state);
  const bool is_duo = state.options.variant == Variant::duo;
  if (draw.columns.size() != draw_size(state)) return Fault{is_duo ? "V2" : "T15"};
  const Tower& tower = current_tower(state);
  if (size_of(tower) < draw_size(state)) return Fault{is_duo ? "V12" : "T33"};
  std::array<std::size_t, kColumns> wanted{};
  for (const ColumnIndex column : draw.columns) {
    if (++wanted.at(index(column)) > tower.columns.at(index(column)).size()) {
      return Fault{is_duo ? "V3" : "T15"};
    }
  }
  return std::nullopt;
}

/// What is common to the three options for a token drawn.
std::optional<Fault> option_refusal(const State& state, TokenIndex token, TokenOption option) {
  const auto* stage = std::get_if<Resolving>(&state.stage);
  if (stage == nullptr) return other_act_wanted(state);
  const bool is_duo = state.options.variant == Variant::duo;
  const bool is_drawn = std::any_of(stage->tokens.begin(), stage->tokens.end(),
                                    [&](const DrawnToken& drawn) { return drawn.index == token; });
  if (!is_drawn) return Fault{is_duo ? "V6" : "T17"};
  if (stage->used == option) return Fault{"V8"};
  return std::nullopt;
}

std::optional<Fault> row_refusal(const State& state, RowIndex row, const char* rule) {
  if (index(row) >= state.rows.size()) return Fault{rule};
  if (state.rows[index(row)].taken_by) return Fault{"T31"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat, const Place& place) {
  if (const auto fault = option_refusal(state, place.token, TokenOption::place)) return fault;
  return row_refusal(state, place.row, "T18");
}

std::optional<Fault> refusal(const State& state, Seat seat, const Keep& keep) {
  if (const auto fault = option_refusal(state, keep.token, TokenOption::keep)) return fault;
  if (state.players[seat].down.size() >= kDownLimit) return Fault{"T22"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat, const Discard& discard) {
  if (const auto fault = option_refusal(state, discard.token, TokenOption::discard)) return fault;
  if (state.options.variant != Variant::duo) return Fault{"T17"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat, const Take& take) {
  if (!std::holds_alternative<Acting>(state.stage)) return other_act_wanted(state);
  return row_refusal(state, take.row, "T25");
}

std::optional<Fault> refusal(const State& state, Seat, const ChooseTower& choice) {
  if (!std::holds_alternative<ChoosingTower>(state.stage)) return other_act_wanted(state);
  if (!state.towers.at(index(choice.tower)).has_tree) return Fault{"T40"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat seat, const Reveal& reveal) {
  if (!std::holds_alternative<Revealing>(state.stage)) return other_act_wanted(state);
  if (reveal.keep.size() != state.players[seat].down.size()) return Fault{"T43"};
  return std::nullopt;
}

// Every act that the stage may allow, in the order in which legal() lists them.

/// Fills `acts` with those that are not refused.
struct Lister {
  const State& state;
  Seat seat;
  std::vector<Action>& acts;

  template <class Act>
  void offer(const Act& act) const {
    if (!refusal(state, seat, act)) acts.emplace_back(act);
  }

  void operator()(const Acting&) const {
    for (int first = 0; first < static_cast<int>(kColumns); ++first) {
      if (draw_size(state) == 1) offer(Draw{{first}});
      if (draw_size(state) == 1) continue;
      for (int second = 0; second < static_cast<int>(kColumns); ++second) {
        offer(Draw{{first, second}});
      }
    }
    for (std::size_t row = 0; row < state.rows.size(); ++row) offer(Take{static_cast<int>(row)});
  }
  void operator()(const Resolving& stage) const {
    for (const DrawnToken& drawn : stage.tokens) {
      for (std::size_t row = 0; row < state.rows.size(); ++row) {
        offer(Place{drawn.index, static_cast<int>(row)});
      }
      offer(Keep{drawn.index});
      offer(Discard{drawn.index});
    }
  }
  void operator()(const ChoosingTower&) const {
    for (std::size_t tower = 0; tower < kTowers; ++tower) {
      offer(ChooseTower{static_cast<int>(tower)});
    }
  }
  void operator()(const Revealing&) const {
    const std::size_t down = state.players[seat].down.size();
    for (std::size_t bits = 0; bits < std::size_t{1} << down; ++bits) {
      Reveal reveal;
      for (std::size_t i = 0; i < down; ++i) reveal.keep.push_back(((bits >> i) & 1U) == 0);
      offer(reveal);
    }
  }
  void operator()(const Over&) const {}
};

/// Whether the stage waits for this seat.
bool is_asked(const State& state, Seat seat) {
  struct {
    Seat asked;
    bool operator()(const Acting& stage) const { return stage.seat == asked; }
    bool operator()(const Resolving& stage) const { return stage.seat == asked; }
    bool operator()(const ChoosingTower& stage) const { return stage.seat == asked; }
    bool operator()(const Revealing& stage) const { return stage.waiting.contains(asked); }
    bool operator()(const Over&) const { return false; }
  } const asks{seat};
  return std::visit(asks, state.stage);
}

// Invariants.

/// Calls `visit` with every token that does not lie open before a player, wherever it is.
/// `AnyState` is State or const State.
template <class AnyState, class Visit>
void for_each_token(AnyState& state, const Visit& visit) {
  const auto visit_all = [&](auto& tokens) { std::for_each(tokens.begin(), tokens.end(), visit); };
  for (auto& tower : state.towers) {
    for (auto& column : tower.columns) visit_all(column);
  }
  for (auto& row : state.rows) visit_all(row.tokens);
  for (auto& player : state.players) {
    visit_all(player.down);
    visit_all(player.shadow);
  }
  visit_all(state.box);
  if (auto* stage = std::get_if<Resolving>(&state.stage)) {
    for (auto& drawn : stage->tokens) visit(drawn.token);
  }
}

void verify_tokens(const State& state) {
  std::array<Counts<Animal>, 2> counts;
  for_each_token(state, [&](const Token& token) {
    ++counts.at(static_cast<std::size_t>(token.back))[token.face.for_rules()];
  });
  for_each_animal([&](Animal animal) {
    for (const Player& player : state.players) {
      counts[0][animal] += player.light_up[animal];
      counts[1][animal] += player.shadow_up[animal];
    }
    for (const Back back : {Back::light, Back::shadow}) {
      ensure(counts.at(static_cast<std::size_t>(back))[animal] ==
                 in_the_game(state.options.variant, animal, back),
             "tokens are not conserved (T1, W1)");
    }
  });
}

bool all_public(std::span<const Token> tokens) {
  return std::all_of(tokens.begin(), tokens.end(),
                     [](const Token& token) { return token.face.is_public(); });
}

/// These have this back, and nobody but perhaps `owner` knows their faces.
bool known_only_to(const State& state, std::optional<Seat> owner, std::span<const Token> tokens,
                   Back back) {
  for (const Token& token : tokens) {
    if (token.back != back || token.face.is_public()) return false;
    for (const Seat seat : seats_of(state.players.size())) {
      if (token.face.visible_to(seat) != (owner == seat)) return false;
    }
  }
  return true;
}

void verify_faces(const State& state) {
  for (const Row& row : state.rows) ensure(all_public(row.tokens), "a row hides a token (T18)");
  for (const Seat seat : seats_of(state.players.size())) {
    const Player& player = state.players[seat];
    ensure(known_only_to(state, seat, player.down, Back::light), "face-down token (T20)");
    ensure(known_only_to(state, seat, player.shadow, Back::shadow), "shadow token (W9)");
  }
  for (const Tower& tower : state.towers) {
    for (const Column& column : tower.columns) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        const bool is_bottom = i == 0;
        const std::span<const Token> token(&column[i], 1);
        ensure(known_only_to(state, std::nullopt, token, Back::light) ||
                   (is_bottom && known_only_to(state, std::nullopt, token, Back::shadow)),
               "a tower shows a token (T6)");
      }
    }
  }
  ensure(std::none_of(state.box.begin(), state.box.end(),
                      [](const Token& token) { return token.face.is_public(); }),
         "the box shows a token (T44)");
}

void verify_round(const State& state) {
  int trees = 0;
  for (const Tower& tower : state.towers) trees += tower.has_tree ? 1 : 0;
  ensure(trees == static_cast<int>(kRounds) - state.round, "a tower waits for each round (T10)");
  for (const Player& player : state.players) trees += player.trees;
  ensure(trees == static_cast<int>(kTowers) - 1, "tree tiles are not conserved (T3)");

  ensure(state.rows.size() == state.players.size(), "one row per player (T5)");
  SeatSet out;
  std::size_t taken = 0;
  for (const Row& row : state.rows) {
    if (!row.taken_by) continue;
    ensure(row.tokens.empty() && state.players.has(*row.taken_by), "a taken row (T31)");
    out.insert(*row.taken_by);
    ++taken;
  }
  ensure(out.size() == taken && taken < state.rows.size(), "one marker per player (T32)");
  ensure(state.players.has(state.rock), "somebody holds the rock (T9)");

  const bool in_round =
      std::holds_alternative<Acting>(state.stage) || std::holds_alternative<Resolving>(state.stage);
  ensure(state.current.has_value() == in_round, "a tower stands during a round (T40)");
  ensure(in_round || taken == 0, "markers return (T39)");
}

void verify_stage(const State& state) {
  if (const auto* acting = std::get_if<Acting>(&state.stage)) {
    ensure(is_in_round(state, acting->seat), "who dropped out is skipped (T14)");
  }
  if (const auto* resolving = std::get_if<Resolving>(&state.stage)) {
    const std::size_t count = resolving->tokens.size();
    ensure(is_in_round(state, resolving->seat), "who dropped out is skipped (T14)");
    ensure(count >= 1 && count <= draw_size(state) && (count == 1 || !resolving->used),
           "drawn tokens (V2)");
    for (const DrawnToken& drawn : resolving->tokens) {
      ensure(known_only_to(state, resolving->seat, std::span(&drawn.token, 1), Back::light),
             "drawn token (T16)");
    }
  }
  if (const auto* choosing = std::get_if<ChoosingTower>(&state.stage)) {
    ensure(choosing->seat == state.rock && state.round != Round(Round::kHighest),
           "the holder of the rock chooses (T40)");
  }
  if (const auto* revealing = std::get_if<Revealing>(&state.stage)) {
    ensure(!revealing->waiting.empty(), "a ballot asks somebody (A18)");
    for (const Seat seat : seats_of(state.players.size())) {
      const std::size_t down = state.players[seat].down.size();
      const auto& answer = revealing->answers[seat];
      ensure(!answer || answer->keep.size() == down, "one decision per token (T43)");
      ensure(revealing->waiting.contains(seat) == (down > 0 && !answer), "end decisions (A18)");
    }
  }
  if (std::holds_alternative<Over>(state.stage)) {
    for (const Player& player : state.players) {
      ensure(player.down.empty() && player.shadow.empty(), "nothing stays face down (T43, W15)");
    }
  }
}

}  // namespace

// Scoring.

ScoreSheet score(const Counts<Animal>& tokens, bool has_rock, int trees) {
  ScoreSheet sheet;
  sheet.counts = tokens;
  for_each_animal(
      [&](Animal animal) { sheet.points[animal] = points_for(animal, tokens[animal]); });
  sheet.rock = has_rock ? 1 : 0;
  sheet.trees = trees;
  sheet.total = sheet.points.total() + sheet.rock + sheet.trees;
  sheet.tokens = tokens.total();
  return sheet;
}

List<Seat, kMostSeats> winners(const ScoreSheets& sheets) {
  const auto rank = [](const ScoreSheet& sheet) { return std::tuple(sheet.total, sheet.tokens); };
  const auto best =
      std::max_element(sheets.begin(), sheets.end(),
                       [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  List<Seat, kMostSeats> seats;
  for (const Seat seat : seats_of(sheets.size())) {
    if (rank(sheets[seat.index()]) == rank(*best)) seats.push_back(seat);
  }
  return seats;
}

Counts<Animal> all_up(const Player& player) {
  Counts<Animal> counts = player.light_up;
  for_each_animal([&](Animal animal) { counts[animal] += player.shadow_up[animal]; });
  return counts;
}

TokenCounts count_backs(std::span<const Token> tokens) {
  int light = 0;
  for (const Token& token : tokens) light += token.back == Back::light ? 1 : 0;
  return TokenCounts{light, static_cast<int>(tokens.size()) - light};
}

// The contract.

std::vector<Options> Rules::variants() {
  return {Options{Variant::base, {}}, Options{Variant::wolves, {}}, Options{Variant::duo, {}}};
}

std::optional<Fault> Rules::check(const Options& options, std::size_t seat_count) {
  const bool base_fits = seat_count >= kMinSeats && seat_count <= kMaxSeats;
  if (options.variant == Variant::base && !base_fits) return Fault{"T4"};
  const bool wolves_fit = seat_count >= 3 && seat_count <= kMaxSeats;
  if (options.variant == Variant::wolves && !wolves_fit) return Fault{"A25"};
  if (options.variant == Variant::duo && seat_count != 2) return Fault{"A25"};
  if (options.first_seat && index(*options.first_seat) >= seat_count) return Fault{"A1"};
  return std::nullopt;
}

State Rules::setup(const Options& options, std::size_t seat_count, Chance<Deal>& chance) {
  ensure(!check(options, seat_count), "setup needs fitting options");
  State state;
  state.options = options;
  if (const Deal* deal = chance.written()) {
    deal_written(state, seat_count, *deal);
  } else {
    deal_shuffled(state, seat_count, chance.rng());
  }
  for (std::size_t t = 0; t < kTowers; ++t) {
    state.towers.at(t).has_tree = t != index(*state.current);
  }
  state.rows.resize(seat_count);
  state.players = decltype(State::players)(seat_count);
  enter(state, Acting{state.rock});
  // A shuffle keeps every token; whoever writes may not.
  if (chance.written() != nullptr) verify(state);
  return state;
}

Deal Rules::deal(const State& first, const State&) {
  Deal deal;
  deal.towers.first = *first.current;
  deal.first_seat = static_cast<int>(first.rock.index());
  for (const Tower& tower : first.towers) {
    List<List<TokenWord, kColumnLimit>, kColumns> columns;
    for (const Column& tokens : tower.columns) {
      List<TokenWord, kColumnLimit> column;
      for (std::size_t i = tokens.size(); i-- > 0;) {
        column.push_back(word_for(tokens[i].face.for_rules(), tokens[i].back));
      }
      columns.push_back(column);
    }
    deal.towers.columns.push_back(columns);
  }
  return deal;
}

Decisions Rules::decisions(const State& state) {
  struct {
    std::optional<Ask> operator()(const Acting& stage) const { return Turn{stage.seat}; }
    std::optional<Ask> operator()(const Resolving& stage) const { return Turn{stage.seat}; }
    std::optional<Ask> operator()(const ChoosingTower& stage) const { return Turn{stage.seat}; }
    std::optional<Ask> operator()(const Revealing& stage) const { return Ballot{stage.waiting}; }
    std::optional<Ask> operator()(const Over&) const { return std::nullopt; }
  } constexpr asks;
  const std::optional<Ask> ask = std::visit(asks, state.stage);
  if (!ask) return {};
  return {Decision{state.decision, *ask}};
}

void Rules::legal(const State& state, Seat seat, std::vector<Action>& acts) {
  acts.clear();
  if (is_asked(state, seat)) std::visit(Lister{state, seat, acts}, state.stage);
}

std::optional<Fault> Rules::check(const State& state, Seat seat, const Action& action) {
  if (!is_asked(state, seat)) return not_asked(state);
  return std::visit([&](const auto& act) { return refusal(state, seat, act); }, action);
}

void Rules::apply(State& state, Seat seat, const Action& action) {
  ensure(!check(state, seat, action), "apply needs a legal act");
  state.happened.clear();
  std::visit([&](const auto& act) { play(state, seat, act); }, action);
}

void Rules::lapse(State&, DecisionId) { ensure(false, "Triqueta opens no windows"); }

std::optional<Result> Rules::result(const State& state) {
  if (!std::holds_alternative<Over>(state.stage)) return std::nullopt;
  const ScoreSheets sheets = score_sheets(state);
  Result result{decltype(Result::winners)(winners(sheets)), {}};
  for (const ScoreSheet& sheet : sheets) result.scores.push_back(sheet.total);
  return result;
}

std::optional<int> Rules::points(const State& state, Seat seat) {
  const Player& player = state.players[seat];
  Counts<Animal> sure = all_up(player);
  for (const Token& token : player.shadow) ++sure[token.face.for_rules()];
  const bool has_rock = state.rock == seat && is_in_round(state, seat);
  const auto* revealing = std::get_if<Revealing>(&state.stage);
  const std::optional<Reveal> answer =
      revealing != nullptr ? revealing->answers[seat] : std::nullopt;
  std::optional<int> best;
  for (std::size_t bits = 0; bits < std::size_t{1} << player.down.size(); ++bits) {
    Counts<Animal> tokens = sure;
    bool is_open = true;
    for (std::size_t i = 0; i < player.down.size(); ++i) {
      const bool added = ((bits >> i) & 1U) != 0;
      if (added) ++tokens[player.down[i].face.for_rules()];
      if (answer && answer->keep[i] != added) is_open = false;
    }
    if (is_open)
      best = std::max(best.value_or(-1000), int{score(tokens, has_rock, player.trees).total});
  }
  return best;
}

void Rules::verify(const State& state) {
  verify_tokens(state);
  verify_faces(state);
  verify_round(state);
  verify_stage(state);
}

void Rules::imagine(State& state, Viewer viewer, Rng& rng) {
  const auto* own = std::get_if<Seat>(&viewer);
  for (const Back back : {Back::light, Back::shadow}) {
    List<Secret<Animal>*, kLightTokens> hidden;
    List<Animal, kLightTokens> animals;
    for_each_token(state, [&](Token& token) {
      if (token.back != back || token.face.visible_to(viewer)) return;
      hidden.push_back(&token.face);
      animals.push_back(token.face.for_rules());
    });
    // In order first: worlds that the viewer cannot tell apart lead to the same other world.
    std::sort(animals.begin(), animals.end());
    rng.shuffle(animals);
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i]->replace(animals[i]);
  }
  auto* revealing = std::get_if<Revealing>(&state.stage);
  if (revealing == nullptr) return;
  for (const Seat seat : seats_of(state.players.size())) {
    std::optional<Reveal>& answer = revealing->answers[seat];
    if (!answer || (own != nullptr && *own == seat)) continue;
    Reveal other;
    while (other.keep.size() < answer->keep.size()) other.keep.push_back(rng.below(2) == 0);
    answer = other;
  }
}

}  // namespace triquetra::triqueta
