// What an act is worth, and a bot that plays by it. Both know what a person in the seat knows: the
// two views and nothing else.
#include "engine/games/triqueta/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace triquetra::triqueta {
namespace {

constexpr std::size_t kAnimals = Counts<Animal>::kSize;
constexpr int kLightOfEach = 10;

std::size_t index(int number) { return static_cast<std::size_t>(number); }

// Scores.

int points_of(const Counts<Animal>& tokens) {
  int points = 0;
  for (std::size_t i = 0; i < kAnimals; ++i) {
    const auto animal = static_cast<Animal>(i);
    points += points_for(animal, tokens[animal]);
  }
  return points;
}

/// What a seat owns: tokens that count in any case, and tokens that it may still box.
struct Collection {
  Counts<Animal> sure;
  List<Animal, kDownLimit + 1> optional;
};

/// The points with the best end decision (T43).
int best_points(const Collection& owned) {
  int best = points_of(owned.sure);
  for (std::size_t added = 1; added < std::size_t{1} << owned.optional.size(); ++added) {
    Counts<Animal> tokens = owned.sure;
    for (std::size_t i = 0; i < owned.optional.size(); ++i) {
      if (((added >> i) & 1U) != 0) ++tokens[owned.optional[i]];
    }
    best = std::max(best, points_of(tokens));
  }
  return best;
}

Collection own_collection(const TableView& table, const SeatView& mine) {
  Collection owned{table.seats[mine.seat.index()].up, {}};
  for (const Seen<Animal>& face : mine.shadow) ++owned.sure[*face.value()];
  for (const Seen<Animal>& face : mine.down) owned.optional.push_back(*face.value());
  return owned;
}

Counts<Animal> tokens_in(const RowView& row) {
  Counts<Animal> tokens;
  for (const Shown<Animal>& face : row.tokens) ++tokens[*face.value()];
  return tokens;
}

/// The points with these tokens added to a collection.
int points_with(Collection owned, const Counts<Animal>& tokens) {
  for (std::size_t i = 0; i < kAnimals; ++i) {
    const auto animal = static_cast<Animal>(i);
    owned.sure[animal] += tokens[animal];
  }
  return best_points(owned);
}

/// What these tokens would add to a collection.
int gain(const Collection& owned, const Counts<Animal>& tokens) {
  return points_with(owned, tokens) - best_points(owned);
}

int gain_by_keeping(Collection owned, Animal animal) {
  const int before = best_points(owned);
  owned.optional.push_back(animal);
  return best_points(owned) - before;
}

Animal drawn_animal(const SeatView& mine, TokenIndex token) {
  const auto found = std::find_if(mine.drawn.begin(), mine.drawn.end(),
                                  [&](const DrawnView& drawn) { return drawn.token == token; });
  ensure(found != mine.drawn.end(), "no such drawn token");
  return *found->animal.value();
}

int rows_left(const TableView& table) {
  return static_cast<int>(std::count_if(table.rows.begin(), table.rows.end(),
                                        [](const RowView& row) { return !row.taken_by; }));
}

/// What a seat's score changes by.
struct Preview {
  const TableView& table;
  const SeatView& mine;

  std::optional<int> operator()(const Draw&) const { return std::nullopt; }
  std::optional<int> operator()(const Place&) const { return 0; }
  std::optional<int> operator()(const Discard&) const { return 0; }
  std::optional<int> operator()(const Keep& keep) const {
    return gain_by_keeping(own_collection(table, mine), drawn_animal(mine, keep.token));
  }
  std::optional<int> operator()(const Take& take) const {
    // The rock goes to whoever takes the last row: for its holder, now or never (T37).
    const bool is_last = rows_left(table) == 1;
    const bool has_rock = table.rock == mine.seat;
    return gain(own_collection(table, mine), tokens_in(table.rows[index(take.row)])) +
           (is_last ? 1 : 0) - (has_rock ? 1 : 0);
  }
  std::optional<int> operator()(const ChooseTower&) const { return 1; }  // its tree (T51)
  std::optional<int> operator()(const Reveal& reveal) const {
    const Collection owned = own_collection(table, mine);
    return points_of(with(reveal)) - best_points(owned);
  }

