// Bids, a game for tests: a sealed ballot, a turn, and a window beside it. See RULES.md.
#pragma once

#include <boost/describe/class.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/game.hpp"

namespace triquetra::bids {

using Number = Int<1, 12>;
inline constexpr std::size_t kMostSeats = 4;
inline constexpr std::size_t kHandSize = 3;

struct Options {
  friend bool operator==(const Options&, const Options&) = default;
};
BOOST_DESCRIBE_STRUCT(Options, (), ())

struct Deal {
  List<List<Number, kHandSize>, kMostSeats> hands;
  friend bool operator==(const Deal&, const Deal&) = default;
};
BOOST_DESCRIBE_STRUCT(Deal, (), (hands))

struct Bid {
  static constexpr Tag kTag{"do", "bid"};
  Int<0, 2> card;
  friend bool operator==(const Bid&, const Bid&) = default;
};
BOOST_DESCRIBE_STRUCT(Bid, (), (card))
struct Claim {
  static constexpr Tag kTag{"do", "claim"};
  Int<0, 1> prize;
  friend bool operator==(const Claim&, const Claim&) = default;
};
BOOST_DESCRIBE_STRUCT(Claim, (), (prize))
struct Grab {
  static constexpr Tag kTag{"do", "grab"};
  friend bool operator==(const Grab&, const Grab&) = default;
};
BOOST_DESCRIBE_STRUCT(Grab, (), ())
using Action = std::variant<Bid, Claim, Grab>;

struct Answered {
  static constexpr Tag kTag{"event", "answered"};
  Seat seat;
  friend bool operator==(const Answered&, const Answered&) = default;
};
BOOST_DESCRIBE_STRUCT(Answered, (), (seat))
struct Opened {
  static constexpr Tag kTag{"event", "opened"};
  List<Shown<Number>, kMostSeats> bids;
  Seat winner;
  friend bool operator==(const Opened&, const Opened&) = default;
};
BOOST_DESCRIBE_STRUCT(Opened, (), (bids, winner))
struct Claimed {
  static constexpr Tag kTag{"event", "claimed"};
  Seat seat;
  int points{};
  friend bool operator==(const Claimed&, const Claimed&) = default;
};
BOOST_DESCRIBE_STRUCT(Claimed, (), (seat, points))
struct Grabbed {
  static constexpr Tag kTag{"event", "grabbed"};
  Seat seat;
  friend bool operator==(const Grabbed&, const Grabbed&) = default;
};
BOOST_DESCRIBE_STRUCT(Grabbed, (), (seat))
struct WindowLapsed {
  static constexpr Tag kTag{"event", "lapsed"};
  friend bool operator==(const WindowLapsed&, const WindowLapsed&) = default;
};
BOOST_DESCRIBE_STRUCT(WindowLapsed, (), ())
using Event = std::variant<Answered, Opened, Claimed, Grabbed, WindowLapsed>;
/// The last bid comes with the opening of all.
using Events = List<Event, 2>;

/// Sealed bids: per seat the card's place in the hand.
struct Bidding {
  DecisionId id;
  SeatMap<std::optional<int>, kMostSeats> sealed;
  friend bool operator==(const Bidding&, const Bidding&) = default;
};
struct Claiming {
  DecisionId id;
  Seat winner;
  Secret<Number> bid;  // public
  std::optional<DecisionId> window;
  friend bool operator==(const Claiming&, const Claiming&) = default;
};
struct Over {
  friend bool operator==(const Over&, const Over&) = default;
};

using Hand = List<Secret<Number>, kHandSize>;

struct State {
  std::variant<Over, Bidding, Claiming> stage;
  SeatMap<Hand, kMostSeats> hands;
  SeatMap<int, kMostSeats> points;
  int round = 0;
  std::uint32_t last_id = 0;
  Events happened;
  friend bool operator==(const State&, const State&) = default;
};

struct SeatShown {
  int cards{};
  int points{};
  friend bool operator==(const SeatShown&, const SeatShown&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatShown, (), (cards, points))
struct TableView {
  int round{};
  List<SeatShown, kMostSeats> seats;
  std::optional<Seat> winner;
  Shown<Number> bid;
  friend bool operator==(const TableView&, const TableView&) = default;
};
BOOST_DESCRIBE_STRUCT(TableView, (), (round, seats, winner, bid))
struct SeatView {
  Seat seat;
  List<Seen<Number>, kHandSize> hand;
  friend bool operator==(const SeatView&, const SeatView&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatView, (), (seat, hand))

struct Rules {
  using Options = bids::Options;
  using Deal = bids::Deal;
  using State = bids::State;
  using Action = bids::Action;
  using Event = bids::Event;
  using Events = bids::Events;
  using TableView = bids::TableView;
  using SeatView = bids::SeatView;
  static constexpr std::string_view kName = "bids";
  static constexpr int kVersion = 1;
  static constexpr std::size_t kMinSeats = 2;
  static constexpr std::size_t kMaxSeats = kMostSeats;

  static std::vector<Options> variants() { return {Options{}}; }
  static std::optional<Fault> check(const Options& options, std::size_t seat_count);
  static State setup(const Options& options, std::size_t seat_count, Chance<Deal>& chance);
  static Deal deal(const State& start, const State& end);
  static Decisions decisions(const State& state);
  static void legal(const State& state, Seat seat, std::vector<Action>& acts);
  static std::optional<Fault> check(const State& state, Seat seat, const Action& action);
  static void apply(State& state, Seat seat, const Action& action);
  static void lapse(State& state, DecisionId decision);
  static std::optional<Result> result(const State& state);
  static void verify(const State& state);
  static TableView table_view(const State& state);
  static const Events& happened(const State& state) { return state.happened; }
  static SeatView seat_view(const State& state, Eye eye);
  static std::optional<Action> answer(const State& state, Eye eye);
  static std::optional<int> points(const State& state, Seat seat) { return state.points[seat]; }
  static std::optional<int> preview(const TableView& table, const SeatView& mine,
                                    const Action& action);
  static std::optional<Action> choose(const TableView& table, const SeatView& mine,
                                      const std::vector<Action>& legal, Rng& rng);
  static void imagine(State& state, Viewer viewer, Rng& rng);
};
static_assert(Game<Rules>);

}  // namespace triquetra::bids
