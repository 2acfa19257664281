// The rules: setup, what is legal, what an act does, and what must always hold. What can be made of
// a hand is in triangles.cpp, the views are in view.cpp.
//
// The order of chance. The 81 pieces lie by cut, number and colour, three of each, and after them
// the nine jokers by cut and colour; all are shuffled, and the first is the next card. Then, unless
// the options fix it, the first seat is drawn with below(number of seats). For each new draw pile
// the discards but the top one lie in the order in which they were discarded, and are shuffled; the
// first is the next card.
#include "engine/games/card_triangles/rules.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

namespace triquetra::card_triangles {
namespace {

/// Pile and discards together never shrink, and there are 30 of them with four players (C10).
constexpr std::size_t kFewestOutsideHands = 30;
constexpr std::size_t kTriangleSize = 3;
constexpr char kJokerLetter = 'J';

// Cards in writing.

CardCode code_for(const Card& card) {
  if (card.number) return triangles::code_of({card.cut, *card.number, card.color});
  return std::string{triangles::letter_of(card.cut), kJokerLetter,
                     triangles::letter_of(card.color)};
}

Card card_from(const CardCode& code) {
  if (const auto piece = triangles::piece_from(code)) {
    return {piece->cut, piece->number, piece->color};
  }
  const std::string& text = code.str();
  ensure(text.size() == 3 && text[1] == kJokerLetter, "a deal names an unknown card");
  const auto cut = triangles::from_letter<Cut>(text[0]);
  const auto color = triangles::from_letter<Color>(text[2]);
  ensure(cut && color, "a deal names an unknown card");
  return {*cut, std::nullopt, *color};
}

using Faces = List<Card, kCards>;

/// All 90 cards in their order before the shuffle (C1).
Faces whole_deck() {
  Faces deck;
  for (const Piece& piece : triangles::all_pieces()) {
    deck.push_back({piece.cut, piece.number, piece.color});
  }
  for (const Cut cut : triangles::all_of<Cut>()) {
    for (const Color color : triangles::all_of<Color>()) deck.push_back({cut, std::nullopt, color});
  }
  return deck;
}

WrittenCards written(std::span<const Card> cards) {
  WrittenCards codes;
  for (const Card& card : cards) codes.push_back(code_for(card));
  return codes;
}

Faces cards_from(const WrittenCards& codes) {
  Faces cards;
  for (const CardCode& code : codes) cards.push_back(card_from(code));
  return cards;
}

/// A face-down pile of which the first of `cards` is the next.
Cards<kCards> pile_of(const Faces& cards) {
  Cards<kCards> pile;
  for (std::size_t i = cards.size(); i-- > 0;) pile.emplace_back(cards[i]);
  return pile;
}

std::size_t hand_size(std::size_t seat_count) {
  if (seat_count == 2) return kLargestHand;
  return seat_count <= 4 ? 15 : 9;
}

// Where things are.

const Acting* turn_of(const State& state) {
  if (const auto* discarding = std::get_if<Discarding>(&state.stage)) return &discarding->turn;
  return std::get_if<Acting>(&state.stage);
}

Faces faces(std::span<const Secret<Card>> cards) {
  Faces values;
  for (const Secret<Card>& card : cards) values.push_back(card.for_rules());
  return values;
}

/// Of the pieces among the cards, those that differ.
PieceKinds kinds_of(std::span<const Secret<Card>> cards) {
  PieceKinds kinds;
  for (const Secret<Card>& card : cards) {
    const Card& face = card.for_rules();
    if (face.number) kinds.insert({face.cut, *face.number, face.color});
  }
  return kinds;
}

Card as_card(const Piece& piece) { return {piece.cut, piece.number, piece.color}; }
Card as_card(const JokerName& joker) { return {joker.cut, std::nullopt, joker.color}; }

bool has(std::span<const Secret<Card>> cards, const Card& face) {
  return std::any_of(cards.begin(), cards.end(),
                     [&](const Secret<Card>& card) { return card.for_rules() == face; });
}

/// Takes a card with this face out. Copies cannot be told apart; one that everybody has seen goes
/// first, for nobody can know that it was not that one.
template <std::size_t MaxSize>
Secret<Card> take(Cards<MaxSize>& cards, const Card& face) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards[i].for_rules() != face) continue;
    if (!found || cards[i].is_public()) found = i;
  }
  ensure(found.has_value(), "a card is not where it should be");
  const Secret<Card> taken = cards[*found];
  cards.erase(*found);
  return taken;
}

