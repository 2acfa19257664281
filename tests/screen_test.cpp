// The full screen without a terminal: known tables as text in three languages and sizes, which a
// person has looked at (tests/screens; UPDATE_GOLDENS=1 writes them anew), and what must hold of
// every table that comes up in games by chance.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "clients/cli/games/catalogue.hpp"
#include "clients/cli/games/menu.hpp"
#include "clients/cli/terminal/screen.hpp"
#include "protocol/catalog.hpp"
#include "protocol/table.hpp"
#include "protocol/wire.hpp"
#include "tests/golden.hpp"
#include "tests/seed.hpp"

namespace triquetra::cli {
namespace {

namespace fs = std::filesystem;

struct Played {
  std::string game;
  std::string options;
  std::size_t seats = 2;
};

/// A match that random bots play, a step at a time.
class Match {
 public:
  Match(Played played, std::uint32_t seed) : played_(std::move(played)), rng_(seed_of(seed)) {
    table_ = find_game(played_.game)->lay(played_.options, played_.seats, seed_of(seed));
    keep_step();
  }

  bool is_over() const { return table_->decisions().empty(); }

  void step() {
    const Decision decision = rng_.pick(table_->decisions());
    const Seat seat = rng_.pick(asked(decision).list());
    if (const auto action = table_->choose(seat, BotLevel::random, rng_)) {
      table_ = std::get<TablePointer>(table_->act(seat, *action));
    } else {
      table_ = table_->lapse(decision.id);
    }
    keep_step();
  }

  void play(std::size_t steps) {
    for (std::size_t i = 0; i < steps && !is_over(); ++i) step();
  }

  /// On until this seat is asked, or it is over.
  void play_until_asked(std::size_t seat) {
    while (!is_over() && table_->legal(Seat{seat}, true).empty()) step();
  }

  Scene scene(std::size_t seat, const std::vector<std::string>& names) const {
    Scene scene;
    scene.names = {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(played_.seats)};
    scene.seat = seat;
    scene.table = parse_json(table_->table_view(), kTrustedJson);
    scene.options = parse_json(played_.options, kTrustedJson);
    scene.mine = parse_json(table_->seat_view(Seat{seat}), kTrustedJson);
    for (const LegalAct& act : table_->legal(Seat{seat}, true)) {
      scene.offers.push_back({parse_json(act.action.text, kTrustedJson), act.preview, act.worth});
    }
    return scene;
  }

  std::vector<DecisionShown> decisions() const { return shown(table_->decisions()); }
  const std::vector<ReplayStep>& steps() const { return steps_; }
  const Played& played() const { return played_; }

 private:
  static Seed seed_of(std::uint32_t number) { return tests::seed_number(number); }

  void keep_step() {
    ReplayStep step;
    step.rev = static_cast<std::int64_t>(steps_.size());
    step.table.text = table_->table_view();
    step.happened.text = table_->happened();
    for (const Seat seat : seats_of(played_.seats)) {
      step.seats.push_back(Raw{table_->seat_view(seat)});
    }
    steps_.push_back(std::move(step));
  }

