#include "server/net/ws_server.hpp"

#include <openssl/ssl.h>
#include <spdlog/spdlog.h>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <csignal>
#include <utility>

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

/// Reads the certificate and its key. Throws boost::system::system_error.
std::shared_ptr<asio::ssl::context> tls_of(const Config& config) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                   asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_compression);
  SSL_CTX_set_options(tls->native_handle(), SSL_OP_NO_RENEGOTIATION);
  tls->use_certificate_chain_file(config.tls_certificate);
  tls->use_private_key_file(config.tls_key, asio::ssl::context::pem);
  return tls;
}

}  // namespace

// -------------------------------------------------------------------------------------------------

struct WsServer::Parts {
  Parts(Hub& hub, const Config& config)
      : shared{hub, config},
        acceptor(hub.first(), tcp::endpoint(asio::ip::make_address(config.listen), config.port)),
        pause(hub.first()),
        hang_up(hub.first()) {
    if (!config.metrics_listen.empty()) {
      operators = std::make_shared<net::OperatorDoor>(shared);
    }
    shared.by_thread.resize(hub.thread_count());
    for (std::size_t i = 0; i < hub.thread_count(); ++i) upkeep.emplace_back(hub.context(i));
    if (config.tls_certificate.empty()) return;
    tls = tls_of(config);
    hang_up.add(SIGHUP);
  }

  void start() {
    accept();
    if (operators) operators->open();
    for (std::size_t i = 0; i < upkeep.size(); ++i) look_after(i);
    if (tls) read_again();
  }

  /// New connections get what the files hold now; a file that is wrong changes nothing.
  void read_again() {
    hang_up.async_wait([this](error_code error, int) {
      if (error) return;
      try {
        tls = tls_of(shared.config);
        spdlog::info("read the certificate again");
      } catch (const boost::system::system_error& bad) {
        spdlog::error("the certificate stays as it was: {}", bad.what());
      }
      read_again();
    });
  }

  void look_after(std::size_t thread) {
    upkeep[thread].expires_after(limits::kSweepTime);
    upkeep[thread].async_wait([this, thread](error_code error) {
      if (error) return;
      const auto connections = shared.by_thread[thread];
      for (const auto& entry : connections) {
        if (const auto connection = entry.second.lock()) connection->look_at(now());
      }
      look_after(thread);
    });
  }

  void accept() {
    const std::size_t thread = accepted++ % shared.hub.thread_count();
    asio::io_context& context = shared.hub.context(thread);
    acceptor.async_accept(context, [this, thread](error_code error, Socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      socket.set_option(asio::socket_base::send_buffer_size(limits::kSendBufferBytes), ignored);
      let_in(thread, std::move(socket));
      accept();
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

  /// Out of descriptors, most likely: some will come free.
  void accept_later() {
    pause.expires_after(std::chrono::milliseconds(100));
    pause.async_wait([this](error_code error) {
      if (!error) accept();
    });
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
  asio::basic_socket_acceptor<tcp, Executor> acceptor;
  asio::basic_waitable_timer<std::chrono::steady_clock> pause;
  std::vector<asio::steady_timer> upkeep{};   // one per thread
  std::shared_ptr<asio::ssl::context> tls{};  // none: plain
  asio::signal_set hang_up;
  std::shared_ptr<net::OperatorDoor> operators{};  // none without --metrics-listen
  std::size_t accepted = 0;
};

WsServer::WsServer(Hub& hub, const Config& config) : parts_(std::make_unique<Parts>(hub, config)) {}
WsServer::~WsServer() = default;

std::uint16_t WsServer::port() const { return parts_->acceptor.local_endpoint().port(); }
void WsServer::start() { parts_->start(); }

void WsServer::drain(std::function<void()> done) {
  parts_->shared.draining = true;
  error_code ignored;
  parts_->acceptor.close(ignored);
  parts_->say_bye();
  parts_->wait_until_gone(now() + limits::kDrainTime, false, std::move(done));
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
