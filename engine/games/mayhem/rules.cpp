// The rules: setup, what is legal, what an act does, scoring, and what must always hold. The views
// are in view.cpp.
//
// The order of chance. The 81 pieces lie sorted by cut (horizontal, vertical, centered), number and
// colour (pink, red, green), each three times, and are shuffled; the first of the result is the top
// of the deck. Then, unless the options fix it, the first seat is drawn with below(number of
// seats). Nothing else is left to chance.
#include "engine/games/mayhem/rules.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace triquetra::mayhem {
namespace {

using std::chrono::milliseconds;

std::size_t index(int number) { return static_cast<std::size_t>(number); }

/// Of a hand or an open triangle.
List<Piece, kHandSize> faces(std::span<const Card> cards) {
  List<Piece, kHandSize> pieces;
  for (const Card& card : cards) pieces.push_back(card.for_rules());
  return pieces;
}

// Setup.

/// The cards from the top, and who begins.
struct Start {
  List<Piece, kPieces> deck;
  Int<0, 7> first_seat;
};

Start drawn_start(const Options& options, std::size_t seat_count, Rng& rng) {
  Start start{triangles::all_pieces(), {}};
  rng.shuffle(start.deck);
  start.first_seat = options.first_seat
                         ? *options.first_seat
                         : Int<0, 7>(rng.below(static_cast<std::uint32_t>(seat_count)));
  return start;
}

Start written_start(const Deal& deal) {
  Start start{{}, deal.first_seat};
  for (const CardCode& code : deal.deck) {
    const auto piece = triangles::piece_from(code);
    ensure(piece.has_value(), "a deal names an unknown piece");
    start.deck.push_back(*piece);
  }
  return start;
}

// Where things are.

std::size_t seat_count(const State& state) { return state.hands.size(); }

/// `AnyState` is State or const State.
template <class AnyState>
auto find_triangle(AnyState& state, TriangleId id) -> decltype(state.table.data()) {
  const auto found = std::find_if(state.table.begin(), state.table.end(),
                                  [&](const OpenTriangle& open) { return open.id == id; });
  return found == state.table.end() ? nullptr : found;
}

bool is_over(const State& state) {
  return state.pile.empty() && std::all_of(state.hands.begin(), state.hands.end(),
                                           [](const Hand& hand) { return hand.empty(); });
}

/// The seat has the turn or the window.
bool is_asked(const State& state, Seat seat) {
  const auto* playing = std::get_if<Playing>(&state.stage);
  return playing != nullptr &&
         (playing->seat == seat || (playing->window && playing->window->seat == seat));
}

/// Where in the seat's hand what it may play now begins: all in its turn, in its window what it has
/// just drawn (M5, M16).
std::size_t first_playable(const State& state, Seat seat) {
  const auto& playing = std::get<Playing>(state.stage);
  return playing.seat == seat ? 0 : state.hands[seat].size() - playing.window->cards;
}

/// Where in the seat's hand a card is that it may play now. A copy is as good as any other.
std::optional<std::size_t> place_of(const State& state, Seat seat, const Piece& piece) {
  const Hand& hand = state.hands[seat];
  for (std::size_t i = first_playable(state, seat); i < hand.size(); ++i) {
    if (hand[i].for_rules() == piece) return i;
  }
  return std::nullopt;
}

// Moving through the game.

DecisionId next_decision(State& state) { return DecisionId{std::size_t{++state.last_decision}}; }

/// The top card of the pile into a hand.
void deal_to(State& state, Seat seat) {
  Card card = state.pile.back();
  state.pile.pop_back();
  card.show_to(seat);
  state.hands[seat].push_back(card);
}

/// As many cards as the pile has, up to `wanted`; says so if there are any.
std::size_t draw(State& state, Seat seat, std::size_t wanted) {
  const std::size_t count = std::min(wanted, state.pile.size());
  for (std::size_t i = 0; i < count; ++i) deal_to(state, seat);
  if (count > 0) state.happened.emplace_back(Drew{seat, static_cast<int>(count)});
  return count;
}

void close_window(State& state, Closing reason) {
  auto& window = std::get<Playing>(state.stage).window;
  if (!window) return;
  state.happened.emplace_back(WindowClosed{window->seat, reason});
  window.reset();
}

/// The turn passes on to the next seat that has cards, and the window opens (M4, M15, M19).
void begin_next_turn(State& state, Seat seat, std::size_t drawn) {
  Seat next = next_seat(seat, seat_count(state));
  while (state.hands[next].empty()) {
    state.happened.emplace_back(Skipped{next});
    next = next_seat(next, seat_count(state));
  }
  Playing playing{next_decision(state), next, 0, {}};
  state.happened.emplace_back(TurnBegan{next});
  if (drawn > 0 && state.options.window_ms != WindowLength(0)) {
    playing.window = FastWindow{next_decision(state), seat, drawn};
    state.happened.emplace_back(WindowOpened{seat, static_cast<int>(drawn)});
  }
  state.stage = playing;
}

void end_game(State& state) {
  state.stage = Over{};
  const auto sheets = score(state.options.claims, seat_count(state), state.taken, state.table);
  GameOver over;
  for (const ScoreSheet& sheet : sheets) over.scores.push_back(sheet.points);
  over.winners = winners(sheets);
  state.happened.emplace_back(over);
}

/// The third piece completes a triangle, and who placed it takes it (M12).
void take(State& state, Seat seat, std::size_t place, const Card& third) {
  const OpenTriangle& open = state.table[place];
  const TakenTriangle taken{
      seat, {open.cards[0].for_rules(), open.cards[1].for_rules(), third.for_rules()}};
  Taken event{seat, open.id, {open.cards[0].shown(), open.cards[1].shown(), third.shown()}, {}, {}};
  if (state.options.claims == Claims::checked) {
    event.pure = is_pure(taken.pieces);
    event.points = points_for(taken.pieces);
  }
  state.happened.emplace_back(event);
  state.taken.push_back(taken);
  state.table.erase(place);
}

/// Lays a card of the hand on the table (M8-M12).
void lay(State& state, Seat seat, const Play& play, bool fast) {
  const std::size_t from = place_of(state, seat, play.card).value();
  Card card = state.hands[seat][from];
  state.hands[seat].erase(from);
  card.show_to_all();
  if (!play.onto) state.table.push_back({++state.last_triangle, {}});
  const TriangleId id = play.onto.value_or(TriangleId(state.last_triangle));
  OpenTriangle& open = *find_triangle(state, id);
  constexpr How kHow[] = {How::start, How::extend, How::complete};
  state.happened.emplace_back(Played{seat, card.shown(), id, kHow[open.cards.size()], fast});
  if (open.cards.size() + 1 < kTriangleSize) return open.cards.push_back(card);
  take(state, seat, static_cast<std::size_t>(&open - state.table.data()), card);
}

// What an act does.

/// A fast play: one card is drawn for it, and the time begins anew (M16-M18).
void play_fast(State& state, Seat seat, const Play& play) {
  lay(state, seat, play, true);
  auto& window = std::get<Playing>(state.stage).window;
  if (draw(state, seat, 1) > 0) {
    window->id = next_decision(state);
  } else if (--window->cards == 0) {
    close_window(state, Closing::spent);
  }
}

void perform(State& state, Seat seat, const Play& play) {
  auto& playing = std::get<Playing>(state.stage);
  if (playing.seat != seat) return play_fast(state, seat, play);
  close_window(state, Closing::move);
  lay(state, seat, play, false);
  ++playing.played;
  playing.id = next_decision(state);
  if (is_over(state)) end_game(state);
}

void perform(State& state, Seat seat, const End&) {
  state.happened.emplace_back(Ended{seat});
  const std::size_t drawn = draw(state, seat, kHandSize - state.hands[seat].size());
  begin_next_turn(state, seat, drawn);
}

void perform(State& state, Seat, const Lapse&) { close_window(state, Closing::lapse); }

// Why an act is refused. The seat is one that is asked.

bool has_turn(const State& state, Seat seat) { return std::get<Playing>(state.stage).seat == seat; }

bool may_join(const OpenTriangle& open, const Piece& piece) {
  return fits(piece, faces(open.cards));
}

std::optional<Fault> refusal(const State& state, Seat seat, const Play& play) {
  if (!place_of(state, seat, play.card)) return Fault{has_turn(state, seat) ? "M5" : "M16"};
  const OpenTriangle* onto = play.onto ? find_triangle(state, *play.onto) : nullptr;
  if (play.onto && onto == nullptr) return Fault{"M6"};
  if (state.options.claims == Claims::unchecked) return std::nullopt;
  if (onto != nullptr && !may_join(*onto, play.card)) return Fault{"M7"};
  const bool must_extend = onto == nullptr && std::any_of(state.table.begin(), state.table.end(),
                                                          [&](const OpenTriangle& open) {
                                                            return may_join(open, play.card);
                                                          });
  if (must_extend) return Fault{"M8"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat seat, const End&) {
  if (!has_turn(state, seat)) return Fault{"M4"};
  if (std::get<Playing>(state.stage).played == 0) return Fault{"M5"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat seat, const Lapse&) {
  if (has_turn(state, seat)) return Fault{"M19"};
  return std::nullopt;
}

// Scoring.

/// Whoever took the first wrong triangle with a piece of this cut (M24).
std::optional<Seat> spoiler_of(triangles::Cut cut, std::span<const TakenTriangle> taken) {
  for (const TakenTriangle& triangle : taken) {
    const bool has_cut = std::any_of(triangle.pieces.begin(), triangle.pieces.end(),
                                     [&](const Piece& piece) { return piece.cut == cut; });
    if (has_cut && !is_right(triangle.pieces)) return triangle.owner;
  }
  return std::nullopt;
}

// Invariants.

/// Calls `visit` with every card that nobody has taken yet. `AnyState` is State or const State.
template <class AnyState, class Visit>
void for_each_card(AnyState& state, const Visit& visit) {
  const auto visit_all = [&](auto& cards) { std::for_each(cards.begin(), cards.end(), visit); };
  for (auto& hand : state.hands) visit_all(hand);
  visit_all(state.pile);
  for (auto& open : state.table) visit_all(open.cards);
}

/// Is the card known to nobody but perhaps `owner`?
bool is_hidden(const Card& card, std::optional<Seat> owner) {
  Card hidden(card.for_rules());
  if (owner) hidden.show_to(*owner);
  return card == hidden;
}

void verify_cards(const State& state) {
  std::array<int, triangles::kKinds> counts{};
  const auto count = [&](const Piece& piece) { ++counts.at(triangles::kind_of(piece)); };
  for_each_card(state, [&](const Card& card) { count(card.for_rules()); });
  for (const TakenTriangle& taken : state.taken) {
    std::for_each(taken.pieces.begin(), taken.pieces.end(), count);
  }
  ensure(std::all_of(counts.begin(), counts.end(),
                     [](int copies) { return copies == triangles::kCopies; }),
         "pieces are not conserved (M1)");
  for (const Card& card : state.pile) {
    ensure(is_hidden(card, std::nullopt), "somebody knows the pile (M3)");
  }
  for (const Seat seat : seats_of(seat_count(state))) {
    ensure(state.hands[seat].size() <= kHandSize, "a hand is too large (M14)");
    for (const Card& card : state.hands[seat]) {
      ensure(is_hidden(card, seat), "a hand is known to its owner alone (M3)");
    }
  }
  for (const OpenTriangle& open : state.table) {
    ensure(std::all_of(open.cards.begin(), open.cards.end(),
                       [](const Card& card) { return card.is_public(); }),
           "the table hides a card (M5)");
  }
}

/// In each cut some number is in all open triangles: the reason that the game always ends with an
/// empty table (M26).
void verify_table(const State& state) {
  for (const OpenTriangle& open : state.table) {
    ensure(!open.cards.empty(), "an open triangle (M6)");
  }
  if (state.options.claims == Claims::unchecked) return;
  for (const triangles::Cut cut : triangles::all_of<triangles::Cut>()) {
    std::size_t open_count = 0;
    std::array<std::size_t, 3> having{};
    for (const OpenTriangle& open : state.table) {
      const auto pieces = faces(open.cards);
      ensure(is_right(pieces), "a triangle in the making is wrong (M6, M7)");
      if (pieces.front().cut != cut) continue;
      ++open_count;
      for (const Piece& piece : pieces) ++having.at(index(piece.number) - 1);
    }
    ensure(open_count <= kTriangles / 3 &&
               std::find(having.begin(), having.end(), open_count) != having.end(),
           "a piece stands apart that had to join (M8, M26)");
  }
  for (const TakenTriangle& taken : state.taken) {
    ensure(is_right(taken.pieces), "a wrong triangle was taken (M7)");
  }
}

void verify_turn(const State& state, const Playing& playing) {
  for (const Seat seat : seats_of(seat_count(state))) {
    const std::size_t played = seat == playing.seat ? playing.played : 0;
    const std::size_t cards = state.hands[seat].size();
    ensure(state.pile.empty() ? cards + played <= kHandSize : cards + played == kHandSize,
           "hands are filled while the pile lasts (M14)");
  }
  ensure(playing.played > 0 || !state.hands[playing.seat].empty(), "who has no cards (M15)");
  if (!playing.window) return;
  const FastWindow& window = *playing.window;
  ensure(window.seat != playing.seat && playing.played == 0, "a window after the first play (M20)");
  ensure(window.cards > 0 && window.cards <= state.hands[window.seat].size() &&
             state.options.window_ms != WindowLength(0),
         "a window without a card to play (M20, M21)");
}

}  // namespace

// Triangles and scores.

bool is_right(std::span<const Piece> pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (pieces[i].cut != pieces[j].cut || pieces[i].number == pieces[j].number) return false;
    }
  }
  return true;
}

