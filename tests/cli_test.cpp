// The pure parts of the terminal client: addresses, messages, what a person types, what is shown,
// and how a bot chooses.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "clients/cli/commands/robots.hpp"
#include "clients/cli/games/catalogue.hpp"
#include "clients/cli/games/render.hpp"
#include "clients/cli/games/typed.hpp"
#include "clients/cli/network/connection.hpp"
#include "clients/cli/network/link.hpp"
#include "protocol/wire.hpp"

namespace triquetra::cli {
namespace {

std::vector<Offer> offers(const std::string& text) {
  std::vector<Offer> all;
  for (const Json& action : parse_json(text)) all.push_back({action, std::nullopt, std::nullopt});
  return all;
}

using Found = std::vector<std::size_t>;

TEST_CASE("an address may name a server, a room or both") {
  CHECK(parse_target("BCDFGH")->room == "BCDFGH");
  CHECK(parse_target("bcdfgh")->room == "BCDFGH");
  CHECK(parse_target("ws://example.org:9000")->server.text() == "ws://example.org:9000");
  CHECK(parse_target("ws://example.org:9000")->room.empty());
  CHECK(parse_target("localhost")->server.host == "localhost");
  const auto both = parse_target("http://example.org:9000/ws/bcdfgh");
  CHECK(both->server.port == "9000");
  CHECK(both->server.path == "/ws");
  CHECK(both->room == "BCDFGH");
  CHECK(parse_target("ws://h:1/games/ws/BCDFGH")->server.path == "/games/ws");
  CHECK(parse_target("wss://example.org/games/BCDFGH")->server.text() == "wss://example.org:443");
  CHECK(parse_target("https://example.org/games/r/BCDFGH")->server.path == "/games/ws");
  CHECK_FALSE(parse_target("ftp://example.org"));
  CHECK_FALSE(parse_target("ws://:8080"));
}

TEST_CASE("a room is found by its code however somebody has written or copied it") {
  for (const char* text :
       {"BCD FGH", "bcd-fgh", " BCDFGH\n", "/r/BCDFGH", "/r/BCDFGH/", "/r/bcdfgh#x", "/ws/BCDFGH",
        "/games/r/BCDFGH?from=mail#replay/3", "BCDFGH#x"}) {
    CAPTURE(text);
    const auto target = parse_target(text);
    REQUIRE(target);
    CHECK(target->room == "BCDFGH");
    CHECK_FALSE(target->names_server);
  }
  const auto copied = parse_target("https://example.org/games/r/BCDFGH?from=mail#replay/3/ab");
  REQUIRE(copied);
  CHECK(copied->room == "BCDFGH");
  CHECK(copied->names_server);
  CHECK(copied->server.text() == "wss://example.org:443");
  CHECK(copied->server.path == "/games/ws");
  for (const char* text : {"/", "/r/", "#x", "", "/about/us/12"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_target(text));
  }
  CHECK(room_code_of("bcd - fgh") == "BCDFGH");
  for (const char* text : {"", "BCD", "BCDFG1", "BCDFGHJKLMNPQ", "BCD_FGH"}) {
    CHECK_FALSE(room_code_of(text));
  }
  // What --server names is a server, also if it could be a code.
  CHECK(parse_server("gamehost")->server.host == "gamehost");
  CHECK(parse_server("gamehost")->room.empty());
}

TEST_CASE(
    "the wait for the next connection doubles up to eight seconds, and is not the same for all") {
  CHECK(wait_after(1, 0.5).count() == 250);
  CHECK(wait_after(2, 0.5).count() == 500);
  CHECK(wait_after(5, 0.5).count() == 4000);
  CHECK(wait_after(6, 0.5).count() == 8000);
  CHECK(wait_after(kMostLosses, 0.5).count() == 8000);
  for (const int losses : {1, 4, 6, 20}) {
    CHECK(wait_after(losses, 0.0) == wait_after(losses, 0.5) * 3 / 4);
    CHECK(wait_after(losses, 1.0) == wait_after(losses, 0.5) * 5 / 4);
  }
}

TEST_CASE("a pause is never shorter than the server asked for") {
  CHECK(pause_of(std::nullopt, 0.0).count() == 1000);
  CHECK(pause_of(3000, 0.0).count() == 3000);
  CHECK(pause_of(3000, 1.0).count() == 3750);
  CHECK(pause_of(0, 0.0).count() == 250);                 // a server cannot make a client hammer,
  CHECK(pause_of(1'000'000'000, 0.0).count() == 60'000);  // or leave for good
}

TEST_CASE("messages follow the subset of ICU") {
  const auto format = [](const std::string& pattern, const Values& values,
                         const std::string& language = "en") {
    return format_message(pattern, values, language);
  };
  CHECK(format("Hello {name}!", {{"name", "Ann"}}) == "Hello Ann!");
  CHECK(format("{absent}", {}) == "{absent}");
  const std::string tokens = "{n, plural, =0 {nothing} one {# token} other {# tokens}}";
  CHECK(format(tokens, {{"n", 0}}) == "nothing");
  CHECK(format(tokens, {{"n", 1}}) == "1 token");
  CHECK(format(tokens, {{"n", 5}}) == "5 tokens");
  const std::string plain = "{n, plural, one {one} other {many}}";
  CHECK(format(plain, {{"n", 0}}, "en") == "many");
  CHECK(format(plain, {{"n", 0}}, "fr") == "one");
  const std::string who =
      "{who, select, me {You draw} other {{name} draws {n, plural, one {#} other {##}}}}";
  CHECK(format(who, {{"who", "me"}}) == "You draw");
  CHECK(format(who, {{"who", "x"}, {"name", "Ann"}, {"n", 2}}) == "Ann draws 22");
  CHECK(format("it's '{n}' and ''", {{"n", 1}}) == "it's {n} and '");
  CHECK(format("# outside", {}) == "# outside");
  // What a name holds is no pattern.
  CHECK(format("{name}", {{"name", "{n}#"}, {"n", 1}}) == "{n}#");
}

TEST_CASE("messages are formatted as in the browser") {
  std::ifstream file(std::string(TRIQUETRA_SOURCE_DIR) + "/i18n/vectors.json");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const Json vectors = parse_json(text, kTrustedJson);
  REQUIRE(vectors.size() > 5);
  for (const Json& vector : vectors) {
    const auto pattern = vector["pattern"].get<std::string>();
    CAPTURE(pattern);
    Values values;
    std::vector<std::string> names;
    for (const auto& item : vector["values"].items()) names.push_back(item.key());
    for (const std::string& name : names) {
      const Json& value = vector["values"][name];
      if (value.is_string()) values.emplace_back(name, value.get<std::string>());
      if (value.is_number()) values.emplace_back(name, value.get<std::int64_t>());
    }
    for (const std::string language : {"en", "de", "fr"}) {
      CHECK(format_message(pattern, values, language) == vector[language].get<std::string>());
    }
  }
}

TEST_CASE("the language is the strongest setting's") {
  CHECK(Catalogue::choose({"", "de_DE.UTF-8", "fr_FR"}) == "de");
  CHECK(Catalogue::choose({"fr", "de"}) == "fr");
  CHECK(Catalogue::choose({"C"}) == "en");
  CHECK(Catalogue::choose({}) == "en");
  CHECK(Catalogue("xx").language() == "en");
  CHECK(Catalogue("de").list({"a", "b", "c"}) == "a, b und c");
}

TEST_CASE("numbers are counted from one, and what is acted on comes first") {
  const ActWords act = act_words(parse_json(R"({"do":"place","token":1,"row":2})"));
  CHECK(act.verb == "place");
  CHECK(act.words == std::vector<std::string>{"2", "3"});
  CHECK(act_words(parse_json(R"({"do":"reveal","keep":[true,false]})")).words ==
        std::vector<std::string>{"yes", "no"});
}

TEST_CASE("typed words find their offer") {
  const auto turn = offers(
      R"([{"do":"draw","columns":[0]},{"do":"draw","columns":[2]},{"do":"take","row":0},
          {"do":"take","row":4}])");
  CHECK(match_offers(turn, "draw", {"3"}) == Found{1});
  CHECK(match_offers(turn, "draw", {"2"}).empty());
  CHECK(match_offers(turn, "draw", {}) == Found{0, 1});
  CHECK(match_offers(turn, "take", {"5"}) == Found{3});
  CHECK(prompt_of(turn) == "[d]raw 1,3, [t]ake 1,5");
  CHECK(typed_form(turn, 3) == "take 5");

  const auto held = offers(
      R"([{"do":"place","token":0,"row":0},{"do":"place","token":0,"row":1},
          {"do":"place","token":0,"row":2},{"do":"keep","token":0}])");
  CHECK(match_offers(held, "place", {"2"}) == Found{1});
  CHECK(match_offers(held, "place", {"1", "2"}) == Found{1});
  CHECK(match_offers(held, "keep", {}) == Found{3});
  CHECK(match_offers(held, "keep", {"1"}) == Found{3});
  CHECK(match_offers(held, "keep", {"2"}).empty());
  CHECK(prompt_of(held) == "[p]lace 1-3, [k]eep");

