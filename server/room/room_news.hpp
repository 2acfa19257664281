// What the lobby wants to know of a room.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ids.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra {

struct RoomNews {
  std::string room;
  std::optional<ListedRoom> listing;
  std::optional<Invitation> invitation;
  ListedRoom summary;  // for whoever runs the server
  std::vector<std::pair<std::string, Seat>> players;
  std::vector<std::string> open_records;  // ids of matches
  // Who made it, by which request; empty when closed.
  std::string maker;
  std::string request;
  bool closed = false;
  bool log_stays = false;  // closed, but its code cannot be given to another room
  friend bool operator==(const RoomNews&, const RoomNews&) = default;
};

}  // namespace triquetra
