// What can be made of a hand and saved pieces, whoever's turn it is: completions, what jokers
// match, dead ends, and whether a hand can be emptied in one turn.
#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "engine/games/card_triangles/rules.hpp"

namespace triquetra::card_triangles {
namespace {

constexpr std::size_t kNumbers = 3;

/// The pieces of one cut that can stand for one number of a triangle, each once.
using Choices = std::vector<ChosenPiece>;

Choices choices_for(const std::vector<Card>& hand, const std::vector<Piece>& saved, Cut cut,
                    Number number) {
  Choices choices;
  for (const Color color : triangles::all_of<Color>()) {
    const Piece piece{cut, number, color};
    const Card card{cut, number, color};
    if (std::find(hand.begin(), hand.end(), card) != hand.end()) {
      choices.push_back({piece, PieceFrom::hand});
    }
    if (std::find(saved.begin(), saved.end(), piece) != saved.end()) {
      choices.push_back({piece, PieceFrom::saved});
    }
  }
  return choices;
}

bool is_pure(const List<ChosenPiece, 3>& pieces) {
  return std::all_of(pieces.begin(), pieces.end(), [&](const ChosenPiece& piece) {
    return piece.card.color == pieces[0].card.color;
  });
}

std::vector<Piece> from_hand(const List<ChosenPiece, 3>& pieces) {
  std::vector<Piece> played;
  for (const ChosenPiece& piece : pieces) {
    if (piece.from == PieceFrom::hand) played.push_back(piece.card);
  }
  return played;
}

/// The ways to complete with these pieces: one for each choice of what is saved (C12-C17).
void add_completions(std::vector<Complete>& acts, const List<ChosenPiece, 3>& pieces) {
  const std::vector<Piece> played = from_hand(pieces);
  if (played.empty()) return;
  if (is_pure(pieces)) {
    acts.push_back(Complete{pieces, List<Piece, 3>(played)});
    return;
  }
  for (const Piece& piece : played) acts.push_back(Complete{pieces, {piece}});
}

/// A search for a way to play all pieces, and then all jokers, in one turn.
class Finish {
 public:
  Finish(std::vector<JokerName> jokers, bool multi) : jokers_(std::move(jokers)), multi_(multi) {}

  /// `pieces` and `saved` are sorted.
  bool exists(const std::vector<Card>& pieces, const std::vector<Piece>& saved,
              const std::vector<Triangle>& completed) {
    if (pieces.empty()) return all_jokers_match(saved, completed);
    const bool may_complete = completed.empty() || multi_;
    if (!may_complete || (!multi_ && pieces.size() > kNumbers)) return false;
    // Another order of the same triangles leads to the same place.
    if (!seen_.emplace(pieces, saved, colors_in(completed)).second) return false;
    if (seen_.size() > kMostPlaces) return false;
    for (const Complete& act : next_acts(pieces, saved)) {
      std::vector<Card> rest = pieces;
      for (const Piece& piece : from_hand(act.pieces)) {
        rest.erase(std::find(rest.begin(), rest.end(), Card{piece.cut, piece.number, piece.color}));
      }
      std::vector<Piece> kept = saved;
      kept.insert(kept.end(), act.save.begin(), act.save.end());
      std::sort(kept.begin(), kept.end());
      std::vector<Triangle> done = completed;
      done.push_back(triangle_of(act));
      if (exists(rest, kept, done)) return true;
    }
    return false;
  }

 private:
  /// A hand that needs more looking than this does not count as sure: seen only with
  /// `caller_multi`, many cards and a joker that wants one colour. Keeps an act within
  /// milliseconds.
  static constexpr std::size_t kMostPlaces = 400;

  static Triangle triangle_of(const Complete& act) {
    Triangle triangle{act.pieces[0].card.cut, std::nullopt};
    if (is_pure(act.pieces)) triangle.color = act.pieces[0].card.color;
    return triangle;
  }

  /// All that matters of the triangles of this turn: each cut is played to its end before the next.
  static std::set<Color> colors_in(const std::vector<Triangle>& completed) {
    std::set<Color> colors;
    for (const Triangle& triangle : completed) {
      if (triangle.color) colors.insert(*triangle.color);
    }
    return colors;
  }

