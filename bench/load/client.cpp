#include "bench/load/client.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "bench/load/process.hpp"

namespace triquetra::load {

namespace {

constexpr unsigned kText = 1;
constexpr unsigned kClose = 8;
constexpr unsigned kPing = 9;
constexpr unsigned kPong = 10;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void set_option(int socket, int level, int option, int value) {
  if (setsockopt(socket, level, option, &value, sizeof value) != 0) fail("setsockopt");
}

sockaddr* generic(sockaddr_in& address) { return std::bit_cast<sockaddr*>(&address); }

sockaddr_in loopback(std::size_t host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + static_cast<std::uint32_t>(host));
  return address;
}

unsigned byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

struct Header {
  std::size_t size = 0;  // its own
  std::size_t payload = 0;
  unsigned opcode = kText;
};

// The header of a frame of a server, which is never masked; none if it is not whole yet.
std::optional<Header> web_socket_header(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  Header header{2, byte(bytes, 1) & 127U, byte(bytes, 0) & 15U};
  if (header.payload < 126) return header;
  header.size = header.payload == 126 ? 4 : 10;
  if (bytes.size() < header.size) return std::nullopt;
  header.payload = 0;
  for (std::size_t i = 2; i < header.size; ++i)
    header.payload = header.payload << 8U | byte(bytes, i);
  return header;
}

std::optional<Header> length_header(std::string_view bytes) {
  std::uint32_t length = 0;
  if (bytes.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, bytes.data(), sizeof length);
  return Header{sizeof length, length, kText};
}

}  // namespace

Client::Client(std::uint16_t port, Framing framing, std::size_t addresses)
    : port_(port), framing_(framing), addresses_(addresses), epoll_(epoll_create1(0)) {
  if (epoll_ < 0) fail("epoll_create1");
}

Client::~Client() {
  for (const Connection& connection : connections_) {
    if (connection.socket >= 0) ::close(connection.socket);
  }
  ::close(epoll_);
}

