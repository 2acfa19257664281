// What an act is worth, and a bot that plays by it. Both know what a person in the seat knows: the
// two views and nothing else.
#include "engine/games/mayhem/rules.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <utility>

namespace triquetra::mayhem {
namespace {

using triangles::Color;
using triangles::Cut;
using triangles::Number;

constexpr std::size_t kColors = triangles::all_of<Color>().size();

/// The points for laying a piece on these.
int gain(const TriangleView& open, const Piece& piece) {
  if (open.cards.size() + 1 < kTriangleSize) return 0;
  const Piece triangle[] = {*open.cards[0].value(), *open.cards[1].value(), piece};
  return points_for(triangle);
}

struct Preview {
  const TableView& table;

  std::optional<int> operator()(const Play& play) const {
    if (!play.onto) return 0;
    for (const TriangleView& open : table.triangles) {
      if (open.id == *play.onto) return gain(open, play.card);
    }
    return std::nullopt;
  }
  std::optional<int> operator()(const End&) const { return 0; }
  std::optional<int> operator()(const Lapse&) const { return 0; }
};

// The bot. It looks through all that it can do with its hand before it draws, and weighs the points
// against what the table then offers to the others.

/// How much a point for one of the others hurts, when they are few.
constexpr double kEnvy = 0.9;
/// What a card played is worth because another is drawn for it.
constexpr double kNewCard = 0.2;
/// What a single piece on the table offers, next to a triangle that lacks one piece.
constexpr double kSingle = 0.2;

/// A right triangle in the making, up to what does not matter: its name and the order of its
/// pieces.
struct Making {
  Cut cut{};
  /// Of a single piece its number, of a pair the one that it lacks.
  Number number;
  Color color{};
  /// Of a pair: `color` is that of the lower number, and this that of the higher one.
  std::optional<Color> other_color;

  static Making of(const Piece& single) { return {single.cut, single.number, single.color, {}}; }
  /// Both of one cut, with different numbers.
  static Making of(const Piece& one, const Piece& other) {
    const bool is_up = one.number < other.number;
    return {one.cut, 6 - one.number - other.number, (is_up ? one : other).color,
            (is_up ? other : one).color};
  }

  bool is_pair() const { return other_color.has_value(); }
  /// Of a pair.
  bool is_pure() const { return color == other_color; }
  /// May the piece join (M7)?
  bool takes(const Piece& piece) const {
    return piece.cut == cut && (piece.number == number) == is_pair();
  }
  /// A single piece with another.
  Making with(const Piece& piece) const { return of(Piece{cut, number, color}, piece); }
  /// No two have the same one; below kPlaces.
  std::size_t place() const {
    const auto other = other_color ? static_cast<std::size_t>(*other_color) : kColors;
    return ((static_cast<std::size_t>(cut) * 4 + static_cast<std::size_t>(int{number})) * 4 +
            static_cast<std::size_t>(color)) *
               4 +
           other;
  }
  static constexpr std::size_t kPlaces = 3 * 4 * 4 * 4;
};

/// What the table shows of a triangle; none if it is wrong and nothing can join.
std::optional<Making> making_of(const TriangleView& open) {
  const Piece& one = *open.cards[0].value();
  if (open.cards.size() < 2) return Making::of(one);
  const Piece& other = *open.cards[1].value();
  if (one.cut != other.cut || one.number == other.number) return std::nullopt;
  return Making::of(one, other);
}

/// Calls `visit` with all that the piece may join.
template <class Visit>
void for_each_taker(const Piece& piece, const Visit& visit) {
  for (const Color color : triangles::all_of<Color>()) {
    for (int number = Number::kLowest; number <= Number::kHighest; ++number) {
      if (Number(number) != piece.number) visit(Making{piece.cut, number, color, {}});
    }
    for (const Color other : triangles::all_of<Color>())
      visit(Making{piece.cut, piece.number, color, other});
  }
}

/// What the triangles on the table offer to the others, and to who draws a card for one played.
struct Outlook {
  double offered = 0.0;
  double hope = 0.0;
  Outlook operator+(const Outlook& more) const {
    return {offered + more.offered, hope + more.hope};
  }
  Outlook operator-(const Outlook& less) const {
    return {offered - less.offered, hope - less.hope};
  }
};

/// Where a plan stands, beside the triangles on the table.
struct Position {
  Outlook outlook;
  int gained = 0;
  int played = 0;
  /// Which of the cards are left, a bit for each.
  unsigned left = 0;
};

class Planner {
 public:
  Planner(const TableView& table, const SeatView& mine)
      : is_turn_(table.turn == mine.seat),
        may_be_fast_(table.window_ms != WindowLength(0)),
        others_(table.seats.size() - 1) {
    for (const Seen<Piece>& card : is_turn_ ? mine.hand : mine.fast)
      cards_.push_back(*card.value());
    for (const Seen<Piece>& card : mine.hand) see(*card.value());
    for (const TriangleView& open : table.triangles) {
      for (const Shown<Piece>& card : open.cards) see(*card.value());
    }
    start_.played = table.played;
    start_.left = (1U << cards_.size()) - 1;
    // After all cards are seen.
    for (const TriangleView& open : table.triangles) {
      const auto making = making_of(open);
      if (!making) continue;
      makings_.push_back({open.id, *making});
      ++open_.at(making->place());
      start_.outlook = start_.outlook + outlook_of(*making);
    }
  }

