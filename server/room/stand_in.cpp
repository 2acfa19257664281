#include "server/room/stand_in.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/game.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"

namespace triquetra {
namespace {

bool plays_itself(const RoomState& room, Seat seat) {
  return room.seats->bot_at(seat) != nullptr || room.match()->covered.contains(seat);
}

/// Whether there was an act: a bot may let a window lapse.
bool bot_acts(Draft& draft, const Decision& decision, Seat seat, ActedBy by) {
  const SeatedBot* bot = draft.room.seats->bot_at(seat);
  const TablePointer table = draft.room.match()->table;
  auto action = table->choose(seat, bot != nullptr ? bot->level : BotLevel::greedy, draft.rng);
  if (!action) return false;
  auto made = table->act(seat, *action);
  ensure(std::holds_alternative<TablePointer>(made), "a bot chose what the rules forbid");
  make(draft, std::get<TablePointer>(std::move(made)), seat, decision.id, std::move(*action), by);
  return true;
}

void lapse(Draft& draft, const Decision& decision) {
  RoomState& room = draft.room;
  if (std::holds_alternative<Window>(decision.ask)) {
    const Match& match = *room.match();
    const Lapsed lapsed{match.rev() + 1, decision.id, ms_between(match.started_at, draft.now)};
    go_on(room, match.table->lapse(decision.id), lapsed, draft.now);
    draft.records.emplace_back(lapsed);
    draft.view_changed = true;
    return;
  }
  for (const Seat seat : asked(decision).list()) {
    if (!bot_acts(draft, decision, seat, ActedBy::clock)) continue;
    const SeatedPlayer* player = room.seats->player_at(seat);
    const auto* playing = room.in<Playing>();
    if (player == nullptr || playing == nullptr || playing->match.covered.contains(seat)) continue;
    if (player->lapses_in_a_row >= 2) draft.keep(SeatCovered{seat, true, {}});
  }
}

SeatSet votes_in(const std::map<Seat, SeatSet>& all, Seat seat) {
  const auto found = all.find(seat);
  return found == all.end() ? SeatSet{} : found->second;
}

/// Whether everybody who is asked about this seat has voted, and they are at least two.
bool all_agree(const RoomState& room, Seat seat, SeatSet votes) {
  const auto voices = voices_about(room, seat).list();
  return voices.size() >= 2 && std::all_of(voices.begin(), voices.end(),
                                           [&](Seat other) { return votes.contains(other); });
}

/// Whether this seat has been asked for so long that somebody else may play for it. With a clock,
/// that sees to it.
bool lets_wait(const Draft& draft, Seat seat) {
  const Terms& terms = *draft.room.terms;
  if (terms.wanted.clock) return false;
  const auto decision = decision_for(draft.room.match()->table->decisions(), seat);
  if (!decision) return false;
  const auto& asked_since = draft.room.in<Playing>()->asked_since;
  const auto since = asked_since.find(decision->id);
  return since != asked_since.end() && draft.now - since->second >= terms.policy.stall_time;
}

}  // namespace

void schedule_bots(RoomState& room, TimePoint now) {
  // People get their window: a bot whose turn stands beside one lets a second pass. Programs are as
  // fast as bots.
  std::chrono::milliseconds delay = room.terms->policy.bot_delay;
  bool asked_of_bot = false;
  for (const Decision& decision : room.match()->table->decisions()) {
    const auto* window = std::get_if<Window>(&decision.ask);
    for (const Seat seat : asked(decision).list()) {
      const bool is_bot = plays_itself(room, seat);
      asked_of_bot |= is_bot;
      if (window == nullptr || is_bot || !room.seats->is_person(seat)) continue;
      delay = std::max(delay, std::min(window->length, limits::kBotWindowDelay));
    }
  }
  auto& bots_at = room.edit<Playing>().bots_at;
  bots_at.reset();
  if (asked_of_bot) bots_at = now + delay;
}

void lapse_what_is_due(Draft& draft) {
  if (draft.room.in<Playing>() == nullptr) return;
  // Each lapse may open another decision, but that one is due in the future.
  const std::vector<Deadline> due = draft.room.in<Playing>()->deadlines;
  for (const Deadline& deadline : due) {
    if (deadline.at > draft.now || draft.room.in<Playing>() == nullptr) continue;
    for (const Decision& decision : draft.room.match()->table->decisions()) {
      if (decision.id == deadline.decision) {
        lapse(draft, decision);
        break;
      }
    }
  }
}

void play_bots_if_due(Draft& draft) {
  const auto* playing = draft.room.in<Playing>();
  if (playing == nullptr || !playing->bots_at || draft.now < *playing->bots_at) return;
  draft.room.edit<Playing>().bots_at.reset();
  // A bot's own window comes before a bot's turn, which would close it.
  for (const bool windows : {true, false}) {
    for (const Decision& decision : draft.room.match()->table->decisions()) {
      if (std::holds_alternative<Window>(decision.ask) != windows) continue;
      for (const Seat seat : asked(decision).list()) {
        // One act at a time: what is asked next waits for the next pause. A ballot's other bots
        // follow.
        const bool is_bot = plays_itself(draft.room, seat);
        if (is_bot && bot_acts(draft, decision, seat, ActedBy::bot)) return;
      }
    }
  }
}

bool is_sent_away(const RoomState& room, Seat seat) {
  const auto* playing = room.in<Playing>();
  return playing != nullptr && playing->match.sent_away.contains(seat);
}

SeatSet voices_about(const RoomState& room, Seat seat) {
  SeatSet voices;
  for (const Seat other : seats_of(room.seats->size())) {
    const bool has_a_voice =
        other != seat && room.seats->is_person(other) && !is_sent_away(room, other);
    if (has_a_voice) voices.insert(other);
  }
  return voices;
}

void vote_out(Draft& draft, Seat seat, Seat by) {
  if (!votes_in(draft.room.in<Playing>()->kick_votes, seat).contains(by)) {
    draft.keep(KickVoted{seat, by});
  }
  const SeatSet votes = votes_in(draft.room.in<Playing>()->kick_votes, seat);
  if (!all_agree(draft.room, seat, votes)) return;
  const std::string name = draft.room.seats->player_at(seat)->name;
  kick_out(draft, seat);
  draft.keep(SeatCovered{seat, true, true});
  draft.view_changed = true;
  draft.tell_news(NewsKind::voted_away, seat, name);
}

void adopt(RoomState& room, const SeatCovered& covered, TimePoint now) {
  const auto change = [&](Match& match) {
    if (covered.covered) {
      match.covered.insert(covered.seat);
    } else {
      match.covered.erase(covered.seat);
      match.sent_away.erase(covered.seat);
    }
    if (covered.sent_away.value_or(false)) match.sent_away.insert(covered.seat);
  };
  room.seats.edit().edit_player(covered.seat).lapses_in_a_row = 0;
  // After the end somebody may come back as well.
  if (room.in<Over>() != nullptr) return change(room.edit<Over>().match);
  change(room.edit<Playing>().match);
  // Who is back is asked anew.
  const auto asking = decision_for(room.match()->table->decisions(), covered.seat);
  if (asking && !covered.covered) room.edit<Playing>().asked_since[asking->id] = now;
  room.edit<Playing>().kick_votes.erase(covered.seat);
  room.edit<Playing>().readmit_votes.erase(covered.seat);
  schedule_bots(room, now);
}

void adopt(RoomState& room, const KickVoted& vote, TimePoint /*now*/) {
  room.edit<Playing>().kick_votes[vote.seat].insert(vote.by);
}

void adopt(RoomState& room, const ReadmitVoted& vote, TimePoint /*now*/) {
  room.edit<Playing>().readmit_votes[vote.seat].insert(vote.by);
}

void on(Draft& draft, const Readmit& frame) {
  const Seat seat = seat_at(frame.seat);
  const auto mine = draft.my_seat();
  if (!mine) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (draft.room.in<Playing>() == nullptr) return draft.refuse(frame.id, ErrorCode::not_started);
  const SeatedPlayer* player = draft.room.seats->player_at(seat);
  if (player == nullptr) return draft.refuse(frame.id, ErrorCode::no_such_seat);
  if (!is_sent_away(draft.room, seat)) return draft.refuse(frame.id, ErrorCode::not_away);
  if (!voices_about(draft.room, seat).contains(*mine)) {
    return draft.refuse(frame.id, ErrorCode::not_allowed);
  }
  const std::string name = player->name;
  draft.reply(ok(frame.id));
  if (!votes_in(draft.room.in<Playing>()->readmit_votes, seat).contains(*mine)) {
    draft.keep(ReadmitVoted{seat, *mine});
  }
  const SeatSet votes = votes_in(draft.room.in<Playing>()->readmit_votes, seat);
  if (!all_agree(draft.room, seat, votes)) return;
  draft.keep(SeatCovered{seat, false, {}});
  draft.view_changed = true;
  draft.tell_news(NewsKind::readmitted, seat, name);
  // Whoever is not here to take the seat back is away, as anybody else is.
}

void on(Draft& draft, const Cover& frame) {
  const Seat seat = seat_at(frame.seat);
  const auto mine = draft.my_seat();
  if (!mine) return draft.refuse(frame.id, ErrorCode::not_seated);
  const auto* playing = draft.room.in<Playing>();
  if (playing == nullptr) return draft.refuse(frame.id, ErrorCode::not_started);
  const SeatedPlayer* player = draft.room.seats->player_at(seat);
  if (player == nullptr) return draft.refuse(frame.id, ErrorCode::no_such_seat);
  const auto away_time = draft.room.terms->policy.away_time;
  const bool is_away = player->away_since && draft.now - *player->away_since >= away_time;
  const bool may_hurry =
      *mine != seat && draft.room.seats->is_person(*mine) && !is_sent_away(draft.room, *mine);
  if (!is_away && !(may_hurry && lets_wait(draft, seat))) {
    return draft.refuse(frame.id, ErrorCode::not_away);
  }
  if (!playing->match.covered.contains(seat)) draft.keep(SeatCovered{seat, true, {}});
  draft.reply(ok(frame.id));
}

}  // namespace triquetra
