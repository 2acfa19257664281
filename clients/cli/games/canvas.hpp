// A screen as a value: a grid of cells, each a letter with its look. Drawings are lines of text as
// Style::paint() colours it, so what is drawn can be compared without a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace triquetra::cli {

/// How a letter looks. Colour never says anything alone: without it all is still told.
struct Look {
  int color = 0;  // of Color, or 0: the terminal's own
  bool bold = false;
  bool reverse = false;
  friend bool operator==(const Look&, const Look&) = default;
};

/// One letter with its accents. The right half of a wide one has no text.
struct Cell {
  std::string text = " ";
  Look look;
  friend bool operator==(const Cell&, const Cell&) = default;
};
using Cells = std::vector<Cell>;

struct Size {
  std::size_t columns = 0;
  std::size_t rows = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// Painted text as cells, over a look of its own. Control characters are left out.
Cells cells_of(std::string_view painted, Look look = {});
/// How many columns painted text takes.
std::size_t width_of(std::string_view painted);
/// Painted text in exactly so many columns: with spaces behind it, or cut with "…" and without
/// colours.
std::string fitted(std::string_view painted, std::size_t columns);
/// How far what follows of a long line stands in, on a screen.
inline constexpr std::size_t kHangingIndent = 2;
/// Painted text in lines of at most so many columns, broken at spaces; those that follow begin with
/// `indent` spaces.
std::vector<Cells> wrapped(std::string_view painted, std::size_t columns, std::size_t indent = 0);

class Canvas {
 public:
  explicit Canvas(Size size) : size_(size), cells_(size.columns * size.rows) {}

  Size size() const { return size_; }
  const Cell& at(std::size_t row, std::size_t column) const {
    return cells_.at(row * size_.columns + column);
  }
  /// Writes from this place on, at most `columns` cells; what does not fit is cut with "…". Nothing
  /// outside the grid. Gives the column behind it.
  std::size_t put(std::size_t row, std::size_t column, const Cells& cells,
                  std::size_t columns = std::string::npos);
  std::size_t put(std::size_t row, std::size_t column, std::string_view painted, Look look = {},
                  std::size_t columns = std::string::npos) {
    return put(row, column, cells_of(painted, look), columns);
  }
  /// All of a row in this look.
  void fill(std::size_t row, Look look);
  /// The letters alone, a line for each row, without spaces at the ends.
  std::string text() const;

 private:
  Size size_;
  Cells cells_;
};

}  // namespace triquetra::cli
