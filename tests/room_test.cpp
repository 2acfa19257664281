// The room alone: messages in, effects out, without sockets or time of its own.
#include "server/room/room.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "protocol/fairness.hpp"
#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"
#include "server/base/append_only.hpp"
#include "server/room/after.hpp"
#include "server/room/copy_on_write.hpp"
#include "server/room/logged_match.hpp"
#include "server/store/log_codec.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

/// Every frame of every test, for schema_test.py to look at.
std::ofstream open_recording() {
  const char* path = std::getenv("TRIQUETRA_RECORD_FRAMES");
  return path != nullptr ? std::ofstream(path) : std::ofstream();
}
std::ofstream recording = open_recording();

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

/// A room with people whose frames are kept, on a clock that the test moves.
class Evening {
 public:
  explicit Evening(const std::string& create) { apply(create_room(create)); }

  /// From this address, as a player of its own or as an earlier one.
  void says_from(const std::string& address, ConnectionId connection, ConnectionId player,
                 const std::string& frame) {
    const std::string number = std::to_string(player);
    hear({connection, "player " + number, "Name" + number, false, address}, frame);
  }
  void says(ConnectionId who, const std::string& frame, bool is_program = false) {
    const std::string number = std::to_string(who);
    hear({who, "player " + number, "Name" + number, is_program}, frame);
  }
  /// The same player through another connection.
  void says_as(ConnectionId connection, ConnectionId player, const std::string& frame) {
    hear({connection, "player " + std::to_string(player), "Name"}, frame);
  }
  /// What a bot is asked that looks ahead; the only one.
  Question question() const {
    REQUIRE(room->questions().size() == 1);
    return room->questions().front();
  }
  /// Somebody thinks about it, and hands in what came of it.
  void thinks(const Question& question, std::uint32_t playouts = 8) {
    const auto thought =
        room->thinking(question, tests::seed_number(1))->run(playouts, [] { return false; });
    hands_in({question, thought.action});
  }
  void hands_in(const BotThought& thought) { apply(room->handle(thought, now, rng)); }
  void leaves(ConnectionId who) { apply(room->handle(Disconnected{who}, now, rng)); }
  void waits(milliseconds time) {
    now += time;
    apply(room->handle(Tick{}, now, rng));
  }
  /// The newest frame of a type that a connection got.
  Json last(ConnectionId who, const std::string& type) const {
    for (auto it = heard.rbegin(); it != heard.rend(); ++it) {
      if (it->first != who) continue;
      Json frame = parse_json(it->second, kTrustedJson);
      if (frame.at("type") == type) return frame;
    }
    return {};
  }
  std::string answer(ConnectionId who) const {
    for (auto it = heard.rbegin(); it != heard.rend(); ++it) {
      if (it->first != who) continue;
      const Json frame = parse_json(it->second, kTrustedJson);
      if (frame.at("type") == "error") return frame.at("code").get<std::string>();
      if (frame.at("type") == "ok") return "ok";
    }
    return "nothing";
  }
  /// Until the match is over.
  void play_out(std::size_t steps_most) {
    play(steps_most);
    REQUIRE(room->status() == RoomStatus::over);
  }
  /// Every person acts the first legal act, and time passes for the bots.
  void play(std::size_t steps_most) {
    for (std::size_t step = 0; step < steps_most && room->status() == RoomStatus::playing; ++step) {
      bool acted = false;
      for (const ConnectionId who : people) {
        const Json view = last(who, "view");
        if (!view.contains("legal") || view.at("legal").empty()) continue;
        says(who, act_frame("a" + std::to_string(++ids), view, 0));
        REQUIRE(answer(who) == "ok");
        acted = true;
        break;
      }
      if (!acted) waits(limits::kBotDelay);
    }
  }
  static std::string act_frame(const std::string& id, const Json& view, std::size_t choice) {
    Json decision;
    for (const Json& open : view.at("decisions")) {
      for (const Json& seat : open.at("seats")) {
        if (seat == view.at("seat")) decision = open.at("id");
      }
    }
    return Json{{"type", "act"},
                {"id", id},
                {"room", "BCDFGH"},
                {"decision", decision},
                {"action", view.at("legal").at(choice).at("action")}}
        .dump();
  }

  TimePoint now{};
  Rng rng{tests::seed_number(tests::take_seed())};
  std::shared_ptr<const Room> room;
  std::vector<Record> log;
  std::vector<std::pair<ConnectionId, std::string>> heard;
  std::optional<TimePoint> alarm;
  std::optional<Question> wanted_hint;  // by what was said last
  std::vector<ConnectionId> people{1, 2};
  int ids = 0;

 private:
  Outcome create_room(const std::string& text) {
    const auto frame = std::get<Create>(decode<ClientFrame>(parse_json(text), Reading::strict));
    return Room::create("BCDFGH", Sender{1, "player 1", "Name1"}, frame, now, rng);
  }
  void hear(const Sender& from, const std::string& frame) {
    const FromClient client{from, decode<ClientFrame>(parse_json(frame), Reading::strict)};
    Outcome outcome = room->handle(client, now, rng);
    const std::string wanted = outcome.effects.wanted_match;
    wanted_hint = outcome.effects.wanted_hint;
    apply(std::move(outcome));
    if (wanted.empty()) return;
    const auto match = logged_match(log, wanted);
    REQUIRE(match);
    const Outgoing answer = answer_from(*match, client, room->rev());
    CHECK(answer.is_asked);
    show(answer);
  }
  void show(const Outgoing& frame) {
    heard.emplace_back(frame.to, (frame.shared ? *frame.shared : "") + frame.own);
    if (recording.is_open()) recording << heard.back().second << "\n";
  }
  void apply(Outcome outcome) {
    if (!outcome.next) return;
    room = std::move(outcome.next);
    alarm = outcome.effects.alarm;
    for (Record& record : outcome.effects.records) log.push_back(std::move(record));
    for (const Outgoing& frame : outcome.effects.frames) show(frame);
  }
};

/// A person begins, whatever is drawn: a bot that begins would not wait for what a test does next.
const char* const kCreate =
    R"({"type":"create","id":"c","game":"triqueta","seats":3,"options":{"first_seat":0}})";
std::string in_room(const std::string& type, const std::string& more = "") {
  return R"({"type":")" + type + R"(","id":"x)" + type + R"(","room":"BCDFGH")" + more + "}";
}
Evening seated() {
  Evening evening(kCreate);
  evening.says(2, in_room("join"));
  evening.says(1, in_room("add_bot", R"(,"level":"random")"));
  return evening;
}
Evening playing() {
  Evening evening = seated();
  evening.says(1, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  return evening;
}

TEST_CASE("an act that was kept is answered again, also to a player who has left since") {
  Evening evening = playing();
  evening.waits(limits::kBotDelay);
  const ConnectionId who = evening.last(1, "view").at("legal").empty() ? 2 : 1;
  const std::string act = Evening::act_frame("kept", evening.last(who, "view"), 0);
  evening.says(who, act);
  const Json first = evening.last(who, "ok");
  CHECK(first.at("re") == "kept");
  evening.play_out(2000);
  evening.says(who, in_room("leave"));
  evening.says(who, act);
  CHECK(evening.last(who, "ok") == first);
  evening.says(who, in_room("react", R"(,"reaction":"clap")"));
  CHECK(evening.answer(who) == "not_seated");
}

TEST_CASE("whoever gives up a seat has given it up on every device, and each is told") {
  Evening evening = seated();
  evening.says_as(12, 2, in_room("join"));
  CHECK(evening.answer(12) == "ok");
  evening.says(2, in_room("leave"));
  CHECK(evening.answer(2) == "ok");
  CHECK(evening.last(2, "bye").is_null());
  CHECK(evening.last(12, "bye") == Json{{"type", "bye"}, {"code", "left"}, {"room", "BCDFGH"}});
  evening.says_as(12, 2, in_room("start"));
  CHECK(evening.answer(12) == "not_seated");
  evening.says_as(12, 2, in_room("join"));
  CHECK(evening.answer(12) == "ok");
}

TEST_CASE("a bot that is asked for again, after a lost connection, is one bot") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":5})");
  const auto bots = [&] {
    const Json seats = evening.last(1, "room").at("seats");
    return std::count_if(seats.begin(), seats.end(),
                         [](const Json& seat) { return seat.at("kind") == "bot"; });
  };
  const std::string add = in_room("add_bot");
  evening.says(1, add);
  const Json first = evening.last(1, "ok");
  CHECK(first.at("seat") == 1);
  evening.says(2, in_room("join"));
  const std::size_t records = evening.log.size();
  evening.says(1, add);
  CHECK(evening.last(1, "ok") == first);
  CHECK(evening.log.size() == records);
  CHECK(bots() == 1);
  evening.says(2, add);
  CHECK(evening.answer(2) == "not_host");
  // Once it was sent away, the same words mean another one.
  evening.says(1, in_room("remove_bot", R"(,"seat":1)"));
  evening.says(1, add);
  CHECK(evening.answer(1) == "ok");
  CHECK(bots() == 1);
  // The next host's requests have ids of their own.
  evening.says(1, in_room("leave"));
  evening.says(2, add);
  const Json second = evening.last(2, "ok");
  CHECK(second.at("seat") == 0);
  // Also when it could not be added any more, and by what the log knows.
  evening.says(2, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(2, in_room("join"));
  evening.says(2, add);
  CHECK(evening.last(2, "ok") == second);
  evening.says(2, R"({"type":"add_bot","id":"another","room":"BCDFGH"})");
  CHECK(evening.answer(2) == "already_started");
}

TEST_CASE("the host says how strong a bot is while people gather") {
  Evening evening = seated();
  const auto level = [&](const char* word, int seat = 2) {
    return in_room("set_level",
                   R"(,"seat":)" + std::to_string(seat) + R"(,"level":")" + word + R"(")");
  };
  const std::string add = in_room("add_bot", R"(,"level":"random")");
  const auto shown = [&] { return evening.last(1, "room").at("seats").at(2).at("level"); };
  for (const char* word : {"easy", "normal", "hard", "expert", "greedy", "random", "expert"}) {
    evening.says(1, level(word));
    CHECK(evening.answer(1) == "ok");
    CHECK(shown() == word);
  }
  const std::size_t records = evening.log.size();
  evening.says(1, level("expert"));
  CHECK(evening.answer(1) == "ok");
  CHECK(evening.log.size() == records);
  evening.says(2, level("easy"));
  CHECK(evening.answer(2) == "not_host");
  evening.says(1, level("easy", 1));
  CHECK(evening.answer(1) == "no_such_seat");
  // It is the bot that was asked for, and the log knows how strong it has become.
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(1, in_room("join"));
  evening.says(1, add);
  CHECK(evening.last(1, "ok").at("seat") == 2);
  CHECK(shown() == "expert");
  evening.says(1, in_room("start"));
  evening.says(1, level("easy"));
  CHECK(evening.answer(1) == "already_started");
}

