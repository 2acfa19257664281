// Triangle Mayhem in sentences: its events, open triangles, hands and questions. Reads the words of
// its views; knows none of its rules.
#include <algorithm>

#include "clients/cli/games/render.hpp"

namespace triquetra::cli {

namespace {

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

class MayhemVoice : public Voice {
 public:
  using Voice::Voice;

  std::string event(const Scene& scene, const Json& event) const override {
    const std::string kind = event.is_object() ? event.value("event", "") : "";
    // Who draws, and whose turn it is, says that a turn has ended.
    if (kind == "end") return "";
    const std::string key = "mayhem.event." + kind;
    if (!catalogue_.has(key)) return Voice::event(scene, event);
    return catalogue_.text(key, event_values(scene, event));
  }

  std::vector<std::string> table(const Scene& scene) const override {
    const Json& table = scene.table;
    std::vector<std::string> lines;
    std::string quick = "none";
    if (table.contains("window")) quick = scene.name_of(seat_in(table["window"], "seat"));
    lines.push_back(style_.paint(
        catalogue_.text("mayhem.pile", {{"pile", number_in(table, "pile")}, {"window", quick}}),
        Color::bold));
    for (const char* cut : {"horizontal", "vertical", "centered"}) {
      std::string open;
      for (const Json& triangle : list_in(table, "triangles")) {
        const Json& cards = list_in(triangle, "cards");
        if (cards.empty() || cards[0].value("cut", "") != cut) continue;
        open += "  " + std::to_string(number_in(triangle, "id")) + ": " + words_of(cards);
      }
      if (open.empty()) open = " " + catalogue_.text("mayhem.none");
      lines.push_back(
          "  " +
          catalogue_.text("mayhem.row", {{"cut", catalogue_.text("deck.cut." + std::string(cut))},
                                         {"triangles", open.substr(1)}}));
    }
    for (std::string& line : scores(scene)) lines.push_back(std::move(line));
    return lines;
  }

  std::vector<std::string> players(const Scene& scene) const override {
    std::vector<std::string> lines;
    const Json& seats = list_in(scene.table, "seats");
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const Json& player = seats[seat];
      const Json sheet = player.value("sheet", Json::object());
      const bool has_turn = scene.table.contains("turn") && seat_in(scene.table, "turn") == seat;
      lines.push_back(catalogue_.text(
          "mayhem.player", {{"seat", static_cast<std::int64_t>(seat) + 1},
                            {"name", scene.name_of(seat)},
                            {"cards", number_in(player, "cards")},
                            {"triangles", number_in(player, "triangles")},
                            {"pure", number_in(sheet, "pure")},
                            {"points", sheet.contains("points") ? sheet["points"].dump() : "none"},
                            {"turn", std::string(has_turn ? "yes" : "no")}}));
    }
    return lines;
  }

  std::vector<std::string> mine(const Scene& scene) const override {
    std::vector<std::string> lines;
    if (!scene.seat) return lines;
    const auto all = players(scene);
    if (*scene.seat < all.size()) lines.push_back(all[*scene.seat]);
    add_hand(lines, scene);
    return lines;
  }

  std::string act(const Scene& scene, std::size_t index) const override {
    const Json& action = scene.offers.at(index).action;
    std::string text = typed_form(scene.offers, index);
    if (action.value("do", "") != "play") return text;
    if (!action.contains("onto")) return text + ": " + catalogue_.text("mayhem.act.start");
    for (const Json& triangle : list_in(scene.table, "triangles")) {
      if (number_in(triangle, "id") != number_in(action, "onto")) continue;
      const Json& cards = list_in(triangle, "cards");
      const bool is_pure = std::all_of(cards.begin(), cards.end(), [&](const Json& card) {
        return card["color"] == action["card"]["color"];
      });
      const bool completes = cards.size() == 2;
      text += ": " + catalogue_.text(completes ? "mayhem.act.complete" : "mayhem.act.extend",
                                     {{"cards", words_of(cards)},
                                      {"pure", std::string(is_pure ? "yes" : "no")}});
    }
    return text;
  }

