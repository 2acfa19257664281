// What can be made of a hand and saved pieces, whoever's turn it is: completions, what jokers
// match, dead ends, and whether a hand can be emptied in one turn.
#include <algorithm>
#include <array>
#include <bitset>
#include <set>
#include <tuple>

#include "engine/games/card_triangles/rules.hpp"

namespace triquetra::card_triangles {
namespace {

constexpr std::size_t kNumbers = 3;
constexpr std::size_t kColors = 3;
constexpr std::size_t kCuts = 3;

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

bool all_match(const std::vector<JokerName>& jokers, const std::vector<Triangle>& triangles) {
  return std::all_of(jokers.begin(), jokers.end(), [&](const JokerName& joker) {
    return std::any_of(triangles.begin(), triangles.end(),
                       [&](const Triangle& triangle) { return matches(joker, triangle); });
  });
}

/// Whether all pieces go with one triangle, or there are none, and all jokers fit then (AC12).
bool can_finish_with_one(const std::vector<Card>& pieces, const std::vector<JokerName>& jokers,
                         const std::vector<Piece>& saved) {
  if (pieces.empty()) return all_match(jokers, triangles_in(saved));
  if (pieces.size() > kNumbers) return false;
  const std::vector<Complete> acts = completions(pieces, saved);
  return std::any_of(acts.begin(), acts.end(), [&](const Complete& act) {
    if (from_hand(act.pieces).size() != pieces.size()) return false;
    std::vector<Piece> kept = saved;
    kept.insert(kept.end(), act.save.begin(), act.save.end());
    std::vector<Triangle> triangles = triangles_in(kept);
    triangles.push_back({act.pieces[0].card.cut, std::nullopt});
    if (is_pure(act.pieces)) triangles.push_back({triangles.back().cut, act.pieces[0].card.color});
    return all_match(jokers, triangles);
  });
}

// Finishing with any number of triangles (`caller_multi`). What is saved helps again and again, so
// in each cut only the first triangles cost anything: once two numbers are saved and a piece of the
// third is played, all three numbers are saved, and every other piece goes alone and is saved
// itself. What is left to try is how the cut is opened, up to two triangles deep. So the work has
// a small bound, whatever is in the hand: how long it takes tells nobody of a hand.

/// Which of the nine pieces of a cut; the colours of a number stand together.
using Kinds = std::bitset<kNumbers * kColors>;
/// A set of colours, as a number with a bit for each.
using ColorBits = std::size_t;
/// Sets of colours, each a bit.
using ColorSets = std::bitset<std::size_t{1} << kColors>;

std::size_t kind_of(std::size_t number, std::size_t color) { return number * kColors + color; }
std::size_t kind_of(const Piece& piece) {
  return kind_of(static_cast<std::size_t>(piece.number) - 1, static_cast<std::size_t>(piece.color));
}

std::size_t numbers_in(const Kinds& kinds) {
  std::size_t numbers = 0;
  for (std::size_t number = 0; number < kNumbers; ++number) {
    std::size_t colors = 0;
    for (std::size_t color = 0; color < kColors; ++color) colors += kinds[kind_of(number, color)];
    numbers += colors > 0;
  }
  return numbers;
}

/// The colours in which these make a pure triangle.
ColorBits pure_in(const Kinds& kinds) {
  ColorBits colors = 0;
  for (std::size_t color = 0; color < kColors; ++color) {
    const bool is_there =
        kinds[kind_of(0, color)] && kinds[kind_of(1, color)] && kinds[kind_of(2, color)];
    if (is_there) colors |= ColorBits{1} << color;
  }
  return colors;
}

/// What somebody has of one cut.
struct OfCut {
  std::array<int, kNumbers * kColors> hand{};
  int hand_size = 0;
  Kinds saved;

  Kinds with_hand() const {
    Kinds kinds = saved;
    for (std::size_t kind = 0; kind < hand.size(); ++kind) {
      if (hand.at(kind) > 0) kinds.set(kind);
    }
    return kinds;
  }
};

class Openings {
 public:
  /// The sets of colours that can be pure in the end when all of this cut is played; none if it
  /// cannot be.
  static ColorSets results(const OfCut& cut) {
    Openings openings;
    openings.look(cut);
    return openings.results_;
  }

