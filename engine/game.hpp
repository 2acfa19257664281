// The contract between a game and everything else. Read this first when you write a game.
//
// Bots plan by imagination (`imagine`): what is built on it alone is a function of what a seat was
// sent, so nobody who plans with it can peek.
//
// A game is one folder under engine/games with a `struct Rules` of types and static functions that
// satisfies the concept Game below. It knows no clock, no network, no JSON. Each clause names the
// law in tests/laws_test.cpp that checks it for every game.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/decision.hpp"
#include "engine/ensure.hpp"
#include "engine/ids.hpp"
#include "engine/rng.hpp"
#include "engine/secret.hpp"

namespace triquetra {

/// The word by which a struct is known on the wire, and the key it stands under: an action is
/// {"do":"draw", ...}, an event {"event":"drew", ...}. Each alternative of Action and Event has
/// one, as `static constexpr Tag kTag`.
struct Tag {
  std::string_view key;
  std::string_view word;
};

/// A rule's no. `rule` is the statement of the game's RULES.md that forbids it, such as "T22".
struct Fault {
  std::string_view rule;
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// The word of the act by which the only seat of a window gives it up; it leads where the lapse of
/// the window leads. Bots do not use it: who waives tells the others something. (law: lapse)
inline constexpr std::string_view kWaiver = "lapse";

template <class Action>
bool is_waiver(const Action& action) {
  return std::visit([](const auto& act) { return act.kTag.word == kWaiver; }, action);
}

/// How a match ended. `scores` is by seat, and empty in a game without points.
struct Result {
  List<Seat, kMaxSeats> winners;
  List<int, kMaxSeats> scores;
  friend bool operator==(const Result&, const Result&) = default;
};

/// Where luck comes from: the generator, or what somebody wrote down (a test vector, a record).
/// Deal is the game's own type for all that chance decides, in the rule book's words. A state may
/// carry one: its copies share what was written.
template <class Deal>
class Chance {
 public:
  explicit Chance(const Rng& rng) : rng_(rng) {}
  explicit Chance(Deal deal)
      : rng_(Seed{}), written_(std::make_shared<const Deal>(std::move(deal))) {}
  /// The written deal, if there is one.
  const Deal* written() const { return written_.get(); }
  /// The generator; only if written() is null.
  Rng& rng() {
    ensure(!written_, "what is written is not drawn");
    return rng_;
  }
  friend bool operator==(const Chance& one, const Chance& other) {
    const bool are_written = one.written_ && other.written_;
    return one.rng_ == other.rng_ &&
           (are_written ? *one.written_ == *other.written_ : one.written_ == other.written_);
  }