bool fits(const Piece& piece, std::span<const Piece> pieces) {
  return pieces.size() < kTriangleSize && is_right(pieces) &&
         std::all_of(pieces.begin(), pieces.end(), [&](const Piece& other) {
           return other.cut == piece.cut && other.number != piece.number;
         });
}

bool is_pure(std::span<const Piece> pieces) {
  return std::all_of(pieces.begin(), pieces.end(),
                     [&](const Piece& piece) { return piece.color == pieces.front().color; });
}

int points_for(std::span<const Piece> triangle) {
  const int each = is_pure(triangle) ? 2 : 1;
  return each * static_cast<int>(triangle.size());
}

List<ScoreSheet, kMostSeats> score(Claims claims, std::size_t seat_count,
                                   std::span<const TakenTriangle> taken,
                                   std::span<const OpenTriangle> table) {
  struct Sum {
    int pure = 0, unpure = 0, wrong = 0, left = 0, points = 0;
  };
  SeatMap<Sum, kMostSeats> sums(seat_count);
  // Nothing wrong is ever taken where claims are checked, and this is asked in every view.
  const bool may_be_wrong = claims == Claims::unchecked;
  for (const TakenTriangle& triangle : taken) {
    Sum& sum = sums[triangle.owner];
    if (may_be_wrong && !is_right(triangle.pieces)) {
      ++sum.wrong;
      sum.points -= static_cast<int>(triangle.pieces.size());
      continue;
    }
    ++(is_pure(triangle.pieces) ? sum.pure : sum.unpure);
    sum.points += points_for(triangle.pieces);
  }
  for (const OpenTriangle& open : may_be_wrong ? table : std::span<const OpenTriangle>()) {
    for (const Card& card : open.cards) {
      const auto to_blame = spoiler_of(card.shown().value()->cut, taken);
      if (!to_blame) continue;
      Sum& sum = sums[*to_blame];
      ++sum.left;
      --sum.points;
    }
  }
  List<ScoreSheet, kMostSeats> sheets;
  for (const Sum& sum : sums) {
    ScoreSheet sheet{sum.pure, sum.unpure, {}, {}, sum.points};
    if (may_be_wrong) {
      sheet.wrong = sum.wrong;
      sheet.left = sum.left;
    }
    sheets.push_back(sheet);
  }
  return sheets;
}

