// What the files that know Beast share: the stream, what all connections have in common, and where
// a new one begins. Only they include this: ws_server.cpp and peers.cpp.
#pragma once

#include <boost/beast/http.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/ops/config.hpp"
#include "server/ops/metrics.hpp"
#include "server/ops/web_files.hpp"
#include "server/people/hub.hpp"
#include "stream/stream.hpp"

namespace triquetra::net {

namespace http = beast::http;

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
  std::atomic<bool> starting{true};  // until all rooms have been read
  std::atomic<bool> draining{false};
  std::atomic<std::size_t> open{0};
  std::atomic<ConnectionId> next_id{0};
  std::vector<std::map<ConnectionId, std::weak_ptr<WsPeer>>> by_thread{};
  std::atomic<TimePoint::rep> may_warn_at{std::numeric_limits<TimePoint::rep>::min()};

  /// Whether now is the time for a warning that strangers can cause as often as they like.
  bool may_warn() {
    const TimePoint::rep at = now().time_since_epoch().count();
    TimePoint::rep next = may_warn_at.load();
    const TimePoint::rep after = (now() + limits::kWarningTime).time_since_epoch().count();
    return at >= next && may_warn_at.compare_exchange_strong(next, after);
  }

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
/// which may be a proxy's.
void begin(Shared& shared, std::size_t thread, Stream stream, std::string address,
           PassPointer pass);

}  // namespace triquetra::net
