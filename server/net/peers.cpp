// Where a new peer begins, and all that Beast becomes for it.
#include "server/net/http_connection.hpp"

namespace triquetra::net {

void begin(Shared& shared, std::size_t thread, Stream stream, std::string address,
           PassPointer pass) {
  auto connection = std::make_shared<HttpConnection>(shared, thread, std::move(stream),
                                                     std::move(address), std::move(pass));
  asio::post(shared.hub.context(thread), [connection] { connection->start(); });
}

}  // namespace triquetra::net