/// An expert begins.
Evening with_expert(const std::string& more = "") {
  Evening evening(
      R"({"type":"create","id":"c","game":"triqueta","seats":2,"options":{"first_seat":1})" + more +
      "}");
  evening.says(1, in_room("add_bot", R"(,"level":"expert")"));
  evening.says(1, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  return evening;
}

TEST_CASE("a bot that looks ahead acts after its pause, and not before it has thought") {
  Evening evening = with_expert();
  const auto rev = [&] { return evening.last(1, "view").at("rev").get<int>(); };
  const Question first = evening.question();
  CHECK(first.seat == Seat{1});
  CHECK(first.level == Level::expert);
  SUBCASE("a thought that is there early waits, as a person would") {
    evening.thinks(first);
    CHECK(evening.room->questions().empty());
    evening.waits(limits::kBotDelay - milliseconds(1));
    CHECK(rev() == 0);
    REQUIRE(evening.alarm == TimePoint{} + limits::kBotDelay);
    evening.waits(milliseconds(1));
    CHECK(rev() == 1);
  }
  SUBCASE("one that is late is acted upon at once") {
    evening.waits(limits::kBotDelay);
    CHECK(rev() == 0);
    CHECK(evening.alarm == evening.now + limits::kThoughtTime);
    evening.waits(milliseconds(10));
    CHECK(rev() == 0);
    evening.thinks(first);
    CHECK(rev() == 1);
  }
  SUBCASE("one that does not come is not waited for") {
    evening.waits(limits::kBotDelay);
    evening.waits(limits::kThoughtTime - milliseconds(1));
    CHECK(rev() == 0);
    evening.waits(milliseconds(1));
    CHECK(rev() == 1);
    // What comes of it now is about what is no more.
    const auto records = evening.log.size();
    evening.thinks(first, 0);
    CHECK(evening.log.size() == records);
  }
  SUBCASE("after a restart it thinks again") {
    evening.waits(limits::kBotDelay);
    evening.room = Room::replayed(evening.log, evening.now);
    CHECK(evening.question() == first);
    evening.waits(limits::kBotDelay);
    evening.thinks(evening.question());
    evening.says(1, in_room("join"));
    CHECK(rev() == 1);
  }
  SUBCASE("an act of its own is in the log, which plays again without a thought") {
    while (evening.room->status() == RoomStatus::playing && evening.log.size() < 60) {
      const Json view = evening.last(1, "view");
      if (!view.at("legal").empty()) {
        evening.says(1, Evening::act_frame("a" + std::to_string(++evening.ids), view, 0));
      } else {
        evening.waits(limits::kBotDelay);
        if (!evening.room->questions().empty()) evening.thinks(evening.question());
      }
    }
    const auto again = Room::replayed(evening.log, evening.now);
    CHECK(again->questions() == evening.room->questions());
    CHECK(again->summary().taken == 2);
  }
}

TEST_CASE("a bot that acts without looking ahead asks nobody") {
  for (const char* word : {"random", "greedy", "easy", "normal"}) {
    Evening evening(kCreate);
    evening.says(1, in_room("add_bot", R"(,"level":")" + std::string(word) + R"(")"));
    evening.says(1, in_room("start"));
    evening.people = {1};
    for (int step = 0; step < 5000 && evening.room->status() == RoomStatus::playing; ++step) {
      REQUIRE(evening.room->questions().empty());
      const Json view = evening.last(1, "view");
      if (view.at("legal").empty()) {
        evening.waits(limits::kBotDelay);
      } else {
        evening.says(1, Evening::act_frame("a" + std::to_string(++evening.ids), view, 0));
      }
    }
    CHECK(evening.room->status() == RoomStatus::over);
  }
}

TEST_CASE("a hint is for who is asked, in a room that has hints, and the table hears of it") {
  const std::string hint = in_room("hint");
  SUBCASE("there are none") {
    Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2,"hints":false})");
    evening.says(1, hint);
    CHECK(evening.answer(1) == "not_allowed");
  }
  SUBCASE("there are") {
    Evening evening(kCreate);
    evening.says(1, hint);
    CHECK(evening.answer(1) == "not_started");
    evening.says(2, in_room("join"));
    evening.says(3, in_room("watch"));
    evening.says(1, in_room("start"));
    evening.says(2, hint);
    CHECK(evening.answer(2) == "not_your_turn");
    evening.says(3, hint);
    CHECK(evening.answer(3) == "not_seated");
    CHECK(evening.last(3, "news").is_null());
    CHECK_FALSE(evening.wanted_hint);
    const std::size_t records = evening.log.size();
    evening.says(1, hint);
    REQUIRE(evening.wanted_hint);
    CHECK(evening.wanted_hint->seat == Seat{0});
    CHECK(evening.log.size() == records);
    const Json news{
        {"type", "news"}, {"room", "BCDFGH"}, {"what", "hinted"}, {"seat", 0}, {"name", "Name1"}};
    for (const ConnectionId who : {1U, 2U, 3U}) CHECK(evening.last(who, "news") == news);
    const auto thought =
        evening.room->thinking(*evening.wanted_hint, tests::seed_number(1))->run(40, [] {
          return false;
        });
    const AskHint frame{RequestId("h"), RoomCode("BCDFGH")};
    const Outgoing answer =
        answer_from(thought, *evening.wanted_hint, {1, "player 1", "Name1"}, frame);
    const Json told = parse_json(answer.own, kTrustedJson).at("hint");
    const Json view = evening.last(1, "view");
    CHECK(told.at("rev") == view.at("rev"));
    CHECK(told.at("decision") == view.at("decisions").at(0).at("id"));
    const auto is_legal = [&](const Json& action) {
      const Json& legal = view.at("legal");
      return std::any_of(legal.begin(), legal.end(),
                         [&](const Json& act) { return act.at("action") == action; });
    };
    CHECK(is_legal(told.at("action")));
    CHECK(told.at("acts").at(0).at("action") == told.at("action"));
    CHECK(told.at("acts").size() == std::min(limits::kHintActs, view.at("legal").size()));
    for (const Json& act : told.at("acts")) {
      CHECK(is_legal(act.at("action")));
      CHECK(act.at("wins").get<int>() >= 0);
      CHECK(act.at("wins").get<int>() <= 100);
    }
    if (recording.is_open()) recording << answer.own << "\n";
  }
}

TEST_CASE("an act belongs to its match, and is answered again in the next one") {
  Evening evening = playing();
  evening.waits(limits::kBotDelay);
  const ConnectionId who = evening.last(1, "view").at("legal").empty() ? 2 : 1;
  const std::string act = Evening::act_frame("kept", evening.last(who, "view"), 0);
  const std::string lost = Evening::act_frame("lost", evening.last(who, "view"), 0);
  evening.says(who, act);
  const Json first = evening.last(who, "ok");
  const Json match = evening.last(who, "room").at("match");
  std::vector<Json> matches{match};
  for (std::size_t n = 1; n <= limits::kRecordsPerRoom; ++n) {
    evening.play_out(2000);
    REQUIRE(evening.room->status() == RoomStatus::over);
    evening.says(1, in_room("rematch"));
    evening.says(2, in_room("rematch"));
    evening.says(1, in_room("start"));
    REQUIRE(evening.room->status() == RoomStatus::playing);
    evening.says(who, act);
    if (n == 1) {
      CHECK(evening.last(who, "ok") == first);
      Json reused = parse_json(act);
      reused["match"] = evening.last(who, "room").at("match");
      evening.says(who, reused.dump());
      CHECK(evening.answer(who) == "id_reused");
      // It names decision 1, which is open again.
      Json late = parse_json(lost);
      late["match"] = match;
      evening.says(1, late.dump());
      CHECK(evening.answer(1) == "too_late");
      evening.says(2, late.dump());
      CHECK(evening.answer(2) == "too_late");
    }
    matches.push_back(evening.last(1, "room").at("match"));
  }
  evening.play_out(2000);
  const auto record_of = [&](const Json& one) {
    evening.says(1, in_room("record", ",\"match\":" + one.dump()));
    return evening.answer(1);
  };
  CHECK(record_of(matches.at(0)) == "no_such_match");
  for (std::size_t n = 1; n < matches.size(); ++n) CHECK(record_of(matches[n]) == "ok");
}

TEST_CASE("an alarm is always in the future, also when everybody has left a match for long") {
  Evening evening = playing();
  evening.leaves(1);
  evening.leaves(2);
  for (int day = 0; day < 3; ++day) {
    evening.waits(std::chrono::hours(24));
    CHECK((!evening.alarm || *evening.alarm > evening.now));
  }
  CHECK(evening.room->status() == RoomStatus::playing);
}

TEST_CASE("a room is created, joined, started, played to its end, and played again") {
  Evening evening = playing();
  evening.play_out(2000);
  const Json first = evening.last(1, "room");
  CHECK(first.at("status") == "over");
  evening.says(2, in_room("rematch"));
  CHECK(evening.answer(2) == "ok");
  const Json second = evening.last(1, "room");
  CHECK(second.at("status") == "open");
  CHECK(second.at("match") != first.at("match"));
  CHECK(second.at("commitment") != first.at("commitment"));
  evening.says(1, in_room("start"));
  CHECK(evening.room->status() == RoomStatus::playing);
}

TEST_CASE("the record of a finished match verifies, and with any byte changed it does not") {
  Evening evening(kCreate);
  const std::string entropy(64, 'a');
  evening.says(2, in_room("join", R"(,"entropy_hash":")" + commitment_of(entropy).value() + "\""));
  evening.says(1, in_room("start"));
  CHECK(evening.last(1, "room").at("status") == "starting");
  CHECK(evening.last(1, "room").at("reveal") == Json::array({1}));
  evening.says(2, in_room("reveal_entropy", R"(,"entropy":")" + std::string(64, 'b') + "\""));
  CHECK(evening.answer(2) == "entropy_mismatch");
  evening.says(2, in_room("reveal_entropy", R"(,"entropy":")" + entropy + "\""));
  const std::string match =
      R"(,"match":")" + evening.last(1, "room").at("match").get<std::string>() + "\"";
  evening.says(1, in_room("record", match));
  CHECK(evening.answer(1) == "record_not_ready");
  evening.play_out(2000);
  evening.says(1, in_room("record", match));
  const std::string record = evening.last(1, "ok").at("record").dump();
  CHECK(!verify_record(record).has_value());

  // Times and who acted are told, not proven; everything else is.
  Json unproven = parse_json(record, kTrustedJson);
  for (Json& step : unproven.at("steps")) step["at_ms"] = 0;
  const std::string bare = unproven.dump();
  Rng rng{tests::seed_number(tests::take_seed())};
  int caught = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = record;
    const std::size_t at = rng.below(static_cast<std::uint32_t>(record.size()));
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1U + rng.below(7)));
    std::string verdict;
    try {
      verdict = verify_record(changed).value_or("");
      Json told = parse_json(changed, kTrustedJson);
      for (Json& step : told.at("steps")) step["at_ms"] = 0;
      for (std::size_t s = 0; s < told.at("steps").size(); ++s) {
        if (told["steps"][s].contains("by")) told["steps"][s]["by"] = unproven["steps"][s]["by"];
      }
      if (verdict.empty()) CHECK(told.dump() == bare);
    } catch (const Malformed&) {
      verdict = "malformed";
    }
    caught += verdict.empty() ? 0 : 1;
  }
  CHECK(caught > 100);
}

