// 21/15/9-Card Triangles: the words of the game, and what may be done when. The numbers in comments
// are the statements of RULES.md.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/game.hpp"
#include "engine/triangles_deck.hpp"

namespace triquetra::card_triangles {

using triangles::CardCode;
using triangles::Color;
using triangles::Cut;
using triangles::Number;
using triangles::Piece;

// The material.

/// The most seats (C2).
inline constexpr std::size_t kMostSeats = 6;
inline constexpr std::size_t kJokers = 9;
inline constexpr std::size_t kCards = triangles::kPieces + kJokers;
inline constexpr std::size_t kLargestHand = 21;
/// A draw makes a hand larger than dealt, for the moment of choosing a discard (C6).
inline constexpr std::size_t kHandLimit = kLargestHand + 1;
/// What is saved came out of the hand and left it smaller, so it is never more than was dealt.
inline constexpr std::size_t kSavedLimit = kLargestHand;
/// Turns without a triangle or a joker, for each seat, after which the game ends (C40).
inline constexpr std::size_t kIdleTurnsPerSeat = 60;
/// A reshuffle takes at least 29 draws, and every triangle or joker makes somebody's hand smaller,
/// or is a theft by one of nine jokers: at most 60 + 9 of them, and 360 idle turns between two.
inline constexpr std::size_t kReshuffleLimit = 1000;

/// A piece or, without a number, a joker: a whole triangle of one cut and colour (C1). Sorted by
/// cut, then number, then colour, the jokers last.
struct Card {
  Cut cut{};
  std::optional<Number> number;
  Color color{};
  friend bool operator==(const Card&, const Card&) = default;
  friend std::strong_ordering operator<=>(const Card& a, const Card& b) {
    return a.rank() <=> b.rank();
  }

