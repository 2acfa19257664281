// One link between two servers: TLS 1.3 over TCP whose key both sides have from the same secret, so
// that neither speaks with anybody else and nobody reads along; messages with their length before
// them. Lives on one thread.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/base/clock.hpp"
#include "stream/stream.hpp"

namespace triquetra::link {

/// What links are made with. Throws std::runtime_error if the system's OpenSSL cannot do it.
class Key {
 public:
  explicit Key(const std::string& secret);
  asio::ssl::context& context() { return context_; }

 private:
  std::string key_;
  asio::ssl::context context_;
};

enum class Side { maker, door };

class Link : public std::enable_shared_from_this<Link> {
 public:
  /// A message has come whole.
  using Heard = std::function<void(std::string_view message)>;

  Link(Key& key, Socket socket);
  ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Shakes hands, calls `ready`, and reads until the end. `ended` is called once, in any case.
  /// Neither is called after end().
  void begin(Side side, std::function<void()> ready, Heard heard, std::function<void()> ended);
  /// Writes this as one message. What cannot wait any more ends the link.
  void send(std::string_view head, std::string_view text = {});
  /// Whether half of what may wait does.
  bool is_full() const;
  /// Says that it lives, and ends a link that has been silent for too long.
  void look(TimePoint at);
  void end();
  TimePoint since() const { return since_; }

 private:
  asio::awaitable<void> run(Side side);
  asio::awaitable<void> write();
  void has_ended();

  asio::ssl::stream<Socket> stream_;
  Timer deadline_;
  std::function<void()> ready_;
  Heard heard_;
  std::function<void()> ended_;
  bool is_ready_ = false;
  bool is_over_ = false;
  bool is_writing_ = false;
  std::string waiting_;  // whole messages, with their lengths
  const TimePoint since_;
  TimePoint heard_at_;
  TimePoint said_at_;
};
using LinkPointer = std::shared_ptr<Link>;

}  // namespace triquetra::link