List<Seat, kMostSeats> winners(std::span<const ScoreSheet> sheets) {
  int best = Points::kLowest;
  for (const ScoreSheet& sheet : sheets) best = std::max(best, int{sheet.points});
  List<Seat, kMostSeats> seats;
  for (const Seat seat : seats_of(sheets.size())) {
    if (int{sheets[seat.index()].points} == best) seats.push_back(seat);
  }
  return seats;
}

// The contract.

std::vector<Options> Rules::variants() {
  return {Options{}, Options{0, Claims::checked, {}}, Options{3000, Claims::unchecked, {}}};
}

std::optional<Fault> Rules::check(const Options& options, std::size_t seat_count) {
  if (seat_count < kMinSeats || seat_count > kMaxSeats) return Fault{"M2"};
  if (options.first_seat && index(*options.first_seat) >= seat_count) return Fault{"M4"};
  return std::nullopt;
}

State Rules::setup(const Options& options, std::size_t seat_count, Chance<Deal>& chance) {
  ensure(!check(options, seat_count), "setup needs fitting options");
  const Start start = chance.written() != nullptr ? written_start(*chance.written())
                                                  : drawn_start(options, seat_count, chance.rng());
  ensure(index(start.first_seat) < seat_count, "a deal starts with a seat (M4)");
  ensure(!options.first_seat || *options.first_seat == start.first_seat,
         "a deal starts with the seat that the options fix (M4)");
  ensure(start.deck.size() == kPieces, "a deal has every piece (M1)");
  State state;
  state.options = options;
  state.hands = SeatMap<Hand, kMostSeats>(seat_count);
  for (std::size_t i = kPieces; i-- > 0;) state.pile.emplace_back(start.deck[i]);
  const Seat first{index(start.first_seat)};
  Seat seat = first;
  for (std::size_t i = 0; i < kHandSize * seat_count; ++i) {
    deal_to(state, seat);
    seat = next_seat(seat, seat_count);
  }
  state.stage = Playing{next_decision(state), first, 0, {}};
  verify(state);
  return state;
}

