// Plays the mayhem files of tests/vectors/triangles (its README says what they hold) for
// vectors_test, whole games step by step. A test, not part of the game.
#include "tests/vector_player.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/games/mayhem/rules.hpp"
#include "protocol/decode.hpp"

namespace triquetra::mayhem {
namespace {

using vectors::field_or_null;
using vectors::on_the_wire;
using vectors::require;
using vectors::require_same;
using vectors::Tally;

// What we send, put in the words of the files.

Json code(const Json& piece) {
  return triangles::code_of(decode<Piece>(piece, Reading::strict)).str();
}

Json codes(const Json& pieces) {
  Json written = Json::array();
  for (const Json& piece : pieces) written.push_back(code(piece));
  return written;
}

Json public_as_written(const State& state) {
  const Json table = on_the_wire(Rules::table_view(state));
  Json written{{"game", "mayhem"},
               {"players", state.hands.size()},
               {"turn", field_or_null(table, "turn")},
               {"played", table.at("played")},
               {"pile", table.at("pile")},
               {"table", Json::array()},
               {"window", field_or_null(table, "window")},
               {"over", !table.contains("turn")},
               {"winners", table.value("winners", Json::array())}};
  for (const Json& open : table.at("triangles")) {
    written["table"].push_back({{"id", open.at("id")}, {"cards", codes(open.at("cards"))}});
  }
  for (const Json& seat : table.at("seats")) {
    const Json& sheet = seat.at("sheet");
    require(!sheet.contains("wrong") && !sheet.contains("left"), "checked claims are never wrong");
    require(seat.at("triangles") == sheet.at("pure").get<int>() + sheet.at("unpure").get<int>(),
            "a triangle is pure or not");
    written["hands"].push_back(seat.at("cards"));
    written["scores"].push_back(sheet.at("points"));
    written["pure"].push_back(sheet.at("pure"));
    written["unpure"].push_back(sheet.at("unpure"));
  }
  return written;
}

Json private_as_written(const State& state, Seat seat) {
  const Json mine = on_the_wire(Rules::seat_view(state, EyeMaker::of(seat)));
  return {
      {"seat", seat.index()}, {"hand", codes(mine.at("hand"))}, {"fast", codes(mine.at("fast"))}};
}

Json events_as_written(const State& state) {
  Json written = Json::array();
  for (const Event& event : Rules::happened(state)) {
    Json ours = on_the_wire(event);
    ours["ev"] = ours["event"];
    ours.erase("event");
    if (ours.contains("card")) ours["card"] = code(ours["card"]);
    if (ours.value("how", "") == "extend") ours["how"] = "continue";
    if (ours["ev"] == "triangle") ours["cards"] = codes(ours["cards"]);
    if (ours["ev"] == "draw") {
      // What was drawn is in the view of the seat that drew it.
      const Eye eye = EyeMaker::of(std::get<Drew>(event).seat);
      ours["private"]["cards"] = codes(on_the_wire(Rules::seat_view(state, eye)).at("drew"));
    }
    written.push_back(ours);
  }
  return written;
}

/// [seat, number of legal acts] of each seat that is asked, the one on turn first.
Json legal_as_written(const State& state) {
  Json written = Json::array();
  for (const Decision& decision : Rules::decisions(state)) {
    for (const Seat seat : asked(decision).list()) {
      written.push_back({seat.index(), legal_acts<Rules>(state, seat).size()});
    }
  }
  return written;
}

// What the files say, put in ours.

Seat seat_from(const Json& number) { return Seat(number.get<std::size_t>()); }

/// The files write a new triangle as null, the wire leaves it out.
Action action_from(Json written) {
  if (written.contains("onto") && written["onto"].is_null()) written.erase("onto");
  return decode<Action>(written, Reading::strict);
}

Json deal_from(const Json& file) {
  Json deck = Json::array();
  const std::string words = file.at("deck").get<std::string>();
  for (std::size_t i = 0; i < words.size(); i += 4) deck.push_back(words.substr(i, 3));
  return {{"deck", deck}, {"first_seat", file.at("options").at("start")}};
}

/// A game and what the file has said of it so far; the file names changes only.
struct Game {
  State state;
  Json table;
  std::map<std::size_t, Json> seats;

  void learn(const Json& step) {
    for (const auto& [key, value] : step.at("public").items()) table[key] = value;
    for (const Json& view : step.at("private")) seats[view.at("seat").get<std::size_t>()] = view;
  }

  void require_views(const std::string& where) const {
    Json expected = table;
    // At the end nobody has a turn in which cards have been played.
    if (expected.at("over") == true) expected["played"] = 0;
    require_same(public_as_written(state), expected, where + ": public view");
    for (const auto& [seat, view] : seats) {
      require_same(private_as_written(state, Seat(seat)), view,
                   where + ": private view of seat " + std::to_string(seat));
    }
  }

  void refuse(const Json& attempt, const std::string& where) const {
    const State before = state;
    const Seat seat = seat_from(attempt.at("seat"));
    const Action action = action_from(attempt.at("action"));
    const auto acts = legal_acts<Rules>(state, seat);
    require(Rules::check(state, seat, action).has_value(),
            where + ": allowed what must be refused: " + attempt.dump());
    require(std::find(acts.begin(), acts.end(), action) == acts.end(),
            where + ": legal and check disagree: " + attempt.dump());
    require(state == before, where + ": a refused act changed the state");
  }

  void play(const Json& step, const std::string& where) {
    for (const Json& attempt : step.value("reject", Json::array())) refuse(attempt, where);
    const Seat seat = seat_from(step.at("seat"));
    const Action action = action_from(step.at("action"));
    const auto fault = Rules::check(state, seat, action);
    require(!fault, where + ": refused by " + std::string(fault ? fault->rule : ""));
    Rules::apply(state, seat, action);
    Rules::verify(state);
    learn(step);
    require_same(events_as_written(state), step.at("events"), where + ": events");
    require_same(legal_as_written(state), step.at("legal"), where + ": legal acts");
    require_views(where);
  }
};

void require_result(const State& state, const Json& expected) {
  const auto result = Rules::result(state);
  require(result.has_value(), "the game is over");
  require_same(on_the_wire(result->scores), expected.at("scores"), "scores");
  require_same(on_the_wire(result->winners), expected.at("winners"), "winners");
}

}  // namespace

std::optional<Tally> play_vectors(const Json& file) {
  if (!file.is_object() || file.value("game", "") != "mayhem") return std::nullopt;
  const Json deal = deal_from(file);
  Options options;
  options.first_seat = file.at("options").at("start").get<int>();
  if (!file.at("options").at("fast").get<bool>()) options.window_ms = 0;
  Chance<Deal> chance(decode<Deal>(deal, Reading::strict));
  Game game{Rules::setup(options, file.at("players").get<std::size_t>(), chance), {}, {}};
  require_same(on_the_wire(Rules::deal(game.state, game.state)), deal, "deal");
  game.learn(file.at("initial"));
  game.require_views("start");
  require_same(legal_as_written(game.state), file.at("initial").at("legal"), "start: legal acts");
  Tally tally{1, 0};
  for (const Json& step : file.at("steps")) {
    game.play(step, "step " + std::to_string(tally.steps));
    ++tally.steps;
  }
  require_same(game.table, file.at("final").at("public"), "the changes add up");
  require_result(game.state, file.at("result"));
  return tally;
}

}  // namespace triquetra::mayhem