  /// What is owned with this end decision.
  Counts<Animal> with(const Reveal& reveal) const {
    Counts<Animal> owned = own_collection(table, mine).sure;
    for (std::size_t i = 0; i < mine.down.size(); ++i) {
      if (reveal.keep[i]) ++owned[*mine.down[i].value()];
    }
    return owned;
  }
};

/// The points of what an act puts together.
struct Worth {
  const TableView& table;
  const SeatView& mine;

  template <class Act>
  std::optional<int> operator()(const Act&) const {
    return std::nullopt;
  }
  std::optional<int> operator()(const Place& place) const {
    Counts<Animal> row = tokens_in(table.rows[index(place.row)]);
    ++row[drawn_animal(mine, place.token)];
    return gain(own_collection(table, mine), row);
  }
  std::optional<int> operator()(const Reveal& reveal) const {
    const Counts<Animal> sure = own_collection(table, mine).sure;
    return points_of(Preview{table, mine}.with(reveal)) - points_of(sure);
  }
};

// The bot. It weighs a position by what the rows are worth to it and to the others, and a draw by
// the average over the light tokens that it has not seen.

/// How likely each other player leaves alone the row that this one wants most.
constexpr double kLeavesIt = 0.8;
/// How much a point for an average opponent hurts.
constexpr double kEnvy = 0.4;
/// What one of the two places for face-down tokens is worth, if it stays free.
constexpr double kFreePlace = 1.5;
/// What staying in the round is worth beyond the next token.
constexpr double kPatience = 1.0;

/// What each row still there would bring somebody.
using Gains = List<int, kMostSeats>;

/// Somebody who is still in, with what the rows would bring, counted once: an act changes one row.
struct Hopeful {
  Collection owned;
  int points = 0;
  Gains gains;
};

struct Position {
  Hopeful own;
  /// The others who are still in, by what everybody sees of them.
  List<Hopeful, kMostSeats> others;
  /// The rows still there.
  List<Counts<Animal>, kMostSeats> rows;
};

Position position_of(const TableView& table, const SeatView& mine) {
  Position position;
  for (const RowView& row : table.rows) {
    if (!row.taken_by) position.rows.push_back(tokens_in(row));
  }
  const auto hopeful = [&](const Collection& owned) {
    Hopeful made{owned, best_points(owned), {}};
    for (const auto& row : position.rows)
      made.gains.push_back(points_with(owned, row) - made.points);
    return made;
  };
  position.own = hopeful(own_collection(table, mine));
  for (std::size_t i = 0; i < table.seats.size(); ++i) {
    if (Seat(i) == mine.seat || table.seats[i].row) continue;
    position.others.push_back(hopeful(Collection{table.seats[i].up, {}}));
  }
  return position;
}

/// The points that somebody may hope for from rows with these gains when `rivals` choose before.
double hope(Gains gains, std::size_t rivals) {
  std::sort(gains.begin(), gains.end(), std::greater<>());
  double left = 1.0;
  double sum = 0.0;
  double is_there = 1.0;
  for (std::size_t i = 0; i < rivals; ++i) is_there *= kLeavesIt;
  for (std::size_t i = 0; i + 1 < gains.size(); ++i) {
    sum += left * is_there * gains[i];
    left *= 1.0 - is_there;
  }
  return sum + left * gains.back();
}

/// What the position is worth, given how each player's gains are to be seen.
template <class Seen>
double worth(const Position& position, const Seen& seen) {
  const std::size_t rivals = position.others.size();
  double others = 0.0;
  for (const Hopeful& other : position.others) others += hope(seen(other), rivals);
  const auto count = static_cast<double>(std::max<std::size_t>(1, rivals));
  return hope(seen(position.own), rivals) - kEnvy * others / count;
}

double worth(const Position& position) {
  return worth(position, [](const Hopeful& player) { return player.gains; });
}

double worth_of_placing(const Position& position, std::size_t row, Animal animal) {
  Counts<Animal> tokens = position.rows[row];
  ++tokens[animal];
  return worth(position, [&](const Hopeful& player) {
    Gains gains = player.gains;
    gains[row] = points_with(player.owned, tokens) - player.points;
    return gains;
  });
}

double worth_of_keeping(const Position& position, Animal animal) {
  return worth(position) + gain_by_keeping(position.own.owned, animal) - kFreePlace;
}

/// The best that can be made of a token in hand.
double worth_of_token(const Position& position, Animal animal, bool may_keep) {
  double best = may_keep ? worth_of_keeping(position, animal) : -1000.0;
  for (std::size_t row = 0; row < position.rows.size(); ++row) {
    best = std::max(best, worth_of_placing(position, row, animal));
  }
  return best;
}

/// The light tokens that this seat has not seen yet.
Counts<Animal> unseen_light(const TableView& table, const SeatView& mine) {
  Counts<Animal> seen;
  const auto see = [&](const Counts<Animal>& tokens) {
    for (std::size_t i = 0; i < kAnimals; ++i) {
      const auto animal = static_cast<Animal>(i);
      seen[animal] += tokens[animal];
    }
  };
  for (const SeatTable& seat : table.seats) see(seat.up);
  for (const RowView& row : table.rows) see(tokens_in(row));
  for (const Seen<Animal>& face : mine.down) ++seen[*face.value()];
  Counts<Animal> unseen;
  for (std::size_t i = 0; i < kAnimals; ++i) {
    const auto animal = static_cast<Animal>(i);
    if (animal != Animal::wolf) unseen[animal] = std::max(0, kLightOfEach - seen[animal]);
  }
  return unseen;
}

double worth_of_drawing(const TableView& table, const SeatView& mine, const Position& position) {
  const Counts<Animal> unseen = unseen_light(table, mine);
  double sum = 0.0;
  for (std::size_t i = 0; i < kAnimals; ++i) {
    const auto animal = static_cast<Animal>(i);
    if (unseen[animal] == 0) continue;
    sum += unseen[animal] * worth_of_token(position, animal, mine.down.size() < kDownLimit);
  }
  return sum / std::max(1, unseen.total()) + kPatience;
}

/// What is left for the others once this row is gone, seen with envy.
double worth_of_taking(const Position& position, std::size_t row, int points) {
  if (position.rows.size() == 1) return points;
  double others = 0.0;
  for (const Hopeful& other : position.others) {
    Gains gains = other.gains;
    gains.erase(row);
    others += hope(gains, position.others.size() - 1);
  }
  return points - kEnvy * others / static_cast<double>(position.others.size());
}

/// The place of a row among those still there.
std::size_t place_among_left(const TableView& table, RowIndex row) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < index(row); ++i) place += table.rows[i].taken_by ? 0U : 1U;
  return place;
}

