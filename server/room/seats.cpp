#include "server/room/seats.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "protocol/catalog.hpp"
#include "protocol/wire.hpp"
#include "server/base/names.hpp"
#include "server/room/draft.hpp"
#include "server/room/stand_in.hpp"

namespace triquetra {
namespace {

bool is_free(const Chair& chair) { return std::holds_alternative<std::monostate>(chair); }

/// The name, marked if somebody at the table has one that may be taken for it.
std::string unlike_others(const Seats& seats, const std::string& name, Seat seat) {
  const std::string skeleton = skeleton_of(name);
  const auto is_like = [&](const Chair& chair) {
    const auto* other = std::get_if<SeatedPlayer>(&chair);
    return other != nullptr && skeleton_of(other->name) == skeleton;
  };
  if (std::none_of(seats.chairs.begin(), seats.chairs.end(), is_like)) return name;
  // The name of a seat is its own: whoever is called like somebody at the table gets its number.
  const std::string mark = " (" + std::to_string(seat.index() + 1) + ")";
  std::string shorter = name;
  while (!PlayerName::fits(shorter + mark)) {
    do {
      shorter.pop_back();
    } while (!shorter.empty() && (static_cast<unsigned char>(shorter.back()) & 0xC0U) == 0x80U);
  }
  return shorter + mark;
}

/// The bot that this player's request of this id has added.
std::optional<Seat> seat_of_bot(const Draft& draft, const RequestId& id) {
  for (const Seat seat : seats_of(draft.room.seats->size())) {
    const SeatedBot* bot = draft.room.seats->bot_at(seat);
    if (bot == nullptr) continue;
    if (bot->asked_by == draft.from->player && bot->request == id.str()) return seat;
  }
  return std::nullopt;
}

}  // namespace

SeatKind kind_of(const Chair& chair) {
  if (is_free(chair)) return SeatKind::empty;
  const auto* player = std::get_if<SeatedPlayer>(&chair);
  return player != nullptr && !player->is_program ? SeatKind::human : SeatKind::bot;
}

std::size_t Seats::taken() const {
  return static_cast<std::size_t>(std::count_if(chairs.begin(), chairs.end(),
                                                [](const auto& chair) { return !is_free(chair); }));
}

std::optional<Seat> Seats::of(const std::string& player) const {
  for (const Seat seat : seats_of(size())) {
    const SeatedPlayer* seated = player_at(seat);
    if (seated != nullptr && seated->player == player) return seat;
  }
  return std::nullopt;
}

const SeatedPlayer* Seats::player_at(Seat seat) const {
  return seat.index() < size() ? std::get_if<SeatedPlayer>(&chairs[seat.index()]) : nullptr;
}

const SeatedBot* Seats::bot_at(Seat seat) const {
  return seat.index() < size() ? std::get_if<SeatedBot>(&chairs[seat.index()]) : nullptr;
}

std::optional<TimePoint> Seats::host_away_since() const {
  const SeatedPlayer* player = host ? player_at(*host) : nullptr;
  return player != nullptr ? player->away_since : std::nullopt;
}

bool Seats::all_have_left() const {
  return std::none_of(chairs.begin(), chairs.end(), [](const Chair& chair) {
    const auto* player = std::get_if<SeatedPlayer>(&chair);
    return player != nullptr && !player->has_left;
  });
}

bool Seats::is_person(Seat seat) const {
  const SeatedPlayer* player = player_at(seat);
  return player != nullptr && !player->is_program;
}

SeatedPlayer& Seats::edit_player(Seat seat) {
  ensure(player_at(seat) != nullptr, "no player on this seat");
  return std::get<SeatedPlayer>(chairs[seat.index()]);
}

SeatTaken sitting_down(const Draft& draft, Seat seat, const std::optional<Hash>& entropy_hash) {
  const Sender& from = *draft.from;
  SeatTaken sat{seat, from.player, unlike_others(*draft.room.seats, from.name, seat), {}, {}};
  const auto* gathering = draft.room.in<Gathering>();
  const bool is_out = gathering != nullptr && gathering->out.contains(from.player);
  if (entropy_hash && !is_out) sat.entropy_hash = entropy_hash->str();
  if (from.is_program) sat.bot = true;
  return sat;
}

std::optional<Seat> free_seat(Draft& draft, const std::optional<SeatNumber>& wanted,
                              const RequestId& id) {
  const std::vector<Chair>& chairs = draft.room.seats->chairs;
  if (wanted) {
    const Seat seat = seat_at(*wanted);
    if (seat.index() >= chairs.size()) {
      draft.refuse(id, ErrorCode::no_such_seat);
    } else if (!is_free(chairs[seat.index()])) {
      draft.refuse(id, ErrorCode::seat_taken);
    } else {
      return seat;
    }
    return std::nullopt;
  }
  for (const Seat seat : seats_of(chairs.size())) {
    if (is_free(chairs[seat.index()])) return seat;
  }
  draft.refuse(id, ErrorCode::room_full);
  return std::nullopt;
}

std::vector<Record> without_detours(const std::vector<Record>& gathering) {
  std::vector<Record> shorter;
  std::map<Seat, const Record*> last;  // of each seat
  std::set<Seat> given_up;
  std::optional<HostChanged> named;  // the last who was made host, and may be it still
  std::optional<OptionsSet> options;
  std::optional<DoorSet> door;
  std::vector<SentAway> sent_away;
  bool is_forgiven = false;  // whoever was sent away before
  bool is_host = false;
  for (const Record& record : gathering) {
    if (const auto* sat = std::get_if<SeatTaken>(&record)) {
      last[sat->seat] = &record;
    } else if (const auto* bot = std::get_if<BotSeated>(&record)) {
      last[bot->seat] = &record;
    } else if (const auto* left = std::get_if<SeatLeft>(&record)) {
      last.erase(left->seat);
      given_up.insert(left->seat);
      if (named && named->seat == left->seat) is_host = false;
    } else if (const auto* host = std::get_if<HostChanged>(&record)) {
      named = *host;
      is_host = true;
    } else if (const auto* played = std::get_if<OptionsSet>(&record)) {
      options = *played;
    } else if (const auto* set = std::get_if<DoorSet>(&record)) {
      door = *set;
      if (!set->forgiven.value_or(false)) continue;
      is_forgiven = true;
      sent_away.clear();
    } else if (const auto* away = std::get_if<SentAway>(&record)) {
      sent_away.push_back(*away);
      if (sent_away.size() > limits::kSentAway) sent_away.erase(sent_away.begin());
    } else {
      shorter.push_back(record);
    }
  }
  // In an order in which a seat that was given up ends as it did, and its host with it: or it has
  // gone with the options.
  if (named) shorter.emplace_back(*named);
  if (options) shorter.emplace_back(*options);
  const auto is_there = [&](Seat seat) {
    return !options || seat.index() < static_cast<std::size_t>(options->seats);
  };
  for (const Seat seat : given_up) {
    if (is_there(seat)) shorter.emplace_back(SeatLeft{seat});
  }
  for (const auto& [seat, record] : last) shorter.push_back(*record);
  if (is_host) shorter.emplace_back(*named);
  // Who was sent away since the last pardon is so still.
  if (door) {
    if (is_forgiven) door->forgiven = true;
    shorter.emplace_back(*door);
  }
  for (const SentAway& away : sent_away) shorter.emplace_back(away);
  return shorter;
}

// -------------------------------------------------------------------------------------------------
// How records change the seats.

void adopt(RoomState& room, const MatchOpened& opened, TimePoint /*now*/) {
  // By a log whose reader did not play that match again.
  if (room.in<Playing>() != nullptr) count_finished(room);
  room.opened = opened;
  // After a start that was called off, it is the same match under another number.
  const auto* gathering = room.in<Gathering>();
  if (gathering == nullptr || gathering->called_off.empty()) {
    room.stage = Gathering{};
    room.answers.begin_match(opened.match);
  } else {
    room.answers.rename_match(opened.match);
  }
  room.seats.edit().chairs.resize(static_cast<std::size_t>(room.terms->wanted.seats));
}

void adopt(RoomState& room, const SeatTaken& sat, TimePoint now) {
  room.seats.edit().chairs.at(sat.seat.index()) =
      SeatedPlayer{sat.player, sat.name, sat.bot.value_or(false), now, 0};
  auto& promised = room.edit<Gathering>().promised;
  promised.erase(sat.seat);
  if (sat.entropy_hash) promised.emplace(sat.seat, *sat.entropy_hash);
}

void adopt(RoomState& room, const BotSeated& bot, TimePoint /*now*/) {
  room.seats.edit().chairs.at(bot.seat.index()) =
      SeatedBot{bot.level, bot.player.value_or(""), bot.request.value_or("")};
}

void adopt(RoomState& room, const SeatLeft& left, TimePoint /*now*/) {
  Seats& seats = room.seats.edit();
  seats.chairs.at(left.seat.index()) = {};
  if (seats.host == left.seat) seats.host.reset();
  if (room.in<Gathering>() != nullptr) room.edit<Gathering>().promised.erase(left.seat);
}

void adopt(RoomState& room, const HostChanged& host, TimePoint /*now*/) {
  room.seats.edit().host = host.seat;
}

void adopt(RoomState& room, const OptionsSet& set, TimePoint /*now*/) {
  RoomCreated& wanted = room.terms.edit().wanted;
  wanted.options = set.options;
  wanted.seats = set.seats;
  Seats& seats = room.seats.edit();
  seats.chairs.resize(static_cast<std::size_t>(set.seats));
  // Of a log that was shortened: who sat there has left.
  if (seats.host && seats.host->index() >= seats.size()) seats.host.reset();
}

// -------------------------------------------------------------------------------------------------
// The host prepares.

void on(Draft& draft, const AddBot& frame) {
  // Sent again after a lost connection: it is here already, whatever has happened since.
  std::optional<Seat> seat = seat_of_bot(draft, frame.id);
  if (!seat) {
    if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
    if (draft.room.in<Gathering>() == nullptr) {
      return draft.refuse(frame.id, ErrorCode::already_started);
    }
    seat = free_seat(draft, frame.seat, frame.id);
    if (!seat) return;
    draft.keep(BotSeated{*seat, frame.level.value_or(BotLevel::greedy), draft.from->player,
                         frame.id.str()});
  }
  Ok answer = ok(frame.id);
  answer.seat = seat;
  draft.reply(answer);
}

void on(Draft& draft, const SetLevel& frame) {
  if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
  if (draft.room.in<Gathering>() == nullptr) {
    return draft.refuse(frame.id, ErrorCode::already_started);
  }
  const Seat seat = seat_at(frame.seat);
  const SeatedBot* bot = draft.room.seats->bot_at(seat);
  if (bot == nullptr) return draft.refuse(frame.id, ErrorCode::no_such_seat);
  // The same bot: whoever asks again for the one that was added finds it.
  const SeatedBot same = *bot;
  if (same.level != frame.level) {
    draft.keep(BotSeated{seat, frame.level, same.asked_by, same.request});
  }
  draft.reply(ok(frame.id));
}

void on(Draft& draft, const RemoveBot& frame) {
  const Seat seat = seat_at(frame.seat);
  if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
  if (draft.room.in<Gathering>() == nullptr) {
    return draft.refuse(frame.id, ErrorCode::already_started);
  }
  if (draft.room.seats->bot_at(seat) == nullptr) {
    return draft.refuse(frame.id, ErrorCode::no_such_seat);
  }
  draft.keep(SeatLeft{seat});
  draft.reply(ok(frame.id));
}

void on(Draft& draft, const Kick& frame) {
  const Seat seat = seat_at(frame.seat);
  const auto mine = draft.my_seat();
  if (!mine) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (draft.room.seats->player_at(seat) == nullptr) {
    return draft.refuse(frame.id, ErrorCode::no_such_seat);
  }
  if (seat == *mine || draft.room.in<Shuffling>() != nullptr) {
    return draft.refuse(frame.id, ErrorCode::not_allowed);
  }
  if (draft.room.in<Playing>() == nullptr) {
    if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
    draft.reply(ok(frame.id));
    return send_away(draft, seat, frame.address.value_or(false));
  }
  // Two people are no table that sends somebody away: cover and clock are for that.
  const SeatSet voices = voices_about(draft.room, seat);
  if (!voices.contains(*mine) || voices.size() < 2 || frame.address.value_or(false)) {
    return draft.refuse(frame.id, ErrorCode::not_allowed);
  }
  draft.reply(ok(frame.id));
  vote_out(draft, seat, *mine);
}

void on(Draft& draft, const SetOptions& frame) {
  if (!draft.my_seat()) return draft.refuse(frame.id, ErrorCode::not_seated);
  if (!draft.is_host()) return draft.refuse(frame.id, ErrorCode::not_host);
  if (draft.room.in<Gathering>() == nullptr) {
    return draft.refuse(frame.id, ErrorCode::already_started);
  }
  const Terms& terms = *draft.room.terms;
  const Seats& seats = *draft.room.seats;
  OptionsSet next{"", frame.seats ? int{*frame.seats} : terms.wanted.seats};
  try {
    next.options = terms.game->canonical_options(frame.options.text);
  } catch (const Malformed& malformed) {
    ErrorArgs args = malformed.args();
    args.field = args.field ? "options." + *args.field : "options";
    return draft.refuse(frame.id, malformed.code(), args);
  }
  const auto seat_count = static_cast<std::size_t>(next.seats);
  for (std::size_t seat = seat_count; seat < seats.size(); ++seat) {
    // Nobody loses a seat by it.
    if (!is_free(seats.chairs[seat])) return draft.refuse(frame.id, ErrorCode::seat_taken);
  }
  if (const auto fault = terms.game->check(next.options, seat_count)) {
    return draft.refuse(frame.id, ErrorCode::bad_options, about_rule(std::string(fault->rule)));
  }
  draft.reply(ok(frame.id));
  if (next.options == terms.wanted.options && next.seats == terms.wanted.seats) return;
  draft.keep(next);
  draft.tell_news(NewsKind::options);
}

}  // namespace triquetra
