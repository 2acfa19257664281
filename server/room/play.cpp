#include "server/room/play.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "server/base/limits.hpp"
#include "server/room/draft.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

std::vector<Deadline> deadlines_of(const Playing& playing, std::optional<std::int64_t> clock,
                                   TimePoint now) {
  std::vector<Deadline> next;
  const std::vector<Deadline>& before = playing.deadlines;
  for (const Decision& decision : playing.match.table->decisions()) {
    const auto old = std::find_if(before.begin(), before.end(),
                                  [&](const Deadline& d) { return d.decision == decision.id; });
    if (old != before.end()) {
      next.push_back(*old);
    } else if (const auto* window = std::get_if<Window>(&decision.ask)) {
      next.push_back({decision.id, now + window->length, now});
    } else if (clock) {
      next.push_back({decision.id, now + std::chrono::seconds(*clock), now});
    }
  }
  return next;
}

void remember(RoomState& room, const Acted& acted) {
  // A bot's act has no player who could ask again.
  const SeatedPlayer* player = room.seats->player_at(acted.seat);
  if (player == nullptr) return;
  if (!acted.id.empty()) {
    room.answers.add(player->player, acted.id,
                     {room.opened->match, acted.decision, acted.action, acted.rev});
  }
  int lapses = player->lapses_in_a_row;
  if (acted.by == ActedBy::player) lapses = 0;
  if (acted.by == ActedBy::clock) ++lapses;
  if (lapses == player->lapses_in_a_row) return;
  room.seats.edit().edit_player(acted.seat).lapses_in_a_row = lapses;
}

/// Whether the act was kept before; then it is answered.
bool answer_again(Draft& draft, const Act& frame) {
  const Answer* known = draft.room.answers.find(draft.from->player, frame.id.str());
  if (known == nullptr) return false;
  const bool is_of_this_match = !frame.match || frame.match->str() == known->match;
  if (!is_of_this_match || known->decision != frame.decision ||
      known->action != frame.action.text) {
    draft.refuse(frame.id, ErrorCode::id_reused);
    return true;
  }
  Ok answer = ok(frame.id);
  answer.rev = known->rev;
  draft.reply(answer);
  return true;
}

}  // namespace

bool Playing::opened_any(TimePoint handled) const {
  return std::any_of(deadlines.begin(), deadlines.end(),
                     [&](const Deadline& deadline) { return deadline.opened == handled; });
}

void Playing::put_off(TimePoint handled, TimePoint durable) {
  for (Deadline& deadline : deadlines) {
    if (deadline.opened == handled) deadline.at += durable - handled;
  }
}

void Answers::add(const std::string& player, const std::string& id, Answer answer) {
  of_match_.add({player, id}, std::move(answer));
}

const Answer* Answers::find(const std::string& player, const std::string& id) const {
  const std::pair key(player, id);
  const Answer* known = of_match_.find(key);
  return known != nullptr ? known : before_.find(key);
}

std::int64_t ms_between(TimePoint from, TimePoint to) {
  return std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count());
}

void ask(RoomState& room, TimePoint now) {
  auto& playing = room.edit<Playing>();
  playing.deadlines = deadlines_of(playing, room.terms->wanted.clock, now);
  std::map<DecisionId, TimePoint> asked_since;
  for (const Decision& decision : playing.match.table->decisions()) {
    const auto old = playing.asked_since.find(decision.id);
    asked_since[decision.id] = old != playing.asked_since.end() ? old->second : now;
  }
  playing.asked_since = std::move(asked_since);
  schedule_bots(room, now);
}

void go_on(RoomState& room, TablePointer table, Step step, TimePoint now) {
  if (const auto* acted = std::get_if<Acted>(&step)) remember(room, *acted);
  Match& match = room.edit<Playing>().match;
  if (match.steps.size() % limits::kReplayStride == 0) match.marks.push_back(match.table);
  match.table = std::move(table);
  match.steps.push_back(std::move(step));
  match.happened.push_back(match.table->happened());
  ensure(match.steps.size() <= limits::kMatchRevisions, "a match without an end");
  if (match.table->result()) {
    finish_match(room);
  } else {
    ask(room, now);
  }
}