 private:
  Rng rng_;
  std::shared_ptr<const Deal> written_;
};

// clang-format off
/// Types whose copies never ask for memory.
template <class... T>
concept CopiedWithoutTheHeap = (std::is_nothrow_copy_constructible_v<T> && ...);
/// The types of a game. State is a value of fixed size: copied as often as somebody looks ahead,
/// compared, no pointers. Its stage is a variant that carries its data. Everything that travels
/// (all but State) is described with Boost.Describe; Events is a List of Event, as long as one
/// transition can make it.
template <class G>
concept GameTypes =
    std::regular<typename G::State> && std::equality_comparable<typename G::Options> &&
    std::equality_comparable<typename G::Deal> && std::equality_comparable<typename G::Action> &&
    std::equality_comparable<typename G::TableView> &&
    std::equality_comparable<typename G::SeatView> &&
    CopiedWithoutTheHeap<typename G::State, typename G::Action, typename G::Events,
                         typename G::TableView, typename G::SeatView>;

template <class G>
concept Game = GameTypes<G> &&
    requires(const typename G::Options& options, std::size_t seat_count,
             Chance<typename G::Deal>& chance, const typename G::State& state,
             typename G::State& changed, Seat seat, DecisionId decision,
             const typename G::Action& action, const typename G::TableView& table,
             const typename G::SeatView& mine, std::vector<typename G::Action>& acts,
             const std::vector<typename G::Action>& legal, Eye eye, Viewer viewer, Rng& rng) {
  // The game's name on the wire, and the number that changes whenever a log would play differently.
  { G::kName } -> std::convertible_to<std::string_view>;
  { G::kVersion } -> std::convertible_to<int>;
  // The fewest and most seats over all options.
  { G::kMinSeats } -> std::convertible_to<std::size_t>;
  { G::kMaxSeats } -> std::convertible_to<std::size_t>;

  // An option that names a seat is called first_seat: the room has it follow the person who sits
  // there, for the start closes empty seats. Nobody there: it is not set.
  // Options that between them show what the game can do: what the laws play. (all laws)
  { G::variants() } -> std::same_as<std::vector<typename G::Options>>;
  // May this number of seats play with these options? Total: any input. (law: options)
  { G::check(options, seat_count) } -> std::same_as<std::optional<Fault>>;
  // The state before the first act. Before: check(options, seat_count) has no fault. All chance
  // comes from `chance`; a written deal that does not fit is a Bug. (law: repeatable)
  { G::setup(options, seat_count, chance) } -> std::same_as<typename G::State>;
  // What chance decided, from the state after setup and the last one: setup with it as a written
  // deal, and the same acts, give the same states but for the generator. (law: deal)
  { G::deal(state, state) } -> std::same_as<typename G::Deal>;

  // Every open question; none when the game is over. A seat is asked by at most one of them. A
  // decision keeps its id as long as it stands, also while a ballot fills; a window that opens,
  // restarts or lapses never changes the id of the turn beside it. (law: decisions)
  { G::decisions(state) } -> std::same_as<Decisions>;
  // Fills `acts` anew with all acts open to a seat: none exactly for a seat that is not asked. What
  // stands in it depends on nothing that the seat may not know. (laws: legal, imagine)
  { G::legal(state, seat, acts) } -> std::same_as<void>;
  // Why an act is not allowed. Total: any seat, any act, any state; changes nothing; has no fault
  // exactly for the acts in legal(). (law: legal)
  { G::check(state, seat, action) } -> std::same_as<std::optional<Fault>>;
  // Makes the state the one after an act. Before: check() has no fault. (law: repeatable)
  { G::apply(changed, seat, action) } -> std::same_as<void>;
  // Makes the state the one after a window has run out: it is gone, and all else is asked as
  // before. Before: `decision` is an open window. (law: lapse)
  { G::lapse(changed, decision) } -> std::same_as<void>;
  // Set exactly when no decision is left. (law: ends)
  { G::result(state) } -> std::same_as<std::optional<Result>>;
  // Throws Bug unless every invariant holds. Runs after every transition of a room, in every build;
  // not in apply, for who plays on to see what might come has no room to protect. (law: ends)
  { G::verify(state) } -> std::same_as<void>;

  // What everybody knows, built up from nothing: faces only as Shown<T> or counted from it. (laws:
  // imagine, ids)
  { G::table_view(state) } -> std::same_as<typename G::TableView>;
  // What the last transition did, for everybody. (law: imagine)
  { G::happened(state) } -> std::convertible_to<const typename G::Events&>;
  // What one seat knows beyond that: faces only as Seen<T>, through the given eye. (law: imagine)
  { G::seat_view(state, eye) } -> std::same_as<typename G::SeatView>;
  // A seat's own sealed answer while its ballot is open. (law: answer)
  { G::answer(state, eye) } -> std::same_as<std::optional<typename G::Action>>;

  // For the laws: the seat's score if the match ended now and what is still its own to decide were
  // decided best; none in a game without points. What the seat has lost for sure is not in it,
  // though the table shows it still. At the end it is the one in result(). (law: preview)
  { G::points(state, seat) } -> std::same_as<std::optional<int>>;
  // What an act changes points() by, where that seat can tell; else none. A function of what the
  // seat was sent. (law: preview)
  { G::preview(table, mine, action) } -> std::same_as<std::optional<int>>;
  // A game may have a hint beside it, in the same words: worth(table, mine, action), the points of
  // what an act puts together, whether or not they are anybody's yet.
  // A bot's act; none only for a window that it lets lapse, and never a waiver. Sees what a person
  // in that seat sees. `legal` is not empty. (law: bots)
  { G::choose(table, mine, legal, rng) } -> std::same_as<std::optional<typename G::Action>>;

  // Makes the state another one that the viewer cannot tell from it, drawn as likely as the rules
  // alone make it; without heap. With the same rng, states that the viewer cannot tell apart become
  // the same one. RULES.md says under "Imagination" what is exact. (laws: imagine, planner, worlds)
  { G::imagine(changed, viewer, rng) } -> std::same_as<void>;
};
// clang-format on

/// A game with that hint.
template <class G>
concept HasWorth = requires(const typename G::TableView& table, const typename G::SeatView& mine,
                            const typename G::Action& action) {
  G::worth(table, mine, action);
};

/// The acts open to a seat, as a list of their own: where time does not matter.
template <Game G>
std::vector<typename G::Action> legal_acts(const typename G::State& state, Seat seat) {
  std::vector<typename G::Action> acts;
  G::legal(state, seat, acts);
  return acts;
}

}  // namespace triquetra