bool is_guest(const State& state, Seat seat) { return state.caller && *state.caller != seat; }

/// Any number of triangles: guests, and the caller if the options say so (C32).
bool may_complete_more(const State& state, Seat seat) {
  return is_guest(state, seat) || (state.caller == seat && state.options.caller_multi);
}

/// Only in a last round may a hand become empty (C30).
bool may_empty_hand(const State& state) { return state.caller.has_value(); }

template <class L>
L shown(std::span<const Secret<Card>> cards) {
  L faces;
  for (const Secret<Card>& card : cards) faces.push_back(card.shown());
  return faces;
}

// Moving through the game.

/// Every stage asks a new question.
void enter(State& state, const Stage& stage) {
  state.stage = stage;
  state.decision = DecisionId(state.decision.index() + 1);
}

void end_game(State& state, const List<Seat, kMostSeats>& winners, Reason reason) {
  state.happened.emplace_back(GameOver{winners, reason});
  enter(state, Over{winners, reason});
}

/// The turn goes on, unless the hand is empty and the game won (C31).
void go_on(State& state, const Acting& turn) {
  state.idle_turns = 0;
  if (state.players[turn.seat].hand.empty()) {
    return end_game(state, {turn.seat}, Reason::played_out);
  }
  enter(state, turn);
}

/// All discards but the top one become the draw pile. Their faces were seen, but nobody knows where
/// they are now (C9).
void reshuffle(State& state) {
  const Secret<Card> top = state.discards.back();
  state.discards.pop_back();
  Faces cards = faces(state.discards);
  state.discards = {top};
  if (const Deal* deal = state.chance.written()) {
    ensure(state.reshuffles.size() < deal->reshuffles.size(), "a deal lacks a reshuffle (C9)");
    const Faces order = cards_from(deal->reshuffles[state.reshuffles.size()]);
    ensure(std::is_permutation(order.begin(), order.end(), cards.begin(), cards.end()),
           "a deal reshuffles other cards (C9)");
    cards = order;
  } else {
    state.chance.rng().shuffle(cards);
  }
  state.pile = pile_of(cards);
  state.reshuffles.add(cards);
  state.happened.emplace_back(Reshuffled{static_cast<int>(cards.size())});
}

/// Everybody who is in a dead end leaves the game (C36, C37).
void remove_dead_ends(State& state) {
  for (const Seat seat : seats_of(state.players.size())) {
    Player& player = state.players[seat];
    if (player.out || !is_dead_end(player.hand.size(), kinds_of(player.saved))) continue;
    std::sort(player.hand.begin(), player.hand.end(),
              [](const auto& a, const auto& b) { return a.for_rules() < b.for_rules(); });
    std::sort(player.saved.begin(), player.saved.end(),
              [](const auto& a, const auto& b) { return a.for_rules() < b.for_rules(); });
    for (Secret<Card>& card : player.hand) card.show_to_all();
    state.happened.emplace_back(DeadEnd{seat, shown<List<Shown<Card>, 2>>(player.hand),
                                        shown<List<Shown<Card>, kSavedLimit>>(player.saved)});
    state.gone.append(player.hand);
    state.gone.append(player.saved);
    player.hand.clear();
    player.saved.clear();
    player.out = true;
  }
}

void end_last_round(State& state) {
  state.happened.emplace_back(LastRoundOver{*state.caller});
  state.caller.reset();
}

