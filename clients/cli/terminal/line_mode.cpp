#include "clients/cli/terminal/line_mode.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <variant>

#include "protocol/json_text.hpp"
#include "protocol/reflect.hpp"
#include "protocol/wire.hpp"

namespace triquetra::cli {

namespace {

const std::vector<std::string>& own_verbs() {
  static const std::vector<std::string> kVerbs = {
      "legal", "rows",  "mine",    "players", "log",     "help",   "start",
      "bot",   "level", "rematch", "hint",    "review",  "react",  "say",
      "cover", "kick",  "readmit", "door",    "options", "device", "quit"};
  return kVerbs;
}

const std::string kSay = "say ";

bool is_object(const std::string& text) {
  try {
    return JsonText(text).root().kind() == JsonKind::object;
  } catch (const Malformed&) {
    return false;
  }
}

}  // namespace

LineMode::LineMode(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
                   const Catalogue& catalogue, Style style)
    : TableVisitor(io, options, std::move(entry), catalogue, style),
      editor_(io, {[this](std::string line) { typed(std::move(line)); }, [this] { ended(); }}) {}

void LineMode::tell(const std::string& text) { editor_.print(text); }

void LineMode::print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) editor_.print(line);
}

// ---- What the server says

void LineMode::on_ok(const ClientFrame& request, const Ok& ok) {
  TableVisitor::on_ok(request, ok);
  run_script();
}

void LineMode::on_error(const ClientFrame* request, const Error& error) {
  TableVisitor::on_error(request, error);
  const bool is_act = request != nullptr && std::holds_alternative<Act>(*request);
  if (is_act && error.code == ErrorCode::illegal && !editor_.is_typed()) {
    session_.finish(Exit::illegal_action);
  }
  if (const auto* say = request != nullptr ? std::get_if<Say>(request) : nullptr) {
    editor_.offer_again(kSay + say->text.str());
  }
  ask_me();
  run_script();
}

void LineMode::on_room(const RoomFrame& room) {
  TableVisitor::on_room(room);
  run_script();
}

void LineMode::match_began() {
  was_asked_ = false;
  print(voice_->table(scene_));
}

void LineMode::caught_up() {
  const bool is_asked = !scene_.offers.empty();
  if (view_->decisions.empty() || (is_asked && !was_asked_)) print(voice_->table(scene_));
  was_asked_ = is_asked;
  ask_me();
  run_script();
}

void LineMode::looked_back(const ReviewShown& review, bool more) {
  for (const ReviewedAct& act : review.acts) {
    const auto rev = static_cast<std::size_t>(act.rev);
    if (rev == 0 || rev >= steps_.size()) continue;
    const auto in_words = [&](const Raw& action) {
      return act_in_words(*voice_, scene_.names, steps_[rev - 1], act.seat.index(), action);
    };
    tell(catalogue_.text("review.act", {{"rev", act.rev},
                                        {"name", scene_.name_of(act.seat.index())},
                                        {"act", in_words(act.action)},
                                        {"better", in_words(act.better)},
                                        {"wins", act.wins}}));
  }
  if (more) {
    tell(
        catalogue_.text("review.more", {{"looked_at", review.looked_at}, {"steps", review.steps}}));
  } else if (review.acts.empty()) {
    tell(catalogue_.text("review.none"));
  }
}

void LineMode::happened(const Json& event, const std::string& sentence, const Json&) {
  // Once others have acted, the table is worth showing again.
  const Json seat = event.is_object() ? event.value("seat", Json()) : Json();
  if (!scene_.seat || seat != *scene_.seat) was_asked_ = false;
  if (sentence.empty()) return;
  if (log_.size() == kMaxLog) log_.pop_front();
  log_.push_back(sentence);
  tell(sentence);
}

void LineMode::ask_me() {
  std::vector<std::string> lines = own_verbs();
  for (std::size_t i = 0; i < scene_.offers.size(); ++i) {
    lines.push_back(typed_form(scene_.offers, i));
  }
  editor_.set_completions(std::move(lines));
  std::string prompt;
  if (!scene_.offers.empty()) {
    prompt = without_colors(voice_->question(scene_)) + " " + prompt_of(scene_.offers) + " > ";
  }
  editor_.set_prompt(prompt);
}

// ---- What the person says

void LineMode::typed(std::string line) {
  if (editor_.is_typed()) return command(line);
  if (script_.size() < kMaxTyped) script_.push_back(std::move(line));
  run_script();
}

