// What a game asks, and whom. Each question has its own number, and an answer names the question:
// an act that comes too late, twice or from a stale page finds its question gone.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "engine/bounded.hpp"
#include "engine/ids.hpp"

namespace triquetra {

/// Counts up within one match; never used twice.
using DecisionId = Id<struct DecisionTag, std::uint32_t>;

/// One seat must act.
struct Turn {
  Seat seat;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// Each of these seats must answer, in secret and in any order; resolved when all are in. Holds the
/// seats that have not answered yet.
struct Ballot {
  SeatSet seats;
  friend bool operator==(const Ballot&, const Ballot&) = default;
};

/// These seats may act until the window closes: by the first act of the turn beside it, by its own
/// rules, or by lapsing after `length`.
struct Window {
  SeatSet seats;
  std::chrono::milliseconds length{};
  friend bool operator==(const Window&, const Window&) = default;
};

using Ask = std::variant<Turn, Ballot, Window>;

struct Decision {
  DecisionId id;
  Ask ask;
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// What is open at once: never more than seats, for each is asked once.
using Decisions = List<Decision, kMaxSeats>;

/// The seats that a decision waits for.
inline SeatSet asked(const Decision& decision) {
  if (const auto* turn = std::get_if<Turn>(&decision.ask)) return SeatSet{turn->seat};
  if (const auto* ballot = std::get_if<Ballot>(&decision.ask)) return ballot->seats;
  return std::get<Window>(decision.ask).seats;
}

/// The decision that asks this seat, if one does.
inline std::optional<Decision> decision_for(std::span<const Decision> decisions, Seat seat) {
  for (const Decision& decision : decisions) {
    if (asked(decision).contains(seat)) return decision;
  }
  return std::nullopt;
}

}  // namespace triquetra
