// The listening socket that whoever started the server holds for it, as systemd does with a .socket
// unit: one server goes, the next comes, and whoever connects meanwhile waits in it instead of
// being refused. See sd_listen_fds(3).
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <optional>

namespace triquetra::net {

struct HandedSocket {
  int descriptor = -1;
  boost::asio::ip::tcp::endpoint endpoint;  // where it listens
};

/// None if nothing was handed to this very process; once taken, it is not there again. Throws
/// std::runtime_error for several sockets, and for one that does not listen for TCP.
std::optional<HandedSocket> take_handed_socket();

}  // namespace triquetra::net