  Played played_;
  Rng rng_;
  TablePointer table_;
  std::vector<ReplayStep> steps_;
};

// The longest that a name may be, a short one, and letters that take more than one column or byte.
const std::vector<std::string>& names() {
  static const std::vector<std::string> kNames = {
      "Ada",   "Maximiliane von Waldberg", "Bot 3", "Zoë", "李小龙", "Jo",
      "Bot 7", "Tatjana Nikolajewna P."};
  return kNames;
}

/// Everything that one client knows of a match, and what is shown of it.
struct Client {
  Client(const Match& match, std::size_t seat, const Catalogue& words)
      : catalogue(words),
        voice(voice_of(match.played().game, catalogue, Style{true})),
        scene(match.scene(seat, names())),
        decisions(match.decisions()) {
    RoomFrame frame;
    frame.room = "LZQXNJ";
    frame.game = match.played().game;
    frame.options.text = match.played().options;
    frame.status = match.is_over() ? RoomStatus::over : RoomStatus::playing;
    frame.host = Seat{0};
    frame.chat = Chat::text;
    frame.spectators = true;
    frame.hints = true;
    for (const Seat number : seats_of(match.played().seats)) {
      SeatShown shown;
      shown.seat = number;
      shown.kind = number.index() % 4 == 2 ? SeatKind::bot : SeatKind::human;
      if (shown.kind == SeatKind::bot) shown.level = BotLevel::greedy;
      if (shown.kind == SeatKind::human) shown.presence = Presence::here;
      bots.push_back(shown.kind == SeatKind::bot);
      frame.seats.push_back(shown);
    }
    room = frame;
  }

  /// What was told of the match until now.
  void tell(const Match& match) {
    steps = match.steps();
    Scene then = scene;
    for (const ReplayStep& step : steps) {
      then.mine = parse_json(step.seats.at(*scene.seat).text, kTrustedJson);
      for (const Json& event : parse_json(step.happened.text, kTrustedJson)) {
        const std::string sentence = voice->event(then, event);
        if (!sentence.empty()) log.push_back(sentence);
      }
    }
  }

  Known known() const {
    return {catalogue, *voice,  scene, room, decisions,   log, steps, costly, "ws://localhost:8080",
            "",        left_ms, false, "",   least_seats, bots};
  }

  std::string text(Size size, const Looking& looking = {}) const {
    return draw(known(), looking, size).canvas.text();
  }

