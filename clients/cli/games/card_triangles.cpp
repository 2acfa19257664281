// 21/15/9-Card Triangles in sentences: its events, hands, saved pieces and questions. Reads the
// words of its views; knows none of its rules.
#include <algorithm>
#include <array>

#include "clients/cli/games/render.hpp"

namespace triquetra::cli {

namespace {

constexpr std::array kCuts = {"horizontal", "vertical", "centered"};

const Json& list_in(const Json& json, const char* key) {
  static const Json kNone = Json::array();
  return json.is_object() && json.contains(key) && json[key].is_array() ? json[key] : kNone;
}

std::int64_t number_in(const Json& json, const char* key) {
  return json.is_object() ? json.value(key, std::int64_t{0}) : 0;
}

std::size_t seat_in(const Json& json, const char* key) {
  return json.is_object() ? json.value(key, std::size_t{0}) : 0;
}

std::string word_in(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string()
             ? json[key].get<std::string>()
             : "";
}

bool is_set(const Json& json, const char* key) {
  return json.is_object() && json.value(key, false);
}

class CardTrianglesVoice : public Voice {
 public:
  using Voice::Voice;

  std::string event(const Scene& scene, const Json& event) const override {
    const std::string kind = word_in(event, "event");
    // What the next one does says that a turn has ended and another begun.
    if (kind == "ended" || kind == "turn") return "";
    const std::string key = "card_triangles.event." + kind;
    if (!catalogue_.has(key)) return Voice::event(scene, event);
    return catalogue_.text(key, event_values(scene, event));
  }

  std::vector<std::string> table(const Scene& scene) const override {
    const Json& table = scene.table;
    std::vector<std::string> lines;
    const std::string top = table.contains("top") ? card_text(table["top"]) : "none";
    lines.push_back(style_.paint(
        catalogue_.text("card_triangles.piles", {{"pile", number_in(table, "pile")},
                                                 {"discards", number_in(table, "discards")},
                                                 {"top", top}}),
        Color::bold));
    if (is_last_round(table)) {
      lines.push_back(
          style_.paint(catalogue_.text("card_triangles.last_round",
                                       {{"who", who(scene, table, "caller")},
                                        {"name", scene.name_of(seat_in(table, "caller"))}}),
                       Color::bold));
    }
    for (std::string& line : players(scene)) lines.push_back("  " + line);
    if (scene.seat) {
      for (std::string& line : hand_lines(scene)) lines.push_back(std::move(line));
    }
    return lines;
  }

  std::vector<std::string> players(const Scene& scene) const override {
    std::vector<std::string> lines;
    const Json& seats = list_in(scene.table, "seats");
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const bool is_out = is_set(seats[seat], "out");
      const bool has_turn = scene.table.contains("turn") && seat_in(scene.table, "turn") == seat;
      lines.push_back(
          catalogue_.text("card_triangles.player",
                          {{"seat", static_cast<std::int64_t>(seat) + 1},
                           {"name", scene.name_of(seat)},
                           {"state", std::string(is_out ? "out" : (has_turn ? "turn" : "waits"))},
                           {"cards", number_in(seats[seat], "hand")},
                           {"saved", sorted_text(list_in(seats[seat], "saved"))}}));
    }
    return lines;
  }

  std::vector<std::string> mine(const Scene& scene) const override {
    std::vector<std::string> lines;
    if (!scene.seat) return lines;
    const auto all = players(scene);
    if (*scene.seat < all.size()) lines.push_back(all[*scene.seat]);
    for (std::string& line : hand_lines(scene)) lines.push_back(std::move(line));
    return lines;
  }

