// A room as a value: its parts, each in the file that knows it, and the stage of its life. A part
// is shared with the room before until it changes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/ensure.hpp"
#include "protocol/server_frames.hpp"
#include "server/base/time_point.hpp"
#include "server/room/after.hpp"
#include "server/room/copy_on_write.hpp"
#include "server/room/door.hpp"
#include "server/room/members.hpp"
#include "server/room/play.hpp"
#include "server/room/seats.hpp"
#include "server/room/shuffle.hpp"
#include "server/room/terms.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Closed {
  static constexpr RoomStatus kStatus = RoomStatus::closed;
};
using Stage = std::variant<Gathering, Shuffling, Playing, Over, Closed>;

struct RoomState {
  CopyOnWrite<Terms> terms;
  CopyOnWrite<MatchOpened> opened;  // the match that people gather for, play, or have played
  CopyOnWrite<Seats> seats;
  CopyOnWrite<Connected> members;
  CopyOnWrite<Doorway> door;
  CopyOnWrite<Stage> stage;
  Answers answers;
  CopyOnWrite<std::vector<std::string>> finished;  // the newest matches, limits::kRecordsPerRoom
  TimePoint touched_at{};
  bool is_hosted = true;  // else its host is gone, and nobody is there to follow

  RoomStatus status() const;
  /// The stage, if the room is in it; else null.
  template <class S>
  const S* in() const {
    return std::get_if<S>(&*stage);
  }
  /// The stage, to change it. Before: the room is in it.
  template <class S>
  S& edit() {
    ensure(in<S>() != nullptr, "a room in another stage");
    return std::get<S>(stage.edit());
  }
  /// The match on the table, while it is played and after its end; else null.
  const Match* match() const;
  /// Acts and lapses of this match so far.
  std::int64_t rev() const;
  /// Until when the room may be without connections before it closes.
  TimePoint empty_until() const;
};

/// How a record changes the room: the same code when it is written and when a log is read. Throws
/// Bug if it does not fit.
void adopt_record(RoomState& room, const Record& record, TimePoint now);

}  // namespace triquetra
