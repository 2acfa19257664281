// The words of the deck that Triangle Mayhem and 21/15/9-Card Triangles share: pieces of triangles,
// by cut, number and colour, on the wire as {"cut":"vertical","number":2,"color":"red"}.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/mp11/list.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/bounded.hpp"

namespace triquetra::triangles {

enum class Cut : std::uint8_t { horizontal, vertical, centered };
BOOST_DESCRIBE_ENUM(Cut, horizontal, vertical, centered)

/// Colour of a card, not of anything that we draw.
enum class Color : std::uint8_t { pink, red, green };
BOOST_DESCRIBE_ENUM(Color, pink, red, green)

/// Which third of a triangle a piece is.
using Number = Int<1, 3>;

/// The deck holds this many pieces: 27 different ones, three times each.
inline constexpr std::size_t kPieces = 81;
inline constexpr int kCopies = 3;

/// A piece of a triangle. Sorted by cut, then number, then colour. Copies cannot be told apart.
struct Piece {
  Cut cut{};
  Number number;
  Color color{};
  friend bool operator==(const Piece&, const Piece&) = default;
  friend auto operator<=>(const Piece&, const Piece&) = default;
};
BOOST_DESCRIBE_STRUCT(Piece, (), (cut, number, color))

/// Pieces of these kinds differ; copies are of one kind.
inline constexpr std::size_t kKinds = kPieces / kCopies;

/// Where a piece stands among the different ones, sorted: 0 to 26.
constexpr std::size_t kind_of(const Piece& piece) {
  const auto cut = static_cast<std::size_t>(piece.cut);
  const auto number = static_cast<std::size_t>(int{piece.number} - 1);
  return (cut * 3 + number) * 3 + static_cast<std::size_t>(piece.color);
}

/// Every value of Cut or Color, in order.
template <class E>
constexpr auto all_of() {
  std::array<E, boost::mp11::mp_size<boost::describe::describe_enumerators<E>>::value> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<E>(i);
  return values;
}

/// All 81 pieces, sorted.
inline List<Piece, kPieces> all_pieces() {
  List<Piece, kPieces> pieces;
  for (const Cut cut : all_of<Cut>()) {
    for (int number = Number::kLowest; number <= Number::kHighest; ++number) {
      for (const Color color : all_of<Color>()) {
        for (int copy = 0; copy < kCopies; ++copy) pieces.push_back({cut, number, color});
      }
    }
  }
  return pieces;
}

/// The letter of a cut or a colour in a code: the first of its word.
template <class E>
char letter_of(E value) {
  return *boost::describe::enum_to_string(value, "?");
}

/// The cut or colour with this letter.
template <class E>
std::optional<E> from_letter(char letter) {
  for (const E value : all_of<E>()) {
    if (letter_of(value) == letter) return value;
  }
  return std::nullopt;
}

/// A card as records and test vectors write it: cut, number and colour, such as "v2r".
using CardCode = Text<3>;

inline CardCode code_of(const Piece& piece) {
  return std::string{letter_of(piece.cut), static_cast<char>('0' + piece.number),
                     letter_of(piece.color)};
}

/// The piece with this code.
inline std::optional<Piece> piece_from(const CardCode& code) {
  const std::string& text = code.str();
  if (text.size() != 3 || text[1] < '1' || text[1] > '3') return std::nullopt;
  const auto cut = from_letter<Cut>(text[0]);
  const auto color = from_letter<Color>(text[2]);
  if (!cut || !color) return std::nullopt;
  return Piece{*cut, text[1] - '0', *color};
}

}  // namespace triquetra::triangles
