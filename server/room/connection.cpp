#include "server/room/connection.hpp"

#include <utility>

#include "protocol/wire.hpp"

namespace triquetra {

void send_error(Connection& connection, std::optional<std::string> re, ErrorCode code,
                ErrorArgs args) {
  const Error error{std::move(re), code, std::move(args)};
  connection.send({connection.id(), nullptr, encoded(error), false, code}, {});
}

}  // namespace triquetra
