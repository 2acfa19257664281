// Triqueta in sentences: its events, rows, collections and questions. Reads the words of its views;
// knows none of its rules.
#include <algorithm>
#include <array>

#include "clients/cli/games/render.hpp"

namespace triquetra::cli {

namespace {

/// An animal, and the number printed on its tokens: what three of them give.
struct Printed {
  const char* animal;
  int points;
};
constexpr std::array<Printed, 7> kPrinted = {
    {{"rabbit", 5}, {"owl", 6}, {"deer", 7}, {"boar", 8}, {"ram", 9}, {"bear", 10}, {"wolf", 11}}};

std::size_t number(const Json& json, const char* key) {
  return json.is_object() ? json.value(key, std::size_t{0}) : 0;
}

std::int64_t from_one(const Json& json, const char* key) {
  return static_cast<std::int64_t>(number(json, key)) + 1;
}

std::int64_t size_of(const Json& json, const char* key) {
  return json.contains(key) ? static_cast<std::int64_t>(json[key].size()) : 0;
}

// What it gives stands in what it was given.
const Json& list_of(Json&& json, const char* key) = delete;
const Json& list_of(const Json& json, const char* key) {
  static const Json kNone = Json::array();
  return json.is_object() && json.contains(key) && json[key].is_array() ? json[key] : kNone;
}

class TriquetaVoice : public Voice {
 public:
  using Voice::Voice;

  std::string event(const Scene& scene, const Json& event) const override {
    const std::string kind = event.is_object() ? event.value("event", "") : "";
    const std::string key = "triqueta.event." + kind;
    if (!catalogue_.has(key)) return Voice::event(scene, event);
    Values values = event_values(scene, event);
    if (kind == "took" && size_of(event, "animals") == 0) {
      return catalogue_.text("web.triqueta.took_empty", values);
    }
    const std::string own = own_text(scene, event);
    if (own.empty()) return catalogue_.text(key, values);
    values.emplace_back("tokens", own);
    return catalogue_.text("cli.triqueta." + kind, values);
  }

  std::vector<std::string> table(const Scene& scene) const override {
    const Json& table = scene.table;
    std::vector<std::string> lines;
    std::string head = catalogue_.text("triqueta.round", {{"round", number_of(table, "round")}});
    if (table.contains("tower")) head += " " + tower_text(table["tower"]);
    lines.push_back(style_.paint(head, Color::bold));
    std::int64_t count = 0;
    for (const Json& row : list_of(table, "rows")) {
      ++count;
      std::string text = row_in_words(row);
      if (row.contains("taken_by")) {
        text = catalogue_.text("triqueta.row_taken",
                               {{"name", scene.name_of(number(row, "taken_by"))}});
      }
      lines.push_back("  " + catalogue_.text("triqueta.row", {{"row", count}, {"tokens", text}}));
    }
    for (std::string& line : scores(scene)) lines.push_back(std::move(line));
    return lines;
  }

  std::vector<std::string> players(const Scene& scene) const override {
    std::vector<std::string> lines;
    const Json& seats = list_of(scene.table, "seats");
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const Json& player = seats[seat];
      const bool has_rock = scene.table.contains("rock") && number(scene.table, "rock") == seat;
      lines.push_back(catalogue_.text(
          "triqueta.player",
          {{"seat", static_cast<std::int64_t>(seat) + 1},
           {"name", scene.name_of(seat)},
           {"tokens", counts_text(player.contains("up") ? player["up"] : Json::object())},
           {"down", number_of(player, "down")},
           {"shadow", number_of(player, "shadow")},
           {"trees", number_of(player, "trees")},
           {"rock", std::string(has_rock ? "yes" : "no")}}));
    }
    return lines;
  }

  std::vector<std::string> mine(const Scene& scene) const override {
    std::vector<std::string> lines;
    if (!scene.seat) return lines;
    const auto all = players(scene);
    if (*scene.seat < all.size()) lines.push_back(all[*scene.seat]);
    for (const char* key : {"down", "shadow"}) {
      if (size_of(scene.mine, key) == 0) continue;
      lines.push_back(catalogue_.text(
          "triqueta.mine", {{"kind", std::string(key)}, {"tokens", tokens_text(scene.mine[key])}}));
    }
    const std::string held = held_text(scene);
    if (!held.empty()) lines.push_back(catalogue_.text("triqueta.held", {{"tokens", held}}));
    return lines;
  }

