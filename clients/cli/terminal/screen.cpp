// How the full screen is laid out: a title, the table, what is asked, the list of what can be done,
// the log, a line to type in, and the keys that always work.
#include "clients/cli/terminal/screen.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "clients/cli/terminal/visitor.hpp"
#include "protocol/json.hpp"
#include "protocol/reflect.hpp"

namespace triquetra::cli {

namespace {

constexpr Look kBold{0, true, false};
constexpr Look kBar{0, false, true};
constexpr std::size_t kWideFrom = 110;   // columns: then the log stands beside the table
constexpr std::size_t kLogColumns = 42;  // of it
constexpr std::size_t kLeastLog = 3;     // rows
constexpr std::size_t kLeastList = 4;    // rows
constexpr std::size_t kSpareRows = 3;    // from so many on, some stay empty
constexpr std::size_t kListColumns = 3;  // side by side at most
constexpr std::size_t kKeyColumns = 12;  // of keys, before what they do

using Lines = std::vector<Cells>;

Json json_of(const Raw& raw) { return parse_json(raw.text, kTrustedJson); }

void add_wrapped(Lines& lines, std::string_view text, std::size_t columns,
                 std::size_t indent = kHangingIndent) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    for (Cells& line : wrapped(text.substr(begin, end - begin), columns, indent)) {
      lines.push_back(std::move(line));
    }
    begin = end + 1;
  }
}

Lines lines_of(const std::vector<std::string>& texts, std::size_t columns) {
  Lines lines;
  for (const std::string& text : texts) add_wrapped(lines, text, columns);
  return lines;
}

/// Draws on one canvas and remembers what can be clicked.
class Painter {
 public:
  Painter(const Known& known, const Looking& looking, Size size)
      : known_(known), looking_(looking), drawn_{Canvas(size), {}, {}} {}

  Drawn painted() {
    title();
    switch (looking_.panel) {
      case Panel::help:
        page(help_lines());
        break;
      case Panel::all:
        page(all_lines());
        break;
      case Panel::look_back:
        look_back();
        break;
      default:
        table();
        break;
    }
    keys();
    return std::move(drawn_);
  }

 private:
  std::size_t columns() const { return drawn_.canvas.size().columns; }
  std::size_t rows() const { return drawn_.canvas.size().rows; }
  std::string say(const std::string& key, const Values& values = {}) const {
    return known_.catalogue.text(key, values);
  }

  void put(std::size_t row, std::size_t column, const Lines& lines, std::size_t most_rows,
           std::size_t most_columns) {
    for (std::size_t i = 0; i < lines.size() && i < most_rows; ++i) {
      drawn_.canvas.put(row + i, column, lines[i], most_columns);
    }
  }

  /// Before: there is a time.
  std::string seconds_left() const {
    return say("web.table.seconds", {{"seconds", (*known_.left_ms + 999) / 1000}});
  }

  // ---- The edges

  void title() {
    drawn_.canvas.fill(0, kBar);
    std::string text = " Triquetra";
    if (known_.room) {
      const std::string game = known_.voice.title(known_.room->game, known_.scene.options);
      text = " " + game + " · " + known_.room->room;
    }
    if (known_.scene.seat) text += " · " + known_.scene.name_of(*known_.scene.seat);
    if (known_.is_watching) text += " · " + say("web.room.watching");
    std::string right = known_.trouble.empty() ? looking_.notice : known_.trouble;
    if (right.empty() && known_.left_ms) {
      right = (known_.whose_time.empty() ? "" : known_.whose_time + ": ") + seconds_left();
    }
    drawn_.canvas.put(0, 0, text, kBar);
    const std::size_t width = std::min(width_of(right) + 2, columns());
    drawn_.canvas.put(0, columns() - width, " " + right + " ", {0, true, true});
  }

  void keys() {
    const std::size_t row = rows() - 1;
    drawn_.canvas.fill(row, kBar);
    if (looking_.is_leaving) {
      drawn_.canvas.put(row, 1, say("screen.leave"), {0, true, true});
      return;
    }
    std::vector<KeyShown> shown = keys_shown();
    // What is told first is known soonest.
    const auto width = [&] {
      std::size_t all = 1;
      for (const KeyShown& key : shown) all += width_of(key.key) + 1 + width_of(key.what) + 2;
      return all - 2;
    };
    while (shown.size() > 1 && width() > columns()) shown.erase(shown.begin());
    std::size_t at = 1;
    for (const KeyShown& key : shown) {
      const std::size_t begin = at;
      at = drawn_.canvas.put(row, at, key.key, {0, true, true});
      at = drawn_.canvas.put(row, at, " " + key.what, kBar);
      if (key.means != ' ') drawn_.spots.push_back({row, begin, at, key.means});
      at += 2;
    }
  }