/// The record of a match of three: two people, of whom one takes part in the shuffle, and a bot.
Json a_record(const std::string& game, const std::string& options) {
  Evening evening(R"({"type":"create","id":"c","seats":3,"game":")" + game + R"(","options":)" +
                  options + "}");
  const std::string entropy(64, 'a');
  evening.says(2, in_room("join", R"(,"entropy_hash":")" + commitment_of(entropy).value() + "\""));
  evening.says(1, in_room("add_bot", R"(,"level":"random")"));
  evening.says(1, in_room("start"));
  const Json binding = evening.last(1, "room").at("binding");
  evening.says(2, in_room("reveal_entropy", R"(,"entropy":")" + entropy + "\""));
  evening.play_out(5000);
  const Json match = evening.last(1, "room").at("match");
  evening.says(1, in_room("record", ",\"match\":" + match.dump()));
  Json record = evening.last(1, "ok").at("record");
  // Everybody has seen it before the entropy was open.
  CHECK(record.at("binding") == binding);
  return record;
}

TEST_CASE("what a record was started under cannot be told otherwise") {
  const Json record = a_record("card_triangles", R"({"caller_multi":true})");
  REQUIRE(!verify_record(record.dump()).has_value());
  const auto refuses = [&](const std::string& what, const auto& change) {
    Json changed = record;
    change(changed);
    CAPTURE(what);
    const auto wrong = verify_record(changed.dump());
    CHECK(wrong.has_value());
    // Nothing of what is for us alone.
    CHECK(wrong.value_or("").find('/') == std::string::npos);
    CHECK(wrong.value_or("").find(".hpp") == std::string::npos);
  };
  refuses("call", [](Json& it) { it["options"]["call"] = "free"; });
  refuses("caller_multi", [](Json& it) { it["options"]["caller_multi"] = false; });
  refuses("first_seat", [](Json& it) { it["options"]["first_seat"] = it["deal"]["first_seat"]; });
  refuses("kind", [](Json& it) { it["seats"][0]["kind"] = "bot"; });
  refuses("name", [](Json& it) { it["seats"][0]["name"] = "Another"; });
  refuses("level", [](Json& it) { it["seats"][2]["level"] = "greedy"; });
  refuses("a promise", [](Json& it) { it["seats"][0]["entropy_hash"] = std::string(64, '0'); });
  refuses("no starts", [](Json& it) { it.erase("called_off"); });
  refuses("no binding", [](Json& it) { it.erase("binding"); });
  refuses("another format", [](Json& it) { it["format"] = 1; });
  refuses("a format to come", [](Json& it) { it["format"] = 3; });
  refuses("time", [](Json& it) { it["steps"][0]["at_ms"] = -1; });
  refuses("times", [](Json& it) { it["steps"][0]["at_ms"] = 1'000'000'000'000; });
  refuses("a bot's act", [](Json& it) {
    for (Json& step : it["steps"]) {
      if (step["seat"] == 2) step["by"] = "player";
    }
  });
  refuses("nobody's act", [](Json& it) { it["steps"][0].erase("by"); });
  refuses("a lapse", [](Json& it) { it["steps"][0]["lapsed"] = 1; });
  refuses("only a lapse", [](Json& it) {
    it["steps"][0] = Json{{"rev", 1}, {"at_ms", 0}, {"lapsed", 1}};
  });
  refuses("a seat far away", [](Json& it) { it["steps"][0]["seat"] = 200; });
}

TEST_CASE("a record of a released format is checked as it was when it was written") {
  Json record = a_record("triqueta", "{}");
  record["format"] = 1;
  record.erase("binding");
  record.erase("called_off");
  CHECK(!verify_record(record.dump()).has_value());
  record["seats"][0]["entropy_hash"] = std::string(64, '0');
  CHECK(!verify_record(record.dump()).has_value());
  CHECK(unproven_in(1).find("entropy") != std::string::npos);
  CHECK(unproven_in(2).find("at_ms") != std::string::npos);
  record["steps"][0]["at_ms"] = -1;
  CHECK(verify_record(record.dump()).has_value());
}

TEST_CASE(
    "who does not open what was promised calls the start off, openly, and is out of the next") {
  const std::string ada(64, 'a');
  const std::string ben(64, 'b');
  const auto promise = [](const std::string& entropy) {
    return R"(,"entropy_hash":")" + commitment_of(entropy).value() + "\"";
  };
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2)" + promise(ada) + "}");
  evening.says(2, in_room("join", promise(ben)));
  evening.says(1, in_room("start"));
  evening.says(1, in_room("reveal_entropy", R"(,"entropy":")" + ada + "\""));
  const Json first = evening.last(1, "room");
  CHECK(first.at("reveal") == Json::array({1}));
  evening.waits(limits::kRevealTime);
  const Json second = evening.last(1, "room");
  CHECK(second.at("status") == "open");
  CHECK(second.at("called_off") == 1);
  CHECK(second.at("match") != first.at("match"));
  CHECK(second.at("commitment") != first.at("commitment"));
  for (const ConnectionId who : {1U, 2U}) {
    CHECK(evening.last(who, "news") == Json{{"type", "news"},
                                            {"room", "BCDFGH"},
                                            {"what", "start_called_off"},
                                            {"seat", 1},
                                            {"name", "Name2"}});
  }
  // Nobody's promise stands; the honest one makes another, the other one is out.
  CHECK(!second.at("seats").at(0).contains("entropy"));
  evening.says(1, in_room("rematch", promise(std::string(64, 'c'))));
  CHECK(evening.answer(1) == "ok");
  evening.says(2, in_room("rematch", promise(ben)));
  CHECK(evening.last(1, "room").at("seats").at(0).value("entropy", false));
  CHECK(!evening.last(1, "room").at("seats").at(1).contains("entropy"));
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(1, in_room("join"));
  evening.says(2, in_room("join"));
  evening.says(1, in_room("start"));
  evening.says(1, in_room("reveal_entropy", R"(,"entropy":")" + std::string(64, 'c') + "\""));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.play_out(2000);
  evening.says(1, in_room("record", ",\"match\":" + second.at("match").dump()));
  Json record = evening.last(1, "ok").at("record");
  CHECK(!verify_record(record.dump()).has_value());
  CHECK(record.at("called_off") == Json::array({{{"match", first.at("match")},
                                                 {"commitment", first.at("commitment")},
                                                 {"names", {"Name2"}}}}));
  record["called_off"] = Json::array();
  CHECK(verify_record(record.dump()).has_value());
}

TEST_CASE("two who keep theirs back in turn get no second shuffle each") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3})");
  const std::string hash = commitment_of(std::string(64, 'a')).value();
  const auto promised = [&](ConnectionId who) {
    evening.says(who, in_room("rematch", R"(,"entropy_hash":")" + hash + "\""));
    return evening.last(1, "room").at("seats").at(who - 1).value("entropy", false);
  };
  const auto is_called_off = [&evening] {
    evening.says(1, in_room("start"));
    evening.waits(limits::kRevealTime);
    return evening.room->status() == RoomStatus::open;
  };
  evening.says(2, in_room("join", R"(,"entropy_hash":")" + hash + "\""));
  evening.says(3, in_room("join"));
  REQUIRE(is_called_off());
  REQUIRE(promised(3));
  REQUIRE(is_called_off());
  CHECK_FALSE(promised(2));
  CHECK_FALSE(promised(3));
  CHECK(promised(1));
}

TEST_CASE("starts are called off so many times, and then another room is wanted") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2})");
  const std::string hash = commitment_of(std::string(64, 'b')).value();
  for (std::size_t i = 0; i < limits::kCalledOffStarts; ++i) {
    const ConnectionId guest = 10 + i;
    evening.says(guest, in_room("join", R"(,"entropy_hash":")" + hash + "\""));
    evening.says(1, in_room("start"));
    REQUIRE(evening.room->status() == RoomStatus::starting);
    evening.waits(limits::kRevealTime);
    REQUIRE(evening.room->status() == RoomStatus::open);
    evening.says(guest, in_room("leave"));
  }
  evening.says(9, in_room("join"));
  evening.says(1, in_room("start"));
  CHECK(evening.answer(1) == "not_allowed");
}

TEST_CASE("who begins is who sits on the seat that the maker named, whatever its number is then") {
  const auto first_of = [](std::size_t made, const std::string& named,
                           const std::vector<ConnectionId>& taken) {
    Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":)" +
                    std::to_string(made) + R"(,"options":{"first_seat":)" + named + "}}");
    for (const ConnectionId seat : taken) {
      evening.says(seat + 1, in_room("join", R"(,"seat":)" + std::to_string(seat)));
    }
    evening.says(1, in_room("start"));
    REQUIRE(evening.answer(1) == "ok");
    for (ConnectionId who = 1; who < 9; ++who) {
      const Json view = evening.last(who, "view");
      if (view.contains("legal") && !view.at("legal").empty()) return who - 1;
    }
    return ConnectionId{99};
  };
  CHECK(first_of(4, "2", {2, 3}) == 2);
  CHECK(first_of(4, "3", {2, 3}) == 3);
  CHECK(first_of(4, "0", {2, 3}) == 0);
  CHECK(first_of(3, "2", {2}) == 2);
  // Nobody sits there: it is drawn.
  const ConnectionId drawn = first_of(3, "2", {1});
  CHECK((drawn == 0 || drawn == 1));
}

TEST_CASE("one voice sends nobody away, however often it is raised") {
  Evening evening = playing();
  const std::size_t records = evening.log.size();
  for (int i = 0; i < 241; ++i) {
    evening.says(1, in_room("kick", R"(,"seat":1)"));
    CHECK(evening.answer(1) == "not_allowed");
  }
  CHECK(evening.log.size() == records);
  CHECK(evening.last(2, "bye").is_null());
}

