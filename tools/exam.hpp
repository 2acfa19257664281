// What `triquetra conformance` asks of a client or bot: one match at a scripted server that does
// all that the protocol allows a server and a network to do, and that notes what the candidate made
// of it. Pure: frames and events go in, orders come out; exam_server.hpp has the sockets.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/rng.hpp"
#include "protocol/catalog.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/json.hpp"
#include "protocol/match_record.hpp"
#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"

namespace triquetra {

/// What is looked at, in the order in which it comes up.
BOOST_DEFINE_ENUM_CLASS(CheckName, hello, frames, ids, join, entropy, legal, unknown, once, stale,
                        ping, history, busy, resume, resend, restart, too_late, finish)

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
using Order = std::variant<SayText, SayPing, CutLine, EndLine>;

struct ExamPlan {
  std::string game = "triqueta";
  std::string options = "{}";
  std::size_t seats = 3;
  Seed seed{};
  std::chrono::milliseconds patience{10'000};  // for each answer
  bool needs_history = true;                   // false: it goes by the newest view alone
};

class Exam {
 public:
  /// The room that the candidate is told to join.
  static constexpr const char* kRoom = "BCDFGH";

  /// Before: the plan's game exists and can be played so.
  explicit Exam(const ExamPlan& plan);

  // What happened; returns what to do about it.
  std::vector<Order> opened();
  std::vector<Order> heard(std::string_view text);
  std::vector<Order> heard_binary();
  std::vector<Order> ponged();
  std::vector<Order> gone();
  /// patience() has passed without any of the above.
  std::vector<Order> waited();
  /// The candidate's process has ended.
  void ended(int status);

  std::chrono::milliseconds patience() const;
  bool is_over() const { return is_over_; }
  const std::vector<Check>& checks() const { return checks_; }
  /// Whether every check passed or is about something that the candidate does not do.
  bool is_passed() const;

 private:
  /// An act as it was sent.
  struct Sent {
    DecisionId decision;
    Json action;
    std::optional<std::int64_t> rev;  // once it counted
  };
  /// What the script does to the act that comes next.
  enum class Lesson { plain, busy, lose, take_unheard, resend_taken, too_late };

  // Requests.
  void on(const Hello& frame);
  void on(const Join& frame);
  void on(const RevealEntropy& frame);
  void on(const Act& frame);
  void on(const History& frame);
  void on(const GetRecord& frame);
  void on(const Ping& frame);
  void on(const Leave& frame);
  void on(const WatchLobby& frame);
  template <class T>
  void on(const T& frame);

  // Acts.
  bool answer_again(const Act& frame, const Json& action);
  bool is_late(const Act& frame);
  bool is_open_to_candidate(const Act& frame, const Json& action);
  void take_by_lesson(const Act& frame, const Json& action);
  void take(const Act& frame, const Json& action);
  void clock_acts(const Act& frame);

  // The match.
  void deal();
  void go_on();
  void let_others_act();
  void ask_candidate();
  void act_for(Seat seat, ActedBy by);
  void let_window_pass();
  bool is_in_window() const;
  void adopt(TablePointer next, Seat seat, const std::string& action, ActedBy by);
  std::optional<Decision> candidates_decision() const;

  // Frames.
  void say(std::string text);
  void say_room();
  void say_view();
  std::string view_text(const Table& table, std::int64_t rev) const;
  void say_ok(const RequestId& id, std::optional<std::int64_t> rev = {});
  void say_error(const std::optional<std::string>& id, ErrorCode code, ErrorArgs args = {});
  void be_left(CheckName why, const Order& how);
  std::string record_text() const;
  std::int64_t rev() const { return static_cast<std::int64_t>(steps_.size()); }
  std::vector<Order> orders();

  // Notes.
  Check& check(CheckName name) { return checks_.at(static_cast<std::size_t>(name)); }
  void pass(CheckName name);
  void fail(CheckName name, const std::string& saw);
  CheckName current_check() const;
  void finish();

  ExamPlan plan_;
  const GameKind* game_;
  Rng rng_;
  std::vector<Check> checks_;
  std::vector<Order> orders_;
  bool is_over_ = false;

  // The conversation.
  bool is_line_up_ = false;
  bool is_greeted_ = false;        // on this connection
  bool has_greeted_ = false;       // ever
  bool is_joined_ = false;         // on this connection
  bool has_joined_ = false;        // ever
  std::optional<CheckName> away_;  // what its way back is about, until it has joined again
  bool is_strange_ = false;        // frames hold what no client knows
  int frames_ = 0;                 // since the last view
  std::optional<std::string> entropy_hash_;
  std::string entropy_;

  // The match.
  std::string match_;
  std::string secret_;
  RoomStatus status_ = RoomStatus::open;
  TablePointer start_;
  TablePointer table_;
  std::vector<RecordedStep> steps_;
  std::vector<std::string> happened_;  // by revision - 1

  // The script.
  int asked_ = 0;                           // how often the candidate was asked
  std::optional<DecisionId> asking_;        // the decision that it was asked last
  Lesson lesson_ = Lesson::plain;           // what the next act meets
  std::optional<std::string> awaited_;      // the id under which an act must come again
  std::map<std::string, Sent> acts_;        // by id
  std::optional<DecisionId> old_decision_;  // of the view that was sent too late
  std::string old_view_;
  std::optional<DecisionId> lost_decision_;  // the one that the clock answered
  bool is_ping_out_ = false;
  bool is_gap_made_ = false;
  bool has_restarted_ = false;
  std::int64_t told_rev_ = 0;       // of the last view that was sent
  std::set<std::int64_t> missing_;  // revisions that were passed over and not asked for yet
  std::size_t page_ = 1;            // revisions in one answer to history
};

}  // namespace triquetra