  const auto two = offers(
      R"([{"do":"place","token":0,"row":0},{"do":"place","token":1,"row":0},
          {"do":"place","token":0,"row":1},{"do":"place","token":1,"row":1}])");
  CHECK(match_offers(two, "place", {"2", "1"}) == Found{1});
  CHECK(match_offers(two, "place", {"2"}).size() == 2);

  const auto last = offers(R"([{"do":"take","row":3}])");
  CHECK(match_offers(last, "take", {}) == Found{0});
  CHECK(match_offers(last, "take", {"4"}) == Found{0});
  CHECK(match_offers(last, "take", {"1"}).empty());

  const auto reveal = offers(
      R"([{"do":"reveal","keep":[false,false]},{"do":"reveal","keep":[true,false]},
          {"do":"reveal","keep":[false,true]},{"do":"reveal","keep":[true,true]}])");
  CHECK(match_offers(reveal, "reveal", {"y", "n"}) == Found{1});
  CHECK(match_offers(reveal, "reveal", {"yes", "YES"}) == Found{3});
}

TEST_CASE("cards are typed by their letters, triangles by the numbers that they have") {
  const auto turn = offers(
      R"([{"do":"play","card":{"cut":"vertical","number":2,"color":"red"},"onto":3},
          {"do":"play","card":{"cut":"vertical","number":2,"color":"red"},"onto":7},
          {"do":"play","card":{"cut":"centered","number":1,"color":"pink"}},{"do":"end"}])");
  CHECK(prompt_of(turn) == "[p]lay v2r|c1p 3,7, [e]nd");
  CHECK(match_offers(turn, "play", {"v2r", "7"}) == Found{1});
  CHECK(match_offers(turn, "play", {"C1P"}) == Found{2});
  CHECK(match_offers(turn, "play", {"v2r"}).size() == 2);
  CHECK(typed_form(turn, 0) == "play v2r 3");
  CHECK(card_word(parse_json(R"({"cut":"horizontal","color":"green","joker":true})")) == "hjg");
  CHECK(card_word(parse_json(R"({"cut":1,"color":"green"})")).empty());
}

