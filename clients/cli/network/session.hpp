// One player's conversation with a server, as docs/CLIENTS.md tells it: says hello, gives requests
// their ids, matches the answers, and after a lost connection comes back to the room and asks again
// what was not answered. The functions are named after the events of that page.
//
// Folder: the line to a server: connecting, coming back, and who this terminal is.
// May see: stream, protocol, engine.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/network/connection.hpp"
#include "clients/cli/network/link.hpp"
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
  /// For good: there will be no welcome.
  virtual void on_hello_refused(const Error&) {}
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
  virtual void on_news(const News&) {}
  /// The connection went; the next try comes after this time.
  virtual void on_lost(std::chrono::milliseconds) {}
  virtual void on_back() {}
  /// Refused as "not now", hello or a request: it is said again after this time.
  virtual void on_not_now(const Error&, std::chrono::milliseconds) {}
  /// The connection went before some talk had an answer, and it is not said again.
  virtual void on_unheard() {}
  /// No more tries: the first connection could not be opened, or too many did not last.
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

  void open();
  /// Ends the program's loop with this code.
  void finish(Exit code);
  Exit exit_code() const { return exit_code_; }
  bool is_finished() const { return is_finished_; }
  bool keeps_token() const { return profile_.is_kept(); }

  /// Sends a request under a fresh id, and again under the same id after a lost connection until it
  /// is answered; also a while after an answer that says "not now". At most kMaxInFlight are out at
  /// once; more are dropped.
  template <class Request>
  void ask(Request request) {
    request.id = RequestId(fresh_id());
    if (in_flight_.size() >= kMaxInFlight) return;
    in_flight_.emplace_back(io_, std::move(request));
    send_all();
  }
  /// Sends one line as it is.
  void send_raw(std::string line) { connection_.send(std::move(line)); }
  bool is_waiting() const { return !in_flight_.empty(); }

 private:
  static constexpr std::size_t kMaxInFlight = 64;  // a person has one or two out, a script some

  /// A request without an answer.
  struct Asked {
    Asked(boost::asio::io_context& io, ClientFrame request)
        : frame(std::move(request)), again(io) {}
    std::string id() const;

    ClientFrame frame;
    bool is_sent = false;      // on this connection
    bool is_repeated = false;  // sent on one that was lost: it may have been heard there
    bool is_put_off = false;   // refused as "not now": `again` says when it is sent again
    int tries = 0;             // how often it was put off
    boost::asio::steady_timer again;
  };
  using InFlight = std::list<Asked>;

  // The connection.
  void opened();
  void silent();
  void lost(const std::string& reason);
  void due();
  void received(const std::string& text);

  // hello.
  void say_hello();
  void welcome(const Welcome& welcome);
  void hello_refused(const Error& error);
  void lasted();
  void resume();

  // Requests.
  std::string fresh_id();
  void send_all();
  void answered(const Ok& ok);
  void entered(const ClientFrame& request, const Ok& ok);
  void refused(const Error& error);
  void not_now(Asked& asked, const Error& error);
  InFlight::iterator find(const std::optional<std::string>& id);
  void bye(const Bye& bye);

  template <class Then>
  static void after(boost::asio::steady_timer& timer, std::chrono::milliseconds time, Then then);

  boost::asio::io_context& io_;
  SessionOptions options_;
  Listener& listener_;
  Profile profile_;
  Connection connection_;
  LinkState state_ = LinkState::connecting;
  boost::asio::steady_timer link_timer_;     // the end of the greeting, or of a wait
  boost::asio::steady_timer lasting_timer_;  // since the welcome
  bool was_open_ = false;                    // ever
  bool is_known_ = false;                    // a welcome was heard, ever
  int losses_ = 0;                           // in a row, of connections that did not last
  std::pair<std::string, std::int64_t> newest_{"", -1};  // the match and revision seen last
  std::chrono::milliseconds pause_{0};                   // that a bye asked for
  std::string hello_id_;
  std::string id_prefix_;  // differs between processes, for ids count per player
  std::uint64_t id_count_ = 0;
  InFlight in_flight_;
  std::optional<ClientFrame> presence_;  // the join or watch to say again after a loss
  Exit exit_code_ = Exit::ok;
  bool is_finished_ = false;
};

}  // namespace triquetra::cli
