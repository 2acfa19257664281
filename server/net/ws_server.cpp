#include "server/net/ws_server.hpp"

#include <openssl/ssl.h>
#include <spdlog/spdlog.h>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <csignal>
#include <utility>

#include "server/net/listener.hpp"
#include "server/net/operator_door.hpp"
#include "server/net/peer.hpp"

namespace triquetra {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using net::Request;
using net::Response;
using net::Shared;
using net::WsPeer;

/// A key exchange that keeps what was said secret when the key becomes known, and a cipher that
/// seals what it hides. TLS 1.3 has no others.
constexpr const char* kTls12Suites = "ECDHE+AESGCM:ECDHE+CHACHA20";

/// Reads the certificate and its key. Throws std::runtime_error.
std::shared_ptr<asio::ssl::context> tls_of(const Config& config) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                   asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_compression);
  SSL_CTX_set_options(tls->native_handle(), SSL_OP_NO_RENEGOTIATION);
  ensure(SSL_CTX_set_cipher_list(tls->native_handle(), kTls12Suites) == 1, "OpenSSL has these");
  const auto load = [](const char* option, const std::string& file, const auto& use) {
    const std::string text = contents_of(option, file);
    error_code error;
    use(asio::buffer(text), error);
    if (error) throw std::runtime_error(fmt::format("{} {}: {}", option, file, error.message()));
  };
  load("--tls-certificate", config.tls_certificate,
       [&](const auto& text, error_code& error) { tls->use_certificate_chain(text, error); });
  load("--tls-key", config.tls_key, [&](const auto& text, error_code& error) {
    tls->use_private_key(text, asio::ssl::context::pem, error);
  });
  return tls;
}

}  // namespace

// -------------------------------------------------------------------------------------------------

struct WsServer::Parts {
  Parts(Hub& hub, const Config& config, const std::optional<net::HandedSocket>& handed)
      : shared{hub, config},
        listener(handed ? net::Listener(hub, hub.thread_count(), *handed)
                        : net::Listener(
                              hub, hub.thread_count(), "--listen and --port",
                              tcp::endpoint(asio::ip::make_address(config.listen), config.port))),
        pause(hub.first()),
        hang_up(hub.first()) {
    if (!config.metrics_listen.empty()) {
      operators = std::make_unique<net::OperatorDoor>(shared);
    }
    hub.all_servers().set_here(
        {[this](const std::string& line) {
           const auto frame = std::make_shared<const std::string>(encoded(Notice{line}));
           shared.each_connection([frame](WsPeer& connection) { connection.tell(frame); });
         },
         [] { std::raise(SIGTERM); }});
    shared.desks.resize(hub.thread_count());
    for (net::Desk& desk : shared.desks) desk.parcels.resize(hub.thread_count());
    for (std::size_t i = 0; i < hub.thread_count(); ++i) upkeep.emplace_back(hub.context(i));
    if (!config.tls_certificate.empty()) tls = tls_of(config);
    // Also without TLS: else it would end the server, without a goodbye.
    hang_up.add(SIGHUP);
    read_again();
  }

  void start() {
    listener.open([this](std::size_t thread, Socket socket) {
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      socket.set_option(asio::socket_base::send_buffer_size(limits::kSendBufferBytes), ignored);
      let_in(thread, std::move(socket));
    });
    if (operators) operators->open();
    for (std::size_t i = 0; i < upkeep.size(); ++i) look_after(i);
  }

  /// New connections get what the files hold now; a file that is wrong changes nothing.
  void read_again() {
    hang_up.async_wait([this](error_code error, int) {
      if (error) return;
      try {
        if (tls) tls = tls_of(shared.config);
        spdlog::info(tls ? "read the certificate again"
                         : "SIGHUP changes nothing: there is no --tls-certificate to read again");
      } catch (const std::runtime_error& bad) {
        spdlog::error("the certificate stays as it was: {}", bad.what());
      }
      read_again();
    });
  }

  void look_after(std::size_t thread) {
    upkeep[thread].expires_after(limits::kSweepTime);
    upkeep[thread].async_wait([this, thread](error_code error) {
      if (error) return;
      const TimePoint at = now();
      shared.each_here(thread, [at](WsPeer& connection) { connection.look_at(at); });
      if (thread == 0) shared.hub.look_at_store();
      look_after(thread);
    });
  }