void make(Draft& draft, TablePointer table, Seat seat, DecisionId decision, std::string action,
          ActedBy by, std::string id) {
  RoomState& room = draft.room;
  const std::int64_t at_ms = ms_between(room.match()->started_at, draft.now);
  const Acted acted{room.rev() + 1, seat, decision, std::move(action), by, std::move(id), at_ms};
  go_on(room, std::move(table), acted, draft.now);
  room.touched_at = draft.now;
  draft.records.emplace_back(acted);
  draft.view_changed = true;
  draft.room_changed |= room.in<Over>() != nullptr;
}

void adopt(RoomState& room, const Acted& acted, TimePoint now) {
  auto next = room.edit<Playing>().match.table->act(acted.seat, acted.action);
  ensure(std::holds_alternative<TablePointer>(next), "a logged act that the rules forbid");
  go_on(room, std::get<TablePointer>(std::move(next)), acted, now);
}

void adopt(RoomState& room, const Lapsed& lapsed, TimePoint now) {
  go_on(room, room.edit<Playing>().match.table->lapse(lapsed.decision), lapsed, now);
}

void on(Draft& draft, const Act& frame) {
  // First of all: who has lost the seat since then still hears that the act was kept.
  if (answer_again(draft, frame)) return;
  const auto seat = draft.my_seat();
  if (!seat) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (frame.match && frame.match->str() != draft.room.opened->match) {
    return draft.refuse(frame.id, ErrorCode::too_late);
  }
  const Match* match = draft.room.match();
  if (match == nullptr) return draft.refuse(frame.id, ErrorCode::not_started);
  if (is_sent_away(draft.room, *seat)) return draft.refuse(frame.id, ErrorCode::not_allowed);
  // After the end nothing is asked any more.
  const TablePointer table = match->table;
  const auto decisions = table->decisions();
  const auto decision = std::find_if(decisions.begin(), decisions.end(),
                                     [&](const Decision& d) { return d.id == frame.decision; });
  if (decision == decisions.end()) return draft.refuse(frame.id, ErrorCode::too_late);
  if (!asked(*decision).contains(*seat)) return draft.refuse(frame.id, ErrorCode::not_your_turn);
  if (frame.action.text.size() > kActionBytes) {
    return draft.refuse(frame.id, ErrorCode::too_large, about_limit(kActionBytes));
  }
  try {
    auto made = table->act(*seat, frame.action.text);
    if (const auto* fault = std::get_if<Fault>(&made)) {
      return draft.refuse(frame.id, ErrorCode::illegal, about_rule(std::string(fault->rule)));
    }
    if (match->covered.contains(*seat)) draft.keep(SeatCovered{*seat, false, {}});
    make(draft, std::get<TablePointer>(std::move(made)), *seat, frame.decision, frame.action.text,
         ActedBy::player, frame.id.str());
  } catch (const Malformed& malformed) {
    ErrorArgs args = malformed.args();
    args.field = args.field ? "action." + *args.field : "action";
    return draft.refuse(frame.id, malformed.code(), args);
  }
  Ok answer = ok(frame.id);
  answer.rev = draft.room.rev();
  draft.reply(answer);
}

void on(Draft& draft, const History& frame) {
  if (!draft.is_member()) return draft.refuse(frame.id, ErrorCode::not_in_room);
  if (frame.match.str() != draft.room.opened->match) {
    return draft.refuse(frame.id, ErrorCode::no_such_match);
  }
  Ok answer = ok(frame.id);
  answer.pages.emplace();
  const Match* match = draft.room.match();
  const std::size_t total = match == nullptr ? 0 : match->happened.size();
  auto rev = static_cast<std::size_t>(int{frame.after});
  while (rev < total && answer.pages->size() < limits::kHistoryPage) {
    answer.pages->push_back({static_cast<std::int64_t>(rev) + 1, Raw{match->happened[rev]}});
    ++rev;
  }
  answer.more = rev < total;
  draft.reply(answer);
}

}  // namespace triquetra
