#include "clients/cli/games/canvas.hpp"

#include <unistr.h>
#include <uniwidth.h>

#include <algorithm>
#include <charconv>

namespace triquetra::cli {

namespace {

constexpr const char* kCut = "…";

std::size_t columns_of(const Cells& cells) { return cells.size(); }

/// What a colour's number changes of a look, under which `base` lies.
void change(Look& look, const Look& base, std::string_view number) {
  int value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  if (value == 0) look = base;
  if (value == 1) look.bold = true;
  if (value == 7) look.reverse = true;
  if (value >= 31 && value <= 36) look.color = value;
}

}  // namespace

Cells cells_of(std::string_view painted, Look base) {
  Cells cells;
  Look look = base;
  for (std::size_t at = 0; at < painted.size();) {
    if (painted[at] == '\033' && at + 1 < painted.size() && painted[at + 1] == '[') {
      const std::size_t end = std::min(painted.find('m', at), painted.size());
      change(look, base, painted.substr(at + 2, end - at - 2));
      at = end + 1;
      continue;
    }
    ucs4_t letter = 0;
    // libunistring has bytes of its own kind.
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(painted.data() + at);
    const int length = std::max(1, u8_mbtouc(&letter, bytes, painted.size() - at));
    const std::string_view text = painted.substr(at, static_cast<std::size_t>(length));
    at += static_cast<std::size_t>(length);
    const int width = uc_width(letter, "UTF-8");
    if (width < 0 || letter == 0xFFFD) continue;
    if (width == 0) {
      if (!cells.empty()) cells.back().text += text;
      continue;
    }
    cells.push_back({std::string(text), look});
    if (width == 2) cells.push_back({"", look});
  }
  return cells;
}

std::size_t width_of(std::string_view painted) { return columns_of(cells_of(painted)); }

std::string fitted(std::string_view painted, std::size_t columns) {
  const Cells cells = cells_of(painted);
  if (cells.size() <= columns) {
    return std::string(painted) + std::string(columns - cells.size(), ' ');
  }
  if (columns == 0) return "";
  std::string out;
  std::size_t taken = 0;
  for (; taken + 1 < columns; ++taken) {
    // A wide letter whose right half has no room does not stand there at all.
    const bool is_halved = taken + 2 == columns && cells[taken + 1].text.empty();
    out += is_halved ? " " : cells[taken].text;
  }
  return out + kCut;
}

std::vector<Cells> wrapped(std::string_view painted, std::size_t columns, std::size_t indent) {
  const Cells cells = cells_of(painted);
  std::vector<Cells> lines;
  Cells line;
  for (std::size_t begin = 0; begin < cells.size();) {
    std::size_t end = begin;
    while (end < cells.size() && cells[end].text != " ") ++end;
    const std::size_t length = end - begin;
    if (line.size() + length > columns && line.size() > (lines.empty() ? 0 : indent)) {
      lines.push_back(std::move(line));
      line.assign(std::min(indent, columns / 2), Cell{});
    }
    while (line.size() + (end - begin) > columns) {  // a word longer than a line
      const std::size_t room = std::max<std::size_t>(1, columns - std::min(columns, line.size()));
      const std::size_t part = std::min(room, end - begin);
      line.insert(line.end(), cells.begin() + static_cast<std::ptrdiff_t>(begin),
                  cells.begin() + static_cast<std::ptrdiff_t>(begin + part));
      begin += part;
      lines.push_back(std::move(line));
      line.assign(std::min(indent, columns / 2), Cell{});
    }
    line.insert(line.end(), cells.begin() + static_cast<std::ptrdiff_t>(begin),
                cells.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
    while (begin < cells.size() && cells[begin].text == " ") {
      if (line.size() < columns) line.push_back(cells[begin]);
      ++begin;
    }
  }
  lines.push_back(std::move(line));
  return lines;
}

std::size_t Canvas::put(std::size_t row, std::size_t column, const Cells& cells,
                        std::size_t columns) {
  if (row >= size_.rows || column >= size_.columns) return column;
  const std::size_t room = std::min(columns, size_.columns - column);
  const auto at = cells_.begin() + static_cast<std::ptrdiff_t>(row * size_.columns + column);
  const std::size_t taken = std::min(room, cells.size());
  std::copy_n(cells.begin(), taken, at);
  if (cells.size() > room && room > 0) {
    (at + static_cast<std::ptrdiff_t>(room) - 1)->text = kCut;
    // The left half of a wide letter cannot stand beside it.
    if (room > 1 && cells[room - 1].text.empty()) {
      (at + static_cast<std::ptrdiff_t>(room) - 2)->text = " ";
    }
  }
  return column + taken;
}

void Canvas::fill(std::size_t row, Look look) {
  if (row >= size_.rows) return;
  for (std::size_t column = 0; column < size_.columns; ++column) {
    cells_[row * size_.columns + column].look = look;
  }
}

std::string Canvas::text() const {
  std::string out;
  for (std::size_t row = 0; row < size_.rows; ++row) {
    std::string line;
    for (std::size_t column = 0; column < size_.columns; ++column) line += at(row, column).text;
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace triquetra::cli