TEST_CASE("who was voted away stays covered on coming back, until the table agrees") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":4})");
  for (const ConnectionId who : {2U, 3U, 4U}) evening.says(who, in_room("join"));
  evening.says(4, in_room("start"));
  evening.says(1, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.says(1, in_room("kick", R"(,"seat":0)"));
  CHECK(evening.answer(1) == "not_allowed");
  evening.says(2, in_room("kick", R"(,"seat":0)"));
  evening.says(3, in_room("kick", R"(,"seat":0)"));
  CHECK(!evening.last(2, "room").at("seats").at(0).contains("covered"));
  evening.says(4, in_room("kick", R"(,"seat":0)"));
  const auto seat = [&] { return evening.last(2, "room").at("seats").at(0); };
  CHECK(seat().value("sent_away", false));
  CHECK(evening.last(1, "bye").at("code") == "kicked");
  CHECK(evening.last(2, "news").at("what") == "host");
  CHECK(evening.last(2, "room").at("host") == 1);
  evening.says(1, in_room("join"));
  CHECK(evening.answer(1) == "ok");
  CHECK(seat().value("covered", false));
  const auto act = R"(,"decision":1,"action":{"do":"draw","columns":[0]})";
  evening.says(1, in_room("act", act));
  CHECK(evening.answer(1) == "not_allowed");
  // Nor has it a voice.
  evening.says(1, in_room("kick", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "not_allowed");
  SUBCASE("over a restart too") {
    evening.room = Room::replayed(evening.log, evening.now);
    evening.says(1, in_room("join"));
    evening.says(2, in_room("join"));
    CHECK(seat().value("sent_away", false));
  }
  SUBCASE("all of the others have it play again") {
    evening.says(1, in_room("readmit", R"(,"seat":0)"));
    CHECK(evening.answer(1) == "not_allowed");
    evening.says(2, in_room("readmit", R"(,"seat":0)"));
    evening.says(2, in_room("readmit", R"(,"seat":0)"));
    evening.says(3, in_room("readmit", R"(,"seat":0)"));
    CHECK(seat().value("sent_away", false));
    evening.room = Room::replayed(evening.log, evening.now);
    for (const ConnectionId who : {1U, 2U, 4U}) evening.says(who, in_room("join"));
    evening.says(4, in_room("readmit", R"(,"seat":0)"));
    CHECK(!seat().contains("sent_away"));
    CHECK(!seat().contains("covered"));
    CHECK(evening.last(1, "news").at("what") == "readmitted");
    evening.says(4, in_room("readmit", R"(,"seat":0)"));
    CHECK(evening.answer(4) == "not_away");
  }
}

TEST_CASE(
    "whoever is silent for five minutes is covered if a person asks, and takes the seat back") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3,)"
                  R"("options":{"first_seat":1}})");
  evening.says(2, in_room("join"));
  evening.says(3, in_room("join"), true);
  evening.says(1, in_room("start"));
  evening.waits(limits::kStallTime - seconds(1));
  evening.says(1, in_room("cover", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "not_away");
  evening.waits(seconds(1));
  // A program may not, and nobody is covered who is not asked.
  evening.says(3, in_room("cover", R"(,"seat":1)"), true);
  CHECK(evening.answer(3) == "not_away");
  evening.says(1, in_room("cover", R"(,"seat":2)"));
  CHECK(evening.answer(1) == "not_away");
  evening.says(1, in_room("cover", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "ok");
  CHECK(evening.last(2, "room").at("seats").at(1).value("covered", false));
  evening.says(2, in_room("join"));
  CHECK(!evening.last(2, "room").at("seats").at(1).contains("covered"));
  // And is asked anew.
  evening.says(1, in_room("cover", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "not_away");
}

TEST_CASE("with a clock, the clock alone sees to who is silent") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":86400,)"
                  R"("options":{"first_seat":1}})");
  evening.says(2, in_room("join"));
  evening.says(1, in_room("start"));
  evening.waits(minutes(60));
  evening.says(1, in_room("cover", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "not_away");
}

TEST_CASE("whom the host has sent away does not come in again") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":4})");
  const auto enters = [&](const std::string& address, ConnectionId connection, ConnectionId player,
                          const std::string& way = "join") {
    evening.says_from(address, connection, player, in_room(way));
    return evening.answer(connection);
  };
  REQUIRE(enters("192.0.2.1", 2, 2) == "ok");
  REQUIRE(enters("192.0.2.1", 3, 3) == "ok");
  evening.says(1, in_room("kick", R"(,"seat":1)"));
  CHECK(evening.last(2, "bye").at("code") == "kicked");
  for (const ConnectionId who : {1U, 3U}) {
    CHECK(evening.last(who, "news") == Json{{"type", "news"},
                                            {"room", "BCDFGH"},
                                            {"what", "sent_away"},
                                            {"seat", 1},
                                            {"name", "Name2"}});
  }
  CHECK(enters("192.0.2.1", 4, 2) == "door_closed");
  CHECK(enters("192.0.2.1", 5, 2, "watch") == "door_closed");
  // Families share an address: who else comes from there is not meant, unless the host says so.
  CHECK(enters("192.0.2.1", 6, 6) == "ok");
  evening.says(1, in_room("kick", R"(,"seat":1,"address":true)"));
  CHECK(enters("192.0.2.1", 7, 7) == "door_closed");
  CHECK(enters("192.0.2.2", 8, 8) == "ok");
  // Who sits comes back, and a log has no address in it.
  CHECK(enters("192.0.2.1", 9, 3) == "ok");
  for (const Record& record : evening.log) {
    CHECK(log_text(record).find("192.0.2") == std::string::npos);
  }
  evening.room = Room::replayed(evening.log, evening.now);
  CHECK(enters("192.0.2.1", 7, 7) == "door_closed");
  CHECK(enters("192.0.2.3", 4, 2) == "door_closed");
  evening.says(1, in_room("join"));
  evening.says(1, in_room("door", R"(,"forgive":true)"));
  CHECK(enters("192.0.2.1", 4, 2) == "ok");
}

TEST_CASE("a room remembers so many guests whom its host has sent away") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2})");
  for (ConnectionId who = 10; who < 10 + limits::kSentAway + 1; ++who) {
    evening.says(who, in_room("join"));
    REQUIRE(evening.answer(who) == "ok");
    evening.says(1, in_room("kick", R"(,"seat":1)"));
  }
  evening.says(11, in_room("join"));
  CHECK(evening.answer(11) == "door_closed");
  evening.says(10, in_room("join"));
  CHECK(evening.answer(10) == "ok");
}

TEST_CASE("what came of the door and of those sent away is all that a shorter log has of them") {
  const auto shorter = [](const std::vector<Record>& records) {
    std::vector<std::string> texts;
    for (const Record& record : without_detours(records)) texts.push_back(log_text(record));
    return texts;
  };
  const auto texts = [](const std::vector<Record>& records) {
    std::vector<std::string> all;
    for (const Record& record : records) all.push_back(log_text(record));
    return all;
  };
  const SentAway ada{"ada", {"one"}};
  const SentAway bob{"bob", {}};
  CHECK(shorter({DoorSet{false, true, {}}, ada, SeatLeft{Seat{1}}, DoorSet{true, true, {}}}) ==
        texts({SeatLeft{Seat{1}}, DoorSet{true, true, {}}, ada}));
  CHECK(shorter({ada, DoorSet{true, true, true}, bob, DoorSet{false, true, {}}}) ==
        texts({DoorSet{false, true, true}, bob}));
  std::vector<Record> many(limits::kSentAway + 50, Record(ada));
  many.emplace_back(bob);
  CHECK(shorter(many).size() == limits::kSentAway);
  CHECK(shorter(many).back() == log_text(bob));
}

TEST_CASE("the host closes the door and ends the watching, and everybody hears it") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3,)"
                  R"("visibility":"listed"})");
  evening.says(2, in_room("join"));
  evening.says(5, in_room("watch"));
  evening.says(2, in_room("door", R"(,"open":false)"));
  CHECK(evening.answer(2) == "not_host");
  CHECK(evening.room->listing().has_value());
  evening.says(1, in_room("door", R"(,"open":false)"));
  for (const ConnectionId who : {1U, 2U, 5U}) {
    CHECK(evening.last(who, "news").at("what") == "door_closed");
    CHECK(evening.last(who, "room").at("door_closed") == true);
  }
  CHECK(!evening.room->listing().has_value());
  const std::size_t records = evening.log.size();
  evening.says(1, in_room("door", R"(,"open":false)"));
  CHECK(evening.answer(1) == "ok");
  CHECK(evening.log.size() == records);
  evening.says(6, in_room("join"));
  CHECK(evening.answer(6) == "door_closed");
  evening.says(6, in_room("watch"));
  CHECK(evening.answer(6) == "door_closed");
  evening.leaves(2);
  evening.says(2, in_room("join"));
  CHECK(evening.answer(2) == "ok");
  evening.says(1, in_room("door", R"(,"spectators":false)"));
  CHECK(evening.last(5, "bye").at("code") == "kicked");
  CHECK(evening.last(2, "room").at("watching") == 0);
  CHECK(evening.last(2, "news").at("what") == "watching_closed");
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(1, in_room("join"));
  evening.says(1, in_room("door", R"(,"open":true)"));
  CHECK(evening.room->listing().has_value());
  evening.says(5, in_room("watch"));
  CHECK(evening.answer(5) == "no_watching");
  evening.says(1, in_room("door", R"(,"spectators":true)"));
  evening.says(5, in_room("watch"));
  CHECK(evening.answer(5) == "ok");
}

TEST_CASE("who has the code is told game and host of a room that lets in whoever comes") {
  const auto made = [](const std::string& more) {
    return Evening(R"({"type":"create","id":"c","game":"triqueta","seats":2)" + more + "}");
  };
  Evening evening = made("");
  REQUIRE(evening.room->invitation());
  CHECK(evening.room->invitation()->game == "triqueta");
  CHECK(evening.room->invitation()->host == "Name1");
  CHECK(evening.room->invitation()->seats == 2);
  CHECK(evening.room->invitation()->taken == 1);
  CHECK(!made(R"(,"password":"sesame")").room->invitation());
  evening.says(1, in_room("door", R"(,"open":false)"));
  CHECK(!evening.room->invitation());
  evening.says(1, in_room("door", R"(,"open":true)"));
  CHECK(evening.room->invitation());
  // A full one can still be watched, but for one without spectators.
  evening.says(2, in_room("join"));
  CHECK(evening.room->invitation()->taken == 2);
  evening.says(1, in_room("door", R"(,"spectators":false)"));
  CHECK(!evening.room->invitation());
  evening.says(2, in_room("leave"));
  CHECK(evening.room->invitation());
}

