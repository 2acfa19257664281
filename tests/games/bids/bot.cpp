#include "tests/games/bids/rules.hpp"

namespace triquetra::bids {

std::optional<int> Rules::preview(const TableView& table, const SeatView& /*mine*/,
                                  const Action& action) {
  if (std::holds_alternative<Grab>(action)) return 1;
  const auto* claim = std::get_if<Claim>(&action);
  if (claim == nullptr || !table.bid.value()) return std::nullopt;
  return int{claim->prize} == 0 ? 3 : int{*table.bid.value()};
}

/// The act with the best preview; a bid at random.
std::optional<Action> Rules::choose(const TableView& table, const SeatView& mine,
                                    const std::vector<Action>& legal, Rng& rng) {
  const Action* best = nullptr;
  for (const Action& act : legal) {
    const auto points = preview(table, mine, act);
    if (points && (best == nullptr || *points > *preview(table, mine, *best))) best = &act;
  }
  return best != nullptr ? *best : rng.pick(legal);
}

}  // namespace triquetra::bids