  std::string act(const Scene& scene, std::size_t index) const override {
    const Json& action = scene.offers.at(index).action;
    std::string text = typed_form(scene.offers, index);
    const std::string verb = action.value("do", "");
    if (verb == "take") {
      const Json& rows = list_of(scene.table, "rows");
      const std::size_t row = number(action, "row");
      if (row < rows.size() && rows[row].contains("tokens")) {
        text += ": " + row_in_words(rows[row]);
      }
    } else if (action.contains("token")) {
      const std::string animal = drawn(scene, number(action, "token"));
      if (!animal.empty()) text += ": " + animal;
    }
    return text;
  }

  std::string question(const Scene& scene) const override {
    const std::string phase = scene.table.is_object() ? scene.table.value("phase", "") : "";
    std::string tokens = held_text(scene);
    if (phase == "reveal" && scene.mine.contains("down")) tokens = tokens_text(scene.mine["down"]);
    const std::string key = "triqueta.ask." + phase;
    return catalogue_.has(key) ? catalogue_.text(key, {{"tokens", tokens}})
                               : Voice::question(scene);
  }

  std::string heading(const Scene& scene) const override {
    const std::string phase = scene.table.is_object() ? scene.table.value("phase", "") : "";
    if (phase != "reveal" || !scene.mine.contains("down")) return question(scene);
    return catalogue_.text("screen.triqueta.ask.reveal",
                           {{"tokens", tokens_text(scene.mine["down"])}});
  }

  std::string title(const std::string& game, const Json& options) const override {
    const std::string variant = variant_of(options);
    if (variant == "base" || !catalogue_.has("web.triqueta.variant." + variant)) {
      return Voice::title(game, options);
    }
    return catalogue_.text("screen.option",
                           {{"name", Voice::title(game, options)},
                            {"value", catalogue_.text("web.triqueta.variant." + variant)}});
  }

  std::vector<std::string> played(const Scene& scene) const override {
    const std::string key = "web.triqueta.variant." + variant_of(scene.options);
    if (!catalogue_.has(key)) return Voice::played(scene);
    std::vector<std::string> lines = {catalogue_.text(
        "screen.option",
        {{"name", catalogue_.text(key)}, {"value", catalogue_.text(key + "_text")}})};
    add_first(lines, scene);
    return lines;
  }

  std::vector<std::string> board(const Scene& scene, Size room) const override {
    const Json& table = scene.table;
    std::vector<std::string> lines;
    const std::string head =
        catalogue_.text("triqueta.round", {{"round", number_of(table, "round")}});
    std::string tower = tower_drawn(table);
    const std::string legend = "  " + catalogue_.text("screen.triqueta.shadow");
    const std::size_t wide = width_of(head) + 2 + width_of(tower) + width_of(legend);
    if (tower.find("◆") != std::string::npos && wide <= room.columns) tower += legend;
    lines.push_back(style_.paint(head, Color::bold) + "  " + tower);
    const bool is_over = !list_of(table, "scores").empty();
    std::vector<std::string> mine;
    for (const char* key : {"down", "shadow"}) {
      if (size_of(scene.mine, key) == 0) continue;
      mine.push_back(catalogue_.text(
          "triqueta.mine", {{"kind", std::string(key)}, {"tokens", tokens_text(scene.mine[key])}}));
    }
    auto rows = collections(scene);
    const std::size_t below = rows.size() + rows_of(mine, room.columns);
    if (!is_over) add_rows(lines, scene, {room.columns, room.rows - std::min(room.rows, below)});
    // Where there is room, what three are worth stands with it, and the rows stand apart.
    const std::size_t taken = below + rows_of(lines, room.columns);
    if (taken < room.rows) {
      rows.insert(rows.begin() + 1, values_row(rows.front().size(), table));
    }
    if (taken + kAirFrom < room.rows) lines.emplace_back();
    for (std::string& line : grid(rows, room.columns, style_)) lines.push_back(std::move(line));
    for (std::string& line : mine) lines.push_back(std::move(line));
    return lines;
  }

