// A WebSocket peer over a stream of either kind, plain or TLS. Only ws_server.cpp includes this.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/encode.hpp"
#include "server/clock.hpp"
#include "server/config.hpp"
#include "server/hub.hpp"
#include "server/metrics.hpp"
#include "server/outbox.hpp"
#include "server/session.hpp"
#include "server/web_files.hpp"

namespace triquetra::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

/// How much a peer may send: what is over it stays in the network until the next second.
class ReadBudget {
 public:
  void limit(std::size_t bytes_per_second) { limit_ = bytes_per_second; }

 private:
  friend class beast::rate_policy_access;
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

  std::size_t available_read_bytes() {
    if (limit_ == kAll) return kAll;
    if (now() - since_ >= std::chrono::seconds(1)) {
      since_ = now();
      used_ = 0;
    }
    return limit_ > used_ ? limit_ - used_ : 0;
  }
  static std::size_t available_write_bytes() { return kAll; }
  void transfer_read_bytes(std::size_t bytes) { used_ += bytes; }
  static void transfer_write_bytes(std::size_t /*bytes*/) {}
  static void on_timer() {}

  std::size_t limit_ = kAll;
  std::size_t used_ = 0;
  TimePoint since_{};
};

// Concrete executors: a fifth less work for each act than with any_io_executor.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Plain = beast::basic_stream<tcp, Executor, ReadBudget>;
using Tls = beast::ssl_stream<Plain>;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

/// A WebSocket peer as the server's upkeep sees it.
class WsPeer : public Connection {
 public:
  /// Ends without a farewell. On this connection's thread.
  virtual void cut_off() = 0;
  /// Cuts off a peer that drips, does not read, or does not go. On this connection's thread.
  virtual void look_at(TimePoint at) = 0;
};

/// What all connections share: settings, counts that any thread may touch, and for each thread the
/// WebSockets on it, touched by that thread alone.
struct Shared {
  Hub& hub;
  Config config;
  Networks trusted_proxies{config.trusted_proxies};
  WebFiles web{config.web_root};
  std::atomic<bool> draining{false};
  std::atomic<std::size_t> open{0};
  std::atomic<ConnectionId> next_id{0};
  std::vector<std::map<ConnectionId, std::weak_ptr<WsPeer>>> by_thread{};
};

/// Counts an open connection while it lives, for the server and for the address that it comes from.
class Pass {
 public:
  Pass(Shared& shared, std::string address) : shared_(shared), address_(std::move(address)) {
    ++shared_.open;
  }
  ~Pass() {
    --shared_.open;
    if (address_.empty()) return;
    shared_.hub.ask_gate(
        [address = std::move(address_)](Gatekeeper& gate) { gate.leave(address, now()); });
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

 private:
  Shared& shared_;
  std::string address_;  // empty: counted elsewhere
};
using PassPointer = std::shared_ptr<Pass>;

/// How every WebSocket of ours behaves.
template <class Stream>
void set_up(Stream& stream, std::size_t message_bytes) {
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = limits::kHandshakeTime;
  timeout.idle_timeout = limits::kIdleTime;
  timeout.keep_alive_pings = true;
  stream.set_option(timeout);
  stream.read_message_max(message_bytes);
  stream.auto_fragment(false);
}

#ifdef TRIQUETRA_TEST_ECHO
/// Says again whatever it hears: for the conformance suite, in builds with tests alone.
/// Compression, which players are not offered, is on so that its cases have something to talk to.
template <class Stream>
class EchoConnection : public std::enable_shared_from_this<EchoConnection<Stream>> {
 public:
  explicit EchoConnection(Stream stream) : stream_(std::move(stream)) {
    beast::get_lowest_layer(stream_).expires_never();
  }
  void accept(const Request& request) {
    set_up(stream_, kLargestCase);
    websocket::permessage_deflate deflate;
    deflate.server_enable = true;
    stream_.set_option(deflate);
    stream_.async_accept(request, [self = this->shared_from_this()](error_code error) {
      if (!error) self->read();
    });
  }

 private:
  static constexpr std::size_t kLargestCase = 16 * 1024 * 1024;

  void read() {
    stream_.async_read(buffer_, [self = this->shared_from_this()](error_code error, std::size_t) {
      if (!error) self->write();
    });
  }
  void write() {
    stream_.text(stream_.got_text());
    stream_.async_write(buffer_.data(),
                        [self = this->shared_from_this()](error_code error, std::size_t) {
                          self->buffer_.consume(self->buffer_.size());
                          if (!error) self->read();
                        });
  }

