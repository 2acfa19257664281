#include "tools/exam_link.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "engine/ensure.hpp"
#include "protocol/wire.hpp"

namespace triquetra {

namespace {

using std::chrono::milliseconds;

constexpr const char* kOtherToken =
    "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

std::string in_ms(milliseconds time) { return std::to_string(time.count()) + " ms"; }

/// A server with the room, in which nobody ever begins.
class QuietSitting : public Sitting {
 public:
  QuietSitting(const ExamPlan& plan, CheckName about) : Sitting(plan), about_(about) {}

 protected:
  void on_request(const ClientFrame& frame, const Json&) override {
    if (const auto* join = std::get_if<Join>(&frame)) {
      on_join(*join);
    } else if (const auto* ping = std::get_if<Ping>(&frame)) {
      say(encoded(Pong{ping->id.str()}));
    } else {
      std::visit([&](const auto& request) { say_ok(request.id); }, frame);
    }
  }
  void on_hello(const Hello& frame) override { say_welcome(frame, kToken, seats()); }
  virtual void on_join(const Join& frame) { let_in(frame); }
  void on_gone() override { fail(about_, "it left the connection"); }
  void on_waited() override {
    fail(about_, "nothing came");
    finish();
  }
  void on_ended(int status) override {
    fail(about_, "its process ended with code " + std::to_string(status));
  }

  void let_in(const Join& frame) {
    has_joined_ = true;
    Ok ok;
    ok.re = frame.id.str();
    ok.room = kRoom;
    ok.seat = Seat{1};
    say(encoded(ok));
    RoomFrame room;
    room.room = kRoom;
    room.game = plan_.game;
    room.options.text = find_game(plan_.game)->canonical_options(plan_.options);
    room.host = Seat{0};
    room.match = std::string(32, '0');
    room.commitment = std::string(64, '0');
    for (const Seat seat : seats_of(plan_.seats)) {
      SeatShown shown;
      shown.seat = seat;
      shown.kind = seat == Seat{1} ? SeatKind::bot : SeatKind::human;
      shown.name = "Ada";
      shown.presence = Presence::here;
      room.seats.push_back(shown);
    }
    say(encoded(room));
  }
  std::vector<SeatHeld> seats() const {
    return has_joined_ ? std::vector<SeatHeld>{{kRoom, Seat{1}}} : std::vector<SeatHeld>{};
  }

  const CheckName about_;
  bool has_joined_ = false;
};

// -------------------------------------------------------------------------------------------------
// link: one connection after the other, each with a trouble of its own

class LinkSitting : public QuietSitting {
 public:
  explicit LinkSitting(const ExamPlan& plan) : QuietSitting(plan, CheckName::hello_later) {}
  milliseconds patience() const override {
    return is_scene(Scene::lasting) && is_greeted_ ? kLasting : std::max(plan_.patience, kLongest);
  }

