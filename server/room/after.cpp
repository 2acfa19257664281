#include "server/room/after.hpp"

#include <memory>
#include <utility>

#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"

namespace triquetra {
namespace {

RecordedStep recorded_step(const Step& step) {
  RecordedStep one;
  if (const auto* acted = std::get_if<Acted>(&step)) {
    one.rev = acted->rev;
    one.at_ms = acted->at_ms;
    one.seat = acted->seat;
    one.action = Raw{acted->action};
    one.by = acted->by;
  } else {
    const auto& lapsed = std::get<Lapsed>(step);
    one.rev = lapsed.rev;
    one.at_ms = lapsed.at_ms;
    one.lapsed = lapsed.decision;
  }
  return one;
}

std::string record_of(const Match& match, const MatchOpened& opened) {
  MatchRecord record = *match.head;
  record.secret = opened.secret;
  record.deal.text = match.table->deal(*match.start);
  for (const Step& step : match.steps) record.steps.push_back(recorded_step(step));
  record.result = recorded(match.table->result().value());
  return encoded(record);
}

/// A match that is over, for whoever sits or watches here; refuses if there is none.
const FinishedMatch* finished(Draft& draft, const RequestId& id, const MatchId& wanted) {
  if (!draft.is_member() && !draft.my_seat()) {
    draft.refuse(id, ErrorCode::not_in_room);
    return nullptr;
  }
  for (const auto& match : *draft.room.finished) {
    if (match->match == wanted.str()) return match.get();
  }
  const bool runs = wanted.str() == draft.room.opened->match;
  draft.refuse(id, runs ? ErrorCode::record_not_ready : ErrorCode::no_such_match);
  return nullptr;
}

}  // namespace

void finish_match(RoomState& room) {
  Over over{std::move(room.edit<Playing>().match)};
  const Match& match = over.match;
  auto& finished = room.finished.edit();
  finished.push_back(std::make_shared<const FinishedMatch>(
      FinishedMatch{room.opened->match, room.seats->size(), record_of(match, *room.opened),
                    match.marks, match.steps}));
  if (finished.size() > limits::kRecordsPerRoom) finished.erase(finished.begin());
  room.stage = std::move(over);
}

void on(Draft& draft, const Rematch& frame) {
  const auto seat = draft.my_seat();
  if (!seat) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (frame.entropy_hash && !is_hash(frame.entropy_hash->str())) {
    return draft.refuse(frame.id, ErrorCode::bad_text, about_field("entropy_hash"));
  }
  // The first to ask opens the next match; those who follow while it gathers agree with it.
  if (draft.room.in<Over>() != nullptr) {
    draft.keep(next_match(draft.rng));
  } else {
    // After a start that was called off, what was promised for it is promised anew.
    const auto* gathering = draft.room.in<Gathering>();
    const bool is_next =
        gathering != nullptr && (!draft.room.finished->empty() || !gathering->called_off.empty());
    if (!is_next) return draft.refuse(frame.id, ErrorCode::not_over);
  }
  if (frame.entropy_hash) {
    const SeatedPlayer before = *draft.room.seats->player_at(*seat);
    SeatTaken again = sitting_down(draft, *seat, frame.entropy_hash);
    again.name = before.name;
    again.bot = before.is_program ? std::optional(true) : std::nullopt;
    draft.keep(again);
    if (!before.away_since) draft.room.seats.edit().edit_player(*seat).away_since.reset();
  }
  draft.reply(ok(frame.id));
}

void on(Draft& draft, const GetRecord& frame) {
  const FinishedMatch* match = finished(draft, frame.id, frame.match);
  if (match == nullptr) return;
  Ok answer = ok(frame.id);
  answer.record = Raw{match->record};
  draft.reply(answer);
}

void on(Draft& draft, const Replay& frame) {
  const FinishedMatch* match = finished(draft, frame.id, frame.match);
  if (match == nullptr) return;
  Ok answer = ok(frame.id);
  const auto from = static_cast<std::size_t>(int{frame.from});
  answer.steps = replay_page(*match, from);
  answer.more = from + answer.steps->size() <= match->steps.size();
  draft.reply(answer);
}

}  // namespace triquetra
