#include "server/room/members.hpp"

#include <algorithm>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

/// Whether the sender may come in; refuses the request if not.
bool admits(Draft& draft, const RequestId& id, const std::optional<Password>& password) {
  const RoomCreated& wanted = draft.room.terms->wanted;
  if (!wanted.password_hash.empty() &&
      (!password || password_hash(wanted.room, password->str()) != wanted.password_hash)) {
    draft.refuse(id, ErrorCode::wrong_password);
    return false;
  }
  if (is_shut_for(draft)) {
    draft.refuse(id, ErrorCode::door_closed);
    return false;
  }
  if (draft.room.members->size() >= limits::kRoomMembers && !draft.is_member()) {
    draft.refuse(id, ErrorCode::room_full, about_limit(limits::kRoomMembers));
    return false;
  }
  return true;
}

/// Since now, unless the player is here or was away before.
void mark_away(Draft& draft, const std::string& player) {
  const auto seat = draft.room.seats->of(player);
  if (!seat || draft.room.seats->player_at(*seat)->away_since) return;
  const Connected& members = *draft.room.members;
  const bool here = std::any_of(members.begin(), members.end(),
                                [&](const auto& entry) { return entry.second.player == player; });
  if (!here) draft.room.seats.edit().edit_player(*seat).away_since = draft.now;
}

/// To all members for whom `goes` holds.
template <class Goes>
void say_goodbye(Draft& draft, ByeCode why, Goes goes) {
  Bye bye;
  bye.code = why;
  bye.room = draft.room.terms->wanted.room;
  for (const auto& [connection, member] : *draft.room.members) {
    if (goes(member)) draft.notices.push_back({connection, nullptr, encoded(bye)});
  }
  std::erase_if(draft.room.members.edit(), [&](const auto& entry) { return goes(entry.second); });
}

}  // namespace

std::string password_hash(const std::string& room, const std::string& password) {
  return sha256_hex(room + "/" + password);
}

void attach(Draft& draft, std::optional<Seat> seat) {
  const ConnectionId connection = draft.from->connection;
  draft.room.members.edit()[connection] = {draft.from->player, seat, draft.from->address};
  draft.arrived.push_back(connection);
  draft.room_changed = true;
  if (!seat) return;
  SeatedPlayer& player = draft.room.seats.edit().edit_player(*seat);
  player.away_since.reset();
  player.has_left = false;
  player.lapses_in_a_row = 0;
  const Match* match = draft.room.match();
  const bool stays_covered = is_sent_away(draft.room, *seat);
  if (match != nullptr && match->covered.contains(*seat) && !stays_covered) {
    draft.keep(SeatCovered{*seat, false, {}});
    draft.view_changed = true;
  }
}

void detach(Draft& draft, ConnectionId connection) {
  const auto found = draft.room.members->find(connection);
  if (found == draft.room.members->end()) return;
  const std::string player = found->second.player;
  draft.room.members.edit().erase(connection);
  mark_away(draft, player);
  draft.room.touched_at = draft.now;
  draft.room_changed = true;
}

void kick_out(Draft& draft, Seat seat) {
  const std::string player = draft.room.seats->player_at(seat)->player;
  say_goodbye(draft, ByeCode::kicked,
              [&](const Member& member) { return member.player == player; });
  mark_away(draft, player);
}

void send_spectators_away(Draft& draft) {
  say_goodbye(draft, ByeCode::kicked, [](const Member& member) { return !member.seat; });
  draft.room_changed = true;
}

void follow_host(Draft& draft) {
  const Seats& seats = *draft.room.seats;
  const auto away = seats.host_away_since();
  const bool is_away = away && draft.now - *away >= draft.room.terms->policy.away_time;
  const bool is_out = seats.host && is_sent_away(draft.room, *seats.host);
  if (seats.host && !is_away && !is_out) return;
  for (const Seat seat : seats_of(seats.size())) {
    if (seats.is_person(seat) && !seats.player_at(seat)->away_since &&
        !is_sent_away(draft.room, seat)) {
      const std::string name = seats.player_at(seat)->name;
      draft.keep(HostChanged{seat});
      return draft.tell_news(NewsKind::host, seat, name);
    }
  }
}

void on(Draft& draft, const Join& frame) {
  std::optional<Seat> seat = draft.my_seat();
  if (!seat) {
    if (frame.entropy_hash && !is_hash(frame.entropy_hash->str())) {
      return draft.refuse(frame.id, ErrorCode::bad_text, about_field("entropy_hash"));
    }
    if (!admits(draft, frame.id, frame.password)) return;
    if (draft.room.in<Gathering>() == nullptr) {
      return draft.refuse(frame.id, ErrorCode::already_started);
    }
    seat = free_seat(draft, frame.seat, frame.id);
    if (!seat) return;
    draft.keep(sitting_down(draft, *seat, frame.entropy_hash));
  }
  Ok answer = ok(frame.id);
  answer.room = draft.room.terms->wanted.room;
  answer.seat = seat;
  draft.reply(answer);
  attach(draft, seat);
}

void on(Draft& draft, const Watch& frame) {
  // Who has a seat sees this room from that seat and in no other way.
  if (draft.my_seat()) return draft.refuse(frame.id, ErrorCode::already_seated);
  if (!may_watch(draft.room)) return draft.refuse(frame.id, ErrorCode::no_watching);
  if (!admits(draft, frame.id, frame.password)) return;
  Ok answer = ok(frame.id);
  answer.room = draft.room.terms->wanted.room;
  draft.reply(answer);
  attach(draft, std::nullopt);
}

void on(Draft& draft, const Leave& frame) {
  const auto seat = draft.my_seat();
  if (!draft.is_member() && !seat) return draft.refuse(frame.id, ErrorCode::not_in_room);
  draft.reply(ok(frame.id));
  const bool may_give_up =
      draft.room.in<Gathering>() != nullptr || draft.room.in<Over>() != nullptr;
  const bool gives_up = seat && may_give_up;
  if (gives_up) draft.keep(SeatLeft{*seat});
  detach(draft, draft.from->connection);
  if (seat && !gives_up) {
    // Another tab may still be here.
    SeatedPlayer& player = draft.room.seats.edit().edit_player(*seat);
    player.has_left = player.away_since.has_value();
  }
  // The player's other connections go with the seat.
  if (!gives_up) return;
  const std::string player = draft.from->player;
  say_goodbye(draft, ByeCode::left, [&](const Member& member) { return member.player == player; });
}

void on(Draft& draft, const React& frame) {
  const auto seat = draft.my_seat();
  const RoomCreated& wanted = draft.room.terms->wanted;
  if (!seat) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (wanted.chat == Chat::off) return draft.refuse(frame.id, ErrorCode::chat_off);
  draft.reply(ok(frame.id));
  draft.tell_all(encoded(ReactionShown{wanted.room, *seat, frame.reaction}));
}

void on(Draft& draft, const Say& frame) {
  const auto seat = draft.my_seat();
  const RoomCreated& wanted = draft.room.terms->wanted;
  if (!seat) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (wanted.chat != Chat::text) return draft.refuse(frame.id, ErrorCode::chat_off);
  if (!draft.room.seats->is_person(*seat)) return draft.refuse(frame.id, ErrorCode::not_allowed);
  draft.reply(ok(frame.id));
  draft.tell_all(encoded(Said{wanted.room, *seat, frame.text.str()}));
}

}  // namespace triquetra