  std::string act(const Scene& scene, std::size_t index) const override {
    const Json& action = scene.offers.at(index).action;
    std::string text = typed_form(scene.offers, index);
    const std::string verb = word_in(action, "do");
    const std::string key = "card_triangles.act." + verb;
    // Where there is but one end, it needs no word.
    if (!catalogue_.has(key)) return text;
    if (text == "end" && !is_set(action, "last_round")) return text;
    Values values;
    if (verb == "draw") {
      values.emplace_back("from", word_in(action, "from"));
      values.emplace_back("card", card_text(scene.table.value("top", Json())));
    } else if (verb == "complete") {
      add_completion(values, action);
    } else if (verb == "joker") {
      const bool steals = action.contains("steal");
      values.emplace_back("steals", std::string(steals ? "yes" : "no"));
      if (steals) {
        values.emplace_back("card", card_text(action["steal"]["card"]));
        values.emplace_back("victim", scene.name_of(seat_in(action["steal"], "seat")));
      }
    } else if (verb == "end") {
      values.emplace_back("calls", std::string(is_set(action, "last_round") ? "yes" : "no"));
    }
    return text + ": " + catalogue_.text(key, values);
  }

  std::string question(const Scene& scene) const override {
    if (word_in(scene.table, "phase") == "discard") {
      const std::string drawn = scene.mine.contains("drawn") ? card_text(scene.mine["drawn"]) : "";
      return catalogue_.text("card_triangles.ask.discard", {{"card", drawn}});
    }
    const bool has_acted =
        is_set(scene.table, "drew") || !list_in(scene.table, "completed").empty();
    if (has_acted) return catalogue_.text("card_triangles.ask.more");
    const bool is_guest = scene.table.contains("caller") && scene.seat &&
                          seat_in(scene.table, "caller") != *scene.seat;
    return catalogue_.text(is_guest ? "card_triangles.ask.guest" : "card_triangles.ask.turn");
  }

  std::vector<std::string> board(const Scene& scene, Size room) const override {
    std::vector<std::string> head = table(scene);
    head.resize(std::min<std::size_t>(head.size(), is_last_round(scene.table) ? 2 : 1));
    std::vector<std::string> players = players_drawn(scene, room.columns);
    std::vector<std::string> hand;
    if (scene.seat) hand = hand_lines(scene);
    const auto joined = [](std::vector<std::string> lines, const std::vector<std::string>& more) {
      lines.insert(lines.end(), more.begin(), more.end());
      return lines;
    };
    std::vector<std::string> lines = joined(joined(head, players), hand);
    if (rows_of(lines, room.columns) <= room.rows || !scene.seat) return lines;
    // The hand in one line then, and before what may be folded away.
    const Json& cards = list_in(scene.mine, "hand");
    hand = {catalogue_.text("card_triangles.hand",
                            {{"cards", static_cast<std::int64_t>(cards.size())}})};
    if (!cards.empty()) hand.back() += " " + cards_text(cards);
    return joined(joined(head, hand), players);
  }

  std::string label(const Scene& scene, std::size_t index) const override {
    const Json& action = scene.offers.at(index).action;
    const std::string verb = word_in(action, "do");
    const std::string key = "screen.card_triangles.do." + verb;
    if (!catalogue_.has(key)) return Voice::label(scene, index);
    // Behind the typed words stands what they do.
    const std::string told = act(scene, index);
    const auto colon = told.find(": ");
    Json card = action.value("card", Json());
    return catalogue_.text(
        key, {{"card", card_text(card)},
              {"what", colon == std::string::npos ? "none" : told.substr(colon + 2)}});
  }

  std::string group(const Scene& scene, const std::vector<std::string>& words,
                    const std::vector<std::size_t>& offers) const override {
    const std::string key = "screen.card_triangles.group." + words.front();
    if (!catalogue_.has(key)) return Voice::group(scene, words, offers);
    std::string text = catalogue_.text(key);
    for (std::size_t i = 1; i < words.size(); ++i) text += (i == 1 ? ": " : " ") + words[i];
    return text;
  }

  std::vector<std::string> rules(const Scene&) const override {
    std::vector<std::string> texts = cards_written();
    for (std::string& text :
         rules_of("web.card_triangles.rules.", {"goal", "turn", "save", "pure", "joker", "last"})) {
      texts.push_back(std::move(text));
    }
    texts.push_back(catalogue_.text("web.card_triangles.rules.dead_title"));
    texts.push_back(catalogue_.text("screen.card_triangles.rules.dead"));
    return texts;
  }

