// Whatever a peer sends, to the real server over a real socket: bytes as they are, or, after a
// first byte 'w', as what follows a WebSocket handshake.
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "engine/ensure.hpp"
#include "server/base/random.hpp"
#include "server/net/ws_server.hpp"
#include "server/ops/metrics.hpp"
#include "server/people/hub.hpp"
#include "server/store/memory_store.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace triquetra::fuzz {
namespace {

using boost::asio::ip::tcp;

constexpr std::string_view kHandshake =
    "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

/// One server for all inputs, on a thread of its own. It is stopped at the end, and never taken
/// apart: what waits in it owns parts of each other.
class Victim {
 public:
  Victim() {
    metrics();  // made first, it outlives the thread that counts in it
    spdlog::set_level(spdlog::level::off);
    foresee("fuzz");  // what an input finds, it finds again
    Config config;
    config.port = 0;
    config.unlimited_addresses = {"127.0.0.1"};
    hub_ = std::make_unique<Hub>(
        1, RoomPolicy{},
        [](boost::asio::io_context& first) { return std::make_unique<MemoryStore>(first); },
        Networks(config.unlimited_addresses));
    server_ = std::make_unique<WsServer>(*hub_, config, std::nullopt);
    server_->start();
    server_->loaded();
    thread_ = std::thread([this] { hub_->run(); });
  }
  void stop() {
    hub_->stop();
    thread_.join();
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  std::unique_ptr<Hub> hub_;
  std::unique_ptr<WsServer> server_;
  std::thread thread_;
};

/// Stops the server before what the process keeps for it goes.
class Stop {
 public:
  explicit Stop(Victim* victim) : victim_(victim) {}
  ~Stop() { victim_->stop(); }
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

 private:
  Victim* victim_;
};

/// Sends, says that no more comes, and listens until the server has closed too.
void send_all(std::uint16_t port, std::string_view bytes) {
  boost::asio::io_context io(1);
  tcp::socket socket(io);
  socket.connect({boost::asio::ip::address_v4::loopback(), port});
  // Longer than any patience of the server: whoever is not let go has found something.
  const timeval patience{90, 0};
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  boost::system::error_code error;
  boost::asio::write(socket, boost::asio::buffer(bytes), error);
  socket.shutdown(tcp::socket::shutdown_send, error);
  // Asio would wait on after the time limit.
  std::array<char, 4096> heard{};
  ssize_t count = 0;
  do {
    count = ::recv(socket.native_handle(), heard.data(), heard.size(), 0);
    ensure(count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK),
           "the server holds on to a peer that is gone");
  } while (count > 0 || (count < 0 && errno == EINTR));
}

}  // namespace

void take(std::string_view bytes) {
  static auto* const victim = new Victim;
  static const Stop stop_at_exit(victim);
  std::string sent;
  if (bytes.starts_with('w')) {
    sent = kHandshake;
    bytes.remove_prefix(1);
  }
  sent += bytes;
  send_all(victim->port(), sent);
}

}  // namespace triquetra::fuzz