  struct KeyShown {
    std::string_view key;
    std::string what;
    char means;
  };

  std::vector<KeyShown> keys_shown() const {
    std::vector<KeyShown> shown;
    const auto add = [&](std::string_view key, const std::string& what, char means) {
      shown.push_back({key, say(what), means});
    };
    if (looking_.panel == Panel::say) {
      if (why_no_talk(known_).empty()) add("Enter", "screen.key.send", ' ');
      add("Esc", "screen.key.back", ' ');
      return shown;
    }
    if (looking_.panel == Panel::look_back) {
      add("←→ PgUp PgDn Home End", "screen.key.steps", ' ');
      add("e", "screen.key.eyes", 'e');
      if (!known_.costly.empty()) add("c", "screen.key.costly", 'c');
    } else if (looking_.panel == Panel::help || looking_.panel == Panel::all) {
      add("↑↓ PgUp PgDn", "screen.key.read", ' ');
    }
    if (looking_.panel != Panel::table || !looking_.path.empty()) {
      add("Esc", "screen.key.back", ' ');
    } else {
      add("↑↓ Enter", "screen.key.choose", ' ');
    }
    add("?", "screen.key.help", '?');
    if (looking_.panel == Panel::look_back) {
      add("Q", "screen.key.leave", 'Q');
      return shown;
    }
    const bool is_page = looking_.panel == Panel::help || looking_.panel == Panel::all;
    if (known_.room && !is_page) {
      if (why_no_talk(known_).empty()) add("/", "screen.key.say", '/');
      if (why_no_wave(known_).empty()) add("!", "screen.key.wave", '!');
      if (may_ask_hint(known_)) add("#", "screen.key.hint", '#');
    }
    if (!is_page) add("+", "screen.key.room", '+');
    add("=", "screen.key.all", '=');
    add("Q", "screen.key.leave", 'Q');
    return shown;
  }

  // ---- The table

  void table() {
    const bool is_wide = columns() >= kWideFrom;
    const std::size_t width = is_wide ? columns() - kLogColumns - 3 : columns();
    const bool has_line = looking_.panel == Panel::say || !looking_.typed.empty();
    const std::size_t end = rows() - (has_line ? 2 : 1);  // of what stands above the last rows
    const std::size_t room = end - 2;                     // below the title, without the question
    const std::vector<Item> items = items_of(known_, looking_);
    const Lines question = question_lines(width);
    const std::size_t list_rows = rows_of_list(items, width);
    const std::size_t log_rows = is_wide ? 0 : kLeastLog;
    const std::size_t free = room - std::min(room, log_rows + question.size() - 1);
    const std::size_t least_list = std::min(list_rows, kLeastList);
    const std::size_t board_rows = free - std::min(free, least_list);
    Lines board = board_lines({width, board_rows});
    fold(board, board_rows, width);
    std::size_t row = 1;
    put(row, 0, board, board.size(), width);
    row += board.size();
    // What is asked stands apart where there is room.
    if (row + question.size() + list_rows + log_rows + kSpareRows < end) ++row;
    put(row, 0, question, question.size(), width);
    row += question.size();
    const std::size_t below = end - std::min(end, row + log_rows);
    row += list(items, row, std::min(list_rows, below), width);
    if (is_wide) {
      for (std::size_t i = 1; i < end; ++i) drawn_.canvas.put(i, width + 1, "│");
      log(1, width + 3, end - 1, kLogColumns);
    } else {
      for (std::size_t i = 0; i < width; ++i) drawn_.canvas.put(row, i, "─");
      log(row + 1, 0, end - std::min(end, row + 1), width);
    }
    if (has_line) typing(end);
  }

  Lines board_lines(Size room) const {
    const bool has_table =
        known_.room && known_.room->status != RoomStatus::open && !known_.decisions.empty();
    const bool is_over = known_.room && known_.room->status == RoomStatus::over;
    if ((has_table || is_over) && known_.scene.table.is_object()) {
      return lines_of(known_.voice.board(known_.scene, room), room.columns);
    }
    return lines_of(gathering(), room.columns);
  }