TEST_CASE("the host changes how it is played before the start, and everybody hears it") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3})");
  evening.says(2, in_room("join"));
  evening.says(2, in_room("options", R"(,"options":{"variant":"duo"},"seats":2)"));
  CHECK(evening.answer(2) == "not_host");
  evening.says(4, in_room("options", R"(,"options":{})"));
  CHECK(evening.answer(4) == "not_seated");
  evening.says(1, in_room("options", R"(,"options":{"variant":"duo"})"));
  CHECK(evening.answer(1) == "bad_options");
  evening.says(1, in_room("options", R"(,"options":{"variant":"chess"})"));
  CHECK(evening.answer(1) == "out_of_range");
  const std::size_t records = evening.log.size();
  evening.says(1, in_room("options", R"(,"options":{},"seats":3)"));
  CHECK(evening.answer(1) == "ok");
  CHECK(evening.log.size() == records);
  evening.says(1, in_room("options", R"(,"options":{"variant":"duo"},"seats":2)"));
  CHECK(evening.answer(1) == "ok");
  CHECK(evening.last(2, "news").at("what") == "options");
  CHECK(evening.last(2, "room").at("options").at("variant") == "duo");
  CHECK(evening.last(2, "room").at("seats").size() == 2);
  // Nobody loses a seat by it, and a log leads to the same room.
  evening.says(1, in_room("options", R"(,"options":{},"seats":5)"));
  evening.says(3, in_room("join", R"(,"seat":4)"));
  REQUIRE(evening.answer(3) == "ok");
  evening.says(1, in_room("options", R"(,"options":{"variant":"wolves"},"seats":4)"));
  CHECK(evening.answer(1) == "seat_taken");
  evening.says(1, in_room("options", R"(,"options":{"variant":"wolves"})"));
  CHECK(evening.answer(1) == "ok");
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(1, in_room("join"));
  CHECK(evening.last(1, "room").at("options").at("variant") == "wolves");
  CHECK(evening.last(1, "room").at("seats").size() == 5);
  evening.says(1, in_room("start"));
  CHECK(evening.last(1, "room").at("status") == "playing");
  CHECK(evening.last(1, "room").at("seats").size() == 3);
  evening.says(1, in_room("options", R"(,"options":{})"));
  CHECK(evening.answer(1) == "already_started");
}

TEST_CASE("of options that changed many times a shorter log has the last, and the same room") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":5})");
  evening.says(2, in_room("join", R"(,"seat":4)"));
  evening.says(2, in_room("leave"));
  for (int i = 0; i < 20; ++i) {
    evening.says(1, in_room("options", R"(,"options":{"variant":"duo"},"seats":2)"));
    evening.says(1, in_room("options", R"(,"options":{"variant":"wolves"},"seats":4)"));
  }
  evening.says(3, in_room("join", R"(,"seat":3)"));
  REQUIRE(evening.answer(3) == "ok");
  const auto opened = std::find_if(evening.log.begin(), evening.log.end(), [](const Record& one) {
    return std::holds_alternative<MatchOpened>(one);
  });
  REQUIRE(opened != evening.log.end());
  std::vector<Record> shorter(evening.log.begin(), opened + 1);
  for (const Record& one : without_detours({opened + 1, evening.log.end()})) shorter.push_back(one);
  CHECK(shorter.size() < 10);
  evening.room = Room::replayed(shorter, evening.now);
  evening.says(1, in_room("join"));
  const Json room = evening.last(1, "room");
  CHECK(room.at("options").at("variant") == "wolves");
  REQUIRE(room.at("seats").size() == 4);
  CHECK(room.at("seats").at(3).at("name") == "Name3");
  CHECK(room.at("host") == 0);
}

TEST_CASE("a room that its maker keeps from spectators gets none") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","spectators":false})");
  evening.says(1, in_room("door", R"(,"spectators":true)"));
  CHECK(evening.answer(1) == "not_allowed");
}

TEST_CASE("a listed room whose host is gone has another one, which is said, or is not listed") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3,)"
                  R"("visibility":"listed"})");
  evening.says(2, in_room("join"));
  evening.leaves(1);
  evening.waits(limits::kAwayTime);
  CHECK(evening.last(2, "news").at("what") == "host");
  CHECK(evening.last(2, "news").at("seat") == 1);
  CHECK(evening.room->listing().has_value());
  evening.leaves(2);
  CHECK(evening.room->listing().has_value());
  REQUIRE(evening.alarm.has_value());
  evening.waits(limits::kAwayTime);
  CHECK(!evening.room->listing().has_value());
  evening.says(1, in_room("join"));
  CHECK(evening.room->listing().has_value());
}

TEST_CASE("an act is done exactly once") {
  Evening evening = playing();
  while (evening.last(1, "view").at("legal").empty() &&
         evening.last(2, "view").at("legal").empty()) {
    evening.waits(limits::kBotDelay);
  }
  const ConnectionId who = evening.last(1, "view").at("legal").empty() ? 2 : 1;
  const Json view = evening.last(who, "view");
  const std::string frame = Evening::act_frame("once", view, 0);
  evening.says(who, frame);
  const Json answer = evening.last(who, "ok");
  const std::size_t records = evening.log.size();
  evening.says(who, frame);
  CHECK(evening.last(who, "ok") == answer);
  CHECK(evening.log.size() == records);
  evening.says(who, Evening::act_frame("once", view, 1));
  CHECK(evening.answer(who) == "id_reused");
  evening.says(who, Evening::act_frame("twice", view, 0));
  CHECK(evening.answer(who) == "too_late");

  SUBCASE("also after the room was made again from its log") {
    evening.room = Room::replayed(evening.log, evening.now);
    evening.says(who, in_room("join"));
    evening.says(who, frame);
    CHECK(evening.last(who, "ok") == answer);
  }
}

/// All that a room would say and keep if it heard this now; nothing comes of it.
std::string told_by(const std::shared_ptr<const Room>& room, TimePoint now) {
  std::string told;
  const auto ask = [&](const RoomMessage& message) {
    Rng rng{Seed{}};
    const Outcome outcome = room->handle(message, now, rng);
    for (const Record& record : outcome.effects.records) told += log_text(record) + "\n";
    for (const Outgoing& frame : outcome.effects.frames) {
      told += std::to_string(frame.to) + (frame.shared ? *frame.shared : "") + frame.own + "\n";
    }
  };
  const auto says = [&](ConnectionId who, const std::string& frame) {
    const Sender from{who, "player " + std::to_string(who), "Name" + std::to_string(who)};
    ask(FromClient{from, decode<ClientFrame>(parse_json(frame), Reading::strict)});
  };
  const std::string match = R"(,"match":")" + std::string(32, '0') + R"(")";
  for (const ConnectionId who : {1U, 2U, 9U}) {
    says(who, in_room("join"));
    says(who, in_room("start"));
    says(who, in_room("rematch"));
    says(who, in_room("kick", R"(,"seat":0)"));
    says(who, in_room("kick", R"(,"seat":1)"));
    says(who, in_room("act", match + R"(,"decision":1,"action":{})"));
    ask(Disconnected{who});
  }
  says(9, in_room("watch"));
  ask(Tick{});
  return told;
}

TEST_CASE("an older room never sees what a later one has changed") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3,"clock":5})");
  std::vector<std::pair<std::shared_ptr<const Room>, std::string>> past;
  std::vector<TimePoint> moments;
  const auto look_back = [&] {
    past.emplace_back(evening.room, told_by(evening.room, evening.now));
    moments.push_back(evening.now);
  };
  const std::string entropy(64, 'b');
  const auto says = [&](ConnectionId who, const std::string& frame) {
    look_back();
    evening.says(who, frame);
  };
  const auto match = [&] {
    says(2, in_room("join", R"(,"entropy_hash":")" + commitment_of(entropy).value() + R"(")"));
    says(1, in_room("add_bot"));
    says(1, in_room("start"));
    says(2, in_room("reveal_entropy", R"(,"entropy":")" + entropy + R"(")"));
    REQUIRE(evening.room->status() == RoomStatus::playing);
    says(1, in_room("kick", R"(,"seat":1)"));
    says(2, in_room("join"));
    look_back();
    evening.leaves(2);
    for (int step = 0; evening.room->status() == RoomStatus::playing && step < 2000; ++step) {
      look_back();
      evening.waits(milliseconds(*evening.alarm > evening.now
                                     ? std::chrono::ceil<milliseconds>(*evening.alarm - evening.now)
                                     : milliseconds(0)));
      if (step == 20) says(2, in_room("join"));
    }
    REQUIRE(evening.room->status() == RoomStatus::over);
    says(2, in_room("join"));
  };
  match();
  says(1, in_room("rematch"));
  says(2, in_room("leave"));
  says(1, in_room("remove_bot", R"(,"seat":2)"));
  match();
  look_back();
  std::set<std::string> different;
  for (std::size_t i = 0; i < past.size(); ++i) {
    CAPTURE(i);
    CHECK(told_by(past[i].first, moments[i]) == past[i].second);
    different.insert(past[i].second);
  }
  CHECK(different.size() > past.size() / 2);
}

TEST_CASE("an append that is refused leaves the room as it was, with all its answers") {
  Evening evening = playing();
  std::vector<std::pair<ConnectionId, std::string>> acts;
  int different = 0;
  const auto next_act = [&](const std::string& id) {
    for (;;) {
      for (const ConnectionId who : evening.people) {
        const Json view = evening.last(who, "view");
        if (view.at("legal").empty()) continue;
        const std::size_t last = view.at("legal").size() - 1;
        return std::tuple(who, Evening::act_frame(id, view, 0), Evening::act_frame(id, view, last));
      }
      evening.waits(limits::kBotDelay);
    }
  };
  for (int n = 0; n < 8; ++n) {
    const std::string id = "act " + std::to_string(n);
    const auto [who, lost, kept] = next_act(id);
    const auto before = evening.room;
    const std::vector<Record> log = evening.log;
    const std::string told = told_by(before, evening.now);
    // Twice on the way to the store, which keeps neither.
    for (int attempt = 0; attempt < 2; ++attempt) {
      evening.says(who, lost);
      REQUIRE(evening.answer(who) == "ok");
      REQUIRE(evening.room != before);
      evening.room = before;
      evening.log = log;
      CHECK(told_by(evening.room, evening.now) == told);
    }
    // The id is as good as new, also for another act.
    different += lost == kept ? 0 : 1;
    evening.says(who, kept);
    CHECK(evening.answer(who) == "ok");
    acts.emplace_back(who, kept);
    for (std::size_t i = 0; i < acts.size(); ++i) {
      const std::size_t records = evening.log.size();
      evening.says(acts[i].first, acts[i].second);
      CHECK(evening.last(acts[i].first, "ok").at("re") == "act " + std::to_string(i));
      CHECK(evening.log.size() == records);
    }
  }
  CHECK(different > 0);
}