void Client::connect() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (socket < 0) fail("socket");
  const std::size_t number = connections_.size();
  connections_.push_back({socket, Connection::Stage::connecting, now_ns(), {}, {}});
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  // A reset at the end: thousands of connections leave no port behind that waits.
  const linger at_once{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  if (addresses_ > 1) {
    set_option(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
    sockaddr_in own = loopback(number % addresses_, 0);
    if (bind(socket, generic(own), sizeof own) != 0) fail("bind");
  }
  sockaddr_in server = loopback(0, port_);
  if (::connect(socket, generic(server), sizeof server) != 0 && errno != EINPROGRESS) {
    fail("connect");
  }
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT;
  event.data.u64 = number;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
}

void Client::watch(std::size_t number, bool also_writing) {
  epoll_event event{};
  event.events = also_writing ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.u64 = number;
  epoll_ctl(epoll_, EPOLL_CTL_MOD, connections_[number].socket, &event);
}

void Client::send(std::size_t connection, std::string_view frame) {
  if (framing_ == Framing::web_socket) return send_web_socket(connection, kText, frame);
  const auto length = static_cast<std::uint32_t>(frame.size());
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  write(connection, bytes.append(frame));
}

void Client::send_web_socket(std::size_t number, unsigned opcode, std::string_view payload) {
  static constexpr std::array<unsigned char, 4> kMask{0x12, 0x34, 0x56, 0x78};
  std::string bytes;
  bytes.reserve(payload.size() + 8);
  bytes += static_cast<char>(0x80U | opcode);
  if (payload.size() < 126) {
    bytes += static_cast<char>(0x80U | payload.size());
  } else {
    bytes += static_cast<char>(0x80U | 126U);
    bytes += static_cast<char>(payload.size() >> 8U);
    bytes += static_cast<char>(payload.size() & 255U);
  }
  for (const unsigned char part : kMask) bytes += static_cast<char>(part);
  for (std::size_t i = 0; i < payload.size(); ++i) {
    bytes += static_cast<char>(byte(payload, i) ^ kMask.at(i % kMask.size()));
  }
  write(number, bytes);
}

void Client::write(std::size_t number, std::string_view bytes) {
  Connection& connection = connections_[number];
  bytes_out_ += bytes.size();
  if (connection.unsent.empty()) {
    const ssize_t sent = ::send(connection.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(bytes.size())) return;
    if (sent < 0 && errno != EAGAIN) return;  // reading will tell
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    watch(number, true);
  }
  connection.unsent.append(bytes);
}

void Client::flush(std::size_t number) {
  Connection& connection = connections_[number];
  const ssize_t sent =
      ::send(connection.socket, connection.unsent.data(), connection.unsent.size(), MSG_NOSIGNAL);
  if (sent > 0) connection.unsent.erase(0, static_cast<std::size_t>(sent));
  if (connection.unsent.empty()) watch(number, false);
}

void Client::pump(Listener& listener, std::uint64_t until) {
  const std::uint64_t now = now_ns();
  const std::uint64_t wait = until > now ? until - now : 0;
  const timespec time{static_cast<time_t>(wait / 1'000'000'000),
                      static_cast<long>(wait % 1'000'000'000)};
  std::array<epoll_event, 256> events{};
  const int count = epoll_pwait2(epoll_, events.data(), events.size(), &time, nullptr);
  for (std::size_t i = 0; std::cmp_less(i, count); ++i) {
    ready(listener, events.at(i).data.u64, events.at(i).events);
  }
}

void Client::ready(Listener& listener, std::size_t number, std::uint32_t events) {
  const Connection& connection = connections_[number];
  if (connection.stage == Connection::Stage::closed) return;
  if (connection.stage == Connection::Stage::connecting) return connected(listener, number);
  if ((events & EPOLLOUT) != 0 && !connection.unsent.empty()) flush(number);
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) read(listener, number);
}

void Client::connected(Listener& listener, std::size_t number) {
  Connection& connection = connections_[number];
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(connection.socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return close(listener, number);
  watch(number, false);
  if (framing_ == Framing::length) {
    connection.stage = Connection::Stage::open;
    return listener.opened(number);
  }
  connection.stage = Connection::Stage::upgrading;
  write(number, "GET " + listener.path_of(number) +
                    " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                    "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
                    "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
}

void Client::read(Listener& listener, std::size_t number) {
  Connection& connection = connections_[number];
  const ssize_t count = recv(connection.socket, buffer_.data(), buffer_.size(), 0);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return close(listener, number);
  bytes_in_ += static_cast<std::uint64_t>(count);
  std::string_view bytes(buffer_.data(), static_cast<std::size_t>(count));
  std::string whole;
  if (!connection.unread.empty()) {
    whole = std::exchange(connection.unread, {}).append(bytes);
    bytes = whole;
  }
  const std::size_t taken = take(listener, number, bytes);
  connections_[number].unread = bytes.substr(taken);
}

std::size_t Client::take(Listener& listener, std::size_t number, std::string_view bytes) {
  std::size_t taken = 0;
  if (connections_[number].stage == Connection::Stage::upgrading) {
    taken = take_upgrade(listener, number, bytes);
  }
  while (connections_[number].stage == Connection::Stage::open) {
    const std::string_view rest = bytes.substr(taken);
    const auto header =
        framing_ == Framing::web_socket ? web_socket_header(rest) : length_header(rest);
    if (!header || rest.size() - header->size < header->payload) break;
    taken += header->size + header->payload;
    hear(listener, number, header->opcode, rest.substr(header->size, header->payload));
  }
  return taken;
}

std::size_t Client::take_upgrade(Listener& listener, std::size_t number, std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  if (bytes.substr(0, 12).find(" 101") == std::string_view::npos) {
    close(listener, number);
    return bytes.size();
  }
  connections_[number].stage = Connection::Stage::open;
  listener.opened(number);
  return end + 4;
}

void Client::hear(Listener& listener, std::size_t number, unsigned opcode, std::string_view frame) {
  if (opcode == kPing) return send_web_socket(number, kPong, frame);
  if (opcode == kClose) return close(listener, number);
  if (opcode != kPong) listener.heard(number, frame);
}

void Client::close(Listener& listener, std::size_t number) {
  Connection& connection = connections_[number];
  if (connection.stage == Connection::Stage::closed) return;
  ::close(connection.socket);
  connection.socket = -1;
  connection.stage = Connection::Stage::closed;
  listener.lost(number);
}

}  // namespace triquetra::load
