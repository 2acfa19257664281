// What `triquetra conformance` asks of a client or bot: sittings at a scripted server that does all
// that the protocol allows a server and a network to do, and that notes what the candidate made of
// it. The checks are those of docs/CLIENTS.md and of a match. Pure: frames and events go in, orders
// come out; exam_server.hpp has the sockets.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/rng.hpp"
#include "protocol/catalog.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/json.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra {

/// What is looked at: first what every frame must be, then how a client comes back, row by row of
/// docs/CLIENTS.md, then how it plays.
BOOST_DEFINE_ENUM_CLASS(CheckName, frames, hello, join, resume, hello_later, bad_token, bad_device,
                        bad_name, hello_refused, greeting, silence, bye, waits, restart, lasted,
                        give_up, busy, resend, create, add_bot, start, reveal_entropy, rematch,
                        leave, kick, remove_bot, talk, too_late, id_reused, rejoin, shut_out,
                        kicked, left, closed, second_device, ids, entropy, legal, unknown, once,
                        stale, ping, history, finish)

/// One visit of the candidate. game: it joins a room and plays. host: it makes the room. link: the
/// connection is lost in every way, and hello is refused for a while. The others are named after
/// the check that they are about.
BOOST_DEFINE_ENUM_CLASS(SittingName, game, host, link, greeting, silence, hello_refused, bad_name,
                        bad_device, kicked, left, closed, shut_out, give_up)

/// not_used: the candidate does nothing that this check is about.
BOOST_DEFINE_ENUM_CLASS(Verdict, not_reached, not_used, passed, failed)

struct Check {
  CheckName check{};
  Verdict verdict{};
  std::string wants;               // what is right
  std::optional<std::string> saw;  // what was wrong, the first time
};
BOOST_DESCRIBE_STRUCT(Check, (), (check, verdict, wants, saw))

/// What the sockets are to do.
struct SayText {
  std::string text;
};
struct SayPing {};
/// The connection breaks, without a word.
struct CutLine {};
/// The connection ends with this close code.
struct EndLine {
  int code = 1000;
};
/// The connection stays, and nothing is read from it any more.
struct FallSilent {};
using Order = std::variant<SayText, SayPing, CutLine, EndLine, FallSilent>;

struct ExamPlan {
  std::string game = "triqueta";
  std::string options = "{}";
  std::size_t seats = 3;
  Seed seed{};
  std::chrono::milliseconds patience{10'000};  // for each answer
  bool needs_history = true;                   // false: it goes by the newest view alone
  bool has_process = false;  // whoever was started can also show by its end that it has understood
};

class Sitting {
 public:
  /// The room that the candidate is told to join.
  static constexpr const char* kRoom = "BCDFGH";
  /// Who it is, once it was welcomed.
  static constexpr const char* kToken =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  using Time = std::chrono::milliseconds;  // since any moment
  using Orders = std::vector<Order>;

  explicit Sitting(const ExamPlan& plan);
  virtual ~Sitting() = default;
  Sitting(const Sitting&) = delete;
  Sitting& operator=(const Sitting&) = delete;

  // What happened, and when; returns what to do about it.
  Orders opened(Time now);
  Orders heard(std::string_view text, Time now);
  Orders heard_binary();
  Orders ponged();
  Orders gone(Time now);
  /// patience() has passed without any of the above.
  Orders waited(Time now);
  /// The candidate's process has ended.
  void ended(int status);

  virtual std::chrono::milliseconds patience() const { return plan_.patience; }
  bool is_over() const { return is_over_; }
  /// All checks, whatever this sitting is about.
  const std::vector<Check>& checks() const { return checks_; }

 protected:
  // What a sitting makes of it. Requests are heard after hello only.
  virtual void on_opened() {}
  virtual void on_hello(const Hello& frame) = 0;
  virtual void on_request(const ClientFrame& frame, const Json& json) = 0;
  virtual void on_ponged() {}
  virtual void on_gone() = 0;
  virtual void on_waited() = 0;
  /// Before: is not over.
  virtual void on_ended(int status) = 0;
  virtual void on_finish() {}

  // Frames.
  void say(std::string text) { orders_.emplace_back(SayText{std::move(text)}); }
  void say_ok(const RequestId& id, std::optional<std::int64_t> rev = {});
  void say_error(const std::optional<std::string>& id, ErrorCode code, ErrorArgs args = {});
  /// Welcomes it; with `token` if it came without this one.
  void say_welcome(const Hello& hello, const std::string& token, std::vector<SeatHeld> seats);
  void order(Order order) { orders_.push_back(std::move(order)); }
  /// The candidate is left alone, by EndLine or CutLine.
  void leave_line(const Order& how);
  /// Does this, and what it orders is not done: as if the connection were gone already.
  template <class F>
  void do_unheard(F f) {
    const std::vector<Order> before = orders_;
    f();
    orders_ = before;
  }
  /// A new view is out: the candidate may say something again.
  void expect_more() { frames_ = 0; }

  // Notes.
  Check& check(CheckName name) { return checks_.at(static_cast<std::size_t>(name)); }
  void pass(CheckName name);
  void fail(CheckName name, const std::string& saw);
  void not_used(CheckName name);
  void finish();

  ExamPlan plan_;
  Time now_{};
  Time left_at_{};  // when the last connection went
  int connections_ = 0;
  bool is_line_up_ = false;
  bool is_greeted_ = false;  // on this connection

 private:
  Orders orders() { return std::exchange(orders_, {}); }

  std::vector<Check> checks_;
  std::vector<Order> orders_;
  int frames_ = 0;  // since there was something new to answer
  bool is_over_ = false;
};

/// Before: the plan's game exists and can be played so.
std::unique_ptr<Sitting> make_sitting(SittingName name, const ExamPlan& plan);

/// The checks that these sittings are about, each with the worst that one of them noted.
std::vector<Check> gathered(
    const std::vector<std::pair<SittingName, std::vector<Check>>>& sittings);
/// Whether every check passed or is about something that the candidate does not do.
bool is_passed(const std::vector<Check>& checks);

}  // namespace triquetra
