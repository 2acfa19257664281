// The sittings of an exam in which a match is played: the candidate joins the room that it was
// told, or makes it and is the host.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "protocol/match_record.hpp"
#include "protocol/table.hpp"
#include "tools/exam.hpp"

namespace triquetra {

class GameSitting : public Sitting {
 public:
  GameSitting(const ExamPlan& plan, bool is_host);
  std::chrono::milliseconds patience() const override;

 private:
  /// An act as it was sent.
  struct Sent {
    DecisionId decision;
    Json action;
    std::optional<std::int64_t> rev;  // once it counted
  };
  /// A request that was heard, done, and cut off before its answer.
  struct CutOff {
    std::string id;
    Json content;
    bool is_settled = false;  // it came again
  };
  /// What the script does to the act that comes next.
  enum class Lesson { plain, busy, lose, take_unheard, resend_taken, reuse, reused };

  void on_hello(const Hello& frame) override;
  void on_request(const ClientFrame& frame, const Json& json) override;
  void on_ponged() override;
  void on_gone() override;
  void on_waited() override;
  void on_ended(int status) override;
  void on_finish() override;

  // Requests.
  void on(const Create& frame);
  void on(const Join& frame);
  void on(const AddBot& frame);
  void on(const RemoveBot& frame);
  void on(const Start& frame);
  void on(const RevealEntropy& frame);
  void on(const Act& frame);
  void on(const Rematch& frame);
  void on(const History& frame);
  void on(const GetRecord& frame);
  void on(const Ping& frame);
  void on(const Leave& frame);
  void on(const WatchLobby& frame);
  template <class T>
  void on(const T& frame);

  // Those that are cut off.
  std::optional<CheckName> lesson_of(const ClientFrame& frame) const;
  bool is_cut_off(CheckName lesson, const ClientFrame& frame, const Json& json);
  void answer_as_done(CheckName lesson, const RequestId& id);
  bool is_awaited(CheckName lesson) const;

  // Acts.
  bool answer_again(const Act& frame, const Json& action);
  bool is_late(const Act& frame);
  bool is_open_to_candidate(const Act& frame, const Json& action);
  void note_way_back(const Act& frame);
  void take_by_lesson(const Act& frame, const Json& action);
  void take(const Act& frame, const Json& action);
  void clock_acts(const Act& frame);

  // The match.
  void gather();
  void begin();
  void deal();
  void go_on();
  void let_others_act();
  void ask_candidate();
  void ask_strangely(std::optional<DecisionId> last);
  void act_for(Seat seat, ActedBy by);
  void let_window_pass();
  bool is_in_window() const;
  void adopt(TablePointer next, Seat seat, const std::string& action, ActedBy by);
  std::optional<Decision> candidates_decision() const;
  bool is_candidates_turn(int number) const { return !is_host_ && asked_ == number; }

  // Frames.
  void say_entered(const RequestId& id);
  void say_room();
  void say_view();
  std::string view_text(const Table& table, std::int64_t rev) const;
  void be_left(CheckName why, const Order& how);
  std::string record_text() const;
  std::int64_t rev() const { return static_cast<std::int64_t>(steps_.size()); }

  // Notes.
  CheckName current_check() const;

  const bool is_host_;
  const Seat candidate_;
  const GameKind* game_;
  Rng rng_;

  // The conversation.
  bool has_greeted_ = false;           // ever
  bool is_joined_ = false;             // on this connection
  bool has_joined_ = false;            // ever
  std::optional<CheckName> away_;      // what its way back is about, until it has joined again
  std::optional<std::string> rejoin_;  // the id of a join that was refused as busy
  std::map<CheckName, CutOff> cut_off_;
  std::optional<CheckName> settled_;  // what was just refused as done: does it go on?
  bool is_strange_ = false;           // frames hold what no client knows
  std::optional<std::string> entropy_hash_;
  std::string entropy_;

  // The match.
  std::vector<SeatKind> seats_;
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
  Time again_from_{};                       // not before
  std::optional<std::string> reused_;       // the id that may not come again
  std::map<std::string, Sent> acts_;        // by id
  std::optional<DecisionId> old_decision_;  // of the view that was sent too late
  std::string old_view_;
  std::optional<DecisionId> lost_decision_;   // the one that the clock answered
  bool is_lost_new_ = false;                  // it has not acted since
  std::optional<DecisionId> other_decision_;  // the one that another connection answered
  bool has_crossed_ = false;                  // an act for it came: sent before that was known
  bool is_ping_out_ = false;
  bool is_gap_made_ = false;
  bool has_restarted_ = false;
  std::int64_t told_rev_ = 0;       // of the last view that was sent
  std::set<std::int64_t> missing_;  // revisions that were passed over and not asked for yet
  std::size_t page_ = 1;            // revisions in one answer to history
};

}  // namespace triquetra
