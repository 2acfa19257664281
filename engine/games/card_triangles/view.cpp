// What is known: the table view for everybody and the seat view for one seat, each built up from
// nothing. Faces come in only through Secret::shown() and Secret::seen_by().
#include <algorithm>
#include <span>

#include "engine/games/card_triangles/rules.hpp"

namespace triquetra::card_triangles {
namespace {

/// Faces in the order of the cards, so that the order tells nothing else.
template <class L>
L sorted(L faces) {
  std::sort(faces.begin(), faces.end(),
            [](const auto& a, const auto& b) { return a.value() < b.value(); });
  return faces;
}

template <class L>
L shown(std::span<const Secret<Card>> cards) {
  L faces;
  for (const Secret<Card>& card : cards) faces.push_back(card.shown());
  return sorted(faces);
}

SeatTable seat_table(const Player& player) {
  return {static_cast<int>(player.hand.size()), shown<List<Shown<Card>, kSavedLimit>>(player.saved),
          player.out};
}

void show_turn(TableView& view, const Acting& turn) {
  view.turn = turn.seat;
  view.drew = turn.drew;
  view.completed = turn.completed;
  view.jokered = turn.jokered;
}

}  // namespace

TableView Rules::table_view(const State& state) {
  TableView view;
  if (const auto* acting = std::get_if<Acting>(&state.stage)) show_turn(view, *acting);
  if (const auto* discarding = std::get_if<Discarding>(&state.stage)) {
    view.phase = Phase::discard;
    show_turn(view, discarding->turn);
  }
  if (const auto* over = std::get_if<Over>(&state.stage)) {
    view.phase = Phase::over;
    view.winners = over->winners;
    view.reason = over->reason;
  }
  view.turn_number = state.turn_number;
  view.caller = state.caller;
  view.pile = static_cast<int>(state.pile.size());
  view.discards = static_cast<int>(state.discards.size());
  if (!state.discards.empty()) view.top = state.discards.back().shown();
  view.jokers_played = shown<List<Shown<Card>, kJokers>>(state.jokers_played);
  for (const Player& player : state.players) view.seats.push_back(seat_table(player));
  const std::size_t limit = kIdleTurnsPerSeat * state.players.size();
  view.idle_left = static_cast<int>(limit - state.idle_turns);
  return view;
}

SeatView Rules::seat_view(const State& state, Eye eye) {
  const Player& player = state.players[eye.seat()];
  SeatView view;
  view.seat = eye.seat();
  for (const Secret<Card>& card : player.hand) view.hand.push_back(card.seen_by(eye));
  view.hand = sorted(view.hand);
  const auto* discarding = std::get_if<Discarding>(&state.stage);
  if (discarding != nullptr && discarding->turn.seat == eye.seat()) {
    view.drawn = player.hand.back().seen_by(eye);
  }
  return view;
}

std::optional<Action> Rules::answer(const State&, Eye) { return std::nullopt; }

}  // namespace triquetra::card_triangles
