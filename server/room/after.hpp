// After a match: its record, its replay, and the next one.
#pragma once

#include "protocol/client_frames.hpp"
#include "protocol/server_frames.hpp"
#include "server/room/play.hpp"

namespace triquetra {

/// The stage in which the end stays on the table.
struct Over {
  static constexpr RoomStatus kStatus = RoomStatus::over;
  Match match;
};

/// The match on the table has a result. Before: the room is in play.
void finish_match(RoomState& room);

void on(Draft& draft, const Rematch& frame);
void on(Draft& draft, const GetRecord& frame);
void on(Draft& draft, const Replay& frame);

}  // namespace triquetra
