#include "tools/exam_game.hpp"

#include <algorithm>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"

namespace triquetra {
namespace {

constexpr std::chrono::milliseconds kQuietTime{1000};  // after the match: nothing more is coming
constexpr std::chrono::milliseconds kLongestWait{15'000};  // eight seconds, and time to come
constexpr std::int64_t kRetryMs = 300;
constexpr std::int64_t kRestartMs = 200;

// When the script does what; counted by how often the candidate was asked.
constexpr int kStrangeAt = 2;  // unknown fields from here on, views twice and too late, a ping
constexpr int kTroubleAt = 3;  // busy, then two broken lines, then a restart
constexpr int kLateAt = 4;     // id_reused, and then the clock is faster
constexpr int kOtherAt = 5;    // another connection of the same player is faster

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
  return {decision.id, kind, asked(decision).list().to_vector()};
}

/// A request without its id, which makes it another one.
Json without_id(Json json) {
  json.erase("id");
  return json;
}

RequestId id_of(const ClientFrame& frame) {
  return std::visit([](const auto& request) { return request.id; }, frame);
}

}  // namespace

GameSitting::GameSitting(const ExamPlan& plan, bool is_host)
    : Sitting(plan),
      is_host_(is_host),
      candidate_(is_host ? 0 : 1),
      game_(find_game(plan.game)),
      rng_(plan.seed) {
  ensure(game_ != nullptr, "an exam in an unknown game");
  if (!plan_.needs_history) not_used(CheckName::history);
  gather();
}

/// A match gathers. A host begins alone.
void GameSitting::gather() {
  seats_.assign(plan_.seats, is_host_ ? SeatKind::empty : SeatKind::bot);
  seats_.at(candidate_.index()) = SeatKind::bot;
  match_ = hex_from(rng_, 16);
  secret_ = hex_from(rng_, 32);
  status_ = RoomStatus::open;
  start_ = table_ = nullptr;
}

// -------------------------------------------------------------------------------------------------
// Notes

/// What a silence or an end would be about now.
CheckName GameSitting::current_check() const {
  if (settled_) return *settled_;
  for (const auto& [lesson, cut] : cut_off_) {
    if (!cut.is_settled && lesson != CheckName::talk) return lesson;
  }
  if (rejoin_) return CheckName::rejoin;
  if (away_) return *away_;
  if (!has_greeted_) return CheckName::hello;
  if (!has_joined_) return is_host_ ? CheckName::create : CheckName::join;
  if (is_host_) return status_ == RoomStatus::open ? CheckName::start : CheckName::rematch;
  if (status_ == RoomStatus::starting) return CheckName::entropy;
  if (awaited_) return lesson_ == Lesson::lose ? CheckName::busy : CheckName::resend;
  if (asked_ == kStrangeAt) return CheckName::unknown;
  if (lesson_ == Lesson::reused) return CheckName::id_reused;
  if (is_lost_new_) return CheckName::too_late;
  if (other_decision_ && asked_ <= kOtherAt + 2) return CheckName::second_device;
  return CheckName::finish;
}

void GameSitting::on_finish() {
  for (const auto& [lesson, cut] : cut_off_) {
    if (lesson == CheckName::talk) {
      pass(lesson);
    } else if (!cut.is_settled) {
      fail(lesson, "it did not come again");
    }
  }
  if (status_ == RoomStatus::over || asked_ > kOtherAt) {
    for (const CheckName lesson :
         {CheckName::add_bot, CheckName::start, CheckName::reveal_entropy, CheckName::rematch,
          CheckName::leave, CheckName::kick, CheckName::remove_bot, CheckName::talk}) {
      if (!cut_off_.contains(lesson)) not_used(lesson);
    }
  }
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
  if (other_decision_ && status_ == RoomStatus::over) pass(CheckName::second_device);
  if (status_ == RoomStatus::over) pass(CheckName::finish);
}

// -------------------------------------------------------------------------------------------------
// What happens

void GameSitting::on_ponged() {
  is_ping_out_ = false;
  pass(CheckName::ping);
}

void GameSitting::on_gone() {
  is_joined_ = false;
  if (rejoin_) {
    fail(CheckName::rejoin, "it left the connection");
    rejoin_.reset();
  }
  if (is_awaited(CheckName::leave)) return;
  if (settled_ == CheckName::leave) return finish();
  if (status_ == RoomStatus::over) {
    finish();
  } else if (!away_) {
    fail(current_check(), "it left the connection");
    if (has_joined_) away_ = CheckName::resume;  // it may come back
  }
}

void GameSitting::on_waited() {
  const bool is_unanswered = std::any_of(cut_off_.begin(), cut_off_.end(), [](const auto& cut) {
    return cut.first != CheckName::talk && !cut.second.is_settled;
  });
  if (status_ == RoomStatus::over && !is_unanswered) {
    finish();
  } else if (status_ == RoomStatus::starting && is_joined_ && !is_unanswered) {
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
}

void GameSitting::on_ended(int status) {
  const bool is_played = status_ == RoomStatus::over || settled_ == CheckName::leave;
  if (is_played && !is_awaited(CheckName::leave)) return;
  fail(current_check(), "its process ended with code " + std::to_string(status));
}

std::chrono::milliseconds GameSitting::patience() const {
  if (connections_ > 0 && !is_line_up_) return std::max(plan_.patience, kLongestWait);
  const bool is_played = status_ == RoomStatus::over && !is_host_;
  if (is_played && !is_awaited(CheckName::leave)) return kQuietTime;
  if (is_in_window()) return std::get<Window>(candidates_decision()->ask).length;
  return plan_.patience;
}

// -------------------------------------------------------------------------------------------------
// Requests that are cut off: the first of its kind is done, and its answer is never heard

std::optional<CheckName> GameSitting::lesson_of(const ClientFrame& frame) const {
  if (std::holds_alternative<Say>(frame) || std::holds_alternative<React>(frame)) {
    return CheckName::talk;
  }
  if (std::holds_alternative<Leave>(frame)) return CheckName::leave;
  if (std::holds_alternative<Kick>(frame)) return CheckName::kick;
  if (!is_host_) return std::nullopt;
  if (std::holds_alternative<Create>(frame)) return CheckName::create;
  if (std::holds_alternative<AddBot>(frame)) return CheckName::add_bot;
  if (std::holds_alternative<RemoveBot>(frame)) return CheckName::remove_bot;
  if (std::holds_alternative<Start>(frame)) return CheckName::start;
  if (std::holds_alternative<RevealEntropy>(frame)) return CheckName::reveal_entropy;
  if (std::holds_alternative<Rematch>(frame)) return CheckName::rematch;
  return std::nullopt;
}

bool GameSitting::is_awaited(CheckName lesson) const {
  const auto cut = cut_off_.find(lesson);
  return cut != cut_off_.end() && !cut->second.is_settled;
}

bool GameSitting::is_cut_off(CheckName lesson, const ClientFrame& frame, const Json& json) {
  const RequestId id = id_of(frame);
  const Json content = without_id(json);
  const auto [entry, is_first] = cut_off_.try_emplace(lesson, CutOff{id.str(), content});
  CutOff& cut = entry->second;
  if (is_first) {
    do_unheard([&] { std::visit([&](const auto& request) { on(request); }, frame); });
    be_left(CheckName::resume, CutLine{});
    return true;
  }
  if (cut.is_settled) return false;
  if (lesson == CheckName::talk) {
    if (content == cut.content) fail(lesson, "it said again: " + content.dump());
    return false;
  }
  cut.is_settled = true;
  if (id.str() != cut.id) {
    fail(lesson, "it came again under another id");
  } else if (content != cut.content) {
    fail(lesson, "it came again with another content: " + content.dump());
  } else {
    pass(lesson);
  }
  settled_ = lesson;
  answer_as_done(lesson, id);
  return true;
}

void GameSitting::answer_as_done(CheckName lesson, const RequestId& id) {
  const std::string& re = id.str();
  if (lesson == CheckName::create) return say_entered(id);
  if (lesson == CheckName::leave) away_.reset();
  if (lesson == CheckName::add_bot) return say_ok(id);
  if (lesson == CheckName::start) return say_error(re, ErrorCode::already_started);
  if (lesson == CheckName::reveal_entropy) return say_error(re, ErrorCode::entropy_not_asked);
  if (lesson == CheckName::leave) return say_error(re, ErrorCode::not_in_room);
  if (lesson == CheckName::rematch) return say_error(re, ErrorCode::not_over);
  say_error(re, ErrorCode::no_such_seat);
}

// -------------------------------------------------------------------------------------------------
// Requests

void GameSitting::on_request(const ClientFrame& frame, const Json& json) {
  settled_.reset();  // it goes on
  const auto lesson = lesson_of(frame);
  if (lesson && is_cut_off(*lesson, frame, json)) return;
  std::visit([&](const auto& request) { on(request); }, frame);
}

template <class T>
void GameSitting::on(const T& frame) {
  if constexpr (std::is_same_v<T, React> || std::is_same_v<T, Say> || std::is_same_v<T, Kick>) {
    say_ok(frame.id);
  } else if constexpr (std::is_same_v<T, Watch>) {
    fail(CheckName::join, "it wants watch, not join");
    say_error(frame.id.str(), ErrorCode::not_allowed);
  } else {
    say_error(frame.id.str(), ErrorCode::not_allowed);
  }
}

void GameSitting::on_hello(const Hello& frame) {
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
  has_greeted_ = true;
  std::vector<SeatHeld> seats;
  if (has_joined_) seats.push_back({kRoom, candidate_});
  say_welcome(frame, kToken, std::move(seats));
}

void GameSitting::on(const Create& frame) {
  if (!is_host_) {
    fail(CheckName::join, "it wants create, not join");
    return say_error(frame.id.str(), ErrorCode::not_allowed);
  }
  plan_.options = frame.options ? frame.options->text : "{}";
  plan_.seats = frame.seats ? static_cast<std::size_t>(int{*frame.seats}) : plan_.seats;
  game_ = find_game(frame.game.str());
  if (game_ == nullptr || game_->check(game_->canonical_options(plan_.options), plan_.seats)) {
    fail(CheckName::create, "so many seats cannot play this");
    say_error(frame.id.str(), ErrorCode::bad_options);
    return finish();
  }
  plan_.game = frame.game.str();
  if (frame.entropy_hash) entropy_hash_ = frame.entropy_hash->str();
  gather();
  say_entered(frame.id);
}

void GameSitting::on(const AddBot& frame) {
  const auto seat = std::find(seats_.begin(), seats_.end(), SeatKind::empty);
  if (seat == seats_.end()) return say_error(frame.id.str(), ErrorCode::room_full);
  *seat = SeatKind::bot;
  Ok ok;
  ok.re = frame.id.str();
  ok.seat = Seat(static_cast<std::size_t>(seat - seats_.begin()));
  say(encoded(ok));
  say_room();
}

void GameSitting::on(const RemoveBot& frame) {
  const auto seat = static_cast<std::size_t>(int{frame.seat});
  if (seat >= seats_.size() || seat == candidate_.index() || seats_[seat] == SeatKind::empty) {
    return say_error(frame.id.str(), ErrorCode::no_such_seat);
  }
  seats_[seat] = SeatKind::empty;
  say_ok(frame.id);
  say_room();
}

void GameSitting::on(const Start& frame) {
  if (!is_host_) return say_error(frame.id.str(), ErrorCode::not_host);
  if (status_ != RoomStatus::open) return say_error(frame.id.str(), ErrorCode::already_started);
  if (std::find(seats_.begin(), seats_.end(), SeatKind::empty) != seats_.end()) {
    return say_error(frame.id.str(), ErrorCode::too_few_players);
  }
  say_ok(frame.id);
  if (cut_off_.contains(CheckName::rematch)) return finish();  // one match teaches enough
  begin();
}

void GameSitting::on(const Rematch& frame) {
  if (status_ != RoomStatus::over) return say_error(frame.id.str(), ErrorCode::not_over);
  if (is_host_) {
    const std::vector<SeatKind> seats = seats_;
    gather();
    seats_ = seats;
  }
  say_ok(frame.id);
}

void GameSitting::on(const Join& frame) {
  if (frame.room.str() != kRoom) {
    fail(CheckName::join, "room " + frame.room.str());
    return say_error(frame.id.str(), ErrorCode::no_such_room);
  }
  pass(CheckName::join);
  if (has_joined_ && !is_host_ && check(CheckName::rejoin).verdict == Verdict::not_reached) {
    if (!rejoin_) {
      rejoin_ = frame.id.str();
      return say_error(frame.id.str(), ErrorCode::busy, about_retry(kRetryMs));
    }
    if (*rejoin_ != frame.id.str()) fail(CheckName::rejoin, "it came under another id than before");
    pass(CheckName::rejoin);
    rejoin_.reset();
  }
  const bool is_new = !has_joined_;
  if (is_new && frame.entropy_hash) entropy_hash_ = frame.entropy_hash->str();
  say_entered(frame.id);
  if (is_new) return begin();
  if (!table_) return;
  say_view();
  go_on();
}

void GameSitting::say_entered(const RequestId& id) {
  Ok ok;
  ok.re = id.str();
  ok.room = kRoom;
  ok.seat = candidate_;
  say(encoded(ok));
  is_joined_ = has_joined_ = true;
  if (away_) {
    pass(*away_);
    away_.reset();
  }
  say_room();
  if (is_ping_out_) order(SayPing{});  // the line broke before there was a pong
}

void GameSitting::on(const RevealEntropy& frame) {
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

void GameSitting::on(const History& frame) {
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

void GameSitting::on(const GetRecord& frame) {
  if (status_ != RoomStatus::over) return say_error(frame.id.str(), ErrorCode::record_not_ready);
  Ok ok;
  ok.re = frame.id.str();
  ok.record = Raw{record_text()};
  say(encoded(ok));
}

void GameSitting::on(const Ping& frame) { say(encoded(Pong{frame.id.str()})); }

void GameSitting::on(const Leave& frame) {
  if (!is_joined_) return say_error(frame.id.str(), ErrorCode::not_in_room);
  say_ok(frame.id);
  if (status_ != RoomStatus::over) fail(current_check(), "it left the room");
}

void GameSitting::on(const WatchLobby& frame) {
  say_ok(frame.id);
  say(encoded(LobbyFrame{}));
}

// -------------------------------------------------------------------------------------------------
// Acts

void GameSitting::on(const Act& frame) {
  if (!table_) return say_error(frame.id.str(), ErrorCode::not_started);
  if (!is_joined_) {
    fail(away_.value_or(CheckName::resume), "it acts before it has joined again");
    return say_error(frame.id.str(), ErrorCode::not_in_room);
  }
  const Json action = parse_json(frame.action.text);
  if (answer_again(frame, action) || is_late(frame) || !is_open_to_candidate(frame, action)) return;
  note_way_back(frame);
  awaited_.reset();
  is_lost_new_ = false;
  take_by_lesson(frame, action);
}

/// An act that must come again has come, or another one instead.
void GameSitting::note_way_back(const Act& frame) {
  const bool is_awaited = awaited_ == frame.id.str();
  if (awaited_ && !is_awaited) {
    fail(lesson_ == Lesson::lose ? CheckName::busy : CheckName::resend,
         "it came under another id than before");
  } else if (awaited_ && lesson_ == Lesson::lose && now_ < again_from_) {
    fail(CheckName::busy, "it came again before the pause was over");
  } else if (awaited_ && lesson_ == Lesson::lose) {
    pass(CheckName::busy);
  } else if (lesson_ == Lesson::reused && reused_ == frame.id.str()) {
    fail(CheckName::id_reused, "it came again under the id that was known");
  } else if (lesson_ == Lesson::reused) {
    pass(CheckName::id_reused);
  }
}

/// An id that was heard before: the same act gets its first answer, another one none.
bool GameSitting::answer_again(const Act& frame, const Json& action) {
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

bool GameSitting::is_late(const Act& frame) {
  if (other_decision_ == frame.decision && !std::exchange(has_crossed_, true)) {
    say_error(frame.id.str(), ErrorCode::too_late);
    return true;
  }
  const auto decisions = table_->decisions();
  const bool is_open = std::any_of(decisions.begin(), decisions.end(),
                                   [&](const Decision& open) { return open.id == frame.decision; });
  if (is_open && (!frame.match || frame.match->str() == match_)) return false;
  const bool is_answered = std::any_of(acts_.begin(), acts_.end(), [&](const auto& act) {
    return act.second.decision == frame.decision && act.second.rev;
  });
  const std::string number = std::to_string(frame.decision.value);
  if (other_decision_ == frame.decision) {
    fail(CheckName::second_device, "it answers decision " + number + " again");
  } else if (lost_decision_ == frame.decision) {
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

bool GameSitting::is_open_to_candidate(const Act& frame, const Json& action) {
  const auto decision = candidates_decision();
  if (!decision || decision->id != frame.decision) {
    fail(CheckName::legal, "it acts when another seat is asked");
    say_error(frame.id.str(), ErrorCode::not_your_turn);
    return false;
  }
  const auto legal = table_->legal(candidate_, true);
  const bool is_legal = std::any_of(legal.begin(), legal.end(), [&](const LegalAct& act) {
    return parse_json(act.action.text) == action;
  });
  if (is_legal) return true;
  fail(CheckName::legal, "this act is not in legal: " + frame.action.text);
  say_error(frame.id.str(), ErrorCode::illegal);
  return false;
}

void GameSitting::take_by_lesson(const Act& frame, const Json& action) {
  acts_[frame.id.str()] = {frame.decision, action, {}};
  switch (lesson_) {
    case Lesson::busy:
      say_error(frame.id.str(), ErrorCode::busy, about_retry(kRetryMs));
      awaited_ = frame.id.str();
      again_from_ = now_ + std::chrono::milliseconds(kRetryMs);
      lesson_ = Lesson::lose;
      return;
    case Lesson::lose:
      awaited_ = frame.id.str();
      lesson_ = Lesson::take_unheard;
      return be_left(CheckName::resume, CutLine{});
    case Lesson::take_unheard:
      take(frame, action);
      awaited_ = frame.id.str();
      lesson_ = Lesson::resend_taken;
      return be_left(CheckName::resume, CutLine{});
    case Lesson::reused:
      return clock_acts(frame);
    case Lesson::reuse:
      reused_ = frame.id.str();
      lesson_ = Lesson::reused;
      return say_error(frame.id.str(), ErrorCode::id_reused);
    case Lesson::plain:
    case Lesson::resend_taken:
      break;
  }
  if (asked_ == kStrangeAt) pass(CheckName::unknown);
  take(frame, action);
  say_ok(frame.id, rev());
  go_on();
}

void GameSitting::take(const Act& frame, const Json& action) {
  auto next = table_->act(candidate_, frame.action.text);
  ensure(std::holds_alternative<TablePointer>(next), "a legal act that the rules forbid");
  adopt(std::get<TablePointer>(next), candidate_, frame.action.text, ActedBy::player);
  acts_[frame.id.str()] = {frame.decision, action, rev()};
}

/// The time was over just before the act came, and a bot has acted for the seat.
void GameSitting::clock_acts(const Act& frame) {
  lesson_ = Lesson::plain;
  lost_decision_ = frame.decision;
  is_lost_new_ = true;
  act_for(candidate_, ActedBy::clock);
  say_error(frame.id.str(), ErrorCode::too_late);
  go_on();
}

// -------------------------------------------------------------------------------------------------
// The match

void GameSitting::begin() {
  status_ = RoomStatus::starting;
  if (entropy_hash_) return say_room();
  not_used(CheckName::entropy);
  not_used(CheckName::reveal_entropy);
  deal();
}

void GameSitting::deal() {
  status_ = RoomStatus::playing;
  std::vector<std::string> entropies(plan_.seats);
  entropies.at(candidate_.index()) = entropy_;
  start_ = table_ = game_->lay(plan_.options, plan_.seats, seed_of(secret_, match_, entropies));
  say_room();
  say_view();
  go_on();
}

std::optional<Decision> GameSitting::candidates_decision() const {
  return decision_for(table_->decisions(), candidate_);
}

void GameSitting::act_for(Seat seat, ActedBy by) {
  const std::string action = table_->choose(seat, BotLevel::random, rng_).value();
  adopt(std::get<TablePointer>(table_->act(seat, action)), seat, action, by);
}

/// The candidate lets its window pass: it lapses, unless the turn beside it was faster.
void GameSitting::let_window_pass() {
  for (const Decision& decision : table_->decisions()) {
    const Seat seat = asked(decision).list().front();
    if (seat == candidate_) continue;
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

bool GameSitting::is_in_window() const {
  if (status_ != RoomStatus::playing || away_ || awaited_) return false;
  const auto decision = candidates_decision();
  return decision && std::holds_alternative<Window>(decision->ask);
}

void GameSitting::adopt(TablePointer next, Seat seat, const std::string& action, ActedBy by) {
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
void GameSitting::go_on() {
  if (away_ || awaited_ || status_ != RoomStatus::playing) return;
  if (asked_ >= kTroubleAt && !is_host_ && !has_restarted_) {
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

void GameSitting::let_others_act() {
  // One time the views in between are passed over, as for a slow reader.
  const bool passes_over = asked_ >= kStrangeAt && !is_host_ && !is_gap_made_ &&
                           !candidates_decision() && !table_->result();
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

void GameSitting::ask_candidate() {
  const auto decision = candidates_decision();
  if (asking_ == decision->id) return;
  const auto last_decision = asking_;
  asking_ = decision->id;
  ++asked_;
  if (is_candidates_turn(kStrangeAt)) return ask_strangely(last_decision);
  if (is_candidates_turn(kTroubleAt)) lesson_ = Lesson::busy;
  if (is_candidates_turn(kLateAt)) lesson_ = Lesson::reuse;
  if (told_rev_ < rev()) say_view();
  if (is_candidates_turn(kStrangeAt - 1)) old_view_ = view_text(*table_, rev());
  if (!is_candidates_turn(kOtherAt)) return;
  other_decision_ = decision->id;
  act_for(candidate_, ActedBy::player);
  go_on();
}

void GameSitting::ask_strangely(std::optional<DecisionId> last) {
  is_strange_ = true;
  say(R"({"type":"weather","sky":"blue"})");
  say(R"({"type":"error","code":"out_of_tea","args":{"cups":3}})");
  say_room();
  say_view();
  say_view();
  old_decision_ = last;
  say(with_unknown_fields(old_view_));
  is_ping_out_ = true;
  order(SayPing{});
}

// -------------------------------------------------------------------------------------------------
// Frames

/// The candidate is left alone, and must come back.
void GameSitting::be_left(CheckName why, const Order& how) {
  leave_line(how);
  away_ = why;
  is_joined_ = false;
}

void GameSitting::say_room() {
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
  if (status_ == RoomStatus::starting) room.reveal.emplace({candidate_});
  for (const Seat seat : seats_of(plan_.seats)) {
    SeatShown shown;
    shown.seat = seat;
    shown.kind = seats_.at(seat.index());
    const bool is_candidate = seat == candidate_;
    if (is_candidate || !is_host_) {
      shown.name = is_candidate ? "The candidate" : "Zo\xC3\xAB";
      shown.presence = Presence::here;
    } else if (shown.kind == SeatKind::bot) {
      shown.level = BotLevel::random;
    }
    if (is_candidate && entropy_hash_) shown.entropy = true;
    room.seats.push_back(shown);
  }
  say(is_strange_ ? with_unknown_fields(encoded(room)) : encoded(room));
}

void GameSitting::say_view() {
  told_rev_ = rev();
  expect_more();
  say(is_strange_ ? with_unknown_fields(view_text(*table_, rev())) : view_text(*table_, rev()));
}

std::string GameSitting::view_text(const Table& table, std::int64_t rev) const {
  View view;
  view.room = kRoom;
  view.match = match_;
  view.rev = rev;
  for (const Decision& decision : table.decisions()) view.decisions.push_back(shown(decision));
  view.table.text = table.table_view();
  view.happened.text = table.happened();
  view.seat = candidate_;
  view.mine = Raw{table.seat_view(candidate_)};
  view.legal = table.legal(candidate_, true);
  if (const auto sealed = table.answer(candidate_)) view.answer = Raw{*sealed};
  return encoded(view);
}

std::string GameSitting::record_text() const {
  MatchRecord record;
  record.format = 1;
  record.match = match_;
  record.game = plan_.game;
  record.rules = game_->version;
  record.options.text = game_->canonical_options(plan_.options);
  for (const Seat seat : seats_of(plan_.seats)) {
    RecordedSeat recorded;
    recorded.kind = SeatKind::bot;
    if (seat == candidate_) {
      recorded.entropy_hash = entropy_hash_;
      recorded.entropy = entropy_;
    }
    record.seats.push_back(recorded);
  }
  record.secret = secret_;
  record.commitment = commitment_of(secret_).value();
  record.deal.text = table_->deal(*start_);
  record.steps = steps_;
  record.result = recorded(table_->result().value());
  return encoded(record);
}

}  // namespace triquetra