 private:
  int rank() const {
    constexpr int kFields = 4;
    const int joker = number ? 0 : 1;
    return ((joker * kFields + static_cast<int>(cut)) * kFields + (number ? int{*number} : 0)) *
               kFields +
           static_cast<int>(color);
  }
};
BOOST_DESCRIBE_STRUCT(Card, (), (cut, number, color))

/// What a joker in an act is called by.
struct JokerName {
  Cut cut{};
  Color color{};
  friend bool operator==(const JokerName&, const JokerName&) = default;
};
BOOST_DESCRIBE_STRUCT(JokerName, (), (cut, color))

enum class DrawFrom : std::uint8_t { pile, discard };
BOOST_DESCRIBE_ENUM(DrawFrom, pile, discard)

enum class PieceFrom : std::uint8_t { hand, saved };
BOOST_DESCRIBE_ENUM(PieceFrom, hand, saved)

/// provable: "last round" may be called only if a sure way to finish exists (C29).
enum class Call : std::uint8_t { provable, free };
BOOST_DESCRIBE_ENUM(Call, provable, free)

/// How the game ended (C31, C39, C40).
enum class Reason : std::uint8_t { played_out, last_standing, all_out, idle };
BOOST_DESCRIBE_ENUM(Reason, played_out, last_standing, all_out, idle)

using SeatNumber = Int<0, 5>;

// Setup.

struct Options {
  /// Who starts; drawn if absent (C4).
  std::optional<SeatNumber> first_seat;
  /// The caller may complete any number of triangles in his last turn (C32).
  bool caller_multi = false;
  Call call = Call::provable;
  friend bool operator==(const Options&, const Options&) = default;
};
BOOST_DESCRIBE_STRUCT(Options, (), (first_seat, caller_multi, call))

/// Cards in writing, the next one first: "v2r" is the red vertical 2, "vJr" the red vertical joker.
using WrittenCards = List<CardCode, kCards>;

/// All that chance decides: the deck before the deal (C3), and every new draw pile (C9).
struct Deal {
  WrittenCards deck;
  SeatNumber first_seat;
  LongList<WrittenCards, kReshuffleLimit> reshuffles;
  friend bool operator==(const Deal&, const Deal&) = default;
};
BOOST_DESCRIBE_STRUCT(Deal, (), (deck, first_seat, reshuffles))

// What a seat may do.

/// The top card of a pile into the hand (C6).
struct Draw {
  static constexpr Tag kTag{"do", "draw"};
  DrawFrom from{};
  friend bool operator==(const Draw&, const Draw&) = default;
};
BOOST_DESCRIBE_STRUCT(Draw, (), (from))

/// A card of the hand onto the discard pile (C6, C8).
struct Discard {
  static constexpr Tag kTag{"do", "discard"};
  Card card;
  friend bool operator==(const Discard&, const Discard&) = default;
};
BOOST_DESCRIBE_STRUCT(Discard, (), (card))

struct ChosenPiece {
  Piece card;
  PieceFrom from{};
  friend bool operator==(const ChosenPiece&, const ChosenPiece&) = default;
};
BOOST_DESCRIBE_STRUCT(ChosenPiece, (), (card, from))

/// The pieces 1, 2 and 3 of one cut, and which of those from the hand are saved, both in the order
/// of their numbers (C11-C17).
struct Complete {
  static constexpr Tag kTag{"do", "complete"};
  List<ChosenPiece, 3> pieces;
  List<Piece, 3> save;
  friend bool operator==(const Complete&, const Complete&) = default;
};
BOOST_DESCRIBE_STRUCT(Complete, (), (pieces, save))

/// A saved piece of somebody else (C20).
struct Theft {
  Seat seat;
  Piece card;
  friend bool operator==(const Theft&, const Theft&) = default;
};
BOOST_DESCRIBE_STRUCT(Theft, (), (seat, card))

/// A joker of the hand, with or without a theft (C20).
struct Joker {
  static constexpr Tag kTag{"do", "joker"};
  JokerName card;
  std::optional<Theft> steal;
  friend bool operator==(const Joker&, const Joker&) = default;
};
BOOST_DESCRIBE_STRUCT(Joker, (), (card, steal))

/// The end of the turn, and whether "last round" is called with it (C27).
struct End {
  static constexpr Tag kTag{"do", "end"};
  bool last_round = false;
  friend bool operator==(const End&, const End&) = default;
};
BOOST_DESCRIBE_STRUCT(End, (), (last_round))

using Action = std::variant<Draw, Discard, Complete, Joker, End>;

// What everybody sees happen.

/// The card only if it came from the discard pile, where everybody had seen it.
struct Drew {
  static constexpr Tag kTag{"event", "drew"};
  Seat seat;
  DrawFrom from{};
  Shown<Card> card;
  friend bool operator==(const Drew&, const Drew&) = default;
};
BOOST_DESCRIBE_STRUCT(Drew, (), (seat, from, card))

struct Discarded {
  static constexpr Tag kTag{"event", "discarded"};
  Seat seat;
  Shown<Card> card;
  friend bool operator==(const Discarded&, const Discarded&) = default;
};
BOOST_DESCRIBE_STRUCT(Discarded, (), (seat, card))

struct ShownPiece {
  Shown<Card> card;
  PieceFrom from{};
  friend bool operator==(const ShownPiece&, const ShownPiece&) = default;
};
BOOST_DESCRIBE_STRUCT(ShownPiece, (), (card, from))

/// `saved` and `discarded` are the pieces from the hand, in the order of their numbers.
struct Completed {
  static constexpr Tag kTag{"event", "completed"};
  Seat seat;
  List<ShownPiece, 3> pieces;
  bool pure = false;
  List<Shown<Card>, 3> saved;
  List<Shown<Card>, 2> discarded;
  friend bool operator==(const Completed&, const Completed&) = default;
};
BOOST_DESCRIBE_STRUCT(Completed, (), (seat, pieces, pure, saved, discarded))

struct PlayedJoker {
  static constexpr Tag kTag{"event", "joker"};
  Seat seat;
  Shown<Card> card;
  friend bool operator==(const PlayedJoker&, const PlayedJoker&) = default;
};
BOOST_DESCRIBE_STRUCT(PlayedJoker, (), (seat, card))

struct Stole {
  static constexpr Tag kTag{"event", "stole"};
  Seat seat;
  Seat victim;
  Shown<Card> card;
  friend bool operator==(const Stole&, const Stole&) = default;
};
BOOST_DESCRIBE_STRUCT(Stole, (), (seat, victim, card))

struct Ended {
  static constexpr Tag kTag{"event", "ended"};
  Seat seat;
  friend bool operator==(const Ended&, const Ended&) = default;
};
BOOST_DESCRIBE_STRUCT(Ended, (), (seat))

/// This seat has called it (C27).
struct LastRound {
  static constexpr Tag kTag{"event", "last_round"};
  Seat seat;
  friend bool operator==(const LastRound&, const LastRound&) = default;
};
BOOST_DESCRIBE_STRUCT(LastRound, (), (seat))

/// Nobody has won in the round that this seat had called (C33).
struct LastRoundOver {
  static constexpr Tag kTag{"event", "last_round_over"};
  Seat seat;
  friend bool operator==(const LastRoundOver&, const LastRoundOver&) = default;
};
BOOST_DESCRIBE_STRUCT(LastRoundOver, (), (seat))

/// This seat is out, and these cards are with it (C36, C37).
struct DeadEnd {
  static constexpr Tag kTag{"event", "dead_end"};
  Seat seat;
  List<Shown<Card>, 2> hand;
  List<Shown<Card>, kSavedLimit> saved;
  friend bool operator==(const DeadEnd&, const DeadEnd&) = default;
};
BOOST_DESCRIBE_STRUCT(DeadEnd, (), (seat, hand, saved))

struct TurnBegan {
  static constexpr Tag kTag{"event", "turn"};
  Seat seat;
  friend bool operator==(const TurnBegan&, const TurnBegan&) = default;
};
BOOST_DESCRIBE_STRUCT(TurnBegan, (), (seat))

/// This many discards are the draw pile now (C9).
struct Reshuffled {
  static constexpr Tag kTag{"event", "reshuffled"};
  Int<0, 90> count;
  friend bool operator==(const Reshuffled&, const Reshuffled&) = default;
};
BOOST_DESCRIBE_STRUCT(Reshuffled, (), (count))

struct GameOver {
  static constexpr Tag kTag{"event", "over"};
  List<Seat, kMostSeats> winners;
  Reason reason{};
  friend bool operator==(const GameOver&, const GameOver&) = default;
};
BOOST_DESCRIBE_STRUCT(GameOver, (), (winners, reason))

using Event = std::variant<Drew, Discarded, Completed, PlayedJoker, Stole, Ended, LastRound,
                           LastRoundOver, DeadEnd, TurnBegan, Reshuffled, GameOver>;
/// As many as at the end of a turn: it ends, a last round is over and another called, everybody is
/// out, the round is over that way, a turn begins with a reshuffle.
using Events = List<Event, 6 + kMostSeats>;

// The state.

template <std::size_t MaxSize>
using Cards = List<Secret<Card>, MaxSize>;

struct Player {
  /// In the order in which they came.
  Cards<kHandLimit> hand;
  /// Face up (C18).
  Cards<kSavedLimit> saved;
  bool out = false;
  friend bool operator==(const Player&, const Player&) = default;
};

/// What a joker can match: a triangle's cut and, if it is pure, its colour (C22, C24).
struct Triangle {
  Cut cut{};
  std::optional<Color> color;
  friend bool operator==(const Triangle&, const Triangle&) = default;
};
BOOST_DESCRIBE_STRUCT(Triangle, (), (cut, color))

/// A turn, and what its seat has done in it.
struct Acting {
  Seat seat;
  /// Has drawn a card, and discarded one or is about to.
  bool drew = false;
  List<Triangle, kLargestHand> completed;
  /// Has played a joker, after which only jokers and the end may follow (C26).
  bool jokered = false;
  friend bool operator==(const Acting&, const Acting&) = default;
};

/// The turn of a seat that has drawn and must discard (C6). The card drawn is the last of its hand.
struct Discarding {
  Acting turn;
  friend bool operator==(const Discarding&, const Discarding&) = default;
};

struct Over {
  List<Seat, kMostSeats> winners;
  Reason reason{};
  friend bool operator==(const Over&, const Over&) = default;
};

using Stage = std::variant<Acting, Discarding, Over>;

/// The draw piles that have been made so far. A value of its own, for it grows with the game:
/// states share what was there before.
class Reshuffles {
 public:
  std::size_t size() const { return last_ ? last_->number : 0; }
  /// The next card first.
  void add(std::span<const Card> pile);
  /// From the first one on.
  std::vector<std::vector<Card>> all() const;
  friend bool operator==(const Reshuffles& one, const Reshuffles& other) {
    return one.last_ == other.last_ || one.all() == other.all();
  }

