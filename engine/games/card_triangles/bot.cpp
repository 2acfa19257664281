// The bot: it estimates how many turns a hand still needs, and acts to make it few. It sees what a
// person in its seat sees.
#include <algorithm>
#include <array>

#include "engine/games/card_triangles/rules.hpp"

namespace triquetra::card_triangles {
namespace {

constexpr std::size_t kNumbers = 3;
constexpr std::size_t kCuts = 3;

std::size_t place_of(Cut cut) { return static_cast<std::size_t>(cut); }
std::size_t place_of(Number number) { return static_cast<std::size_t>(int{number} - 1); }

// What a seat owns, and what an act would make of it.

/// Of one cut: how many pieces of each number are in the hand, and of which some are saved.
struct CutHolding {
  std::array<int, kNumbers> hand{};
  std::array<bool, kNumbers> saved{};
};

/// A hand and what is saved, as far as it counts. Colours count only through what is saved already.
struct Holding {
  std::array<CutHolding, kCuts> cuts;
  /// In the order in which they came.
  List<JokerName, kJokers> jokers;
  std::size_t hand_size = 0;
  PieceKinds saved;

  void save(const Piece& piece) {
    saved.insert(piece);
    cuts[place_of(piece.cut)].saved[place_of(piece.number)] = true;
  }
  void take(const Card& card) {
    ++hand_size;
    if (card.number) {
      ++cuts[place_of(card.cut)].hand[place_of(*card.number)];
    } else {
      jokers.push_back({card.cut, card.color});
    }
  }
  /// Before: it is in the hand.
  void drop(const Card& card) {
    --hand_size;
    if (card.number) {
      --cuts[place_of(card.cut)].hand[place_of(*card.number)];
    } else {
      drop(JokerName{card.cut, card.color});
    }
  }

 private:
  void drop(const JokerName& joker) {
    List<JokerName, kJokers> left;
    for (const JokerName& other : jokers) {
      if (other != joker) left.push_back(other);
    }
    jokers = left;
  }
};

std::vector<Piece> pieces_in(const SeatTable& seat) {
  std::vector<Piece> pieces;
  for (const Shown<Card>& face : seat.saved) {
    const Card& card = *face.value();
    pieces.push_back({card.cut, *card.number, card.color});
  }
  return pieces;
}

List<Card, kHandLimit> hand_in(const SeatView& mine) {
  List<Card, kHandLimit> hand;
  for (const Seen<Card>& face : mine.hand) hand.push_back(*face.value());
  return hand;
}

Holding holding_of(const TableView& table, const SeatView& mine) {
  Holding holding;
  for (const Piece& piece : pieces_in(table.seats[mine.seat.index()])) holding.save(piece);
  for (const Seen<Card>& face : mine.hand) holding.take(*face.value());
  return holding;
}

Holding after(Holding holding, const Complete& complete) {
  for (const ChosenPiece& piece : complete.pieces) {
    if (piece.from != PieceFrom::hand) continue;
    holding.drop({piece.card.cut, piece.card.number, piece.card.color});
  }
  for (const Piece& piece : complete.save) holding.save(piece);
  return holding;
}

Holding after(Holding holding, const Joker& joker) {
  holding.drop({joker.card.cut, std::nullopt, joker.card.color});
  if (joker.steal) {
    const Piece& piece = joker.steal->card;
    holding.take({piece.cut, piece.number, piece.color});
  }
  return holding;
}

// How many turns it may take to empty a hand.

/// A turn to draw a piece of a cut of which one can play any piece, and the turn to play it.
constexpr double kConvertTurns = 2.5;
/// Turns to draw one certain number of a cut.
constexpr double kMissingTurns = 5.0;
/// Turns until a joker that nothing matches can be played or has been exchanged.
constexpr double kLooseJokerTurns = 2.0;
/// A joker goes in the turn of a triangle, and still can be one card too many.
constexpr double kJokerTurns = 0.3;
/// Nobody wants to be out.
constexpr double kDeadEndTurns = 1000.0;
/// Every card may turn out to be trouble.
constexpr double kCardTurns = 0.1;

struct CutOutlook {
  int turns = 0;
  int stuck = 0;
  int missing = 0;
};

/// Which piece of an unpure triangle to save: one whose number is not saved yet, and of these the
/// one of which fewest are left.
std::size_t best_to_save(const CutHolding& cut, const std::array<bool, kNumbers>& played) {
  std::size_t best = kNumbers;
  for (std::size_t n = 0; n < kNumbers; ++n) {
    if (!played.at(n)) continue;
    if (best == kNumbers) {
      best = n;
      continue;
    }
    const bool is_new = !cut.saved.at(n) && cut.saved.at(best);
    const bool is_rarer =
        cut.saved.at(n) == cut.saved.at(best) && cut.hand.at(n) < cut.hand.at(best);
    if (is_new || is_rarer) best = n;
  }
  return best;
}

/// Plays one triangle after another, each with as many pieces from the hand as possible.
CutOutlook outlook_of(CutHolding cut) {
  CutOutlook outlook;
  while (true) {
    std::array<bool, kNumbers> played{};
    int missing = 0;
    int from_hand = 0;
    for (std::size_t n = 0; n < kNumbers; ++n) {
      played.at(n) = cut.hand.at(n) > 0;
      from_hand += played.at(n) ? 1 : 0;
      missing += !played.at(n) && !cut.saved.at(n) ? 1 : 0;
    }
    if (from_hand == 0) return outlook;
    if (missing > 0) {
      for (const int count : cut.hand) outlook.stuck += count;
      outlook.missing = missing;
      return outlook;
    }
    for (std::size_t n = 0; n < kNumbers; ++n) cut.hand.at(n) -= played.at(n) ? 1 : 0;
    cut.saved.at(best_to_save(cut, played)) = true;
    ++outlook.turns;
  }
}

/// The turns that a holding needs, jokers and what is stuck estimated.
double turns_of(const Holding& holding) {
  if (holding.hand_size == 0) return 0.0;
  if (is_dead_end(holding.hand_size, holding.saved)) return kDeadEndTurns;
  double turns = kCardTurns * static_cast<double>(holding.hand_size);
  const Triangles own = triangles_in(holding.saved);
  const bool has_open_cut = !own.empty();
  for (const CutHolding& cut : holding.cuts) {
    const CutOutlook outlook = outlook_of(cut);
    turns += outlook.turns;
    const double by_converting = kConvertTurns * outlook.stuck;
    const double by_drawing = kMissingTurns * outlook.missing + outlook.stuck;
    turns += has_open_cut ? std::min(by_converting, by_drawing) : by_drawing;
  }
  for (const JokerName& joker : holding.jokers) {
    const bool is_matched = std::any_of(
        own.begin(), own.end(), [&](const Triangle& triangle) { return matches(joker, triangle); });
    turns += is_matched ? kJokerTurns : kLooseJokerTurns;
  }
  return turns;
}

/// The turns after the best discard.
double turns_with_one_card_less(const Holding& holding) {
  double best = kDeadEndTurns;
  for (const Cut cut : triangles::all_of<Cut>()) {
    for (int number = Number::kLowest; number <= Number::kHighest; ++number) {
      if (holding.cuts[place_of(cut)].hand[place_of(Number(number))] == 0) continue;
      Holding other = holding;
      other.drop({cut, number, {}});
      best = std::min(best, turns_of(other));
    }
  }
  for (const JokerName& joker : holding.jokers) {
    Holding other = holding;
    other.drop({joker.cut, std::nullopt, joker.color});
    best = std::min(best, turns_of(other));
  }
  return best;
}

// Which act is best. Fewer turns are better, so acts are compared by what they leave.

/// What the next card may be worth, so that a known one must be better to be taken.
constexpr double kHopeOfPile = 1.0;
/// What it is worth to a guest to take the last saved piece of its number from the caller.
constexpr double kSpoilCaller = 2.0;
/// An act that may follow the others in the same turn costs nothing; the end comes last.
constexpr double kFree = 0.01;

struct Judge {
  const TableView& table;
  const SeatView& mine;
  Holding holding;
  bool is_guest;