/// The next seat clockwise that is in the game. A last round also ends when the turn passes the
/// place of a caller who is out (C34, C38).
Seat pass_on(State& state, Seat from) {
  Seat next = next_seat(from, state.players.size());
  while (state.players[next].out) {
    if (state.caller == next) end_last_round(state);
    next = next_seat(next, state.players.size());
  }
  return next;
}

void begin_turn(State& state, Seat seat) {
  ++state.turn_number;
  state.happened.emplace_back(TurnBegan{seat});
  if (state.pile.empty()) reshuffle(state);
  enter(state, Acting{seat, false, {}, false});
}

// What an act does.

void play(State& state, Seat seat, const Draw& draw) {
  Cards<kCards>& from = draw.from == DrawFrom::pile ? state.pile : state.discards;
  Secret<Card> card = from.back();
  from.pop_back();
  card.show_to(seat);
  state.happened.emplace_back(Drew{seat, draw.from, card.shown()});
  state.players[seat].hand.push_back(card);
  Acting turn = std::get<Acting>(state.stage);
  turn.drew = true;
  enter(state, Discarding{turn});
}

void play(State& state, Seat seat, const Discard& discard) {
  Secret<Card> card = take(state.players[seat].hand, discard.card);
  card.show_to_all();
  state.happened.emplace_back(Discarded{seat, card.shown()});
  state.discards.push_back(card);
  const Acting turn = std::get<Discarding>(state.stage).turn;
  enter(state, turn);
}

void play(State& state, Seat seat, const Complete& complete) {
  Player& player = state.players[seat];
  Completed event;
  event.seat = seat;
  event.pure = true;
  for (const ChosenPiece& piece : complete.pieces) {
    event.pure = event.pure && piece.card.color == complete.pieces[0].card.color;
    const Card face = as_card(piece.card);
    if (piece.from == PieceFrom::saved) {
      const auto saved =
          std::find_if(player.saved.begin(), player.saved.end(),
                       [&](const Secret<Card>& card) { return card.for_rules() == face; });
      event.pieces.push_back({saved->shown(), piece.from});
      continue;
    }
    Secret<Card> card = take(player.hand, face);
    card.show_to_all();
    event.pieces.push_back({card.shown(), piece.from});
    const bool is_saved =
        std::find(complete.save.begin(), complete.save.end(), piece.card) != complete.save.end();
    if (is_saved) {
      event.saved.push_back(card.shown());
      player.saved.push_back(card);
    } else {
      // Pieces come in the order of their numbers, so the higher one lies on top (C19).
      event.discarded.push_back(card.shown());
      state.discards.push_back(card);
    }
  }
  Acting turn = std::get<Acting>(state.stage);
  Triangle triangle{complete.pieces[0].card.cut, std::nullopt};
  if (event.pure) triangle.color = complete.pieces[0].card.color;
  turn.completed.push_back(triangle);
  state.happened.emplace_back(event);
  go_on(state, turn);
}

void play(State& state, Seat seat, const Joker& joker) {
  Player& player = state.players[seat];
  Secret<Card> card = take(player.hand, as_card(joker.card));
  card.show_to_all();
  state.happened.emplace_back(PlayedJoker{seat, card.shown()});
  state.jokers_played.push_back(card);
  if (joker.steal) {
    const Secret<Card> stolen =
        take(state.players[joker.steal->seat].saved, as_card(joker.steal->card));
    state.happened.emplace_back(Stole{seat, joker.steal->seat, stolen.shown()});
    player.hand.push_back(stolen);
  }
  Acting turn = std::get<Acting>(state.stage);
  turn.jokered = true;
  go_on(state, turn);
}

void play(State& state, Seat seat, const End& end) {
  const Acting turn = std::get<Acting>(state.stage);
  const bool is_idle = turn.completed.empty() && !turn.jokered;
  if (is_idle) ++state.idle_turns;
  state.happened.emplace_back(Ended{seat});
  if (state.caller == seat) end_last_round(state);
  if (end.last_round) {
    state.caller = seat;
    state.happened.emplace_back(LastRound{seat});
  }
  remove_dead_ends(state);
  List<Seat, kMostSeats> standing;
  for (const Seat other : seats_of(state.players.size())) {
    if (!state.players[other].out) standing.push_back(other);
  }
  if (standing.empty()) return end_game(state, {}, Reason::all_out);
  if (standing.size() == 1) return end_game(state, standing, Reason::last_standing);
  if (state.idle_turns >= kIdleTurnsPerSeat * state.players.size()) {
    return end_game(state, {}, Reason::idle);
  }
  begin_turn(state, pass_on(state, seat));
}

