#include "server/room/play.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

/// As evenly spread as the keys of an AppendOnlyMap have to be.
std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }
std::uint64_t hash_of(std::uint64_t first, std::uint64_t second) {
  return (first ^ std::rotr(second, 29)) * 0x9e3779b97f4a7c15U;
}

std::uint64_t hash_of_act(DecisionId decision, std::string_view action) {
  return hash_of(decision.index(), hash_of(action));
}

/// Whether the act was kept before; then it is answered.
bool answer_again(Draft& draft, const Act& frame) {
  const auto rev = draft.room.answers.find(draft.from->player, frame);
  if (!rev) return false;
  if (*rev == 0) {
    draft.refuse(frame.id, ErrorCode::id_reused);
    return true;
  }
  Ok answer = ok(frame.id);
  answer.rev = rev;
  draft.reply(answer);
  return true;
}

}  // namespace

std::string Match::newly_happened() const {
  return happened.size() == 0 ? table->happened() : std::string(happened[happened.size() - 1]);
}

const Asked* Playing::asked_of(Seat seat) const {
  const auto found = std::find_if(asked.begin(), asked.end(), [&](const Asked& one) {
    return triquetra::asked(one.decision).contains(seat);
  });
  return found == asked.end() ? nullptr : &*found;
}

const Pondered* Playing::pondered_by(Seat seat) const {
  const auto found = std::find_if(pondered.begin(), pondered.end(),
                                  [&](const Pondered& one) { return one.question.seat == seat; });
  return found == pondered.end() ? nullptr : &*found;
}

bool Playing::opened_any(TimePoint handled) const {
  return std::any_of(asked.begin(), asked.end(),
                     [&](const Asked& one) { return one.until && one.opened == handled; });
}

void Playing::put_off(TimePoint handled, TimePoint durable) {
  for (Asked& one : asked) {
    if (one.until && one.opened == handled) *one.until += durable - handled;
  }
}

void Answers::begin_match(const std::string& match) {
  before_ = std::exchange(now_, {});
  rename_match(match);
}

void Answers::rename_match(const std::string& match) { now_.match = hash_of(match); }

void Answers::add(const std::string& player, const Acted& acted) {
  now_.by_request.add(
      hash_of(hash_of(player), hash_of(acted.id)),
      {hash_of_act(acted.decision, acted.action), static_cast<std::uint32_t>(acted.rev)});
}

std::optional<std::int64_t> Answers::find(const std::string& player, const Act& again) const {
  const std::uint64_t key = hash_of(hash_of(player), hash_of(again.id.str()));
  for (const OfMatch* of : {&now_, &before_}) {
    const Answer* known = of->by_request.find(key);
    if (known == nullptr) continue;
    const bool is_of_this_match = !again.match || hash_of(again.match->str()) == of->match;
    const bool is_it = known->act == hash_of_act(again.decision, again.action.text);
    return is_of_this_match && is_it ? known->rev : 0;
  }
  return std::nullopt;
}

std::int64_t ms_between(TimePoint from, TimePoint to) {
  return std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count());
}

void ask(RoomState& room, TimePoint now) {
  auto& playing = room.edit<Playing>();
  const auto clock = room.terms->wanted.clock;
  List<Asked, kMaxSeats> next;
  for (const Decision& decision : playing.match.table->decisions()) {
    const auto old = std::find_if(playing.asked.begin(), playing.asked.end(),
                                  [&](const Asked& one) { return one.decision.id == decision.id; });
    const auto* window = std::get_if<Window>(&decision.ask);
    if (old != playing.asked.end()) {
      next.push_back({decision, old->since, old->opened, old->until});
    } else if (window != nullptr) {
      next.push_back({decision, now, now, now + window->length});
    } else if (clock) {
      next.push_back({decision, now, now, now + std::chrono::seconds(*clock)});
    } else {
      next.push_back({decision, now, now, std::nullopt});
    }
  }
  playing.asked = next;
  schedule_bots(room, now);
}

void go_on(RoomState& room, TablePointer table, TimePoint now) {
  Match& match = room.edit<Playing>().match;
  match.table = std::move(table);
  match.happened.push_back(match.table->happened());
  ++match.revision;
  ensure(match.happened.size() <= limits::kMatchRevisions, "a match without an end");
  if (match.table->result()) {
    finish_match(room);
  } else {
    ask(room, now);
  }
}

void remember(RoomState& room, const Acted& acted) {
  // A bot's act has no player who could ask again.
  const SeatedPlayer* player = room.seats->player_at(acted.seat);
  if (player == nullptr) return;
  if (!acted.id.empty()) room.answers.add(player->player, acted);
  int lapses = player->lapses_in_a_row;
  if (acted.by == ActedBy::player) lapses = 0;
  if (acted.by == ActedBy::clock) ++lapses;
  if (lapses == player->lapses_in_a_row) return;
  room.seats.edit().edit_player(acted.seat).lapses_in_a_row = lapses;
}