  /// The room before the match.
  std::vector<std::string> gathering() const {
    std::vector<std::string> lines;
    if (!known_.room) return {say("screen.entering", {{"server", known_.server}})};
    const RoomFrame& room = *known_.room;
    lines.push_back(say("cli.created", {{"room", room.room}, {"server", known_.server}}));
    for (const std::string& line : known_.voice.played(known_.scene)) lines.push_back("  " + line);
    const auto add = [&](const std::string& name, const std::string& value) {
      lines.push_back("  " + say("screen.option", {{"name", say(name)}, {"value", value}}));
    };
    add("web.create.chat", say("web.create.chat_" + std::string(word_of(room.chat))));
    if (room.clock) {
      add("web.create.clock", say("web.table.seconds", {{"seconds", *room.clock}}));
    }
    for (const SeatShown& seat : room.seats) {
      const std::size_t index = seat.seat.index();
      std::string line = say("room.seat", {{"seat", static_cast<std::int64_t>(index) + 1},
                                           {"name", known_.scene.name_of(index)},
                                           {"state", seat_state(seat)}});
      if (seat.level) line += ", " + say("web.level." + std::string(word_of(*seat.level)));
      if (room.host == seat.seat) line += " (" + say("web.lobby.host") + ")";
      if (known_.scene.seat == index) line += " *";
      lines.push_back(line);
    }
    return lines;
  }

  void fold(Lines& board, std::size_t most, std::size_t width) const {
    if (board.size() <= most) return;
    board.resize(most);
    if (most == 0) return;
    board.back() = cells_of(fitted(say("screen.folded"), width), kBold);
  }

  Lines question_lines(std::size_t width) const {
    Lines lines;
    add_wrapped(lines, question(), width);
    for (Cells& line : lines) {
      for (Cell& cell : line) cell.look.bold = true;
    }
    return lines;
  }

  std::string question() const {
    if (looking_.panel == Panel::room) return say("screen.room");
    if (looking_.panel == Panel::reactions) {
      const std::string why_not = why_no_wave(known_);
      return why_not.empty() ? say("screen.reactions") : why_not;
    }
    if (!known_.room) return "";
    switch (known_.room->status) {
      case RoomStatus::open:
        return opening_question();
      case RoomStatus::starting:
        return say("room.starting");
      case RoomStatus::playing:
        return playing_question();
      case RoomStatus::over:
        return result();
      case RoomStatus::closed:
        return say("room.closed");
    }
    return "";
  }

  std::string opening_question() const {
    const bool is_host = known_.room->host && known_.scene.seat == known_.room->host->index();
    if (lacks_players(known_)) {
      return say("web.lobby.more", {{"count", static_cast<std::int64_t>(known_.least_seats)}});
    }
    if (is_host || !known_.room->host) {
      return say(has_free_seat(known_) ? "screen.gathering" : "screen.gathered");
    }
    return say("web.lobby.waiting", {{"name", known_.scene.name_of(known_.room->host->index())}});
  }

  std::string playing_question() const {
    if (!known_.scene.offers.empty()) {
      std::string asked = known_.voice.heading(known_.scene) + trail();
      bool has_points = false;
      bool has_worth = false;
      for (const Offer& offer : known_.scene.offers) {
        if (known_.voice.hint(offer).empty()) continue;
        (offer.worth ? has_worth : has_points) = true;
      }
      if (has_worth) asked += "  " + say("screen.hint_worth");
      if (has_points) asked += "  " + say("screen.hint");
      if (!known_.left_ms || !known_.whose_time.empty()) return asked;
      return asked + "  [" +
             (is_window() ? say("screen.window_left", {{"time", seconds_left()}})
                          : seconds_left()) +
             "]";
    }
    std::vector<std::string> names;
    for (const DecisionShown& decision : known_.decisions) {
      if (decision.kind == DecisionKind::window) continue;
      for (const Seat seat : decision.seats) names.push_back(known_.scene.name_of(seat.index()));
    }
    return say("web.table.waiting", {{"count", static_cast<std::int64_t>(names.size())},
                                     {"names", known_.catalogue.list(names)}});
  }

