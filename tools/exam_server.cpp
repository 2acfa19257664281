#include "tools/exam_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <memory>
#include <thread>
#include <utility>

#include "protocol/encode.hpp"
#include "protocol/errors.hpp"
#include "tools/process.hpp"

namespace triquetra {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
/// A connection, with what belongs to it alone.
struct WebSocket : beast::websocket::stream<Tcp::socket> {
  using stream::stream;
  beast::flat_buffer buffer;
};
using Socket = std::shared_ptr<WebSocket>;

constexpr std::size_t kMessageBytes = 64 * 1024;      // as the server has it
constexpr std::chrono::milliseconds kLastWords{300};  // what an ended process said may still come
constexpr std::chrono::milliseconds kFarewellPause{20};
constexpr int kFarewellTries = 50;  // one second

/// One sitting: a port, and the process that comes to it.
class ExamServer {
 public:
  ExamServer(asio::io_context& io, const ExamOrders& orders, SittingName name, std::uint16_t port,
             std::function<void()> over)
      : io_(io),
        name_(name),
        sitting_(make_sitting(name, orders.plan)),
        over_(std::move(over)),
        acceptor_(io, {asio::ip::address_v4::loopback(), port}),
        timer_(io),
        end_timer_(io),
        children_(io, SIGCHLD) {
    const std::string url = "ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
    accept();
    if (orders.command.empty()) {
      std::cerr << "Waiting at " << url << " for somebody to join room " << Sitting::kRoom << " ("
                << word_of(name) << ")" << std::endl;
      return;
    }
    watch_child();
    const bool is_host = name == SittingName::host;
    const std::string command = is_host ? orders.command + " " + orders.host : orders.command;
    std::vector<std::string> words = {Sitting::kRoom, "--server", url};
    if (is_host) words.erase(words.begin());
    child_ = start_process(command, words);
    restart_timer();
  }
  ~ExamServer() { see_child_off(); }
  ExamServer(const ExamServer&) = delete;
  ExamServer& operator=(const ExamServer&) = delete;

  SittingName name() const { return name_; }
  const Sitting& sitting() const { return *sitting_; }
  bool is_over() const { return is_over_; }

 private:
  Sitting::Time now() const {
    return std::chrono::duration_cast<Sitting::Time>(
        std::chrono::steady_clock::now().time_since_epoch());
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, Tcp::socket peer) {
      if (error) return;
      accept();
      auto socket = std::make_shared<WebSocket>(std::move(peer));
      socket->read_message_max(kMessageBytes);
      socket->control_callback(
          [this, raw = socket.get()](beast::websocket::frame_type kind, beast::string_view) {
            if (kind == beast::websocket::frame_type::pong && raw == socket_.get()) {
              perform(sitting_->ponged());
            }
          });
      socket->async_accept([this, socket](error_code failure) {
        if (failure) return;
        if (socket_) lose(socket_);
        socket_ = socket;
        has_come_ = true;
        perform(sitting_->opened(now()));
        if (socket_ == socket) read(socket);
      });
    });
  }

  void read(const Socket& socket) {
    socket->async_read(socket->buffer, [this, socket](error_code error, std::size_t) {
      if (socket != socket_) return;
      if (error) return lose(socket);
      const std::string text = beast::buffers_to_string(socket->buffer.data());
      socket->buffer.consume(socket->buffer.size());
      perform(socket->got_text() ? sitting_->heard(text, now()) : sitting_->heard_binary());
      if (socket == socket_) read(socket);
    });
  }

  /// The peer went, or we let it go.
  void lose(const Socket& socket) {
    let_go(socket);
    perform(sitting_->gone(now()));
  }
  void let_go(const Socket& socket) {
    error_code ignored;
    static_cast<void>(socket->next_layer().close(ignored));
    if (socket != socket_) return;
    socket_.reset();
    waiting_.clear();
  }

  void perform(std::vector<Order> orders) {
    restart_timer();
    const bool was_idle = waiting_.empty();
    for (Order& order : orders) {
      if (socket_) waiting_.push_back(std::move(order));
    }
    if (was_idle) perform_next();
    if (sitting_->is_over() && waiting_.empty()) be_over();
  }

  void perform_next() {
    if (waiting_.empty()) {
      if (sitting_->is_over()) be_over();
      return;
    }
    const Socket socket = socket_;
    const auto done = [this, socket](error_code error, std::size_t) {
      if (socket != socket_) return;
      if (error) return lose(socket);
      waiting_.pop_front();
      perform_next();
    };
    const Order& next = waiting_.front();
    if (const auto* text = std::get_if<SayText>(&next)) {
      socket->async_write(asio::buffer(text->text), done);
    } else if (std::holds_alternative<SayPing>(next)) {
      socket->async_ping({}, [done](error_code error) { done(error, 0); });
    } else if (std::holds_alternative<CutLine>(next)) {
      let_go(socket);
    } else if (std::holds_alternative<FallSilent>(next)) {
      // The connection stays, but nobody reads or answers any more.
      silent_.push_back(std::exchange(socket_, nullptr));
      waiting_.clear();
      error_code ignored;
      static_cast<void>(socket->next_layer().cancel(ignored));
    } else {
      const auto code = static_cast<std::uint16_t>(std::get<EndLine>(next).code);
      socket_.reset();
      waiting_.clear();
      socket->async_close(beast::websocket::close_reason(code), [this, socket](error_code) {
        if (sitting_->is_over()) be_over();
      });
    }
  }

  void restart_timer() {
    // A process that is started beside ten others needs a while to come.
    timer_.expires_after(sitting_->patience() * (has_come_ ? 1 : 3));
    timer_.async_wait([this](error_code cancelled) {
      if (cancelled || is_over_) return;
      // A peer that does not even close must not keep us.
      if (sitting_->is_over()) return be_over();
      perform(sitting_->waited(now()));
    });
  }

  void watch_child() {
    children_.async_wait([this](error_code error, int) {
      if (error) return;
      int status = 0;
      if (child_ == 0 || ::waitpid(child_, &status, WNOHANG) != child_) return watch_child();
      child_ = 0;
      end_timer_.expires_after(kLastWords);
      end_timer_.async_wait([this, status](error_code) {
        sitting_->ended(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        be_over();
      });
    });
  }

  void be_over() {
    if (std::exchange(is_over_, true)) return;
    timer_.cancel();
    error_code ignored;
    static_cast<void>(acceptor_.close(ignored));
    // After a match it may go by itself; otherwise it has no reason to.
    const bool has_played = name_ == SittingName::game || name_ == SittingName::host;
    if (child_ != 0 && !has_played) end_process(std::exchange(child_, 0));
    asio::post(io_, over_);
  }

  void see_child_off() {
    for (int tries = kFarewellTries; child_ != 0 && tries > 0; --tries) {
      if (::waitpid(child_, nullptr, WNOHANG) == child_) return;
      std::this_thread::sleep_for(kFarewellPause);
    }
    if (child_ != 0) end_process(child_);
  }

  asio::io_context& io_;
  SittingName name_;
  std::unique_ptr<Sitting> sitting_;
  std::function<void()> over_;
  Tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  asio::steady_timer end_timer_;
  asio::signal_set children_;
  Socket socket_;               // null while the candidate is away
  std::vector<Socket> silent_;  // those that are not read any more
  std::deque<Order> waiting_;
  pid_t child_ = 0;  // 0: none, or not any more
  bool has_come_ = false;
  bool is_over_ = false;
};