  void let_in(std::size_t thread, Socket socket) {
    error_code error;
    const tcp::endpoint endpoint = socket.remote_endpoint(error);
    if (error || shared.open >= limits::kConnections) return;
    const std::string address = client_address(endpoint.address().to_string(), {}, {});
    // Whoever a trusted proxy brings is counted one by one, when they are known.
    const bool is_proxy = shared.trusted_proxies.contains(address);
    if (!is_proxy && !shared.hub.gate().admit(address, now())) {
      metrics().turned_away("address");
      return spdlog::debug("refused a connection from {}", address);
    }
    auto pass = std::make_shared<net::Pass>(shared, is_proxy ? std::string() : address);
    Plain plain(std::move(socket));
    net::begin(shared, thread, tls ? Stream(Tls(std::move(plain), *tls)) : Stream(std::move(plain)),
               address, std::move(pass));
  }

  void say_bye() {
    shared.each_connection(
        [](WsPeer& connection) { connection.finish(ByeCode::restarting, 1000); });
  }
  /// Peers that have not gone by `latest` are cut off.
  void wait_until_gone(TimePoint latest, bool cut_off, std::function<void()> done) {
    const bool late = now() >= latest;
    if (shared.open == 0 || (late && cut_off)) return done();
    if (late) {
      shared.each_connection([](WsPeer& connection) { connection.cut_off(); });
      latest = now() + limits::kCutOffTime;
    }
    pause.expires_after(std::chrono::milliseconds(20));
    pause.async_wait([this, latest, next = cut_off || late, done = std::move(done)](error_code) {
      wait_until_gone(latest, next, done);
    });
  }

  Shared shared;
  net::Listener listener;
  asio::basic_waitable_timer<std::chrono::steady_clock> pause;
  std::vector<asio::steady_timer> upkeep{};   // one per thread
  std::shared_ptr<asio::ssl::context> tls{};  // none: plain
  asio::signal_set hang_up;
  std::unique_ptr<net::OperatorDoor> operators{};  // none without --metrics-listen
};

WsServer::WsServer(Hub& hub, const Config& config, const std::optional<net::HandedSocket>& handed)
    : parts_(std::make_unique<Parts>(hub, config, handed)) {}
WsServer::~WsServer() = default;

std::uint16_t WsServer::port() const { return parts_->listener.port(); }
void WsServer::start() { parts_->start(); }
void WsServer::loaded() { parts_->shared.starting = false; }

void WsServer::drain(std::function<void()> done) {
  parts_->shared.draining = true;
  parts_->listener.close();
  // Behind whoever has come in by now.
  asio::post(parts_->shared.hub.first(), [this, done = std::move(done)]() mutable {
    parts_->shared.hub.hand_over([this, done = std::move(done)]() mutable {
      parts_->say_bye();
      parts_->wait_until_gone(now() + limits::kDrainTime, false, std::move(done));
    });
  });
}

namespace {

template <class Stream>
bool answers_well(Stream& stream) {
  Request request(http::verb::get, "/healthz", 11);
  request.set(http::field::host, "localhost");
  http::write(stream, request);
  beast::flat_buffer buffer;
  Response response;
  http::read(stream, buffer, response);
  return response.result() == http::status::ok;
}

}  // namespace

bool is_healthy(const Config& config) {
  try {
    asio::io_context context;
    const bool everywhere = config.listen == "0.0.0.0" || config.listen == "::";
    const auto address = asio::ip::make_address(everywhere ? "127.0.0.1" : config.listen);
    beast::tcp_stream plain(context);
    plain.expires_after(std::chrono::seconds(3));
    plain.connect({address, config.port});
    if (config.tls_certificate.empty()) return answers_well(plain);
    // Whether it is the right certificate is the clients' question: this one asks itself.
    asio::ssl::context tls(asio::ssl::context::tls_client);
    beast::ssl_stream<beast::tcp_stream> stream(std::move(plain), tls);
    stream.handshake(asio::ssl::stream_base::client);
    return answers_well(stream);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace triquetra