 private:
  struct Reshuffle {
    std::vector<Card> pile;
    std::shared_ptr<const Reshuffle> before;
    std::size_t number;
  };
  std::shared_ptr<const Reshuffle> last_;
};

struct State {
  Options options;
  Seat first_seat;
  SeatMap<Player, kMostSeats> players;
  /// The next card is the last.
  Cards<kCards> pile;
  /// The top is the last.
  Cards<kCards> discards;
  Cards<kJokers> jokers_played;
  /// Hands and saved pieces of those who are out.
  Cards<kCards> gone;
  /// Who has called the last round that is running.
  std::optional<Seat> caller;
  int turn_number = 1;
  /// Turns in a row without a triangle or a joker (C40).
  std::size_t idle_turns = 0;
  Chance<Deal> chance{Deal{}};
  Reshuffles reshuffles;
  Stage stage;
  DecisionId decision;
  Events happened;
  friend bool operator==(const State&, const State&) = default;
};

// What can be made of a hand and saved pieces, whoever's turn it is.

/// Which of the 27 different pieces there are, however many copies.
class PieceKinds {
 public:
  PieceKinds() = default;
  explicit PieceKinds(std::span<const Piece> pieces) {
    for (const Piece& piece : pieces) insert(piece);
  }
  void insert(const Piece& piece) { bits_ |= 1U << triangles::kind_of(piece); }
  bool contains(const Piece& piece) const {
    return ((bits_ >> triangles::kind_of(piece)) & 1U) != 0;
  }
  bool empty() const { return bits_ == 0; }
  /// The colours that there are of a number, a bit for each.
  unsigned colors(Cut cut, Number number) const {
    return (bits_ >> triangles::kind_of({cut, number, {}})) & 0b111U;
  }
  /// How many different numbers there are of a cut.
  int numbers(Cut cut) const {
    return (colors(cut, 1) != 0 ? 1 : 0) + (colors(cut, 2) != 0 ? 1 : 0) +
           (colors(cut, 3) != 0 ? 1 : 0);
  }
  /// The colours of the pure triangles that there are of a cut, a bit for each.
  unsigned pure_colors(Cut cut) const { return colors(cut, 1) & colors(cut, 2) & colors(cut, 3); }
  friend bool operator==(const PieceKinds&, const PieceKinds&) = default;

