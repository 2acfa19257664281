#include "server/room/door.hpp"

#include <algorithm>
#include <utility>

#include "protocol/fairness.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"

namespace triquetra {
namespace {

/// Salted with the code: what one room knows of an address tells nothing in another.
std::string address_hash(const RoomState& room, const std::string& address) {
  return sha256_hex(room.terms->wanted.room + "/address/" + address);
}

bool was_sent_away(const RoomState& room, const Sender& who) {
  const std::string hash = who.address.empty() ? "" : address_hash(room, who.address);
  return std::any_of(
      room.door->sent_away.begin(), room.door->sent_away.end(), [&](const SentAway& away) {
        const auto& hashes = away.address_hashes;
        return away.player == who.player ||
               (!hash.empty() && std::find(hashes.begin(), hashes.end(), hash) != hashes.end());
      });
}

/// The addresses that this player is connected from.
std::vector<std::string> address_hashes(const RoomState& room, const std::string& player) {
  std::vector<std::string> hashes;
  for (const auto& [connection, member] : *room.members) {
    if (member.player != player || member.address.empty()) continue;
    std::string hash = address_hash(room, member.address);
    if (std::find(hashes.begin(), hashes.end(), hash) == hashes.end()) {
      hashes.push_back(std::move(hash));
    }
  }
  return hashes;
}

}  // namespace

bool may_watch(const RoomState& room) {
  return room.terms->wanted.spectators && room.door->spectators;
}

bool is_shut_for(const Draft& draft) {
  // One word for both: whom a host does not want need not be told so.
  return !draft.room.door->open || was_sent_away(draft.room, *draft.from);
}

void send_away(Draft& draft, Seat seat, bool by_address) {
  const SeatedPlayer player = *draft.room.seats->player_at(seat);
  SentAway away{player.player, {}};
  if (by_address) away.address_hashes = address_hashes(draft.room, player.player);
  draft.keep(away);
  kick_out(draft, seat);
  draft.keep(SeatLeft{seat});
  draft.tell_news(NewsKind::sent_away, seat, player.name);
}

void adopt(RoomState& room, const SentAway& away, TimePoint /*now*/) {
  auto& all = room.door.edit().sent_away;
  all.push_back(away);
  if (all.size() > limits::kSentAway) all.erase(all.begin());
}

void adopt(RoomState& room, const DoorSet& door, TimePoint /*now*/) {
  Doorway& doorway = room.door.edit();
  doorway.open = door.open;
  doorway.spectators = door.spectators;
  if (door.forgiven.value_or(false)) doorway.sent_away.clear();
}

void on(Draft& draft, const Door& frame) {
  if (!draft.my_seat()) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
  // The maker's word to those who sat down stands: a room without spectators gets none.
  if (frame.spectators.value_or(false) && !draft.room.terms->wanted.spectators) {
    return draft.refuse(frame.id, ErrorCode::not_allowed, about_field("spectators"));
  }
  const Doorway before = *draft.room.door;
  DoorSet next{frame.open.value_or(before.open), frame.spectators.value_or(before.spectators), {}};
  const bool forgives = frame.forgive.value_or(false) && !before.sent_away.empty();
  if (forgives) next.forgiven = true;
  draft.reply(ok(frame.id));
  const bool opens = next.open != before.open;
  const bool shows = next.spectators != before.spectators;
  if (!opens && !shows && !forgives) return;
  draft.keep(next);
  if (shows && !next.spectators) send_spectators_away(draft);
  if (opens) draft.tell_news(next.open ? NewsKind::door_open : NewsKind::door_closed);
  if (shows) {
    draft.tell_news(next.spectators ? NewsKind::watching_open : NewsKind::watching_closed);
  }
  if (forgives) draft.tell_news(NewsKind::forgiven);
}

}  // namespace triquetra
