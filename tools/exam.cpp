#include "tools/exam.hpp"

#include <algorithm>
#include <map>

#include "protocol/wire.hpp"
#include "tools/exam_game.hpp"
#include "tools/exam_link.hpp"

namespace triquetra {
namespace {

constexpr int kFramesAtMost = 200;  // with nothing new to answer

const std::map<CheckName, const char*>& wants() {
  static const std::map<CheckName, const char*> kWants = {
      {CheckName::frames, "every frame is as docs/PROTOCOL.md has it"},
      {CheckName::hello, "it says hello first, in protocol 1"},
      {CheckName::join, "it joins the room that it was told"},
      {CheckName::resume,
       "after a broken line it says hello with its token, and joins the room again"},
      {CheckName::hello_later, "a hello that is refused for now it says again after the pause"},
      {CheckName::bad_token, "after bad_token it says hello as somebody new"},
      {CheckName::bad_device, "after bad_device it does not say that code again"},
      {CheckName::bad_name, "a name that is refused it does not say again"},
      {CheckName::hello_refused,
       "a hello that is refused for good it does not say again, and ends"},
      {CheckName::greeting, "without an answer to hello it comes on another connection"},
      {CheckName::silence, "when nothing is heard any more it comes on another connection"},
      {CheckName::bye, "after bye it comes back, but not before the pause"},
      {CheckName::waits, "it waits longer after each connection that did not last"},
      {CheckName::restart, "after bye it comes back"},
      {CheckName::lasted, "after a connection that has lasted it does not wait long"},
      {CheckName::give_up, "after 42 connections that did not last it gives up"},
      {CheckName::busy,
       "after busy it sends the same act again under the same id, after the pause"},
      {CheckName::resend, "an act without an answer it sends again: the same id, the same act"},
      {CheckName::create, "a create without an answer it sends again under the same id"},
      {CheckName::add_bot, "an add_bot without an answer it sends again under the same id"},
      {CheckName::start, "the same for start, and goes on after already_started"},
      {CheckName::reveal_entropy, "the same for reveal_entropy, after entropy_not_asked"},
      {CheckName::rematch, "the same for rematch, after not_over"},
      {CheckName::leave, "the same for leave, after not_in_room"},
      {CheckName::kick, "the same for kick, after no_such_seat"},
      {CheckName::remove_bot, "the same for remove_bot, after no_such_seat"},
      {CheckName::talk, "what was said or waved before a line broke it does not say again"},
      {CheckName::too_late, "after too_late it goes on with the newest view"},
      {CheckName::id_reused, "after id_reused it answers the newest view under another id"},
      {CheckName::rejoin, "when busy comes on its way back into the room, it asks again"},
      {CheckName::shut_out, "who is not let in again does not ask again"},
      {CheckName::kicked, "who was kicked does not come back into the room"},
      {CheckName::left, "who left by another connection does not come back into the room"},
      {CheckName::closed, "into a room that was closed it does not come back"},
      {CheckName::second_device, "what another connection of its player answered it leaves alone"},
      {CheckName::ids, "an act's id is its own: never used for another act"},
      {CheckName::entropy, "it opens the entropy whose hash it sent"},
      {CheckName::legal, "its acts answer the open decision and are copied from legal"},
      {CheckName::unknown, "fields and frames that it does not know it passes over"},
      {CheckName::once, "it answers a decision once, also when its view comes twice"},
      {CheckName::stale, "a view that is older than the newest does not count"},
      {CheckName::ping, "it answers the pings of the WebSocket"},
      {CheckName::history, "when rev jumps, it asks for history, page by page"},
      {CheckName::finish, "it plays to the end of the match"},
  };
  return kWants;
}

std::vector<Check> all_checks() {
  std::vector<Check> checks;
  for (const auto& [name, text] : wants()) checks.push_back({name, Verdict::not_reached, text, {}});
  return checks;
}

/// What a sitting looks at; every one looks at frames too.
std::vector<CheckName> checks_of(SittingName sitting) {
  switch (sitting) {
    case SittingName::game:
      return {CheckName::frames,     CheckName::hello,   CheckName::join,
              CheckName::resume,     CheckName::restart, CheckName::busy,
              CheckName::resend,     CheckName::leave,   CheckName::kick,
              CheckName::remove_bot, CheckName::talk,    CheckName::too_late,
              CheckName::id_reused,  CheckName::rejoin,  CheckName::second_device,
              CheckName::ids,        CheckName::entropy, CheckName::legal,
              CheckName::unknown,    CheckName::once,    CheckName::stale,
              CheckName::ping,       CheckName::history, CheckName::finish};
    case SittingName::host:
      return {CheckName::frames,         CheckName::create,  CheckName::add_bot, CheckName::start,
              CheckName::reveal_entropy, CheckName::rematch, CheckName::leave,   CheckName::kick,
              CheckName::remove_bot,     CheckName::talk};
    case SittingName::link:
      return {CheckName::frames, CheckName::hello_later, CheckName::bad_token,
              CheckName::waits,  CheckName::bye,         CheckName::lasted};
    default:
      return {CheckName::frames, check_of(sitting)};
  }
}

/// The worse of two notes on the same check.
const Check& worse(const Check& one, const Check& other) {
  return one.verdict < other.verdict ? other : one;
}

}  // namespace

Sitting::Sitting(const ExamPlan& plan) : plan_(plan), checks_(all_checks()) {}

// -------------------------------------------------------------------------------------------------
// Notes

void Sitting::pass(CheckName name) {
  if (check(name).verdict != Verdict::failed) check(name).verdict = Verdict::passed;
}

void Sitting::fail(CheckName name, const std::string& saw) {
  Check& failed = check(name);
  failed.verdict = Verdict::failed;
  if (!failed.saw) failed.saw = saw;
}

void Sitting::not_used(CheckName name) {
  if (check(name).verdict == Verdict::not_reached) check(name).verdict = Verdict::not_used;
}

void Sitting::finish() {
  if (is_over_) return;
  is_over_ = true;
  if (connections_ > 0) pass(CheckName::frames);
  on_finish();
  order(EndLine{});
}

std::vector<Check> gathered(
    const std::vector<std::pair<SittingName, std::vector<Check>>>& sittings) {
  std::map<CheckName, Check> worst;
  for (const auto& [sitting, checks] : sittings) {
    for (const CheckName name : checks_of(sitting)) {
      const Check& noted = checks.at(static_cast<std::size_t>(name));
      const auto known = worst.find(name);
      worst.insert_or_assign(name, known == worst.end() ? noted : worse(known->second, noted));
    }
  }
  std::vector<Check> all;
  for (const auto& [name, check] : worst) all.push_back(check);
  return all;
}

bool is_passed(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.verdict == Verdict::passed || check.verdict == Verdict::not_used;
  });
}