 private:
  std::uint32_t bits_ = 0;
};

/// Per cut one without a colour, and one for each colour.
using Triangles = List<Triangle, 12>;

/// Whether someone with these cards and saved pieces has a sure way to empty the hand in one turn,
/// whatever is drawn; with `multi` any number of triangles in it, else one (C29).
bool can_finish(std::span<const Card> hand, const PieceKinds& saved, bool multi);
/// Whether no card could ever help someone with so many cards and these saved pieces (C36).
bool is_dead_end(std::size_t hand_size, const PieceKinds& saved);
/// The triangles that can be put together from these: per cut one without a colour, and every pure
/// one (C23).
Triangles triangles_in(const PieceKinds& saved);
/// The cut of the joker or its colour is that of the triangle (C22-C24).
bool matches(const JokerName& joker, const Triangle& triangle);
/// Adds to `acts` everything that can be completed from these, without regard to whose turn it is
/// (C11-C17).
void add_completions(std::vector<Action>& acts, const PieceKinds& hand, const PieceKinds& saved);

// What is known.

enum class Phase : std::uint8_t { main, discard, over };
BOOST_DESCRIBE_ENUM(Phase, main, discard, over)

/// A seat as everybody sees it: how many cards in the hand, and which pieces are saved, sorted.
struct SeatTable {
  Int<0, kHandLimit> hand;
  List<Shown<Card>, kSavedLimit> saved;
  bool out = false;
  friend bool operator==(const SeatTable&, const SeatTable&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatTable, (), (hand, saved, out))

struct TableView {
  Phase phase = Phase::main;
  std::optional<Seat> turn;
  Int<1, 100'000> turn_number;
  /// What the seat on turn has done: drawn, which triangles, and whether it is at its jokers.
  bool drew = false;
  List<Triangle, kLargestHand> completed;
  bool jokered = false;
  /// Who has called the last round that is running.
  std::optional<Seat> caller;
  Int<0, 90> pile;
  Int<0, 90> discards;
  /// The top of the discard pile; those below are not shown (C41).
  Shown<Card> top;
  List<Shown<Card>, kJokers> jokers_played;
  List<SeatTable, kMostSeats> seats;
  /// Turns until the game ends without a winner, unless somebody plays a triangle or a joker (C40).
  Int<0, 360> idle_left;
  /// When the game is over.
  std::optional<List<Seat, kMostSeats>> winners;
  std::optional<Reason> reason;
  friend bool operator==(const TableView&, const TableView&) = default;
};
BOOST_DESCRIBE_STRUCT(TableView, (),
                      (phase, turn, turn_number, drew, completed, jokered, caller, pile, discards,
                       top, jokers_played, seats, idle_left, winners, reason))

/// What a seat knows beyond the table: its hand, sorted, and while it must discard the card drawn.
struct SeatView {
  Seat seat;
  List<Seen<Card>, kHandLimit> hand;
  Seen<Card> drawn;
  friend bool operator==(const SeatView&, const SeatView&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatView, (), (seat, hand, drawn))

/// The game, as engine/game.hpp wants it; that page says what each function promises.
struct Rules {
  using Options = card_triangles::Options;
  using Deal = card_triangles::Deal;
  using State = card_triangles::State;
  using Action = card_triangles::Action;
  using Event = card_triangles::Event;
  using Events = card_triangles::Events;
  using TableView = card_triangles::TableView;
  using SeatView = card_triangles::SeatView;

