// Who may come in: whether the host has closed the room or ended the watching, and whom the host
// has sent away.
#pragma once

#include <string>
#include <vector>

#include "protocol/client_frames.hpp"
#include "server/base/time_point.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Draft;
struct RoomState;

struct Doorway {
  bool open = true;        // else only who is seated now
  bool spectators = true;  // of a room whose maker allows them
  std::vector<SentAway> sent_away;
};

/// Whether somebody may watch now.
bool may_watch(const RoomState& room);
/// Whether the sender, who has no seat, stays outside.
bool is_shut_for(const Draft& draft);
/// The host sends a player away: gone is the seat, and who had it does not come in again; nor, with
/// `by_address`, does anybody else from where that player is connected.
void send_away(Draft& draft, Seat seat, bool by_address);

void adopt(RoomState& room, const SentAway& away, TimePoint now);
void adopt(RoomState& room, const DoorSet& door, TimePoint now);

void on(Draft& draft, const Door& frame);

}  // namespace triquetra
