#include "tools/exam_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <sys/wait.h>

#include <chrono>
#include <deque>
#include <iomanip>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "protocol/errors.hpp"
#include "protocol/encode.hpp"
#include "tools/process.hpp"

namespace triquetra {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
using WebSocket = beast::websocket::stream<Tcp::socket>;
using Socket = std::shared_ptr<WebSocket>;

constexpr std::size_t kMessageBytes = 64 * 1024;      // as the server has it
constexpr std::chrono::milliseconds kLastWords{300};  // what an ended process said may still come
constexpr std::chrono::milliseconds kFarewellPause{20};
constexpr int kFarewellTries = 50;  // one second

class ExamServer {
 public:
  ExamServer(asio::io_context& io, const ExamOrders& orders)
      : io_(io),
        exam_(orders.plan),
        acceptor_(io, {asio::ip::address_v4::loopback(), orders.port}),
        timer_(io),
        end_timer_(io),
        children_(io, SIGCHLD),
        interrupts_(io, SIGINT, SIGTERM) {
    interrupts_.async_wait([this](error_code error, int) {
      if (!error) io_.stop();
    });
    const std::string url = "ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
    accept();
    if (orders.command.empty()) {
      std::cerr << "Waiting at " << url << " for somebody to join room " << Exam::kRoom
                << std::endl;
      return;
    }
    watch_child();
    child_ = start_process(orders.command, {Exam::kRoom, "--server", url});
    restart_timer();
  }
  ~ExamServer() { see_child_off(); }
  ExamServer(const ExamServer&) = delete;
  ExamServer& operator=(const ExamServer&) = delete;

  const Exam& exam() const { return exam_; }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, Tcp::socket peer) {
      if (error) return;
      accept();
      auto socket = std::make_shared<WebSocket>(std::move(peer));
      socket->read_message_max(kMessageBytes);
      socket->control_callback(
          [this, raw = socket.get()](beast::websocket::frame_type kind, beast::string_view) {
            if (kind == beast::websocket::frame_type::pong && raw == socket_.get()) {
              perform(exam_.ponged());
            }
          });
      socket->async_accept([this, socket](error_code failure) {
        if (failure) return;
        if (socket_) lose(socket_);
        socket_ = socket;
        perform(exam_.opened());
        read(socket);
      });
    });
  }

  void read(const Socket& socket) {
    socket->async_read(buffer_, [this, socket](error_code error, std::size_t) {
      if (socket != socket_) return;
      if (error) return lose(socket);
      const std::string text = beast::buffers_to_string(buffer_.data());
      buffer_.consume(buffer_.size());
      perform(socket->got_text() ? exam_.heard(text) : exam_.heard_binary());
      if (socket == socket_) read(socket);
    });
  }

  /// The peer went, or we let it go.
  void lose(const Socket& socket) {
    let_go(socket);
    perform(exam_.gone());
  }
  void let_go(const Socket& socket) {
    error_code ignored;
    static_cast<void>(socket->next_layer().close(ignored));
    if (socket != socket_) return;
    socket_.reset();
    waiting_.clear();
    buffer_.consume(buffer_.size());
  }

  void perform(std::vector<Order> orders) {
    restart_timer();
    const bool was_idle = waiting_.empty();
    for (Order& order : orders) {
      if (socket_) waiting_.push_back(std::move(order));
    }
    if (was_idle) perform_next();
    if (exam_.is_over() && waiting_.empty()) io_.stop();
  }

  void perform_next() {
    if (waiting_.empty()) {
      if (exam_.is_over()) io_.stop();
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
    } else {
      const auto code = static_cast<std::uint16_t>(std::get<EndLine>(next).code);
      socket_.reset();
      waiting_.clear();
      socket->async_close(beast::websocket::close_reason(code), [this, socket](error_code) {
        if (exam_.is_over()) io_.stop();
      });
    }
  }

  void restart_timer() {
    timer_.expires_after(exam_.patience());
    timer_.async_wait([this](error_code cancelled) {
      // A peer that does not even close must not keep us.
      if (!cancelled && exam_.is_over()) return io_.stop();
      if (!cancelled) perform(exam_.waited());
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
        exam_.ended(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        io_.stop();
      });
    });
  }

  void see_child_off() {
    for (int tries = kFarewellTries; child_ != 0 && tries > 0; --tries) {
      if (::waitpid(child_, nullptr, WNOHANG) == child_) return;
      std::this_thread::sleep_for(kFarewellPause);
    }
    if (child_ != 0) end_process(child_);
  }

  asio::io_context& io_;
  Exam exam_;
  Tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  asio::steady_timer end_timer_;
  asio::signal_set children_;
  asio::signal_set interrupts_;
  Socket socket_;  // null while the candidate is away
  beast::flat_buffer buffer_;
  std::deque<Order> waiting_;
  pid_t child_ = 0;  // 0: none, or not any more
};

void print(const Exam& exam, bool as_json) {
  if (as_json) {
    std::cout << encoded(exam.checks()) << std::endl;
    return;
  }
  for (const Check& check : exam.checks()) {
    std::string verdict(word_of(check.verdict));
    if (check.verdict == Verdict::failed) verdict = "FAILED";
    std::cout << std::left << std::setw(12) << verdict << std::setw(9) << word_of(check.check)
              << check.wants << "\n";
    if (check.saw) std::cout << std::string(21, ' ') << "but: " << *check.saw << "\n";
  }
  std::cout << (exam.is_passed() ? "The candidate passed." : "The candidate did not pass.")
            << std::endl;
}

int refuse(const std::string& why) {
  std::cerr << "triquetra conformance: " << why << "\n";
  return 2;
}

}  // namespace

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
  ExamServer server(io, orders);
  io.run();
  print(server.exam(), orders.as_json);
  return server.exam().is_passed() ? 0 : 1;
}

}  // namespace triquetra