  std::string question(const Scene& scene) const override {
    const Json& fast = list_in(scene.mine, "fast");
    if (!fast.empty()) return catalogue_.text("mayhem.ask.window", {{"cards", words_of(fast)}});
    return catalogue_.text("mayhem.ask.turn", {{"cards", words_of(list_in(scene.mine, "hand"))}});
  }

  std::vector<std::string> board(const Scene& scene, Size room) const override {
    std::vector<std::string> lines = drawn(scene, room.columns);
    if (rows_of(lines, room.columns) > room.rows) lines = tightly_drawn(scene, room.columns);
    return lines;
  }

  std::string label(const Scene& scene, std::size_t index) const override {
    const Json& action = scene.offers.at(index).action;
    const std::string verb = action.is_object() ? action.value("do", "") : "";
    const std::string key = "screen.mayhem.do." + verb;
    if (!catalogue_.has(key)) return Voice::label(scene, index);
    // Behind the typed words stands what they do.
    const std::string told = act(scene, index);
    const auto colon = told.find(": ");
    return catalogue_.text(key,
                           {{"card", word_of(action.value("card", Json()))},
                            {"onto", number_in(action, "onto")},
                            {"what", colon == std::string::npos ? "" : told.substr(colon + 2)}});
  }

  std::string group(const Scene& scene, const std::vector<std::string>& words,
                    const std::vector<std::size_t>& offers) const override {
    const std::string key = "screen.mayhem.group." + words.front();
    if (!catalogue_.has(key)) return Voice::group(scene, words, offers);
    const Json& action = scene.offers.at(offers.front()).action;
    const std::string card = words.size() > 1 ? word_of(action.value("card", Json())) : "none";
    return catalogue_.text(key, {{"card", card}});
  }

  std::vector<std::string> rules(const Scene& scene) const override {
    std::vector<std::string> texts = cards_written();
    for (std::string& text : rules_of("web.mayhem.rules.", {"goal", "turn", "fast"})) {
      texts.push_back(std::move(text));
    }
    if (scene.table.is_object() && scene.table.value("claims", "") == "unchecked") {
      for (std::string& text : rules_of("web.mayhem.rules.", {"unchecked"})) {
        texts.push_back(std::move(text));
      }
    }
    for (std::string& text : rules_of("web.mayhem.rules.", {"end"})) {
      texts.push_back(std::move(text));
    }
    return texts;
  }

  std::string title(const std::string&, const Json& options) const override {
    return catalogue_.text(variant_key(options));
  }

  std::vector<std::string> played(const Scene& scene) const override {
    const std::string key = variant_key(scene.options);
    std::vector<std::string> lines = {catalogue_.text(
        "screen.option",
        {{"name", catalogue_.text(key)}, {"value", catalogue_.text(key + "_text")}})};
    const std::int64_t seconds = (number_in(scene.options, "window_ms") + 999) / 1000;
    lines.push_back(catalogue_.text(
        "screen.option",
        {{"name", catalogue_.text("web.mayhem.window")},
         {"value", catalogue_.text("web.mayhem.window_value", {{"seconds", seconds}})}}));
    add_first(lines, scene);
    return lines;
  }

 private:
  static std::string variant_key(const Json& options) {
    const bool is_checked = !options.is_object() || options.value("claims", "") != "unchecked";
    return "web.mayhem.variant." + std::string(is_checked ? "checked" : "unchecked");
  }

  /// Everybody, the open triangles and my hand.
  std::vector<std::string> drawn(const Scene& scene, std::size_t columns) const {
    std::vector<std::string> lines = players_drawn(scene, columns);
    for (std::string& line : open_triangles(scene)) lines.push_back(std::move(line));
    if (scene.seat) add_hand(lines, scene);
    return lines;
  }

