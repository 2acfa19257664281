// Playing and watching in lines: one sentence per event, a prompt that says what is possible, and
// commands that are matched against the offered acts.
//
// Folder: a person at a terminal: lines in and out, entering a room, playing and watching.
// May see: clients/cli/network, clients/cli/games, protocol, engine.
#pragma once

#include <boost/asio/io_context.hpp>

#include <deque>
#include <string>
#include <vector>

#include "clients/cli/terminal/line_editor.hpp"
#include "clients/cli/terminal/table_visitor.hpp"

namespace triquetra::cli {

class LineMode : public TableVisitor {
 public:
  LineMode(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
           const Catalogue& catalogue, Style style);

  void on_ok(const ClientFrame& request, const Ok& ok) override;
  void on_error(const ClientFrame* request, const Error& error) override;
  void on_room(const RoomFrame& room) override;

 private:
  static constexpr std::size_t kMaxLog = 500;      // sentences: longer than any of our games
  static constexpr std::size_t kMaxTyped = 10000;  // lines of a script that wait for their turn

  void tell(const std::string& text) override;
  void match_began() override;
  void happened(const Json& event, const std::string& sentence, const Json& mine) override;
  void caught_up() override;
  void looked_back(const ReviewShown& review, bool more) override;
  void print(const std::vector<std::string>& lines);
  void ask_me();
  void typed(std::string line);
  void ended();
  void run_script();
  void tell_of_waiting();
  bool is_for_my_turn(const std::string& line) const;
  void command(const std::string& line);
  bool room_command(const std::string& verb, const std::vector<std::string>& arguments);
  bool screen_command(const std::string& verb);
  void act_command(const std::string& verb, const std::vector<std::string>& arguments);
  void bot_command(const std::vector<std::string>& arguments);
  void level_command(const std::vector<std::string>& arguments);
  void seat_command(const std::string& verb, const std::vector<std::string>& arguments);
  void options_command(const std::vector<std::string>& words);
  void door_command(const std::vector<std::string>& arguments);
  void react(const std::vector<std::string>& arguments);
  void say(const std::vector<std::string>& words);
  void complain(const std::string& text);

  bool was_asked_ = false;  // the table was shown for the act that is asked of me
  std::deque<std::string> log_;
  std::deque<std::string> script_;
  bool is_script_over_ = false;
  bool has_told_of_waiting_ = false;  // of its first line
  LineEditor editor_;                 // last: it may call back at once
};

}  // namespace triquetra::cli
