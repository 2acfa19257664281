// What a room that sleeps knows beyond its log: how long ago and how long yet, so that it wakes as
// the room that it was.
#pragma once

#include <chrono>
#include <string>

#include "server/base/time_point.hpp"

namespace triquetra {

struct RoomState;

/// All of it at `now`, in words for the store. Before: nobody is in the room, and no bot is about
/// to act.
std::string nap_note(const RoomState& room, TimePoint now);
/// Gives a room that was made again by its log what nap_note() said, `slept` ago. Throws Malformed
/// if it said nothing of the kind.
void wake_from_nap(RoomState& room, const std::string& note, std::chrono::milliseconds slept,
                   TimePoint now);

}  // namespace triquetra
