#include "clients/cli/network/connection.hpp"

#include <openssl/ssl.h>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <algorithm>
#include <cctype>
#include <deque>
#include <utility>

#include "protocol/client_frames.hpp"
#include "stream/stream.hpp"

namespace triquetra::cli {

namespace {

constexpr std::size_t kMaxFrameBytes =
    16 * 1024 * 1024;                      // records of whole matches are the largest
constexpr std::size_t kMaxWaiting = 1000;  // frames that wait to be written
constexpr std::chrono::seconds kConnectTimeout{10};
constexpr std::chrono::seconds kFarewellTimeout{1};
constexpr std::chrono::seconds kIdleTimeout{30};  // a ping after half of it; then the peer is gone

/// Takes the room's code off the end of a path, and what stands between the two.
std::string take_code(std::string_view& path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const auto last = path.rfind('/');
  const auto code =
      last == std::string_view::npos ? std::nullopt : room_code_of(path.substr(last + 1));
  if (!code) return {};
  path = path.substr(0, last);
  for (const std::string_view page : {"/room", "/r"}) {
    if (path.ends_with(page)) path.remove_suffix(page.size());
  }
  return *code;
}

std::string_view without_query(std::string_view text) {
  return text.substr(0, text.find_first_of("?#"));
}

}  // namespace

std::optional<std::string> room_code_of(std::string_view text) {
  constexpr std::size_t kShortest = 4;
  std::string code;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (c == '-' || std::isspace(letter) != 0) continue;
    if (std::isalpha(letter) == 0) return std::nullopt;
    code += static_cast<char>(std::toupper(letter));
  }
  if (code.size() < kShortest || !RoomCode::fits(code)) return std::nullopt;
  return code;
}

std::optional<Target> parse_server(std::string_view text) {
  Target target;
  target.names_server = true;
  text = without_query(text);
  if (const auto scheme = text.find("://"); scheme != std::string_view::npos) {
    const std::string_view word = text.substr(0, scheme);
    target.server.tls = word == "wss" || word == "https";
    if (!target.server.tls && word != "ws" && word != "http") return std::nullopt;
    if (target.server.tls) target.server.port = "443";
    text.remove_prefix(scheme + 3);
  }
  const auto slash = std::min(text.find('/'), text.size());
  const std::string_view authority = text.substr(0, slash);
  std::string_view path = text.substr(slash);
  const auto colon = authority.rfind(':');
  const bool has_port = colon != std::string_view::npos && authority.back() != ']';
  target.server.host = authority.substr(0, has_port ? colon : authority.size());
  if (has_port) target.server.port = authority.substr(colon + 1);
  if (target.server.host.empty() || target.server.port.empty()) return std::nullopt;
  target.room = take_code(path);
  if (!path.empty() && path != "/ws") target.server.path = std::string(path) + "/ws";
  if (path.size() > 3 && path.substr(path.size() - 3) == "/ws") target.server.path = path;
  return target;
}

std::optional<Target> parse_target(std::string_view text) {
  Target target;
  std::string_view path = without_query(text);
  if (path.starts_with('/')) {
    target.room = take_code(path);
    return target.room.empty() ? std::nullopt : std::optional(target);
  }
  const auto code = text == "localhost" ? std::nullopt : room_code_of(path);
  if (!code) return parse_server(text);
  target.room = *code;
  return target;
}