// Why an act is refused. The seat is the one on turn.

/// The turn, if its seat is free to do something else than to discard.
const Acting* free_turn(const State& state) { return std::get_if<Acting>(&state.stage); }

bool has_acted(const Acting& turn) { return turn.drew || !turn.completed.empty(); }

std::optional<Fault> refusal(const State& state, Seat seat, const Draw& draw) {
  const Acting* turn = free_turn(state);
  if (turn == nullptr) return Fault{"C6"};
  if (turn->jokered) return Fault{"C26"};
  if (turn->drew) return Fault{is_guest(state, seat) ? "C32" : "C5"};
  if (!turn->completed.empty() && !is_guest(state, seat)) return Fault{"C5"};
  if (draw.from == DrawFrom::discard && state.discards.empty()) return Fault{"C7"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat seat, const Discard& discard) {
  if (free_turn(state) != nullptr) return Fault{"C6"};
  if (!has(state.players[seat].hand, discard.card)) return Fault{"C8"};
  return std::nullopt;
}

/// The pieces 1, 2 and 3 of one cut from where they are, at least one from the hand.
std::optional<Fault> pieces_refusal(const Player& player, const Complete& complete) {
  if (complete.pieces.size() != 3) return Fault{"C11"};
  int number = 0;
  bool uses_hand = false;
  for (const ChosenPiece& piece : complete.pieces) {
    const bool fits =
        int{piece.card.number} == ++number && piece.card.cut == complete.pieces[0].card.cut;
    if (!fits) return Fault{"C11"};
    const bool is_in_hand = piece.from == PieceFrom::hand;
    const Card face = as_card(piece.card);
    if (!(is_in_hand ? has(player.hand, face) : has(player.saved, face))) return Fault{"C12"};
    uses_hand = uses_hand || is_in_hand;
  }
  if (!uses_hand) return Fault{"C12"};
  return std::nullopt;
}

std::optional<Fault> save_refusal(const Complete& complete) {
  List<Piece, 3> played;
  bool pure = true;
  for (const ChosenPiece& piece : complete.pieces) {
    if (piece.from == PieceFrom::hand) played.push_back(piece.card);
    pure = pure && piece.card.color == complete.pieces[0].card.color;
  }
  if (pure) {
    if (complete.save == played) return std::nullopt;
    return Fault{"C17"};
  }
  const bool is_played = complete.save.size() == 1 &&
                         std::find(played.begin(), played.end(), complete.save[0]) != played.end();
  if (is_played) return std::nullopt;
  if (played.size() == 1) return Fault{"C16"};
  return Fault{played.size() == 2 ? "C15" : "C14"};
}

/// Why no triangle may be completed now, whichever it is.
std::optional<Fault> completing_refusal(const State& state, Seat seat) {
  const Acting* turn = free_turn(state);
  if (turn == nullptr) return Fault{"C6"};
  if (turn->jokered) return Fault{"C26"};
  if (turn->drew && !is_guest(state, seat)) return Fault{"C5"};
  if (!turn->completed.empty() && !may_complete_more(state, seat)) return Fault{"C5"};
  return std::nullopt;
}

bool empties_hand(const Player& player, const Complete& complete) {
  const auto played =
      std::count_if(complete.pieces.begin(), complete.pieces.end(),
                    [](const ChosenPiece& piece) { return piece.from == PieceFrom::hand; });
  return static_cast<std::size_t>(played) == player.hand.size();
}

std::optional<Fault> refusal(const State& state, Seat seat, const Complete& complete) {
  if (const auto fault = completing_refusal(state, seat)) return fault;
  const Player& player = state.players[seat];
  if (const auto fault = pieces_refusal(player, complete)) return fault;
  if (const auto fault = save_refusal(complete)) return fault;
  if (empties_hand(player, complete) && !may_empty_hand(state)) return Fault{"C30"};
  return std::nullopt;
}

std::optional<Fault> theft_refusal(const State& state, Seat seat, const Theft& steal) {
  if (steal.seat == seat || !state.players.has(steal.seat)) return Fault{"C20"};
  if (state.players[steal.seat].out) return Fault{"C38"};
  if (!has(state.players[steal.seat].saved, as_card(steal.card))) return Fault{"C20"};
  return std::nullopt;
}

/// With a triangle of this turn, or one that can be put together now (C22, C23).
bool is_matched(const JokerName& joker, const Acting& turn, const Triangles& saved) {
  const auto fits = [&](const Triangle& triangle) { return matches(joker, triangle); };
  return std::any_of(saved.begin(), saved.end(), fits) ||
         std::any_of(turn.completed.begin(), turn.completed.end(), fits);
}

/// Whether that would be the last card, where it may not be (C30).
bool is_last_card(const State& state, const Player& player) {
  return player.hand.size() == 1 && !may_empty_hand(state);
}

std::optional<Fault> refusal(const State& state, Seat seat, const Joker& joker) {
  const Acting* turn = free_turn(state);
  if (turn == nullptr) return Fault{"C6"};
  if (!has_acted(*turn)) return Fault{"C20"};
  const Player& player = state.players[seat];
  if (!has(player.hand, as_card(joker.card))) return Fault{"C20"};
  if (!is_matched(joker.card, *turn, triangles_in(kinds_of(player.saved)))) return Fault{"C22"};
  if (joker.steal) return theft_refusal(state, seat, *joker.steal);
  if (is_last_card(state, player)) return Fault{"C30"};
  return std::nullopt;
}

std::optional<Fault> refusal(const State& state, Seat seat, const End& end) {
  const Acting* turn = free_turn(state);
  if (turn == nullptr) return Fault{"C6"};
  if (!has_acted(*turn)) return Fault{"C5"};
  if (!end.last_round) return std::nullopt;
  if (is_guest(state, seat)) return Fault{"C28"};
  const Player& player = state.players[seat];
  const bool may_call =
      state.options.call == Call::free ||
      can_finish(faces(player.hand), kinds_of(player.saved), state.options.caller_multi);
  if (!may_call) return Fault{"C29"};
  return std::nullopt;
}

// What is allowed.

/// The different faces among the cards, sorted.
Faces different(std::span<const Secret<Card>> cards) {
  Faces values = faces(cards);
  std::sort(values.begin(), values.end());
  values.resize(
      static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin()));
  return values;
}