void make(Draft& draft, TablePointer table, Seat seat, DecisionId decision, std::string action,
          ActedBy by, std::string id) {
  RoomState& room = draft.room;
  const std::int64_t at_ms = ms_between(room.match()->started_at, draft.now);
  Acted acted{room.rev() + 1, seat, decision, std::move(action), by, std::move(id), at_ms};
  remember(room, acted);
  go_on(room, std::move(table), draft.now);
  room.touched_at = draft.now;
  draft.records.emplace_back(std::move(acted));
  draft.view_changed = true;
  draft.room_changed |= room.in<Over>() != nullptr;
}

void adopt(RoomState& room, const Acted& acted, TimePoint now) {
  auto next = room.edit<Playing>().match.table->act(acted.seat, acted.action);
  ensure(std::holds_alternative<TablePointer>(next), "a logged act that the rules forbid");
  remember(room, acted);
  go_on(room, std::get<TablePointer>(std::move(next)), now);
}

void adopt(RoomState& room, const Lapsed& lapsed, TimePoint now) {
  go_on(room, room.edit<Playing>().match.table->lapse(lapsed.decision), now);
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
  const auto* playing = draft.room.in<Playing>();
  // After the end nothing is asked any more.
  if (playing == nullptr) return draft.refuse(frame.id, ErrorCode::too_late);
  const auto open =
      std::find_if(playing->asked.begin(), playing->asked.end(),
                   [&](const Asked& one) { return one.decision.id == frame.decision; });
  if (open == playing->asked.end()) return draft.refuse(frame.id, ErrorCode::too_late);
  if (!asked(open->decision).contains(*seat)) {
    return draft.refuse(frame.id, ErrorCode::not_your_turn);
  }
  if (frame.action.text.size() > kActionBytes) {
    return draft.refuse(frame.id, ErrorCode::too_large, about_limit(kActionBytes));
  }
  try {
    auto made = match->table->act(*seat, frame.action.text);
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

void on(Draft& draft, const AskHint& frame) {
  const auto seat = draft.my_seat();
  if (!seat) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (!draft.room.terms->wanted.hints) return draft.refuse(frame.id, ErrorCode::not_allowed);
  if (draft.room.match() == nullptr) return draft.refuse(frame.id, ErrorCode::not_started);
  if (is_sent_away(draft.room, *seat)) return draft.refuse(frame.id, ErrorCode::not_allowed);
  const auto* playing = draft.room.in<Playing>();
  if (playing == nullptr) return draft.refuse(frame.id, ErrorCode::too_late);
  const Asked* open = playing->asked_of(*seat);
  if (open == nullptr) return draft.refuse(frame.id, ErrorCode::not_your_turn);
  draft.wanted_hint =
      Question{draft.room.opened->match, draft.room.rev(), open->decision.id, *seat, Level::expert};
}

Outgoing answer_from(const Thought& thought, const Question& question, const Sender& from,
                     const AskHint& frame) {
  const auto raw = [](const std::optional<std::string>& action) {
    return action ? std::optional(Raw{*action}) : std::nullopt;
  };
  std::vector<const WeighedAct*> best;
  for (const WeighedAct& act : thought.acts) best.push_back(&act);
  // What it would do comes first, also where it is not sure enough of another that looks better.
  std::sort(best.begin(), best.end(), [&](const WeighedAct* one, const WeighedAct* other) {
    const bool is_it = one->action == thought.action;
    const bool is_other = other->action == thought.action;
    if (is_it != is_other) return is_it;
    return one->worth != other->worth ? one->worth > other->worth : one < other;
  });
  HintShown hint{question.rev, question.decision, raw(thought.action), {}};
  for (const WeighedAct* act : best) {
    if (act->worlds == 0 || hint.acts.size() == limits::kHintActs) continue;
    hint.acts.push_back({raw(act->action), std::lround(100 * act->wins), {}});
    if (act->points) hint.acts.back().points = std::lround(*act->points);
  }
  Ok answer = ok(frame.id);
  answer.hint = std::move(hint);
  return {from.connection, nullptr, encoded(answer), false, {}, false, true};
}

void on(Draft& draft, const History& frame) {
  if (!draft.is_member()) return draft.refuse(frame.id, ErrorCode::not_in_room);
  if (frame.match.str() != draft.room.opened->match) {
    return draft.refuse(frame.id, ErrorCode::no_such_match);
  }
  if (draft.room.in<Over>() != nullptr) {
    draft.wanted_match = frame.match.str();
    return;
  }
  const Match* match = draft.room.match();
  const RecentTexts happened = match == nullptr ? RecentTexts() : match->happened;
  if (static_cast<std::size_t>(int{frame.after}) < happened.first()) {
    draft.wanted_match = frame.match.str();
    return;
  }
  draft.reply(history_page(frame, happened.size(),
                           [&](std::size_t at) { return std::string(happened[at]); }));
}

Ok history_page(const History& frame, std::size_t size,
                const std::function<std::string(std::size_t)>& happened) {
  Ok answer = ok(frame.id);
  answer.pages.emplace();
  auto rev = static_cast<std::size_t>(int{frame.after});
  while (rev < size && answer.pages->size() < limits::kHistoryPage) {
    answer.pages->push_back({static_cast<std::int64_t>(rev) + 1, Raw{happened(rev)}});
    ++rev;
  }
  answer.more = rev < size;
  return answer;
}

}  // namespace triquetra
