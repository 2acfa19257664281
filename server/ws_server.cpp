#include "server/ws_server.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <utility>

#include "protocol/encode.hpp"
#include "server/clock.hpp"
#include "server/outbox.hpp"
#include "server/session.hpp"
#include "server/web_files.hpp"

namespace triquetra {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

// Concrete executors: a fifth less work for each act than with any_io_executor.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

class WsConnection;

/// What all connections share: settings, counts that any thread may touch, and for each thread the
/// WebSockets on it, touched by that thread alone.
struct Shared {
  Hub& hub;
  Config config;
  WebFiles web{config.web_root};
  std::atomic<std::size_t> open{0};
  std::atomic<ConnectionId> next_id{0};
  std::vector<std::map<ConnectionId, std::weak_ptr<WsConnection>>> by_thread{};
};

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
class EchoConnection : public std::enable_shared_from_this<EchoConnection> {
 public:
  explicit EchoConnection(Socket socket) : stream_(std::move(socket)) {}
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

  websocket::stream<Socket, true> stream_;
  beast::flat_buffer buffer_;
};
#endif

// -------------------------------------------------------------------------------------------------

class WsConnection final : public Connection, public std::enable_shared_from_this<WsConnection> {
 public:
  WsConnection(Shared& shared, std::size_t thread, Socket socket)
      : shared_(shared),
        thread_(thread),
        context_(shared.hub.context(thread)),
        id_(++shared.next_id),
        stream_(std::move(socket)) {
    ++shared_.open;
  }
  ~WsConnection() override { --shared_.open; }
  WsConnection(const WsConnection&) = delete;
  WsConnection& operator=(const WsConnection&) = delete;

  ConnectionId id() const override { return id_; }
  asio::io_context& context() override { return context_; }