TEST_CASE("the beginning of a word is enough when it is clear") {
  const std::vector<std::string> verbs = {"rows", "rematch", "react", "row"};
  CHECK(completions("rem", verbs) == std::vector<std::string>{"rematch"});
  CHECK(completions("re", verbs).size() == 2);
  CHECK(completions("ROW", verbs) == std::vector<std::string>{"row"});
  CHECK(completions("x", verbs).empty());
}

TEST_CASE("a bot takes the best act and never waives a window") {
  const auto act = [](const char* text, std::optional<int> preview) {
    return LegalAct{Raw{text}, preview, {}};
  };
  const std::vector<LegalAct> legal = {
      act(R"({"do":"take","row":0})", -1), act(R"({"do":"draw","columns":[0]})", std::nullopt),
      act(R"({"do":"take","row":1})", 4), act(R"({"do":"take","row":2})", 4)};
  CHECK(choose_act(legal, BotLevel::greedy, 0) == 2U);
  CHECK(choose_act(legal, BotLevel::greedy, 1) == 3U);
  CHECK(choose_act(legal, BotLevel::random, 5) == 1U);
  const std::vector<LegalAct> poor = {legal[0], legal[1]};
  CHECK(choose_act(poor, BotLevel::greedy, 7) == 1U);
  const std::vector<LegalAct> window = {act(R"({"do":"lapse"})", 9)};
  CHECK_FALSE(choose_act(window, BotLevel::greedy, 0));
  const std::vector<LegalAct> fast = {act(R"({"do":"play"})", 0), act(R"({"do":"lapse"})", 0)};
  CHECK_FALSE(choose_act(fast, BotLevel::greedy, 0));
  CHECK(choose_act(fast, BotLevel::random, 0) == 0U);
  CHECK_FALSE(choose_act(fast, BotLevel::random, 1));
  const std::vector<LegalAct> scoring = {fast[0], fast[1], act(R"({"do":"play"})", 3)};
  CHECK(choose_act(scoring, BotLevel::greedy, 0) == 2U);
  CHECK_FALSE(choose_act({}, BotLevel::random, 3));
}

