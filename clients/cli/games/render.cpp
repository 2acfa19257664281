#include "clients/cli/games/render.hpp"

#include <algorithm>

namespace triquetra::cli {

namespace {

std::string flat(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    std::string out;
    for (const Json& item : json) out += (out.empty() ? "" : " ") + flat(item);
    return out.empty() ? "-" : out;
  }
  if (json.is_object()) {
    std::string out;
    for (const auto& item : json.items()) {
      out += (out.empty() ? "" : ", ") + item.key() + " " + flat(item.value());
    }
    return out.empty() ? "-" : out;
  }
  return json.dump();
}

bool is_deep(const Json& json) {
  return json.is_structured() && std::any_of(json.begin(), json.end(),
                                             [](const Json& item) { return item.is_structured(); });
}

void append_lines(const Json& json, const std::string& indent, std::vector<std::string>& lines) {
  std::size_t count = 0;
  for (const auto& item : json.items()) {
    const std::string key = json.is_array() ? std::to_string(++count) : item.key();
    if (is_deep(item.value())) {
      lines.push_back(indent + key + ":");
      append_lines(item.value(), indent + "  ", lines);
    } else {
      lines.push_back(indent + key + ": " + flat(item.value()));
    }
  }
}

}  // namespace

std::string Style::paint(std::string_view text, Color color) const {
  if (!has_color) return std::string(text);
  return "\033[" + std::to_string(static_cast<int>(color)) + "m" + std::string(text) + "\033[0m";
}

std::string without_colors(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size());
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string Scene::name_of(std::size_t of_seat) const {
  return of_seat < names.size() && !names[of_seat].empty() ? names[of_seat]
                                                           : std::to_string(of_seat + 1);
}

std::vector<std::string> json_lines(const Json& json) {
  std::vector<std::string> lines;
  if (json.is_structured()) {
    append_lines(json, "", lines);
  } else if (!json.is_null()) {
    lines.push_back(flat(json));
  }
  return lines;
}

std::string Voice::event(const Scene& scene, const Json& event) const {
  std::string out = event.is_object() ? event.value("event", "") : "";
  if (event.is_object() && event.contains("seat") && event["seat"].is_number_unsigned()) {
    out = scene.name_of(event["seat"].get<std::size_t>()) + ": " + out;
  }
  for (const auto& item : event.items()) {
    if (item.key() == "event" || item.key() == "seat") continue;
    out += ", " + item.key() + " " + flat(item.value());
  }
  return out;
}

std::vector<std::string> Voice::table(const Scene& scene) const { return json_lines(scene.table); }

std::vector<std::string> Voice::players(const Scene& scene) const {
  std::vector<std::string> lines;
  for (std::size_t seat = 0; seat < scene.names.size(); ++seat) {
    lines.push_back(std::to_string(seat + 1) + ". " + scene.name_of(seat));
  }
  return lines;
}

std::vector<std::string> Voice::mine(const Scene& scene) const { return json_lines(scene.mine); }

std::string Voice::act(const Scene& scene, std::size_t index) const {
  return typed_form(scene.offers, index);
}

std::string Voice::question(const Scene&) const { return catalogue_.text("cli.your_turn"); }

std::vector<std::string> Voice::board(const Scene& scene, Size) const {
  std::vector<std::string> lines = players(scene);
  for (std::string& line : table(scene)) lines.push_back(std::move(line));
  for (std::string& line : mine(scene)) lines.push_back(std::move(line));
  return lines;
}

std::string Voice::label(const Scene& scene, std::size_t index) const {
  return typed_form(scene.offers, index);
}

std::string Voice::group(const Scene&, const std::vector<std::string>& words,
                         const std::vector<std::size_t>&) const {
  return words.back();
}

std::string Voice::hint(const Offer& offer) const {
  const int points = offer.worth.value_or(offer.preview.value_or(0));
  if (points == 0) return "";
  const std::string text = (points > 0 ? "+" : "") + std::to_string(points);
  return "  (" + (offer.worth ? catalogue_.text("screen.worth", {{"points", text}}) : text) + ")";
}

std::string Voice::title(const std::string& game, const Json&) const {
  return catalogue_.has(game + ".title") ? catalogue_.text(game + ".title") : game;
}

std::vector<std::string> Voice::played(const Scene& scene) const {
  return json_lines(scene.options);
}

