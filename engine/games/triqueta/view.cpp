// What is known: the table view for everybody and the seat view for one seat, each built up from
// nothing. Faces come in only through Secret::shown() and Secret::seen_by().
#include "engine/games/triqueta/rules.hpp"

namespace triquetra::triqueta {
namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

Phase phase_of(const State& state) {
  struct {
    Phase operator()(const Acting&) const { return Phase::turn; }
    Phase operator()(const Resolving&) const { return Phase::resolve; }
    Phase operator()(const ChoosingTower&) const { return Phase::tower; }
    Phase operator()(const Revealing&) const { return Phase::reveal; }
    Phase operator()(const Over&) const { return Phase::over; }
  } constexpr phases;
  return std::visit(phases, state.stage);
}

TowerView tower_view(const State& state) {
  TowerView view;
  view.id = *state.current;
  for (const Tokens& column : state.towers.at(index(view.id)).columns) {
    const TokenCounts left = count_backs(column);
    view.light.push_back(int{left.light});
    view.shadow.push_back(int{left.shadow});
  }
  return view;
}

RowView row_view(const Row& row) {
  RowView view;
  for (const Token& token : row.tokens) view.tokens.push_back(token.face.shown());
  view.taken_by = row.taken_by;
  return view;
}

SeatTable seat_table(const State& state, Seat seat) {
  const Player& player = state.players[seat];
  SeatTable view;
  view.up = count_shown(player.up);
  view.down = static_cast<int>(player.down.size());
  view.shadow = static_cast<int>(player.shadow.size());
  view.trees = player.trees;
  for (std::size_t row = 0; row < state.rows.size(); ++row) {
    if (state.rows[row].taken_by == seat) view.row = static_cast<int>(row);
  }
  return view;
}

/// Everything is public at the end, so the table can be scored from itself (T43-T55).
void add_scores(TableView& view) {
  std::vector<ScoreSheet> sheets;
  for (std::size_t i = 0; i < view.seats.size(); ++i) {
    const SeatTable& seat = view.seats[i];
    sheets.push_back(score(seat.up, view.rock == Seat(i), seat.trees));
  }
  view.winners = List<Seat, 5>(winners(sheets));
  view.scores = List<ScoreSheet, 5>(sheets);
}

}  // namespace

TableView Rules::table_view(const State& state) {
  TableView view;
  view.phase = phase_of(state);
  view.round = state.round;
  view.rock = state.rock;
  if (const auto* acting = std::get_if<Acting>(&state.stage)) view.turn = acting->seat;
  if (const auto* resolving = std::get_if<Resolving>(&state.stage)) {
    view.turn = resolving->seat;
    view.pending = PendingView{{}, resolving->used};
    for (const DrawnToken& drawn : resolving->tokens) view.pending->tokens.push_back(drawn.index);
  }
  if (state.current) view.tower = tower_view(state);
  for (std::size_t tower = 0; tower < state.towers.size(); ++tower) {
    if (state.towers.at(tower).has_tree) view.waiting.push_back(static_cast<int>(tower));
  }
  for (const Row& row : state.rows) view.rows.push_back(row_view(row));
  view.box = count_backs(state.box);
  for (const Seat seat : seats_of(state.players.size())) {
    view.seats.push_back(seat_table(state, seat));
  }
  if (view.phase == Phase::over) add_scores(view);
  return view;
}

SeatView Rules::seat_view(const State& state, Eye eye) {
  const Player& player = state.players[eye.seat()];
  SeatView view;
  view.seat = eye.seat();
  for (const Token& token : player.down) view.down.push_back(token.face.seen_by(eye));
  for (const Token& token : player.shadow) view.shadow.push_back(token.face.seen_by(eye));
  const auto* resolving = std::get_if<Resolving>(&state.stage);
  if (resolving == nullptr || resolving->seat != eye.seat()) return view;
  for (const DrawnToken& drawn : resolving->tokens) {
    view.drawn.push_back(DrawnView{drawn.index, drawn.token.face.seen_by(eye)});
  }
  return view;
}

std::optional<Action> Rules::answer(const State& state, Eye eye) {
  const auto* revealing = std::get_if<Revealing>(&state.stage);
  if (revealing == nullptr || !revealing->answers[eye.seat()]) return std::nullopt;
  return *revealing->answers[eye.seat()];
}

}  // namespace triquetra::triqueta