  websocket::stream<Stream, true> stream_;
  beast::flat_buffer buffer_;
};
#endif

template <class Stream>
class WsConnection final : public WsPeer,
                           public std::enable_shared_from_this<WsConnection<Stream>> {
 public:
  WsConnection(Shared& shared, std::size_t thread, Stream stream, std::string address,
               PassPointer pass)
      : shared_(shared),
        thread_(thread),
        context_(shared.hub.context(thread)),
        id_(++shared.next_id),
        address_(std::move(address)),
        pass_(std::move(pass)),
        stream_(std::move(stream)) {
    metrics().connected(true);
    // From here on the WebSocket has its own timeouts.
    beast::get_lowest_layer(stream_).expires_never();
    beast::get_lowest_layer(stream_).rate_policy().limit(limits::kReadBytesPerSecond);
  }
  ~WsConnection() override { metrics().connected(false); }
  WsConnection(const WsConnection&) = delete;
  WsConnection& operator=(const WsConnection&) = delete;

  ConnectionId id() const override { return id_; }
  asio::io_context& context() override { return context_; }

  void accept(const Request& request) {
    shared_.by_thread[thread_][id_] = this->weak_from_this();
    set_up(stream_, limits::kMessageBytes);
    stream_.async_accept(request, [self = this->shared_from_this()](error_code error) {
      if (error) return self->closed();
      self->session_ = std::make_shared<Session>(self->shared_.hub, self, self->address_);
      self->read();
    });
  }

  void send(Outgoing frame, std::string room) override {
    asio::post(context_, [self = this->shared_from_this(), frame = std::move(frame),
                          room = std::move(room)]() mutable {
      self->enqueue(std::move(frame), std::move(room));
    });
  }
  void finish(ByeCode code, std::int64_t retry_ms) override {
    asio::post(context_,
               [self = this->shared_from_this(), code, retry_ms] { self->end(code, retry_ms); });
  }
  void cut_off() override { closed(); }
  void look_at(TimePoint at) override {
    const bool drips = hearing_since_ && at - *hearing_since_ > limits::kMessageTime;
    const bool is_deaf = writing_since_ && at - *writing_since_ > limits::kWriteTime;
    const bool stays = ending_since_ && at - *ending_since_ > limits::kFarewellTime;
    if (drips || is_deaf || stays) cut_off();
  }

 private:
  void read() {
    stream_.async_read_some(buffer_, limits::kMessageBytes,
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                              // A write that failed meanwhile has ended the session already.
                              if (error || !self->session_) return self->closed();
                              self->heard_some();
                              self->read();
                            });
  }

  void heard_some() {
    if (!stream_.is_message_done()) {
      if (!hearing_since_) hearing_since_ = now();
      return;
    }
    hearing_since_.reset();
    if (stream_.got_text()) {
      session_->hear(beast::buffers_to_string(buffer_.data()));
    } else {
      session_->hear_binary();
    }
    buffer_.consume(buffer_.size());
  }

  void enqueue(Outgoing frame, std::string room) {
    if (ending_) return;
    if (frame.refusal) metrics().refused(*frame.refusal);
    if (frame.refusal && session_) session_->turned_away(room, *frame.refusal);
    const bool idle = outbox_.empty();
    if (!outbox_.push(std::move(frame), std::move(room))) {
      return end(ByeCode::slow, limits::kSlowRetryMs);
    }
    if (idle) write();
  }

  static websocket::close_code close_code_of(ByeCode code) {
    if (code == ByeCode::restarting) return websocket::close_code::service_restart;
    if (code == ByeCode::too_fast) return websocket::close_code::policy_error;
    return websocket::close_code::try_again_later;
  }

  void end(ByeCode code, std::int64_t retry_ms) {
    if (ending_) return;
    ending_ = true;
    ending_since_ = now();
    last_code_ = close_code_of(code);
    const bool writing = !outbox_.empty();
    outbox_.end_with({id_, nullptr, encoded(Bye{code, {}, retry_ms}), false});
    if (!writing) write();
  }

  void write() {
    const Outgoing& frame = outbox_.front();
    const asio::const_buffer shared =
        frame.shared ? asio::buffer(*frame.shared) : asio::const_buffer();
    const std::array<asio::const_buffer, 2> buffers{shared, asio::buffer(frame.own)};
    stream_.text(true);
    writing_since_ = now();
    stream_.async_write(buffers, [self = this->shared_from_this()](error_code error, std::size_t) {
      if (error) return self->closed();
      self->writing_since_.reset();
      self->outbox_.pop();
      if (!self->outbox_.empty()) return self->write();
      if (self->ending_) self->close();
    });
  }

  void close() {
    stream_.async_close(last_code_, [self = this->shared_from_this()](error_code) {});
  }

  void closed() {
    ending_ = true;
    if (session_) session_->gone();
    // The session holds this connection: let go of each other.
    session_.reset();
    shared_.by_thread[thread_].erase(id_);
    // Also what is still being written: nobody watches it any more.
    beast::get_lowest_layer(stream_).close();
  }

  Shared& shared_;
  const std::size_t thread_;
  asio::io_context& context_;
  const ConnectionId id_;
  const std::string address_;
  const PassPointer pass_;
  websocket::stream<Stream, false> stream_;
  beast::flat_buffer buffer_;
  std::shared_ptr<Session> session_;
  Outbox outbox_;
  bool ending_ = false;
  // Since when a message has been incomplete, a frame has been on its way out, a farewell unread.
  std::optional<TimePoint> hearing_since_;
  std::optional<TimePoint> writing_since_;
  std::optional<TimePoint> ending_since_;
  websocket::close_code last_code_ = websocket::close_code::going_away;
};

}  // namespace triquetra::net