  static constexpr std::string_view kName = "card_triangles";
  static constexpr int kVersion = 1;
  static constexpr std::size_t kMinSeats = 2;
  static constexpr std::size_t kMaxSeats = kMostSeats;

  static std::vector<Options> variants();
  static std::optional<Fault> check(const Options& options, std::size_t seat_count);
  static State setup(const Options& options, std::size_t seat_count, Chance<Deal>& chance);
  static Deal deal(const State& first, const State& last);

  static Decisions decisions(const State& state);
  static void legal(const State& state, Seat seat, std::vector<Action>& acts);
  /// Every act that is legal in some state, each once.
  static std::vector<Action> every_act();
  static std::optional<Fault> check(const State& state, Seat seat, const Action& action);
  static void apply(State& state, Seat seat, const Action& action);
  /// Never called: the game opens no windows.
  static void lapse(State& state, DecisionId decision);
  /// Without scores; without winners if nobody won (C39, C40).
  static std::optional<Result> result(const State& state);
  static void verify(const State& state);

  static TableView table_view(const State& state);
  static const Events& happened(const State& state) { return state.happened; }
  static SeatView seat_view(const State& state, Eye eye);
  /// Never any: the game has no ballots.
  static std::optional<Action> answer(const State& state, Eye eye);

  /// None: the game has no points.
  static std::optional<int> points(const State&, Seat) { return std::nullopt; }
  /// Never any: the game has no points.
  static std::optional<int> preview(const TableView& table, const SeatView& mine,
                                    const Action& action);
  /// Greedy: whatever leaves the hand that looks quickest to empty; draws no numbers.
  static std::optional<Action> choose(const TableView& table, const SeatView& mine,
                                      const std::vector<Action>& legal, Rng& rng);

  static void imagine(State& state, Viewer viewer, Rng& rng);
};

}  // namespace triquetra::card_triangles
