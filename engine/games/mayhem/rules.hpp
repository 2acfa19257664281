// Triangle Mayhem: the words of the game, and what may be done when. The numbers in comments are
// the statements of RULES.md.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/game.hpp"
#include "engine/triangles_deck.hpp"

namespace triquetra::mayhem {

using triangles::CardCode;
using triangles::kPieces;
using triangles::Piece;

// The material.

/// The most seats (M2).
inline constexpr std::size_t kMostSeats = 8;
/// Cards in a hand, and plays in a turn (M3, M5).
inline constexpr std::size_t kHandSize = 3;
inline constexpr std::size_t kTriangleSize = 3;
inline constexpr std::size_t kTriangles = kPieces / kTriangleSize;

/// The name of a triangle: counts up from 1 and is never used again. With unchecked claims every
/// piece may start one.
using TriangleId = Int<1, 81>;
using CardCount = Int<0, 81>;
using HandCount = Int<0, 3>;
using TriangleCount = Int<0, 27>;
/// All triangles wrong (M24), and all of them pure (M23).
using Points = Int<-81, 162>;

/// Does the server refuse what does not fit (M6-M8), or may players be wrong (M24)?
enum class Claims : std::uint8_t { checked, unchecked };
BOOST_DESCRIBE_ENUM(Claims, checked, unchecked)

// Setup.

/// How long drawn cards may be played fast; 0 is never (M20, M21).
using WindowLength = Int<0, 30'000>;

struct Options {
  WindowLength window_ms = 3000;
  Claims claims = Claims::checked;
  /// Who begins; drawn if absent (M4).
  std::optional<Int<0, 7>> first_seat;
  friend bool operator==(const Options&, const Options&) = default;
};
BOOST_DESCRIBE_STRUCT(Options, (), (window_ms, claims, first_seat))

/// All that chance decides.
struct Deal {
  /// From the top; dealt singly and clockwise from the first seat (M3).
  List<CardCode, kPieces> deck;
  Int<0, 7> first_seat;
  friend bool operator==(const Deal&, const Deal&) = default;
};
BOOST_DESCRIBE_STRUCT(Deal, (), (deck, first_seat))

// What a seat may do.

/// A card of the own hand onto an open triangle, or, without one, to start another (M5, M16).
struct Play {
  static constexpr Tag kTag{"do", "play"};
  Piece card;
  std::optional<TriangleId> onto;
  friend bool operator==(const Play&, const Play&) = default;
};
BOOST_DESCRIBE_STRUCT(Play, (), (card, onto))

/// The end of the turn (M14).
struct End {
  static constexpr Tag kTag{"do", "end"};
  friend bool operator==(const End&, const End&) = default;
};
BOOST_DESCRIBE_STRUCT(End, (), ())

/// The holder of the window gives it up (M20).
struct Lapse {
  static constexpr Tag kTag{"do", "lapse"};
  friend bool operator==(const Lapse&, const Lapse&) = default;
};
BOOST_DESCRIBE_STRUCT(Lapse, (), ())

using Action = std::variant<Play, End, Lapse>;

// What everybody sees happen.

/// Whether a play was the first, second or third piece of its triangle. `continue` is no word for
/// code, so the wire says `extend`.
enum class How : std::uint8_t { start, extend, complete };
BOOST_DESCRIBE_ENUM(How, start, extend, complete)

struct Played {
  static constexpr Tag kTag{"event", "play"};
  Seat seat;
  Shown<Piece> card;
  TriangleId triangle;
  How how{};
  bool fast{};
  friend bool operator==(const Played&, const Played&) = default;
};
BOOST_DESCRIBE_STRUCT(Played, (), (seat, card, triangle, how, fast))

/// Somebody takes a triangle; what it is worth is said only where claims are checked (M12, M22).
struct Taken {
  static constexpr Tag kTag{"event", "triangle"};
  Seat seat;
  TriangleId triangle;
  List<Shown<Piece>, kTriangleSize> cards;
  std::optional<bool> pure;
  std::optional<Int<3, 6>> points;
  friend bool operator==(const Taken&, const Taken&) = default;
};
BOOST_DESCRIBE_STRUCT(Taken, (), (seat, triangle, cards, pure, points))

struct Ended {
  static constexpr Tag kTag{"event", "end"};
  Seat seat;
  friend bool operator==(const Ended&, const Ended&) = default;
};
BOOST_DESCRIBE_STRUCT(Ended, (), (seat))

/// Which cards is in the view of their owner alone.
struct Drew {
  static constexpr Tag kTag{"event", "draw"};
  Seat seat;
  Int<1, 3> count;
  friend bool operator==(const Drew&, const Drew&) = default;
};
BOOST_DESCRIBE_STRUCT(Drew, (), (seat, count))

/// A seat without cards is passed over (M15).
struct Skipped {
  static constexpr Tag kTag{"event", "skip"};
  Seat seat;
  friend bool operator==(const Skipped&, const Skipped&) = default;
};
BOOST_DESCRIBE_STRUCT(Skipped, (), (seat))

struct TurnBegan {
  static constexpr Tag kTag{"event", "turn"};
  Seat seat;
  friend bool operator==(const TurnBegan&, const TurnBegan&) = default;
};
BOOST_DESCRIBE_STRUCT(TurnBegan, (), (seat))

/// `cards` of the seat's hand may be played fast (M19).
struct WindowOpened {
  static constexpr Tag kTag{"event", "window_open"};
  Seat seat;
  Int<1, 3> cards;
  friend bool operator==(const WindowOpened&, const WindowOpened&) = default;
};
BOOST_DESCRIBE_STRUCT(WindowOpened, (), (seat, cards))

/// Why a window closes (M20): a play of the seat on turn, its time or its holder, no card left.
enum class Closing : std::uint8_t { move, lapse, spent };
BOOST_DESCRIBE_ENUM(Closing, move, lapse, spent)

struct WindowClosed {
  static constexpr Tag kTag{"event", "window_close"};
  Seat seat;
  Closing reason{};
  friend bool operator==(const WindowClosed&, const WindowClosed&) = default;
};
BOOST_DESCRIBE_STRUCT(WindowClosed, (), (seat, reason))

struct GameOver {
  static constexpr Tag kTag{"event", "over"};
  List<Points, kMostSeats> scores;
  List<Seat, kMostSeats> winners;
  friend bool operator==(const GameOver&, const GameOver&) = default;
};
BOOST_DESCRIBE_STRUCT(GameOver, (), (scores, winners))

using Event = std::variant<Played, Taken, Ended, Drew, Skipped, TurnBegan, WindowOpened,
                           WindowClosed, GameOver>;
/// As many as at the end of a turn: it ends, a draw, every other seat skipped, a turn and a window.
using Events = List<Event, 4 + kMostSeats>;

// Triangles and scores.

/// Pieces of one cut with different numbers: a triangle, or one in the making (M6).
bool is_right(std::span<const Piece> pieces);
/// May the piece join these (M7)?
bool fits(const Piece& piece, std::span<const Piece> pieces);
/// One colour (M22).
bool is_pure(std::span<const Piece> pieces);

/// What a seat has taken, and what that is worth (M22-M24). `wrong` triangles and pieces `left` on
/// the table because of them exist only where claims are unchecked.
struct ScoreSheet {
  TriangleCount pure;
  TriangleCount unpure;
  std::optional<TriangleCount> wrong;
  std::optional<CardCount> left;
  Points points;
  friend bool operator==(const ScoreSheet&, const ScoreSheet&) = default;
};
BOOST_DESCRIBE_STRUCT(ScoreSheet, (), (pure, unpure, wrong, left, points))

/// The points for a right triangle (M23).
int points_for(std::span<const Piece> triangle);

// The state.

using Card = Secret<Piece>;
using Hand = List<Card, kHandSize>;

struct OpenTriangle {
  TriangleId id;
  /// All public.
  List<Card, kTriangleSize - 1> cards;
  friend bool operator==(const OpenTriangle&, const OpenTriangle&) = default;
};

struct TakenTriangle {
  Seat owner;
  std::array<Piece, kTriangleSize> pieces;
  friend bool operator==(const TakenTriangle&, const TakenTriangle&) = default;
};

/// Everybody's sheet by seat, from the triangles taken, in that order, and the triangles left on
/// the table (M22-M24).
List<ScoreSheet, kMostSeats> score(Claims claims, std::size_t seat_count,
                                   std::span<const TakenTriangle> taken,
                                   std::span<const OpenTriangle> table);
/// The seats with most points (M27).
List<Seat, kMostSeats> winners(std::span<const ScoreSheet> sheets);

/// Beside the turn that follows (M19). The last `cards` of the holder's hand are those just drawn.
struct FastWindow {
  DecisionId id;
  Seat seat;
  std::size_t cards = 0;
  friend bool operator==(const FastWindow&, const FastWindow&) = default;
};

/// A turn, with what has been played in it.
struct Playing {
  DecisionId id;
  Seat seat;
  std::size_t played = 0;
  std::optional<FastWindow> window;
  friend bool operator==(const Playing&, const Playing&) = default;
};

struct Over {
  friend bool operator==(const Over&, const Over&) = default;
};

using Stage = std::variant<Over, Playing>;

struct State {
  Options options;
  Stage stage;
  /// Each in the order drawn.
  SeatMap<Hand, kMostSeats> hands;
  /// From the bottom up: the last one is drawn next.
  List<Card, kPieces> pile;
  /// With unchecked claims every piece may stand alone.
  List<OpenTriangle, kPieces> table;
  /// In the order taken.
  List<TakenTriangle, kTriangles> taken;
  std::uint32_t last_decision = 0;
  int last_triangle = 0;
  Events happened;
  friend bool operator==(const State&, const State&) = default;
};

// What is known.

struct TriangleView {
  TriangleId id;
  List<Shown<Piece>, 2> cards;
  friend bool operator==(const TriangleView&, const TriangleView&) = default;
};
BOOST_DESCRIBE_STRUCT(TriangleView, (), (id, cards))

/// `cards` of the hand of `seat` may be played fast.
struct WindowView {
  Seat seat;
  Int<1, 3> cards;
  friend bool operator==(const WindowView&, const WindowView&) = default;
};
BOOST_DESCRIBE_STRUCT(WindowView, (), (seat, cards))

/// A seat as everybody sees it. There is no sheet as long as claims may still turn out wrong.
struct SeatTable {
  HandCount cards;
  TriangleCount triangles;
  std::optional<ScoreSheet> sheet;
  friend bool operator==(const SeatTable&, const SeatTable&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatTable, (), (cards, triangles, sheet))

struct TableView {
  Claims claims{};
  WindowLength window_ms;
  /// Whose turn it is, until the game is over, and how many cards it has played.
  std::optional<Seat> turn;
  HandCount played;
  CardCount pile;
  List<TriangleView, kPieces> triangles;
  std::optional<WindowView> window;
  List<SeatTable, kMostSeats> seats;
  std::optional<List<Seat, kMostSeats>> winners;
  friend bool operator==(const TableView&, const TableView&) = default;
};
BOOST_DESCRIBE_STRUCT(TableView, (),
                      (claims, window_ms, turn, played, pile, triangles, window, seats, winners))

/// What a seat knows beyond the table: its hand, what of it may be played fast (both sorted), and
/// what it has just drawn, in that order.
struct SeatView {
  Seat seat;
  List<Seen<Piece>, kHandSize> hand;
  List<Seen<Piece>, kHandSize> fast;
  List<Seen<Piece>, kHandSize> drew;
  friend bool operator==(const SeatView&, const SeatView&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatView, (), (seat, hand, fast, drew))

/// The game, as engine/game.hpp wants it; that page says what each function promises.
struct Rules {
  using Options = mayhem::Options;
  using Deal = mayhem::Deal;
  using State = mayhem::State;
  using Action = mayhem::Action;
  using Event = mayhem::Event;
  using Events = mayhem::Events;
  using TableView = mayhem::TableView;
  using SeatView = mayhem::SeatView;

  static constexpr std::string_view kName = "mayhem";
  static constexpr int kVersion = 1;
  static constexpr std::size_t kMinSeats = 2;
  static constexpr std::size_t kMaxSeats = kMostSeats;

  static std::vector<Options> variants();
  static std::optional<Fault> check(const Options& options, std::size_t seat_count);
  static State setup(const Options& options, std::size_t seat_count, Chance<Deal>& chance);
  static Deal deal(const State& first, const State& last);

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

  static std::optional<int> points(const State& state, Seat seat);
  /// None where claims are unchecked: a hint would be the check.
  static std::optional<int> preview(const TableView& table, const SeatView& mine,
                                    const Action& action);
  /// Greedy: the best it can do with its hand in this turn; fast, only what gains points. Draws no
  /// numbers, so equal views give equal acts.
  static std::optional<Action> choose(const TableView& table, const SeatView& mine,
                                      const std::vector<Action>& legal, Rng& rng);

  static void imagine(State& state, Viewer viewer, Rng& rng);
};
static_assert(Game<Rules>);

}  // namespace triquetra::mayhem
