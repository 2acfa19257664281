#include "server/room/room.hpp"

#include <algorithm>
#include <variant>

#include "protocol/catalog.hpp"
#include "protocol/wire.hpp"
#include "server/room/draft.hpp"
#include "server/room/nap.hpp"
#include "server/room/shown.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

/// What the maker wants, with what is left open filled in. Throws Malformed.
RoomCreated wanted_by(const Sender& maker, const Create& frame, const std::string& code) {
  const GameKind* game = find_game(frame.game.str());
  if (game == nullptr) throw Malformed(ErrorCode::no_such_game, about_field("game"));
  if (frame.entropy_hash && !is_hash(frame.entropy_hash->str())) {
    throw Malformed(ErrorCode::bad_text, about_field("entropy_hash"));
  }
  RoomCreated created;
  created.room = code;
  created.maker = maker.player;
  created.request = frame.id.str();
  created.game = frame.game.str();
  created.options = game->canonical_options(frame.options ? frame.options->text : "{}");
  std::optional<Fault> fault;
  if (frame.seats) {
    created.seats = int{*frame.seats};
    fault = game->check(created.options, static_cast<std::size_t>(created.seats));
  } else {
    // As many as these options allow.
    for (std::size_t seats = game->max_seats; seats >= game->min_seats; --seats) {
      fault = game->check(created.options, seats);
      created.seats = static_cast<std::int64_t>(seats);
      if (!fault) break;
    }
  }
  if (fault) throw Malformed(ErrorCode::bad_options, about_rule(std::string(fault->rule)));
  created.visibility = frame.visibility.value_or(Visibility::unlisted);
  if (frame.clock) created.clock = int{*frame.clock};
  created.spectators = frame.spectators.value_or(true);
  created.chat = frame.chat.value_or(Chat::reactions);
  created.hints = frame.hints.value_or(true);
  if (frame.password) created.password_hash = password_hash(code, frame.password->str());
  return created;
}

/// Every frame that names a room stands in the file of its stage; the others never get here.
void hear(Draft& draft, const FromClient& client) {
  draft.from = &client.from;
  std::visit(
      [&](const auto& frame) {
        if constexpr (requires { frame.room; }) {
          on(draft, frame);
        } else {
          ensure(false, "a frame that is not for a room");
        }
      },
      client.frame);
}

/// For so long that a room does not invite people any more.
bool host_is_gone(const Draft& draft) {
  const Seats& seats = *draft.room.seats;
  const auto away = seats.host_away_since();
  return !seats.host || (away && draft.now - *away >= draft.room.terms->policy.away_time);
}

/// A hint is about what is asked now, and what a bot has done meanwhile may have ended that. The
/// table hears of it.
void settle_hint(Draft& draft, const AskHint& frame) {
  if (!draft.wanted_hint) return;
  const auto* playing = draft.room.in<Playing>();
  if (playing != nullptr && draft.wanted_hint->rev == draft.room.rev()) {
    const Seat seat = draft.wanted_hint->seat;
    return draft.tell_news(NewsKind::hinted, seat, draft.room.seats->player_at(seat)->name);
  }
  draft.wanted_hint.reset();
  draft.refuse(frame.id, ErrorCode::too_late);
}

void pass_time(Draft& draft) {
  deal_if_revealed(draft);
  play_bots_if_due(draft);
  follow_host(draft);
  draft.room.is_hosted = !host_is_gone(draft);
  const bool is_empty = draft.room.members->empty();
  if (is_empty && draft.now >= draft.room.empty_until()) draft.keep(RoomClosed{WhyClosed::idle});
}

/// Whether the room goes on as it slept. A note that cannot be read is as if there was none.
bool was_asleep(RoomState& room, const Nap& nap, TimePoint now) {
  try {
    wake_from_nap(room, nap.note, nap.since, now);
    return true;
  } catch (const Malformed&) {
    return false;
  }
}

/// `next` has the draft's room.
Outcome finish(std::shared_ptr<Room> next, Draft draft) {
  Effects effects;
  effects.alarm = next->alarm(draft.now);
  effects.records = std::move(draft.records);
  effects.wanted_match = std::move(draft.wanted_match);
  effects.wanted_hint = std::move(draft.wanted_hint);
  effects.frames = frames_of(std::move(draft));
  return {std::move(next), std::move(effects)};
}

}  // namespace

