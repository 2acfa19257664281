// Plays the vector files of tests/vectors/triqueta (its README says what they hold) for
// vectors_test: scoring, winners, and whole games step by step. A test, not part of the game.
#include "tests/vector_player.hpp"

#include <algorithm>
#include <string>

#include "engine/games/triqueta/rules.hpp"
#include "protocol/decode.hpp"

namespace triquetra::triqueta {
namespace {

using vectors::field_or_null;
using vectors::on_the_wire;
using vectors::require;
using vectors::require_same;
using vectors::Tally;

constexpr std::string_view kAnimals[] = {"rabbit", "owl", "deer", "boar", "ram", "bear", "wolf"};

/// {"bear":2} as the files write it: seven numbers in animal order.
Json as_list(const Json& counts) {
  Json list = Json::array();
  for (const std::string_view animal : kAnimals) list.push_back(counts.value(animal, 0));
  return list;
}

// Scoring and winners.

Json score_as_written(const ScoreSheet& sheet) {
  Json written = on_the_wire(sheet);
  written["counts"] = as_list(written["counts"]);
  written["points"] = as_list(written["points"]);
  return written;
}

Tally play_scoring(const Json& file) {
  Tally tally;
  for (const Json& entry : file) {
    const auto light = decode<Counts<Animal>>(entry.at("light"), Reading::strict);
    auto tokens = decode<Counts<Animal>>(entry.at("shadow"), Reading::strict);
    for (const std::string_view animal : kAnimals) {
      const Animal kind = *enumerator_of<Animal>(animal);
      tokens[kind] += light[kind];
    }
    const ScoreSheet sheet =
        score(tokens, entry.at("rock").get<bool>(), entry.at("trees").get<int>());
    require_same(score_as_written(sheet), entry.at("expect"), entry.at("name").get<std::string>());
    ++tally.steps;
  }
  return tally;
}

Tally play_winners(const Json& file) {
  Tally tally;
  for (const Json& entry : file) {
    std::vector<ScoreSheet> sheets;
    for (const Json& result : entry.at("results")) {
      ScoreSheet sheet;
      sheet.total = result.at(0).get<int>();
      sheet.tokens = result.at(1).get<int>();
      sheets.push_back(sheet);
    }
    require_same(on_the_wire(winners(sheets)), entry.at("winners"), entry.dump());
    ++tally.steps;
  }
  return tally;
}

// Games: what we send, put in the words of the files.

Json public_as_written(const State& state) {
  const Json table = on_the_wire(Rules::table_view(state));
  Json written{{"phase", table.at("phase")},
               {"round", table.at("round")},
               {"rock", table.at("rock")},
               {"turn", field_or_null(table, "turn")},
               {"actors", Json::array()},
               {"tower", field_or_null(table, "tower")},
               {"waiting", table.at("waiting")},
               {"rows", Json::array()},
               {"pending", field_or_null(table, "pending")},
               {"box", table.at("box")},
               {"seats", Json::array()}};
  for (const char* const field : {"scores", "winners"}) {
    require(table.contains(field) == (table.at("phase") == "over"), "scores stand at the end only");
  }
  for (const Decision& decision : Rules::decisions(state)) {
    for (const Seat seat : asked(decision).list()) written["actors"].push_back(seat.index());
  }
  for (const Json& row : table.at("rows")) {
    written["rows"].push_back(row.contains("taken_by") ? Json() : row.at("tokens"));
  }
  if (written["pending"].is_object()) {
    written["pending"]["used"] = field_or_null(written["pending"], "used");
  }
  for (Json seat : table.at("seats")) {
    seat["up"] = as_list(seat["up"]);
    seat["row"] = field_or_null(seat, "row");
    written["seats"].push_back(seat);
  }
  return written;
}

Json private_as_written(const State& state, Seat seat) {
  const Eye eye = EyeMaker::of(seat);
  Json written = on_the_wire(Rules::seat_view(state, eye));
  Json drawn = Json::object();
  for (const Json& token : written["drawn"]) {
    drawn[std::to_string(token.at("token").get<int>())] = token.at("animal");
  }
  written["drawn"] = drawn;
  const std::optional<Action> answer = Rules::answer(state, eye);
  written["answer"] = answer ? on_the_wire(*answer).at("keep") : Json();
  return written;
}

Json as_shadow(const Json& animal) { return "shadow-" + animal.get<std::string>(); }

/// The fronts that a drawer has just seen, which our seat view shows where the tokens now are.
Json saw_as_written(const State& state, const Drew& drew) {
  const Json mine = on_the_wire(Rules::seat_view(state, EyeMaker::of(drew.seat)));
  const auto shadow_count = std::count(drew.backs.begin(), drew.backs.end(), Back::shadow);
  std::size_t next_light = 0;
  std::size_t next_shadow = mine.at("shadow").size() - static_cast<std::size_t>(shadow_count);
  Json tokens = Json::array();
  for (const Back back : drew.backs) {
    tokens.push_back(back == Back::light ? mine.at("drawn").at(next_light++).at("animal")
                                         : as_shadow(mine.at("shadow").at(next_shadow++)));
  }
  return {{"ev", "saw"}, {"to", drew.seat.index()}, {"tokens", tokens}};
}

Json events_as_written(const State& state) {
  Json written = Json::array();
  for (const Event& event : Rules::happened(state)) {
    Json ours = on_the_wire(event);
    ours["ev"] = ours["event"];
    ours.erase("event");
    if (std::holds_alternative<Revealed>(event)) {
      for (Json& animal : ours["shadow"]) animal = as_shadow(animal);
    }
    written.push_back(ours);
    if (const auto* drew = std::get_if<Drew>(&event))
      written.push_back(saw_as_written(state, *drew));
  }
  return written;
}

Json scores_as_written(const State& state) {
  const Json table = on_the_wire(Rules::table_view(state));
  Json seats = Json::array();
  for (const Json& sheet : table.at("scores")) {
    Json animals;
    for (const std::string_view animal : kAnimals) {
      animals[std::string(animal)] = {{"count", sheet.at("counts").value(animal, 0)},
                                      {"points", sheet.at("points").value(animal, 0)}};
    }
    seats.push_back({{"animals", animals},
                     {"rock", sheet.at("rock")},
                     {"trees", sheet.at("trees")},
                     {"total", sheet.at("total")},
                     {"tokens", sheet.at("tokens")}});
  }
  return {{"seats", seats}, {"winners", table.at("winners")}};
}

// Games: playing them.

/// The files write one column as "column", the wire as "columns" with one number. In the files
/// "columns" with one number is no act, and they have it refused.
Action action_from(Json written) {
  if (written.contains("columns") && written["columns"].size() == 1) {
    throw Malformed(ErrorCode::out_of_range, {});
  }
  if (written.contains("column")) {
    written["columns"] = Json::array({written["column"]});
    written.erase("column");
  }
  return decode<Action>(written, Reading::strict);
}

Seat seat_from(const Json& number) { return Seat(number.get<std::size_t>()); }

bool is_refused(const State& state, Seat seat, const Json& written) {
  try {
    const Action action = action_from(written);
    const std::vector<Action> legal = legal_acts<Rules>(state, seat);
    const bool is_legal = std::find(legal.begin(), legal.end(), action) != legal.end();
    const bool is_refused = Rules::check(state, seat, action).has_value();
    require(is_legal != is_refused, "legal and check disagree on " + written.dump());
    return is_refused;
  } catch (const Malformed&) {
    return true;
  }
}

void require_views(const State& state, const Json& expected, const std::string& where) {
  require_same(public_as_written(state), expected.at("public"), where + ": public view");
  const Json& views = expected.at("private");
  require(views.size() == state.players.size(), where + ": one private view per seat");
  for (const Seat seat : seats_of(state.players.size())) {
    require_same(private_as_written(state, seat), views.at(seat.index()),
                 where + ": private view of seat " + std::to_string(seat.index()));
  }
}

State play_step(State state, const Json& step, const std::string& where) {
  const State before = state;
  for (const Json& refused : step.at("refused")) {
    require(is_refused(state, seat_from(refused.at(0)), refused.at(1)),
            where + ": allowed what must be refused: " + refused.dump());
    require(state == before, where + ": a refused act changed the state");
  }
  const Seat seat = seat_from(step.at("seat"));
  const Action action = action_from(step.at("action"));
  const std::optional<Fault> fault = Rules::check(state, seat, action);
  require(!fault, where + ": refused by " + std::string(fault ? fault->rule : ""));
  Rules::apply(state, seat, action);
  Rules::verify(state);
  require_same(events_as_written(state), step.at("events"), where + ": events");
  require_views(state, step, where);
  return state;
}

std::size_t play_game(Variant variant, std::size_t seat_count, const Json& game) {
  const std::string name = game.at("name").get<std::string>();
  const Json written{{"towers", game.at("towers")}, {"first_seat", game.at("first_seat")}};
  Chance<Deal> chance(decode<Deal>(written, Reading::strict));
  State state = Rules::setup(Options{variant, std::nullopt}, seat_count, chance);
  require_same(on_the_wire(Rules::deal(state, state)), written, name + ": deal");
  require_views(state, game.at("start"), name + ", start");
  std::size_t steps = 0;
  for (const Json& step : game.at("steps")) {
    state = play_step(state, step, name + ", step " + std::to_string(steps));
    ++steps;
  }
  const std::optional<Result> result = Rules::result(state);
  require(result.has_value(), name + ": over");
  require_same(scores_as_written(state), game.at("scores"), name + ": scores");
  require_same(on_the_wire(result->winners), game.at("scores").at("winners"), name + ": winners");
  return steps;
}

Tally play_games(const Json& file) {
  const Variant variant = *enumerator_of<Variant>(file.at("variant").get<std::string>());
  Tally tally;
  for (const Json& game : file.at("games")) {
    tally.steps += play_game(variant, file.at("players").get<std::size_t>(), game);
    ++tally.games;
  }
  return tally;
}

}  // namespace

std::optional<Tally> play_vectors(const Json& file) {
  if (file.is_array() && !file.empty() && file[0].contains("light")) return play_scoring(file);
  if (file.is_array() && !file.empty() && file[0].contains("results")) return play_winners(file);
  if (!file.is_object() || !file.contains("variant")) return std::nullopt;
  const Json& variant = file.at("variant");
  if (!variant.is_string() || !enumerator_of<Variant>(variant.get<std::string>())) {
    return std::nullopt;
  }
  return play_games(file);
}

}  // namespace triquetra::triqueta
