// After a match: its record, its replay, and the next one.
#pragma once

#include <cstdint>

#include "protocol/client_frames.hpp"
#include "protocol/server_frames.hpp"
#include "server/room/messages.hpp"
#include "server/room/play.hpp"

namespace triquetra {

struct LoggedMatch;

/// The stage in which the end stays on the table.
struct Over {
  static constexpr RoomStatus kStatus = RoomStatus::over;
  Match match;
};

/// The match on the table has a result. Before: the room is in play.
void finish_match(RoomState& room);
/// The match that was opened last is over: it can be asked for.
void count_finished(RoomState& room);
/// What Effects::wanted_match was read for: of a match that is played, what happened up to the
/// revision `known`. Before: `client` asked for this match, for more than that only if it is over.
Outgoing answer_from(const LoggedMatch& match, const FromClient& client, std::int64_t known);

void on(Draft& draft, const Rematch& frame);
void on(Draft& draft, const GetRecord& frame);
void on(Draft& draft, const Replay& frame);
void on(Draft& draft, const GetReview& frame);

}  // namespace triquetra
