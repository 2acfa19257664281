// What the lobby wants to know of a room.
#pragma once

#include <optional>

#include "server/base/time_point.hpp"
#include "server/store/room_entry.hpp"

namespace triquetra {

struct RoomNews : RoomEntry {
  std::optional<ListedRoom> listing;
  bool log_stays = false;          // closed, but its code cannot be given to another room
  bool asleep = false;             // it is not in memory any more
  std::optional<TimePoint> alarm;  // when it wakes by itself, if ever
  friend bool operator==(const RoomNews&, const RoomNews&) = default;
};

/// A room that everybody is shown in the list, and since when it is known.
struct ListedSince {
  ListedRoom room;
  TimePoint since;
};

}  // namespace triquetra
