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
#include <optional>
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
  /// Queues a frame. On this connection's thread.
  virtual void receive(Outgoing frame, const std::string& room) = 0;
  /// Writes what waits, as far as the system takes it. On this connection's thread.
  virtual void flush() = 0;
};
using WsPeerPointer = std::shared_ptr<WsPeer>;

/// What the WebSockets of one thread share, touched by that thread alone.
struct Desk {
  std::map<ConnectionId, std::weak_ptr<WsPeer>> peers{};
  // Into and out of which all of them read and write in turn: so none of them holds a buffer.
  std::vector<char> heard = std::vector<char>(limits::kReadAtOnceBytes);
  std::string said{};
  // Those that were given something to say by what is happening now, and those that wait a moment.
  std::vector<WsPeerPointer> speakers{};
  std::vector<WsPeerPointer> later{};
  std::unique_ptr<Timer> moment{};
  // Frames for connections of other threads, by thread: one message for all.
  struct Parcel {
    WsPeerPointer to;
    Outgoing frame;
    std::string room;
  };
  std::vector<std::vector<Parcel>> parcels{};
  bool will_flush = false;
};

/// What all connections share: settings, counts that any thread may touch, and for each thread its
/// WebSockets.
struct Shared {
  Hub& hub;
  Config config;
  Networks trusted_proxies{config.trusted_proxies};
  WebFiles web{config.web_root};
  std::atomic<bool> starting{true};  // until all rooms have been read
  std::atomic<bool> draining{false};
  std::atomic<std::size_t> open{0};
  std::atomic<ConnectionId> next_id{0};
  std::vector<Desk> desks{};
  std::atomic<TimePoint::rep> may_warn_at{std::numeric_limits<TimePoint::rep>::min()};

  /// Whether now is the time for a warning that strangers can cause as often as they like.
  bool may_warn() {
    const TimePoint::rep at = now().time_since_epoch().count();
    TimePoint::rep next = may_warn_at.load();
    const TimePoint::rep after = (now() + limits::kWarningTime).time_since_epoch().count();
    return at >= next && may_warn_at.compare_exchange_strong(next, after);
  }

  /// Which of the hub's threads this is.
  std::optional<std::size_t> here() const {
    for (std::size_t thread = 0; thread < hub.thread_count(); ++thread) {
      if (hub.context(thread).get_executor().running_in_this_thread()) return thread;
    }
    return std::nullopt;
  }

  /// Calls f(connection) for each WebSocket of this thread; it may go by that.
  template <class F>
  void each_here(std::size_t thread, const F& f) {
    auto& peers = desks[thread].peers;
    for (auto next = peers.begin(); next != peers.end();) {
      const auto peer = (next++)->second.lock();
      if (peer) f(*peer);
    }
  }
  /// Calls f(connection) for every WebSocket, each on its own thread.
  template <class F>
  void each_connection(const F& f) {
    for (std::size_t thread = 0; thread < hub.thread_count(); ++thread) {
      asio::post(hub.context(thread), [this, thread, f] { each_here(thread, f); });
    }
  }

  /// What this thread's connections have been given by now is written, and what those of other
  /// threads are to say is on its way. On that thread.
  void flush(std::size_t thread) {
    Desk& desk = desks[thread];
    for (std::size_t i = 0; i < desk.speakers.size(); ++i) {
      const WsPeerPointer speaker = std::move(desk.speakers[i]);
      speaker->flush();
    }
    desk.speakers.clear();
    for (std::size_t other = 0; other < desk.parcels.size(); ++other) {
      if (!desk.parcels[other].empty()) deliver(other, std::exchange(desk.parcels[other], {}));
    }
  }
  /// The same, when what is happening now has come to its end.
  void flush_later(std::size_t thread) {
    if (std::exchange(desks[thread].will_flush, true)) return;
    asio::post(hub.context(thread), [this, thread] {
      desks[thread].will_flush = false;
      flush(thread);
    });
  }
  /// Runs `f`, and then writes what it has led to. On that thread.
  template <class F>
  void run_and_flush(std::size_t thread, const F& f) {
    const bool will_flush = std::exchange(desks[thread].will_flush, true);
    f();
    flush(thread);
    desks[thread].will_flush = will_flush;
  }

 private:
  void deliver(std::size_t thread, std::vector<Desk::Parcel> parcels) {
    asio::post(hub.context(thread), [this, thread, parcels = std::move(parcels)]() mutable {
      run_and_flush(thread, [&parcels] {
        for (Desk::Parcel& parcel : parcels) {
          parcel.to->receive(std::move(parcel.frame), parcel.room);
        }
      });
    });
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