  /// Whether what is asked of me ends as soon as others act.
  bool is_window() const {
    const auto is_mine = [&](const DecisionShown& decision) {
      return decision.kind == DecisionKind::window &&
             std::any_of(decision.seats.begin(), decision.seats.end(),
                         [&](Seat seat) { return known_.scene.seat == seat.index(); });
    };
    return std::any_of(known_.decisions.begin(), known_.decisions.end(), is_mine);
  }

  /// What has been chosen so far, where a list within the list is in front.
  std::string trail() const {
    if (looking_.path.empty()) return "";
    std::vector<std::size_t> offers;
    for (const Choice& choice : choices_of(known_.voice, known_.scene, looking_.path)) {
      offers.insert(offers.end(), choice.offers.begin(), choice.offers.end());
    }
    if (offers.empty() || offers.size() == known_.scene.offers.size()) return "";
    return " " + known_.voice.group(known_.scene, looking_.path, offers) + " …";
  }

  std::string result() const {
    const Json winners = known_.scene.table.is_object()
                             ? known_.scene.table.value("winners", Json::array())
                             : Json::array();
    std::vector<std::string> names;
    bool is_mine = false;
    for (const Json& winner : winners) {
      if (!winner.is_number_unsigned()) continue;
      names.push_back(known_.scene.name_of(winner.get<std::size_t>()));
      is_mine = is_mine || known_.scene.seat == winner.get<std::size_t>();
    }
    if (is_mine) return say(names.size() == 1 ? "web.over.you_won" : "web.over.you_won_too");
    if (names.empty()) return say("web.over.nobody");
    return say("web.over.won", {{"count", static_cast<std::int64_t>(names.size())},
                                {"names", known_.catalogue.list(names)}});
  }

  // ---- The list of what can be done

  static std::size_t widest(const std::vector<Item>& items) {
    std::size_t most = 0;
    for (const Item& item : items) most = std::max(most, width_of(item.label));
    return most + 4;  // the key and what is around it
  }

  static std::size_t lists_beside(const std::vector<Item>& items, std::size_t width) {
    return std::clamp<std::size_t>(width / (widest(items) + 1), 1, kListColumns);
  }

  static std::size_t rows_of_list(const std::vector<Item>& items, std::size_t width) {
    const std::size_t beside = lists_beside(items, width);
    return (items.size() + beside - 1) / beside;
  }

