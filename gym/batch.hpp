// Many matches of one game in this process, stepped in one call, with the types of the game erased;
// and which games there are. For programs that learn: docs/GYM.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gym/cells.hpp"
#include "protocol/client_frames.hpp"

namespace triquetra::gym {

/// What the caller asked for cannot be: the text says why. Nothing was changed.
class Refused : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// What a batch is made of.
struct Setting {
  std::string options;  // the game's, as JSON
  std::size_t seats = 0;
  std::size_t slots = 0;
  /// By seat: the level of a bot of the game, or none where the caller acts. One seat at least.
  std::vector<std::optional<BotLevel>> players;
  /// Whether a slot whose match is over begins the next one in the same step.
  bool restarts = false;
};

/// Where a step leaves what came of it: the caller's memory, a row for each slot. What is null is
/// not wanted.
struct Rows {
  float* observations = nullptr;  // slots x cells: what the seat that is asked knows
  std::uint8_t* masks = nullptr;  // slots x acts: 1 for each act open to it
  std::int32_t* seats = nullptr;  // slots: which seat is asked; -1 if the match is over
  float* rewards = nullptr;       // slots x seats: of a match that this step has ended
  std::uint8_t* over = nullptr;   // slots: 1 where this step has ended a match
};

/// Matches side by side, each in a slot of its own. The same seed and acts give the same matches,
/// whatever the other slots do. Seats are asked one after the other, windows before what stands
/// beside them, as bots are at a table. All functions throw Refused for a slot, seat or act that
/// is not there, and Malformed for text that is none.
class Batch {
 public:
  virtual ~Batch() = default;
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Begins a first match in every slot.
  virtual void start(std::string_view seed, const Rows& rows) = 0;
  /// One act by number for each slot (of one that is over it is not read); then bots act until the
  /// caller is asked. If one act is not open, none is made.
  virtual void step(std::span<const std::int32_t> acts, const Rows& rows) = 0;

  /// What a seat knows, whoever is asked, and its acts if it is the one.
  virtual void observe(std::size_t slot, Seat seat, float* observation,
                       std::uint8_t* mask) const = 0;
  /// The same as the view of the protocol, with previews: JSON.
  virtual std::string view(std::size_t slot, Seat seat) const = 0;
  /// An open act of each slot by number, each as likely; 0 where the match is over.
  virtual void draw(std::span<std::int32_t> acts) = 0;
  /// The act that a bot of this level would make for the seat that is asked.
  virtual std::uint32_t choose(std::size_t slot, BotLevel level) = 0;

  /// Of the match that ended last in this slot: winners and scores, and the record as a server
  /// gives it, with these names by seat for those that are no bots. JSON.
  virtual std::string result(std::size_t slot) const = 0;
  virtual std::string record(std::size_t slot, std::span<const std::string> names) const = 0;

  /// Puts the match of one slot into another one too.
  virtual void copy(std::size_t from, std::size_t to) = 0;
  /// Goes on in another world that this seat cannot tell from this one, drawn by `seed`. There is
  /// no record of such a match.
  virtual void imagine(std::size_t slot, Seat seat, std::string_view seed) = 0;
};

/// One game as programs that learn know it.
struct GymKind {
  std::string_view name;
  std::size_t cells;
  std::uint32_t (*acts)();
  /// Of an observation: the table first, then what is the seat's own.
  std::vector<Cell> (*layout)();
  /// An act as JSON, and back. Before: the number is one of 1 to below acts().
  std::string (*act_text)(std::uint32_t number);
  std::uint32_t (*act_number)(std::string_view text);
  std::unique_ptr<Batch> (*make)(const Setting& setting);
};

/// All games, in the order of their names.
const std::vector<GymKind>& gym_catalog();

}  // namespace triquetra::gym
