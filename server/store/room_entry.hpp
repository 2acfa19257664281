// What the server knows of a room without reading its log. Derived from the log and kept beside it,
// in the commit of the records that change it: whoever reads the log knows better. It names players
// and never leaves the server: like a record it has a LogTag, which the wire's codec refuses.
#pragma once

#include <boost/describe/class.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ids.hpp"
#include "protocol/reflect.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra {

struct PlayerAtTable {
  std::string player;
  Seat seat;
  friend bool operator==(const PlayerAtTable&, const PlayerAtTable&) = default;
};
BOOST_DESCRIBE_STRUCT(PlayerAtTable, (), (player, seat))

struct RoomEntry {
  static constexpr LogTag kLogTag{"entry"};
  std::string room;
  std::string maker;  // the player, and the request that gets the same room again
  std::string request;
  std::vector<PlayerAtTable> players;
  std::vector<std::string> open_records;  // ids of matches whose records are for anybody
  ListedRoom summary;                     // for whoever runs the server
  std::optional<Invitation> invitation;
  bool closed = false;  // its log has come to an end, and stays
  friend bool operator==(const RoomEntry&, const RoomEntry&) = default;
};
BOOST_DESCRIBE_STRUCT(RoomEntry, (),
                      (room, maker, request, players, open_records, summary, invitation, closed))

/// What find_rooms() finds a room by, besides its code.
std::vector<std::string> keys_of(const RoomEntry& entry);
/// Whether the room gathers or plays.
bool is_alive(const RoomEntry& entry);

/// As JSON, for stores.
std::string entry_text(const RoomEntry& entry);
/// What entry_text wrote; none for anything else. Fields of a later version are passed over.
std::optional<RoomEntry> read_entry_text(std::string_view text);

}  // namespace triquetra
