// Sockets of the load generator: one thread, one epoll, and a client of RFC 6455 that never looks
// into a frame. It must never be what is slow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace triquetra::load {

enum class Framing { web_socket, length };  // length: four bytes of it, then the frame

struct Connection {
  enum class Stage { connecting, upgrading, open, closed };
  int socket = -1;
  Stage stage = Stage::connecting;
  std::uint64_t began_ns = 0;  // when it was asked for
  std::string unread;          // the beginning of a frame
  std::string unsent;
};

/// What hears of the connections. They are known by their numbers.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;
  /// The path and query of the upgrade; unused with Framing::length.
  virtual std::string path_of(std::size_t connection) = 0;
  /// Frames may go out from here on.
  virtual void opened(std::size_t connection) = 0;
  virtual void heard(std::size_t connection, std::string_view frame) = 0;
  /// The other side has ended it, or what it says is no WebSocket.
  virtual void lost(std::size_t connection) = 0;
};

class Client {
 public:
  /// `addresses`: connections come from so many addresses of the loopback network, in turn.
  Client(std::uint16_t port, Framing framing, std::size_t addresses);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// Begins one more connection, whose number is how many there were.
  void connect();
  std::size_t count() const { return connections_.size(); }
  const Connection& connection(std::size_t number) const { return connections_[number]; }
  /// Sends a frame; at most 64 KiB.
  void send(std::size_t connection, std::string_view frame);
  /// Tells the listener what has come, and returns at `until` (now_ns) at the latest, or once it
  /// has told something.
  void pump(Listener& listener, std::uint64_t until);

  std::uint64_t bytes_in() const { return bytes_in_; }
  std::uint64_t bytes_out() const { return bytes_out_; }

 private:
  void ready(Listener& listener, std::size_t number, std::uint32_t events);
  void connected(Listener& listener, std::size_t number);
  void write(std::size_t number, std::string_view bytes);
  void flush(std::size_t number);
  void read(Listener& listener, std::size_t number);
  /// Hands out the whole frames of `bytes`; returns how many bytes those were.
  std::size_t take(Listener& listener, std::size_t number, std::string_view bytes);
  std::size_t take_upgrade(Listener& listener, std::size_t number, std::string_view bytes);
  void hear(Listener& listener, std::size_t number, unsigned opcode, std::string_view frame);
  void send_web_socket(std::size_t number, unsigned opcode, std::string_view payload);
  void watch(std::size_t number, bool also_writing);
  void close(Listener& listener, std::size_t number);

  std::uint16_t port_;
  Framing framing_;
  std::size_t addresses_;
  int epoll_;
  std::vector<Connection> connections_;
  std::array<char, 512 * 1024> buffer_{};
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

}  // namespace triquetra::load
