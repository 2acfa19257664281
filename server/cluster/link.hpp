// One link between two servers: whole messages, each of them once and in their order, until it
// ends; and where links come from. What carries them is none of a server's business: TLS
// (tls_link.hpp), or a simulation's wires. Lives on one thread.
#pragma once

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/base/time_point.hpp"

namespace triquetra::link {

class Link {
 public:
  /// A message has come whole.
  using Heard = std::function<void(std::string_view message)>;

  Link() = default;
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Calls `ready` when the other side can be spoken to, and hears it until the end. `ended` is
  /// called once, in any case. None of them is called after end().
  virtual void begin(std::function<void()> ready, Heard heard, std::function<void()> ended) = 0;
  /// Sends this as one message, if it is ready. What cannot wait any more ends the link.
  virtual void send(std::string_view head, std::string_view text) = 0;
  void send(std::string_view head) { send(head, {}); }
  /// Whether half of what may wait does.
  virtual bool is_full() const = 0;
  /// Says that it lives, and ends a link that has been silent for too long.
  virtual void look(TimePoint at) = 0;
  virtual void end() = 0;
};
using LinkPointer = std::shared_ptr<Link>;

/// The links of one server.
class Links {
 public:
  Links() = default;
  virtual ~Links() = default;
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  /// From now on `came` is told of each link that another server makes.
  virtual void listen(std::function<void(LinkPointer)> came) = 0;
  /// A link with the server at HOST:PORT; `made` hears null if that one cannot be reached now.
  virtual void make(const std::string& address, std::function<void(LinkPointer)> made) = 0;
};
using MakeLinks = std::function<std::unique_ptr<Links>(boost::asio::io_context& first_thread)>;

}  // namespace triquetra::link