  /// The first act of the best plan; none if that is to do nothing.
  std::optional<Play> best() {
    const bool may_stop = !is_turn_ || start_.played > 0;
    double best_worth = may_stop ? worth(start_) : kNever;
    std::optional<Play> best;
    const auto weigh = [&](const Play& play, double its_worth) {
      if (its_worth <= best_worth + kEqual) return;
      best_worth = its_worth;
      best = play;
    };
    for_each_card(start_, [&](const Piece& card, const Position& position) {
      std::bitset<Making::kPlaces> tried;
      for (const auto& [id, making] : makings_) {
        if (!making.takes(card) || tried[making.place()]) continue;
        tried.set(making.place());
        weigh(Play{card, id}, best_after(position, making, card));
      }
      // The id of a triangle that nobody sees yet is never sent.
      if (tried.none()) weigh(Play{card, {}}, best_after(position, card));
    });
    return best;
  }

 private:
  /// Sums in another order differ by this much at most.
  static constexpr double kEqual = 1e-9;
  static constexpr double kNever = -1e9;

  void see(const Piece& piece) {
    ++seen_.at(triangles::kind_of(piece));
    ++seen_of_number_.at(triangles::kind_of({piece.cut, piece.number, {}}));
  }

  /// Calls `visit` with every card that is left, equal ones once, and the position without it.
  template <class Visit>
  void for_each_card(const Position& position, const Visit& visit) const {
    const Piece* before = nullptr;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      if (((position.left >> i) & 1U) == 0) continue;
      // They are sorted.
      if (before != nullptr && *before == cards_[i]) continue;
      before = &cards_[i];
      Position next = position;
      next.left &= ~(1U << i);
      ++next.played;
      visit(cards_[i], next);
    }
  }

  /// In its window it plays only for points, or it would hardly ever stop.
  double best_from(const Position& position) {
    double best = is_turn_ || position.gained > 0 ? worth(position) : kNever;
    for_each_card(position, [&](const Piece& card, const Position& next) {
      bool fits = false;
      for_each_taker(card, [&](const Making& making) {
        if (open_[making.place()] == 0) return;
        fits = true;
        best = std::max(best, best_after(next, making, card));
      });
      if (!fits) best = std::max(best, best_after(next, card));
    });
    return best;
  }

  /// With the card, which `position` has no more, on this triangle.
  double best_after(Position position, const Making& making, const Piece& card) {
    --open_[making.place()];
    position.outlook = position.outlook - outlook_of(making);
    double best = 0.0;
    if (making.is_pair()) {
      position.gained += making.is_pure() && making.color == card.color ? 6 : 3;
      best = best_from(position);
    } else {
      best = best_with(position, making.with(card));
    }
    ++open_[making.place()];
    return best;
  }
  /// With the card in a new triangle.
  double best_after(const Position& position, const Piece& card) {
    return best_with(position, Making::of(card));
  }
  double best_with(Position position, const Making& added) {
    ++open_[added.place()];
    position.outlook = position.outlook + outlook_of(added);
    const double best = best_from(position);
    --open_[added.place()];
    return best;
  }

  /// What a plan that stops here is worth.
  double worth(const Position& position) const {
    return position.gained + (kNewCard + position.outlook.hope) * position.played -
           kEnvy * position.outlook.offered / static_cast<double>(others_);
  }

  /// How likely a card is the one that completes it, and the points that it then brings, make what
  /// a triangle offers.
  Outlook outlook_of(const Making& making) const {
    if (!making.is_pair()) return {kSingle, 0.0};
    const Piece pure{making.cut, making.number, making.color};
    const int unseen = static_cast<int>(kColors) * triangles::kCopies -
                       seen_of_number_[triangles::kind_of({making.cut, making.number, {}})];
    if (unseen == 0) return {};
    const int unseen_pure =
        making.is_pure() ? triangles::kCopies - seen_[triangles::kind_of(pure)] : 0;
    const double points = 3.0 + 3.0 * unseen_pure / unseen;
    const double chance = unseen / static_cast<double>(kPieces);
    return {points * chance_of_others(static_cast<std::size_t>(unseen)),
            may_be_fast_ ? points * chance : 0.0};
  }

  /// How likely one of the others has one of so many unseen pieces.
  double chance_of_others(std::size_t unseen) const {
    using Chances = std::array<std::array<double, kColors * triangles::kCopies + 1>, kMostSeats>;
    static const Chances kChances = [] {
      Chances chances{};
      for (std::size_t others = 1; others < chances.size(); ++others) {
        for (std::size_t count = 0; count < chances[others].size(); ++count) {
          const double chance = static_cast<double>(count) / static_cast<double>(kPieces);
          chances[others][count] =
              1.0 - std::pow(1.0 - chance, static_cast<double>(kHandSize * others));
        }
      }
      return chances;
    }();
    return kChances[others_][unseen];
  }

  bool is_turn_;
  bool may_be_fast_;
  std::size_t others_;
  Position start_;
  /// Those that may be played.
  List<Piece, kHandSize> cards_;
  /// What may be joined, in the order of the table.
  List<std::pair<TriangleId, Making>, kPieces> makings_;
  /// How many of each kind are open, by place.
  std::array<std::uint8_t, Making::kPlaces> open_{};
  /// Seen pieces of each kind, and of each cut and number where the first colour's kind is.
  std::array<int, triangles::kKinds> seen_{};
  std::array<int, triangles::kKinds> seen_of_number_{};
};

}  // namespace

std::optional<int> Rules::preview(const TableView& table, const SeatView&, const Action& action) {
  if (table.claims == Claims::unchecked) return std::nullopt;
  return std::visit(Preview{table}, action);
}

std::optional<Action> Rules::choose(const TableView& table, const SeatView& mine,
                                    const std::vector<Action>& legal, Rng&) {
  ensure(!legal.empty(), "a bot needs something to do");
  if (const auto play = Planner(table, mine).best()) return *play;
  if (table.turn == mine.seat) return End{};
  return std::nullopt;
}

}  // namespace triquetra::mayhem
