// A WebSocket peer. Only http_connection.hpp includes this.
#pragma once

#include <boost/beast/websocket.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/wire.hpp"
#include "server/net/outbox.hpp"
#include "server/net/peer.hpp"
#include "server/people/session.hpp"

namespace triquetra::net {

namespace websocket = beast::websocket;

/// How every WebSocket of ours behaves.
template <class WebSocket>
void set_up(WebSocket& stream, std::size_t message_bytes) {
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
class EchoConnection : public std::enable_shared_from_this<EchoConnection> {
 public:
  explicit EchoConnection(Stream stream) : stream_(std::move(stream)) {
    beast::get_lowest_layer(stream_).expires_never();
  }
  void accept(const Request& request) {
    set_up(stream_, kLargestCase);
    websocket::permessage_deflate deflate;
    deflate.server_enable = true;
    stream_.set_option(deflate);
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (!error) self->read();
    });
  }

 private:
  static constexpr std::size_t kLargestCase = 16 * 1024 * 1024;

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->write();
    });
  }
  void write() {
    stream_.text(stream_.got_text());
    stream_.async_write(buffer_.data(), [self = shared_from_this()](error_code error, std::size_t) {
      self->buffer_.consume(self->buffer_.size());
      if (!error) self->read();
    });
  }

  websocket::stream<Stream, true> stream_;
  beast::flat_buffer buffer_;
};
#endif

class WsConnection final : public WsPeer, public std::enable_shared_from_this<WsConnection> {
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
    beast::get_lowest_layer(stream_).rate_policy().limit(limits::kReadBytesPerSecond, &now);
  }
  ~WsConnection() override {
    metrics().connected(false);
    metrics().outbox(-counted_);
  }
  WsConnection(const WsConnection&) = delete;
  WsConnection& operator=(const WsConnection&) = delete;

  ConnectionId id() const override { return id_; }
  asio::io_context& context() override { return context_; }

  void accept(const Request& request) {
    shared_.by_thread[thread_][id_] = weak_from_this();
    set_up(stream_, limits::kMessageBytes);
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return self->closed();
      self->session_ = std::make_shared<Session>(self->shared_.hub, self, self->address_);
      self->read();
    });
  }

  void send(Outgoing frame, std::string room) override {
    asio::post(context_, [self = shared_from_this(), frame = std::move(frame),
                          room = std::move(room)]() mutable {
      self->enqueue(std::move(frame), std::move(room));
    });
  }
  void finish(ByeCode code, std::int64_t retry_ms) override {
    asio::post(context_,
               [self = shared_from_this(), code, retry_ms] { self->end(code, retry_ms); });
  }
  void cut_off() override { closed(); }
  void tell(const std::shared_ptr<const std::string>& frame) override {
    if (session_ && session_->greeted()) enqueue({id_, frame, {}}, {});
  }
  void look_at(TimePoint at) override {
    const bool drips = hearing_since_ && at - *hearing_since_ > limits::kMessageTime;
    const bool is_deaf = writing_since_ && at - *writing_since_ > limits::kWriteTime;
    const bool stays = ending_since_ && at - *ending_since_ > limits::kFarewellTime;
    if (drips || is_deaf || stays) cut_off();
  }

 private:
  void read() {
    stream_.async_read_some(buffer_, limits::kMessageBytes,
                            [self = shared_from_this()](error_code error, std::size_t) {
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
    if (frame.is_asked && session_) {
      session_->answered(frame.own.size() + (frame.shared ? frame.shared->size() : 0));
    }
    const bool idle = outbox_.empty();
    if (!outbox_.push(std::move(frame), std::move(room))) {
      return end(ByeCode::slow, limits::kSlowRetryMs);
    }
    count();
    if (idle) write();
  }

  /// What /metrics says of all outboxes together.
  void count() {
    const auto waiting = static_cast<std::int64_t>(outbox_.size());
    metrics().outbox(waiting - std::exchange(counted_, waiting));
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
    count();
    if (!writing) write();
  }

  void write() {
    const Outgoing& frame = outbox_.front();
    const asio::const_buffer shared =
        frame.shared ? asio::buffer(*frame.shared) : asio::const_buffer();
    const std::array<asio::const_buffer, 2> buffers{shared, asio::buffer(frame.own)};
    stream_.text(true);
    writing_since_ = now();
    stream_.async_write(buffers, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->closed();
      self->writing_since_.reset();
      self->outbox_.pop();
      self->count();
      if (!self->outbox_.empty()) return self->write();
      if (self->ending_) self->close();
    });
  }

  void close() {
    stream_.async_close(last_code_, [self = shared_from_this()](error_code) {});
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
  std::int64_t counted_ = 0;  // of its frames
  bool ending_ = false;
  // Since when a message has been incomplete, a frame has been on its way out, a farewell unread.
  std::optional<TimePoint> hearing_since_;
  std::optional<TimePoint> writing_since_;
  std::optional<TimePoint> ending_since_;
  websocket::close_code last_code_ = websocket::close_code::going_away;
};

}  // namespace triquetra::net
