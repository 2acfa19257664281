// The thin edge to ncurses: puts a canvas on the terminal, of which only what has changed is sent,
// and reads keys and the mouse. There is one at a time.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "clients/cli/terminal/screen.hpp"

namespace triquetra::cli {

/// Why there can be no full screen here. none: there can.
enum class NoScreen { none, no_terminal, too_small };

/// Asks the terminal that we were started in; changes nothing.
NoScreen why_no_screen();

/// What the clock says, for count-downs.
std::chrono::steady_clock::time_point now();

class Curses {
 public:
  /// Takes the terminal. Before: why_no_screen() is none.
  explicit Curses(bool has_color);
  ~Curses();  // leaves it as it was
  Curses(const Curses&) = delete;
  Curses& operator=(const Curses&) = delete;

  Size size() const;
  void show(const Drawn& drawn);
  /// The next key that was pressed, without waiting; none if there is none.
  std::optional<Key> read();
  /// Whether nobody can type any more, for the other end has gone.
  bool is_gone() const;
  /// Gives the terminal back for a while, and takes it again; or, after a change of its size, at
  /// once.
  void let_go();
  void take_again();

 private:
  bool has_color_;
};

}  // namespace triquetra::cli