Scene scene() {
  Scene scene;
  scene.names = {"Ann", "Bob"};
  scene.seat = 0;
  scene.table = parse_json(
      R"({"phase":"resolve","round":2,"rock":1,"turn":0,
          "tower":{"id":1,"light":[3,2,0,3,3],"shadow":[0,1,0,0,0]},
          "rows":[{"tokens":["owl","bear"]},{"tokens":[],"taken_by":1},{"tokens":[]}],
          "seats":[{"up":{"owl":2},"down":1,"shadow":0,"trees":1},
                   {"up":{},"down":0,"shadow":0,"trees":0}]})");
  scene.mine = parse_json(R"({"seat":0,"down":["ram"],"drawn":[{"token":0,"animal":"owl"}]})");
  scene.offers = offers(R"([{"do":"place","token":0,"row":0},{"do":"place","token":0,"row":2},
                            {"do":"take","row":0}])");
  scene.offers[2].preview = 3;
  return scene;
}

TEST_CASE("Triangle Mayhem speaks in sentences") {
  const Catalogue catalogue("en");
  const auto voice = voice_of("mayhem", catalogue, {});
  Scene mayhem;
  mayhem.names = {"Ann", "Bob"};
  mayhem.seat = 0;
  const std::string v2r = R"({"cut":"vertical","number":2,"color":"red"})";
  const std::string v1r = R"({"cut":"vertical","number":1,"color":"red"})";
  mayhem.table =
      parse_json(R"({"turn":1,"played":0,"pile":60,"triangles":[{"id":3,"cards":[)" + v1r +
                 R"(]}],"window":{"seat":0,"cards":1},"seats":[
         {"cards":3,"triangles":2,"sheet":{"pure":1,"unpure":1,"points":9}},
         {"cards":3,"triangles":0,"sheet":{"pure":0,"unpure":0,"points":0}}]})");
  mayhem.mine =
      parse_json(R"({"hand":[)" + v2r + R"(],"fast":[)" + v2r + R"(],"drew":[)" + v2r + "]}");
  mayhem.offers = offers(R"([{"do":"play","card":)" + v2r + R"(,"onto":3},{"do":"lapse"}])");
  const auto says = [&](const std::string& event) {
    return voice->event(mayhem, parse_json(event));
  };
  CHECK(says(R"({"event":"play","seat":1,"card":)" + v2r +
             R"(,"triangle":4,"how":"start","fast":false})") == "Bob starts triangle 4 with v2r.");
  CHECK(says(R"({"event":"play","seat":0,"card":)" + v2r +
             R"(,"triangle":4,"how":"complete","fast":true})") ==
        "Fast: You complete triangle 4 with v2r.");
  CHECK(says(R"({"event":"play","seat":1,"card":)" + v2r +
             R"(,"triangle":4,"how":"extend","fast":false})") == "Bob adds v2r to triangle 4.");
  CHECK(says(R"({"event":"triangle","seat":1,"triangle":4,"pure":true,"points":6,"cards":[)" + v2r +
             "]}") == "Bob takes v2r: 6 points, a pure triangle.");
  CHECK(says(R"({"event":"draw","seat":1,"count":2})") == "Bob draws 2 cards.");
  CHECK(says(R"({"event":"draw","seat":0,"count":1})") == "You draw v2r.");
  CHECK(says(R"({"event":"end","seat":0})").empty());
  CHECK(says(R"({"event":"window_close","seat":0,"reason":"move"})") == "Too late to play fast.");
  CHECK(says(R"({"event":"window_close","seat":1,"reason":"move"})").empty());
  CHECK(voice->question(mayhem) == "Quick, you have just drawn v2r:");
  CHECK(voice->act(mayhem, 0) == "play: onto v1r");
  CHECK(voice->table(mayhem) ==
        std::vector<std::string>{"60 cards in the pile. Ann may play fast.", "  horizontal: none",
                                 "  vertical:  3: v1r", "  centered: none"});
  CHECK(voice->players(mayhem)[0] == "1. Ann: 3 cards; 2 triangles, 1 pure; 9 points");
}

