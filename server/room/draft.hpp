// The next room in the making: what one message makes of this one, and what is to be kept and said
// about it. Whoever handles a request writes in it; if its records are not kept, it never was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rng.hpp"
#include "protocol/server_frames.hpp"
#include "server/room/messages.hpp"
#include "server/room/state.hpp"

namespace triquetra {

struct Draft {
  RoomState& room;
  TimePoint now;
  Rng& rng;
  const Sender* from = nullptr;  // of a request
  std::vector<Record> records{};
  std::vector<Outgoing> replies{};
  std::vector<Outgoing> notices{};
  std::vector<ConnectionId> arrived{};  // they are shown everything
  std::string wanted_match{};           // see Effects
  std::optional<Question> wanted_hint{};
  bool room_changed = false;
  bool view_changed = false;

  // Answers to the sender.
  void reply(const Ok& ok);
  void refuse(const RequestId& id, ErrorCode code, ErrorArgs args = {});

  /// Changes the room by a record, which is to be kept.
  void keep(Record record);
  /// The same text for everybody in the room.
  void tell_all(std::string text);
  /// The same for what has happened to the room's people.
  void tell_news(NewsKind what, std::optional<Seat> seat = {},
                 std::optional<std::string> name = {});

  // About the sender.
  std::optional<Seat> my_seat() const { return room.seats->of(from->player); }
  bool is_member() const { return room.members->contains(from->connection); }
  bool is_host() const { return room.seats->host && my_seat() == room.seats->host; }
};

/// A yes to the request of this id.
Ok ok(const RequestId& id);

}  // namespace triquetra
