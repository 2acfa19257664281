// Triqueta, its expansion Hidden Wolves and the duo game for two: the words of the game, and what
// may be done when. The numbers in comments are the statements of RULES.md.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/counts.hpp"
#include "engine/game.hpp"

namespace triquetra::triqueta {

// The material.

enum class Animal : std::uint8_t { rabbit, owl, deer, boar, ram, bear, wolf };
BOOST_DESCRIBE_ENUM(Animal, rabbit, owl, deer, boar, ram, bear, wolf)

enum class Back : std::uint8_t { light, shadow };
BOOST_DESCRIBE_ENUM(Back, light, shadow)

enum class Variant : std::uint8_t { base, wolves, duo };
BOOST_DESCRIBE_ENUM(Variant, base, wolves, duo)

/// What may become of a light token drawn: options 1 and 2 (T18, T20), in duo also 3 (V7).
enum class TokenOption : std::uint8_t { place, keep, discard };
BOOST_DESCRIBE_ENUM(TokenOption, place, keep, discard)

inline constexpr std::size_t kColumns = 5;
inline constexpr std::size_t kTowers = 4;
inline constexpr std::size_t kRounds = 4;
/// Face-down light tokens per player and game (T22).
inline constexpr std::size_t kDownLimit = 2;
/// The largest tower holds 20 tokens, so no row can hold more (W4).
inline constexpr std::size_t kRowLimit = 20;
inline constexpr std::size_t kLightTokens = 60;
inline constexpr std::size_t kShadowTokens = 15;
inline constexpr std::size_t kMostSeats = 5;
/// Three light tokens, and perhaps a shadow token under them (T7, W4).
inline constexpr std::size_t kColumnLimit = 4;

using TowerIndex = Int<0, 3>;
using ColumnIndex = Int<0, 4>;
using RowIndex = Int<0, 4>;
/// Which token of a draw, shadow tokens counted too.
using TokenIndex = Int<0, 1>;
using Round = Int<1, 4>;
using Points = Int<-99, 99>;

// Setup.

struct Options {
  Variant variant = Variant::base;
  /// Who holds the rock at first; drawn if absent (A1).
  std::optional<Int<0, 4>> first_seat;
  friend bool operator==(const Options&, const Options&) = default;
};
BOOST_DESCRIBE_STRUCT(Options, (), (variant, first_seat))

/// A token in writing: its animal, with "shadow-" before it if that is its back.
using TokenWord = Text<16>;

struct WrittenTowers {
  /// The tower of round 1 (T8, W5).
  TowerIndex first;
  /// Of each tower its five columns, each from top to bottom.
  List<List<List<TokenWord, kColumnLimit>, kColumns>, kTowers> columns;
  friend bool operator==(const WrittenTowers&, const WrittenTowers&) = default;
};
BOOST_DESCRIBE_STRUCT(WrittenTowers, (), (first, columns))

/// All that chance decides.
struct Deal {
  WrittenTowers towers;
  Int<0, 4> first_seat;
  friend bool operator==(const Deal&, const Deal&) = default;
};
BOOST_DESCRIBE_STRUCT(Deal, (), (towers, first_seat))

// What a seat may do.

/// Action A: take the top token of each of these columns, one after the other; one token, in duo
/// two (T15, V2).
struct Draw {
  static constexpr Tag kTag{"do", "draw"};
  List<ColumnIndex, 2> columns;
  friend bool operator==(const Draw&, const Draw&) = default;
};
BOOST_DESCRIBE_STRUCT(Draw, (), (columns))

/// Option 1 for a token drawn (T18).
struct Place {
  static constexpr Tag kTag{"do", "place"};
  TokenIndex token;
  RowIndex row;
  friend bool operator==(const Place&, const Place&) = default;
};
BOOST_DESCRIBE_STRUCT(Place, (), (token, row))

/// Option 2: face down in front of the drawer (T20).
struct Keep {
  static constexpr Tag kTag{"do", "keep"};
  TokenIndex token;
  friend bool operator==(const Keep&, const Keep&) = default;
};
BOOST_DESCRIBE_STRUCT(Keep, (), (token))

/// Option 3, duo only: into the box (V7).
struct Discard {
  static constexpr Tag kTag{"do", "discard"};
  TokenIndex token;
  friend bool operator==(const Discard&, const Discard&) = default;
};
BOOST_DESCRIBE_STRUCT(Discard, (), (token))

/// Action B: take a row and drop out of the round (T25).
struct Take {
  static constexpr Tag kTag{"do", "take"};
  RowIndex row;
  friend bool operator==(const Take&, const Take&) = default;
};
BOOST_DESCRIBE_STRUCT(Take, (), (row))

/// The tower of the next round, chosen by the holder of the rock (T40).
struct ChooseTower {
  static constexpr Tag kTag{"do", "tower"};
  TowerIndex tower;
  friend bool operator==(const ChooseTower&, const ChooseTower&) = default;
};
BOOST_DESCRIBE_STRUCT(ChooseTower, (), (tower))

/// The end decision: for each own face-down light token, in the order kept, whether it is added
/// rather than boxed (T43).
struct Reveal {
  static constexpr Tag kTag{"do", "reveal"};
  List<bool, kDownLimit> keep;
  friend bool operator==(const Reveal&, const Reveal&) = default;
};
BOOST_DESCRIBE_STRUCT(Reveal, (), (keep))

using Action = std::variant<Draw, Place, Keep, Discard, Take, ChooseTower, Reveal>;

// What everybody sees happen.

struct TokenCounts {
  Int<0, 60> light;
  Int<0, 15> shadow;
  friend bool operator==(const TokenCounts&, const TokenCounts&) = default;
};
BOOST_DESCRIBE_STRUCT(TokenCounts, (), (light, shadow))

/// A shadow token drawn goes face down in front of the drawer with this; no other event says so
/// (W9).
struct Drew {
  static constexpr Tag kTag{"event", "drew"};
  Seat seat;
  List<ColumnIndex, 2> columns;
  List<Back, 2> backs;
  friend bool operator==(const Drew&, const Drew&) = default;
};
BOOST_DESCRIBE_STRUCT(Drew, (), (seat, columns, backs))

struct Placed {
  static constexpr Tag kTag{"event", "placed"};
  Seat seat;
  TokenIndex token;
  RowIndex row;
  Shown<Animal> animal;
  friend bool operator==(const Placed&, const Placed&) = default;
};
BOOST_DESCRIBE_STRUCT(Placed, (), (seat, token, row, animal))

struct Kept {
  static constexpr Tag kTag{"event", "kept"};
  Seat seat;
  TokenIndex token;
  friend bool operator==(const Kept&, const Kept&) = default;
};
BOOST_DESCRIBE_STRUCT(Kept, (), (seat, token))

struct Discarded {
  static constexpr Tag kTag{"event", "discarded"};
  Seat seat;
  TokenIndex token;
  friend bool operator==(const Discarded&, const Discarded&) = default;
};
BOOST_DESCRIBE_STRUCT(Discarded, (), (seat, token))

struct Took {
  static constexpr Tag kTag{"event", "took"};
  Seat seat;
  RowIndex row;
  List<Shown<Animal>, kRowLimit> animals;
  friend bool operator==(const Took&, const Took&) = default;
};
BOOST_DESCRIBE_STRUCT(Took, (), (seat, row, animals))

/// `rock` is its new holder, `boxed` what was left in the tower (T37, T38).
struct RoundOver {
  static constexpr Tag kTag{"event", "round_over"};
  Round round;
  Seat rock;
  TokenCounts boxed;
  friend bool operator==(const RoundOver&, const RoundOver&) = default;
};
BOOST_DESCRIBE_STRUCT(RoundOver, (), (round, rock, boxed))

/// `round` is the one that begins.
struct TowerChosen {
  static constexpr Tag kTag{"event", "tower"};
  Seat seat;
  TowerIndex tower;
  Round round;
  friend bool operator==(const TowerChosen&, const TowerChosen&) = default;
};
BOOST_DESCRIBE_STRUCT(TowerChosen, (), (seat, tower, round))

struct Answered {
  static constexpr Tag kTag{"event", "answered"};
  Seat seat;
  friend bool operator==(const Answered&, const Answered&) = default;
};
BOOST_DESCRIBE_STRUCT(Answered, (), (seat))

/// `light` are the tokens added, `boxed` the number that were not, `shadow` all there were (T43,
/// W15).
struct Revealed {
  static constexpr Tag kTag{"event", "revealed"};
  Seat seat;
  List<Shown<Animal>, kDownLimit> light;
  Int<0, 2> boxed;
  List<Shown<Animal>, kShadowTokens> shadow;
  friend bool operator==(const Revealed&, const Revealed&) = default;
};
BOOST_DESCRIBE_STRUCT(Revealed, (), (seat, light, boxed, shadow))

struct GameOver {
  static constexpr Tag kTag{"event", "over"};
  List<Points, kMostSeats> totals;
  List<Seat, kMostSeats> winners;
  friend bool operator==(const GameOver&, const GameOver&) = default;
};
BOOST_DESCRIBE_STRUCT(GameOver, (), (totals, winners))

using Event = std::variant<Drew, Placed, Kept, Discarded, Took, RoundOver, TowerChosen, Answered,
                           Revealed, GameOver>;
/// The most is the last row of the last round: taken, the round over, all reveal, the game over.
using Events = List<Event, kMostSeats + 3>;

// Scoring.

/// What a collection is worth (T45-T52): how many of each animal, the points they give, and the
/// rest.
struct ScoreSheet {
  Counts<Animal> counts;
  Counts<Animal> points;
  Int<0, 1> rock;
  Int<0, 3> trees;
  Points total;
  /// All animal tokens, for ties (T54).
  Int<0, 75> tokens;
  friend bool operator==(const ScoreSheet&, const ScoreSheet&) = default;
};
BOOST_DESCRIBE_STRUCT(ScoreSheet, (), (counts, points, rock, trees, total, tokens))

/// The value on the token (T2, W2).
constexpr int printed_value(Animal animal) { return 5 + static_cast<int>(animal); }
/// The points for `count` tokens of an animal (T45-T49).
constexpr int points_for(Animal animal, int count) {
  if (count < 3) return count;
  if (count == 3) return printed_value(animal);
  return -(count - 3);
}
/// The sheet of somebody who owns these tokens, this many tree tiles (0-3) and perhaps the rock.
ScoreSheet score(const Counts<Animal>& tokens, bool has_rock, int trees);
/// Everybody's, by seat.
using ScoreSheets = List<ScoreSheet, kMostSeats>;
/// The seats that win (T53-T55). Looks at total and tokens only.
List<Seat, kMostSeats> winners(const ScoreSheets& sheets);

// The state.

struct Token {
  Back back{};
  Secret<Animal> face;
  friend bool operator==(const Token&, const Token&) = default;
};

/// How many of these there are by back.
TokenCounts count_backs(std::span<const Token> tokens);

/// From bottom to top: the last token is the accessible one (W7).
using Column = List<Token, kColumnLimit>;

struct Tower {
  std::array<Column, kColumns> columns;
  /// A tower with a tree tile waits for its round (T8).
  bool has_tree = false;
  friend bool operator==(const Tower&, const Tower&) = default;
};

struct Row {
  List<Token, kRowLimit> tokens;
  /// Whoever has its marker, and so is out of the round (T28).
  std::optional<Seat> taken_by;
  friend bool operator==(const Row&, const Row&) = default;
};

struct Player {
  /// What lies open, where only numbers matter (T29): light tokens, and shadow tokens at the end.
  Counts<Animal> light_up;
  Counts<Animal> shadow_up;
  /// Face-down light tokens, in the order kept.
  List<Token, kDownLimit> down;
  /// Face-down shadow tokens, in the order drawn.
  List<Token, kShadowTokens> shadow;
  int trees = 0;
  friend bool operator==(const Player&, const Player&) = default;
};

/// What lies open in front of a player.
Counts<Animal> all_up(const Player& player);

// The stages, each with what exists only in it.

/// The seat draws or takes a row (T13).
struct Acting {
  Seat seat;
  friend bool operator==(const Acting&, const Acting&) = default;
};

struct DrawnToken {
  TokenIndex index;
  Token token;
  friend bool operator==(const DrawnToken&, const DrawnToken&) = default;
};

/// The seat decides about the light tokens it drew (T17, V6).
struct Resolving {
  Seat seat;
  List<DrawnToken, 2> tokens;
  /// What the first of two tokens got (V8).
  std::optional<TokenOption> used;
  friend bool operator==(const Resolving&, const Resolving&) = default;
};

/// The seat picks the next tower (T40).
struct ChoosingTower {
  Seat seat;
  friend bool operator==(const ChoosingTower&, const ChoosingTower&) = default;
};

/// Whoever has face-down light tokens decides about them in secret (T43, A16).
struct Revealing {
  SeatSet waiting;
  SeatMap<std::optional<Reveal>, kMostSeats> answers;
  friend bool operator==(const Revealing&, const Revealing&) = default;
};

struct Over {
  friend bool operator==(const Over&, const Over&) = default;
};

using Stage = std::variant<Acting, Resolving, ChoosingTower, Revealing, Over>;

struct State {
  Options options;
  Round round;
  Seat rock;
  std::array<Tower, kTowers> towers;
  /// The tower of this round; none between rounds.
  std::optional<TowerIndex> current;
  List<Row, kMostSeats> rows;
  SeatMap<Player, kMostSeats> players;
  /// Everything out of the game.
  List<Token, kLightTokens + kShadowTokens> box;
  Stage stage;
  DecisionId decision;
  Events happened;
  friend bool operator==(const State&, const State&) = default;
};
static_assert(std::is_trivially_copyable_v<State>);

// What is known.

enum class Phase : std::uint8_t { turn, resolve, tower, reveal, over };
BOOST_DESCRIBE_ENUM(Phase, turn, resolve, tower, reveal, over)

/// `light` and `shadow` are what is left per column (A4).
struct TowerView {
  TowerIndex id;
  List<Int<0, 3>, kColumns> light;
  List<Int<0, 1>, kColumns> shadow;
  friend bool operator==(const TowerView&, const TowerView&) = default;
};
BOOST_DESCRIBE_STRUCT(TowerView, (), (id, light, shadow))

/// A row in the order of placing; empty once it is taken.
struct RowView {
  List<Shown<Animal>, kRowLimit> tokens;
  std::optional<Seat> taken_by;
  friend bool operator==(const RowView&, const RowView&) = default;
};
BOOST_DESCRIBE_STRUCT(RowView, (), (tokens, taken_by))

/// Drawn light tokens without a place yet; `used` is what the first of two got.
struct PendingView {
  List<TokenIndex, 2> tokens;
  std::optional<TokenOption> used;
  friend bool operator==(const PendingView&, const PendingView&) = default;
};
BOOST_DESCRIBE_STRUCT(PendingView, (), (tokens, used))

/// A seat as everybody sees it. `row` is the one it took this round.
struct SeatTable {
  Counts<Animal> up;
  Int<0, 2> down;
  Int<0, 15> shadow;
  Int<0, 3> trees;
  std::optional<RowIndex> row;
  friend bool operator==(const SeatTable&, const SeatTable&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatTable, (), (up, down, shadow, trees, row))

struct TableView {
  Phase phase = Phase::turn;
  Round round;
  Seat rock;
  /// Whose turn it is, in the phases turn and resolve.
  std::optional<Seat> turn;
  std::optional<TowerView> tower;
  List<TowerIndex, 3> waiting;
  List<RowView, kMostSeats> rows;
  std::optional<PendingView> pending;
  TokenCounts box;
  List<SeatTable, kMostSeats> seats;
  /// By seat, and who won: when the game is over.
  std::optional<ScoreSheets> scores;
  std::optional<List<Seat, kMostSeats>> winners;
  friend bool operator==(const TableView&, const TableView&) = default;
};
BOOST_DESCRIBE_STRUCT(TableView, (),
                      (phase, round, rock, turn, tower, waiting, rows, pending, box, seats, scores,
                       winners))

struct DrawnView {
  TokenIndex token;
  Seen<Animal> animal;
  friend bool operator==(const DrawnView&, const DrawnView&) = default;
};
BOOST_DESCRIBE_STRUCT(DrawnView, (), (token, animal))

/// What a seat knows beyond the table: its face-down tokens, and those it drew and must decide
/// about.
struct SeatView {
  Seat seat;
  List<Seen<Animal>, kDownLimit> down;
  List<Seen<Animal>, kShadowTokens> shadow;
  List<DrawnView, 2> drawn;
  friend bool operator==(const SeatView&, const SeatView&) = default;
};
BOOST_DESCRIBE_STRUCT(SeatView, (), (seat, down, shadow, drawn))

/// The game, as engine/game.hpp wants it; that page says what each function promises.
struct Rules {
  using Options = triqueta::Options;
  using Deal = triqueta::Deal;
  using State = triqueta::State;
  using Action = triqueta::Action;
  using Event = triqueta::Event;
  using Events = triqueta::Events;
  using TableView = triqueta::TableView;
  using SeatView = triqueta::SeatView;

