// The only place of the server that reads a clock.
#pragma once

#include "server/room.hpp"

namespace triquetra {

/// Now, on a clock that never goes back.
TimePoint now();

}  // namespace triquetra
