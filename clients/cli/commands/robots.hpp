// Programs as players: a bot that chooses from the offered acts, and the script interface, which
// hands frames through as lines.
//
// Folder: what the subcommands do that are not for a person who plays.
// May see: clients/cli/terminal, clients/cli/network, clients/cli/games, tools, protocol, engine.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/terminal/line_editor.hpp"
#include "clients/cli/terminal/visitor.hpp"

namespace triquetra::cli {

/// 64 random bits.
std::uint64_t random_number();

/// The act that a bot of this level takes, by index; none if it had better wait. greedy: the
/// highest preview, an act without one counts as 0; ties and random: by `roll`, any number. An act
/// whose `do` is "lapse" stands for leaving a window to its clock: it is never sent, and greedy
/// prefers it to an act that gains nothing.
std::optional<std::size_t> choose_act(const std::vector<LegalAct>& legal, BotLevel level,
                                      std::uint64_t roll);

/// Answers what views ask, each decision once.
class Answerer {
 public:
  explicit Answerer(BotLevel level) : level_(level) {}

  /// The act for this view; none if it asks nothing new, or is older than one before.
  std::optional<Act> answer(const View& view, std::uint64_t roll);
  /// This act was refused (docs/CLIENTS.md): what to say now to what the newest view still asks.
  /// illegal: somebody's act in a window beside our turn changed what is possible, so answers as
  /// soon as there is a newer view. id_reused: answers again, once. Else the newest view tells.
  std::optional<Act> answer_again(const Act& refused, ErrorCode why, std::uint64_t roll);

 private:
  BotLevel level_;
  std::optional<View> view_;                            // the newest
  using Question = std::pair<std::string, DecisionId>;  // match and decision
  std::optional<Question> answered_;
  std::optional<Question> reused_;  // answered under an id that was known
  std::int64_t answered_rev_ = 0;
};

/// A program that has a seat and answers what is asked of it.
class Robot : public Visitor {
 public:
  Robot(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
        const Catalogue& catalogue, BotLevel level);
  void on_error(const ClientFrame* request, const Error& error) override;

 protected:
  void act(const View& view);
  /// What chooses between acts that are as good as each other.
  virtual std::uint64_t roll() { return random_number(); }

 private:
  Answerer answerer_;
};

class Bot : public Robot {
 public:
  /// `once`: leave when a match is over, rather than wait for another.
  Bot(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
      const Catalogue& catalogue, BotLevel level, bool once);

  void on_room(const RoomFrame& room) override;
  void on_view(const View& view) override;

 private:
  /// People get this long for a window before a bot's act closes it.
  static constexpr std::chrono::milliseconds kWindowPause{1000};

  bool is_beside_window_of_people(const View& view) const;

  boost::asio::steady_timer pause_;
  bool once_;
  std::optional<RoomFrame> room_frame_;
};

class Script : public Visitor {
 public:
  Script(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
         const Catalogue& catalogue);

  void on_text(const std::string& text) override;
  void on_welcome(const Welcome& welcome) override;
  void on_error(const ClientFrame* request, const Error& error) override;

 private:
  static constexpr std::size_t kMaxEarly = 1000;  // lines before the welcome

  void send(const std::string& line);
  void finish_if_done();

  std::vector<std::string> early_;
  std::set<std::string> asked_;
  bool is_greeted_ = false;
  bool is_over_ = false;
  LineEditor editor_;  // last: it may call back at once
};

/// Prints the listed rooms and ends.
class Rooms : public Visitor {
 public:
  Rooms(boost::asio::io_context& io, const SessionOptions& options, const Catalogue& catalogue,
        bool as_json);
  void on_welcome(const Welcome& welcome) override;
  void on_text(const std::string& text) override;
  void on_lobby(const LobbyFrame& lobby) override;

 private:
  bool as_json_;
};

}  // namespace triquetra::cli
