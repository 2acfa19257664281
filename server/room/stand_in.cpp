#include "server/room/stand_in.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
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

/// Whether this seat's bot looks ahead and has not come to an end.
bool is_thinking(const Playing& playing, Seat seat) {
  const Pondered* one = playing.pondered_by(seat);
  return one != nullptr && !one->is_found;
}

/// What the seat's bot has thought out, or does without. None: it lets the window lapse.
std::optional<std::string> chosen(Draft& draft, Seat seat) {
  const Pondered* thought = draft.room.in<Playing>()->pondered_by(seat);
  if (thought != nullptr && thought->is_found) return thought->action;
  const SeatedBot* bot = draft.room.seats->bot_at(seat);
  const BotLevel level = bot != nullptr ? bot->level : BotLevel::normal;
  return draft.room.match()->table->choose(seat, level, draft.rng);
}

/// Whether there was an act: a bot may let a window lapse.
bool bot_acts(Draft& draft, const Decision& decision, Seat seat, ActedBy by) {
  const TablePointer table = draft.room.match()->table;
  auto action = chosen(draft, seat);
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
    const Lapsed lapsed{match.revision + 1, decision.id, ms_between(match.started_at, draft.now)};
    go_on(room, match.table->lapse(decision.id), draft.now);
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
  const Asked* asked = draft.room.in<Playing>()->asked_of(seat);
  return asked != nullptr && draft.now - asked->since >= terms.policy.stall_time;
}

/// Whether a bot whose moment has come waits on for what it thinks: so long, and then acts without.
bool waits_for_thought(Draft& draft) {
  auto& playing = draft.room.edit<Playing>();
  if (!playing.thoughts_until) playing.thoughts_until = draft.now + limits::kThoughtTime;
  if (draft.now >= *playing.thoughts_until) return false;
  playing.bots_at = playing.thoughts_until;
  return true;
}

/// What the bots that look ahead are asked. They go on with what they think about already: in a
/// ballot all answer in secret, so that nobody's answer changes what another knows.
std::vector<Pondered> to_ponder(const RoomState& room) {
  const auto& playing = *room.in<Playing>();
  std::vector<Pondered> next;
  for (const Asked& one : playing.asked) {
    for (const Seat seat : asked(one.decision).list()) {
      const SeatedBot* bot = room.seats->bot_at(seat);
      const auto level = bot != nullptr ? level_for_people(bot->level) : std::nullopt;
      if (!level || strength_of(*level).playouts == 0) continue;
      const Question question{room.opened->match, room.rev(), one.decision.id, seat, *level};
      const Pondered* before = playing.pondered_by(seat);
      const bool is_ballot = std::holds_alternative<Ballot>(one.decision.ask);
      const bool stands = before != nullptr && before->question.decision == one.decision.id &&
                          (is_ballot || before->question.rev == question.rev);
      next.push_back(stands ? *before : Pondered{question});
    }
  }
  return next;
}

template <class Is>
bool asks(const Asked& one, const Is& is) {
  const auto seats = asked(one.decision).list();
  return std::any_of(seats.begin(), seats.end(), is);
}

/// How long bots wait now. People get the whole of a window that is theirs, before a bot's turn
/// closes it; and while a person looks what to do, a bot plays in its own window no faster than a
/// person could. Programs are as fast as bots.
std::chrono::milliseconds pause_of_bots(const RoomState& room) {
  const auto& all = room.in<Playing>()->asked;
  const auto is_person = [&](Seat seat) {
    return !plays_itself(room, seat) && room.seats->is_person(seat);
  };
  const RoomPolicy& policy = room.terms->policy;
  std::chrono::milliseconds pause = policy.bot_delay;
  const bool asks_people =
      std::any_of(all.begin(), all.end(), [&](const Asked& one) { return asks(one, is_person); });
  if (!asks_people) return pause;
  for (const Asked& one : all) {
    const auto* window = std::get_if<Window>(&one.decision.ask);
    if (window == nullptr) continue;
    const auto whole = std::min(window->length, policy.bot_window_delay);
    pause = std::max(pause, asks(one, is_person) ? whole : whole * 2 / 3);
  }
  return pause;
}

}  // namespace

void schedule_bots(RoomState& room, TimePoint now) {
  const auto& all = room.in<Playing>()->asked;
  const bool asked_of_bot = std::any_of(all.begin(), all.end(), [&](const Asked& one) {
    return asks(one, [&](Seat seat) { return plays_itself(room, seat); });
  });
  auto next = asked_of_bot ? to_ponder(room) : std::vector<Pondered>();
  auto& playing = room.edit<Playing>();
  playing.pondered = std::move(next);
  playing.thoughts_until.reset();
  playing.bots_at.reset();
  if (asked_of_bot) playing.bots_at = now + pause_of_bots(room);
}

void hear_thought(Draft& draft, const BotThought& thought) {
  if (draft.room.in<Playing>() == nullptr) return;
  auto& playing = draft.room.edit<Playing>();
  for (Pondered& one : playing.pondered) {
    if (one.question != thought.question) continue;
    one.is_found = true;
    one.action = thought.action;
    // Its moment has come before; else it lets the pause pass, as a person would.
    if (playing.thoughts_until) playing.bots_at = draft.now;
  }
}

void lapse_what_is_due(Draft& draft) {
  if (draft.room.in<Playing>() == nullptr) return;
  const auto is_due = [&](const Asked& one) { return one.until && *one.until <= draft.now; };
  // Each lapse may open another decision, but that one is due in the future.
  std::vector<Asked> due;
  const auto& all = draft.room.in<Playing>()->asked;
  std::copy_if(all.begin(), all.end(), std::back_inserter(due), is_due);
  for (const Asked& one : due) {
    const auto* playing = draft.room.in<Playing>();
    if (playing == nullptr) return;
    const auto stands =
        std::find_if(playing->asked.begin(), playing->asked.end(),
                     [&](const Asked& other) { return other.decision.id == one.decision.id; });
    if (stands == playing->asked.end()) continue;
    const Decision decision = stands->decision;
    lapse(draft, decision);
  }
}

void play_bots_if_due(Draft& draft) {
  const auto* playing = draft.room.in<Playing>();
  if (playing == nullptr || !playing->bots_at || draft.now < *playing->bots_at) return;
  draft.room.edit<Playing>().bots_at.reset();
  // A bot's own window comes before a bot's turn, which would close it.
  const auto all = playing->asked;
  for (const bool windows : {true, false}) {
    for (const auto& [decision, since, opened, until] : all) {
      if (std::holds_alternative<Window>(decision.ask) != windows) continue;
      for (const Seat seat : asked(decision).list()) {
        // One act at a time: what is asked next waits for the next pause. A ballot's other bots
        // follow.
        if (!plays_itself(draft.room, seat)) continue;
        if (is_thinking(*draft.room.in<Playing>(), seat) && waits_for_thought(draft)) return;
        if (bot_acts(draft, decision, seat, ActedBy::bot)) return;
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
  auto& playing = room.edit<Playing>();
  for (Asked& one : playing.asked) {
    if (!covered.covered && asked(one.decision).contains(covered.seat)) one.since = now;
  }
  playing.kick_votes.erase(covered.seat);
  playing.readmit_votes.erase(covered.seat);
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
