// What the files that know Beast share: the kinds of streams, what all connections have in common,
// and where a new one begins. Only they include this: ws_server.cpp, plain_peers.cpp,
// tls_peers.cpp.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/clock.hpp"
#include "server/ops/config.hpp"
#include "server/ops/metrics.hpp"
#include "server/ops/web_files.hpp"
#include "server/people/hub.hpp"

namespace triquetra::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
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

/// All lines of a header that is a list, as one: a proxy may add a line of its own below its
/// client's.
inline std::string joined(const http::fields& fields, std::string_view name) {
  std::string all;
  const auto [first, last] = fields.equal_range(name);
  for (auto line = first; line != last; ++line) {
    if (line != first) all += ", ";
    all += std::string_view(line->value());
  }
  return all;
}

/// Whether a header that has one value stands there twice: then somebody between us may believe the
/// other one.
inline bool is_ambiguous(const http::fields& fields) {
  constexpr std::array kOnce{http::field::host,
                             http::field::origin,
                             http::field::authorization,
                             http::field::content_length,
                             http::field::content_type,
                             http::field::sec_websocket_key,
                             http::field::sec_websocket_version};
  return std::any_of(kOnce.begin(), kOnce.end(),
                     [&](http::field name) { return fields.count(name) > 1; });
}

/// A WebSocket peer as the server's upkeep sees it.
class WsPeer : public Connection {
 public:
  /// Ends without a farewell. On this connection's thread.
  virtual void cut_off() = 0;
  /// Cuts off a peer that drips, does not read, or does not go. On this connection's thread.
  virtual void look_at(TimePoint at) = 0;
  /// A frame for everybody who has said hello. On this connection's thread.
  virtual void tell(const std::shared_ptr<const std::string>& frame) = 0;
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

  /// Calls f(connection) for every WebSocket, each on its own thread.
  template <class F>
  void each_connection(const F& f) {
    for (std::size_t thread = 0; thread < hub.thread_count(); ++thread) {
      asio::post(hub.context(thread), [this, thread, f] {
        const auto connections = by_thread[thread];
        for (const auto& entry : connections) {
          if (const auto connection = entry.second.lock()) f(*connection);
        }
      });
    }
  }
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

/// Reads and answers what a new peer asks, from its own thread on. `address` is the peer's own,
/// which may be a proxy's. For Plain and Tls.
template <class Stream>
void begin(Shared& shared, std::size_t thread, Stream stream, std::string address,
           PassPointer pass);

}  // namespace triquetra::net
