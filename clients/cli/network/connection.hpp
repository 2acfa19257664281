// One WebSocket to a server after the other: connects, reads and writes text frames. When there is
// another one is Session's to say. Knows nothing of what the frames say.
#pragma once

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace triquetra::cli {

/// Where a server listens, as taken from ws://HOST:PORT[/PATH], or wss:// for TLS.
struct ServerAddress {
  std::string host = "localhost";
  std::string port = "8080";
  std::string path = "/ws";
  bool tls = false;
  /// As a person would write it: ws://HOST:PORT.
  std::string text() const { return (tls ? "wss://" : "ws://") + host + ":" + port; }
};

struct Target {
  ServerAddress server;
  std::string room;           // empty if the text named none
  bool names_server = false;  // else `server` is the usual one
};

/// The room code that a person means: any case, and spaces or dashes between its letters. None if
/// it is none.
std::optional<std::string> room_code_of(std::string_view text);

/// The server, and perhaps the room, in `text`:
/// [ws://|http://|wss://|https://]HOST[:PORT][/PATH][/CODE]; the port is 8080, or 443 with TLS. A
/// last part of the path, after /ws or /r or alone, is a room code; what a browser has behind it,
/// from ? or # on, counts for nothing. None if it is no such address.
std::optional<Target> parse_server(std::string_view text);
/// The same, and also a room code alone, or the end of an address from its / on.
std::optional<Target> parse_target(std::string_view text);

class Connection {
 public:
  struct Handlers {
    std::function<void()> opened;
    std::function<void(std::string)> received;
    /// It went, or could not be opened; `is_starting`: by a server that says that it is not ready.
    std::function<void(std::string reason, bool is_starting)> lost;
  };

  Connection(boost::asio::io_context& io, ServerAddress server, Handlers handlers);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Before: there is none.
  void open();
  bool is_open() const;
  /// Sends one text frame. Dropped when the connection is not open: whoever asks asks again then.
  void send(std::string frame);
  /// Gives up a peer that says nothing; `lost` is not called.
  void drop();
  /// Says goodbye and stays away; `then` is called once the peer has said it too, or has not for a
  /// second.
  void close(const std::function<void()>& then = [] {});

  class Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace triquetra::cli