TEST_CASE("a value that is shared is copied when one of its holders changes it, and only then") {
  CopyOnWrite<std::vector<int>> older(std::vector<int>{1});
  const auto* first = &*older;
  older.edit().push_back(2);
  CHECK(&*older == first);
  CopyOnWrite<std::vector<int>> later = older;
  CHECK(&*later == first);
  later.edit().push_back(3);
  later.edit().push_back(4);
  CHECK(*older == std::vector<int>{1, 2});
  CHECK(*later == std::vector<int>{1, 2, 3, 4});
  CHECK(&*older == first);
  older = std::vector<int>{5};
  CHECK(*later == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("a map that grows shows each holder what came before its own end, on every branch") {
  AppendOnlyMap<int> trunk;
  CHECK(trunk.find(1) == nullptr);
  trunk.add(1, 1);
  auto one = trunk;
  one.add(2, 2);
  CHECK(trunk.find(2) == nullptr);
  auto other = trunk;
  other.add(3, 3);
  other.add(2, 4);
  CHECK((trunk.size() == 1 && one.size() == 2 && other.size() == 3));
  CHECK(one.find(3) == nullptr);
  CHECK(*one.find(1) == 1);
  CHECK(*one.find(2) == 2);
  CHECK(*other.find(2) == 4);
  CHECK(trunk.find(3) == nullptr);
  other.add(2, 5);
  CHECK((other.size() == 3 && *other.find(2) == 4));
}

TEST_CASE("a map that grows finds all that is in it, also by keys that want the same place") {
  AppendOnlyMap<std::uint64_t> map;
  const auto key = [](std::uint64_t i) { return i % 2 == 0 ? i << 40U : i * 0x9e3779b97f4a7c15U; };
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    CHECK(map.find(key(i)) == nullptr);
    map.add(key(i), i);
    if (i % 100 != 0) continue;
    auto one = map;
    auto other = map;
    one.add(0, i);
    other.add(0, 2 * i);
    CHECK((*one.find(0) == i && *other.find(0) == 2 * i && map.find(0) == nullptr));
  }
  for (std::uint64_t i = 1; i <= 1000; ++i) CHECK(*map.find(key(i)) == i);
}

TEST_CASE("a list of texts that grows shows each holder what came before its own end") {
  AppendOnlyTexts trunk;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 300; ++i) {
    expected.push_back(std::string(i % 7 == 0 ? 0 : i, static_cast<char>('a' + i % 26)));
    auto refused = trunk;
    refused.push_back("this was refused");
    CHECK(refused[i] == "this was refused");
    trunk.push_back(expected.back());
    CHECK(refused[i] == "this was refused");
    REQUIRE(trunk.size() == i + 1);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(trunk[i] == expected[i]);
  CHECK_THROWS_AS(trunk[300], Bug);
}

TEST_CASE("of texts that grow only the newest are held, and each holder sees those of its own") {
  RecentTexts trunk;
  for (std::size_t i = 0; i < 100; ++i) {
    auto refused = trunk;
    refused.push_back("this was refused");
    trunk.push_back(std::to_string(i));
    CHECK(refused[i] == "this was refused");
    CHECK(trunk.size() == i + 1);
    CHECK(trunk.size() - trunk.first() >= std::min(i + 1, RecentTexts::kLeast));
    CHECK(trunk.size() - trunk.first() <= 2 * RecentTexts::kLeast);
    for (std::size_t at = trunk.first(); at <= i; ++at) CHECK(trunk[at] == std::to_string(at));
    if (trunk.first() > 0) CHECK_THROWS_AS(trunk[trunk.first() - 1], Bug);
  }
}

TEST_CASE("a log leads to the room that wrote it") {
  Evening evening = playing();
  evening.play_out(2000);
  const Json before = evening.last(2, "view");
  // Through the codec, as a store keeps it.
  std::vector<Record> read;
  for (const Record& record : evening.log) {
    read.push_back(read_log_text(log_text(record)));
  }
  evening.room = Room::replayed(read, evening.now);
  evening.says(2, in_room("join"));
  CHECK(evening.last(2, "view") == before);
}

TEST_CASE("after a restart every open decision has its full length again") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":60})");
  evening.says(2, in_room("join"));
  evening.says(1, in_room("start"));
  evening.waits(seconds(50));
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(1, in_room("join"));
  CHECK(evening.last(1, "view").at("left_ms").at(0).at("ms") == 60'000);
  const std::size_t kept = evening.log.size();
  evening.waits(seconds(59));
  CHECK(evening.log.size() == kept);
  evening.waits(seconds(1));
  CHECK(evening.log.size() > kept);
}

TEST_CASE("a decision counts from when what opened it is durable") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":60})");
  evening.says(2, in_room("join"));
  evening.says(1, in_room("start"));
  const TimePoint handled = evening.now;
  auto kept = std::make_shared<Room>(*evening.room);
  kept->kept_at(handled, handled + seconds(5));
  CHECK(*kept->alarm(handled) == handled + seconds(65));
  CHECK(*evening.room->alarm(handled) == handled + seconds(60));
}

TEST_CASE("lapses in a row are counted over a restart") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":5})");
  evening.says(2, in_room("join"));
  evening.says(1, in_room("start"));
  const auto covers = [&] {
    return std::count_if(evening.log.begin(), evening.log.end(), [](const Record& record) {
      return std::holds_alternative<SeatCovered>(record);
    });
  };
  evening.waits(seconds(5));
  REQUIRE(covers() == 0);
  evening.room = Room::replayed(evening.log, evening.now);
  evening.waits(seconds(5));
  CHECK(covers() == 1);
}

TEST_CASE("opened entropy and votes outlive a restart") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3,"entropy_hash":")" +
                  commitment_of(std::string(64, 'a')).value() + R"("})");
  evening.says(2, in_room("join", R"(,"entropy_hash":")" +
                                      commitment_of(std::string(64, 'b')).value() + R"(")"));
  evening.says(3, in_room("join"));
  evening.says(1, in_room("start"));
  evening.says(1, in_room("reveal_entropy", R"(,"entropy":")" + std::string(64, 'a') + R"(")"));
  REQUIRE(evening.room->status() == RoomStatus::starting);
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(2, in_room("join"));
  evening.says(2, in_room("reveal_entropy", R"(,"entropy":")" + std::string(64, 'b') + R"(")"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.says(1, in_room("join"));
  evening.says(3, in_room("join"));
  evening.says(1, in_room("kick", R"(,"seat":2)"));
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(2, in_room("kick", R"(,"seat":2)"));
  CHECK(std::get<SeatCovered>(evening.log.back()).seat == Seat{2});
}

TEST_CASE("a match that nobody has visited for a week is closed, restarts or not") {
  Evening evening = playing();
  evening.leaves(1);
  evening.leaves(2);
  const auto day = std::chrono::hours(24);
  evening.waits(6 * day);
  CHECK(evening.room->status() == RoomStatus::playing);
  evening.room = Room::replayed(evening.log, evening.now, 6 * day);
  evening.waits(2 * day);
  CHECK(evening.room->status() == RoomStatus::closed);
  // But whoever was there a minute ago has the time to come back.
  Evening other = playing();
  other.room = Room::replayed(other.log, other.now, 100 * day);
  other.waits(minutes(29));
  CHECK(other.room->status() == RoomStatus::playing);
}

TEST_CASE("a room that slept is the room that it was, to the millisecond") {
  const auto timed = [] {
    Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":3600})");
    evening.says(2, in_room("join"));
    evening.says(1, in_room("start"));
    evening.waits(seconds(100));
    return evening;
  };
  const auto after_play = [] {
    Evening evening = playing();
    evening.play_out(2000);
    return evening;
  };
  const std::vector<Evening> evenings{seated(), playing(), timed(), after_play()};
  for (std::size_t i = 0; i < evenings.size(); ++i) {
    for (const bool by_word : {false, true}) {
      CAPTURE(i);
      CAPTURE(by_word);
      Evening awake = evenings[i];
      CHECK_FALSE(awake.room->may_sleep(awake.now + std::chrono::hours(1)));
      awake.leaves(1);
      awake.waits(seconds(7));
      if (by_word) {
        awake.says(2, in_room("leave"));
      } else {
        awake.leaves(2);
      }
      CHECK_FALSE(awake.room->may_sleep(awake.now));
      awake.waits(limits::kRestTime);
      REQUIRE(awake.room->may_sleep(awake.now));
      Evening waked = awake;
      const auto slept = milliseconds(1'003'017);
      const Nap nap{awake.room->nap_note(awake.now), slept};
      awake.now += slept;
      waked.now += slept;
      waked.room = Room::replayed(waked.log, waked.now, seconds(3), {}, nap);
      CHECK(waked.room->alarm(waked.now) == awake.room->alarm(awake.now));
      CHECK(waked.room->entry() == awake.room->entry());
      CHECK(waked.room->empty_since() == awake.room->empty_since());
      CHECK(waked.room->may_sleep(waked.now) == awake.room->may_sleep(awake.now));
      // Nobody can tell them apart: not who comes back, and not the clock.
      const auto until = waked.room->alarm(waked.now).value() - waked.now + seconds(1);
      for (Evening* evening : {&awake, &waked}) {
        evening->says_as(11, 1, in_room("join"));
        evening->says(5, in_room("watch"));
        evening->leaves(11);
        evening->leaves(5);
        evening->waits(std::chrono::ceil<milliseconds>(until));
        evening->says_as(12, 1, in_room("join"));
        evening->says_as(13, 2, in_room("join"));
      }
      CHECK(waked.heard == awake.heard);
      CHECK(waked.log.size() == awake.log.size());
      CHECK(log_text(waked.log.back()) == log_text(awake.log.back()));
    }
  }
}

TEST_CASE(
    "a room stays awake for a bot, for a list, and for what is due soon; and a note may be lost") {
  const auto left = [](Evening evening) {
    evening.leaves(1);
    evening.leaves(2);
    evening.waits(limits::kRestTime);
    return evening;
  };
  CHECK_FALSE(left(with_expert()).room->may_sleep(TimePoint{} + limits::kRestTime));
  Evening listed(R"({"type":"create","id":"c","game":"triqueta","seats":2,"visibility":"listed"})");
  listed.leaves(1);
  CHECK_FALSE(listed.room->may_sleep(listed.now + limits::kRestTime));
  // By then its host is away for long, so that it is not listed any more.
  listed.waits(limits::kRestTime);
  CHECK(listed.room->may_sleep(listed.now));
  Evening hurried(R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":60})");
  hurried.says(2, in_room("join"));
  hurried.says(1, in_room("start"));
  hurried.leaves(1);
  hurried.leaves(2);
  CHECK_FALSE(hurried.room->may_sleep(hurried.now + seconds(59)));
  // As after a restart.
  const Evening evening = left(playing());
  const auto again = Room::replayed(evening.log, evening.now, seconds(0), {}, Nap{"nonsense", {}});
  CHECK(again->empty_since() == evening.now);
}

