// Listens, answers HTTP, and makes WebSocket connections with a session each. Of the server, this
// folder alone knows Beast.
//
// Folder: every door: sockets, TLS, HTTP, WebSocket, and the one for operators.
// May see: stream, server/people, server/room, server/store, server/ops, server/base, protocol,
// engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/net/handed_socket.hpp"
#include "server/ops/config.hpp"
#include "server/people/hub.hpp"

namespace triquetra {

class WsServer {
 public:
  /// Takes the socket that was handed over, or binds at once; throws std::runtime_error if the
  /// address cannot be had.
  WsServer(Hub& hub, const Config& config, const std::optional<net::HandedSocket>& handed);
  ~WsServer();
  WsServer(const WsServer&) = delete;
  WsServer& operator=(const WsServer&) = delete;

  std::uint16_t port() const;
  /// Opens the doors. Until `loaded` says that all rooms are there, only /healthz is answered;
  /// everything else hears that the server is starting.
  void start();
  void loaded();
  /// Accepts no more, says bye `restarting` to everybody, and calls `done` when they are gone or
  /// limits::kDrainTime is over. On the hub's first thread.
  void drain(std::function<void()> done);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// GET /healthz of a server with this configuration, on this machine: whether it answers 200.
bool is_healthy(const Config& config);

}  // namespace triquetra