  const Catalogue& catalogue;
  std::unique_ptr<Voice> voice;
  Scene scene;
  std::vector<DecisionShown> decisions;
  std::vector<ReplayStep> steps;
  std::vector<ReviewedAct> costly;
  std::optional<RoomFrame> room;
  std::deque<std::string> log;
  std::optional<std::int64_t> left_ms;
  std::size_t least_seats = 0;
  std::vector<bool> bots;
};

// ---- Goldens

constexpr Size kUsual{80, 24};
constexpr Size kLarge{120, 40};

/// One picture of a page of goldens.
void add_picture(std::ostream& out, const Client& client, Size size, const std::string& what,
                 const Looking& looking = {}) {
  out << "== " << what << ", " << client.catalogue.language() << ", " << size.columns << "x"
      << size.rows << "\n"
      << client.text(size, looking);
}

void compare(const std::string& name, const std::string& text) {
  tests::compare_golden(fs::path(TRIQUETRA_SOURCE_DIR) / "tests" / "screens" / (name + ".txt"),
                        text);
}

struct Page {
  std::string name;
  Played played;
  std::size_t steps;
};

const std::vector<Page>& pages() {
  static const std::vector<Page> kPages = {
      {"triqueta-base-5", {"triqueta", R"({"variant":"base"})", 5}, 25},
      {"triqueta-wolves-4", {"triqueta", R"({"variant":"wolves"})", 4}, 45},
      {"triqueta-duo-2", {"triqueta", R"({"variant":"duo"})", 2}, 20},
      {"mayhem-8", {"mayhem", "{}", 8}, 40},
      {"mayhem-unchecked-3", {"mayhem", R"({"claims":"unchecked"})", 3}, 30},
      {"card-triangles-6", {"card_triangles", "{}", 6}, 60},
      {"card-triangles-2", {"card_triangles", "{}", 2}, 30},
      {"bids-3", {"bids", "{}", 3}, 2},
  };
  return kPages;
}

TEST_CASE("known tables look as they did when somebody looked at them") {
  for (const Page& page : pages()) {
    CAPTURE(page.name);
    std::ostringstream out;
    Match match(page.played, 1);
    match.play(page.steps);
    match.play_until_asked(0);
    for (const std::string& language : Catalogue::languages()) {
      const Catalogue words(language);
      Client client(match, 0, words);
      client.tell(match);
      client.left_ms = 2100;
      for (const Size size : {kUsual, kLarge, kSmallestScreen}) {
        add_picture(out, client, size, "asked");
      }
    }
    while (!match.is_over()) match.step();
    const Catalogue words("en");
    Client client(match, 0, words);
    client.tell(match);
    add_picture(out, client, kUsual, "over");
    Looking back;
    back.panel = Panel::look_back;
    back.step = page.steps;
    back.eyes = 1;
    add_picture(out, client, kUsual, "look back", back);
    compare(page.name, out.str());
  }
}

TEST_CASE("the room, its lists and the pages look as they did") {
  std::ostringstream out;
  Match match({"triqueta", R"({"variant":"wolves"})", 4}, 1);
  match.play_until_asked(0);
  for (const std::string& language : Catalogue::languages()) {
    const Catalogue words(language);
    Client client(match, 0, words);
    client.tell(match);
    Looking looking;
    for (const auto& [panel, what] :
         {std::pair{Panel::room, "room"}, std::pair{Panel::reactions, "reactions"},
          std::pair{Panel::say, "say"}, std::pair{Panel::help, "help"},
          std::pair{Panel::all, "all"}}) {
      looking.panel = panel;
      looking.typed = panel == Panel::say ? "Wollen wir nachher noch eine Partie? 李小龙" : "";
      looking.cursor = looking.typed.size();
      add_picture(out, client, kUsual, what, looking);
    }
    Looking leaving;
    leaving.is_leaving = true;
    add_picture(out, client, kUsual, "leaving", leaving);
    client.room->status = RoomStatus::open;
    client.room->seats[3].kind = SeatKind::empty;
    add_picture(out, client, kUsual, "before the start");
    add_picture(out, client, {40, 20}, "too small");
  }
  compare("room", out.str());
}

TEST_CASE("what an act has cost is told in the game's words, and a key goes to the next one") {
  const Key next{Key::Kind::letter, "c"};
  for (const std::string& language : Catalogue::languages()) {
    const Catalogue words(language);
    for (const Played& played : {Played{"triqueta", R"({"variant":"base"})", 2},
                                 Played{"mayhem", "{}", 2}, Played{"card_triangles", "{}", 2}}) {
      CAPTURE(played.game);
      Match match(played, 1);
      std::vector<ReviewedAct> costly;
      std::vector<std::string> better;
      for (int i = 0; i < 3; ++i) {
        match.play(4);
        match.play_until_asked(0);
        REQUIRE(!match.is_over());
        const Client before(match, 0, words);
        ReviewedAct act;
        act.rev = static_cast<std::int64_t>(match.steps().size());
        act.seat = Seat{0};
        act.better.text = before.scene.offers.front().action.dump();
        act.wins = 9;
        better.push_back(without_colors(before.voice->label(before.scene, 0)));
        costly.insert(costly.begin(), act);  // the costliest is not the first of the match
        match.step();
      }
      match.play(5);
      Client client(match, 0, words);
      client.tell(match);
      Looking back;
      back.panel = Panel::look_back;
      const Size large{160, 40};
      CHECK(client.text(large, back).find("c " + words.text("screen.key.costly")) ==
            std::string::npos);
      client.costly = costly;
      CHECK(client.text(large, back).find("c " + words.text("screen.key.costly")) !=
            std::string::npos);
      for (std::size_t i = 0; i < better.size(); ++i) {
        back = press(client.known(), back, next, {}).looking;
        CHECK(back.step == static_cast<std::size_t>(costly[better.size() - 1 - i].rev));
        const std::string told =
            words.text("web.review.cost", {{"wins", 9}, {"better", better[i]}});
        CHECK_MESSAGE(client.text(large, back).find(told) != std::string::npos, told);
      }
      // Behind the last one the first comes again.
      CHECK(press(client.known(), back, next, {}).looking.step ==
            static_cast<std::size_t>(costly.back().rev));
    }
  }
}

// ---- What holds of every table

/// Every variant with its most and fewest seats.
std::vector<Played> all_played() {
  std::vector<Played> all;
  for (const GameKind& game : catalog()) {
    for (const std::string& options : game.variants()) {
      for (std::size_t seats = game.max_seats; seats >= game.min_seats; --seats) {
        if (!game.check(options, seats)) {
          all.push_back({std::string(game.name), options, seats});
          if (all.back().seats == game.max_seats) continue;
          break;
        }
      }
    }
  }
  return all;
}

/// Presses every key that is shown, down to the acts: which offers can be reached.
void reach(const Client& client, const Looking& looking, int depth,
           std::set<std::size_t>& reached) {
  REQUIRE(depth < 10);
  std::set<char> keys;
  std::set<std::string> labels;
  for (const Item& item : items_of(client.known(), looking)) {
    CHECK_MESSAGE(labels.insert(without_colors(item.label)).second, "reads alike: ", item.label);
    CHECK_MESSAGE(keys.insert(item.key).second, "twice: ", item.key);
    CHECK(item.key != ' ');
    const Key key{Key::Kind::letter, std::string(1, item.key)};
    const Pressed pressed = press(client.known(), looking, key, {});
    if (pressed.wish) {
      reached.insert(std::get<TakeOffer>(*pressed.wish).offer);
    } else {
      reach(client, pressed.looking, depth + 1, reached);
    }
  }
}

TEST_CASE("a hand is in sight however small the window, and all of a table at 80x24") {
  const std::uint32_t seed = tests::take_seed();
  const Catalogue words("fr");
  for (const Played& played : all_played()) {
    if (played.game == "bids") continue;  // has no drawing
    CAPTURE(played.game);
    CAPTURE(played.seats);
    Match match(played, seed);
    for (int step = 0; step < 150 && !match.is_over(); ++step, match.step()) {
      const Client client(match, match.decisions().front().seats.front().index(), words);
      for (const Size size : {kSmallestScreen, kUsual}) {
        const std::string text = client.text(size);
        CAPTURE(text);
        for (const Json& card : client.scene.mine.value("hand", Json::array())) {
          REQUIRE(text.find(card_word(card)) != std::string::npos);
        }
        if (size == kUsual) CHECK(text.find(words.text("screen.folded")) == std::string::npos);
      }
    }
  }
}

TEST_CASE("every page can be looked at before there is a table") {
  const Catalogue words("fr");
  for (const Played& played : all_played()) {
    CAPTURE(played.game);
    Client client(Match(played, 1), 0, words);
    client.scene.table = client.scene.mine = Json();
    client.scene.offers.clear();
    client.decisions.clear();
    for (const RoomStatus status :
         {RoomStatus::open, RoomStatus::starting, RoomStatus::playing, RoomStatus::over}) {
      client.room->status = status;
      for (const Panel panel : {Panel::table, Panel::room, Panel::reactions, Panel::say,
                                Panel::help, Panel::all, Panel::look_back}) {
        Looking looking;
        looking.panel = panel;
        CHECK(client.text(kUsual, looking) != Canvas(kUsual).text());
      }
    }
  }
}

TEST_CASE("every act of every game has a key that is shown") {
  const std::uint32_t seed = tests::take_seed();
  const Catalogue words("de");
  for (const Played& played : all_played()) {
    CAPTURE(played.game);
    CAPTURE(played.options);
    CAPTURE(played.seats);
    Match match(played, seed);
    for (int step = 0; step < 25 && !match.is_over(); ++step, match.step()) {
      for (const DecisionShown& decision : match.decisions()) {
        const Seat seat = decision.seats.front();
        const Client client(match, seat.index(), words);
        std::set<std::size_t> reached;
        reach(client, Looking{}, 0, reached);
        REQUIRE(reached.size() == client.scene.offers.size());
      }
    }
  }
}

Key letter(char key) { return {Key::Kind::letter, std::string(1, key)}; }

/// What all these keys do, one after the other.
std::vector<Wish> wishes_of(const Client& client, Looking& looking, const std::vector<Key>& keys) {
  std::vector<Wish> wishes;
  for (const Key& key : keys) {
    Pressed pressed = press(client.known(), looking, key, {});
    looking = std::move(pressed.looking);
    if (pressed.wish) wishes.push_back(*pressed.wish);
  }
  return wishes;
}

Match asked_match(const Played& played, std::size_t steps = 0) {
  Match match(played, 1);
  match.play(steps);
  match.play_until_asked(0);
  return match;
}

TEST_CASE("what is typed where nobody can talk is no act, and says why") {
  const Catalogue words("en");
  Client client(asked_match({"triqueta", R"({"variant":"base"})", 3}), 0, words);
  std::vector<Key> typed = {letter('/')};
  for (const char key : std::string("hello 1 e s Q friends")) typed.push_back(letter(key));
  for (const RoomStatus status : {RoomStatus::playing, RoomStatus::open, RoomStatus::over}) {
    client.room->status = status;
    for (const Chat chat : {Chat::off, Chat::reactions}) {
      client.room->chat = chat;
      Looking looking;
      CHECK(wishes_of(client, looking, typed).empty());
      CHECK(client.text(kUsual, looking).find(words.text("screen.no_talk.off")) !=
            std::string::npos);
      CHECK(wishes_of(client, looking, {Key{Key::Kind::enter}}).empty());
      CHECK(looking.panel == Panel::table);
    }
    client.room->chat = Chat::off;
    Looking looking;
    CHECK(wishes_of(client, looking, {letter('!'), letter('1'), Key{Key::Kind::enter}}).empty());
    CHECK(client.text(kUsual, looking).find(words.text("screen.no_wave.off")) != std::string::npos);
  }
  client.room->chat = Chat::text;
  client.scene.seat.reset();
  Looking looking;
  CHECK(wishes_of(client, looking, typed).empty());
  CHECK(client.text(kUsual, looking).find(words.text("screen.no_talk.watching")) !=
        std::string::npos);
}

TEST_CASE("what has one row is said to its end in the smallest window") {
  for (const std::string& language : Catalogue::languages()) {
    const Catalogue words(language);
    Client client(asked_match({"triqueta", R"({"variant":"base"})", 3}), 0, words);
    Looking leaving;
    leaving.is_leaving = true;
    CHECK(client.text(kSmallestScreen, leaving).find(words.text("screen.leave")) !=
          std::string::npos);
    Looking saying;
    saying.panel = Panel::say;
    client.room->chat = Chat::off;
    CHECK(client.text(kSmallestScreen, saying).find(words.text("screen.no_talk.off")) !=
          std::string::npos);
    client.scene.seat.reset();
    CHECK(client.text(kSmallestScreen, saying).find(words.text("screen.no_talk.watching")) !=
          std::string::npos);
  }
}

TEST_CASE("a key that does nothing says so, until the next one") {
  const Catalogue words("en");
  const Client client(asked_match({"triqueta", R"({"variant":"base"})", 3}), 0, words);
  Looking looking;
  CHECK(wishes_of(client, looking, {letter('x')}).empty());
  CHECK(client.text(kUsual, looking).find("x does nothing here") != std::string::npos);
  CHECK(wishes_of(client, looking, {Key{Key::Kind::down}}).empty());
  CHECK(client.text(kUsual, looking).find("does nothing") == std::string::npos);
}

TEST_CASE("while others act, a key keeps its act and Enter never takes another one") {
  const Catalogue words("en");
  for (const Played& played : all_played()) {
    CAPTURE(played.game);
    CAPTURE(played.options);
    const Match match = asked_match(played, 12);
    const Client before(match, 0, words);
    Client client(match, 0, words);
    Looking looking = followed(before.known(), {});
    const std::vector<Item> old_items = items_of(before.known(), looking);
    // Each offer goes in turn, as when somebody else uses up what it needs.
    for (std::size_t gone = 0; gone < before.scene.offers.size(); ++gone) {
      client.scene.offers = before.scene.offers;
      client.scene.offers.erase(client.scene.offers.begin() + static_cast<std::ptrdiff_t>(gone));
      if (client.scene.offers.empty()) continue;
      for (std::size_t marked = 0; marked < old_items.size(); ++marked) {
        Looking changed = looking;
        for (std::size_t i = 0; i < marked; ++i) {
          changed = press(before.known(), changed, Key{Key::Kind::down}, {}).looking;
        }
        changed = followed(client.known(), changed);
        const std::vector<Item> items = items_of(client.known(), changed);
        for (const Item& item : items) {
          for (const Item& old : old_items) {
            CHECK((item.label == old.label) <= (item.key == old.key));
          }
        }
        if (changed.selected < items.size()) {
          const auto* now = std::get_if<Wish>(&items[changed.selected].does);
          const auto* then = std::get_if<Wish>(&old_items[marked].does);
          if (now != nullptr && then != nullptr) {
            CHECK(client.scene.offers[std::get<TakeOffer>(*now).offer].action ==
                  before.scene.offers[std::get<TakeOffer>(*then).offer].action);
          }
        }
      }
    }
  }
}

TEST_CASE("a key pressed again at once takes no second act, and later it does") {
  using std::chrono::milliseconds;
  const Bounce::Time begin{};
  Bounce bounce;
  CHECK_FALSE(bounce.is_bounce(letter('1'), begin));
  bounce.took_act(letter('1'), begin);
  CHECK(bounce.is_bounce(letter('1'), begin + milliseconds(50)));
  // A key that is held repeats itself.
  CHECK(bounce.is_bounce(letter('1'), begin + milliseconds(340)));
  CHECK(bounce.is_bounce(letter('1'), begin + milliseconds(600)));
  CHECK(bounce.is_bounce(letter('1'), begin + milliseconds(850)));
  // Whoever goes on pressing means it.
  CHECK_FALSE(bounce.is_bounce(letter('1'), begin + milliseconds(1000)));
  bounce.took_act(letter('1'), begin);
  CHECK_FALSE(bounce.is_bounce(letter('1'), begin + milliseconds(300)));
  bounce.took_act(letter('1'), begin);
  CHECK_FALSE(bounce.is_bounce(letter('2'), begin + milliseconds(50)));
}

TEST_CASE("a hint is said in the words of the list, and Enter takes what it shows") {
  const Catalogue words("en");
  for (const Played& played : all_played()) {
    CAPTURE(played.game);
    CAPTURE(played.options);
    const Client client(asked_match(played, 12), 0, words);
    for (std::size_t offer = 0; offer < client.scene.offers.size(); ++offer) {
      Looking looking = pointed_at(client.known(), {}, offer);
      const std::vector<Item> items = items_of(client.known(), looking);
      REQUIRE(looking.selected < items.size());
      const std::string label = client.voice->label(client.scene, offer);
      CHECK(items[looking.selected].label.substr(0, label.size()) == label);
      const std::vector<Wish> wishes = wishes_of(client, looking, {Key{Key::Kind::enter}});
      REQUIRE(wishes.size() == 1);
      CHECK(std::get<TakeOffer>(wishes.front()).offer == offer);
    }
  }
}

TEST_CASE("the room's list has one key for one thing, and the last row always says how to leave") {
  const Match match = asked_match({"triqueta", R"({"variant":"wolves"})", 4});
  for (const std::string& language : Catalogue::languages()) {
    const Catalogue words(language);
    Client client(match, 0, words);
    std::map<char, std::string> meant;
    for (const RoomStatus status : {RoomStatus::open, RoomStatus::playing, RoomStatus::over}) {
      client.room->status = status;
      for (const Panel panel :
           {Panel::table, Panel::room, Panel::reactions, Panel::help, Panel::all}) {
        Looking looking;
        looking.panel = panel;
        const std::string text = client.text(kSmallestScreen, looking);
        CAPTURE(text);
        CHECK(text.find("Q " + words.text("screen.key.leave")) != std::string::npos);
      }
      Looking looking;
      looking.panel = Panel::room;
      std::set<char> keys;
      for (const Item& item : items_of(client.known(), looking)) {
        CHECK(keys.insert(item.key).second);
        const bool is_of_seat = item.key <= 'Z';
        if (!is_of_seat) CHECK(meant.try_emplace(item.key, item.label).first->second == item.label);
      }
    }
  }
}

TEST_CASE("before the start the list has what can be done, and says what is missing") {
  const Catalogue words("en");
  Client client(Match({"triqueta", R"({"variant":"wolves"})", 4}, 1), 0, words);
  client.room->status = RoomStatus::open;
  client.least_seats = 3;
  const auto keys = [&] {
    std::string shown;
    for (const Item& item : items_of(client.known(), {})) shown += item.key;
    return shown;
  };
  CHECK(keys() == "s");
  CHECK(client.text(kUsual).find("All seats are taken") != std::string::npos);
  client.room->seats[3].kind = SeatKind::empty;
  CHECK(keys() == "sebhx");
  client.room->seats[2].kind = SeatKind::empty;
  CHECK(keys() == "ebhx");
  CHECK(client.text(kUsual).find("at least 3 players") != std::string::npos);
  CHECK(client.text(kUsual).find("Hidden Wolves: With wolves") != std::string::npos);
  CHECK(client.text(kUsual).find("variant") == std::string::npos);
  // A bot's level is a press of the same key away.
  client.room->seats[2].kind = SeatKind::bot;
  Looking looking;
  looking.panel = Panel::room;
  CHECK(wishes_of(client, looking, {letter('3'), letter('3')}).size() == 2);
}

TEST_CASE("the rules are those of the variant from the first round on") {
  const Catalogue words("en");
  for (const auto& [variant, seats, title, missing] :
       {std::tuple{"wolves", 4, "web.triqueta.rules.wolves_title", "web.triqueta.rules.duo_title"},
        std::tuple{"duo", 2, "web.triqueta.rules.duo_title", "web.triqueta.rules.draw_title"},
        std::tuple{"base", 3, "web.triqueta.rules.draw_title",
                   "web.triqueta.rules.wolves_title"}}) {
    const std::string options = R"({"variant":")" + std::string(variant) + "\"}";
    const Client client(asked_match({"triqueta", options, static_cast<std::size_t>(seats)}), 0,
                        words);
    const std::vector<std::string> rules = client.voice->rules(client.scene);
    CHECK(std::count(rules.begin(), rules.end(), words.text(title)) == 1);
    CHECK(std::count(rules.begin(), rules.end(), words.text(missing)) == 0);
  }
}

TEST_CASE("whose time runs out is said, and that a window ends before its time") {
  const Catalogue words("en");
  Client client(asked_match({"mayhem", "{}", 3}), 0, words);
  client.left_ms = 2100;
  client.decisions.front().kind = DecisionKind::window;
  CHECK(client.text(kUsual).find("[3\u00a0s, or until the next player plays]") !=
        std::string::npos);
  Known known = client.known();
  known.whose_time = "Bot 3";
  const std::string text = draw(known, {}, kUsual).canvas.text();
  CHECK(text.find("Bot 3: 3\u00a0s") != std::string::npos);
  CHECK(text.find("[3\u00a0s") == std::string::npos);
}

}  // namespace
}  // namespace triquetra::cli