TEST_CASE("Triqueta speaks in sentences") {
  const Catalogue catalogue("en");
  const auto voice = voice_of("triqueta", catalogue, {});
  const auto says = [&](const char* event) { return voice->event(scene(), parse_json(event)); };
  CHECK(says(R"({"event":"drew","seat":1,"columns":[2],"backs":["light"]})") ==
        "Bob draws a token from column 3.");
  CHECK(says(R"({"event":"drew","seat":0,"columns":[0,4],"backs":["light","shadow"]})") ==
        "You draw owl from columns 1 and 5; a shadow token stays face down.");
  CHECK(says(R"({"event":"placed","seat":0,"token":0,"row":1,"animal":"deer"})") ==
        "You place a token in row 2: deer.");
  CHECK(says(R"({"event":"took","seat":1,"row":0,"animals":["owl","bear"]})") ==
        "Bob takes row 1: owl and bear.");
  CHECK(says(R"({"event":"took","seat":1,"row":0,"animals":[]})") ==
        "Bob takes row 1, which is empty.");
  CHECK(says(R"({"event":"round_over","round":1,"rock":0,"boxed":{"light":2,"shadow":1}})") ==
        "Round 1 is over. You get the rock; 3 tokens go into the box.");
  CHECK(says(R"({"event":"over","totals":[5,9],"winners":[1]})") ==
        "The game is over. The winner is Bob.");
  CHECK(says(R"({"event":"revealed","seat":1,"light":["owl"],"boxed":1,"shadow":[]})") ==
        "Bob adds hidden tokens: owl; 1 goes into the box.");
  CHECK(says(R"({"event":"unheard","seat":1,"of":2})") == "Bob: unheard, of 2");
}

TEST_CASE("Triqueta's table, players and question") {
  const Catalogue catalogue("en");
  const auto voice = voice_of("triqueta", catalogue, {});
  CHECK(voice->table(scene()) ==
        std::vector<std::string>{"Round 2 of 4. Tower 2, left per column: 3 2+1 0 3 3",
                                 "  Row 1: owl and bear", "  Row 2: taken by Bob",
                                 "  Row 3: empty"});
  CHECK(voice->players(scene()) ==
        std::vector<std::string>{"1. Ann: 2 owl; 1 hidden; 1 tree", "2. Bob: none; has the rock"});
  CHECK(voice->question(scene()) == "You hold owl:");
  CHECK(offer_lines(*voice, scene()) == std::vector<std::string>{"1. place 1: owl",
                                                                 "2. place 3: owl",
                                                                 "3. take: owl and bear  (+3)"});
  Scene asked = scene();
  const auto label = [&](const std::string& action) {
    asked.offers = offers("[" + action + "]");
    return voice->label(asked, 0);
  };
  CHECK(label(R"({"do":"draw","columns":[0]})") == "Draw from column 1");
  CHECK(label(R"({"do":"draw","columns":[0,3]})") == "Draw from columns 1 and 4");
  CHECK(label(R"({"do":"take","row":2})") == "Take row 3: empty");
  const auto colored = voice_of("triqueta", catalogue, {true});
  CHECK(colored->table(scene())[1].find("\033[35mowl\033[0m") != std::string::npos);
}

Scene card_scene() {
  Scene scene;
  scene.names = {"Ann", "Bob"};
  scene.seat = 0;
  scene.table = parse_json(
      R"({"phase":"main","turn":0,"pile":30,"discards":2,"caller":1,"completed":[],
          "top":{"cut":"vertical","number":2,"color":"red"},
          "seats":[{"hand":4,"saved":[],"out":false},
                   {"hand":1,"saved":[{"cut":"horizontal","number":1,"color":"pink"},
                                      {"cut":"horizontal","number":1,"color":"red"},
                                      {"cut":"centered","number":3,"color":"red"}],
                    "out":false}]})");
  scene.mine = parse_json(
      R"({"seat":0,"hand":[{"cut":"horizontal","number":1,"color":"green"},
          {"cut":"horizontal","number":2,"color":"green"},
          {"cut":"centered","number":3,"color":"pink"},{"cut":"vertical","color":"pink"}]})");
  scene.offers = offers(
      R"([{"do":"complete","save":[{"cut":"vertical","number":1,"color":"red"}],"pieces":[
            {"card":{"cut":"vertical","number":1,"color":"red"},"from":"hand"},
            {"card":{"cut":"vertical","number":2,"color":"pink"},"from":"hand"},
            {"card":{"cut":"vertical","number":3,"color":"red"},"from":"saved"}]},
          {"do":"complete","save":[{"cut":"vertical","number":2,"color":"pink"}],"pieces":[
            {"card":{"cut":"vertical","number":1,"color":"red"},"from":"hand"},
            {"card":{"cut":"vertical","number":2,"color":"pink"},"from":"hand"},
            {"card":{"cut":"vertical","number":3,"color":"red"},"from":"saved"}]},
          {"do":"joker","card":{"cut":"vertical","color":"pink"}},
          {"do":"joker","card":{"cut":"vertical","color":"pink"},
            "steal":{"seat":1,"card":{"cut":"horizontal","number":1,"color":"pink"}}},
          {"do":"end","last_round":false},{"do":"end","last_round":true}])");
  return scene;
}

