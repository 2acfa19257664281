// Playing and watching in lines: one sentence per event, a prompt that says what is possible, and
// commands that are matched against the offered acts.
//
// Folder: a person at a terminal: lines in and out, entering a room, playing and watching.
// May see: clients/cli/network, clients/cli/games, protocol, engine.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/games/render.hpp"
#include "clients/cli/terminal/line_editor.hpp"
#include "clients/cli/terminal/visitor.hpp"

namespace triquetra::cli {

class LineMode : public Visitor {
 public:
  LineMode(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
           const Catalogue& catalogue, Style style);

  void on_ok(const ClientFrame& request, const Ok& ok) override;
  void on_error(const ClientFrame* request, const Error& error) override;
  void on_room(const RoomFrame& room) override;
  void on_view(const View& view) override;
  void on_lobby(const LobbyFrame& lobby) override;
  void on_reaction(const ReactionShown& reaction) override;
  void on_said(const Said& said) override;

 private:
  static constexpr std::size_t kMaxLog = 500;      // sentences: longer than any of our games
  static constexpr std::size_t kMaxTyped = 10000;  // lines of a script that wait for their turn

  void tell(const std::string& text) override;
  void print(const std::vector<std::string>& lines);
  void catch_up();
  void show_state();
  void ask_me();
  void add_event(const Json& event);
  void typed(std::string line);
  void ended();
  void run_script();
  void tell_of_waiting();
  bool is_for_my_turn(const std::string& line) const;
  bool is_behind() const;
  void command(const std::string& line);
  bool room_command(const std::string& verb, const std::vector<std::string>& arguments);
  bool screen_command(const std::string& verb);
  void act_command(const std::string& verb, const std::vector<std::string>& arguments);
  void seat_command(const std::string& verb, const std::vector<std::string>& arguments);
  void door_command(const std::vector<std::string>& arguments);
  void react(const std::vector<std::string>& arguments);
  void say(const std::vector<std::string>& words);
  void send_act(std::size_t index);
  void complain(const std::string& text);

  Style style_;
  std::unique_ptr<Voice> voice_;
  Scene scene_;
  std::optional<RoomFrame> room_frame_;
  std::optional<View> view_;
  std::optional<std::int64_t> acted_rev_;  // the revision that my last act made
  std::int64_t told_rev_ = 0;              // the last revision whose events were told
  bool is_catching_up_ = false;            // history is asked for, because views were passed over
  bool was_asked_ = false;                 // the table was shown for the act that is asked of me
  std::deque<std::string> log_;
  std::deque<std::string> script_;
  bool is_script_over_ = false;
  bool has_told_of_waiting_ = false;  // of its first line
  LineEditor editor_;                 // last: it may call back at once
};

}  // namespace triquetra::cli