Deal Rules::deal(const State& first, const State&) {
  Deal deal;
  const Seat starter = std::get<Playing>(first.stage).seat;
  deal.first_seat = static_cast<int>(starter.index());
  for (std::size_t i = 0; i < kHandSize; ++i) {
    for (std::size_t j = 0; j < seat_count(first); ++j) {
      const Seat seat{(starter.index() + j) % seat_count(first)};
      deal.deck.push_back(triangles::code_of(first.hands[seat][i].for_rules()));
    }
  }
  for (std::size_t i = first.pile.size(); i-- > 0;) {
    deal.deck.push_back(triangles::code_of(first.pile[i].for_rules()));
  }
  return deal;
}

Decisions Rules::decisions(const State& state) {
  const auto* playing = std::get_if<Playing>(&state.stage);
  if (playing == nullptr) return {};
  Decisions open{{playing->id, Turn{playing->seat}}};
  if (playing->window) {
    open.push_back({playing->window->id,
                    Window{{playing->window->seat}, milliseconds(int{state.options.window_ms})}});
  }
  return open;
}

void Rules::legal(const State& state, Seat seat, std::vector<Action>& acts) {
  acts.clear();
  if (!is_asked(state, seat)) return;
  const std::span<const Card> hand = state.hands[seat];
  auto pieces = faces(hand.subspan(first_playable(state, seat)));
  std::sort(pieces.begin(), pieces.end());
  const Piece* const end = std::unique(pieces.begin(), pieces.end());
  const bool is_checked = state.options.claims == Claims::checked;
  for (const Piece* piece = pieces.begin(); piece != end; ++piece) {
    bool must_extend = false;
    for (const OpenTriangle& open : state.table) {
      if (is_checked && !may_join(open, *piece)) continue;
      must_extend = is_checked;
      acts.emplace_back(Play{*piece, open.id});
    }
    if (!must_extend) acts.emplace_back(Play{*piece, {}});
  }
  if (!refusal(state, seat, End{})) acts.emplace_back(End{});
  if (!refusal(state, seat, Lapse{})) acts.emplace_back(Lapse{});
}

