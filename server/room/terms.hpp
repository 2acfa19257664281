// What a room goes by from its first moment to its last: what its maker wanted, the game, and how
// long it waits.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "server/base/limits.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct GameKind;

/// How long a room waits for people and bots. Tests and the command line may choose otherwise.
struct RoomPolicy {
  std::chrono::milliseconds bot_delay = limits::kBotDelay;
  std::chrono::milliseconds bot_window_delay = limits::kBotWindowDelay;
  std::chrono::milliseconds reveal_time = limits::kRevealTime;
  std::chrono::milliseconds away_time = limits::kAwayTime;
  std::chrono::milliseconds stall_time = limits::kStallTime;
  std::chrono::milliseconds idle_time = limits::kIdleRoomTime;
  /// For tests of secrecy alone: the deal of every match instead of what its seed gives, so that
  /// two rooms differ in nothing else.
  std::optional<std::string> written_deal;
  /// For tests alone, to play a game again: all chance of a room whose maker promised something for
  /// the shuffle follows from this and from that, whatever other rooms there are. Only a build with
  /// tests has a flag for it, which has all other chance follow too: foresee() in base/random.hpp.
  std::optional<std::string> test_seed;
  std::chrono::milliseconds abandoned_time = limits::kAbandonedRoomTime;
  std::chrono::milliseconds left_time = limits::kLeftRoomTime;
  std::chrono::milliseconds rest_time = limits::kRestTime;
};

struct Terms {
  RoomCreated wanted;
  const GameKind* game = nullptr;
  RoomPolicy policy;
};

}  // namespace triquetra
