// Peers without TLS: what http_connection.hpp and ws_connection.hpp become for this kind of stream.
#include "server/net/http_connection.hpp"

namespace triquetra::net {

template void begin<Plain>(Shared&, std::size_t, Plain, std::string, PassPointer);

}  // namespace triquetra::net