  std::string label(const Scene& scene, std::size_t index) const override {
    const Json& action = scene.offers.at(index).action;
    const std::string verb = action.is_object() ? action.value("do", "") : "";
    const std::string key = "screen.triqueta.do." + verb;
    if (!catalogue_.has(key)) return Voice::label(scene, index);
    std::vector<std::string> columns;
    for (const Json& column : list_of(action, "columns")) {
      columns.push_back(std::to_string(column.get<std::int64_t>() + 1));
    }
    std::string tokens = told_apart(scene, number(action, "token"));
    const Json& rows = list_of(scene.table, "rows");
    const std::size_t row = number(action, "row");
    if (verb == "take" && row < rows.size()) tokens = row_in_words(rows[row]);
    if (verb == "reveal") tokens = added_text(scene, action);
    return catalogue_.text(key, {{"columns", catalogue_.list(columns)},
                                 {"count", static_cast<std::int64_t>(columns.size())},
                                 {"row", from_one(action, "row")},
                                 {"tower", from_one(action, "tower")},
                                 {"tokens", tokens}});
  }

  std::string group(const Scene& scene, const std::vector<std::string>& words,
                    const std::vector<std::size_t>& offers) const override {
    const std::string key = "screen.triqueta.group." + words.front();
    if (!catalogue_.has(key)) return Voice::group(scene, words, offers);
    // Behind the verb comes a column, or the token that goes somewhere.
    const std::string word = words.size() > 1 ? words.back() : "none";
    const Json& action = scene.offers.at(offers.front()).action;
    return catalogue_.text(
        key, {{"word", word}, {"tokens", told_apart(scene, number(action, "token"))}});
  }

  std::vector<std::string> rules(const Scene& scene) const override {
    // Only for two are two tokens drawn at a time, and is there a third way out for one.
    const bool is_duo = variant_of(scene.options) == "duo";
    const bool has_wolves =
        has_shadows(scene.table) || is_duo || variant_of(scene.options) == "wolves";
    std::vector<std::string> names = {"goal", is_duo ? "duo" : "draw", "place", "take", "round",
                                      "end"};
    if (has_wolves) names.insert(names.end() - 1, "wolves");
    std::vector<std::string> texts = rules_of("web.triqueta.rules.", names);
    std::vector<std::string> values;
    for (const Printed& printed : kPrinted) {
      if (std::string_view(printed.animal) == "wolf" && !has_wolves) continue;
      values.push_back(animal(printed.animal) + " " + std::to_string(printed.points));
    }
    // Behind the goal, which speaks of them.
    texts.insert(texts.begin() + 2,
                 {catalogue_.text("web.triqueta.rules.values_title"), catalogue_.list(values)});
    if (is_duo) texts[5] += " " + catalogue_.text("screen.triqueta.rules.duo");
    return texts;
  }

 private:
  static constexpr std::size_t kAirFrom = 4;  // rows to spare

  /// The rows one below the other; or one behind the other, where else not everybody's collection
  /// would be in sight.
  void add_rows(std::vector<std::string>& lines, const Scene& scene, Size room) const {
    std::vector<std::string> rows;
    for (const Json& row : list_of(scene.table, "rows")) {
      std::string text =
          row_text(list_of(row, "tokens"), room.columns > 12 ? room.columns - 12 : 0);
      if (row.contains("taken_by")) {
        text = catalogue_.text("triqueta.row_taken",
                               {{"name", scene.name_of(number(row, "taken_by"))}});
      }
      const auto count = static_cast<std::int64_t>(rows.size()) + 1;
      rows.push_back(catalogue_.text("triqueta.row", {{"row", count}, {"tokens", text}}));
    }
    if (rows_of(lines, room.columns) + rows_of(rows, room.columns) <= room.rows) {
      lines.insert(lines.end(), rows.begin(), rows.end());
      return;
    }
    std::string joined;
    const Json& all = list_of(scene.table, "rows");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // Whoever has taken one is out, which stands with the name.
      if (!all[i].contains("taken_by")) joined += (joined.empty() ? "" : "  ") + rows[i];
    }
    lines.push_back(joined);
  }

  /// What three of each animal give, under the heads of the collections.
  std::vector<std::string> values_row(std::size_t columns, const Json& table) const {
    std::vector<std::string> row = {" " + catalogue_.text("screen.triqueta.three")};
    for (const Printed& printed : kPrinted) {
      if (std::string_view(printed.animal) == "wolf" && !has_shadows(table)) continue;
      row.push_back(std::to_string(printed.points));
    }
    row.resize(columns);
    return row;
  }

  static std::string variant_of(const Json& options) {
    return options.is_object() ? options.value("variant", "base") : "";
  }

