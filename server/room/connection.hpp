// One peer, as the rest of the server sees it: text goes out, in order, from any thread.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "protocol/server_frames.hpp"
#include "server/room/outgoing.hpp"

namespace triquetra {

class Connection {
 public:
  virtual ~Connection() = default;
  virtual ConnectionId id() const = 0;
  /// The thread that this connection lives on: its session runs there.
  virtual boost::asio::io_context& context() = 0;
  /// Queues a frame; of the views of one room only the newest waits. A peer that does not read is
  /// closed with bye `slow`. From any thread.
  virtual void send(Outgoing frame, std::string room) = 0;
  /// Says bye, drops what waits, and closes. From any thread.
  virtual void finish(ByeCode code, std::int64_t retry_ms) = 0;
};

using ConnectionPointer = std::shared_ptr<Connection>;

/// A refusal as text. What it quotes of the peer's own words is cut short: an answer is no longer
/// than what a client can show.
std::string error_text(std::optional<std::string> re, ErrorCode code, ErrorArgs args);

/// Sends a refusal; `re` is absent when the request had no id that could be read.
void send_error(Connection& connection, std::optional<std::string> re, ErrorCode code,
                ErrorArgs args = {});

}  // namespace triquetra