  void accept(const Request& request) {
    shared_.by_thread[thread_][id_] = weak_from_this();
    set_up(stream_, limits::kMessageBytes);
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return self->closed();
      self->session_ = std::make_shared<Session>(self->shared_.hub, self);
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
  /// Ends without a farewell. On this connection's thread.
  void cut_off() {
    closed();
    error_code ignored;
    stream_.next_layer().close(ignored);
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      // A write that failed meanwhile has ended the session already.
      if (error || !self->session_) return self->closed();
      if (self->stream_.got_text()) {
        self->session_->hear(beast::buffers_to_string(self->buffer_.data()));
      } else {
        self->session_->hear_binary();
      }
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void enqueue(Outgoing frame, std::string room) {
    if (ending_) return;
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
    stream_.async_write(buffers, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->closed();
      self->outbox_.pop();
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
  }

  Shared& shared_;
  const std::size_t thread_;
  asio::io_context& context_;
  const ConnectionId id_;
  websocket::stream<Socket, false> stream_;
  beast::flat_buffer buffer_;
  std::shared_ptr<Session> session_;
  Outbox outbox_;
  bool ending_ = false;
  websocket::close_code last_code_ = websocket::close_code::going_away;
};

// -------------------------------------------------------------------------------------------------

struct GameShown {
  std::string name;
  std::int64_t version{};
  std::int64_t min_seats{};
  std::int64_t max_seats{};
};
BOOST_DESCRIBE_STRUCT(GameShown, (), (name, version, min_seats, max_seats))
struct GamesShown {
  std::vector<GameShown> games;
};
BOOST_DESCRIBE_STRUCT(GamesShown, (), (games))
struct VersionShown {
  std::string version;
  std::int64_t protocol{};
  std::string web;  // changes whenever the browser client does
};
BOOST_DESCRIBE_STRUCT(VersionShown, (), (version, protocol, web))
struct RoomsShown {
  std::vector<ListedRoom> rooms;
};
BOOST_DESCRIBE_STRUCT(RoomsShown, (), (rooms))

std::string games_json() {
  GamesShown shown;
  for (const GameKind& game : catalog()) {
    shown.games.push_back({std::string(game.name), game.version,
                           static_cast<std::int64_t>(game.min_seats),
                           static_cast<std::int64_t>(game.max_seats)});
  }
  return encoded(shown);
}

/// One peer until it is answered, or has become a WebSocket.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(Shared& shared, std::size_t thread, Socket socket)
      : shared_(shared),
        thread_(thread),
        context_(shared.hub.context(thread)),
        stream_(std::move(socket)) {
    ++shared_.open;
  }
  ~HttpConnection() { --shared_.open; }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits::kHeaderBytes));
    parser_->body_limit(0);
    stream_.expires_after(limits::kHandshakeTime);
    http::async_read(
        stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
          if (!error) return self->answer(self->parser_->release());
          if (error == http::error::body_limit) {
            self->respond(http::status::payload_too_large, "text/plain", "no body, please\n");
          } else if (error == http::error::header_limit) {
            self->respond(http::status::request_header_fields_too_large, "text/plain",
                          "too much header\n");
          }
        });
  }

 private:
  void answer(const Request& request) {
    const std::string target(request.target());
    const std::string path = target.substr(0, target.find('?'));
    head_only_ = request.method() == http::verb::head;
    keep_alive_ = request.keep_alive();
    if (path == "/ws" || path.starts_with("/ws/")) return upgrade(request);
#ifdef TRIQUETRA_TEST_ECHO
    if (path == "/test/echo") return upgrade(request);
#endif
    if (request.method() != http::verb::get && !head_only_) {
      return respond(http::status::method_not_allowed, "text/plain", "only GET here\n");
    }
    if (path == "/healthz") return respond(http::status::ok, "text/plain", "ok\n");
    if (path == "/version") {
      return respond(
          http::status::ok, "application/json",
          encoded(VersionShown{TRIQUETRA_VERSION, kProtocolVersion, shared_.web.build()}));
    }
    if (path == "/api/v1/games") return respond(http::status::ok, "application/json", games_json());
    if (path == "/api/v1/rooms") return rooms();
    const auto file = shared_.web.answer(path, request[http::field::if_none_match],
                                         request[http::field::accept_encoding]);
    if (file) return hand_out(*file);
    respond(http::status::not_found, "text/plain", "not here\n");
  }

  void rooms() {
    shared_.hub.ask_lobby([self = shared_from_this()](Lobby& lobby) {
      asio::post(self->context_, [self, text = encoded(RoomsShown{lobby.listed()})] {
        self->respond(http::status::ok, "application/json", text);
      });
    });
  }

  void upgrade(const Request& request) {
    if (!websocket::is_upgrade(request)) {
      return respond(http::status::upgrade_required, "text/plain", "this is a WebSocket address\n");
    }
    // A page of another site must not play with its visitor's network access.
    if (!may_come_from(request)) {
      return respond(http::status::forbidden, "text/plain", "this origin may not connect\n");
    }
#ifdef TRIQUETRA_TEST_ECHO
    if (request.target() == "/test/echo") {
      return std::make_shared<EchoConnection>(stream_.release_socket())->accept(request);
    }
#endif
    const auto connection =
        std::make_shared<WsConnection>(shared_, thread_, stream_.release_socket());
    connection->accept(request);
  }

  bool may_come_from(const Request& request) const {
    const auto origin = std::string(request[http::field::origin]);
    if (origin.empty()) return true;
    const auto& allowed = shared_.config.allow_origin;
    if (std::find(allowed.begin(), allowed.end(), origin) != allowed.end()) return true;
    const auto host = std::string(request[http::field::host]);
    return origin == "http://" + host || origin == "https://" + host;
  }

  void hand_out(const WebAnswer& file) {
    response_.emplace(static_cast<http::status>(file.status), 11);
    for (const auto& [name, value] : file.headers) response_->set(name, value);
    response_->keep_alive(keep_alive_);
    write(std::string(file.body), limits::kFileTime);
  }

  void respond(http::status status, const char* type, std::string body) {
    response_.emplace(status, 11);
    for (const auto& [name, value] : security_headers()) response_->set(name, value);
    response_->set(http::field::content_type, type);
    response_->set(http::field::cache_control, "no-store");
    if (status == http::status::method_not_allowed) response_->set(http::field::allow, "GET, HEAD");
    const bool failed = http::to_status_class(status) != http::status_class::successful;
    response_->keep_alive(keep_alive_ && !failed);
    write(std::move(body), limits::kHandshakeTime);
  }

  void write(std::string body, std::chrono::seconds within) {
    if (response_->result() != http::status::not_modified) response_->content_length(body.size());
    if (!head_only_) response_->body() = std::move(body);
    stream_.expires_after(within);
    http::async_write(stream_, *response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return;
                        if (self->response_->keep_alive()) return self->read();
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, error);
                      });
  }

  Shared& shared_;
  const std::size_t thread_;
  asio::io_context& context_;
  beast::basic_stream<tcp, Executor> stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<Response> response_;
  bool head_only_ = false;
  bool keep_alive_ = false;
};

}  // namespace