void add_completions(std::vector<Action>& acts, const State& state, const Player& player) {
  const std::size_t before = acts.size();
  add_completions(acts, kinds_of(player.hand), kinds_of(player.saved));
  if (may_empty_hand(state) || player.hand.size() > kTriangleSize) return;
  const auto first = acts.begin() + static_cast<std::ptrdiff_t>(before);
  acts.erase(std::remove_if(
                 first, acts.end(),
                 [&](const Action& act) { return empties_hand(player, std::get<Complete>(act)); }),
             acts.end());
}

void add_jokers(std::vector<Action>& acts, const State& state, const Acting& turn) {
  const Player& player = state.players[turn.seat];
  const Triangles saved = triangles_in(kinds_of(player.saved));
  for (const Card& card : different(player.hand)) {
    if (card.number) continue;
    const JokerName joker{card.cut, card.color};
    if (!is_matched(joker, turn, saved)) continue;
    if (!is_last_card(state, player)) acts.emplace_back(Joker{joker, std::nullopt});
    for (const Seat victim : seats_of(state.players.size())) {
      if (victim == turn.seat) continue;
      for (const Card& piece : different(state.players[victim].saved)) {
        acts.emplace_back(Joker{joker, Theft{victim, {piece.cut, *piece.number, piece.color}}});
      }
    }
  }
}