  double operator()(const Draw& draw) const {
    // Guests complete first what they can, and draw then: it costs them nothing.
    if (draw.from == DrawFrom::pile) return turns_of(holding) - (is_guest ? kFree : 0.0);
    Holding with = holding;
    with.take(*table.top.value());
    return turns_with_one_card_less(with) + kHopeOfPile;
  }
  double operator()(const Discard& discard) const {
    Holding left = holding;
    left.drop(discard.card);
    return turns_of(left);
  }
  double operator()(const Complete& complete) const {
    // Worth a turn that drawing would not be, for it is progress that nobody can take away.
    return turns_of(after(holding, complete)) - kHopeOfPile;
  }
  double operator()(const Joker& joker) const {
    return turns_of(after(holding, joker)) - (joker.steal ? worth_of(*joker.steal) : kFree);
  }
  double operator()(const End& end) const {
    const bool calls = end.last_round && can_finish(hand_in(mine), holding.saved, false);
    const bool bluffs = end.last_round && !calls;
    return turns_of(holding) + (bluffs ? kHopeOfPile : 0.0) - (calls ? kFree : 0.0);
  }

  double worth_of(const Theft& steal) const {
    if (table.caller != steal.seat) return 0.0;
    const std::vector<Piece> theirs = pieces_in(table.seats[steal.seat.index()]);
    const auto same_number = std::count_if(theirs.begin(), theirs.end(), [&](const Piece& piece) {
      return piece.cut == steal.card.cut && piece.number == steal.card.number;
    });
    return same_number == 1 ? kSpoilCaller : 0.0;
  }
};

}  // namespace

std::optional<int> Rules::preview(const TableView&, const SeatView&, const Action&) {
  return std::nullopt;
}

std::optional<Action> Rules::choose(const TableView& table, const SeatView& mine,
                                    const std::vector<Action>& legal, Rng&) {
  ensure(!legal.empty(), "a bot needs something to do");
  const bool is_guest = table.caller && *table.caller != mine.seat;
  const Judge judge{table, mine, holding_of(table, mine), is_guest};
  const Action* best = &legal.front();
  double fewest = std::visit(judge, *best);
  for (const Action& action : legal) {
    const double turns = std::visit(judge, action);
    if (turns >= fewest) continue;
    best = &action;
    fewest = turns;
  }
  return *best;
}

}  // namespace triquetra::card_triangles