  /// With less of what is said elsewhere, and first what must not be folded away.
  std::vector<std::string> tightly_drawn(const Scene& scene, std::size_t columns) const {
    std::vector<std::string> lines;
    if (scene.seat) {
      lines.push_back(
          catalogue_.text("mayhem.mine", {{"cards", words_of(list_in(scene.mine, "hand"))}}));
    }
    for (std::string& line : open_triangles(scene)) lines.push_back(std::move(line));
    for (std::string& line : points_drawn(scene, columns)) lines.push_back(std::move(line));
    return lines;
  }

  /// The pile, and a line for each cut.
  std::vector<std::string> open_triangles(const Scene& scene) const {
    std::vector<std::string> lines = table(scene);
    lines.resize(std::min<std::size_t>(lines.size(), 4));
    return lines;
  }

  /// Everybody's points alone, four seats beside each other.
  std::vector<std::string> points_drawn(const Scene& scene, std::size_t columns) const {
    constexpr std::size_t kBeside = 4;
    const Json& seats = list_in(scene.table, "seats");
    std::vector<std::string> lines;
    const std::size_t each = columns / kBeside;
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const Json sheet = seats[seat].value("sheet", Json::object());
      const std::string points = sheet.contains("points") ? sheet["points"].dump() : "?";
      const std::string label = seat_label(scene, seat, seat_mark(scene, seat), style_);
      if (seat % kBeside == 0) lines.emplace_back();
      lines.back() += fitted(label, each - std::min(each, points.size() + 3)) + " " + points + "  ";
    }
    return lines;
  }

  /// The seat's own cards, and those that it may play at once.
  void add_hand(std::vector<std::string>& lines, const Scene& scene) const {
    lines.push_back(
        catalogue_.text("mayhem.mine", {{"cards", names_of(list_in(scene.mine, "hand"))}}));
    const Json& fast = list_in(scene.mine, "fast");
    if (!fast.empty()) {
      lines.push_back(catalogue_.text("mayhem.fast", {{"cards", words_of(fast)}}));
    }
  }