  static constexpr std::string_view kName = "triqueta";
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
  /// Never called: the game opens no windows.
  static void lapse(State& state, DecisionId decision);
  static std::optional<Result> result(const State& state);
  static void verify(const State& state);

  static TableView table_view(const State& state);
  static const Events& happened(const State& state) { return state.happened; }
  static SeatView seat_view(const State& state, Eye eye);
  static std::optional<Action> answer(const State& state, Eye eye);

  /// With the best end decision (T43), and without the rock once its holder is out of the round:
  /// somebody else takes the last row (T37).
  static std::optional<int> points(const State& state, Seat seat);
  /// All but draw, whose outcome is hidden.
  static std::optional<int> preview(const TableView& table, const SeatView& mine,
                                    const Action& action);
  /// place: what taking that row would then bring, without the rock.
  /// reveal: what the tokens added bring, against boxing them all.
  static std::optional<int> worth(const TableView& table, const SeatView& mine,
                                  const Action& action);
  /// Greedy: what looks best one act ahead; draws no numbers, so equal views give equal acts.
  static std::optional<Action> choose(const TableView& table, const SeatView& mine,
                                      const std::vector<Action>& legal, Rng& rng);

  static void imagine(State& state, Viewer viewer, Rng& rng);
};

}  // namespace triquetra::triqueta
