// Playing, watching and looking back on a full screen. Joins the values of screen.hpp to the
// session on one side and to the terminal on the other.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/terminal/curses.hpp"
#include "clients/cli/terminal/screen.hpp"
#include "clients/cli/terminal/table_visitor.hpp"

namespace triquetra::cli {

/// The terminal while a program's loop runs: keys, changes of its size, and Ctrl-Z.
class ScreenLoop {
 public:
  struct Handlers {
    std::function<void(const Key&)> key;
    std::function<void()> redraw;
    std::function<void()> gone;  // nobody can type any more
  };

  ScreenLoop(boost::asio::io_context& io, bool has_color, Handlers handlers);

  Curses& curses() { return curses_; }

 private:
  void read_keys();
  void hear_signals();

  Handlers handlers_;
  // Before curses, which passes over a Ctrl-Z while it draws unless it finds that somebody else has
  // the signal (ncurses: lib_tstp.c).
  boost::asio::signal_set signals_;
  Curses curses_;
  boost::asio::posix::stream_descriptor input_;
};

using LeastSeats = std::function<std::size_t(const RoomFrame&)>;

class FullScreen : public TableVisitor {
 public:
  /// The catalogue becomes another language's when the person wants that.
  /// `least_seats` says how many a room's game needs, or 0.
  FullScreen(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
             Catalogue& catalogue, bool has_color, LeastSeats least_seats);
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;
  ~FullScreen() override;  // gives the terminal back, and says how to come back

  void on_ok(const ClientFrame& request, const Ok& ok) override;
  void on_error(const ClientFrame* request, const Error& error) override;
  void on_room(const RoomFrame& room) override;
  void on_lost(std::chrono::milliseconds delay) override;
  void on_back() override;
  void on_unheard() override;

  /// Ctrl-C was pressed once.
  void asked_to_quit();

 private:
  static constexpr std::size_t kMaxLog = 500;  // sentences: longer than any of our games

  /// What a sentence of the log is about, with what only I saw then. Null: it is no game's.
  struct Told {
    Json event;
    Json mine;
  };

  void tell(const std::string& text) override;
  void on_entered(const std::string& room, std::optional<Seat> seat) override;
  void status_changed(const RoomFrame& room) override;
  void match_began() override;
  void happened(const Json& event, const std::string& sentence, const Json& mine) override;
  void caught_up() override;
  void looked_back(const ReviewShown& review, bool more) override;
  void tell_hint(const HintShown& hint) override;
  std::string error_text(const Error& error) const override;

  void add_to_log(const std::string& text, const Json& event, const Json& mine);
  void tell_again();
  Known known() const;
  void pressed(const Key& key);
  void grant(const Wish& wish);
  void keep_record(const std::string& match, const Raw& record);
  void say_again();
  void take_times();
  std::optional<std::int64_t> left_ms() const;
  void redraw();
  void draw_soon();
  void tick();

  Catalogue& language_;
  Looking looking_;
  std::vector<Spot> spots_;
  Bounce bounce_;
  std::deque<std::string> log_;
  std::deque<Told> events_;  // of each sentence
  std::string trouble_;
  std::string said_;                 // and not yet answered
  std::vector<ReviewedAct> costly_;  // acts of the match that is looked back at
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::string whose_time_;  // that is, if it is not mine
  LeastSeats least_seats_;
  boost::asio::steady_timer timer_;
  boost::asio::steady_timer review_timer_;
  bool is_drawing_soon_ = false;
  std::optional<ScreenLoop> loop_;
};

/// A match that was played, read from a record: no server is asked.
struct ReadMatch {
  std::string game;
  std::vector<std::string> names;
  std::vector<ReplayStep> steps;
};

/// Shows a match step by step until the person leaves. `eyes`: a seat from 1, or 0.
void look_back(boost::asio::io_context& io, const ReadMatch& match, Catalogue& catalogue,
               bool has_color, std::size_t eyes);

}  // namespace triquetra::cli