  /// Everybody's cards, triangles and points; many seats stand in two columns.
  std::vector<std::string> players_drawn(const Scene& scene, std::size_t columns) const {
    const Json& seats = list_in(scene.table, "seats");
    std::vector<std::string> heads = {""};
    for (const std::string head : {"cards", "triangles", "pure", "points"}) {
      heads.push_back(catalogue_.text("screen.mayhem.column." + head));
    }
    std::vector<std::vector<std::string>> rows;
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const Json sheet = seats[seat].value("sheet", Json::object());
      const auto count = [](const Json& json, const char* key) {
        return json.contains(key) ? json[key].dump() : "?";
      };
      rows.push_back({seat_label(scene, seat, seat_mark(scene, seat), style_),
                      count(seats[seat], "cards"), count(seats[seat], "triangles"),
                      count(sheet, "pure"), count(sheet, "points")});
    }
    constexpr std::size_t kManySeats = 4;
    if (rows.size() <= kManySeats) {
      rows.insert(rows.begin(), heads);
      return grid(rows, columns, style_);
    }
    heads[2] = "△";  // two of the whole words have no room side by side
    const std::size_t half = (rows.size() + 1) / 2;
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(half);
    std::vector<std::vector<std::string>> left(rows.begin(), middle);
    std::vector<std::vector<std::string>> right(middle, rows.end());
    for (auto* side : {&left, &right}) side->insert(side->begin(), heads);
    const std::size_t width = columns > 4 ? columns / 2 - 1 : 1;
    const auto left_lines = grid(left, width, style_);
    const auto right_lines = grid(right, width, style_);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < left_lines.size(); ++i) {
      const std::size_t gap = width + 2 - width_of(left_lines[i]);
      lines.push_back(left_lines[i]);
      if (i < right_lines.size()) lines.back() += std::string(gap, ' ') + right_lines[i];
    }
    return lines;
  }

  /// A card as it is typed, in its colour.
  std::string word_of(const Json& card) const {
    const std::string word = card_word(card);
    const std::string color = card.is_object() ? card.value("color", "") : "";
    if (color == "pink") return style_.paint(word, Color::magenta);
    if (color == "green") return style_.paint(word, Color::green);
    return style_.paint(word, Color::red);
  }

  std::string words_of(const Json& cards) const {
    std::string words;
    for (const Json& card : cards) words += (words.empty() ? "" : " ") + word_of(card);
    return words.empty() ? catalogue_.text("mayhem.none") : words;
  }

  /// A card in full, after the word by which it is typed.
  std::string name_of(const Json& card) const {
    if (card_word(card).empty()) return "";
    return word_of(card) + " (" +
           catalogue_.text("deck.piece",
                           {{"cut", catalogue_.text("deck.cut." + card.value("cut", ""))},
                            {"number", number_in(card, "number")},
                            {"color", card.value("color", "")}}) +
           ")";
  }

  std::string names_of(const Json& cards) const {
    std::vector<std::string> names;
    for (const Json& card : cards) names.push_back(name_of(card));
    return names.empty() ? catalogue_.text("mayhem.none") : catalogue_.list(names);
  }

  Values event_values(const Scene& scene, const Json& event) const {
    Values values;
    const bool is_mine =
        scene.seat && event.contains("seat") && seat_in(event, "seat") == *scene.seat;
    values.emplace_back("who", std::string(is_mine ? "me" : "other"));
    values.emplace_back("name", scene.name_of(seat_in(event, "seat")));
    values.emplace_back("triangle", number_in(event, "triangle"));
    values.emplace_back("count", number_in(event, "count"));
    values.emplace_back("points", number_in(event, "points"));
    values.emplace_back("how", event.value("how", ""));
    values.emplace_back("reason", event.value("reason", ""));
    values.emplace_back("fast", std::string(event.value("fast", false) ? "yes" : "no"));
    values.emplace_back("pure", std::string(event.value("pure", false) ? "yes" : "no"));
    if (event.contains("card")) values.emplace_back("card", word_of(event["card"]));
    std::string cards = "none";
    if (event.contains("cards") && event["cards"].is_array()) cards = words_of(event["cards"]);
    const Json& drew = list_in(scene.mine, "drew");
    const bool is_my_draw = is_mine && event.value("event", "") == "draw" && !drew.empty();
    values.emplace_back("cards", is_my_draw ? words_of(drew) : cards);
    std::vector<std::string> winners;
    for (const Json& seat : list_in(event, "winners")) {
      winners.push_back(scene.name_of(seat.get<std::size_t>()));
    }
    values.emplace_back("winners", catalogue_.list(winners));
    values.emplace_back("winner_count", static_cast<std::int64_t>(winners.size()));
    return values;
  }

  /// Everybody's points, once the game is over.
  std::vector<std::string> scores(const Scene& scene) const {
    std::vector<std::string> lines;
    if (!scene.table.contains("winners")) return lines;
    const Json& seats = list_in(scene.table, "seats");
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const Json sheet = seats[seat].value("sheet", Json::object());
      lines.push_back(catalogue_.text("mayhem.score", {{"name", scene.name_of(seat)},
                                                       {"points", number_in(sheet, "points")},
                                                       {"pure", number_in(sheet, "pure")},
                                                       {"unpure", number_in(sheet, "unpure")},
                                                       {"wrong", number_in(sheet, "wrong")},
                                                       {"left", number_in(sheet, "left")}}));
    }
    return lines;
  }
};

}  // namespace

std::unique_ptr<Voice> mayhem_voice(const Catalogue& catalogue, Style style) {
  return std::make_unique<MayhemVoice>(catalogue, style);
}

}  // namespace triquetra::cli