/// Columns look all the same from above: `drawing` is found out once, when it is asked for first.
struct Judge {
  const TableView& table;
  const SeatView& mine;
  Position position;
  std::optional<double> drawing;

  double operator()(const Draw&) {
    if (!drawing) drawing = worth_of_drawing(table, mine, position);
    return *drawing;
  }
  double operator()(const Take& take) const {
    return worth_of_taking(position, place_among_left(table, take.row),
                           Preview{table, mine}(take).value());
  }
  double operator()(const Place& place) const {
    return worth_of_placing(position, place_among_left(table, place.row),
                            drawn_animal(mine, place.token));
  }
  double operator()(const Keep& keep) const {
    return worth_of_keeping(position, drawn_animal(mine, keep.token));
  }
  double operator()(const Discard&) const { return worth(position); }
  double operator()(const ChooseTower&) const { return 0.0; }
  double operator()(const Reveal& reveal) const { return Preview{table, mine}(reveal).value(); }
};

}  // namespace

std::optional<int> Rules::preview(const TableView& table, const SeatView& mine,
                                  const Action& action) {
  return std::visit(Preview{table, mine}, action);
}

std::optional<int> Rules::worth(const TableView& table, const SeatView& mine,
                                const Action& action) {
  return std::visit(Worth{table, mine}, action);
}

std::optional<Action> Rules::choose(const TableView& table, const SeatView& mine,
                                    const std::vector<Action>& legal, Rng&) {
  ensure(!legal.empty(), "a bot needs something to do");
  Judge judge{table, mine, position_of(table, mine), {}};
  const Action* best = &legal.front();
  double best_worth = std::visit(judge, *best);
  for (const Action& action : legal) {
    const double its_worth = std::visit(judge, action);
    if (its_worth <= best_worth) continue;
    best = &action;
    best_worth = its_worth;
  }
  return *best;
}

}  // namespace triquetra::triqueta