// Invariants.

/// Calls `visit` with each place where cards are. `AnyState` is State or const State.
template <class AnyState, class Visit>
void for_each_place(AnyState& state, const Visit& visit) {
  for (auto* cards : {&state.pile, &state.discards, &state.gone}) {
    visit(std::span(*cards));
  }
  visit(std::span(state.jokers_played));
  for (auto& player : state.players) {
    visit(std::span(player.hand));
    visit(std::span(player.saved));
  }
}

bool all_public(std::span<const Secret<Card>> cards) {
  return std::all_of(cards.begin(), cards.end(),
                     [](const Secret<Card>& card) { return card.is_public(); });
}

void verify_cards(const State& state) {
  std::array<int, triangles::kKinds> pieces{};
  std::array<int, kJokers> jokers{};
  for_each_place(state, [&](std::span<const Secret<Card>> cards) {
    for (const Secret<Card>& card : cards) {
      const auto& [cut, number, color] = card.for_rules();
      if (number) {
        ++pieces.at(triangles::kind_of({cut, *number, color}));
      } else {
        ++jokers.at(static_cast<std::size_t>(cut) * 3 + static_cast<std::size_t>(color));
      }
    }
  });
  const auto all_are = [](const auto& counts, int copies) {
    return std::all_of(counts.begin(), counts.end(), [&](int count) { return count == copies; });
  };
  ensure(all_are(pieces, triangles::kCopies) && all_are(jokers, 1), "cards are not conserved (C1)");
  ensure(state.pile.size() + state.discards.size() + 1 >= kFewestOutsideHands,
         "pile and discards do not shrink, but for a card just drawn (C10)");
}

/// A card that nobody knows, or only this seat.
Secret<Card> hidden(const Card& face, std::optional<Seat> seat = {}) {
  Secret<Card> card(face);
  if (seat) card.show_to(*seat);
  return card;
}

void verify_faces(const State& state) {
  ensure(all_public(state.discards) && all_public(state.jokers_played) && all_public(state.gone),
         "an open card is hidden (C6, C21, C37)");
  for (const Secret<Card>& card : state.jokers_played) {
    ensure(!card.for_rules().number, "only jokers are put aside (C21)");
  }
  for (const Secret<Card>& card : state.pile) {
    ensure(card == hidden(card.for_rules()), "somebody knows the draw pile (C3)");
  }
  for (const Seat seat : seats_of(state.players.size())) {
    for (const Secret<Card>& card : state.players[seat].hand) {
      ensure(card.is_public() || card == hidden(card.for_rules(), seat),
             "a hand is known to its seat alone (C41)");
    }
  }
}

void verify_players(const State& state) {
  const Acting* turn = turn_of(state);
  const bool is_discarding = std::holds_alternative<Discarding>(state.stage);
  for (const Seat seat : seats_of(state.players.size())) {
    const Player& player = state.players[seat];
    const std::size_t drawn = turn != nullptr && turn->seat == seat && is_discarding ? 1 : 0;
    ensure(player.hand.size() + player.saved.size() <= hand_size(state.players.size()) + drawn,
           "a hand never grows (C2)");
    ensure(all_public(player.saved), "a saved piece is hidden (C18)");
    for (const Secret<Card>& card : player.saved) {
      ensure(card.for_rules().number.has_value(), "no joker is saved (C21)");
    }
    ensure(!player.out || (player.hand.empty() && player.saved.empty()), "who is out (C37)");
    ensure(turn == nullptr || player.out || !player.hand.empty(), "an empty hand wins (C31)");
  }
  ensure(!state.caller || state.players.has(*state.caller), "somebody called (C27)");
  ensure(state.idle_turns <= kIdleTurnsPerSeat * state.players.size(), "idle turns (C40)");
  if (turn == nullptr) return;
  ensure(!state.players[turn->seat].out, "who is out is skipped (C38)");
  ensure(!is_discarding || turn->drew, "a discard (C6)");
  ensure(turn->drew || !state.pile.empty(), "a turn begins with a draw pile (C10)");
  const bool is_plain = !may_complete_more(state, turn->seat);
  ensure(!is_plain || turn->completed.size() + (turn->drew ? 1 : 0) <= 1, "one of both (C5)");
}

}  // namespace

