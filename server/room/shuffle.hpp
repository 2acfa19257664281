// From the secret of a match to its deal: seats open the entropies that they have promised, and
// chance decides. docs/FAIRNESS.md says how.
#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/rng.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/match_record.hpp"
#include "protocol/server_frames.hpp"
#include "server/base/time_point.hpp"
#include "server/room/copy_on_write.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Draft;
struct RoomState;

/// The stage in which entropies are opened: as short as those who promised one make it.
struct Shuffling {
  static constexpr RoomStatus kStatus = RoomStatus::starting;
  std::map<Seat, std::string> promised;   // hashes, as while people gathered
  std::map<Seat, std::string> entropies;  // of those who have opened theirs
  CopyOnWrite<MatchRecord> head;          // the record as far as it is settled now
  std::set<std::string> out;              // who kept theirs back at an earlier start of this match
  TimePoint reveal_until{};               // then the start is called off if others are missing
};

/// A match for people to gather for, with an id and a secret of its own.
MatchOpened next_match(Rng& rng);
/// Entropies and their hashes are 256 bits in hex.
bool is_hash(const std::string& text);
/// Deals, if no entropy is awaited any more; calls the start off if one has not come in time.
void deal_if_revealed(Draft& draft);

void adopt(RoomState& room, const MatchStarting& starting, TimePoint now);
void adopt(RoomState& room, const EntropyOpened& opened, TimePoint now);
void adopt(RoomState& room, const StartCalledOff& off, TimePoint now);
void adopt(RoomState& room, const MatchStarted& started, TimePoint now);

void on(Draft& draft, const Start& frame);
void on(Draft& draft, const RevealEntropy& frame);

}  // namespace triquetra
