// Who is connected: players, each from one or more connections, and spectators. How they come and
// go, what they say, and which player who is there follows a host who is not.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "protocol/client_frames.hpp"
#include "server/room/outgoing.hpp"

namespace triquetra {

struct Draft;

struct Member {
  std::string player;
  std::optional<Seat> seat;  // none: a spectator
  std::string address;
};
using Connected = std::map<ConnectionId, Member>;

/// The hash that a room keeps of its password; salted with the code, so that equal words differ.
std::string password_hash(const std::string& room, const std::string& password);

/// The sender's connection is here, on its seat or to watch.
void attach(Draft& draft, std::optional<Seat> seat);
void detach(Draft& draft, ConnectionId connection);
/// Tells the player on this seat to go, on every connection.
void kick_out(Draft& draft, Seat seat);
/// The same for all who watch.
void send_spectators_away(Draft& draft);
/// Another host, if there is none, or it has been away for long or was voted away.
void follow_host(Draft& draft);

void on(Draft& draft, const Join& frame);
void on(Draft& draft, const Watch& frame);
void on(Draft& draft, const Leave& frame);
void on(Draft& draft, const React& frame);
void on(Draft& draft, const Say& frame);

}  // namespace triquetra