void print(const std::vector<Check>& checks, bool as_json) {
  if (as_json) {
    std::cout << encoded(checks) << std::endl;
    return;
  }
  for (const Check& check : checks) {
    std::string verdict(word_of(check.verdict));
    if (check.verdict == Verdict::failed) verdict = "FAILED";
    std::cout << std::left << std::setw(12) << verdict << std::setw(15) << word_of(check.check)
              << check.wants << "\n";
    if (check.saw) std::cout << std::string(27, ' ') << "but: " << *check.saw << "\n";
  }
  std::cout << (is_passed(checks) ? "The candidate passed." : "The candidate did not pass.")
            << std::endl;
}

int refuse(const std::string& why) {
  std::cerr << "triquetra conformance: " << why << "\n";
  return 2;
}

}  // namespace

std::vector<SittingName> usual_sittings(const ExamOrders& orders) {
  if (orders.command.empty()) return {SittingName::game};
  std::vector<SittingName> all = {SittingName::game};
  if (!orders.host.empty()) all.push_back(SittingName::host);
  const auto others = {SittingName::link,          SittingName::greeting, SittingName::silence,
                       SittingName::hello_refused, SittingName::bad_name, SittingName::bad_device,
                       SittingName::kicked,        SittingName::left,     SittingName::closed,
                       SittingName::shut_out};
  all.insert(all.end(), others);
  return all;
}

int run_exam(const ExamOrders& orders) {
  const GameKind* game = find_game(orders.plan.game);
  if (game == nullptr) return refuse("there is no game " + orders.plan.game);
  try {
    const std::string options = game->canonical_options(orders.plan.options);
    if (orders.plan.seats < 2 || game->check(options, orders.plan.seats)) {
      return refuse("so many seats cannot play this");
    }
  } catch (const Malformed&) {
    return refuse("these are no options of this game: " + orders.plan.options);
  }
  asio::io_context io(1);
  asio::signal_set interrupts(io, SIGINT, SIGTERM);
  interrupts.async_wait([&io](error_code error, int) {
    if (!error) io.stop();
  });
  std::list<ExamServer> servers;
  const auto over = [&io, &servers] {
    const bool is_all = std::all_of(servers.begin(), servers.end(),
                                    [](const auto& each) { return each.is_over(); });
    if (is_all) io.stop();
  };
  std::uint16_t port = orders.port;
  for (const SittingName name : orders.sittings) {
    servers.emplace_back(io, orders, name, port, over);
    if (port != 0) ++port;
  }
  io.run();
  std::vector<std::pair<SittingName, std::vector<Check>>> notes;
  for (const ExamServer& server : servers) {
    notes.emplace_back(server.name(), server.sitting().checks());
  }
  const std::vector<Check> checks = gathered(notes);
  print(checks, orders.as_json);
  return is_passed(checks) ? 0 : 1;
}

}  // namespace triquetra