  static bool has_shadows(const Json& table) {
    for (const Json& seat : list_of(table, "seats")) {
      if (number(seat, "shadow") > 0 || number(seat.value("up", Json::object()), "wolf") > 0) {
        return true;
      }
    }
    // Before a match there is no table.
    if (!table.is_object() || !table.contains("tower")) return false;
    const Json& shadow = list_of(table["tower"], "shadow");
    return std::any_of(shadow.begin(), shadow.end(), [](const Json& count) { return count != 0; });
  }

  /// The columns of the tower, a dot for each token and a diamond for each shadow token.
  std::string tower_drawn(const Json& table) const {
    if (!table.contains("tower")) return "";
    const Json& tower = table["tower"];
    const Json& light = list_of(tower, "light");
    const Json& shadow = list_of(tower, "shadow");
    std::string columns;
    for (std::size_t i = 0; i < light.size(); ++i) {
      std::string tokens;
      for (std::int64_t n = 0; n < light[i].get<std::int64_t>(); ++n) tokens += "●";
      for (std::int64_t n = 0; i < shadow.size() && n < shadow[i].get<std::int64_t>(); ++n) {
        tokens += style_.paint("◆", Color::magenta);
      }
      columns += "  " + style_.paint(std::to_string(i + 1), Color::bold) + " " +
                 fitted(tokens.empty() ? "-" : tokens, 4);
    }
    return catalogue_.text("screen.triqueta.tower",
                           {{"tower", from_one(tower, "id")}, {"columns", columns}});
  }

  /// The tokens of a row one by one, or counted if they would be too long.
  std::string row_text(const Json& tokens, std::size_t columns) const {
    if (tokens.empty()) return "-";
    std::string text;
    Json counts = Json::object();
    for (const Json& token : tokens) {
      const std::string word = token.is_string() ? token.get<std::string>() : "";
      text += (text.empty() ? "" : " ") + animal(word);
      counts[word] = number(counts, word.c_str()) + 1;
    }
    return width_of(text) <= columns ? text : counts_text(counts);
  }

