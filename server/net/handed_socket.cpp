#include "server/net/handed_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace triquetra::net {

namespace {

constexpr int kFirst = 3;

/// What the environment says under this name, which nobody who comes after shall read; "" if
/// nothing.
std::string take_word(const char* name) {
  // NOLINTBEGIN(concurrency-mt-unsafe): the server has one thread yet.
  const char* const text = std::getenv(name);
  std::string word = text == nullptr ? "" : text;
  unsetenv(name);
  // NOLINTEND(concurrency-mt-unsafe)
  return word;
}

int option_of(int descriptor, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

bool listens_for_tcp(int descriptor) {
  const int family = option_of(descriptor, SO_DOMAIN);
  return (family == AF_INET || family == AF_INET6) &&
         option_of(descriptor, SO_TYPE) == SOCK_STREAM && option_of(descriptor, SO_ACCEPTCONN) == 1;
}

}  // namespace

std::optional<HandedSocket> take_handed_socket() {
  const std::string process = take_word("LISTEN_PID");
  const std::string count = take_word("LISTEN_FDS");
  take_word("LISTEN_FDNAMES");
  // Meant for somebody else, such as a shell that started us.
  if (process != std::to_string(getpid()) || count.empty() || count == "0") return std::nullopt;
  if (count != "1") {
    throw std::runtime_error("LISTEN_FDS says " + count + " sockets, and the server takes one");
  }
  HandedSocket socket{kFirst, {}};
  socklen_t size = static_cast<socklen_t>(socket.endpoint.capacity());
  if (!listens_for_tcp(kFirst) || getsockname(kFirst, socket.endpoint.data(), &size) != 0) {
    throw std::runtime_error("the socket that was handed over does not listen for TCP");
  }
  socket.endpoint.resize(size);
  fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  return socket;
}

}  // namespace triquetra::net