void Reshuffles::add(std::span<const Card> pile) {
  ensure(size() < kReshuffleLimit, "more reshuffles than a game can have (C40)");
  last_ =
      std::make_shared<const Reshuffle>(Reshuffle{{pile.begin(), pile.end()}, last_, size() + 1});
}

std::vector<std::vector<Card>> Reshuffles::all() const {
  std::vector<std::vector<Card>> piles(size());
  for (const Reshuffle* one = last_.get(); one != nullptr; one = one->before.get()) {
    piles[one->number - 1] = one->pile;
  }
  return piles;
}

// The contract.

std::vector<Options> Rules::variants() {
  return {Options{{}, false, Call::provable}, Options{{}, true, Call::provable},
          Options{{}, false, Call::free}};
}

std::optional<Fault> Rules::check(const Options& options, std::size_t seat_count) {
  if (seat_count < kMinSeats || seat_count > kMaxSeats) return Fault{"C2"};
  if (options.first_seat && int{*options.first_seat} >= static_cast<int>(seat_count)) {
    return Fault{"C4"};
  }
  return std::nullopt;
}

State Rules::setup(const Options& options, std::size_t seat_count, Chance<Deal>& chance) {
  ensure(!check(options, seat_count), "setup needs fitting options");
  Faces deck = whole_deck();
  SeatNumber first = options.first_seat.value_or(SeatNumber(0));
  if (const Deal* deal = chance.written()) {
    const Faces order = cards_from(deal->deck);
    ensure(std::is_permutation(order.begin(), order.end(), deck.begin(), deck.end()),
           "a deal has all cards (C1)");
    ensure(int{deal->first_seat} < static_cast<int>(seat_count) &&
               (!options.first_seat || *options.first_seat == deal->first_seat),
           "a deal starts with a seat that the options allow (C4)");
    deck = order;
    first = deal->first_seat;
  } else {
    chance.rng().shuffle(deck);
    const auto seats = static_cast<std::uint32_t>(seat_count);
    if (!options.first_seat) first = SeatNumber(chance.rng().below(seats));
  }
  State state;
  state.options = options;
  state.first_seat = Seat(static_cast<std::size_t>(int{first}));
  state.players = SeatMap<Player, kMostSeats>(seat_count);
  state.pile = pile_of(deck);
  state.chance = chance;
  Seat seat = state.first_seat;
  for (std::size_t i = 0; i < hand_size(seat_count) * seat_count; ++i) {
    Secret<Card> card = state.pile.back();
    state.pile.pop_back();
    card.show_to(seat);
    state.players[seat].hand.push_back(card);
    seat = next_seat(seat, seat_count);
  }
  enter(state, Acting{state.first_seat, false, {}, false});
  verify(state);
  return state;
}

Deal Rules::deal(const State& first, const State& last) {
  Deal deal;
  const std::size_t seat_count = first.players.size();
  Faces deck;
  for (std::size_t round = 0; round < hand_size(seat_count); ++round) {
    Seat seat = first.first_seat;
    for (std::size_t i = 0; i < seat_count; ++i) {
      deck.push_back(first.players[seat].hand[round].for_rules());
      seat = next_seat(seat, seat_count);
    }
  }
  for (std::size_t i = first.pile.size(); i-- > 0;) deck.push_back(first.pile[i].for_rules());
  deal.deck = written(deck);
  deal.first_seat = static_cast<int>(first.first_seat.index());
  for (const std::vector<Card>& pile : last.reshuffles.all()) {
    deal.reshuffles.push_back(written(pile));
  }
  return deal;
}

