// Plays the transcripts of tests/vectors/card_triangles (its README says what they hold) for
// vectors_test: whole games, step by step. A test, not part of the game.
#include "tests/vector_player.hpp"

#include <algorithm>
#include <string>

#include "engine/games/card_triangles/rules.hpp"
#include "protocol/decode.hpp"

namespace triquetra::card_triangles {
namespace {

using vectors::field_or_null;
using vectors::on_the_wire;
using vectors::require;
using vectors::require_same;
using vectors::Tally;

// What we send, put in the words of the files.

/// {"cut":"vertical","number":2,"color":"red"} is "v2r", and without a number "vJr".
Json code(const Json& card) {
  if (!card.is_object()) return card;
  const std::string number =
      card.contains("number") ? std::to_string(card.at("number").get<int>()) : "J";
  return card.at("cut").get<std::string>().substr(0, 1) + number +
         card.at("color").get<std::string>().substr(0, 1);
}

Json codes(const Json& cards) {
  Json list = Json::array();
  for (const Json& card : cards) list.push_back(code(card));
  return list;
}

Json letter(const Json& word) {
  return word.is_string() ? Json(word.get<std::string>().substr(0, 1)) : word;
}

Json public_as_written(const State& state) {
  const Json table = on_the_wire(Rules::table_view(state));
  const bool over = table.at("phase") == "over";
  require(table.contains("winners") == over && table.contains("reason") == over,
          "the result stands at the end only");
  Json written{
      {"game", "card_triangles"},
      {"players", table.at("seats").size()},
      {"turn", field_or_null(table, "turn")},
      {"turn_no", table.at("turn_number")},
      {"phase", table.at("phase")},
      {"drew", table.at("drew")},
      {"played", Json::array()},
      {"jokered", table.at("jokered")},
      {"last_round", field_or_null(table, "caller")},
      {"pile", table.at("pile")},
      {"discard", {{"count", table.at("discards")}, {"top", code(field_or_null(table, "top"))}}},
      {"jokers_played", codes(table.at("jokers_played"))},
      {"over", over},
      {"winners", over ? table.at("winners") : Json::array()},
      {"reason", field_or_null(table, "reason")}};
  for (const Json& triangle : table.at("completed")) {
    written["played"].push_back(
        {letter(triangle.at("cut")), letter(field_or_null(triangle, "color"))});
  }
  for (const Json& seat : table.at("seats")) {
    written["hands"].push_back(seat.at("hand"));
    written["saved"].push_back(codes(seat.at("saved")));
    written["out"].push_back(seat.at("out"));
  }
  return written;
}

Json private_as_written(const State& state, Seat seat) {
  const Json mine = on_the_wire(Rules::seat_view(state, EyeMaker::of(seat)));
  return {{"seat", mine.at("seat")}, {"hand", codes(mine.at("hand"))}};
}

/// The files' word for each event of ours that has another one.
std::string word_for(const std::string& ours) {
  if (ours == "drew") return "draw";
  if (ours == "discarded") return "discard";
  if (ours == "completed") return "complete";
  if (ours == "stole") return "steal";
  if (ours == "ended") return "end";
  if (ours == "reshuffled") return "reshuffle";
  return ours;
}

Json event_as_written(const State& state, const Event& event) {
  Json written = on_the_wire(event);
  written["ev"] = word_for(written.at("event").get<std::string>());
  written.erase("event");
  if (const auto* drew = std::get_if<Drew>(&event); drew != nullptr && !drew->card.value()) {
    const Json mine = on_the_wire(Rules::seat_view(state, EyeMaker::of(drew->seat)));
    written["private"] = {{"card", code(mine.at("drawn"))}};
  }
  if (written.contains("card")) written["card"] = code(written["card"]);
  if (written.contains("pieces")) {
    Json cards = Json::array();
    for (const Json& piece : written["pieces"]) {
      cards.push_back(code(piece.at("card")));
      written["from"].push_back(piece.at("from"));
    }
    written["pieces"] = cards;
  }
  for (const char* const key : {"saved", "discarded", "hand"}) {
    if (written.contains(key)) written[key] = codes(written[key]);
  }
  return written;
}

Json events_as_written(const State& state) {
  Json written = Json::array();
  for (const Event& event : Rules::happened(state)) {
    written.push_back(event_as_written(state, event));
  }
  return written;
}

Json legal_as_written(const State& state) {
  Json written = Json::array();
  for (const Seat seat : seats_of(state.players.size())) {
    const std::size_t acts = legal_acts<Rules>(state, seat).size();
    if (acts > 0) written.push_back({seat.index(), acts});
  }
  return written;
}

// What the files say, put in our words.

/// The files mark a joker with "joker":true, and write null for no theft.
Action action_from(Json written) {
  if (written.contains("card")) written["card"].erase("joker");
  if (written.contains("steal") && written["steal"].is_null()) written.erase("steal");
  return decode<Action>(written, Reading::strict);
}

Options options_from(const Json& written) {
  Options options;
  options.first_seat = SeatNumber(written.at("start").get<int>());
  options.caller_multi = written.at("caller_multi").get<bool>();
  options.call = *enumerator_of<Call>(written.at("call").get<std::string>());
  return options;
}

Json split(const std::string& text) {
  Json words = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool is_reshuffle(const Json& step) { return step.at("seat") == -1; }

Deal deal_from(const Json& game) {
  Json written{{"deck", split(game.at("deck").get<std::string>())},
               {"first_seat", game.at("options").at("start")},
               {"reshuffles", Json::array()}};
  for (const Json& step : game.at("steps")) {
    if (is_reshuffle(step)) written["reshuffles"].push_back(step.at("action").at("order"));
  }
  return decode<Deal>(written, Reading::strict);
}

/// The files have a reshuffle as a step of the server; ours is part of the act that ends a turn.
Json merged_steps(const Json& steps) {
  Json merged = Json::array();
  for (const Json& step : steps) {
    if (!is_reshuffle(step)) {
      merged.push_back(step);
      continue;
    }
    Json& end = merged.back();
    for (const Json& event : step.at("events")) end["events"].push_back(event);
    end["public"].update(step.at("public"));
    for (const Json& view : step.at("private")) end["private"].push_back(view);
    end["legal"] = step.at("legal");
  }
  return merged;
}

// Playing.

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

/// What everybody and every seat should see now; the files tell only what has changed.
struct Expected {
  Json table;
  Json seats = Json::array();

  explicit Expected(const Json& views) : table(views.at("public")), seats(views.at("private")) {}

  void update(const Json& step) {
    table.update(step.at("public"));
    for (const Json& view : step.at("private")) seats.at(view.at("seat").get<std::size_t>()) = view;
  }
};

void require_views(const State& state, const Expected& expected, const std::string& where) {
  Json theirs = expected.table;
  if (theirs.at("over") == true) {
    // They go on telling what the last turn did, where we have no turn any more.
    theirs["drew"] = theirs["jokered"] = false;
    theirs["played"] = Json::array();
  }
  require_same(public_as_written(state), theirs, where + ": public view");
  for (const Seat seat : seats_of(state.players.size())) {
    require_same(private_as_written(state, seat), expected.seats.at(seat.index()),
                 where + ": private view of seat " + std::to_string(seat.index()));
  }
}

State play_step(State state, const Json& step, Expected& expected, const std::string& where) {
  const State before = state;
  for (const Json& refused : step.value("reject", Json::array())) {
    require(is_refused(state, seat_from(refused.at("seat")), refused.at("action")),
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
  expected.update(step);
  require_views(state, expected, where);
  require_same(legal_as_written(state), step.at("legal"), where + ": legal acts");
  return state;
}

void require_result(const State& state, const Json& theirs) {
  const std::optional<Result> result = Rules::result(state);
  require(result.has_value(), "over");
  const Json table = public_as_written(state);
  for (const auto& [key, value] : theirs.items()) {
    require_same(table.at(key), value, "result: " + key);
  }
  require_same(on_the_wire(result->winners), theirs.at("winners"), "winners");
  require(result->scores.empty(), "a game without scores");
}

}  // namespace

std::optional<Tally> play_vectors(const Json& file) {
  if (!file.is_object() || file.value("game", "") != "card_triangles") return std::nullopt;
  const Deal deal = deal_from(file);
  Chance<Deal> chance(deal);
  const State first =
      Rules::setup(options_from(file.at("options")), file.at("players").get<std::size_t>(), chance);
  Expected expected(file.at("initial"));
  require_views(first, expected, "start");
  require_same(legal_as_written(first), file.at("initial").at("legal"), "start: legal acts");
  State state = first;
  std::size_t steps = 0;
  for (const Json& step : merged_steps(file.at("steps"))) {
    state = play_step(state, step, expected, "step " + std::to_string(steps));
    ++steps;
  }
  require_views(state, Expected(file.at("final")), "final");
  require_result(state, file.at("result"));
  require_same(on_the_wire(Rules::deal(first, state)), on_the_wire(deal), "deal");
  return Tally{1, steps};
}

}  // namespace triquetra::card_triangles