 private:
  // later: hello is refused for a while. stranger: the token is not known any more. shut: closed
  // before a greeting. greeted: closed after it. lasting: after more than ten seconds.
  enum class Scene { later, stranger, shut, greeted, lasting, back };
  static constexpr std::array kScenes{Scene::later, Scene::stranger, Scene::shut, Scene::greeted,
                                      Scene::shut,  Scene::lasting,  Scene::back};
  static constexpr std::array kRefusals{ErrorCode::too_fast, ErrorCode::busy,
                                        ErrorCode::storage_unavailable, ErrorCode::internal_error};
  static constexpr milliseconds kRetry{300};
  static constexpr milliseconds kLasting{11'000};
  static constexpr milliseconds kByeRetry{1500};
  static constexpr milliseconds kShortestWait{250};
  static constexpr milliseconds kLongest{15'000};  // the longest wait, and time to come
  // Whoever still counts the connections before waits six seconds at least.
  static constexpr milliseconds kNotLong{4500};
  static constexpr int kMostDoubts = 2;

  Scene scene() const { return kScenes.at(static_cast<std::size_t>(connections_ - 1)); }
  bool is_scene(Scene scene_asked) const { return connections_ > 0 && scene() == scene_asked; }

  void on_opened() override {
    if (connections_ > 1) note_wait(now_ - left_at_);
    if (is_scene(Scene::shut)) leave_line(connections_ == 3 ? Order(CutLine{}) : Order(EndLine{}));
    if (is_scene(Scene::back)) finish();
  }

  void note_wait(milliseconds waited) {
    if (is_scene(Scene::back)) {
      if (waited < kByeRetry) fail(CheckName::bye, "it came after " + in_ms(waited));
      if (waited > kNotLong) fail(CheckName::lasted, "it came after " + in_ms(waited));
      pass(CheckName::bye);
      return pass(CheckName::lasted);
    }
    // With chance and a slow clock, at least half of 250 ms, 500 ms, 1 s and so on.
    const milliseconds least = kShortestWait * (1 << (connections_ - 2)) / 2;
    if (waited < least) {
      fail(CheckName::waits, "after " + std::to_string(connections_ - 1) +
                                 " connections that did not last it waited " + in_ms(waited));
    }
    if (is_scene(Scene::lasting)) pass(CheckName::waits);
  }

  void on_hello(const Hello& frame) override {
    switch (scene()) {
      case Scene::later:
        return be_refused(frame);
      case Scene::stranger:
        return be_forgotten(frame);
      case Scene::greeted:
        say_welcome(frame, kOtherToken, seats());
        return leave_line(EndLine{});
      default:
        return say_welcome(frame, kOtherToken, seats());
    }
  }

  void be_refused(const Hello& frame) {
    if (refused_) note_hello_again(frame);
    refused_ = frame;
    refused_at_ = now_;
    if (refusals_ == kRefusals.size()) {
      say_welcome(frame, kToken, seats());
      return leave_line(EndLine{});
    }
    const ErrorCode code = kRefusals.at(refusals_++);
    const bool says_when = code != ErrorCode::internal_error;
    say_error(frame.id.str(), code, says_when ? about_retry(kRetry.count()) : ErrorArgs{});
  }

  void note_hello_again(const Hello& frame) {
    const std::string code(word_of(kRefusals.at(refusals_ - 1)));
    const auto word = [](const auto& text) { return text ? text->str() : ""; };
    if (now_ - refused_at_ < kRetry && refusals_ < kRefusals.size()) {
      fail(CheckName::hello_later, "after " + code + " it waited " + in_ms(now_ - refused_at_));
    }
    if (word(frame.name) != word(refused_->name) || word(frame.token) != word(refused_->token) ||
        word(frame.device) != word(refused_->device)) {
      fail(CheckName::hello_later, "after " + code + " it said another hello");
    }
    if (refusals_ == kRefusals.size()) pass(CheckName::hello_later);
  }

  void be_forgotten(const Hello& frame) {
    if (frame.token && doubts_++ < kMostDoubts) {
      return say_error(frame.id.str(), ErrorCode::bad_token);
    }
    if (frame.token) fail(CheckName::bad_token, "it says the same token again and again");
    if (doubts_ > 0) pass(CheckName::bad_token);
    not_used(CheckName::bad_token);
    say_welcome(frame, kOtherToken, {});
    leave_line(EndLine{});
  }

  /// What an end or a silence would be about now.
  CheckName current_check() const {
    if (connections_ == 0 || is_scene(Scene::later)) return CheckName::hello_later;
    if (is_scene(Scene::stranger)) return CheckName::bad_token;
    return is_scene(Scene::lasting) ? CheckName::lasted : CheckName::waits;
  }
  void on_gone() override {
    fail(current_check(), "it left the connection");
    finish();
  }
  void on_waited() override {
    if (is_scene(Scene::lasting) && is_greeted_) {
      Bye bye;
      bye.code = ByeCode::slow;
      bye.retry_ms = kByeRetry.count();
      say(encoded(bye));
      return leave_line(EndLine{});
    }
    fail(is_line_up_ ? current_check() : CheckName::waits, "nothing came");
    finish();
  }
  void on_ended(int status) override {
    fail(current_check(), "its process ended with code " + std::to_string(status));
  }

  std::size_t refusals_ = 0;
  std::optional<Hello> refused_;
  Time refused_at_{};
  int doubts_ = 0;
};

// -------------------------------------------------------------------------------------------------
// greeting, silence: the server says nothing any more

class SilentSitting : public QuietSitting {
 public:
  SilentSitting(const ExamPlan& plan, CheckName about) : QuietSitting(plan, about) {}
  milliseconds patience() const override { return std::max(plan_.patience, kSilence); }

 private:
  static constexpr milliseconds kSilence{75'000};  // a minute, and time to come

  void on_opened() override {
    if (connections_ < 2) return;
    pass(about_);
    finish();
  }
  void on_hello(const Hello& frame) override {
    if (about_ == CheckName::greeting) return order(FallSilent{});
    QuietSitting::on_hello(frame);
  }
  void on_join(const Join& frame) override {
    let_in(frame);
    order(FallSilent{});
  }
  void on_gone() override {}  // which is right
};

// -------------------------------------------------------------------------------------------------
// hello_refused, bad_name, bad_device: a no for good

class RefusalSitting : public QuietSitting {
 public:
  RefusalSitting(const ExamPlan& plan, CheckName about) : QuietSitting(plan, about) {}
  milliseconds patience() const override {
    return refused_ && !plan_.has_process ? kQuiet : plan_.patience;
  }

 private:
  static constexpr milliseconds kQuiet{3000};  // longer than the first waits

  void on_hello(const Hello& frame) override {
    if (about_ == CheckName::hello_refused) {
      return refuse(frame, "hello", ErrorCode::unsupported_protocol, about_limit(2));
    }
    const bool is_name = about_ == CheckName::bad_name;
    const std::string word =
        is_name ? (frame.name ? frame.name->str() : "") : (frame.device ? frame.device->str() : "");
    if (word.empty() || (refused_ && *refused_ != word)) {
      if (refused_) pass(about_);
      // A person may still come to type a device code.
      if (!refused_ && !is_name) return say_welcome(frame, kToken, seats());
      not_used(about_);
      return finish();
    }
    refuse(frame, word, is_name ? ErrorCode::bad_text : ErrorCode::bad_device,
           is_name ? about_field("name") : ErrorArgs{});
  }

  void refuse(const Hello& frame, const std::string& word, ErrorCode code, const ErrorArgs& args) {
    if (refused_) {
      fail(about_, "it said it again");
      return finish();
    }
    refused_ = word;
    say_error(frame.id.str(), code, args);
  }

  void on_gone() override {
    if (!refused_ && about_ != CheckName::bad_device) fail(about_, "it left the connection");
  }
  void on_waited() override {
    if (!refused_ && about_ == CheckName::bad_device && connections_ > 0) {
      not_used(about_);
    } else if (!refused_ || plan_.has_process) {
      fail(about_, refused_ ? "it neither ends nor comes otherwise" : "nothing came");
    } else {
      pass(about_);
    }
    finish();
  }
  void on_ended(int status) override {
    if (!refused_ || status == 0) {
      return fail(about_, "its process ended with code " + std::to_string(status));
    }
    pass(about_);
  }

  std::optional<std::string> refused_;
};

// -------------------------------------------------------------------------------------------------
// kicked, left, closed, shut_out: out of the room

class OutSitting : public QuietSitting {
 public:
  OutSitting(const ExamPlan& plan, CheckName about, std::optional<ByeCode> bye)
      : QuietSitting(plan, about), bye_(bye) {}
  milliseconds patience() const override { return is_out_ ? kQuiet : plan_.patience; }

 private:
  static constexpr milliseconds kQuiet{3000};  // longer than the first waits

  void on_join(const Join& frame) override {
    if (is_out_) {
      fail(about_, "it joins the room again");
      return finish();
    }
    if (!bye_ && has_joined_) {
      is_out_ = true;
      return say_error(frame.id.str(), ErrorCode::no_such_room);
    }
    let_in(frame);
    if (!bye_) return leave_line(CutLine{});
    is_out_ = true;
    Bye bye;
    bye.code = *bye_;
    bye.room = kRoom;
    if (bye_ == ByeCode::closed) bye.why = WhyClosed::admin;
    say(encoded(bye));
  }
  void on_gone() override {
    if (!has_joined_) fail(about_, "it left the connection");
  }
  void on_waited() override {
    if (!is_out_) return QuietSitting::on_waited();
    if (is_line_up_ && !std::exchange(is_cut_, true)) return leave_line(CutLine{});
    pass(about_);
    finish();
  }
  void on_ended(int status) override {
    if (!is_out_) return QuietSitting::on_ended(status);
    pass(about_);
  }

  std::optional<ByeCode> bye_;  // none: the room is gone when it comes back
  bool is_out_ = false;
  bool is_cut_ = false;
};

// -------------------------------------------------------------------------------------------------
// give_up: no connection ever lasts

class HopelessSitting : public QuietSitting {
 public:
  explicit HopelessSitting(const ExamPlan& plan) : QuietSitting(plan, CheckName::give_up) {}
  milliseconds patience() const override { return std::max(plan_.patience, kLongest); }

 private:
  static constexpr milliseconds kLongest{20'000};
  static constexpr int kEnough = 50;  // more than 42

  void on_opened() override {
    leave_line(CutLine{});
    if (connections_ < kEnough) return;
    fail(about_, "it came " + std::to_string(connections_) + " times");
    finish();
  }
  void on_gone() override {}
  void on_waited() override {
    if (plan_.has_process) fail(about_, "it neither comes nor ends");
    pass(about_);
    finish();
  }
  void on_ended(int status) override {
    if (connections_ < 2 || status == 0) return QuietSitting::on_ended(status);
    pass(about_);
  }
};

}  // namespace

CheckName check_of(SittingName name) {
  const auto check = enumerator_of<CheckName>(word_of(name));
  return check.value_or(CheckName::frames);
}

std::unique_ptr<Sitting> make_link_sitting(SittingName name, const ExamPlan& plan) {
  const CheckName about = check_of(name);
  switch (name) {
    case SittingName::link:
      return std::make_unique<LinkSitting>(plan);
    case SittingName::greeting:
    case SittingName::silence:
      return std::make_unique<SilentSitting>(plan, about);
    case SittingName::hello_refused:
    case SittingName::bad_name:
    case SittingName::bad_device:
      return std::make_unique<RefusalSitting>(plan, about);
    case SittingName::kicked:
      return std::make_unique<OutSitting>(plan, about, ByeCode::kicked);
    case SittingName::left:
      return std::make_unique<OutSitting>(plan, about, ByeCode::left);
    case SittingName::closed:
      return std::make_unique<OutSitting>(plan, about, ByeCode::closed);
    case SittingName::shut_out:
      return std::make_unique<OutSitting>(plan, about, std::nullopt);
    case SittingName::give_up:
      return std::make_unique<HopelessSitting>(plan);
    default:
      break;
  }
  ensure(false, "not a sitting without a match");
  return nullptr;
}

}  // namespace triquetra
