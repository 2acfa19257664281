// What is known: the table view for everybody and the seat view for one seat, each built up from
// nothing. Faces come in only through Secret::shown() and Secret::seen_by().
#include "engine/games/mayhem/rules.hpp"

#include <algorithm>

namespace triquetra::mayhem {
namespace {

using SeenCards = List<Seen<Piece>, kHandSize>;

/// The last `count` cards of a hand, as their owner sees them.
SeenCards last_of(const Hand& hand, std::size_t count, Eye eye) {
  SeenCards seen;
  for (std::size_t i = hand.size() - count; i < hand.size(); ++i) {
    seen.push_back(hand[i].seen_by(eye));
  }
  return seen;
}

SeenCards sorted(SeenCards cards) {
  std::sort(cards.begin(), cards.end(),
            [](const auto& a, const auto& b) { return a.value() < b.value(); });
  return cards;
}

TriangleView triangle_view(const OpenTriangle& open) {
  TriangleView view{open.id, {}};
  for (const Card& card : open.cards) view.cards.push_back(card.shown());
  return view;
}

List<SeatTable, kMostSeats> seat_tables(const State& state) {
  List<SeatTable, kMostSeats> tables;
  for (const Hand& hand : state.hands) {
    SeatTable table;
    table.cards = static_cast<int>(hand.size());
    tables.push_back(table);
  }
  for (const TakenTriangle& triangle : state.taken) {
    TriangleCount& count = tables[triangle.owner.index()].triangles;
    count = count + 1;
  }
  const bool is_over = std::holds_alternative<Over>(state.stage);
  if (!is_over && state.options.claims == Claims::unchecked) return tables;
  const auto sheets = score(state.options.claims, tables.size(), state.taken, state.table);
  for (std::size_t i = 0; i < tables.size(); ++i) tables[i].sheet = sheets[i];
  return tables;
}

}  // namespace

TableView Rules::table_view(const State& state) {
  TableView view;
  view.claims = state.options.claims;
  view.window_ms = state.options.window_ms;
  view.pile = static_cast<int>(state.pile.size());
  for (const OpenTriangle& open : state.table) view.triangles.push_back(triangle_view(open));
  view.seats = seat_tables(state);
  if (const auto* playing = std::get_if<Playing>(&state.stage)) {
    view.turn = playing->seat;
    view.played = static_cast<int>(playing->played);
    if (playing->window) {
      view.window = WindowView{playing->window->seat, static_cast<int>(playing->window->cards)};
    }
  } else {
    List<ScoreSheet, kMostSeats> sheets;
    for (const SeatTable& seat : view.seats) sheets.push_back(seat.sheet.value());
    view.winners = winners(sheets);
  }
  return view;
}

SeatView Rules::seat_view(const State& state, Eye eye) {
  const Hand& hand = state.hands[eye.seat()];
  SeatView view;
  view.seat = eye.seat();
  view.hand = sorted(last_of(hand, hand.size(), eye));
  const auto* playing = std::get_if<Playing>(&state.stage);
  if (playing != nullptr && playing->window && playing->window->seat == eye.seat()) {
    view.fast = sorted(last_of(hand, playing->window->cards, eye));
  }
  for (const Event& event : state.happened) {
    const auto* drew = std::get_if<Drew>(&event);
    if (drew == nullptr || drew->seat != eye.seat()) continue;
    view.drew = last_of(hand, static_cast<std::size_t>(int{drew->count}), eye);
  }
  return view;
}

std::optional<Action> Rules::answer(const State&, Eye) { return std::nullopt; }

}  // namespace triquetra::mayhem
