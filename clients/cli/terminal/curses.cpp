#include "clients/cli/terminal/curses.hpp"

#include <langinfo.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termcap.h>
#include <unistd.h>
#include <unistr.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <stdexcept>
#include <string>
#include <string_view>

// The wide part of ncurses; without its macros, which have short names.
#define NCURSES_WIDECHAR 1  // NOLINT(cppcoreguidelines-macro-usage)
#define NCURSES_NOMACROS 1  // NOLINT(cppcoreguidelines-macro-usage)
#include <curses.h>

namespace triquetra::cli {

namespace {

constexpr int kFirstColor = static_cast<int>(Color::red);
constexpr int kLastColor = static_cast<int>(Color::cyan);
constexpr int kEscapeMs = 50;  // how long an escape may be the beginning of a longer key

Size window_size() {
  winsize size{};
  if (::ioctl(1, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

std::string utf8_of(wint_t letter) {
  std::array<std::uint8_t, 6> bytes{};
  const int length = u8_uctomb(bytes.data(), static_cast<ucs4_t>(letter), bytes.size());
  if (length <= 0) return "";
  return {bytes.begin(), bytes.begin() + length};
}

/// A cell for ncurses: its letters as wide characters, with its look.
cchar_t wide(const Cell& cell, bool has_color) {
  std::array<wchar_t, CCHARW_MAX + 1> letters{};
  std::size_t count = 0;
  std::string_view rest = cell.text;
  while (!rest.empty() && count < CCHARW_MAX) {
    ucs4_t letter = 0;
    // libunistring has bytes of its own kind.
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(rest.data());
    const int length = std::max(1, u8_mbtouc(&letter, bytes, rest.size()));
    letters.at(count++) = static_cast<wchar_t>(letter);
    rest.remove_prefix(static_cast<std::size_t>(length));
  }
  attr_t look = A_NORMAL;
  if (cell.look.bold) look |= A_BOLD;
  if (cell.look.reverse) look |= A_REVERSE;
  const bool is_colored = has_color && cell.look.color >= kFirstColor;
  const int pair = is_colored ? cell.look.color - kFirstColor + 1 : 0;
  cchar_t out{};
  setcchar(&out, letters.data(), look, static_cast<short>(pair), nullptr);
  return out;
}

Key::Kind kind_of(wint_t code) {
  switch (code) {
    case KEY_UP:
      return Key::Kind::up;
    case KEY_DOWN:
      return Key::Kind::down;
    case KEY_LEFT:
      return Key::Kind::left;
    case KEY_RIGHT:
      return Key::Kind::right;
    case KEY_PPAGE:
      return Key::Kind::page_up;
    case KEY_NPAGE:
      return Key::Kind::page_down;
    case KEY_HOME:
      return Key::Kind::home;
    case KEY_END:
      return Key::Kind::end;
    case KEY_BACKSPACE:
      return Key::Kind::backspace;
    case KEY_DC:
      return Key::Kind::remove;
    case KEY_ENTER:
      return Key::Kind::enter;
    default:
      return Key::Kind::letter;
  }
}

std::optional<Key> mouse_key() {
  MEVENT event{};
  if (getmouse(&event) != OK) return std::nullopt;
  Key key;
  key.row = static_cast<std::size_t>(std::max(0, event.y));
  key.column = static_cast<std::size_t>(std::max(0, event.x));
  if ((event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) != 0) {
    key.kind = Key::Kind::click;
  } else if ((event.bstate & BUTTON4_PRESSED) != 0) {
    key.kind = Key::Kind::wheel_up;
  } else if ((event.bstate & BUTTON5_PRESSED) != 0) {
    key.kind = Key::Kind::wheel_down;
  } else {
    return std::nullopt;
  }
  return key;
}

}  // namespace

NoScreen why_no_screen() {
  if (::isatty(0) != 1 || ::isatty(1) != 1) return NoScreen::no_terminal;
  const char* name = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): one thread
  const std::string_view terminal = name == nullptr ? "" : name;
  if (terminal.empty() || terminal == "dumb") return NoScreen::no_terminal;
  // Letters are those of the locale, and all others stay as they are.
  std::setlocale(LC_CTYPE, "");  // NOLINT(concurrency-mt-unsafe)
  if (std::string_view(::nl_langinfo(CODESET)) != "UTF-8")
    return NoScreen::no_terminal;  // NOLINT(concurrency-mt-unsafe)
  // Whether it can put letters anywhere.
  if (tgetent(nullptr, name) != 1 || tgetstr("cm", nullptr) == nullptr) {
    return NoScreen::no_terminal;
  }
  const Size size = window_size();
  const bool fits = size.columns >= kSmallestScreen.columns && size.rows >= kSmallestScreen.rows;
  return fits ? NoScreen::none : NoScreen::too_small;
}

std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

Curses::Curses(bool has_color) : has_color_(has_color) {
  if (newterm(nullptr, stdout, stdin) == nullptr) throw std::runtime_error("no full screen here");
  cbreak();  // signals from keys stay signals
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(kEscapeMs);
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
  has_color_ = has_color && has_colors();
  if (!has_color_) return;
  start_color();
  use_default_colors();
  for (int color = kFirstColor; color <= kLastColor; ++color) {
    const int pair = color - kFirstColor + 1;
    init_pair(static_cast<short>(pair), static_cast<short>(pair), -1);
  }
}

Curses::~Curses() { endwin(); }

Size Curses::size() const {
  return {static_cast<std::size_t>(getmaxx(stdscr)), static_cast<std::size_t>(getmaxy(stdscr))};
}

void Curses::show(const Drawn& drawn) {
  const Canvas& canvas = drawn.canvas;
  erase();
  for (std::size_t row = 0; row < canvas.size().rows; ++row) {
    for (std::size_t column = 0; column < canvas.size().columns; ++column) {
      const Cell& cell = canvas.at(row, column);
      if (cell.text.empty()) continue;
      const cchar_t letter = wide(cell, has_color_);
      mvadd_wch(static_cast<int>(row), static_cast<int>(column), &letter);
    }
  }
  curs_set(drawn.cursor ? 1 : 0);
  if (drawn.cursor) {
    move(static_cast<int>(drawn.cursor->first), static_cast<int>(drawn.cursor->second));
  }
  refresh();
}

std::optional<Key> Curses::read() {
  wint_t code = 0;
  const int kind = get_wch(&code);
  if (kind == ERR) return std::nullopt;
  if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
    // What is not for us, such as a button let go, is no key; what follows it may be one.
    if (auto key = mouse_key()) return key;
    return read();
  }
  if (kind == KEY_CODE_YES) {
    const Key key{kind_of(code)};
    return key.kind == Key::Kind::letter ? read() : std::optional(key);
  }
  switch (code) {
    case '\r':
    case '\n':
      return Key{Key::Kind::enter};
    case 27:
      return Key{Key::Kind::escape};
    case 8:
    case 127:
      return Key{Key::Kind::backspace};
    default:
      break;
  }
  if (code < ' ') return read();
  return Key{Key::Kind::letter, utf8_of(code)};
}

bool Curses::is_gone() const {
  pollfd input{0, POLLIN, 0};
  if (::poll(&input, 1, 0) != 1) return false;
  int count = 0;
  return (input.revents & (POLLHUP | POLLERR)) != 0 ||
         (::ioctl(0, FIONREAD, &count) == 0 && count == 0);
}

void Curses::let_go() { endwin(); }

void Curses::take_again() {
  const Size size = window_size();
  if (size.columns > 0 && size.rows > 0) {
    resizeterm(static_cast<int>(size.rows), static_cast<int>(size.columns));
  }
  clearok(curscr, TRUE);
  refresh();
}

}  // namespace triquetra::cli