  /// Those of the first cut in the hand, for the cuts do not help each other; most promising first.
  static std::vector<Complete> next_acts(const std::vector<Card>& pieces,
                                         const std::vector<Piece>& saved) {
    std::vector<Card> of_cut = pieces;
    std::erase_if(of_cut, [&](const Card& card) { return card.cut != pieces.front().cut; });
    std::vector<Complete> acts;
    for (const std::size_t save : {3U, 2U, 1U}) {
      for (Complete& act : completions(of_cut, saved)) {
        if (act.save.size() == save) acts.push_back(std::move(act));
      }
    }
    return acts;
  }

  bool all_jokers_match(const std::vector<Piece>& saved,
                        const std::vector<Triangle>& completed) const {
    std::vector<Triangle> triangles = triangles_in(saved);
    triangles.insert(triangles.end(), completed.begin(), completed.end());
    return std::all_of(jokers_.begin(), jokers_.end(), [&](const JokerName& joker) {
      return std::any_of(triangles.begin(), triangles.end(),
                         [&](const Triangle& triangle) { return matches(joker, triangle); });
    });
  }

  std::vector<JokerName> jokers_;
  bool multi_;
  std::set<std::tuple<std::vector<Card>, std::vector<Piece>, std::set<Color>>> seen_;
};

}  // namespace

std::strong_ordering operator<=>(const Card& a, const Card& b) {
  // Jokers last, for they have no number to stand under.
  const auto rank = [](const Card& card) {
    return std::tuple(!card.number.has_value(), card.cut, card.number ? int{*card.number} : 0,
                      card.color);
  };
  return rank(a) <=> rank(b);
}

bool can_finish(const std::vector<Card>& hand, const std::vector<Piece>& saved, bool multi) {
  std::vector<Card> pieces;
  std::vector<JokerName> jokers;
  for (const Card& card : hand) {
    if (card.number) {
      pieces.push_back(card);
    } else {
      jokers.push_back({card.cut, card.color});
    }
  }
  std::sort(pieces.begin(), pieces.end());
  std::vector<Piece> sorted = saved;
  std::sort(sorted.begin(), sorted.end());
  return Finish(std::move(jokers), multi).exists(pieces, sorted, {});
}

bool is_dead_end(std::size_t hand_size, const std::vector<Piece>& saved) {
  if (hand_size == 2) return saved.empty();
  if (hand_size != 1) return false;
  std::array<std::set<int>, kNumbers> numbers;
  for (const Piece& piece : saved) {
    numbers.at(static_cast<std::size_t>(piece.cut)).insert(piece.number);
  }
  return std::all_of(numbers.begin(), numbers.end(),
                     [](const auto& of_cut) { return of_cut.size() <= 1; });
}

std::vector<Triangle> triangles_in(const std::vector<Piece>& saved) {
  std::vector<Triangle> triangles;
  for (const Cut cut : triangles::all_of<Cut>()) {
    std::set<int> numbers;
    std::array<std::set<int>, kNumbers> by_color;
    for (const Piece& piece : saved) {
      if (piece.cut != cut) continue;
      numbers.insert(piece.number);
      by_color.at(static_cast<std::size_t>(piece.color)).insert(piece.number);
    }
    if (numbers.size() == kNumbers) triangles.push_back({cut, std::nullopt});
    for (const Color color : triangles::all_of<Color>()) {
      if (by_color.at(static_cast<std::size_t>(color)).size() == kNumbers) {
        triangles.push_back({cut, color});
      }
    }
  }
  return triangles;
}

bool matches(const JokerName& joker, const Triangle& triangle) {
  return joker.cut == triangle.cut || joker.color == triangle.color;
}

std::vector<Complete> completions(const std::vector<Card>& hand, const std::vector<Piece>& saved) {
  std::vector<Complete> acts;
  for (const Cut cut : triangles::all_of<Cut>()) {
    const Choices ones = choices_for(hand, saved, cut, 1);
    const Choices twos = choices_for(hand, saved, cut, 2);
    const Choices threes = choices_for(hand, saved, cut, 3);
    for (const ChosenPiece& one : ones) {
      for (const ChosenPiece& two : twos) {
        for (const ChosenPiece& three : threes) add_completions(acts, {one, two, three});
      }
    }
  }
  return acts;
}

}  // namespace triquetra::card_triangles
