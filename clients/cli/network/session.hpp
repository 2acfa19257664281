// One player's conversation with a server: says hello, gives requests their ids, matches the
// answers, and after a lost connection comes back to the room and asks again what was not answered.
//
// Folder: the line to a server: connecting, coming back, and who this terminal is.
// May see: protocol, engine.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "clients/cli/network/connection.hpp"
#include "clients/cli/network/profile.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra::cli {

/// 32 random bytes in hex.
std::string random_hex_256();

/// What scripts can tell endings apart by.
enum class Exit {
  ok = 0,
  unexpected = 1,
  usage = 2,
  no_connection = 3,
  refused = 4,
  protocol_mismatch = 5,
  illegal_action = 6,
  interrupted = 130
};

/// Whoever hears what a session hears: the line mode, a script, a bot.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Every frame as it came, before anything else hears of it.
  virtual void on_text(const std::string&) {}
  /// The first welcome only: the time to join or create.
  virtual void on_welcome(const Welcome&) {}
  virtual void on_ok(const ClientFrame&, const Ok&) {}
  /// No request if the server did not say which.
  virtual void on_error(const ClientFrame*, const Error&) {}
  virtual void on_room(const RoomFrame&) {}
  virtual void on_view(const View&) {}
  virtual void on_lobby(const LobbyFrame&) {}
  virtual void on_reaction(const ReactionShown&) {}
  virtual void on_said(const Said&) {}
  virtual void on_bye(const Bye&) {}
  virtual void on_notice(const Notice&) {}
  virtual void on_lost(std::chrono::milliseconds) {}
  virtual void on_back() {}
  virtual void on_no_connection(const std::string&) {}
};

struct SessionOptions {
  ServerAddress server;
  std::string profile = "default";
  std::optional<std::string> name;
  std::string language = "en";
  std::optional<std::string> device;  // the one-use code that another machine was given
  bool is_program = false;            // nobody sits here: the seat is shown as a bot's
};

class Session {
 public:
  Session(boost::asio::io_context& io, SessionOptions options, Listener& listener);

  void open() { connection_.open(); }
  /// Ends the program's loop with this code.
  void finish(Exit code);
  Exit exit_code() const { return exit_code_; }
  bool is_finished() const { return is_finished_; }
  bool keeps_token() const { return profile_.is_kept(); }

  /// Sends a request under a fresh id, and again under the same id after a lost connection until it
  /// is answered; also a while after an answer that says "not now". At most kMaxUnanswered are out
  /// at once; more are dropped.
  template <class Request>
  void ask(Request request) {
    request.id = fresh_id();
    remember_and_send(std::move(request));
  }
  /// Sends one line as it is.
  void send_raw(std::string line) { connection_.send(std::move(line)); }
  bool is_waiting() const { return !unanswered_.empty(); }

 private:
  static constexpr int kMaxRetries = 20;             // in a row, a second or more apart
  static constexpr std::size_t kMaxUnanswered = 64;  // a person has one or two out, a script some

  std::string fresh_id();
  void remember_and_send(ClientFrame request);
  void say_hello();
  void received(const std::string& text);
  void hear(const Welcome& welcome);
  void hear(const Ok& ok);
  void hear(const Error& error);
  bool retry_later(const Error& error);
  std::optional<ClientFrame> answered(const std::string& re);

  boost::asio::io_context& io_;
  SessionOptions options_;
  Listener& listener_;
  Profile profile_;
  Connection connection_;
  std::string id_prefix_;  // differs between processes, for ids count per player
  std::uint64_t id_count_ = 0;
  std::deque<std::pair<std::string, ClientFrame>> unanswered_;
  std::set<std::string> repeated_;       // of these, what was sent again after a lost connection
  std::optional<ClientFrame> presence_;  // the join or watch to say again after a loss
  std::string presence_id_;              // of that one
  boost::asio::steady_timer retry_timer_;
  int retries_ = 0;
  bool is_welcome_ = false;  // ever
  bool is_greeted_ = false;  // on this connection
  Exit exit_code_ = Exit::ok;
  bool is_finished_ = false;
};

}  // namespace triquetra::cli