Outcome Room::create(const std::string& code, const Sender& maker, const Create& frame,
                     TimePoint now, Rng& rng, const RoomPolicy& policy) {
  const RoomCreated created = wanted_by(maker, frame, code);
  auto room = std::make_shared<Room>(RoomState{});
  Draft draft{room->state_, now, rng, &maker};
  draft.room.terms.edit().policy = policy;
  draft.keep(created);
  draft.keep(next_match(rng));
  draft.keep(sitting_down(draft, Seat{0}, frame.entropy_hash));
  draft.keep(HostChanged{Seat{0}});
  Ok answer = ok(frame.id);
  answer.room = code;
  answer.seat = Seat{0};
  draft.reply(answer);
  attach(draft, Seat{0});
  return finish(std::move(room), std::move(draft));
}

std::shared_ptr<Room> Room::replayed(const std::vector<Record>& log, TimePoint now,
                                     std::chrono::seconds age, const RoomPolicy& policy,
                                     const std::optional<Nap>& nap) {
  const auto newest = std::find_if(log.rbegin(), log.rend(), [](const Record& record) {
    return std::holds_alternative<MatchOpened>(record);
  });
  RoomState room;
  room.terms.edit().policy = policy;
  std::int64_t at_ms = 0;
  for (auto record = log.begin(); record != log.end(); ++record) {
    const auto* acted = std::get_if<Acted>(&*record);
    const auto* lapsed = std::get_if<Lapsed>(&*record);
    if (acted != nullptr) at_ms = acted->at_ms;
    if (lapsed != nullptr) at_ms = lapsed->at_ms;
    if ((acted == nullptr && lapsed == nullptr) || record >= newest.base()) {
      adopt_record(room, *record, now);
    } else if (acted != nullptr) {
      // Of a match that is over, only what outlives it.
      remember(room, *acted);
    }
  }
  if (room.in<Playing>() != nullptr && room.rev() > 0) {
    room.edit<Playing>().match.started_at = now - std::chrono::milliseconds(at_ms);
  }
  if (nap && was_asleep(room, *nap, now)) return std::make_shared<Room>(std::move(room));
  // Weeks without anybody count on; but whoever was there a minute ago has the time to come back.
  const TimePoint::duration spare = room.empty_until() - now - policy.idle_time;
  if (spare > TimePoint::duration::zero()) {
    room.touched_at -= std::min<TimePoint::duration>(age, spare);
  }
  return std::make_shared<Room>(std::move(room));
}

bool Room::has_rules_for(const std::vector<Record>& log) {
  const GameKind* game = nullptr;
  for (const Record& record : log) {
    if (const auto* created = std::get_if<RoomCreated>(&record)) game = find_game(created->game);
    if (game == nullptr) return false;
    const auto* started = std::get_if<MatchStarted>(&record);
    if (started != nullptr && started->rules != game->version) return false;
  }
  return true;
}

Outcome Room::handle(const RoomMessage& message, TimePoint now, Rng& rng) const {
  if (state_.in<Closed>() != nullptr) return {};
  auto next = std::make_shared<Room>(state_);
  Draft draft{next->state_, now, rng};
  lapse_what_is_due(draft);
  const auto* client = std::get_if<FromClient>(&message);
  if (client != nullptr) hear(draft, *client);
  if (const auto* gone = std::get_if<Disconnected>(&message)) detach(draft, gone->connection);
  if (const auto* thought = std::get_if<BotThought>(&message)) hear_thought(draft, *thought);
  pass_time(draft);
  if (client != nullptr) {
    if (const auto* frame = std::get_if<AskHint>(&client->frame)) settle_hint(draft, *frame);
  }
  return finish(std::move(next), std::move(draft));
}

std::vector<Question> Room::questions() const {
  std::vector<Question> open;
  const auto* playing = state_.in<Playing>();
  if (playing == nullptr) return open;
  for (const Pondered& one : playing->pondered) {
    if (!one.is_found) open.push_back(one.question);
  }
  return open;
}

std::unique_ptr<Thinking> Room::thinking(const Question& question, const Seed& seed) const {
  ensure(state_.in<Playing>() != nullptr && question.match == state_.opened->match,
         "a question about another match");
  return state_.match()->table->think(question.seat, question.level, seed);
}

void Room::kept_at(TimePoint handled, TimePoint durable) {
  const auto* playing = state_.in<Playing>();
  if (playing != nullptr && playing->opened_any(handled)) {
    state_.edit<Playing>().put_off(handled, durable);
  }
}

