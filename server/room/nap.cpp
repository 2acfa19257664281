#include "server/room/nap.hpp"

#include <boost/describe/class.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "server/room/state.hpp"

namespace triquetra {

using std::chrono::milliseconds;

// Times are in milliseconds before the note was written; those that are left, after it.
struct NapSeat {
  Seat seat;
  std::optional<std::int64_t> away;
  std::int64_t lapses{};
  bool left{};
};
BOOST_DESCRIBE_STRUCT(NapSeat, (), (seat, away, lapses, left))

struct NapDecision {
  DecisionId decision;
  std::int64_t since{};
  std::optional<std::int64_t> left;
};
BOOST_DESCRIBE_STRUCT(NapDecision, (), (decision, since, left))

struct NapNote {
  static constexpr LogTag kLogTag{"nap"};
  std::int64_t touched{};
  bool hosted{};
  std::vector<NapSeat> seats;
  std::optional<std::int64_t> started;  // the match that is played
  std::vector<NapDecision> asked;
};
BOOST_DESCRIBE_STRUCT(NapNote, (), (touched, hosted, seats, started, asked))

namespace {

std::int64_t between(TimePoint from, TimePoint to) {
  return std::chrono::round<milliseconds>(to - from).count();
}

}  // namespace

std::string nap_note(const RoomState& room, TimePoint now) {
  NapNote note;
  note.touched = between(room.touched_at, now);
  note.hosted = room.is_hosted;
  for (const Seat seat : seats_of(room.seats->size())) {
    const SeatedPlayer* player = room.seats->player_at(seat);
    if (player == nullptr) continue;
    NapSeat& one =
        note.seats.emplace_back(NapSeat{seat, {}, player->lapses_in_a_row, player->has_left});
    if (player->away_since) one.away = between(*player->away_since, now);
  }
  if (const auto* playing = room.in<Playing>()) {
    note.started = between(playing->match.started_at, now);
    for (const Asked& asked : playing->asked) {
      NapDecision& one =
          note.asked.emplace_back(NapDecision{asked.decision.id, between(asked.since, now), {}});
      if (asked.until) one.left = between(now, *asked.until);
    }
  }
  std::string text = "{";
  bool first = true;
  encode_members(text, note, first);
  return text += '}';
}

void wake_from_nap(RoomState& room, const std::string& text, milliseconds slept, TimePoint now) {
  const auto note = decode<NapNote>(JsonText(text, kTrustedJson).root(), Reading::lenient);
  const TimePoint then = now - slept;
  const auto ago = [&](std::int64_t ms) { return then - milliseconds(ms); };
  room.touched_at = ago(note.touched);
  room.is_hosted = note.hosted;
  for (const NapSeat& one : note.seats) {
    if (room.seats->player_at(one.seat) == nullptr) continue;
    SeatedPlayer& player = room.seats.edit().edit_player(one.seat);
    player.away_since = one.away ? std::optional(ago(*one.away)) : std::nullopt;
    player.lapses_in_a_row = static_cast<int>(one.lapses);
    player.has_left = one.left;
  }
  if (room.in<Playing>() == nullptr || !note.started) return;
  auto& playing = room.edit<Playing>();
  playing.match.started_at = ago(*note.started);
  // What its bots would have done they did before.
  playing.bots_at.reset();
  playing.pondered.clear();
  for (const NapDecision& one : note.asked) {
    const auto asked =
        std::find_if(playing.asked.begin(), playing.asked.end(),
                     [&](const Asked& open) { return open.decision.id == one.decision; });
    if (asked == playing.asked.end()) continue;
    asked->since = ago(one.since);
    asked->until = one.left ? std::optional(then + milliseconds(*one.left)) : std::nullopt;
  }
}

}  // namespace triquetra