  /// What lies in front of everybody, a row for each seat.
  std::vector<std::vector<std::string>> collections(const Scene& scene) const {
    const Json& table = scene.table;
    const Json& sheets = list_of(table, "scores");
    std::vector<const char*> animals = {"rabbit", "owl", "deer", "boar", "ram", "bear"};
    std::vector<std::string> extras = {"down"};
    if (has_shadows(table)) {
      animals.push_back("wolf");
      extras.emplace_back("shadow");
    }
    extras.insert(extras.end(), {"trees", "rock"});
    if (!sheets.empty()) extras = {"trees", "rock", "total"};
    // At the end each cell says what its tokens have given.
    const std::string corner =
        sheets.empty() ? "" : " " + catalogue_.text("screen.triqueta.tokens_points");
    std::vector<std::vector<std::string>> rows = {{corner}};
    for (const char* word : animals) rows.front().push_back(animal(word));
    for (const std::string& extra : extras) {
      rows.front().push_back(catalogue_.text("screen.triqueta.column." + extra));
    }
    const Json& seats = list_of(table, "seats");
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      const bool is_over = seat < sheets.size();
      const Json& shown = is_over ? sheets[seat] : seats[seat];
      const Json counts = shown.value(is_over ? "counts" : "up", Json::object());
      rows.push_back({name_cell(scene, seat)});
      for (const char* word : animals) {
        std::string text = count_text(number_of(counts, word));
        if (is_over && number(counts, word) > 0) text += "→" + points_text(shown, word);
        rows.back().push_back(text);
      }
      for (const std::string& extra : extras) {
        std::int64_t count = shown.value(extra, std::int64_t{0});
        if (extra == "rock" && !is_over) count = number(table, "rock") == seat ? 1 : 0;
        const std::string text = extra == "total" ? std::to_string(count) : count_text(count);
        rows.back().push_back(text);
      }
    }
    return rows;
  }

  std::string name_cell(const Scene& scene, std::size_t seat) const {
    std::string label = seat_label(scene, seat, seat_mark(scene, seat), style_);
    const bool is_over = scene.table.contains("winners");
    if (!is_over && list_of(scene.table, "seats")[seat].contains("row")) {
      label += " " + catalogue_.text("screen.triqueta.out");
    }
    return label;
  }

  /// What this sheet says that an animal has given, which may be less than nothing.
  static std::string points_text(const Json& sheet, const char* animal) {
    const Json points = sheet.value("points", Json::object());
    return std::to_string(points.value(animal, std::int64_t{0}));
  }

  static std::string count_text(std::int64_t count) {
    return count == 0 ? "." : std::to_string(count);
  }

  /// Which of my face-down tokens an end decision adds; with its number if it adds one of two
  /// that are alike.
  std::string added_text(const Scene& scene, const Json& action) const {
    std::vector<std::string> added;
    const Json& keep = list_of(action, "keep");
    const Json& down = list_of(scene.mine, "down");
    for (std::size_t i = 0; i < keep.size() && i < down.size(); ++i) {
      if (keep[i] != true) continue;
      bool is_alike = false;
      for (std::size_t j = 0; j < keep.size() && j < down.size(); ++j) {
        is_alike |= keep[j] != true && down[j] == down[i];
      }
      const std::string name = animal(down[i].get<std::string>());
      added.push_back(is_alike ? numbered(name, i) : name);
    }
    return added.empty() ? catalogue_.text("triqueta.none") : catalogue_.list(added);
  }

  static std::int64_t number_of(const Json& json, const char* key) {
    return static_cast<std::int64_t>(number(json, key));
  }

  std::string animal(const std::string& word) const {
    const std::string key = "triqueta.animal." + word;
    std::string name = catalogue_.has(key) ? catalogue_.text(key) : word;
    if (word == "rabbit") return style_.paint(name, Color::yellow);
    if (word == "owl") return style_.paint(name, Color::magenta);
    if (word == "deer") return style_.paint(name, Color::red);
    if (word == "ram") return style_.paint(name, Color::blue);
    if (word == "bear") return style_.paint(name, Color::green);
    if (word == "wolf") return style_.paint(name, Color::cyan);
    return name;
  }

  std::string tokens_text(const Json& tokens) const {
    std::vector<std::string> words;
    for (const Json& token : tokens) {
      if (token.is_string()) words.push_back(animal(token.get<std::string>()));
    }
    return words.empty() ? catalogue_.text("triqueta.none") : catalogue_.list(words);
  }

  std::string row_in_words(const Json& row) const {
    const Json& tokens = list_of(row, "tokens");
    return tokens.empty() ? catalogue_.text("web.triqueta.empty") : tokens_text(tokens);
  }

  std::string counts_text(const Json& counts) const {
    std::vector<std::string> words;
    for (const char* word : {"rabbit", "owl", "deer", "boar", "ram", "bear", "wolf"}) {
      if (number(counts, word) > 0) {
        words.push_back(std::to_string(number(counts, word)) + " " + animal(word));
      }
    }
    return words.empty() ? catalogue_.text("triqueta.none") : catalogue_.list(words);
  }

  // What is left per column: light tokens, and the shadow ones behind a plus.
  std::string tower_text(const Json& tower) const {
    std::string columns;
    const Json& light = list_of(tower, "light");
    const Json& shadow = list_of(tower, "shadow");
    for (std::size_t i = 0; i < light.size(); ++i) {
      columns += (i > 0 ? " " : "") + light[i].dump();
      if (i < shadow.size() && shadow[i] != 0) columns += "+" + shadow[i].dump();
    }
    return catalogue_.text("triqueta.tower",
                           {{"tower", from_one(tower, "id")}, {"columns", columns}});
  }

  // The animal of a token that I drew and must decide about.
  std::string drawn(const Scene& scene, std::size_t token) const {
    for (const Json& held : list_of(scene.mine, "drawn")) {
      if (number(held, "token") == token && held.contains("animal")) {
        return animal(held["animal"].get<std::string>());
      }
    }
    return "";
  }

  // With two tokens held, each has the number by which acts name it.
  std::string held_text(const Scene& scene) const {
    const Json& held = list_of(scene.mine, "drawn");
    std::vector<std::string> words;
    for (const Json& token : held) {
      const std::string name = drawn(scene, number(token, "token"));
      if (name.empty()) continue;
      words.push_back(held.size() == 1 ? name : numbered(name, number(token, "token")));
    }
    return words.empty() ? "" : catalogue_.list(words);
  }

  std::string numbered(const std::string& animal, std::size_t token) const {
    return catalogue_.text("triqueta.held_token",
                           {{"number", static_cast<std::int64_t>(token) + 1}, {"animal", animal}});
  }

  /// A token that I hold, with its number if its animal does not tell it from another.
  std::string told_apart(const Scene& scene, std::size_t token) const {
    const std::string name = drawn(scene, token);
    const Json& held = list_of(scene.mine, "drawn");
    const auto alike = std::count_if(held.begin(), held.end(), [&](const Json& other) {
      return drawn(scene, number(other, "token")) == name;
    });
    return alike > 1 ? numbered(name, token) : name;
  }

  /// The faces that only I see of what I have drawn or hidden just now.
  std::string own_text(const Scene& scene, const Json& event) const {
    const bool is_mine =
        scene.seat && event.contains("seat") && number(event, "seat") == *scene.seat;
    const std::string kind = event.value("event", "");
    if (is_mine && kind == "drew") {
      std::vector<std::string> words;
      for (const Json& held : list_of(scene.mine, "drawn")) {
        if (held.contains("animal")) words.push_back(animal(held.value("animal", "")));
      }
      return words.empty() ? "" : catalogue_.list(words);
    }
    const Json& down = list_of(scene.mine, "down");
    return is_mine && kind == "kept" && !down.empty() ? animal(down.back().get<std::string>()) : "";
  }

  Values event_values(const Scene& scene, const Json& event) const {
    Values values;
    const bool is_mine =
        scene.seat && event.contains("seat") && number(event, "seat") == *scene.seat;
    values.emplace_back("who", std::string(is_mine ? "me" : "other"));
    values.emplace_back("name", scene.name_of(number(event, "seat")));
    values.emplace_back("row", from_one(event, "row"));
    values.emplace_back("tower", from_one(event, "tower"));
    values.emplace_back("round", number_of(event, "round"));
    if (event.contains("animal")) values.emplace_back("animal", animal(event.value("animal", "")));
    if (event.contains("columns")) {
      std::vector<std::string> columns;
      for (const Json& column : event["columns"]) {
        columns.push_back(std::to_string(column.get<int>() + 1));
      }
      values.emplace_back("columns", catalogue_.list(columns));
      values.emplace_back("count", static_cast<std::int64_t>(columns.size()));
      const Json& backs = list_of(event, "backs");
      values.emplace_back("shadows", static_cast<std::int64_t>(
                                         std::count(backs.begin(), backs.end(), Json("shadow"))));
    }
    for (const char* key : {"animals", "light", "shadow"}) {
      if (event.contains(key)) values.emplace_back(key, tokens_text(event[key]));
    }
    values.emplace_back("shadow_count", size_of(event, "shadow"));
    if (event.contains("rock")) {
      const std::size_t rock = number(event, "rock");
      values.emplace_back("rock", scene.name_of(rock));
      values.emplace_back("has_rock", std::string(scene.seat == rock ? "me" : "other"));
    }
    if (event.contains("boxed")) {
      const Json& boxed = event["boxed"];
      values.emplace_back("boxed", boxed.is_object()
                                       ? number_of(boxed, "light") + number_of(boxed, "shadow")
                                       : number_of(event, "boxed"));
    }
    if (event.contains("winners")) {
      std::vector<std::string> winners;
      for (const Json& seat : event["winners"]) {
        winners.push_back(scene.name_of(seat.get<std::size_t>()));
      }
      values.emplace_back("winners", catalogue_.list(winners));
      values.emplace_back("winner_count", static_cast<std::int64_t>(winners.size()));
    }
    return values;
  }

  /// The animals of a sheet, and in brackets what each kind has given.
  std::string given_text(const Json& sheet) const {
    std::vector<std::string> words;
    const Json counts = sheet.value("counts", Json::object());
    for (const Printed& printed : kPrinted) {
      if (number(counts, printed.animal) == 0) continue;
      words.push_back(std::to_string(number(counts, printed.animal)) + " " +
                      animal(printed.animal) + " (" + points_text(sheet, printed.animal) + ")");
    }
    return words.empty() ? catalogue_.text("triqueta.none") : catalogue_.list(words);
  }

  std::vector<std::string> scores(const Scene& scene) const {
    std::vector<std::string> lines;
    const Json& sheets = list_of(scene.table, "scores");
    for (std::size_t seat = 0; seat < sheets.size(); ++seat) {
      const Json& sheet = sheets[seat];
      lines.push_back(
          catalogue_.text("triqueta.score", {{"name", scene.name_of(seat)},
                                             {"total", sheet.value("total", std::int64_t{0})},
                                             {"tokens", given_text(sheet)},
                                             {"rock", number_of(sheet, "rock")},
                                             {"trees", number_of(sheet, "trees")}}));
    }
    return lines;
  }
};

}  // namespace

std::unique_ptr<Voice> triqueta_voice(const Catalogue& catalogue, Style style) {
  return std::make_unique<TriquetaVoice>(catalogue, style);
}

}  // namespace triquetra::cli