void LineMode::ended() {
  is_script_over_ = true;
  if (editor_.is_typed()) return session_.finish(Exit::ok);
  run_script();
}

// A script's line that acts waits until it is asked for; the others only for the last answer.
void LineMode::run_script() {
  if (editor_.is_typed()) return;
  while (!script_.empty() && is_in() && !session_.is_waiting() && !is_behind()) {
    if (session_.is_finished()) return;
    if (is_for_my_turn(script_.front()) && scene_.offers.empty()) return tell_of_waiting();
    const std::string line = std::move(script_.front());
    script_.pop_front();
    has_told_of_waiting_ = false;
    command(line);
  }
  const bool is_spectator = entry_.watch.has_value();
  if (is_script_over_ && script_.empty() && is_in() && !session_.is_waiting() && !is_behind() &&
      !is_spectator) {
    session_.finish(Exit::ok);
  }
}

// A line that no turn will come for, unless somebody else begins a match: mistyped, or too many.
void LineMode::tell_of_waiting() {
  const bool is_long = room_frame_ && (room_frame_->status == RoomStatus::open ||
                                       room_frame_->status == RoomStatus::over);
  if (!is_long || std::exchange(has_told_of_waiting_, true)) return;
  Visitor::tell(catalogue_.text("cli.script_waits", {{"line", printable(script_.front())}}));
}

bool LineMode::is_for_my_turn(const std::string& line) const {
  const auto words = split_words(line);
  return !words.empty() && completions(words.front(), own_verbs()).size() != 1;
}