  /// Draws as much of the list as fits, with what is selected in it. Gives the rows it took.
  std::size_t list(const std::vector<Item>& items, std::size_t row, std::size_t most_rows,
                   std::size_t width) {
    if (items.empty() || most_rows == 0) return 0;
    const std::size_t all_rows = rows_of_list(items, width);
    const std::size_t shown = std::min(all_rows, most_rows);
    const std::size_t each = width / lists_beside(items, width);
    const std::size_t selected = looking_.selected;  // beyond the end: nothing is
    const std::size_t selected_row = std::min(selected, items.size() - 1) % all_rows;
    const std::size_t first = selected_row < shown ? 0 : selected_row - shown + 1;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t at = i % all_rows;
      if (at < first || at >= first + shown) continue;
      const std::size_t column = i / all_rows * each;
      const Look look = i == selected ? kBar : Look{};
      const std::string key = std::string(" ") + items[i].key + " ";
      const std::size_t line = row + at - first;
      const std::size_t behind = drawn_.canvas.put(line, column, key, {0, true, i == selected});
      drawn_.canvas.put(line, behind, items[i].label, look, each - 4);
      drawn_.spots.push_back({line, column, column + each, items[i].key});
    }
    return shown;
  }

  // ---- The log and the typing line

  void log(std::size_t row, std::size_t column, std::size_t most_rows, std::size_t width) {
    Lines lines;
    for (const std::string& sentence : known_.log) add_wrapped(lines, sentence, width);
    const std::size_t shown = std::min(lines.size(), most_rows);
    const std::size_t hidden = std::min(looking_.scroll, lines.size() - shown);
    const std::size_t first = lines.size() - shown - hidden;
    for (std::size_t i = 0; i < shown; ++i) {
      drawn_.canvas.put(row + i, column, lines[first + i], width);
    }
  }

  void typing(std::size_t row) {
    const std::string why_not = why_no_talk(known_);
    if (looking_.panel == Panel::say && !why_not.empty()) {
      drawn_.canvas.put(row, 0, why_not, kBold);
      return;
    }
    if (looking_.panel != Panel::say) {
      drawn_.canvas.put(row, 0, say("screen.draft", {{"text", looking_.typed}}));
      return;
    }
    std::size_t at = drawn_.canvas.put(row, 0, say("screen.say") + " ", kBold);
    const Cells text = cells_of(looking_.typed);
    const std::size_t cursor = cells_of(looking_.typed.substr(0, looking_.cursor)).size();
    const std::size_t room = columns() - std::min(columns(), at + 1);
    const std::size_t hidden = cursor > room ? cursor - room : 0;
    const Cells seen(text.begin() + static_cast<std::ptrdiff_t>(hidden), text.end());
    drawn_.canvas.put(row, at, seen);
    at += cursor - hidden;
    drawn_.cursor = {row, std::min(at, columns() - 1)};
  }

  // ---- Pages

  void page(const Lines& lines) {
    const std::size_t room = rows() - 2;
    const std::size_t most = lines.size() - std::min(lines.size(), room);
    const std::size_t first = std::min(looking_.scroll, most);
    for (std::size_t i = 0; i < room && first + i < lines.size(); ++i) {
      drawn_.canvas.put(1 + i, 0, lines[first + i]);
    }
    if (first < most) drawn_.canvas.put(rows() - 2, columns() - 2, std::string_view("↓"), kBold);
  }

  Lines help_lines() const {
    Lines lines;
    add_wrapped(lines, say("screen.help"), columns(), 0);
    const std::vector<std::string> rules = known_.voice.rules(known_.scene);
    for (std::size_t i = 0; i + 1 < rules.size(); i += 2) {
      lines.emplace_back();
      add_wrapped(lines, "\033[1m" + rules[i] + "\033[0m", columns());
      add_wrapped(lines, rules[i + 1], columns(), 0);
    }
    lines.emplace_back();
    add_wrapped(lines, "\033[1m" + say("screen.keys_title") + "\033[0m", columns());
    add_wrapped(lines, say("screen.keys"), columns(), kKeyColumns);
    return lines;
  }

  Lines all_lines() const {
    Lines lines;
    if (known_.scene.table.is_object()) {
      // Everybody's line may stand with the table, and mine with my hand.
      std::set<std::string> told;
      for (const auto& part : {known_.voice.table(known_.scene), known_.voice.players(known_.scene),
                               known_.voice.mine(known_.scene)}) {
        const std::size_t before = lines.size();
        for (const std::string& text : part) {
          if (told.insert(text.substr(text.find_first_not_of(' '))).second) {
            add_wrapped(lines, text, columns());
          }
        }
        if (lines.size() > before) lines.emplace_back();
      }
    }
    for (const std::string& text : gathering()) add_wrapped(lines, text, columns());
    lines.emplace_back();
    for (const std::string& sentence : known_.log) add_wrapped(lines, sentence, columns());
    return lines;
  }

  // ---- The match step by step

  void look_back() {
    if (known_.steps.empty()) {
      drawn_.canvas.put(2, 0, say("web.replay.loading"));
      return;
    }
    const std::size_t last = known_.steps.size() - 1;
    const std::size_t at = std::min(looking_.step, last);
    const ReplayStep& step = known_.steps[at];
    const Scene scene = scene_of(step);
    const std::size_t slider_row = rows() - 2;
    Lines told = told_at(at, true);
    const std::string cost = cost_of(step);
    if (!cost.empty()) add_wrapped(told, cost, columns());
    const std::size_t room = slider_row - 2 - std::min(told.size(), slider_row / 3);
    Lines board = lines_of(known_.voice.board(scene, {columns(), room}), columns());
    fold(board, room, columns());
    put(1, 0, board, board.size(), columns());
    // Before it stands what had happened until then, as far as there is room.
    const std::size_t first = 2 + board.size();
    const std::size_t free = slider_row - std::min(slider_row, first);
    Lines before;
    for (std::size_t earlier = at; earlier > 0 && before.size() + told.size() < free; --earlier) {
      Lines lines = told_at(earlier - 1, false);
      before.insert(before.begin(), lines.begin(), lines.end());
    }
    const std::size_t shown = std::min(before.size(), free - std::min(free, told.size()));
    before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(shown));
    put(first, 0, before, shown, columns());
    put(first + shown, 0, told, free - shown, columns());
    slider(slider_row, at, last);
  }

  /// What this step has cost, if it is one of those that cost most.
  std::string cost_of(const ReplayStep& step) const {
    for (const ReviewedAct& act : known_.costly) {
      if (act.rev != step.rev || act.rev == 0) continue;
      const std::size_t before = static_cast<std::size_t>(act.rev) - 1;
      return say("web.review.cost",
                 {{"wins", act.wins},
                  {"better", act_in_words(known_.voice, known_.scene.names, known_.steps[before],
                                          act.seat.index(), act.better)}});
    }
    return "";
  }

  /// What a step did; the one that is looked at is bold.
  Lines told_at(std::size_t at, bool is_bold) const {
    const ReplayStep& step = known_.steps[at];
    const Scene scene = scene_of(step);
    const std::string start = is_bold ? "\033[1m" : "";
    Lines told;
    std::optional<std::size_t> seat;
    const auto tell = [&](const std::string& text) { add_wrapped(told, start + text, columns()); };
    for (const Json& event : json_of(step.happened)) {
      const std::string sentence = known_.voice.event(scene, event);
      if (!sentence.empty()) tell(sentence);
      if (!seat && event.is_object() && event.contains("seat") &&
          event["seat"].is_number_unsigned()) {
        seat = event["seat"].get<std::size_t>();
      }
    }
    if (at == 0 && told.empty()) tell(say("web.replay.start"));
    // That a bot has acted for its own seat is no news.
    const bool is_bots = seat && *seat < known_.bots.size() && known_.bots[*seat];
    if (step.by == ActedBy::bot && !is_bots) tell(say("web.replay.by_bot"));
    if (step.by == ActedBy::clock) tell(say("web.replay.by_clock"));
    return told;
  }

  Scene scene_of(const ReplayStep& step) const {
    Scene scene;
    scene.names = known_.scene.names;
    scene.options = known_.scene.options;
    scene.table = json_of(step.table);
    scene.mine = Json::object();
    if (looking_.eyes > 0 && looking_.eyes <= step.seats.size()) {
      scene.seat = looking_.eyes - 1;
      scene.mine = json_of(step.seats[looking_.eyes - 1]);
    }
    return scene;
  }

  void slider(std::size_t row, std::size_t at, std::size_t last) {
    const std::string whose =
        looking_.eyes > 0 ? known_.scene.name_of(looking_.eyes - 1) : say("web.replay.public");
    const auto of = [&](std::size_t step) {
      return say("web.replay.of", {{"step", static_cast<std::int64_t>(step)},
                                   {"steps", static_cast<std::int64_t>(last)}});
    };
    // As wide as it will be at the end, so that the slider does not move under the mouse.
    const std::string text =
        fitted(of(at), width_of(of(last))) + " · " + say("web.replay.seen_by") + ": " + whose;
    const std::size_t begin = drawn_.canvas.put(row, 0, text, kBold) + 2;
    if (begin + 4 >= columns()) return;
    const std::size_t length = columns() - begin - 2;
    const std::size_t mark = last == 0 ? 0 : at * (length - 1) / last;
    for (std::size_t i = 0; i < length; ++i) {
      drawn_.canvas.put(row, begin + i, std::string_view(i == mark ? "●" : "─"));
      const std::size_t step = length < 2 ? 0 : (i * last + (length - 2)) / (length - 1);
      drawn_.spots.push_back({row, begin + i, begin + i + 1, std::min(step, last)});
    }
  }

  const Known& known_;
  const Looking& looking_;
  Drawn drawn_;
};

}  // namespace

Drawn draw(const Known& known, const Looking& looking, Size size) {
  if (size.columns < kSmallestScreen.columns || size.rows < kSmallestScreen.rows) {
    Canvas canvas(size);
    const Values values = {{"columns", static_cast<std::int64_t>(kSmallestScreen.columns)},
                           {"rows", static_cast<std::int64_t>(kSmallestScreen.rows)}};
    const auto lines = wrapped(known.catalogue.text("screen.enlarge", values), size.columns);
    for (std::size_t i = 0; i < lines.size(); ++i) canvas.put(i, 0, lines[i]);
    return {std::move(canvas), {}, {}};
  }
  return Painter(known, looking, size).painted();
}

}  // namespace triquetra::cli