std::optional<Fault> Rules::check(const State& state, Seat seat, const Action& action) {
  if (std::holds_alternative<Over>(state.stage)) return Fault{"M25"};
  if (!is_asked(state, seat)) {
    return Fault{std::holds_alternative<Lapse>(action) ? "M20" : "M4"};
  }
  return std::visit([&](const auto& act) { return refusal(state, seat, act); }, action);
}

void Rules::apply(State& state, Seat seat, const Action& action) {
  ensure(!check(state, seat, action), "apply needs a legal act");
  state.happened.clear();
  std::visit([&](const auto& act) { perform(state, seat, act); }, action);
}

void Rules::lapse(State& state, DecisionId decision) {
  const auto* playing = std::get_if<Playing>(&state.stage);
  ensure(playing != nullptr && playing->window && playing->window->id == decision,
         "only an open window lapses");
  state.happened.clear();
  close_window(state, Closing::lapse);
}

std::optional<Result> Rules::result(const State& state) {
  if (!std::holds_alternative<Over>(state.stage)) return std::nullopt;
  const auto sheets = score(state.options.claims, seat_count(state), state.taken, state.table);
  Result result{winners(sheets), {}};
  for (const ScoreSheet& sheet : sheets) result.scores.push_back(sheet.points);
  return result;
}

std::optional<int> Rules::points(const State& state, Seat seat) {
  return int{score(state.options.claims, seat_count(state), state.taken, state.table)[seat.index()]
                 .points};
}

void Rules::verify(const State& state) {
  verify_cards(state);
  verify_table(state);
  ensure(std::holds_alternative<Over>(state.stage) == is_over(state),
         "the game ends with the last piece (M25)");
  if (const auto* playing = std::get_if<Playing>(&state.stage)) return verify_turn(state, *playing);
  if (state.options.claims == Claims::checked) {
    ensure(state.table.empty() && state.taken.size() == kTriangles, "all adds up (M26)");
  }
}

void Rules::imagine(State& state, Viewer viewer, Rng& rng) {
  List<Card*, kPieces> hidden;
  List<Piece, kPieces> pieces;
  for_each_card(state, [&](Card& card) {
    if (card.visible_to(viewer)) return;
    hidden.push_back(&card);
    pieces.push_back(card.for_rules());
  });
  // In order first: worlds that the viewer cannot tell apart lead to the same other world.
  std::sort(pieces.begin(), pieces.end());
  rng.shuffle(pieces);
  for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i]->replace(pieces[i]);
}

}  // namespace triquetra::mayhem
