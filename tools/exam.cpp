#include "tools/exam.hpp"

#include <algorithm>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"

namespace triquetra {
namespace {

const Seat kCandidate{1};
constexpr std::chrono::milliseconds kQuietTime{1000};  // after the match: nothing more is coming
constexpr int kFramesAtMost = 200;                     // between two views
constexpr std::int64_t kRetryMs = 1000;
constexpr std::int64_t kRestartMs = 200;

// When the script does what; counted by how often the candidate was asked.
constexpr int kStrangeAt = 2;  // unknown fields from here on, views twice and too late, a ping
constexpr int kTroubleAt = 3;  // busy, then two broken lines, then a restart
constexpr int kLateAt = 4;     // the clock is faster

std::vector<Check> all_checks() {
  const std::vector<const char*> wants = {
      "it says hello first, in protocol 1",
      "every frame is as docs/PROTOCOL.md has it",
      "an act's id is its own: never used for another act",
      "it joins the room that it was told",
      "it opens the entropy whose hash it sent",
      "its acts answer the open decision and are copied from legal",
      "fields and frames that it does not know it passes over",
      "it answers a decision once, also when its view comes twice",
      "a view that is older than the newest does not count",
      "it answers the pings of the WebSocket",
      "when rev jumps, it asks for history, page by page",
      "after busy it sends the same act again under the same id",
      "after a broken line it says hello with its token, and joins the room again",
      "an act without an answer it sends again: the same id, the same act",
      "after bye it comes back",
      "after too_late it goes on with the newest view",
      "it plays to the end of the match",
  };
  std::vector<Check> checks;
  for (std::size_t i = 0; i < wants.size(); ++i) {
    checks.push_back({static_cast<CheckName>(i), Verdict::not_reached, wants[i], {}});
  }
  return checks;
}

std::string hex_from(Rng& rng, std::size_t bytes) {
  std::string raw;
  for (std::size_t i = 0; i < bytes; ++i) raw += static_cast<char>(rng.below(256));
  return to_hex(raw);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// The same frame as a later version of the server might say it.
std::string with_unknown_fields(std::string text) {
  replace_all(text, R"({"action":)", R"({"tomorrow":[],"action":)");
  replace_all(text, R"({"id":)", R"({"tomorrow":true,"id":)");
  replace_all(text, R"({"seat":)", R"({"tomorrow":{"deep":[1.5]},"seat":)");
  text.pop_back();
  return text + R"(,"tomorrow":"unknown"})";
}

DecisionShown shown(const Decision& decision) {
  const DecisionKind kind = std::holds_alternative<Turn>(decision.ask)     ? DecisionKind::turn
                            : std::holds_alternative<Ballot>(decision.ask) ? DecisionKind::ballot
                                                                           : DecisionKind::window;
  return {decision.id, kind, asked(decision).list()};
}

constexpr const char* kToken = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

}  // namespace

Exam::Exam(const ExamPlan& plan)
    : plan_(plan), game_(find_game(plan.game)), rng_(plan.seed), checks_(all_checks()) {
  ensure(game_ != nullptr, "an exam in an unknown game");
  if (!plan_.needs_history) check(CheckName::history).verdict = Verdict::not_used;
  match_ = hex_from(rng_, 16);
  secret_ = hex_from(rng_, 32);
}

// -------------------------------------------------------------------------------------------------
// Notes

void Exam::pass(CheckName name) {
  if (check(name).verdict != Verdict::failed) check(name).verdict = Verdict::passed;
}

void Exam::fail(CheckName name, const std::string& saw) {
  Check& failed = check(name);
  failed.verdict = Verdict::failed;
  if (!failed.saw) failed.saw = saw;
}

/// What a silence or an end would be about now.
CheckName Exam::current_check() const {
  if (away_) return *away_;
  if (!has_greeted_) return CheckName::hello;
  if (!has_joined_) return CheckName::join;
  if (status_ == RoomStatus::starting) return CheckName::entropy;
  if (awaited_) return lesson_ == Lesson::lose ? CheckName::busy : CheckName::resend;
  if (asked_ == kStrangeAt) return CheckName::unknown;
  if (lost_decision_ && asked_ == kLateAt + 1) return CheckName::too_late;
  return CheckName::finish;
}

void Exam::finish() {
  if (is_over_) return;
  is_over_ = true;
  if (has_joined_) pass(CheckName::frames);
  if (asked_ > 1) {
    pass(CheckName::ids);
    pass(CheckName::legal);
  }
  if (asked_ > kStrangeAt) {
    pass(CheckName::once);
    pass(CheckName::stale);
    if (is_ping_out_) fail(CheckName::ping, "no pong came");
  }
  if (plan_.needs_history && is_gap_made_ && missing_.empty()) pass(CheckName::history);
  if (plan_.needs_history && !missing_.empty()) {
    fail(CheckName::history,
         "what happened in revision " + std::to_string(*missing_.begin()) + " was never asked for");
  }
  if (lost_decision_) pass(CheckName::too_late);
  if (status_ == RoomStatus::over) pass(CheckName::finish);
  orders_.emplace_back(EndLine{});
}

bool Exam::is_passed() const {
  return std::all_of(checks_.begin(), checks_.end(), [](const Check& check) {
    return check.verdict == Verdict::passed || check.verdict == Verdict::not_used;
  });
}

// -------------------------------------------------------------------------------------------------
// What happens

std::vector<Order> Exam::orders() { return std::exchange(orders_, {}); }

std::vector<Order> Exam::opened() {
  is_line_up_ = true;
  is_greeted_ = is_joined_ = false;
  return orders();
}

std::vector<Order> Exam::heard(std::string_view text) {
  if (is_over_ || !is_line_up_) return {};  // what comes after our goodbye is not heard
  if (++frames_ > kFramesAtMost) {
    fail(CheckName::frames, "it sends and sends, and nothing happens in the room");
    finish();
    return orders();
  }
  std::optional<std::string> id;
  try {
    const Json json = parse_json(text);
    if (json.is_object() && json.contains("id") && json["id"].is_string()) {
      id = json["id"].get<std::string>();
    }
    const auto frame = decode<ClientFrame>(json, Reading::strict);
    if (!is_greeted_ && !std::holds_alternative<Hello>(frame)) {
      fail(CheckName::hello, "something else came before hello: " + std::string(text));
      say_error(id, ErrorCode::hello_first);
    } else {
      std::visit([&](const auto& request) { on(request); }, frame);
    }
  } catch (const Malformed& malformed) {
    std::string saw = std::string(word_of(malformed.code()));
    if (malformed.args().field) saw += " at " + *malformed.args().field;
    fail(CheckName::frames, saw + " in " + std::string(text.substr(0, 200)));
    say_error(id, malformed.code(), malformed.args());
  }
  return orders();
}

std::vector<Order> Exam::heard_binary() {
  fail(CheckName::frames, "a binary frame; all are text");
  say_error({}, ErrorCode::binary_frame);
  return orders();
}

std::vector<Order> Exam::ponged() {
  is_ping_out_ = false;
  pass(CheckName::ping);
  return orders();
}

std::vector<Order> Exam::gone() {
  is_line_up_ = is_greeted_ = is_joined_ = false;
  if (status_ == RoomStatus::over) {
    finish();
  } else if (!away_ && !is_over_) {
    fail(current_check(), "it left the connection");
    if (has_joined_) away_ = CheckName::resume;  // it may come back
  }
  return orders();
}

std::vector<Order> Exam::waited() {
  if (is_over_) return {};
  if (status_ == RoomStatus::over) {
    finish();
  } else if (status_ == RoomStatus::starting && is_joined_) {
    fail(CheckName::entropy, "it did not come");
    deal();
  } else if (is_in_window()) {
    let_window_pass();
    go_on();
  } else if (awaited_ && lesson_ == Lesson::resend_taken && !away_) {
    fail(CheckName::resend, "it did not come again");
    awaited_.reset();
    lesson_ = Lesson::plain;
    go_on();
  } else {
    fail(current_check(), "nothing came");
    finish();
  }
  return orders();
}

void Exam::ended(int status) {
  if (is_over_) return;
  if (status_ != RoomStatus::over) {
    fail(current_check(), "its process ended with code " + std::to_string(status));
  }
  finish();
}

std::chrono::milliseconds Exam::patience() const {
  if (status_ == RoomStatus::over) return kQuietTime;
  if (is_in_window()) return std::get<Window>(candidates_decision()->ask).length;
  return plan_.patience;
}

// -------------------------------------------------------------------------------------------------
// Requests

template <class T>
void Exam::on(const T& frame) {
  if constexpr (std::is_same_v<T, React> || std::is_same_v<T, Rematch>) {
    say_ok(frame.id);
  } else if constexpr (std::is_same_v<T, Create> || std::is_same_v<T, Watch>) {
    fail(CheckName::join, "it wants " + std::string(T::kTag.word) + ", not join");
    say_error(frame.id.str(), ErrorCode::not_allowed);
  } else {
    say_error(frame.id.str(), ErrorCode::not_allowed);
  }
}

void Exam::on(const Hello& frame) {
  if (is_greeted_) {
    fail(CheckName::hello, "it says hello twice on one connection");
    return say_error(frame.id.str(), ErrorCode::hello_twice);
  }
  if (int{frame.protocol} != kProtocolVersion) {
    fail(CheckName::hello, "protocol " + std::to_string(int{frame.protocol}));
    ErrorArgs args;
    args.limit = kProtocolVersion;
    return say_error(frame.id.str(), ErrorCode::unsupported_protocol, args);
  }
  const bool is_known = frame.token && frame.token->str() == kToken;
  if (frame.token && !is_known) return say_error(frame.id.str(), ErrorCode::bad_token);
  if (has_greeted_ && !is_known) {
    fail(away_.value_or(CheckName::resume), "it came back as somebody new, without its token");
  }
  pass(CheckName::hello);
  Welcome welcome;
  welcome.re = frame.id.str();
  welcome.protocol = kProtocolVersion;
  welcome.player = frame.name ? frame.name->str() : "Guest";
  if (!is_known) welcome.token = kToken;
  if (has_joined_) welcome.seats.push_back({kRoom, kCandidate});
  welcome.limits = {16384, 16, 40, 24};
  welcome.server = {"triquetra-conformance", "1"};
  is_greeted_ = has_greeted_ = true;
  say(encoded(welcome));
}

void Exam::on(const Join& frame) {
  if (frame.room.str() != kRoom) {
    fail(CheckName::join, "room " + frame.room.str());
    return say_error(frame.id.str(), ErrorCode::no_such_room);
  }
  pass(CheckName::join);
  Ok ok;
  ok.re = frame.id.str();
  ok.room = kRoom;
  ok.seat = kCandidate;
  say(encoded(ok));
  is_joined_ = true;
  if (away_) {
    pass(*away_);
    away_.reset();
  }
  if (!has_joined_) {
    has_joined_ = true;
    if (frame.entropy_hash) entropy_hash_ = frame.entropy_hash->str();
    if (!entropy_hash_) check(CheckName::entropy).verdict = Verdict::not_used;
    say_room();
    status_ = RoomStatus::starting;
    if (!entropy_hash_) return deal();
    return say_room();
  }
  say_room();
  if (!table_) return;
  say_view();
  go_on();
}

void Exam::on(const RevealEntropy& frame) {
  if (status_ != RoomStatus::starting) {
    return say_error(frame.id.str(), ErrorCode::entropy_not_asked);
  }
  if (commitment_of(frame.entropy.str()) != entropy_hash_) {
    fail(CheckName::entropy, "its SHA-256 is another than was sent");
    return say_error(frame.id.str(), ErrorCode::entropy_mismatch);
  }
  pass(CheckName::entropy);
  entropy_ = frame.entropy.str();
  say_ok(frame.id);
  deal();
}

void Exam::on(const History& frame) {
  if (frame.match.str() != match_) return say_error(frame.id.str(), ErrorCode::no_such_match);
  Ok ok;
  ok.re = frame.id.str();
  ok.pages.emplace();
  std::int64_t at = int{frame.after};
  while (at < rev() && ok.pages->size() < page_) {
    ++at;
    ok.pages->push_back({at, Raw{happened_.at(static_cast<std::size_t>(at - 1))}});
    missing_.erase(at);
  }
  ok.more = at < rev();
  say(encoded(ok));
}

void Exam::on(const GetRecord& frame) {
  if (status_ != RoomStatus::over) return say_error(frame.id.str(), ErrorCode::record_not_ready);
  Ok ok;
  ok.re = frame.id.str();
  ok.record = Raw{record_text()};
  say(encoded(ok));
}

void Exam::on(const Ping& frame) { say(encoded(Pong{frame.id.str()})); }

void Exam::on(const Leave& frame) {
  say_ok(frame.id);
  if (status_ != RoomStatus::over) fail(current_check(), "it left the room");
}

void Exam::on(const WatchLobby& frame) {
  say_ok(frame.id);
  say(encoded(LobbyFrame{}));
}

// -------------------------------------------------------------------------------------------------
// Acts

void Exam::on(const Act& frame) {
  if (!table_) return say_error(frame.id.str(), ErrorCode::not_started);
  if (!is_joined_) {
    fail(away_.value_or(CheckName::resume), "it acts before it has joined again");
    return say_error(frame.id.str(), ErrorCode::not_in_room);
  }
  const Json action = parse_json(frame.action.text);
  if (answer_again(frame, action) || is_late(frame) || !is_open_to_candidate(frame, action)) return;
  if (awaited_ && *awaited_ != frame.id.str()) {
    fail(lesson_ == Lesson::lose ? CheckName::busy : CheckName::resend,
         "it came under another id than before");
  } else if (awaited_ && lesson_ == Lesson::lose) {
    pass(CheckName::busy);
  }
  awaited_.reset();
  take_by_lesson(frame, action);
}

/// An id that was heard before: the same act gets its first answer, another one none.
bool Exam::answer_again(const Act& frame, const Json& action) {
  const auto known = acts_.find(frame.id.str());
  if (known == acts_.end()) return false;
  const Sent& sent = known->second;
  if (sent.decision != frame.decision || sent.action != action) {
    fail(awaited_ ? CheckName::resend : CheckName::ids,
         "the id of one act came again with another: " + frame.id.str());
    say_error(frame.id.str(), ErrorCode::id_reused);
    return true;
  }
  if (!sent.rev) return false;  // it was refused or lost, so it is as good as new
  say_ok(frame.id, sent.rev);
  if (awaited_ == frame.id.str() && lesson_ == Lesson::resend_taken) {
    pass(CheckName::resend);
    awaited_.reset();
    lesson_ = Lesson::plain;
    go_on();
  }
  return true;
}

bool Exam::is_late(const Act& frame) {
  const auto decisions = table_->decisions();
  const bool is_open = std::any_of(decisions.begin(), decisions.end(),
                                   [&](const Decision& open) { return open.id == frame.decision; });
  if (is_open && (!frame.match || frame.match->str() == match_)) return false;
  const bool is_answered = std::any_of(acts_.begin(), acts_.end(), [&](const auto& act) {
    return act.second.decision == frame.decision && act.second.rev;
  });
  const std::string number = std::to_string(frame.decision.value);
  if (lost_decision_ == frame.decision) {
    fail(CheckName::too_late, "it answers decision " + number + " again");
  } else if (awaited_ && lesson_ == Lesson::resend_taken) {
    fail(CheckName::resend, "the act came again under another id");
    awaited_.reset();
    lesson_ = Lesson::plain;
  } else if (is_answered && old_decision_ == frame.decision) {
    fail(CheckName::stale, "it acts on decision " + number + " of an older view");
  } else if (is_answered) {
    fail(CheckName::once, "it answers decision " + number + " a second time");
  } else {
    fail(CheckName::legal, "it answers decision " + number + ", which is not open");
  }
  say_error(frame.id.str(), ErrorCode::too_late);
  go_on();
  return true;
}

bool Exam::is_open_to_candidate(const Act& frame, const Json& action) {
  const auto decision = candidates_decision();
  if (!decision || decision->id != frame.decision) {
    fail(CheckName::legal, "it acts when another seat is asked");
    say_error(frame.id.str(), ErrorCode::not_your_turn);
    return false;
  }
  const auto legal = table_->legal(kCandidate, true);
  const bool is_legal = std::any_of(legal.begin(), legal.end(), [&](const LegalAct& act) {
    return parse_json(act.action.text) == action;
  });
  if (is_legal) return true;
  fail(CheckName::legal, "this act is not in legal: " + frame.action.text);
  say_error(frame.id.str(), ErrorCode::illegal);
  return false;
}

void Exam::take_by_lesson(const Act& frame, const Json& action) {
  acts_[frame.id.str()] = {frame.decision, action, {}};
  switch (lesson_) {
    case Lesson::busy: {
      ErrorArgs args;
      args.retry_ms = kRetryMs;
      say_error(frame.id.str(), ErrorCode::busy, args);
      awaited_ = frame.id.str();
      lesson_ = Lesson::lose;
      return;
    }
    case Lesson::lose:
      awaited_ = frame.id.str();
      lesson_ = Lesson::take_unheard;
      return be_left(CheckName::resume, CutLine{});
    case Lesson::take_unheard:
      take(frame, action);
      awaited_ = frame.id.str();
      lesson_ = Lesson::resend_taken;
      return be_left(CheckName::resume, CutLine{});
    case Lesson::too_late:
      return clock_acts(frame);
    case Lesson::plain:
    case Lesson::resend_taken:
      break;
  }
  if (asked_ == kStrangeAt) pass(CheckName::unknown);
  take(frame, action);
  say_ok(frame.id, rev());
  go_on();
}

void Exam::take(const Act& frame, const Json& action) {
  auto next = table_->act(kCandidate, frame.action.text);
  ensure(std::holds_alternative<TablePointer>(next), "a legal act that the rules forbid");
  adopt(std::get<TablePointer>(next), kCandidate, frame.action.text, ActedBy::player);
  acts_[frame.id.str()] = {frame.decision, action, rev()};
}

/// The time was over just before the act came, and a bot has acted for the seat.
void Exam::clock_acts(const Act& frame) {
  lesson_ = Lesson::plain;
  lost_decision_ = frame.decision;
  act_for(kCandidate, ActedBy::clock);
  say_error(frame.id.str(), ErrorCode::too_late);
  go_on();
}

// -------------------------------------------------------------------------------------------------
// The match

void Exam::deal() {
  status_ = RoomStatus::playing;
  std::vector<std::string> entropies(plan_.seats);
  entropies.at(kCandidate.index()) = entropy_;
  start_ = table_ = game_->lay(plan_.options, plan_.seats, seed_of(secret_, match_, entropies));
  say_room();
  say_view();
  go_on();
}

std::optional<Decision> Exam::candidates_decision() const {
  return decision_for(table_->decisions(), kCandidate);
}

void Exam::act_for(Seat seat, ActedBy by) {
  const std::string action = table_->choose(seat, BotLevel::random, rng_).value();
  adopt(std::get<TablePointer>(table_->act(seat, action)), seat, action, by);
}

/// The candidate lets its window pass: it lapses, unless the turn beside it was faster.
void Exam::let_window_pass() {
  for (const Decision& decision : table_->decisions()) {
    const Seat seat = asked(decision).list().front();
    if (seat == kCandidate) continue;
    act_for(seat, ActedBy::bot);
    return;
  }
  const DecisionId lapsed = candidates_decision()->id;
  table_ = table_->lapse(lapsed);
  RecordedStep step;
  step.rev = rev() + 1;
  step.lapsed = lapsed;
  steps_.push_back(std::move(step));
  happened_.push_back(table_->happened());
}

bool Exam::is_in_window() const {
  if (status_ != RoomStatus::playing || away_ || awaited_) return false;
  const auto decision = candidates_decision();
  return decision && std::holds_alternative<Window>(decision->ask);
}

void Exam::adopt(TablePointer next, Seat seat, const std::string& action, ActedBy by) {
  table_ = std::move(next);
  RecordedStep step;
  step.rev = rev() + 1;
  step.seat = seat;
  step.action = Raw{action};
  step.by = by;
  steps_.push_back(std::move(step));
  happened_.push_back(table_->happened());
}

/// After an act: the others play until the candidate is asked again, or the match is over.
void Exam::go_on() {
  if (away_ || awaited_ || status_ != RoomStatus::playing) return;
  if (asked_ >= kTroubleAt && !has_restarted_) {
    has_restarted_ = true;
    if (told_rev_ < rev()) say_view();
    Bye bye;
    bye.code = ByeCode::restarting;
    bye.retry_ms = kRestartMs;
    say(encoded(bye));
    return be_left(CheckName::restart, EndLine{1012});
  }
  let_others_act();
  if (table_->result()) {
    status_ = RoomStatus::over;
    say_room();
    return say_view();
  }
  ask_candidate();
}

void Exam::let_others_act() {
  // One time the views in between are passed over, as for a slow reader.
  const bool passes_over =
      asked_ >= kStrangeAt && !is_gap_made_ && !candidates_decision() && !table_->result();
  // The view in which the candidate is asked comes with the question.
  if (!passes_over && told_rev_ < rev() && !candidates_decision()) say_view();
  while (!table_->result() && !candidates_decision()) {
    act_for(asked(table_->decisions().front()).list().front(), ActedBy::bot);
    if (!passes_over && !table_->result() && !candidates_decision()) say_view();
  }
  if (!passes_over) return;
  for (std::int64_t passed = told_rev_ + 1; passed < rev(); ++passed) missing_.insert(passed);
  is_gap_made_ = missing_.size() > 1;  // two pages at least
  if (!is_gap_made_) missing_.clear();
  page_ = std::max<std::size_t>(1, (missing_.size() + 1) / 2);
}

void Exam::ask_candidate() {
  const auto decision = candidates_decision();
  if (asking_ == decision->id) return;
  const auto last_decision = asking_;
  asking_ = decision->id;
  ++asked_;
  if (asked_ == kStrangeAt) {
    is_strange_ = true;
    say(R"({"type":"weather","sky":"blue"})");
    say(R"({"type":"error","code":"out_of_tea","args":{"cups":3}})");
    say_room();
    say_view();
    say_view();
    old_decision_ = last_decision;
    say(with_unknown_fields(old_view_));
    is_ping_out_ = true;
    orders_.emplace_back(SayPing{});
    return;
  }
  if (asked_ == kTroubleAt) lesson_ = Lesson::busy;
  if (asked_ == kLateAt) lesson_ = Lesson::too_late;
  if (told_rev_ < rev()) say_view();
  if (asked_ == kStrangeAt - 1) old_view_ = view_text(*table_, rev());
}

// -------------------------------------------------------------------------------------------------
// Frames

void Exam::say(std::string text) { orders_.emplace_back(SayText{std::move(text)}); }

void Exam::say_ok(const RequestId& id, std::optional<std::int64_t> rev) {
  Ok ok;
  ok.re = id.str();
  ok.rev = rev;
  say(encoded(ok));
}

void Exam::say_error(const std::optional<std::string>& id, ErrorCode code, ErrorArgs args) {
  orders_.emplace_back(SayText{encoded(Error{.re = id, .code = code, .args = std::move(args)})});
}

/// The candidate is left alone, and must come back.
void Exam::be_left(CheckName why, const Order& how) {
  orders_.push_back(how);
  away_ = why;
  is_line_up_ = is_greeted_ = is_joined_ = false;
}

void Exam::say_room() {
  RoomFrame room;
  room.room = kRoom;
  room.game = plan_.game;
  room.options.text = game_->canonical_options(plan_.options);
  room.status = status_;
  room.host = Seat{0};
  room.visibility = Visibility::unlisted;
  room.spectators = true;
  room.chat = Chat::reactions;
  room.hints = true;
  room.match = match_;
  room.commitment = commitment_of(secret_).value();
  if (status_ == RoomStatus::starting) room.reveal.emplace({kCandidate});
  for (const Seat seat : seats_of(plan_.seats)) {
    SeatShown shown;
    shown.seat = seat;
    shown.kind = SeatKind::bot;
    shown.name = seat == kCandidate ? "The candidate" : "Zo\xC3\xAB";
    shown.presence = Presence::here;
    if (seat == kCandidate && entropy_hash_) shown.entropy = true;
    room.seats.push_back(shown);
  }
  say(is_strange_ ? with_unknown_fields(encoded(room)) : encoded(room));
}

void Exam::say_view() {
  told_rev_ = rev();
  frames_ = 0;
  say(is_strange_ ? with_unknown_fields(view_text(*table_, rev())) : view_text(*table_, rev()));
}

std::string Exam::view_text(const Table& table, std::int64_t rev) const {
  View view;
  view.room = kRoom;
  view.match = match_;
  view.rev = rev;
  for (const Decision& decision : table.decisions()) view.decisions.push_back(shown(decision));
  view.table.text = table.table_view();
  view.happened.text = table.happened();
  view.seat = kCandidate;
  view.mine = Raw{table.seat_view(kCandidate)};
  view.legal = table.legal(kCandidate, true);
  if (const auto sealed = table.answer(kCandidate)) view.answer = Raw{*sealed};
  return encoded(view);
}

std::string Exam::record_text() const {
  MatchRecord record;
  record.format = 1;
  record.match = match_;
  record.game = plan_.game;
  record.rules = game_->version;
  record.options.text = game_->canonical_options(plan_.options);
  for (const Seat seat : seats_of(plan_.seats)) {
    RecordedSeat recorded;
    recorded.kind = SeatKind::bot;
    if (seat == kCandidate) {
      recorded.entropy_hash = entropy_hash_;
      recorded.entropy = entropy_;
    }
    record.seats.push_back(recorded);
  }
  record.secret = secret_;
  record.commitment = commitment_of(secret_).value();
  record.deal.text = table_->deal(*start_);
  record.steps = steps_;
  const Result result = table_->result().value();
  record.result = {result.winners, result.scores};
  return encoded(record);
}

}  // namespace triquetra