/// Over plain TCP or TLS; certificates are held to the authorities that this system trusts.
class Connection::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, ServerAddress server, Connection::Handlers handlers)
      : io_(io),
        server_(std::move(server)),
        handlers_(std::move(handlers)),
        resolver_(io),
        timer_(io) {
    error_code ignored;
    tls_.set_default_verify_paths(ignored);
    tls_.set_verify_mode(asio::ssl::verify_peer);
  }

  void connect() {
    Plain plain(io_.get_executor());
    wire_ = std::make_shared<Wire>(server_.tls ? Stream(Tls(std::move(plain), tls_))
                                               : Stream(std::move(plain)));
    // localhost is this machine, also where no name service says so: the bare system has none.
    const std::string host = server_.host == "localhost" ? "127.0.0.1" : server_.host;
    resolver_.async_resolve(host, server_.port,
                            [self = shared_from_this(), wire = wire_](
                                error_code error, const tcp::resolver::results_type& found) {
                              if (error) return self->gone(wire, error);
                              wire->plain().expires_after(kConnectTimeout);
                              wire->plain().async_connect(
                                  found, [self, wire](error_code failure, const tcp::endpoint&) {
                                    if (failure) return self->gone(wire, failure);
                                    self->secure(wire);
                                  });
                            });
  }

  void send(std::string frame) {
    if (!is_open_ || wire_->waiting.size() >= kMaxWaiting) return;
    wire_->waiting.push_back(std::move(frame));
    if (wire_->waiting.size() == 1) write(wire_);
  }

  void drop() {
    is_open_ = false;
    resolver_.cancel();
    const WirePointer wire = std::exchange(wire_, nullptr);
    error_code ignored;
    if (wire) static_cast<void>(wire->plain().socket().close(ignored));
  }

  void close(const std::function<void()>& then) {
    is_closed_ = true;
    if (!is_open_) return then();
    is_open_ = false;
    timer_.expires_after(kFarewellTimeout);
    timer_.async_wait([then](error_code cancelled) {
      if (!cancelled) then();
    });
    wire_->socket.async_close(beast::websocket::close_code::normal,
                              [self = shared_from_this(), wire = wire_, then](error_code) {
                                if (self->timer_.cancel() > 0) then();
                              });
  }

  bool is_open() const { return is_open_; }

 private:
  /// One connection with what belongs to it alone, until the last of its operations has ended.
  struct Wire {
    explicit Wire(Stream stream) : socket(std::move(stream)) {}
    Plain& plain() { return socket.next_layer().next_layer(); }

    beast::websocket::stream<Stream, false> socket;
    beast::websocket::response_type answer;  // to the handshake
    beast::flat_buffer buffer;
    std::deque<std::string> waiting;
  };
  using WirePointer = std::shared_ptr<Wire>;

  void secure(const WirePointer& wire) {
    Stream& stream = wire->socket.next_layer();
    if (!stream.is_tls()) return shake_hands(wire);
    // SSL_set_tlsext_host_name without the cast in its macro.
    SSL_ctrl(stream.tls().native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             server_.host.data());
    stream.tls().set_verify_callback(asio::ssl::host_name_verification(server_.host));
    stream.async_handshake(asio::ssl::stream_base::client,
                           [self = shared_from_this(), wire](error_code error) {
                             if (error) return self->gone(wire, error);
                             self->shake_hands(wire);
                           });
  }

  void shake_hands(const WirePointer& wire) {
    error_code ignored;
    static_cast<void>(wire->plain().socket().set_option(tcp::no_delay(true), ignored));
    wire->plain().expires_never();
    wire->socket.set_option(
        beast::websocket::stream_base::timeout{kConnectTimeout, kIdleTimeout, true});
    wire->socket.read_message_max(kMaxFrameBytes);
    wire->socket.async_handshake(wire->answer, server_.host + ":" + server_.port, server_.path,
                                 [self = shared_from_this(), wire](error_code error) {
                                   if (error) return self->gone(wire, error);
                                   if (!self->is_current(wire)) return;
                                   self->is_open_ = true;
                                   self->read(wire);
                                   self->handlers_.opened();
                                 });
  }

  void read(const WirePointer& wire) {
    wire->socket.async_read(wire->buffer,
                            [self = shared_from_this(), wire](error_code error, std::size_t) {
                              if (error) return self->gone(wire, error);
                              if (!self->is_current(wire)) return;
                              std::string frame = beast::buffers_to_string(wire->buffer.data());
                              wire->buffer.consume(wire->buffer.size());
                              self->handlers_.received(std::move(frame));
                              if (self->is_current(wire)) self->read(wire);
                            });
  }

  void write(const WirePointer& wire) {
    wire->socket.async_write(asio::buffer(wire->waiting.front()),
                             [self = shared_from_this(), wire](error_code error, std::size_t) {
                               if (error) return self->gone(wire, error);
                               wire->waiting.pop_front();
                               if (!wire->waiting.empty()) self->write(wire);
                             });
  }

  bool is_current(const WirePointer& wire) const { return !is_closed_ && wire == wire_; }

  // Both the read and the write of a lost connection end here; only the first counts.
  void gone(const WirePointer& wire, error_code error) {
    if (!is_current(wire)) return;
    drop();
    handlers_.lost(error.message(),
                   wire->answer.result() == beast::http::status::service_unavailable);
  }

  asio::io_context& io_;
  ServerAddress server_;
  Connection::Handlers handlers_;
  asio::ssl::context tls_{asio::ssl::context::tls_client};
  tcp::resolver resolver_;
  asio::steady_timer timer_;
  WirePointer wire_;
  bool is_open_ = false;
  bool is_closed_ = false;
};

Connection::Connection(asio::io_context& io, ServerAddress server, Handlers handlers)
    : impl_(std::make_shared<Impl>(io, std::move(server), std::move(handlers))) {}
Connection::~Connection() {
  impl_->close([] {});
}
void Connection::open() { impl_->connect(); }
bool Connection::is_open() const { return impl_->is_open(); }
void Connection::send(std::string frame) { impl_->send(std::move(frame)); }
void Connection::drop() { impl_->drop(); }
void Connection::close(const std::function<void()>& then) { impl_->close(then); }

}  // namespace triquetra::cli
