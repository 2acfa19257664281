// Links over TCP: TLS 1.3 whose key both sides have from the same secret, so that neither speaks
// with anybody else and nobody reads along; messages with their length before them.
#pragma once

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

#include "server/cluster/link.hpp"

namespace triquetra::link {

/// The links of the server that others reach at `address`, HOST:PORT, where it listens: bound at
/// once. Throws std::runtime_error if it cannot be, or the system's OpenSSL has no TLS 1.3.
std::unique_ptr<Links> over_tls(boost::asio::io_context& context, const std::string& address,
                                const std::string& secret);

}  // namespace triquetra::link