// -------------------------------------------------------------------------------------------------

struct WsServer::Parts {
  Parts(Hub& hub, const Config& config)
      : shared{hub, config},
        acceptor(hub.first(), tcp::endpoint(asio::ip::make_address(config.listen), config.port)),
        pause(hub.first()) {
    shared.by_thread.resize(hub.thread_count());
  }

  void accept() {
    const std::size_t thread = accepted++ % shared.hub.thread_count();
    asio::io_context& context = shared.hub.context(thread);
    acceptor.async_accept(context, [this, thread, &context](error_code error, Socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      if (shared.open < limits::kConnections) {
        // On the connection's own thread from here on.
        auto connection = std::make_shared<HttpConnection>(shared, thread, std::move(socket));
        asio::post(context, [connection] { connection->read(); });
      }
      accept();
    });
  }
  /// Out of descriptors, most likely: some will come free.
  void accept_later() {
    pause.expires_after(std::chrono::milliseconds(100));
    pause.async_wait([this](error_code error) {
      if (!error) accept();
    });
  }

  /// Calls f(connection) for every WebSocket, each on its own thread.
  template <class F>
  void each_connection(const F& f) {
    for (std::size_t thread = 0; thread < shared.hub.thread_count(); ++thread) {
      asio::post(shared.hub.context(thread), [this, thread, f] {
        const auto connections = shared.by_thread[thread];
        for (const auto& entry : connections) {
          if (const auto connection = entry.second.lock()) f(*connection);
        }
      });
    }
  }
  void say_bye() {
    each_connection([](WsConnection& connection) { connection.finish(ByeCode::restarting, 1000); });
  }
  /// Peers that have not gone by `latest` are cut off.
  void wait_until_gone(TimePoint latest, bool cut_off, std::function<void()> done) {
    const bool late = now() >= latest;
    if (shared.open == 0 || (late && cut_off)) return done();
    if (late) {
      each_connection([](WsConnection& connection) { connection.cut_off(); });
      latest = now() + limits::kCutOffTime;
    }
    pause.expires_after(std::chrono::milliseconds(20));
    pause.async_wait([this, latest, next = cut_off || late, done = std::move(done)](error_code) {
      wait_until_gone(latest, next, done);
    });
  }

  Shared shared;
  asio::basic_socket_acceptor<tcp, Executor> acceptor;
  asio::basic_waitable_timer<std::chrono::steady_clock> pause;
  std::size_t accepted = 0;
};

WsServer::WsServer(Hub& hub, const Config& config) : parts_(std::make_unique<Parts>(hub, config)) {}
WsServer::~WsServer() = default;

std::uint16_t WsServer::port() const { return parts_->acceptor.local_endpoint().port(); }
void WsServer::start() { parts_->accept(); }

void WsServer::drain(std::function<void()> done) {
  error_code ignored;
  parts_->acceptor.close(ignored);
  parts_->say_bye();
  parts_->wait_until_gone(now() + limits::kDrainTime, false, std::move(done));
}

bool is_healthy(const std::string& address, std::uint16_t port) {
  try {
    asio::io_context context;
    beast::tcp_stream stream(context);
    stream.expires_after(std::chrono::seconds(3));
    const bool everywhere = address == "0.0.0.0" || address == "::";
    stream.connect({asio::ip::make_address(everywhere ? "127.0.0.1" : address), port});
    Request request(http::verb::get, "/healthz", 11);
    request.set(http::field::host, "localhost");
    http::write(stream, request);
    beast::flat_buffer buffer;
    Response response;
    http::read(stream, buffer, response);
    return response.result() == http::status::ok;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace triquetra
