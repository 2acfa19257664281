// Who plays for a seat when no player does: the server's own bots, the bot that covers somebody who
// is away, and the clock.
#pragma once

#include "engine/ids.hpp"
#include "protocol/client_frames.hpp"
#include "server/base/time_point.hpp"
#include "server/room/messages.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Draft;
struct RoomState;

/// When bots act next. Before: the room is in play.
void schedule_bots(RoomState& room, TimePoint now);
/// Time has passed: what was asked until now is answered, and bots act if it is their moment.
void lapse_what_is_due(Draft& draft);
void play_bots_if_due(Draft& draft);
/// A bot's thought has come. One that nothing asks for any more is passed over.
void hear_thought(Draft& draft, const BotThought& thought);
/// Whether the table has sent this player away in the match that is played.
bool is_sent_away(const RoomState& room, Seat seat);
/// Who is asked whether a player goes, or comes again: all other people at the table but those whom
/// it has sent away. Programs are not.
SeatSet voices_about(const RoomState& room, Seat seat);
/// A player wants another one to go; the bot plays on when everybody else does.
void vote_out(Draft& draft, Seat seat, Seat by);

void adopt(RoomState& room, const SeatCovered& covered, TimePoint now);
void adopt(RoomState& room, const KickVoted& vote, TimePoint now);
void adopt(RoomState& room, const ReadmitVoted& vote, TimePoint now);

void on(Draft& draft, const Readmit& frame);
void on(Draft& draft, const Cover& frame);

}  // namespace triquetra
