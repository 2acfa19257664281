#include "server/room/shuffle.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/fairness.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"

namespace triquetra {
namespace {

std::string random_hex(Rng& rng, std::size_t bytes) {
  std::string raw;
  for (std::size_t i = 0; i < bytes; ++i) raw += static_cast<char>(rng.below(256));
  return to_hex(raw);
}

/// The record as far as it is settled when seats and promises are; nobody's entropy is open yet.
MatchRecord settled(const RoomState& room, const Seats& seats,
                    const std::map<Seat, std::string>& promised,
                    const std::vector<CalledOff>& called_off) {
  MatchRecord head;
  head.format = 2;
  head.match = room.opened->match;
  head.game = room.terms->wanted.game;
  head.rules = room.terms->game->version;
  head.options.text = room.terms->wanted.options;
  head.commitment = commitment_of(room.opened->secret).value();
  head.called_off = called_off;
  for (const Seat seat : seats_of(seats.size())) {
    RecordedSeat one;
    one.kind = kind_of(seats.chairs[seat.index()]);
    const auto hash = promised.find(seat);
    if (hash != promised.end()) one.entropy_hash = hash->second;
    if (const SeatedPlayer* player = seats.player_at(seat)) one.name = player->name;
    if (const SeatedBot* bot = seats.bot_at(seat)) one.level = bot->level;
    head.seats.push_back(std::move(one));
  }
  head.binding = binding_of(head);
  return head;
}

/// By the number of each seat, the one that it has once empty seats are closed.
std::vector<std::optional<std::size_t>> numbers_at_start(const Seats& seats) {
  std::vector<std::optional<std::size_t>> numbers;
  std::size_t next = 0;
  for (const Chair& chair : seats.chairs) {
    const bool is_taken = kind_of(chair) != SeatKind::empty;
    numbers.push_back(is_taken ? std::optional(next++) : std::nullopt);
  }
  return numbers;
}

/// Public, and with its price: those who kept theirs back are out of the next shuffle.
void call_off(Draft& draft) {
  StartCalledOff off;
  std::vector<std::string> names;
  const auto* shuffling = draft.room.in<Shuffling>();
  for (const auto& entry : shuffling->promised) {
    if (!shuffling->entropies.contains(entry.first)) off.unopened.push_back(entry.first);
  }
  for (const Seat seat : off.unopened) names.push_back(draft.room.seats->player_at(seat)->name);
  draft.keep(off);
  // Another secret, for this one's deal could be known by now.
  draft.keep(next_match(draft.rng));
  for (std::size_t i = 0; i < names.size(); ++i) {
    draft.tell_news(NewsKind::start_called_off, off.unopened[i], names[i]);
  }
}

}  // namespace

MatchOpened next_match(Rng& rng) { return {random_hex(rng, 16), random_hex(rng, 32)}; }

bool is_hash(const std::string& text) { return text.size() == 64 && from_hex(text).has_value(); }

void adopt(RoomState& room, const MatchStarting& starting, TimePoint now) {
  Shuffling shuffling;
  shuffling.reveal_until = now + room.terms->policy.reveal_time;
  if (starting.options) room.terms.edit().wanted.options = *starting.options;
  const auto& promised = room.edit<Gathering>().promised;
  shuffling.out = room.edit<Gathering>().out;
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
  shuffling.head = settled(room, taken, shuffling.promised, room.edit<Gathering>().called_off);
  for (auto& entry : room.members.edit()) entry.second.seat = taken.of(entry.second.player);
  room.seats = std::move(taken);
  room.stage = std::move(shuffling);
}

void adopt(RoomState& room, const EntropyOpened& opened, TimePoint /*now*/) {
  room.edit<Shuffling>().entropies[opened.seat] = opened.entropy;
}

void adopt(RoomState& room, const StartCalledOff& off, TimePoint /*now*/) {
  const MatchRecord head = *room.edit<Shuffling>().head;
  Gathering next;
  next.out = room.edit<Shuffling>().out;
  next.called_off = head.called_off.value_or(std::vector<CalledOff>{});
  CalledOff& start = next.called_off.emplace_back(CalledOff{head.match, head.commitment, {}});
  for (const Seat seat : off.unopened) {
    const SeatedPlayer* player = room.seats->player_at(seat);
    ensure(player != nullptr, "no player who could have promised");
    start.names.push_back(player->name);
    next.out.insert(player->player);
  }
  room.stage = std::move(next);
}

void adopt(RoomState& room, const MatchStarted& started, TimePoint now) {
  const Terms& terms = *room.terms;
  const std::size_t seat_count = room.seats->size();
  Playing playing;
  Match& match = playing.match;
  match.head = room.edit<Shuffling>().head;
  MatchRecord& head = match.head.edit();
  for (std::size_t seat = 0; seat < seat_count; ++seat) {
    head.seats[seat].entropy = started.entropies.at(seat);
  }
  if (started.format.value_or(1) == 1) {
    head.format = 1;
    head.binding.reset();
    head.called_off.reset();
  }
  match.started_at = now;
  const auto& deal = terms.policy.written_deal;
  match.table =
      deal ? terms.game->lay_dealt(terms.wanted.options, seat_count, *deal)
           : terms.game->lay(terms.wanted.options, seat_count,
                             seed_of(room.opened->secret, room.opened->match, started.entropies));
  room.stage = std::move(playing);
  ask(room, now);
}

void on(Draft& draft, const Start& frame) {
  if (!draft.my_seat()) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
  if (draft.room.in<Gathering>() == nullptr) {
    return draft.refuse(frame.id, ErrorCode::already_started);
  }
  if (draft.room.in<Gathering>()->called_off.size() >= limits::kCalledOffStarts) {
    return draft.refuse(frame.id, ErrorCode::not_allowed, about_limit(limits::kCalledOffStarts));
  }
  const Terms& terms = *draft.room.terms;
  const std::size_t taken = draft.room.seats->taken();
  const std::string options =
      terms.game->renumbered(terms.wanted.options, numbers_at_start(*draft.room.seats));
  if (const auto fault = terms.game->check(options, taken)) {
    const auto most = static_cast<std::size_t>(terms.wanted.seats);
    const bool more_would_do = taken < most && !terms.game->check(terms.wanted.options, most);
    return draft.refuse(frame.id,
                        more_would_do ? ErrorCode::too_few_players : ErrorCode::bad_options,
                        about_rule(std::string(fault->rule)));
  }
  const bool is_other = options != terms.wanted.options;
  draft.keep(MatchStarting{is_other ? std::optional(options) : std::nullopt});
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
  if (waits) return call_off(draft);
  MatchStarted started;
  started.format = shuffling->head->format;
  started.rules = draft.room.terms->game->version;
  for (const Seat seat : seats_of(draft.room.seats->size())) {
    const auto opened = shuffling->entropies.find(seat);
    started.entropies.push_back(opened == shuffling->entropies.end() ? "" : opened->second);
  }
  draft.keep(started);
  draft.view_changed = true;
}

}  // namespace triquetra