  std::vector<std::string> played(const Scene& scene) const override {
    if (!scene.options.is_object()) return {};
    const bool is_free = word_in(scene.options, "call") == "free";
    const std::string key = "web.card_triangles.variant." + std::string(is_free ? "free" : "usual");
    std::vector<std::string> lines = {catalogue_.text(
        "screen.option",
        {{"name", catalogue_.text(key)}, {"value", catalogue_.text(key + "_text")}})};
    const std::string many = is_set(scene.options, "caller_multi") ? "yes" : "no";
    lines.push_back(catalogue_.text(
        "screen.option",
        {{"name", catalogue_.text("web.card_triangles.finale")},
         {"value", catalogue_.text("web.card_triangles.finale_value", {{"many", many}})}}));
    add_first(lines, scene);
    return lines;
  }

 private:
  static bool is_last_round(const Json& table) {
    return table.contains("caller") && word_in(table, "phase") != "over";
  }

  /// Everybody's cards, and what they have saved.
  std::vector<std::string> players_drawn(const Scene& scene, std::size_t columns) const {
    const Json& seats = list_in(scene.table, "seats");
    std::vector<std::vector<std::string>> rows = {
        {"", catalogue_.text("screen.card_triangles.cards")}};
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const std::string cards = is_set(seats[seat], "out")
                                    ? catalogue_.text("screen.card_triangles.out")
                                    : std::to_string(number_in(seats[seat], "hand"));
      rows.push_back({seat_label(scene, seat, seat_mark(scene, seat), style_), cards});
    }
    std::vector<std::string> players = grid(rows, columns / 2, style_);
    players[0] += "  " + style_.paint(catalogue_.text("web.card_triangles.saved"), Color::bold);
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const Json& saved = list_in(seats[seat], "saved");
      std::string text = saved.empty() ? "-" : sorted_text(saved);
      const std::size_t free = columns - std::min(columns, width_of(players[seat + 1]) + 2);
      if (width_of(text) > free) text = counted_text(saved);
      players[seat + 1] += "  " + text;
    }
    return players;
  }

  /// Cards counted by cut and number, in their order.
  static std::string counted_text(const Json& cards) {
    std::string text;
    std::string before;
    std::size_t count = 0;
    const auto close = [&] {
      if (!before.empty()) text += (text.empty() ? "" : " ") + std::to_string(count) + "x" + before;
    };
    for (const Json& card : cards) {
      const std::string word = card_word(card).substr(0, 2);
      if (word != before) {
        close();
        before = word;
        count = 0;
      }
      ++count;
    }
    close();
    return text;
  }

  static std::string who(const Scene& scene, const Json& json, const char* key) {
    return scene.seat && json.contains(key) && seat_in(json, key) == *scene.seat ? "me" : "other";
  }

  /// A card as it is typed, in its colour.
  std::string card_text(const Json& card) const {
    const std::string word = card_word(card);
    const std::string color = word_in(card, "color");
    if (color == "pink") return style_.paint(word, Color::magenta);
    if (color == "green") return style_.paint(word, Color::green);
    return style_.paint(word, Color::red);
  }

  std::string cards_text(const Json& cards) const {
    std::string text;
    for (const Json& card : cards) text += (text.empty() ? "" : " ") + card_text(card);
    return text.empty() ? catalogue_.text("card_triangles.none") : text;
  }

  /// Sorted cards with wider gaps between those of different cuts or numbers.
  std::string sorted_text(const Json& cards) const {
    std::string text;
    std::string before;
    for (const Json& card : cards) {
      const std::string word = card_word(card);
      if (!text.empty()) text += word.compare(0, 2, before, 0, 2) == 0 ? " " : "  ";
      text += card_text(card);
      before = word;
    }
    return text.empty() ? catalogue_.text("card_triangles.none") : text;
  }

  /// The hand as one sorts it to see triangles coming: a line for each cut, and the jokers.
  std::vector<std::string> hand_lines(const Scene& scene) const {
    const Json& hand = list_in(scene.mine, "hand");
    std::vector<std::string> lines = {catalogue_.text(
        "card_triangles.hand", {{"cards", static_cast<std::int64_t>(hand.size())}})};
    Json jokers = Json::array();
    for (const char* const cut : kCuts) {
      Json pieces = Json::array();
      for (const Json& card : hand) {
        if (word_in(card, "cut") == cut)
          (card.contains("number") ? pieces : jokers).push_back(card);
      }
      if (pieces.empty()) continue;
      lines.push_back("  " +
                      catalogue_.text("card_triangles.cut",
                                      {{"cut", catalogue_.text("deck.cut." + std::string(cut))},
                                       {"cards", sorted_text(pieces)}}));
    }
    if (!jokers.empty()) {
      lines.push_back("  " +
                      catalogue_.text("card_triangles.jokers", {{"cards", cards_text(jokers)}}));
    }
    return lines;
  }

  /// What completing would save and discard.
  void add_completion(Values& values, const Json& action) const {
    const Json& save = list_in(action, "save");
    Json discarded = Json::array();
    Json cards = Json::array();
    bool is_pure = true;
    for (const Json& piece : list_in(action, "pieces")) {
      const Json& card = piece["card"];
      cards.push_back(card);
      is_pure = is_pure && card["color"] == action["pieces"][0]["card"]["color"];
      const bool is_saved = std::find(save.begin(), save.end(), card) != save.end();
      if (word_in(piece, "from") == "hand" && !is_saved) discarded.push_back(card);
    }
    values.emplace_back("pure", std::string(is_pure ? "yes" : "no"));
    values.emplace_back("pieces", cards_text(cards));
    values.emplace_back("saved", cards_text(save));
    values.emplace_back("count", static_cast<std::int64_t>(discarded.size()));
    values.emplace_back("discarded", cards_text(discarded));
  }

  Values event_values(const Scene& scene, const Json& event) const {
    Values values;
    values.emplace_back("who", who(scene, event, "seat"));
    values.emplace_back("name", scene.name_of(seat_in(event, "seat")));
    values.emplace_back("from", word_in(event, "from"));
    values.emplace_back("count", number_in(event, "count"));
    const bool is_my_draw = who(scene, event, "seat") == "me" && scene.mine.contains("drawn");
    std::string card = "none";
    if (event.contains("card")) {
      card = card_text(event["card"]);
    } else if (is_my_draw) {
      card = card_text(scene.mine["drawn"]);
    }
    values.emplace_back("card", card);
    if (event.contains("victim")) {
      values.emplace_back("whom", who(scene, event, "victim"));
      values.emplace_back("victim", scene.name_of(seat_in(event, "victim")));
    }
    Json pieces = Json::array();
    for (const Json& piece : list_in(event, "pieces"))
      pieces.push_back(piece.value("card", Json()));
    values.emplace_back("pieces", cards_text(pieces));
    values.emplace_back("pure", std::string(is_set(event, "pure") ? "yes" : "no"));
    for (const char* const key : {"saved", "discarded", "hand"}) {
      values.emplace_back(key, cards_text(list_in(event, key)));
    }
    values.emplace_back("discards", static_cast<std::int64_t>(list_in(event, "discarded").size()));
    std::vector<std::string> winners;
    for (const Json& seat : list_in(event, "winners")) {
      winners.push_back(scene.name_of(seat.get<std::size_t>()));
    }
    values.emplace_back("winners", catalogue_.list(winners));
    values.emplace_back("reason", word_in(event, "reason"));
    return values;
  }
};

}  // namespace

std::unique_ptr<Voice> card_triangles_voice(const Catalogue& catalogue, Style style) {
  return std::make_unique<CardTrianglesVoice>(catalogue, style);
}

}  // namespace triquetra::cli
