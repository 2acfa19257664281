#include "server/room/shown.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"
#include "server/room/draft.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

bool takes_part_in_shuffle(const RoomState& room, Seat seat) {
  if (const auto* gathering = room.in<Gathering>()) return gathering->promised.contains(seat);
  if (const auto* shuffling = room.in<Shuffling>()) return shuffling->promised.contains(seat);
  const Match* match = room.match();
  return match != nullptr && match->head->seats.at(seat.index()).entropy_hash.has_value();
}

SeatShown seat_shown(const RoomState& room, Seat seat) {
  SeatShown shown;
  shown.seat = seat;
  shown.kind = kind_of(room.seats->chairs[seat.index()]);
  if (const SeatedBot* bot = room.seats->bot_at(seat)) shown.level = bot->level;
  if (const SeatedPlayer* player = room.seats->player_at(seat)) {
    shown.name = player->name;
    shown.presence = player->away_since ? Presence::away : Presence::here;
    const Match* match = room.match();
    if (match != nullptr && match->covered.contains(seat)) shown.covered = true;
    if (is_sent_away(room, seat)) shown.sent_away = true;
    if (takes_part_in_shuffle(room, seat)) shown.entropy = true;
  }
  return shown;
}

RoomFrame room_frame(const RoomState& room) {
  const RoomCreated& wanted = room.terms->wanted;
  RoomFrame frame;
  frame.room = wanted.room;
  frame.game = wanted.game;
  frame.options.text = wanted.options;
  frame.status = room.status();
  frame.host = room.seats->host;
  frame.visibility = wanted.visibility;
  frame.locked = !wanted.password_hash.empty();
  frame.clock = wanted.clock;
  if (!room.door->open) frame.door_closed = true;
  frame.spectators = may_watch(room);
  frame.chat = wanted.chat;
  frame.hints = wanted.hints;
  frame.match = room.opened->match;
  frame.commitment = commitment_of(room.opened->secret).value();
  if (const auto* shuffling = room.in<Shuffling>()) {
    frame.reveal.emplace();
    for (const auto& entry : shuffling->promised) {
      if (!shuffling->entropies.contains(entry.first)) frame.reveal->push_back(entry.first);
    }
    frame.binding = shuffling->head->binding;
  }
  if (const Match* match = room.match()) frame.binding = match->head->binding;
  const auto* gathering = room.in<Gathering>();
  if (gathering != nullptr && !gathering->called_off.empty()) {
    frame.called_off = static_cast<std::int64_t>(gathering->called_off.size());
  }
  for (const Seat seat : seats_of(room.seats->size())) {
    frame.seats.push_back(seat_shown(room, seat));
  }
  for (const auto& entry : *room.members) frame.watching += entry.second.seat ? 0 : 1;
  return frame;
}

std::string view_head(const RoomState& room) {
  const Match& match = *room.match();
  ViewHead head;
  head.room = room.terms->wanted.room;
  head.match = room.opened->match;
  head.rev = match.revision;
  head.decisions = shown(match.table->decisions());
  head.table.text = match.table->table_view();
  // Written once already, when the step was taken.
  head.happened.text = match.newly_happened();
  std::string text = encoded(head);
  text.pop_back();  // the tail follows inside the same object
  return text;
}

std::string view_tail(const RoomState& room, std::optional<Seat> seat, TimePoint now) {
  ViewTail tail;
  const auto* playing = room.in<Playing>();
  if (playing != nullptr) {
    for (const Asked& one : playing->asked) {
      if (!one.until) continue;
      if (!tail.left_ms) tail.left_ms.emplace();
      tail.left_ms->push_back({one.decision.id, ms_between(now, *one.until)});
    }
  }
  tail.seat = seat;
  Scratch scratch;
  std::string& text = scratch.text();
  bool first = false;  // the head stands before it
  encode_members(text, tail, first);
  // The game's own part is written by the game, without anything in between.
  if (seat) room.match()->table->show(text, *seat, room.terms->wanted.hints);
  text += '}';
  return {text.data(), text.size()};
}

}  // namespace

std::vector<Outgoing> frames_of(Draft draft) {
  const RoomState& room = draft.room;
  std::vector<Outgoing> frames = std::move(draft.replies);
  std::shared_ptr<const std::string> room_text;
  std::shared_ptr<const std::string> head;
  std::map<std::optional<Seat>, std::string> tails;
  for (const auto& [connection, member] : *room.members) {
    const bool arrived =
        std::find(draft.arrived.begin(), draft.arrived.end(), connection) != draft.arrived.end();
    if (draft.room_changed || arrived) {
      if (!room_text) room_text = std::make_shared<const std::string>(encoded(room_frame(room)));
      frames.push_back({connection, room_text, {}, false, {}, true, arrived});
    }
    if (room.match() != nullptr && (draft.view_changed || arrived)) {
      if (!head) head = std::make_shared<const std::string>(view_head(room));
      auto tail = tails.find(member.seat);
      if (tail == tails.end()) {
        tail = tails.emplace(member.seat, view_tail(room, member.seat, draft.now)).first;
      }
      frames.push_back({connection, head, tail->second, true, {}, false, arrived});
    }
  }
  for (Outgoing& notice : draft.notices) frames.push_back(std::move(notice));
  return frames;
}

}  // namespace triquetra
