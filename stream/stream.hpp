// What both ends of a line stand on: a TCP stream, with TLS or without.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/ssl.hpp>

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <variant>

namespace triquetra {

namespace asio = boost::asio;
namespace beast = boost::beast;
using tcp = asio::ip::tcp;
using boost::system::error_code;

// Concrete executors: a fifth less work for each act than with any_io_executor.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Plain = beast::basic_stream<tcp, Executor>;
using Tls = beast::ssl_stream<Plain>;

/// What follows a read or a write, whatever type it has: a function that is called once and cannot
/// be copied.
class WhenDone {
 public:
  template <class Handler>
  explicit WhenDone(Handler handler) : what_(std::make_unique<Of<Handler>>(std::move(handler))) {}
  void operator()(error_code error, std::size_t bytes) {
    std::exchange(what_, nullptr)->call(error, bytes);
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual void call(error_code error, std::size_t bytes) = 0;
  };
  template <class Handler>
  struct Of final : Any {
    explicit Of(Handler of) : handler(std::move(of)) {}
    void call(error_code error, std::size_t bytes) override { handler(error, bytes); }
    Handler handler;
  };
  std::unique_ptr<Any> what_;
};

/// A stream with TLS or without, an AsyncStream in Asio's words. What is built on it sees
/// neither the kind nor what is below, nor is that made again for each thing that reads or writes:
/// a compiler took minutes for it.
class Stream {
 public:
  using executor_type = Executor;

  explicit Stream(Plain plain) : either_(std::move(plain)) {}
  explicit Stream(Tls tls) : either_(std::move(tls)) {}

  bool is_tls() const { return std::holds_alternative<Tls>(either_); }
  /// What has the socket and its timeouts.
  Plain& next_layer() { return is_tls() ? tls().next_layer() : std::get<Plain>(either_); }
  const Plain& next_layer() const {
    return is_tls() ? std::get<Tls>(either_).next_layer() : std::get<Plain>(either_);
  }
  executor_type get_executor() noexcept { return next_layer().get_executor(); }

  /// Only with TLS.
  Tls& tls() { return std::get<Tls>(either_); }
  void async_handshake(asio::ssl::stream_base::handshake_type as,
                       std::function<void(error_code)> done);
  void async_shutdown(std::function<void(error_code)> done);

  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    read_some(first_of<asio::mutable_buffer>(buffers), WhenDone(std::forward<Handler>(handler)));
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    write_some(first_of<asio::const_buffer>(buffers), WhenDone(std::forward<Handler>(handler)));
  }
  /// How a WebSocket ends its connection; Beast finds it by its name.
  template <class Handler>
  friend void async_teardown(beast::role_type role, Stream& stream, Handler&& handler) {
    auto done = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    stream.tear_down(role, [done](error_code error) { (*done)(error); });
  }

 private:
  // A frame's head and its two parts, and one to spare: what is more follows with the next call.
  static constexpr std::size_t kBuffers = 4;
  template <class Buffer>
  using Some = std::array<Buffer, kBuffers>;

  template <class Buffer, class Buffers>
  static Some<Buffer> first_of(const Buffers& buffers) {
    Some<Buffer> some;
    std::size_t count = 0;
    for (auto at = asio::buffer_sequence_begin(buffers);
         at != asio::buffer_sequence_end(buffers) && count < kBuffers; ++at) {
      const Buffer buffer(*at);
      if (buffer.size() > 0) some[count++] = buffer;
    }
    return some;
  }
  void read_some(const Some<asio::mutable_buffer>& buffers, WhenDone done);
  void write_some(const Some<asio::const_buffer>& buffers, WhenDone done);
  void tear_down(beast::role_type role, std::function<void(error_code)> done);

  std::variant<Plain, Tls> either_;
};

}  // namespace triquetra