void LineMode::command(const std::string& line) {
  const std::vector<std::string> words = split_words(line);
  if (words.empty()) return;
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  const bool is_number = std::all_of(words[0].begin(), words[0].end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
  if (is_number) {
    const std::size_t number = words[0].size() < 6 ? std::stoul(words[0]) : 0;
    if (number >= 1 && number <= scene_.offers.size()) return send_act(number - 1);
    return complain(catalogue_.text("cli.no_such_number"));
  }
  auto verbs = completions(words[0], verbs_of(scene_.offers));
  if (verbs.size() == 1) return act_command(verbs[0], arguments);
  const auto own = completions(words[0], own_verbs());
  verbs.insert(verbs.end(), own.begin(), own.end());
  if (verbs.size() > 1) {
    return complain(catalogue_.text("cli.several", {{"words", catalogue_.list(verbs)}}));
  }
  if (verbs.empty()) {
    return complain(scene_.offers.empty()
                        ? catalogue_.text("cli.not_possible_now")
                        : catalogue_.text("cli.possible", {{"acts", prompt_of(scene_.offers)}}));
  }
  if (!screen_command(verbs[0])) room_command(verbs[0], arguments);
}

void LineMode::act_command(const std::string& verb, const std::vector<std::string>& arguments) {
  const auto found = match_offers(scene_.offers, verb, arguments);
  // Columns look alike from outside, so a bare "draw" takes the first.
  if (found.size() == 1 || (!found.empty() && verb == "draw" && arguments.empty())) {
    return send_act(found.front());
  }
  if (found.size() > 1) {
    const std::vector<std::string> all = offer_lines(*voice_, scene_);
    std::vector<std::string> lines;
    for (const std::size_t index : found) lines.push_back(all.at(index));
    print(lines);
    return complain(catalogue_.text("cli.which_one"));
  }
  complain(catalogue_.text("cli.possible", {{"acts", prompt_of(scene_.offers)}}));
}

bool LineMode::screen_command(const std::string& verb) {
  if (verb == "legal") {
    print(offer_lines(*voice_, scene_));
    if (scene_.offers.empty()) tell(catalogue_.text("cli.not_asked"));
  } else if (verb == "rows") {
    print(voice_->table(scene_));
  } else if (verb == "mine") {
    print(voice_->mine(scene_));
  } else if (verb == "players") {
    print(voice_->players(scene_));
  } else if (verb == "log") {
    print({log_.begin(), log_.end()});
  } else if (verb == "help") {
    tell(catalogue_.text("cli.help"));
  } else {
    return false;
  }
  return true;
}

bool LineMode::room_command(const std::string& verb, const std::vector<std::string>& arguments) {
  if (verb == "start") {
    session_.ask(in_room<Start>());
  } else if (verb == "bot") {
    bot_command(arguments);
  } else if (verb == "level") {
    level_command(arguments);
  } else if (verb == "hint") {
    session_.ask(in_room<AskHint>());
  } else if (verb == "review") {
    look_back();
  } else if (verb == "rematch") {
    auto rematch = in_room<Rematch>();
    rematch.entropy_hash = promise();
    session_.ask(rematch);
  } else if (verb == "cover" || verb == "kick" || verb == "readmit") {
    seat_command(verb, arguments);
  } else if (verb == "door") {
    door_command(arguments);
  } else if (verb == "options") {
    options_command(arguments);
  } else if (verb == "react") {
    react(arguments);
  } else if (verb == "say") {
    say(arguments);
  } else if (verb == "device") {
    session_.ask(Device{});
  } else if (verb == "quit") {
    session_.finish(Exit::ok);
  } else {
    return false;
  }
  return true;
}

void LineMode::bot_command(const std::vector<std::string>& arguments) {
  auto bot = in_room<AddBot>();
  bot.level = arguments.empty() ? BotLevel::normal : enumerator_of<BotLevel>(arguments[0]);
  if (!bot.level) return complain(catalogue_.text("cli.levels"));
  session_.ask(bot);
}

void LineMode::level_command(const std::vector<std::string>& arguments) {
  const bool is_complete = arguments.size() == 2 && arguments[0].size() == 1 &&
                           arguments[0][0] >= '1' && arguments[0][0] <= '8';
  const auto level = is_complete ? enumerator_of<BotLevel>(arguments[1]) : std::nullopt;
  if (!level) return complain(catalogue_.text("cli.levels"));
  auto request = in_room<SetLevel>();
  request.seat = SeatNumber(arguments[0][0] - '1');
  request.level = *level;
  session_.ask(request);
}

void LineMode::seat_command(const std::string& verb, const std::vector<std::string>& arguments) {
  const bool by_address = verb == "kick" && arguments.size() == 2 && arguments[1] == "address";
  const bool is_digit = (arguments.size() == 1 || by_address) && arguments[0].size() == 1 &&
                        arguments[0][0] >= '1' && arguments[0][0] <= '8';
  if (!is_digit) return complain(catalogue_.text("error.no_such_seat"));
  const SeatNumber seat(arguments[0][0] - '1');
  if (verb == "cover") {
    auto cover = in_room<Cover>();
    cover.seat = seat;
    session_.ask(cover);
  } else if (verb == "readmit") {
    auto readmit = in_room<Readmit>();
    readmit.seat = seat;
    session_.ask(readmit);
  } else {
    auto kick = in_room<Kick>();
    kick.seat = seat;
    if (by_address) kick.address = true;
    session_.ask(kick);
  }
}

void LineMode::door_command(const std::vector<std::string>& arguments) {
  const std::vector<std::string> words = {"open", "close", "watch", "nowatch", "forgive"};
  const auto found = arguments.empty() ? words : completions(arguments[0], words);
  if (found.size() != 1) {
    return complain(catalogue_.text("cli.several", {{"words", catalogue_.list(words)}}));
  }
  auto door = in_room<Door>();
  if (found[0] == "open" || found[0] == "close") door.open = found[0] == "open";
  if (found[0] == "watch" || found[0] == "nowatch") door.spectators = found[0] == "watch";
  if (found[0] == "forgive") door.forgive = true;
  session_.ask(door);
}

// They are JSON, as behind --options.
void LineMode::options_command(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  if (!is_object(text)) return complain(catalogue_.text("error.bad_options"));
  auto request = in_room<SetOptions>();
  request.options.text = text;
  session_.ask(request);
}

void LineMode::react(const std::vector<std::string>& arguments) {
  const std::vector<std::string> kinds = {"hello", "clap", "laugh", "wow",
                                          "think", "sad",  "hurry", "thanks"};
  const auto found = arguments.empty() ? kinds : completions(arguments[0], kinds);
  if (found.size() != 1) {
    return complain(catalogue_.text("cli.several", {{"words", catalogue_.list(kinds)}}));
  }
  auto request = in_room<React>();
  request.reaction = *enumerator_of<ReactionKind>(found[0]);
  session_.ask(request);
}

void LineMode::say(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  if (text.empty() || !Text<200>::fits(text)) {
    complain(catalogue_.text("error.bad_text"));
    return editor_.offer_again(kSay + text);
  }
  auto request = in_room<Say>();
  request.text = Text<200>(text);
  session_.ask(request);
}

// What a person mistypes is explained; what a script says wrong ends it.
void LineMode::complain(const std::string& text) {
  tell(text);
  if (!editor_.is_typed()) session_.finish(Exit::illegal_action);
}

}  // namespace triquetra::cli
