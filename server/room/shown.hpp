// What members are shown: the room, the same for everybody, and the match, of which each seat sees
// its own half.
#pragma once

#include <vector>

#include "server/room/outgoing.hpp"

namespace triquetra {

struct Draft;

/// The frames that a message leads to: answers, then whatever has changed for each member, then
/// notices.
std::vector<Outgoing> frames_of(Draft draft);

}  // namespace triquetra