TEST_CASE("a match that all its players have left ends soon, and one that somebody lost does not") {
  Evening evening = playing();
  evening.says(1, in_room("leave"));
  evening.leaves(2);
  evening.waits(std::chrono::hours(7));
  CHECK(evening.room->status() == RoomStatus::playing);
  // Whoever comes back and is cut off has not left.
  Evening other = playing();
  other.says(1, in_room("leave"));
  other.says(2, in_room("leave"));
  other.waits(std::chrono::hours(5));
  other.says(1, in_room("join"));
  other.leaves(1);
  other.waits(std::chrono::hours(7));
  CHECK(other.room->status() == RoomStatus::playing);
  other.says(1, in_room("join"));
  other.says(1, in_room("leave"));
  other.waits(std::chrono::hours(7));
  CHECK(other.room->status() == RoomStatus::closed);
}

TEST_CASE("what is not allowed has its code and changes nothing") {
  Evening evening = seated();
  const std::size_t records = evening.log.size();
  const auto refused = [&](ConnectionId who, const std::string& frame, const std::string& code) {
    evening.says(who, frame);
    CHECK(evening.answer(who) == code);
    CHECK(evening.log.size() == records);
  };
  refused(2, in_room("start"), "not_host");
  refused(3, in_room("start"), "not_seated");
  refused(3, in_room("join"), "room_full");
  refused(3, in_room("join", R"(,"seat":7)"), "no_such_seat");
  refused(3, in_room("join", R"(,"seat":0)"), "seat_taken");
  refused(2, in_room("watch"), "already_seated");
  refused(2, in_room("add_bot"), "not_host");
  refused(1, in_room("remove_bot", R"(,"seat":1)"), "no_such_seat");
  refused(3, in_room("leave"), "not_in_room");
  refused(1, in_room("act", R"(,"decision":1,"action":{"do":"draw","columns":[0]})"),
          "not_started");
  refused(1, in_room("rematch"), "not_over");
  refused(1, in_room("say", R"(,"text":"hi")"), "chat_off");
  refused(3, in_room("react", R"(,"reaction":"clap")"), "not_seated");
  refused(1, in_room("cover", R"(,"seat":1)"), "not_started");
  refused(3, in_room("history", R"(,"match":"00","after":0)"), "not_in_room");
  refused(1, in_room("record", R"(,"match":"00")"), "no_such_match");
}

TEST_CASE("acts out of turn, against the rules and without sense are refused one by one") {
  Evening evening = playing();
  while (evening.last(1, "view").at("legal").empty()) {
    const Json view = evening.last(2, "view");
    if (view.at("legal").empty()) {
      evening.waits(limits::kBotDelay);
    } else {
      evening.says(2, Evening::act_frame("b" + std::to_string(++evening.ids), view, 0));
    }
  }
  const std::string decision =
      R"(,"decision":)" + evening.last(1, "view").at("decisions").at(0).at("id").dump();
  const std::size_t records = evening.log.size();
  const auto acts = [&](ConnectionId who, const std::string& action, const std::string& code) {
    evening.says(who, in_room("act", decision + R"(,"action":)" + action));
    CHECK(evening.answer(who) == code);
    CHECK(evening.log.size() == records);
  };
  acts(2, R"({"do":"take","row":0})", "not_your_turn");
  acts(1, R"({"do":"tower","tower":1})", "illegal");
  acts(1, R"({"do":"take","row":9})", "out_of_range");
  acts(1, R"({"do":"fly"})", "unknown_type");
  acts(1, R"({"do":"take","row":0,"why":1})", "unknown_field");
  acts(1, "[]", "wrong_type");
}

TEST_CASE("a player who comes back has the same seat and sees the same view") {
  Evening evening = playing();
  const Json before = evening.last(2, "view");
  evening.leaves(2);
  CHECK(evening.last(1, "room").at("seats").at(1).at("presence") == "away");
  evening.says_as(22, 2, in_room("join"));
  CHECK(evening.last(22, "ok").at("seat") == 1);
  CHECK(evening.last(22, "view") == before);
  CHECK(evening.last(1, "room").at("seats").at(1).at("presence") == "here");
}

TEST_CASE("a seat without its player is covered on request after a minute, and given back") {
  Evening evening = playing();
  evening.leaves(2);
  evening.says(1, in_room("cover", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "not_away");
  evening.waits(limits::kAwayTime);
  evening.says(1, in_room("cover", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "ok");
  CHECK(evening.last(1, "room").at("seats").at(1).at("covered") == true);
  evening.people = {1};
  evening.says(2, in_room("join"));
  CHECK(!evening.last(1, "room").at("seats").at(1).contains("covered"));
}

TEST_CASE("with a clock a silent table plays to its end by bots") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":3,"clock":5})");
  evening.says(2, in_room("join"));
  evening.says(1, in_room("start"));
  for (int i = 0; i < 3000 && evening.room->status() == RoomStatus::playing; ++i) {
    evening.waits(seconds(6));
  }
  CHECK(evening.room->status() == RoomStatus::over);
}

TEST_CASE("a host who is gone is followed by the lowest seat that is there") {
  Evening evening = seated();
  evening.leaves(1);
  evening.waits(limits::kAwayTime);
  CHECK(evening.last(2, "room").at("host") == 1);
}

TEST_CASE("the seat of a program over the network is shown as a bot's, whose player has a name") {
  Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":4,"chat":"text"})");
  evening.says(2, in_room("join"), true);
  evening.says(3, in_room("join"));
  evening.says(1, in_room("add_bot"));
  const Json seats = evening.last(3, "room").at("seats");
  CHECK(seats.at(0).at("kind") == "human");
  CHECK(seats.at(1) == Json{{"seat", 1}, {"kind", "bot"}, {"name", "Name2"}, {"presence", "here"}});
  CHECK(seats.at(3) == Json{{"seat", 3}, {"kind", "bot"}, {"level", "greedy"}});
  evening.says(1, in_room("remove_bot", R"(,"seat":1)"));
  CHECK(evening.answer(1) == "no_such_seat");  // it is a player's, who may be kicked

  evening.says(2, in_room("say", R"(,"text":"hello")"), true);
  CHECK(evening.answer(2) == "not_allowed");
  evening.says(3, in_room("say", R"(,"text":"hello")"));
  CHECK(evening.answer(3) == "ok");

  evening.says(1, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.people = {1, 2, 3};
  SUBCASE("in a kick it has no voice, and one person alone sends nobody away") {
    evening.says(2, in_room("kick", R"(,"seat":2)"), true);
    CHECK(evening.answer(2) == "not_allowed");
    evening.says(1, in_room("kick", R"(,"seat":2)"));
    CHECK(evening.answer(1) == "not_allowed");
    CHECK(!evening.last(1, "room").at("seats").at(2).contains("covered"));
    // But two people send a program away.
    evening.says(1, in_room("kick", R"(,"seat":1)"));
    CHECK(evening.answer(1) == "ok");
    evening.says(3, in_room("kick", R"(,"seat":1)"));
    CHECK(evening.last(1, "room").at("seats").at(1).value("covered", false));
  }
  SUBCASE("it does not follow the host") {
    evening.leaves(1);
    evening.leaves(3);
    evening.waits(limits::kAwayTime);
    CHECK(evening.last(2, "room").at("host") == 0);
    evening.says(3, in_room("join"));
    CHECK(evening.last(2, "room").at("host") == 2);
  }
  SUBCASE("the record and the next match say so too") {
    evening.play_out(2000);
    const Json match = evening.last(1, "room").at("match");
    evening.says(1, in_room("record", ",\"match\":" + match.dump()));
    CHECK(evening.last(1, "ok").at("record").at("seats").at(1).at("kind") == "bot");
    CHECK(evening.last(1, "ok").at("record").at("seats").at(1).at("name") == "Name2");
    const std::string hash(64, 'a');
    evening.says(2, in_room("rematch", R"(,"entropy_hash":")" + hash + R"(")"), true);
    CHECK(evening.last(1, "room").at("seats").at(1).at("kind") == "bot");
    CHECK(evening.last(1, "room").at("seats").at(1).at("entropy") == true);
  }
}

TEST_CASE("a room that nobody is in goes after a time") {
  Evening evening = seated();
  evening.leaves(1);
  evening.leaves(2);
  evening.waits(limits::kIdleRoomTime);
  CHECK(evening.room->status() == RoomStatus::closed);
}

TEST_CASE("everybody hears only the own view, and spectators the public one") {
  Evening evening = seated();
  evening.says(1, in_room("start"));
  evening.says(8, in_room("watch"));
  evening.says(9, in_room("watch"));
  evening.play_out(2000);
  std::map<ConnectionId, std::vector<std::string>> views;
  for (const auto& [who, text] : evening.heard) {
    const Json frame = parse_json(text, kTrustedJson);
    if (frame.at("type") != "view") continue;
    views[who].push_back(text);
    const bool seat = who < 8;
    CHECK(frame.contains("mine") == seat);
    CHECK(frame.contains("legal") == seat);
    if (seat) CHECK(frame.at("seat") == who - 1);
  }
  // The second spectator came after the first one's view; from there on they got the same bytes.
  REQUIRE(views[8].size() >= views[9].size());
  CHECK(std::equal(views[9].rbegin(), views[9].rend(), views[8].rbegin()));
}

TEST_CASE("history gives what happened, page by page, without gaps, while it is played and after") {
  Evening evening = playing();
  std::size_t steps = 2000;
  SUBCASE("after the end") {}
  SUBCASE("in the middle, when most of it is in the log alone") { steps = 30; }
  SUBCASE("at the beginning, when all of it is in the room") { steps = 5; }
  evening.play(steps);
  const Json view = evening.last(1, "view");
  std::int64_t after = 0;
  bool more = true;
  while (more) {
    evening.says(1, in_room("history", R"(,"match":)" + view.at("match").dump() + R"(,"after":)" +
                                           std::to_string(after)));
    const Json answer = evening.last(1, "ok");
    for (const Json& page : answer.at("pages")) CHECK(page.at("rev") == ++after);
    more = answer.at("more").get<bool>();
  }
  CHECK(after == view.at("rev"));
}

/// The whole of a finished match as views, asked for page by page.
std::vector<Json> replay(Evening& evening, ConnectionId who, const Json& match) {
  std::vector<Json> steps;
  for (bool more = true; more;) {
    evening.says(who, in_room("replay", R"(,"match":)" + match.dump() + R"(,"from":)" +
                                            std::to_string(steps.size())));
    const Json answer = evening.last(who, "ok");
    REQUIRE(answer.contains("steps"));
    CHECK(answer.dump().size() < limits::kOutboxBytes / 4);
    for (const Json& step : answer.at("steps")) {
      CHECK(step.at("rev") == steps.size());
      steps.push_back(step);
    }
    more = answer.at("more").get<bool>();
  }
  return steps;
}

