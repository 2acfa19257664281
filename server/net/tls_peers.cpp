// Peers behind TLS: what http_connection.hpp and ws_connection.hpp become for this kind of stream.
#include "server/net/http_connection.hpp"

namespace triquetra::net {

template void begin<Tls>(Shared&, std::size_t, Tls, std::string, PassPointer);

}  // namespace triquetra::net
