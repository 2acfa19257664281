// What an act is worth, and a bot that plays by it. Both know what a person in the seat knows: the
// two views and nothing else.
#include "engine/games/mayhem/rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace triquetra::mayhem {
namespace {

/// A triangle in the making.
struct Making {
  TriangleId id;
  std::vector<Piece> pieces;
};

std::vector<Making> table_of(const TableView& table) {
  std::vector<Making> open;
  for (const TriangleView& triangle : table.triangles) {
    Making making{triangle.id, {}};
    for (const Shown<Piece>& card : triangle.cards) making.pieces.push_back(*card.value());
    open.push_back(std::move(making));
  }
  return open;
}

std::vector<Piece> pieces_of(const List<Seen<Piece>, kHandSize>& cards) {
  std::vector<Piece> pieces;
  for (const Seen<Piece>& card : cards) pieces.push_back(*card.value());
  return pieces;
}

/// The points for laying a piece on these.
int gain(const std::vector<Piece>& pieces, const Piece& piece) {
  if (pieces.size() + 1 < kTriangleSize) return 0;
  std::vector<Piece> triangle = pieces;
  triangle.push_back(piece);
  return points_for(triangle);
}

struct Preview {
  const TableView& table;

  std::optional<int> operator()(const Play& play) const {
    if (!play.onto) return 0;
    for (const Making& open : table_of(table)) {
      if (open.id == *play.onto) return gain(open.pieces, play.card);
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

struct Position {
  std::vector<Making> table;
  /// The cards that may be played.
  std::vector<Piece> cards;
  int gained = 0;
  std::size_t played = 0;
};

class Planner {
 public:
  Planner(const TableView& table, const SeatView& mine)
      : is_turn_(table.turn == mine.seat),
        may_be_fast_(table.window_ms != WindowLength(0)),
        others_(static_cast<double>(table.seats.size() - 1)) {
    start_.table = table_of(table);
    start_.cards = pieces_of(is_turn_ ? mine.hand : mine.fast);
    start_.played = static_cast<std::size_t>(int{table.played});
    for (const Piece& piece : pieces_of(mine.hand)) ++seen_[piece];
    for (const Making& open : start_.table) {
      for (const Piece& piece : open.pieces) ++seen_[piece];
    }
  }

  /// The first act of the best plan; none if that is to do nothing.
  std::optional<Play> best() const {
    const bool may_stop = !is_turn_ || start_.played > 0;
    double best_worth = may_stop ? worth(start_) : kNever;
    std::optional<Play> best;
    for (const auto& [play, next] : plays(start_)) {
      const double its_worth = best_from(next);
      if (its_worth <= best_worth + kEqual) continue;
      best_worth = its_worth;
      best = play;
    }
    return best;
  }

 private:
  /// Sums in another order differ by this much at most.
  static constexpr double kEqual = 1e-9;
  static constexpr double kNever = -1e9;

  /// In its window it plays only for points, or it would hardly ever stop.
  double best_from(const Position& position) const {
    double best = is_turn_ || position.gained > 0 ? worth(position) : kNever;
    for (const auto& [play, next] : plays(position)) best = std::max(best, best_from(next));
    return best;
  }

  static Position after(const Position& position, std::size_t card, std::optional<std::size_t> at,
                        int new_id) {
    Position next = position;
    const Piece piece = next.cards[card];
    next.cards.erase(next.cards.begin() + static_cast<std::ptrdiff_t>(card));
    ++next.played;
    if (!at) {
      next.table.push_back({new_id, {piece}});
      return next;
    }
    next.gained += gain(next.table[*at].pieces, piece);
    next.table[*at].pieces.push_back(piece);
    if (next.table[*at].pieces.size() == kTriangleSize) {
      next.table.erase(next.table.begin() + static_cast<std::ptrdiff_t>(*at));
    }
    return next;
  }

  /// Is there a triangle of the same pieces before this one?
  static bool is_repeated(const std::vector<Making>& table, std::size_t at) {
    const auto end = table.begin() + static_cast<std::ptrdiff_t>(at);
    return std::any_of(table.begin(), end,
                       [&](const Making& other) { return other.pieces == table[at].pieces; });
  }

  /// Every right play of a card, equal ones once (M7, M8).
  static std::vector<std::pair<Play, Position>> plays(const Position& position) {
    std::vector<std::pair<Play, Position>> found;
    for (std::size_t card = 0; card < position.cards.size(); ++card) {
      const Piece& piece = position.cards[card];
      if (card > 0 && piece == position.cards[card - 1]) continue;
      const std::size_t before = found.size();
      for (std::size_t at = 0; at < position.table.size(); ++at) {
        if (!fits(piece, position.table[at].pieces) || is_repeated(position.table, at)) continue;
        found.emplace_back(Play{piece, position.table[at].id}, after(position, card, at, 0));
      }
      // The id of a triangle that nobody sees yet is never sent.
      if (found.size() == before) {
        found.emplace_back(Play{piece, {}}, after(position, card, {}, TriangleId::kHighest));
      }
    }
    return found;
  }

  /// What a plan that stops here is worth.
  double worth(const Position& position) const {
    double offered = 0.0;
    double hope = kNewCard;
    for (const Making& open : position.table) {
      if (open.pieces.size() < 2) offered += kSingle;
      if (open.pieces.size() < 2 || !is_right(open.pieces)) continue;
      const Missing missing = missing_from(open.pieces);
      const double lacks_it = 1.0 - missing.chance;
      offered += missing.points * (1.0 - std::pow(lacks_it, kHandSize * others_));
      if (may_be_fast_) hope += missing.points * missing.chance;
    }
    return position.gained + hope * static_cast<double>(position.played) -
           kEnvy * offered / others_;
  }

  /// Of the piece that completes a triangle: how likely a card is one, and the points it brings.
  struct Missing {
    double chance = 0.0;
    double points = 0.0;
  };

  Missing missing_from(const std::vector<Piece>& pieces) const {
    const Piece& first = pieces.front();
    const int number = 6 - int{first.number} - int{pieces.back().number};
    int unseen = 0;
    int unseen_pure = 0;
    for (const triangles::Color color : triangles::all_of<triangles::Color>()) {
      const int copies = triangles::kCopies - seen_count({first.cut, number, color});
      unseen += copies;
      if (is_pure(pieces) && color == first.color) unseen_pure = copies;
    }
    if (unseen == 0) return {};
    return {unseen / static_cast<double>(kPieces), 3.0 + 3.0 * unseen_pure / unseen};
  }

  int seen_count(const Piece& piece) const {
    const auto found = seen_.find(piece);
    return found == seen_.end() ? 0 : found->second;
  }

  bool is_turn_;
  bool may_be_fast_;
  double others_;
  Position start_;
  std::map<Piece, int> seen_;
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
