#include "server/room/after.hpp"

#include <algorithm>
#include <utility>

#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/room/draft.hpp"
#include "server/room/logged_match.hpp"

namespace triquetra {
namespace {

/// Has a match that is over read, for whoever sits or watches here; refuses if there is none.
void want_finished(Draft& draft, const RequestId& id, const MatchId& wanted) {
  if (!draft.is_member() && !draft.my_seat()) return draft.refuse(id, ErrorCode::not_in_room);
  const auto& finished = *draft.room.finished;
  if (std::find(finished.begin(), finished.end(), wanted.str()) != finished.end()) {
    draft.wanted_match = wanted.str();
    return;
  }
  const bool runs = wanted.str() == draft.room.opened->match;
  draft.refuse(id, runs ? ErrorCode::record_not_ready : ErrorCode::no_such_match);
}

Ok answer_of(const LoggedMatch& match, const GetRecord& frame, std::int64_t /*known*/) {
  Ok answer = ok(frame.id);
  answer.record = Raw{match.finished.value().record};
  return answer;
}

Ok answer_of(const LoggedMatch& match, const Replay& frame, std::int64_t /*known*/) {
  Ok answer = ok(frame.id);
  const FinishedMatch& finished = match.finished.value();
  const auto from = static_cast<std::size_t>(int{frame.from});
  answer.steps = replay_page(finished, from);
  answer.more = from + answer.steps->size() <= finished.steps.size();
  return answer;
}

Ok answer_of(const LoggedMatch& match, const History& frame, std::int64_t known) {
  // The log may be an act ahead, which nobody has been shown.
  const std::size_t size = match.happened.size();
  const std::size_t told = match.finished ? size : std::min(size, static_cast<std::size_t>(known));
  return history_page(frame, told, [&](std::size_t at) { return match.happened[at]; });
}

}  // namespace

void count_finished(RoomState& room) {
  auto& finished = room.finished.edit();
  finished.push_back(room.opened->match);
  if (finished.size() > limits::kRecordsPerRoom) finished.erase(finished.begin());
}

void finish_match(RoomState& room) {
  Over over{std::move(room.edit<Playing>().match)};
  // What is on the table is shown as long as it stands; the log has all that led there.
  over.match.happened = {};
  room.stage = std::move(over);
  count_finished(room);
}

Outgoing answer_from(const LoggedMatch& match, const FromClient& client, std::int64_t known) {
  Outgoing answer{client.from.connection, nullptr, {}};
  answer.is_asked = true;
  std::visit(
      [&](const auto& frame) {
        if constexpr (requires { answer_of(match, frame, known); }) {
          answer.own = encoded(answer_of(match, frame, known));
        } else {
          ensure(false, "a frame that asks for no match");
        }
      },
      client.frame);
  return answer;
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

void on(Draft& draft, const GetRecord& frame) { want_finished(draft, frame.id, frame.match); }

void on(Draft& draft, const Replay& frame) { want_finished(draft, frame.id, frame.match); }

void on(Draft& draft, const GetReview& frame) { want_finished(draft, frame.id, frame.match); }

}  // namespace triquetra