 private:
  /// At most 75 ways for a first triangle of nine kinds in the hand, 20 for the second.
  static constexpr int kMost = 1600;

  struct Source {
    std::size_t kind;
    bool from_hand;
  };
  using Sources = std::array<Source, kNumbers>;

  void look(const OfCut& cut) {
    ensure(++looks_ <= kMost, "a cut is opened in more ways than there are (AC12)");
    if (cut.hand_size == 0) {
      results_.set(pure_in(cut.saved));
      return;
    }
    const Kinds all = cut.with_hand();
    if (numbers_in(all) < kNumbers) return;
    if (numbers_in(cut.saved) >= 2) {
      results_.set(pure_in(all));
      return;
    }
    for_each_source(cut, 0, [&](const Source& one) {
      for_each_source(cut, 1, [&](const Source& two) {
        for_each_source(cut, 2, [&](const Source& three) { play(cut, {one, two, three}); });
      });
    });
  }

  template <class Visit>
  static void for_each_source(const OfCut& cut, std::size_t number, const Visit& visit) {
    for (std::size_t color = 0; color < kColors; ++color) {
      const std::size_t kind = kind_of(number, color);
      if (cut.hand.at(kind) > 0) visit(Source{kind, true});
      if (cut.saved[kind]) visit(Source{kind, false});
    }
  }

  void play(const OfCut& cut, const Sources& sources) {
    OfCut rest = cut;
    Kinds all_saved = cut.saved;
    int played = 0;
    for (const Source& source : sources) {
      if (!source.from_hand) continue;
      --rest.hand.at(source.kind);
      --rest.hand_size;
      all_saved.set(source.kind);
      ++played;
    }
    const std::size_t color = sources[0].kind % kColors;
    const bool pure = std::all_of(sources.begin(), sources.end(), [&](const Source& source) {
      return source.kind % kColors == color;
    });
    if (pure) {
      rest.saved = all_saved;
      return look(rest);
    }
    // With a saved piece in the place of one of the three, fewer are lost and the rest goes, too.
    if (played == static_cast<int>(kNumbers) && cut.saved.any() && rest.hand_size > 0) return;
    for (const Source& source : sources) {
      if (!source.from_hand) continue;
      rest.saved = cut.saved;
      rest.saved.set(source.kind);
      look(rest);
    }
  }

  int looks_ = 0;
  ColorSets results_;
};

bool can_finish_with_many(const std::vector<Card>& pieces, const std::vector<JokerName>& jokers,
                          const std::vector<Piece>& saved) {
  std::array<OfCut, kCuts> cuts;
  for (const Card& card : pieces) {
    OfCut& cut = cuts.at(static_cast<std::size_t>(card.cut));
    ++cut.hand.at(kind_of({card.cut, *card.number, card.color}));
    ++cut.hand_size;
  }
  for (const Piece& piece : saved) {
    cuts.at(static_cast<std::size_t>(piece.cut)).saved.set(kind_of(piece));
  }
  ColorBits wanted = 0;
  for (const JokerName& joker : jokers) {
    // All of a cut is played with at least one triangle of it.
    const OfCut& cut = cuts.at(static_cast<std::size_t>(joker.cut));
    const bool has_triangle = cut.hand_size > 0 || numbers_in(cut.saved) == kNumbers;
    if (!has_triangle) wanted |= ColorBits{1} << static_cast<std::size_t>(joker.color);
  }
  ColorSets reached;
  reached.set(0);
  for (const OfCut& cut : cuts) {
    const ColorSets results = Openings::results(cut);
    ColorSets next;
    for (ColorBits a = 0; a < reached.size(); ++a) {
      for (ColorBits b = 0; b < results.size(); ++b) {
        if (reached[a] && results[b]) next.set(a | b);
      }
    }
    reached = next;
  }
  for (ColorBits colors = 0; colors < reached.size(); ++colors) {
    if (reached[colors] && (colors & wanted) == wanted) return true;
  }
  return false;
}

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
  return multi ? can_finish_with_many(pieces, jokers, saved)
               : can_finish_with_one(pieces, jokers, saved);
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