// -------------------------------------------------------------------------------------------------
// What happens

Sitting::Orders Sitting::opened(Time now) {
  now_ = now;
  ++connections_;
  is_line_up_ = true;
  is_greeted_ = false;
  on_opened();
  return orders();
}

Sitting::Orders Sitting::heard(std::string_view text, Time now) {
  now_ = now;
  if (is_over_ || !is_line_up_) return {};  // what comes after our goodbye is not heard
  if (++frames_ > kFramesAtMost) {
    fail(CheckName::frames, "it sends and sends, and nothing happens");
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
    if (const auto* hello = std::get_if<Hello>(&frame)) {
      on_hello(*hello);
    } else if (is_greeted_) {
      on_request(frame, json);
    } else {
      fail(CheckName::hello, "something else came before hello: " + std::string(text));
      say_error(id, ErrorCode::hello_first);
    }
  } catch (const Malformed& malformed) {
    std::string saw = std::string(word_of(malformed.code()));
    if (malformed.args().field) saw += " at " + *malformed.args().field;
    fail(CheckName::frames, saw + " in " + std::string(text.substr(0, 200)));
    say_error(id, malformed.code(), malformed.args());
  }
  return orders();
}

Sitting::Orders Sitting::heard_binary() {
  fail(CheckName::frames, "a binary frame; all are text");
  say_error({}, ErrorCode::binary_frame);
  return orders();
}

Sitting::Orders Sitting::ponged() {
  on_ponged();
  return orders();
}

Sitting::Orders Sitting::gone(Time now) {
  left_at_ = now_ = now;
  is_line_up_ = is_greeted_ = false;
  if (!is_over_) on_gone();
  return orders();
}

Sitting::Orders Sitting::waited(Time now) {
  now_ = now;
  if (!is_over_) on_waited();
  return orders();
}

void Sitting::ended(int status) {
  if (is_over_) return;
  on_ended(status);
  finish();
}

// -------------------------------------------------------------------------------------------------
// Frames

void Sitting::say_ok(const RequestId& id, std::optional<std::int64_t> rev) {
  Ok ok;
  ok.re = id.str();
  ok.rev = rev;
  say(encoded(ok));
}

void Sitting::say_error(const std::optional<std::string>& id, ErrorCode code, ErrorArgs args) {
  say(encoded(Error{.re = id, .code = code, .args = std::move(args)}));
}

void Sitting::say_welcome(const Hello& hello, const std::string& token,
                          std::vector<SeatHeld> seats) {
  Welcome welcome;
  welcome.re = hello.id.str();
  welcome.protocol = kProtocolVersion;
  welcome.player = hello.name ? hello.name->str() : "Guest";
  if (!hello.token || hello.token->str() != token) welcome.token = token;
  welcome.seats = std::move(seats);
  welcome.limits = {16384, 16, 40, 24};
  welcome.server = {"triquetra-conformance", "1"};
  is_greeted_ = true;
  say(encoded(welcome));
}

void Sitting::leave_line(const Order& how) {
  order(how);
  left_at_ = now_;
  is_line_up_ = is_greeted_ = false;
}

std::unique_ptr<Sitting> make_sitting(SittingName name, const ExamPlan& plan) {
  if (name == SittingName::game) return std::make_unique<GameSitting>(plan, false);
  if (name == SittingName::host) return std::make_unique<GameSitting>(plan, true);
  return make_link_sitting(name, plan);
}

}  // namespace triquetra