void Voice::add_first(std::vector<std::string>& lines, const Scene& scene) const {
  if (!scene.options.is_object()) return;
  const auto first = scene.options.find("first_seat");
  if (first == scene.options.end() || !first->is_number_unsigned()) return;
  lines.push_back(catalogue_.text("web.create.first") + " " +
                  scene.name_of(first->get<std::size_t>()));
}

std::vector<std::string> Voice::rules(const Scene&) const { return {}; }

std::vector<std::string> Voice::rules_of(const std::string& start,
                                         const std::vector<std::string>& names) const {
  std::vector<std::string> texts;
  for (const std::string& name : names) {
    texts.push_back(catalogue_.text(start + name + "_title"));
    texts.push_back(catalogue_.text(start + name));
  }
  return texts;
}

std::vector<std::string> Voice::cards_written() const {
  return {catalogue_.text("screen.cards_title"), catalogue_.text("screen.cards")};
}

std::unique_ptr<Voice> voice_of(const std::string& game, const Catalogue& catalogue, Style style) {
  if (game == "triqueta") return triqueta_voice(catalogue, style);
  if (game == "card_triangles") return card_triangles_voice(catalogue, style);
  if (game == "mayhem") return mayhem_voice(catalogue, style);
  return std::make_unique<Voice>(catalogue, style);
}

std::string act_in_words(const Voice& voice, const std::vector<std::string>& names,
                         const ReplayStep& before, std::size_t seat, const Raw& action) {
  Scene scene;
  scene.names = names;
  scene.seat = seat;
  scene.table = parse_json(before.table.text, kTrustedJson);
  scene.mine = parse_json(before.seats.at(seat).text, kTrustedJson);
  scene.offers.push_back({parse_json(action.text, kTrustedJson), {}, {}});
  return voice.label(scene, 0);
}

std::vector<std::string> offer_lines(const Voice& voice, const Scene& scene) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < scene.offers.size(); ++i) {
    std::string line = std::to_string(i + 1) + ". " + voice.act(scene, i);
    const auto& [action, gain, worth] = scene.offers[i];
    if (const auto hint = worth ? worth : gain) {
      line += "  (" + std::string(*hint >= 0 ? "+" : "") + std::to_string(*hint) + ")";
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> grid(const std::vector<std::vector<std::string>>& rows,
                              std::size_t columns, Style style) {
  // Names are worth more room than the heads of numbers.
  const auto least = [](std::size_t column) { return column == 0 ? std::size_t{14} : 3; };
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::size_t total = widths.empty() ? 0 : widths.size() - 1;
  for (const std::size_t width : widths) total += width;
  for (; total > columns; --total) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < widths.size(); ++i) {
      const bool may_shrink = widths[i] > least(i);
      const bool is_wider = widths[i] > widths[widest] || widths[widest] <= least(widest);
      if (may_shrink && is_wider) widest = i;
    }
    if (widths[widest] <= least(widest)) break;
    --widths[widest];
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = width_of(row[i]);
      const bool is_right = i > 0 && width < widths[i];
      const std::string cell =
          is_right ? std::string(widths[i] - width, ' ') + row[i] : fitted(row[i], widths[i]);
      // A cell of its own colour ends what was before it.
      line += (i > 0 ? " " : "") + (lines.empty() ? style.paint(cell, Color::bold) : cell);
    }
    lines.push_back(line);
  }
  return lines;
}

std::size_t rows_of(const std::vector<std::string>& lines, std::size_t columns) {
  std::size_t rows = 0;
  for (const std::string& line : lines) rows += wrapped(line, columns, kHangingIndent).size();
  return rows;
}

std::string seat_label(const Scene& scene, std::size_t seat, SeatMark mark, Style style) {
  const std::string label =
      std::to_string(seat + 1) + " " + scene.name_of(seat) + (scene.seat == seat ? " *" : "");
  if (mark == SeatMark::none) return " " + label;
  return style.paint((mark == SeatMark::has_won ? "★" : ">") + label, Color::bold);
}

SeatMark seat_mark(const Scene& scene, std::size_t seat) {
  if (!scene.table.is_object()) return SeatMark::none;
  const auto winners = scene.table.find("winners");
  if (winners != scene.table.end() && winners->is_array()) {
    const bool has_won = std::find(winners->begin(), winners->end(), seat) != winners->end();
    return has_won ? SeatMark::has_won : SeatMark::none;
  }
  return scene.table.contains("turn") && scene.table["turn"] == seat ? SeatMark::has_turn
                                                                     : SeatMark::none;
}

}  // namespace triquetra::cli