bool Room::is_news_after(const Room& before) const {
  const RoomState& old = before.state_;
  return !state_.terms.is(old.terms) || !state_.seats.is(old.seats) || !state_.door.is(old.door) ||
         !state_.finished.is(old.finished) || state_.is_hosted != old.is_hosted ||
         status() != before.status();
}

std::optional<TimePoint> Room::alarm(TimePoint now) const {
  std::optional<TimePoint> first;
  const auto consider = [&](std::optional<TimePoint> at) {
    if (at && (!first || *at < *first)) first = at;
  };
  if (state_.in<Closed>() != nullptr) return first;
  if (const auto* shuffling = state_.in<Shuffling>()) consider(shuffling->reveal_until);
  if (const auto* playing = state_.in<Playing>()) {
    for (const Asked& one : playing->asked) consider(one.until);
    consider(playing->bots_at);
  }
  if (state_.members->empty()) consider(state_.empty_until());
  if (const auto away = state_.seats->host_away_since()) {
    // Then somebody follows who is there, or the room is not listed any more.
    const TimePoint follows = *away + state_.terms->policy.away_time;
    if (follows > now) consider(follows);
  }
  return first;
}

bool Room::may_sleep(TimePoint now) const {
  if (!state_.members->empty() || listing()) return false;
  if (state_.in<Closed>() != nullptr || state_.in<Shuffling>() != nullptr) return false;
  const auto* playing = state_.in<Playing>();
  if (playing != nullptr && playing->bots_at) return false;
  const auto rest_time = state_.terms->policy.rest_time;
  const auto due = alarm(now);
  return now - state_.touched_at >= rest_time && (!due || *due - now >= rest_time);
}

std::string Room::nap_note(TimePoint now) const { return triquetra::nap_note(state_, now); }

RoomEntry Room::entry() const {
  RoomEntry entry;
  entry.room = code();
  entry.maker = wanted().maker;
  entry.request = wanted().request;
  entry.players = players();
  entry.open_records = open_records();
  entry.summary = summary();
  entry.invitation = invitation();
  return entry;
}

std::vector<PlayerAtTable> Room::players() const {
  std::vector<PlayerAtTable> seated;
  for (const Seat seat : seats_of(state_.seats->size())) {
    const SeatedPlayer* player = state_.seats->player_at(seat);
    if (player != nullptr) seated.push_back({player->player, seat});
  }
  return seated;
}

std::optional<TimePoint> Room::empty_since() const {
  if (!state_.members->empty()) return std::nullopt;
  return state_.touched_at;
}

std::optional<ListedRoom> Room::listing() const {
  const bool invites = is_listed() && state_.is_hosted && state_.door->open;
  return invites ? std::optional(summary()) : std::nullopt;
}

std::optional<Invitation> Room::invitation() const {
  const Seats& seats = *state_.seats;
  const bool has_place = state_.in<Gathering>() != nullptr && seats.taken() < seats.size();
  const bool lets_in = wanted().password_hash.empty() && state_.door->open &&
                       (has_place || may_watch(state_)) && state_.in<Closed>() == nullptr;
  if (!lets_in) return std::nullopt;
  const SeatedPlayer* host = seats.host ? seats.player_at(*seats.host) : nullptr;
  Invitation invitation;
  invitation.game = game();
  invitation.options.text = wanted().options;
  invitation.status = status();
  if (host != nullptr) invitation.host = host->name;
  invitation.seats = static_cast<std::int64_t>(seats.size());
  invitation.taken = static_cast<std::int64_t>(seats.taken());
  return invitation;
}

std::vector<std::string> Room::open_records() const {
  const bool open =
      is_listed() && wanted().password_hash.empty() && state_.door->open && may_watch(state_);
  return open ? *state_.finished : std::vector<std::string>();
}

bool Room::is_listed() const {
  return wanted().visibility == Visibility::listed && state_.in<Closed>() == nullptr;
}

ListedRoom Room::summary() const {
  ListedRoom listed;
  listed.room = code();
  listed.game = game();
  listed.options.text = wanted().options;
  listed.status = status();
  listed.seats = static_cast<std::int64_t>(state_.seats->size());
  listed.taken = static_cast<std::int64_t>(state_.seats->taken());
  listed.locked = !wanted().password_hash.empty();
  listed.spectators = may_watch(state_);
  return listed;
}

}  // namespace triquetra
