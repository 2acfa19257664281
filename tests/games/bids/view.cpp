#include "tests/games/bids/rules.hpp"

namespace triquetra::bids {

TableView Rules::table_view(const State& state) {
  TableView view;
  view.round = state.round;
  for (const Seat seat : seats_of(state.points.size())) {
    view.seats.push_back({static_cast<int>(state.hands[seat].size()), state.points[seat]});
  }
  if (const auto* claiming = std::get_if<Claiming>(&state.stage)) {
    view.winner = claiming->winner;
    view.bid = claiming->bid.shown();
  }
  return view;
}

SeatView Rules::seat_view(const State& state, Eye eye) {
  SeatView view;
  view.seat = eye.seat();
  for (const auto& card : state.hands[eye.seat()]) view.hand.push_back(card.seen_by(eye));
  return view;
}

std::optional<Action> Rules::answer(const State& state, Eye eye) {
  const auto* bidding = std::get_if<Bidding>(&state.stage);
  if (bidding == nullptr || !bidding->sealed[eye.seat()]) return std::nullopt;
  return Bid{*bidding->sealed[eye.seat()]};
}

}  // namespace triquetra::bids
