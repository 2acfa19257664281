// What can be made of a hand and saved pieces, whoever's turn it is: completions, what jokers
// match, dead ends, and whether a hand can be emptied in one turn.
#include <algorithm>
#include <array>
#include <bitset>
#include <span>

#include "engine/games/card_triangles/rules.hpp"

namespace triquetra::card_triangles {
namespace {

constexpr std::size_t kNumbers = 3;
constexpr std::size_t kColors = 3;
constexpr std::size_t kCuts = 3;

/// Calls `visit` with each piece of one cut that can stand for one number of a triangle, each once.
template <class Visit>
void for_each_choice(const PieceKinds& hand, const PieceKinds& saved, Cut cut, Number number,
                     const Visit& visit) {
  for (const Color color : triangles::all_of<Color>()) {
    const Piece piece{cut, number, color};
    if (hand.contains(piece)) visit(ChosenPiece{piece, PieceFrom::hand});
    if (saved.contains(piece)) visit(ChosenPiece{piece, PieceFrom::saved});
  }
}

bool is_pure(const List<ChosenPiece, 3>& pieces) {
  return std::all_of(pieces.begin(), pieces.end(), [&](const ChosenPiece& piece) {
    return piece.card.color == pieces[0].card.color;
  });
}

List<Piece, 3> from_hand(const List<ChosenPiece, 3>& pieces) {
  List<Piece, 3> played;
  for (const ChosenPiece& piece : pieces) {
    if (piece.from == PieceFrom::hand) played.push_back(piece.card);
  }
  return played;
}

/// Calls `visit` with the ways to complete with these pieces: one for each choice of what is saved
/// (C12-C17).
template <class Visit>
void for_each_saving(const List<ChosenPiece, 3>& pieces, const Visit& visit) {
  const List<Piece, 3> played = from_hand(pieces);
  if (played.empty()) return;
  if (is_pure(pieces)) return visit(Complete{pieces, played});
  for (const Piece& piece : played) visit(Complete{pieces, {piece}});
}

/// Calls `visit` with everything that can be completed.
template <class Visit>
void for_each_completion(const PieceKinds& hand, const PieceKinds& saved, const Visit& visit) {
  for (const Cut cut : triangles::all_of<Cut>()) {
    for_each_choice(hand, saved, cut, 1, [&](const ChosenPiece& one) {
      for_each_choice(hand, saved, cut, 2, [&](const ChosenPiece& two) {
        for_each_choice(hand, saved, cut, 3, [&](const ChosenPiece& three) {
          for_each_saving({one, two, three}, visit);
        });
      });
    });
  }
}

using Jokers = List<JokerName, kJokers>;

bool is_matched(const JokerName& joker, const Triangles& triangles) {
  return std::any_of(triangles.begin(), triangles.end(),
                     [&](const Triangle& triangle) { return matches(joker, triangle); });
}

/// Whether all pieces go with one triangle, or there are none, and all jokers fit then (AC12).
bool can_finish_with_one(std::span<const Piece> pieces, const Jokers& jokers,
                         const PieceKinds& saved) {
  const auto all_match = [&](const Triangles& triangles, const auto& also) {
    return std::all_of(jokers.begin(), jokers.end(), [&](const JokerName& joker) {
      return is_matched(joker, triangles) || also(joker);
    });
  };
  if (pieces.empty()) return all_match(triangles_in(saved), [](const auto&) { return false; });
  if (pieces.size() > kNumbers) return false;
  bool can = false;
  for_each_completion(PieceKinds(pieces), saved, [&](const Complete& act) {
    if (can || from_hand(act.pieces).size() != pieces.size()) return;
    PieceKinds kept = saved;
    for (const Piece& piece : act.save) kept.insert(piece);
    Triangle completed{act.pieces[0].card.cut, {}};
    if (is_pure(act.pieces)) completed.color = act.pieces[0].card.color;
    can = all_match(triangles_in(kept),
                    [&](const JokerName& joker) { return matches(joker, completed); });
  });
  return can;
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

std::size_t kind_in_cut(std::size_t number, std::size_t color) { return number * kColors + color; }
std::size_t kind_in_cut(const Piece& piece) {
  return kind_in_cut(static_cast<std::size_t>(piece.number) - 1,
                     static_cast<std::size_t>(piece.color));
}

std::size_t numbers_in(const Kinds& kinds) {
  std::size_t numbers = 0;
  for (std::size_t number = 0; number < kNumbers; ++number) {
    std::size_t colors = 0;
    for (std::size_t color = 0; color < kColors; ++color)
      colors += kinds[kind_in_cut(number, color)];
    numbers += colors > 0;
  }
  return numbers;
}

/// The colours in which these make a pure triangle.
ColorBits pure_in(const Kinds& kinds) {
  ColorBits colors = 0;
  for (std::size_t color = 0; color < kColors; ++color) {
    const bool is_there = kinds[kind_in_cut(0, color)] && kinds[kind_in_cut(1, color)] &&
                          kinds[kind_in_cut(2, color)];
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
      const std::size_t kind = kind_in_cut(number, color);
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

bool can_finish_with_many(std::span<const Piece> pieces, const Jokers& jokers,
                          const PieceKinds& saved) {
  std::array<OfCut, kCuts> cuts;
  for (const Piece& piece : pieces) {
    OfCut& cut = cuts.at(static_cast<std::size_t>(piece.cut));
    ++cut.hand.at(kind_in_cut(piece));
    ++cut.hand_size;
  }
  for (const Cut cut : triangles::all_of<Cut>()) {
    for (std::size_t number = 0; number < kNumbers; ++number) {
      const Kinds colors = saved.colors(cut, static_cast<int>(number + 1));
      cuts.at(static_cast<std::size_t>(cut)).saved |= colors << kind_in_cut(number, 0);
    }
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
    if (next.none()) return false;
    reached = next;
  }
  for (ColorBits colors = 0; colors < reached.size(); ++colors) {
    if (reached[colors] && (colors & wanted) == wanted) return true;
  }
  return false;
}

}  // namespace

bool can_finish(std::span<const Card> hand, const PieceKinds& saved, bool multi) {
  List<Piece, triangles::kPieces> pieces;
  Jokers jokers;
  for (const Card& card : hand) {
    if (card.number) {
      pieces.push_back({card.cut, *card.number, card.color});
    } else {
      jokers.push_back({card.cut, card.color});
    }
  }
  return multi ? can_finish_with_many(pieces, jokers, saved)
               : can_finish_with_one(pieces, jokers, saved);
}

bool is_dead_end(std::size_t hand_size, const PieceKinds& saved) {
  if (hand_size == 2) return saved.empty();
  if (hand_size != 1) return false;
  return saved.numbers(Cut::horizontal) <= 1 && saved.numbers(Cut::vertical) <= 1 &&
         saved.numbers(Cut::centered) <= 1;
}

Triangles triangles_in(const PieceKinds& saved) {
  Triangles triangles;
  for (const Cut cut : triangles::all_of<Cut>()) {
    if (saved.numbers(cut) < static_cast<int>(kNumbers)) continue;
    triangles.push_back({cut, std::nullopt});
    for (const Color color : triangles::all_of<Color>()) {
      const bool is_pure = (saved.pure_colors(cut) >> static_cast<unsigned>(color) & 1U) != 0;
      if (is_pure) triangles.push_back({cut, color});
    }
  }
  return triangles;
}

bool matches(const JokerName& joker, const Triangle& triangle) {
  return joker.cut == triangle.cut || joker.color == triangle.color;
}

void add_completions(std::vector<Action>& acts, const PieceKinds& hand, const PieceKinds& saved) {
  for_each_completion(hand, saved, [&](const Complete& act) { acts.emplace_back(act); });
}

}  // namespace triquetra::card_triangles
