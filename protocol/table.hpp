// A match in progress with the types of its game erased: the one place where game types become
// JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/decision.hpp"
#include "engine/game.hpp"
#include "engine/levels.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra {

/// What a bot for people does about an act; none for those that are there for tests and programs.
constexpr std::optional<Level> level_for_people(BotLevel level) {
  switch (level) {
    case BotLevel::easy:
      return Level::easy;
    case BotLevel::normal:
      return Level::normal;
    case BotLevel::hard:
      return Level::hard;
    case BotLevel::expert:
      return Level::expert;
    default:
      return std::nullopt;
  }
}

class Table;
using TablePointer = std::shared_ptr<const Table>;

/// What an act promises its seat (engine/planner.hpp, Weighed). No action: a window is left to its
/// clock.
struct WeighedAct {
  std::optional<std::string> action;
  double worth = 0.0;
  double wins = 0.0;
  std::optional<double> points;
  std::uint32_t worlds = 0;
};

/// What came of thinking.
struct Thought {
  /// What to do; none only for a window that it leaves to its clock.
  std::optional<std::string> action;
  /// Every act that was open, waivers left out; empty if the level acts without looking ahead.
  std::vector<WeighedAct> acts;
  std::uint32_t playouts = 0;
};

/// A bot's question to itself about one act. It has all that it needs and shares nothing with the
/// table: another thread may run it, and the table may change meanwhile. It knows no more than its
/// seat was sent, so nothing that it does (nor how long it takes) tells more.
class Thinking {
 public:
  virtual ~Thinking() = default;
  /// At most this many games are played out in the head.
  virtual std::uint32_t playouts() const = 0;
  /// Thinks, once; `playouts` may be less than playouts() when the machine is busy. `has_to_end` is
  /// asked before each of them, and once it says yes the thought is what has come out so far. The
  /// same seed and number of playouts give the same thought. Throws Bug if the rules do.
  virtual Thought run(std::uint32_t playouts, const std::function<bool()>& has_to_end) = 0;
};

/// What every game can do, without its types. Immutable: an act makes another table. JSON goes in
/// and out as text.
class Table {
 public:
  virtual ~Table() = default;

  virtual Decisions decisions() const = 0;
  virtual std::optional<Result> result() const = 0;

  /// The table after an act, or the rule that forbids it. Throws Malformed if `action` is none of
  /// this game's actions, Bug if an invariant breaks.
  virtual std::variant<Fault, TablePointer> act(Seat seat, std::string_view action) const = 0;
  /// The table after an open window has run out.
  virtual TablePointer lapse(DecisionId decision) const = 0;

  /// The game's table view and events, for everyone.
  virtual std::string table_view() const = 0;
  virtual std::string happened() const = 0;
  /// The seat view, for that seat alone.
  virtual std::string seat_view(Seat seat) const = 0;
  /// Empty for a seat that is not asked. Previews only with `hints`.
  virtual std::vector<LegalAct> legal(Seat seat, bool hints) const = 0;
  virtual std::optional<std::string> answer(Seat seat) const = 0;

  /// Appends what a view has for this seat: its members `mine`, `legal` and `answer`, each with a
  /// comma before it.
  virtual void show(std::string& out, Seat seat, bool hints) const = 0;

  /// What a bot of this level does for a seat that is asked, at once and without looking ahead;
  /// none only for a window that it lets lapse.
  virtual std::optional<std::string> choose(Seat seat, BotLevel level, Rng& rng) const = 0;

  /// What a bot for people needs to find its act, for a seat that is asked. All chance in it comes
  /// from the seed.
  virtual std::unique_ptr<Thinking> think(Seat seat, Level level, const Seed& seed) const = 0;

  /// What chance decided in this match; `start` is its table after the setup. Secret until the end.
  virtual std::string deal(const Table& start) const = 0;

  /// Another world that the viewer cannot tell from this one: for laws and simulations. Worlds that
  /// it cannot tell apart lead to the same other world, with the same `rng`.
  virtual TablePointer imagined(Viewer viewer, Rng& rng) const = 0;
  /// Whether the states are equal. Before: `other` is a table of the same game.
  virtual bool equals(const Table& other) const = 0;
};

/// Open decisions as a frame names them.
inline std::vector<DecisionShown> shown(std::span<const Decision> decisions) {
  std::vector<DecisionShown> all;
  for (const Decision& decision : decisions) {
    const DecisionKind kind = std::holds_alternative<Turn>(decision.ask)     ? DecisionKind::turn
                              : std::holds_alternative<Ballot>(decision.ask) ? DecisionKind::ballot
                                                                             : DecisionKind::window;
    all.push_back({decision.id, kind, asked(decision).list().to_vector()});
  }
  return all;
}

/// The room's own limit on one action's text, inside the frame's.
inline constexpr std::size_t kActionBytes = 1024;

}  // namespace triquetra