TEST_CASE("21/15/9-Card Triangles shows the hand sorted, and says what an act would do") {
  const Catalogue catalogue("en");
  const auto voice = voice_of("card_triangles", catalogue, {});
  CHECK(voice->table(card_scene()) ==
        std::vector<std::string>{
            "30 cards in the draw pile. 2 discards, on top v2r.", "Last round, called by Bob.",
            "  1. Ann: 4 cards; saved: none; plays now", "  2. Bob: 1 card; saved: h1p h1r  c3r",
            "Your hand, 4 cards:", "  horizontal: h1g  h2g", "  centered: c3p", "  jokers: vjp"});
  CHECK(voice->question(card_scene()) == "The last round, your one turn:");
  const std::string pieces = "v1r v2p v3r; saves ";
  CHECK(offer_lines(*voice, card_scene()) ==
        std::vector<std::string>{"1. complete v1r: " + pieces + "v1r, discards v2p",
                                 "2. complete v2p: " + pieces + "v2p, discards v1r",
                                 "3. joker: take nothing", "4. joker h1p-2: take h1p from Bob",
                                 "5. end no: without a call", "6. end yes: call the last round"});
  const auto found = card_scene().offers;
  CHECK(act_words(found[0].action).words ==
        std::vector<std::string>{"v1r", "v2p", "v3r-saved", "v1r"});
  CHECK(match_offers(found, "joker", {"h1p"}) == Found{3});
  CHECK(match_offers(found, "end", {"y"}) == Found{5});
}

TEST_CASE("21/15/9-Card Triangles speaks in sentences") {
  const Catalogue catalogue("en");
  const auto voice = voice_of("card_triangles", catalogue, {});
  const auto says = [&](const char* event) {
    return voice->event(card_scene(), parse_json(event));
  };
  CHECK(says(R"({"event":"drew","seat":1,"from":"pile"})") == "Bob draws a card.");
  CHECK(says(R"({"event":"drew","seat":1,"from":"discard",
                 "card":{"cut":"vertical","number":2,"color":"red"}})") ==
        "Bob draws v2r from the discard pile.");
  CHECK(says(R"({"event":"completed","seat":0,"pure":false,"pieces":[
                 {"card":{"cut":"vertical","number":1,"color":"red"},"from":"hand"},
                 {"card":{"cut":"vertical","number":2,"color":"pink"},"from":"hand"},
                 {"card":{"cut":"vertical","number":3,"color":"red"},"from":"saved"}],
                 "saved":[{"cut":"vertical","number":1,"color":"red"}],
                 "discarded":[{"cut":"vertical","number":2,"color":"pink"}]})") ==
        "You complete a triangle: v1r v2p v3r. You save v1r and discard v2p.");
  CHECK(says(R"({"event":"stole","seat":1,"victim":0,
                 "card":{"cut":"vertical","number":2,"color":"red"}})") ==
        "Bob takes v2r from you.");
  CHECK(says(R"({"event":"over","winners":[1],"reason":"played_out"})") ==
        "Bob has no cards left and wins.");
  CHECK(says(R"({"event":"turn","seat":1})").empty());
}

TEST_CASE("a game without a voice is shown by its own words") {
  const Catalogue catalogue("en");
  const auto voice = voice_of("unheard", catalogue, {});
  CHECK(voice->event(scene(), parse_json(R"({"event":"played","seat":1,"card":"k"})")) ==
        "Bob: played, card k");
  CHECK(json_lines(parse_json(R"({"a":1,"b":[{"c":[1,2]},{"c":[]}]})")) ==
        std::vector<std::string>{"a: 1", "b:", "  1:", "    c: 1 2", "  2:", "    c: -"});
}

}  // namespace
}  // namespace triquetra::cli
