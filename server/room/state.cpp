#include "server/room/state.hpp"

#include <variant>

#include "protocol/catalog.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

void adopt(RoomState& room, const RoomCreated& created, TimePoint /*now*/) {
  Terms& terms = room.terms.edit();
  terms.wanted = created;
  terms.game = find_game(created.game);
  ensure(terms.game != nullptr, "a room of a game that this program lacks");
}

void adopt(RoomState& room, const RoomClosed& /*closed*/, TimePoint /*now*/) {
  room.stage = Closed{};
}

}  // namespace

RoomStatus RoomState::status() const {
  return std::visit([](const auto& one) { return one.kStatus; }, *stage);
}

const Match* RoomState::match() const {
  if (const auto* playing = in<Playing>()) return &playing->match;
  if (const auto* over = in<Over>()) return &over->match;
  return nullptr;
}

std::int64_t RoomState::rev() const {
  const Match* on_table = match();
  return on_table == nullptr ? 0 : on_table->revision;
}

TimePoint RoomState::empty_until() const {
  const bool plays = in<Shuffling>() != nullptr || in<Playing>() != nullptr;
  const RoomPolicy& policy = terms->policy;
  if (!plays) return touched_at + policy.idle_time;
  return touched_at + (seats->all_have_left() ? policy.left_time : policy.abandoned_time);
}

void adopt_record(RoomState& room, const Record& record, TimePoint now) {
  room.touched_at = now;
  std::visit([&](const auto& one) { adopt(room, one, now); }, record);
}

}  // namespace triquetra