Decisions Rules::decisions(const State& state) {
  const Acting* turn = turn_of(state);
  if (turn == nullptr) return {};
  return {Decision{state.decision, Turn{turn->seat}}};
}

void Rules::legal(const State& state, Seat seat, std::vector<Action>& acts) {
  acts.clear();
  const Acting* turn = turn_of(state);
  if (turn == nullptr || turn->seat != seat) return;
  const Player& player = state.players[seat];
  if (std::holds_alternative<Discarding>(state.stage)) {
    for (const Card& card : different(player.hand)) acts.emplace_back(Discard{card});
    return;
  }
  const auto add_if_allowed = [&](const auto& act) {
    if (!refusal(state, seat, act)) acts.emplace_back(act);
  };
  add_if_allowed(Draw{DrawFrom::pile});
  add_if_allowed(Draw{DrawFrom::discard});
  if (!completing_refusal(state, seat)) add_completions(acts, state, player);
  if (has_acted(*turn)) add_jokers(acts, state, *turn);
  add_if_allowed(End{false});
  add_if_allowed(End{true});
}

std::vector<Action> Rules::every_act() {
  std::vector<Action> acts{Draw{DrawFrom::pile}, Draw{DrawFrom::discard}, End{false}, End{true}};
  List<Piece, triangles::kKinds> pieces;
  for (const Piece& piece : triangles::all_pieces()) {
    if (pieces.empty() || pieces.back() != piece) pieces.push_back(piece);
  }
  for (const Piece& piece : pieces) acts.emplace_back(Discard{as_card(piece)});
  for (const Cut cut : triangles::all_of<Cut>()) {
    for (const Color color : triangles::all_of<Color>()) {
      acts.emplace_back(Discard{{cut, std::nullopt, color}});
      acts.emplace_back(Joker{{cut, color}, std::nullopt});
      for (const Seat victim : seats_of(kMostSeats)) {
        for (const Piece& piece : pieces) {
          acts.emplace_back(Joker{{cut, color}, Theft{victim, piece}});
        }
      }
    }
  }
  add_completions(acts, PieceKinds(pieces), PieceKinds(pieces));
  return acts;
}

std::optional<Fault> Rules::check(const State& state, Seat seat, const Action& action) {
  const Acting* turn = turn_of(state);
  if (turn == nullptr || turn->seat != seat) return Fault{turn == nullptr ? "C31" : "C4"};
  return std::visit([&](const auto& act) { return refusal(state, seat, act); }, action);
}

void Rules::apply(State& state, Seat seat, const Action& action) {
  ensure(!check(state, seat, action), "apply needs a legal act");
  state.happened.clear();
  std::visit([&](const auto& act) { play(state, seat, act); }, action);
}

void Rules::lapse(State&, DecisionId) { ensure(false, "21/15/9-Card Triangles opens no windows"); }

std::optional<Result> Rules::result(const State& state) {
  const auto* over = std::get_if<Over>(&state.stage);
  if (over == nullptr) return std::nullopt;
  return Result{decltype(Result::winners)(over->winners), {}};
}

void Rules::verify(const State& state) {
  verify_cards(state);
  verify_faces(state);
  verify_players(state);
}

void Rules::imagine(State& state, Viewer viewer, Rng& rng) {
  List<Secret<Card>*, kCards> hidden;
  List<Card, kCards> cards;
  for_each_place(state, [&](std::span<Secret<Card>> place) {
    for (Secret<Card>& card : place) {
      if (card.visible_to(viewer)) continue;
      hidden.push_back(&card);
      cards.push_back(card.for_rules());
    }
  });
  // In order first: worlds that the viewer cannot tell apart lead to the same other world.
  std::sort(cards.begin(), cards.end());
  rng.shuffle(cards);
  for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i]->replace(cards[i]);
  // Nobody knows how a pile lay that was shuffled, nor what the next shuffle will do.
  state.reshuffles = {};
  Seed seed;
  for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(rng.below(256));
  state.chance = Chance<Deal>(Rng(seed));
}

}  // namespace triquetra::card_triangles