TEST_CASE("a match that is over is replayed as the views that everybody had, and not before") {
  Evening evening = seated();
  evening.says(8, in_room("watch"));
  const Json match = evening.last(8, "room").at("match");
  const std::string ask = in_room("replay", R"(,"match":)" + match.dump() + R"(,"from":0)");
  evening.says(1, ask);
  CHECK(evening.answer(1) == "record_not_ready");
  evening.says(1, in_room("start"));
  for (const ConnectionId who : {ConnectionId{1}, ConnectionId{8}}) {
    evening.says(who, ask);
    CHECK(evening.answer(who) == "record_not_ready");
  }
  evening.says(9, ask);
  CHECK(evening.answer(9) == "not_in_room");
  evening.play_out(2000);
  const std::vector<Json> steps = replay(evening, 8, match);
  CHECK(steps.size() > limits::kReplayStride);
  std::size_t compared = 0;
  for (const auto& [who, text] : evening.heard) {
    const Json view = parse_json(text, kTrustedJson);
    if (view.at("type") != "view") continue;
    const Json& step = steps.at(view.at("rev").get<std::size_t>());
    CHECK(step.at("table") == view.at("table"));
    CHECK(step.at("happened") == view.at("happened"));
    CHECK(step.at("decisions") == view.at("decisions"));
    if (view.contains("seat")) {
      CHECK(step.at("seats").at(view.at("seat").get<std::size_t>()) == view.at("mine"));
    }
    ++compared;
  }
  CHECK(compared > steps.size());
  CHECK_FALSE(steps.front().contains("by"));
  CHECK(steps.at(1).contains("by"));
}

TEST_CASE("a match can be replayed after a rematch and after a restart, as it was") {
  Evening evening = playing();
  const Json match = evening.last(1, "room").at("match");
  evening.play_out(2000);
  const std::vector<Json> steps = replay(evening, 1, match);
  evening.says(1, in_room("rematch"));
  CHECK(replay(evening, 2, match) == steps);
  const Json next = evening.last(1, "room").at("match");
  evening.room = Room::replayed(evening.log, evening.now);
  evening.says(2, in_room("join"));
  CHECK(replay(evening, 2, match) == steps);
  for (const auto& [which, code] : {std::pair(next.dump(), "record_not_ready"),
                                    std::pair(std::string(R"("00")"), "no_such_match")}) {
    evening.says(2, in_room("replay", R"(,"match":)" + which + R"(,"from":0)"));
    CHECK(evening.answer(2) == code);
  }
}

TEST_CASE("records are for everybody where everybody may watch, and only of what is over") {
  const auto open_after_a_match = [](const std::string& settings) {
    Evening evening(R"({"type":"create","id":"c","game":"triqueta","seats":2)" + settings + "}");
    evening.says(1, in_room("add_bot", R"(,"level":"random")"));
    evening.says(1, in_room("start"));
    CHECK(evening.room->open_records().empty());
    const Json match = evening.last(1, "room").at("match");
    evening.people = {1};
    evening.play_out(2000);
    const auto open = evening.room->open_records();
    evening.says(1, in_room("record", R"(,"match":)" + match.dump()));
    for (const auto& finished : open) CHECK(finished == match.get<std::string>());
    CHECK(evening.last(1, "ok").contains("record"));
    evening.says(1, in_room("rematch"));
    CHECK(evening.room->open_records() == open);
    const auto again = Room::replayed(evening.log, evening.now);
    CHECK(again->open_records() == open);
    return open.size();
  };
  CHECK(open_after_a_match(R"(,"visibility":"listed")") == 1);
  CHECK(open_after_a_match(R"(,"visibility":"unlisted")") == 0);
  CHECK(open_after_a_match(R"(,"visibility":"listed","password":"open sesame")") == 0);
  CHECK(open_after_a_match(R"(,"visibility":"listed","spectators":false)") == 0);
}

TEST_CASE("a replay from beyond the end is empty") {
  Evening evening = playing();
  evening.play_out(2000);
  const Json view = evening.last(1, "view");
  for (const std::int64_t from : {view.at("rev").get<std::int64_t>() + 1, std::int64_t{1000000}}) {
    evening.says(1, in_room("replay", R"(,"match":)" + view.at("match").dump() + R"(,"from":)" +
                                          std::to_string(from)));
    CHECK(evening.last(1, "ok").at("steps").empty());
    CHECK(evening.last(1, "ok").at("more") == false);
  }
}

// --- windows, with Triangle Mayhem

const char* const kCreateMayhem =
    R"({"type":"create","id":"c","game":"mayhem","seats":2,"options":{"first_seat":0}})";

/// Seat 0 has played a card and ended its turn: its window stands beside the turn of seat 1.
void open_window(Evening& evening) {
  evening.says(1, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.says(1, Evening::act_frame("play", evening.last(1, "view"), 0));
  const Json view = evening.last(1, "view");
  evening.says(1, Evening::act_frame("end", view, view.at("legal").size() - 1));
  REQUIRE(evening.last(1, "view").at("table").contains("window"));
}
Evening with_window() {
  Evening evening(kCreateMayhem);
  evening.says(2, in_room("join"));
  open_window(evening);
  return evening;
}
Json left_ms(const Evening& evening) { return evening.last(1, "view").at("left_ms").at(0); }
std::int64_t rev(const Evening& evening) {
  return evening.last(1, "view").at("rev").get<std::int64_t>();
}

TEST_CASE("a window lapses by its clock, which begins anew with each card drawn") {
  Evening evening = with_window();
  CHECK(left_ms(evening).at("ms") == 3000);
  const Json turn = evening.last(2, "view").at("decisions").at(0).at("id");
  evening.waits(milliseconds(2999));
  const std::string first = Evening::act_frame("first", evening.last(1, "view"), 0);
  evening.says(1, first);
  CHECK(evening.answer(1) == "ok");
  CHECK(left_ms(evening).at("ms") == 3000);
  const std::string late = Evening::act_frame("late", evening.last(1, "view"), 0);
  const std::int64_t before = rev(evening);
  evening.waits(milliseconds(3000));
  CHECK(evening.last(2, "view").at("happened").at(0).at("reason") == "lapse");
  CHECK(evening.last(2, "view").at("decisions").at(0).at("id") == turn);
  CHECK(rev(evening) == before + 1);
  evening.says(1, late);
  CHECK(evening.answer(1) == "too_late");
  CHECK(rev(evening) == before + 1);
}

TEST_CASE("a message that comes when the window is over does not find it, alarm or not") {
  Evening evening = with_window();
  const std::string late = Evening::act_frame("late", evening.last(1, "view"), 0);
  evening.now += milliseconds(3000);
  evening.says(1, late);
  CHECK(evening.answer(1) == "too_late");
  CHECK(evening.last(2, "view").at("happened").at(0).at("reason") == "lapse");
}

TEST_CASE("in a race the order of arrival decides, and for the loser nothing happens") {
  Evening evening = with_window();
  const std::string fast = Evening::act_frame("fast", evening.last(1, "view"), 0);
  evening.says(2, Evening::act_frame("turn", evening.last(2, "view"), 0));
  CHECK(evening.answer(2) == "ok");
  const std::int64_t before = rev(evening);
  const std::size_t kept = evening.log.size();
  evening.says(1, fast);
  CHECK(evening.answer(1) == "too_late");
  CHECK(rev(evening) == before);
  CHECK(evening.log.size() == kept);
}

/// How long, in ms, the bot in seat 2 leaves the window of seat 1 alone.
std::int64_t bot_waits(int window_ms, bool is_program) {
  const std::string options = R"({"first_seat":1,"window_ms":)" + std::to_string(window_ms) + "}";
  Evening evening(R"({"type":"create","id":"c","game":"mayhem","seats":3,"options":)" + options +
                  "}");
  evening.says(2, in_room("join"), is_program);
  evening.says(1, in_room("add_bot"));
  evening.says(1, in_room("start"));
  REQUIRE(evening.room->status() == RoomStatus::playing);
  evening.says(2, Evening::act_frame("play", evening.last(2, "view"), 0));
  const Json view = evening.last(2, "view");
  evening.says(2, Evening::act_frame("end", view, view.at("legal").size() - 1));
  REQUIRE(evening.last(2, "view").at("table").at("window").at("seat") == 1);
  const TimePoint begin = evening.now;
  while (evening.last(2, "view").at("table").at("played") == 0) evening.waits(milliseconds(50));
  return std::chrono::duration_cast<milliseconds>(evening.now - begin).count();
}

TEST_CASE("a bot leaves people their whole window, and programs none") {
  CHECK(bot_waits(3000, true) == limits::kBotDelay.count());
  // Once it has lapsed, the bot takes its usual time.
  for (const int window_ms : {800, 3000, 10'000}) {
    CHECK(bot_waits(window_ms, false) == window_ms + limits::kBotDelay.count());
  }
  CHECK(bot_waits(30'000, false) == limits::kBotWindowDelay.count());
}

TEST_CASE("a bot plays in its window no faster than a person could, while a person is asked") {
  Evening evening(
      R"({"type":"create","id":"c","game":"mayhem","seats":2,"options":{"first_seat":1}})");
  evening.says(1, in_room("add_bot"));
  evening.says(1, in_room("start"));
  const auto asks_me = [&] {
    const Json view = evening.last(1, "view");
    return view.at("table").contains("turn") && view.at("table").at("turn") == 0;
  };
  // How many fast cards a bot gets is a matter of the deal: matches go by until there was one.
  std::size_t fast = 0;
  std::size_t acts = 0;
  const auto act = [&](const Json& view, std::size_t index) {
    evening.says(1, Evening::act_frame(std::to_string(++acts), view, index));
  };
  while (fast == 0) {
    while (evening.room->status() == RoomStatus::playing) {
      if (!asks_me()) {
        evening.waits(milliseconds(50));
        continue;
      }
      TimePoint before = evening.now;
      const TimePoint looked_for_long = before + seconds(10);
      for (std::int64_t seen = rev(evening); evening.now < looked_for_long && asks_me();) {
        evening.waits(milliseconds(50));
        if (rev(evening) == seen) continue;
        seen = rev(evening);
        if (evening.last(1, "view").at("happened").at(0).at("event") != "play") continue;
        ++fast;
        CHECK(evening.now - before >= milliseconds(2000));
        before = evening.now;
      }
      if (!asks_me()) continue;
      act(evening.last(1, "view"), 0);
      const Json view = evening.last(1, "view");
      if (!asks_me() || evening.room->status() != RoomStatus::playing) continue;
      act(view, view.at("legal").size() - 1);
    }
    evening.says(1, in_room("rematch"));
    evening.says(1, in_room("start"));
  }
}

}  // namespace
}  // namespace triquetra
