// Simulated people: devices that say hello, sit down, watch, act, come back, and now and then do
// everything wrong. They know nothing of any game: they answer with what the server calls legal.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/sim/checkers.hpp"
#include "tests/sim/network.hpp"

namespace triquetra::sim {

/// Somebody, whatever the device: a name and a token.
struct Person {
  std::string name;
  std::string token;
  int requests = 0;
};

/// A room as people agree on it: who makes it, who plays, who watches.
struct Meeting {
  std::string create;  // the maker's frame without id; empty for all others
  std::shared_ptr<std::string> code;
  bool plays = true;
  bool password = false;
  int bots = 0;
  int matches = 1;
  std::string entropy;  // hex; empty: takes no part in the shuffle
};

class Device {
 public:
  struct Services {
    World& world;
    Checkers& checkers;
    /// A new line to the server; null while there is no server.
    std::function<std::shared_ptr<Line>(Line::Hear)> connect;
  };
  Device(Services services, std::shared_ptr<Person> person, std::vector<Meeting> meetings);

  /// Something to do: called again and again.
  void act_up();
  /// In thousandths: how often this device misbehaves or loses its line instead of playing on.
  std::uint32_t trouble = 0;

  /// Every match it wanted to play is over, and nothing it asked is unanswered.
  bool is_content() const;
  std::string unanswered() const;
  /// What it asked on this line more than a minute ago, and nobody answers.
  std::string forgotten() const;
  /// For a report: where it is and what it waits for.
  std::string situation() const;
  const std::shared_ptr<Line>& line() const { return line_; }
  std::size_t faults() const { return faults_; }
  void lose_line();

 private:
  struct Request {
    std::string text, type, room;
    TimePoint at{};
    bool put_off = false;  // the server said: not now
  };
  struct InRoom {
    Json room;
    Json view;
    int matches_over = 0;
    std::string counted;  // the match counted last
    bool joined = false;
    bool shut_out = false;  // the others have begun without it
  };
  void hear(const std::string* text);
  void on_answer(const Json& frame);
  void on_bye(const Json& frame);
  void connect();
  void come_in();
  void ask(Json frame, std::string fixed_id = {});
  void play_on(Meeting& meeting, InRoom& in);
  void act(InRoom& in, bool wrongly);
  void make_trouble();
  Json an_act(const InRoom& in);

  Services services_;
  std::shared_ptr<Person> person_;
  std::vector<Meeting> meetings_;
  std::shared_ptr<Line> line_;
  bool greeted_ = false;
  std::string token_;  // of the player that this line is
  std::string token_hash_;
  bool doubts_ = false;  // whether the token was refused once
  TimePoint asked_at_{};
  std::map<std::string, Request> open_;
  std::map<std::string, InRoom> rooms_;
  std::map<std::string, std::int64_t> revs_;  // of acts that were acknowledged, by id
  std::vector<Request> done_;                 // some of those, to be said again
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);
  std::size_t faults_ = 0;
};

}  // namespace triquetra::sim
