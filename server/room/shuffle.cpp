#include "server/room/shuffle.hpp"

#include <utility>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/fairness.hpp"
#include "server/room/draft.hpp"

namespace triquetra {
namespace {

std::string random_hex(Rng& rng, std::size_t bytes) {
  std::string raw;
  for (std::size_t i = 0; i < bytes; ++i) raw += static_cast<char>(rng.below(256));
  return to_hex(raw);
}

std::vector<RecordedSeat> recorded_seats(const Seats& seats, const Shuffling& shuffling,
                                         const std::vector<std::string>& entropies) {
  std::vector<RecordedSeat> all;
  for (const Seat seat : seats_of(seats.size())) {
    RecordedSeat one;
    one.kind = kind_of(seats.chairs[seat.index()]);
    one.entropy = entropies.at(seat.index());
    const auto promised = shuffling.promised.find(seat);
    if (promised != shuffling.promised.end()) one.entropy_hash = promised->second;
    if (const SeatedPlayer* player = seats.player_at(seat)) one.name = player->name;
    if (const SeatedBot* bot = seats.bot_at(seat)) one.level = bot->level;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

MatchOpened next_match(Rng& rng) { return {random_hex(rng, 16), random_hex(rng, 32)}; }

bool is_hash(const std::string& text) { return text.size() == 64 && from_hex(text).has_value(); }

void adopt(RoomState& room, const MatchStarting& /*starting*/, TimePoint now) {
  Shuffling shuffling;
  shuffling.reveal_until = now + room.terms->policy.reveal_time;
  const auto& promised = room.edit<Gathering>().promised;
  const Seats& gathered = *room.seats;
  Seats taken;
  for (const Seat seat : seats_of(gathered.size())) {
    const Chair& chair = gathered.chairs[seat.index()];
    if (kind_of(chair) == SeatKind::empty) continue;
    const Seat renumbered{taken.size()};
    if (gathered.host == seat) taken.host = renumbered;
    const auto hash = promised.find(seat);
    if (hash != promised.end()) shuffling.promised.emplace(renumbered, hash->second);
    taken.chairs.push_back(chair);
  }
  for (auto& entry : room.members.edit()) entry.second.seat = taken.of(entry.second.player);
  room.seats = std::move(taken);
  room.stage = std::move(shuffling);
}

void adopt(RoomState& room, const EntropyOpened& opened, TimePoint /*now*/) {
  room.edit<Shuffling>().entropies[opened.seat] = opened.entropy;
}

void adopt(RoomState& room, const MatchStarted& started, TimePoint now) {
  const Terms& terms = *room.terms;
  const std::size_t seat_count = room.seats->size();
  Playing playing;
  Match& match = playing.match;
  match.seats = recorded_seats(*room.seats, room.edit<Shuffling>(), started.entropies);
  match.started_at = now;
  const auto& deal = terms.policy.written_deal;
  match.start =
      deal ? terms.game->lay_dealt(terms.wanted.options, seat_count, *deal)
           : terms.game->lay(terms.wanted.options, seat_count,
                             seed_of(room.opened->secret, room.opened->match, started.entropies));
  match.table = match.start;
  room.stage = std::move(playing);
  ask(room, now);
}

void on(Draft& draft, const Start& frame) {
  if (!draft.my_seat()) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
  if (draft.room.in<Gathering>() == nullptr) {
    return draft.refuse(frame.id, ErrorCode::already_started);
  }
  const Terms& terms = *draft.room.terms;
  const std::size_t taken = draft.room.seats->taken();
  if (const auto fault = terms.game->check(terms.wanted.options, taken)) {
    const auto most = static_cast<std::size_t>(terms.wanted.seats);
    const bool more_would_do = taken < most && !terms.game->check(terms.wanted.options, most);
    return draft.refuse(frame.id,
                        more_would_do ? ErrorCode::too_few_players : ErrorCode::bad_options,
                        about_rule(std::string(fault->rule)));
  }
  draft.keep(MatchStarting{});
  draft.reply(ok(frame.id));
  deal_if_revealed(draft);
}

void on(Draft& draft, const RevealEntropy& frame) {
  const auto seat = draft.my_seat();
  if (!seat) return draft.refuse(frame.id, ErrorCode::not_seated);
  const auto* shuffling = draft.room.in<Shuffling>();
  if (shuffling == nullptr || !shuffling->promised.contains(*seat)) {
    return draft.refuse(frame.id, ErrorCode::entropy_not_asked);
  }
  if (!is_hash(frame.entropy.str()) ||
      commitment_of(frame.entropy.str()) != shuffling->promised.at(*seat)) {
    return draft.refuse(frame.id, ErrorCode::entropy_mismatch);
  }
  if (!shuffling->entropies.contains(*seat)) {
    draft.keep(EntropyOpened{*seat, frame.entropy.str()});
  }
  draft.reply(ok(frame.id));
  deal_if_revealed(draft);
}

void deal_if_revealed(Draft& draft) {
  const auto* shuffling = draft.room.in<Shuffling>();
  if (shuffling == nullptr) return;
  const bool waits = shuffling->entropies.size() < shuffling->promised.size();
  if (waits && draft.now < shuffling->reveal_until) return;
  MatchStarted started;
  started.rules = draft.room.terms->game->version;
  for (const Seat seat : seats_of(draft.room.seats->size())) {
    const auto opened = shuffling->entropies.find(seat);
    started.entropies.push_back(opened == shuffling->entropies.end() ? "" : opened->second);
  }
  draft.keep(started);
  draft.view_changed = true;
}

}  // namespace triquetra
