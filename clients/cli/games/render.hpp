// How a game looks and sounds in lines of text. Any game can be shown by its words as they are; a
// game with a voice of its own speaks in sentences.
//
// Folder: games in words: catalogues, what a person types, and a voice for each game.
// May see: protocol, engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/games/canvas.hpp"
#include "clients/cli/games/catalogue.hpp"
#include "clients/cli/games/typed.hpp"
#include "protocol/json.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra::cli {

/// One of the sixteen colours of every terminal.
enum class Color {
  red = 31,
  green = 32,
  yellow = 33,
  blue = 34,
  magenta = 35,
  cyan = 36,
  bold = 1,
  reverse = 7
};

struct Style {
  bool has_color = false;
  std::string paint(std::string_view text, Color color) const;
};

/// `text` without the colours that paint() gave it, for a prompt whose width must be known.
std::string without_colors(const std::string& text);

/// What a seat or a spectator sees.
struct Scene {
  std::vector<std::string> names;  // by seat
  std::optional<std::size_t> seat;
  Json table;
  Json mine;
  std::vector<Offer> offers;
  Json options;  // of the game, as the room tells them

  std::string name_of(std::size_t of_seat) const;
};

/// The generic voice, and the base of those that know a game.
class Voice {
 public:
  Voice(const Catalogue& catalogue, Style style) : catalogue_(catalogue), style_(style) {}
  virtual ~Voice() = default;
  Voice(const Voice&) = delete;
  Voice& operator=(const Voice&) = delete;

  /// What happened, as one sentence; empty if others say it.
  virtual std::string event(const Scene& scene, const Json& event) const;
  /// The middle of the table, in lines.
  virtual std::vector<std::string> table(const Scene& scene) const;
  /// What is in front of everybody.
  virtual std::vector<std::string> players(const Scene& scene) const;
  /// What only I see.
  virtual std::vector<std::string> mine(const Scene& scene) const;
  /// What an offered act does.
  virtual std::string act(const Scene& scene, std::size_t index) const;
  /// What is asked of me, the part of the prompt before the choices.
  virtual std::string question(const Scene& scene) const;

  /// The table as it stands on a full screen: everything public, then what only I see; painted
  /// lines for so much room. What must be seen comes first, for the end may be folded away.
  virtual std::vector<std::string> board(const Scene& scene, Size room) const;
  /// An offered act in the reader's words.
  virtual std::string label(const Scene& scene, std::size_t index) const;
  /// What these offers have in common: all begin with `words`, which are at least a verb.
  virtual std::string group(const Scene& scene, const std::vector<std::string>& words,
                            const std::vector<std::size_t>& offers) const;
  /// What is asked of me, above choices that can be read in full.
  virtual std::string heading(const Scene& scene) const { return question(scene); }
  /// What an offered act brings in brackets, with spaces before it; empty if nothing or not known.
  std::string hint(const Offer& offer) const;
  /// The game and how it is played, with these options.
  virtual std::string title(const std::string& game, const Json& options) const;
  /// How it is played, in lines.
  virtual std::vector<std::string> played(const Scene& scene) const;
  /// The rules in short, a heading and a paragraph by turns.
  virtual std::vector<std::string> rules(const Scene& scene) const;

 protected:
  /// The catalogue's paragraphs of rules with these names.
  std::vector<std::string> rules_of(const std::string& start,
                                    const std::vector<std::string>& names) const;
  /// Who begins, if that is settled.
  void add_first(std::vector<std::string>& lines, const Scene& scene) const;
  /// Another of them: how the cards of the triangles deck are written.
  std::vector<std::string> cards_written() const;
  const Catalogue& catalogue_;
  Style style_;
};

/// The voice for this game.
std::unique_ptr<Voice> voice_of(const std::string& game, const Catalogue& catalogue, Style style);
std::unique_ptr<Voice> triqueta_voice(const Catalogue& catalogue, Style style);
std::unique_ptr<Voice> card_triangles_voice(const Catalogue& catalogue, Style style);
std::unique_ptr<Voice> mayhem_voice(const Catalogue& catalogue, Style style);

/// An act in the reader's words, as its seat saw the table when it could be made: `before` is that
/// step of a finished match.
std::string act_in_words(const Voice& voice, const std::vector<std::string>& names,
                         const ReplayStep& before, std::size_t seat, const Raw& action);

/// Offers as numbered lines with what they are worth.
std::vector<std::string> offer_lines(const Voice& voice, const Scene& scene);
/// Rows in columns as narrow as can be, the first row bold as their heads. The first column is
/// flush left, the others right.
std::vector<std::string> grid(const std::vector<std::vector<std::string>>& rows,
                              std::size_t columns, Style style);
/// How many rows painted lines take where so many columns are.
std::size_t rows_of(const std::vector<std::string>& lines, std::size_t columns);
/// What stands before a seat's number.
enum class SeatMark { none, has_turn, has_won };
/// The beginning of a seat's line: its mark, its number and its name.
std::string seat_label(const Scene& scene, std::size_t seat, SeatMark mark, Style style);
/// The mark by "turn" and "winners" of the table.
SeatMark seat_mark(const Scene& scene, std::size_t seat);
/// A document as indented lines "key: value".
std::vector<std::string> json_lines(const Json& json);

}  // namespace triquetra::cli
