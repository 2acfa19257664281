#include "server/room/room.hpp"

#include <algorithm>
#include <utility>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"
#include "server/base/names.hpp"

namespace triquetra {
namespace {

std::string random_hex(Rng& rng, std::size_t bytes) {
  std::string raw;
  for (std::size_t i = 0; i < bytes; ++i) raw += static_cast<char>(rng.below(256));
  return to_hex(raw);
}

/// The hash that a room keeps of its password; salted with the code, so that equal words differ.
std::string password_hash(const std::string& room, const std::string& password) {
  return sha256_hex(room + "/" + password);
}

Seat seat_at(SeatNumber number) { return Seat{static_cast<std::size_t>(int{number})}; }

bool is_hash(const std::string& text) { return text.size() == 64 && from_hex(text).has_value(); }

std::int64_t ms_between(TimePoint from, TimePoint to) {
  return std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count());
}

}  // namespace

// -------------------------------------------------------------------------------------------------
// How a record changes the room: the same code when it is written and when a log is read.

void Room::open_match(const MatchOpened& opened) {
  status_ = RoomStatus::open;
  match_ = opened.match;
  secret_ = opened.secret;
  start_ = table_ = nullptr;
  answers_before_ = std::exchange(answers_, {});
  steps_ = {};
  marks_ = {};
  happened_ = {};
  deadlines_.clear();
  chairs_.resize(static_cast<std::size_t>(settings_.seats));
  for (Chair& chair : chairs_) {
    chair.entropy_hash.reset();
    chair.entropy.reset();
    chair.covered = false;
    chair.kick_votes = {};
  }
}

void Room::adopt_starting(TimePoint now) {
  status_ = RoomStatus::starting;
  reveal_until_ = now + policy_.reveal_time;
  std::optional<Seat> host;
  std::vector<Chair> taken;
  for (const Seat seat : seats_of(chairs_.size())) {
    if (chairs_[seat.index()].kind == SeatKind::empty) continue;
    if (host_ == seat) host = Seat{taken.size()};
    taken.push_back(chairs_[seat.index()]);
  }
  chairs_ = std::move(taken);
  host_ = host;
  for (auto& [connection, member] : members_) member.seat = seat_of(member.player);
}

void Room::deal(const MatchStarted& started, TimePoint now) {
  status_ = RoomStatus::playing;
  reveal_until_.reset();
  started_at_ = now;
  match_seats_.clear();
  for (std::size_t i = 0; i < chairs_.size(); ++i) {
    const Chair& chair = chairs_[i];
    RecordedSeat seat;
    seat.kind = chair.is_program ? SeatKind::bot : chair.kind;
    seat.entropy = started.entropies.at(i);
    seat.entropy_hash = chair.entropy_hash;
    if (chair.kind == SeatKind::human) seat.name = chair.name;
    if (chair.kind == SeatKind::bot) seat.level = chair.level;
    match_seats_.push_back(seat);
  }
  start_ = table_ = policy_.written_deal
                        ? game_->lay_dealt(settings_.options, chairs_.size(), *policy_.written_deal)
                        : game_->lay(settings_.options, chairs_.size(),
                                     seed_of(secret_, match_, started.entropies));
  set_deadlines(now);
  schedule_bots(now);
}

void Room::set_deadlines(TimePoint now) {
  std::vector<Deadline> next;
  for (const Decision& decision : table_->decisions()) {
    const auto old = std::find_if(deadlines_.begin(), deadlines_.end(),
                                  [&](const Deadline& d) { return d.decision == decision.id; });
    if (old != deadlines_.end()) {
      next.push_back(*old);
    } else if (const auto* window = std::get_if<Window>(&decision.ask)) {
      next.push_back({decision.id, now + window->length, now});
    } else if (settings_.clock) {
      next.push_back({decision.id, now + std::chrono::seconds(*settings_.clock), now});
    }
  }
  deadlines_ = std::move(next);
}

TimePoint Room::empty_until() const {
  const bool plays = status_ == RoomStatus::starting || status_ == RoomStatus::playing;
  return touched_at_ + (plays ? policy_.abandoned_time : policy_.idle_time);
}

std::optional<TimePoint> Room::alarm(TimePoint now) const {
  std::optional<TimePoint> first;
  const auto consider = [&](std::optional<TimePoint> at) {
    if (at && (!first || *at < *first)) first = at;
  };
  if (status_ == RoomStatus::closed) return first;
  for (const Deadline& deadline : deadlines_) consider(deadline.at);
  consider(bots_at_);
  consider(reveal_until_);
  if (host_) {
    const auto& away = chairs_.at(host_->index()).away_since;
    // Only while somebody is there to follow; else the next arrival looks.
    if (away && !members_.empty() && *away + policy_.away_time > now) {
      consider(*away + policy_.away_time);
    }
  }
  if (members_.empty()) consider(empty_until());
  return first;
}

bool Room::plays_itself(Seat seat) const {
  const Chair& chair = chairs_.at(seat.index());
  return chair.kind == SeatKind::bot || chair.covered;
}

void Room::schedule_bots(TimePoint now) {
  bots_at_.reset();
  // People get their window: a bot whose turn stands beside one lets a second pass. Programs are as
  // fast as bots.
  std::chrono::milliseconds delay = policy_.bot_delay;
  bool asked_of_bot = false;
  for (const Decision& decision : table_->decisions()) {
    const auto* window = std::get_if<Window>(&decision.ask);
    for (const Seat seat : asked(decision).list()) {
      asked_of_bot |= plays_itself(seat);
      if (window == nullptr || plays_itself(seat) || chairs_.at(seat.index()).is_program) continue;
      delay = std::max(delay, std::min(window->length, limits::kBotWindowDelay));
    }
  }
  if (asked_of_bot) bots_at_ = now + delay;
}

void Room::adopt_step(TablePointer table, Step step, TimePoint now) {
  if (steps_.size() % limits::kReplayStride == 0) marks_.push_back(table_);
  table_ = std::move(table);
  if (const auto* acted = std::get_if<Acted>(&step)) {
    Chair& chair = chairs_.at(acted->seat.index());
    if (!acted->id.empty()) {
      answers_.push_back(
          {match_, chair.player, acted->id, acted->decision, acted->action, acted->rev});
    }
    if (acted->by == ActedBy::player) chair.lapses_in_a_row = 0;
    if (acted->by == ActedBy::clock && chair.kind == SeatKind::human) ++chair.lapses_in_a_row;
  }
  steps_.push_back(std::move(step));
  happened_.push_back(table_->happened());
  ensure(steps_.size() <= limits::kMatchRevisions, "a match without an end");
  set_deadlines(now);
  if (!table_->result()) {
    schedule_bots(now);
    return;
  }
  status_ = RoomStatus::over;
  bots_at_.reset();
  finished_.push_back(std::make_shared<const FinishedMatch>(
      FinishedMatch{match_, chairs_.size(), record_of_match(), marks_, steps_}));
  if (finished_.size() > limits::kRecordsPerRoom) finished_.erase(finished_.begin());
}

std::string Room::record_of_match() const {
  MatchRecord record;
  record.format = 1;
  record.match = match_;
  record.game = settings_.game;
  record.rules = game_->version;
  record.options.text = settings_.options;
  record.seats = match_seats_;
  record.secret = secret_;
  record.commitment = commitment_of(secret_).value();
  record.deal.text = table_->deal(*start_);
  for (const Step& step : steps_) {
    RecordedStep shown;
    if (const auto* acted = std::get_if<Acted>(&step)) {
      shown.rev = acted->rev;
      shown.at_ms = acted->at_ms;
      shown.seat = acted->seat;
      shown.action = Raw{acted->action};
      shown.by = acted->by;
    } else {
      const auto& lapsed = std::get<Lapsed>(step);
      shown.rev = lapsed.rev;
      shown.at_ms = lapsed.at_ms;
      shown.lapsed = lapsed.decision;
    }
    record.steps.push_back(std::move(shown));
  }
  const Result result = table_->result().value();
  record.result = {result.winners, result.scores};
  return encoded(record);
}

void Room::adopt(const Record& record, TimePoint now) {
  touched_at_ = now;
  if (const auto* created = std::get_if<RoomCreated>(&record)) {
    settings_ = *created;
    game_ = find_game(created->game);
    ensure(game_ != nullptr, "a room of a game that this program lacks");
  } else if (const auto* opened = std::get_if<MatchOpened>(&record)) {
    open_match(*opened);
  } else if (const auto* sat = std::get_if<SeatTaken>(&record)) {
    Chair& chair = chairs_.at(sat->seat.index());
    chair = Chair{};
    chair.kind = SeatKind::human;
    chair.player = sat->player;
    chair.name = sat->name;
    chair.is_program = sat->bot.value_or(false);
    chair.entropy_hash = sat->entropy_hash;
    chair.away_since = now;
  } else if (const auto* bot = std::get_if<BotSeated>(&record)) {
    Chair& chair = chairs_.at(bot->seat.index());
    chair = Chair{};
    chair.kind = SeatKind::bot;
    chair.level = bot->level;
    chair.asked_by = bot->player.value_or("");
    chair.request = bot->request.value_or("");
  } else if (const auto* left = std::get_if<SeatLeft>(&record)) {
    chairs_.at(left->seat.index()) = Chair{};
    if (host_ == left->seat) host_.reset();
  } else if (const auto* host = std::get_if<HostChanged>(&record)) {
    host_ = host->seat;
  } else if (std::holds_alternative<MatchStarting>(record)) {
    adopt_starting(now);
  } else if (const auto* opened_entropy = std::get_if<EntropyOpened>(&record)) {
    chairs_.at(opened_entropy->seat.index()).entropy = opened_entropy->entropy;
  } else if (const auto* vote = std::get_if<KickVoted>(&record)) {
    chairs_.at(vote->seat.index()).kick_votes.insert(vote->by);
  } else if (const auto* started = std::get_if<MatchStarted>(&record)) {
    deal(*started, now);
  } else if (const auto* acted = std::get_if<Acted>(&record)) {
    const auto next = table_->act(acted->seat, acted->action);
    ensure(std::holds_alternative<TablePointer>(next), "a logged act that the rules forbid");
    adopt_step(std::get<TablePointer>(next), *acted, now);
  } else if (const auto* lapsed = std::get_if<Lapsed>(&record)) {
    adopt_step(table_->lapse(lapsed->decision), *lapsed, now);
  } else if (const auto* covered = std::get_if<SeatCovered>(&record)) {
    Chair& chair = chairs_.at(covered->seat.index());
    chair.covered = covered->covered;
    chair.lapses_in_a_row = 0;
    chair.kick_votes = {};
    if (status_ == RoomStatus::playing) schedule_bots(now);
  } else {
    status_ = RoomStatus::closed;
  }
}

// -------------------------------------------------------------------------------------------------
// One message: decides what it means, and collects records and frames.

class RoomTurn {
 public:
  RoomTurn(const Room& room, TimePoint now, Rng& rng)
      : next_(std::make_shared<Room>(room)), now_(now), rng_(rng) {}

  void take(const RoomMessage& message) {
    lapse_what_is_due();
    if (const auto* client = std::get_if<FromClient>(&message)) {
      from_ = &client->from;
      std::visit([&](const auto& frame) { on(frame); }, client->frame);
    } else if (const auto* gone = std::get_if<Disconnected>(&message)) {
      detach(gone->connection);
    }
    housekeep();
  }
  void create(const Sender& maker, const Create& frame);
  Outcome finish();

 private:
  using Chair = Room::Chair;

  // Answers to the sender.
  void reply(const Ok& ok) { answer(encoded(ok)); }
  void refuse(const RequestId& id, ErrorCode code, ErrorArgs args = {}) {
    answer(encoded(Error{.re = id.str(), .code = code, .args = std::move(args)}), code);
  }
  void answer(std::string text, std::optional<ErrorCode> refusal = {}) {
    replies_.push_back({from_->connection, nullptr, std::move(text), false, refusal});
  }
  static Ok ok(const RequestId& id) {
    Ok ok;
    ok.re = id.str();
    return ok;
  }

  void keep(Record record) {
    next_->adopt(record, now_);
    records_.push_back(std::move(record));
    room_changed_ = true;
  }
  std::optional<Seat> my_seat() const { return next_->seat_of(from_->player); }
  bool is_member() const { return next_->members_.contains(from_->connection); }
  bool is_host() const { return next_->host_ && my_seat() == next_->host_; }
  Chair& chair(Seat seat) { return next_->chairs_.at(seat.index()); }
  bool is_person(Seat seat) {
    return chair(seat).kind == SeatKind::human && !chair(seat).is_program;
  }

  // Requests.
  void on(const Join& frame);
  void on(const Watch& frame);
  void on(const Leave& frame);
  void on(const Start& frame);
  void on(const RevealEntropy& frame);
  void on(const AddBot& frame);
  void on(const RemoveBot& frame);
  void on(const Kick& frame);
  void on(const Rematch& frame);
  void on(const Cover& frame);
  void on(const Act& frame);
  void on(const React& frame);
  void on(const Say& frame);
  void on(const History& frame);
  void on(const GetRecord& frame);
  void on(const Replay& frame);
  template <class T>
  void on(const T& /*frame*/) {
    ensure(false, "a frame that is not for a room");
  }

  // Parts of them.
  /// A match that is over, for whoever sits or watches here; refuses if there is none.
  const FinishedMatch* finished(const RequestId& id, const MatchId& match);
  bool admits(const RequestId& id, const std::optional<Password>& password);
  /// The bot that this player's request of this id has added.
  std::optional<Seat> seat_of_bot(const RequestId& id);
  std::optional<Seat> free_seat(const std::optional<SeatNumber>& wanted, const RequestId& id);
  /// The name, marked if somebody at the table has one that may be taken for it.
  std::string unlike_others(const std::string& name, Seat seat) const;
  SeatTaken sitting_down(Seat seat, const std::optional<Hash>& entropy_hash) const;
  void attach(std::optional<Seat> seat);
  void detach(ConnectionId connection);
  void mark_away(const std::string& player);
  void say_goodbye(const std::string& player, ByeCode why);
  void kick_out(Seat seat);
  void deal_if_revealed();
  void act(Seat seat, const std::string& action, TablePointer table, DecisionId decision,
           ActedBy by, const std::string& id);
  bool answer_again(const Act& frame);

  // Time.
  void lapse_what_is_due();
  void lapse(const Decision& decision);
  bool bot_acts(const Decision& decision, Seat seat, ActedBy by);
  void play_bots();
  void housekeep();

  // Frames.
  RoomFrame room_frame() const;
  std::string view_head() const;
  std::string view_tail(std::optional<Seat> seat) const;

  std::shared_ptr<Room> next_;
  TimePoint now_;
  Rng& rng_;
  const Sender* from_ = nullptr;
  std::vector<Record> records_;
  std::vector<Outgoing> replies_;
  std::vector<Outgoing> notices_;
  std::vector<ConnectionId> arrived_;
  bool room_changed_ = false;
  bool view_changed_ = false;
};

// --- people come and go

void RoomTurn::attach(std::optional<Seat> seat) {
  next_->members_[from_->connection] = {from_->player, seat};
  arrived_.push_back(from_->connection);
  room_changed_ = true;
  if (!seat) return;
  chair(*seat).away_since.reset();
  chair(*seat).lapses_in_a_row = 0;
  if (chair(*seat).covered) {
    keep(SeatCovered{*seat, false});
    view_changed_ = true;
  }
}

void RoomTurn::mark_away(const std::string& player) {
  const auto seat = next_->seat_of(player);
  if (!seat) return;
  const bool here = std::any_of(next_->members_.begin(), next_->members_.end(),
                                [&](const auto& entry) { return entry.second.player == player; });
  if (!here && !chair(*seat).away_since) chair(*seat).away_since = now_;
}

void RoomTurn::detach(ConnectionId connection) {
  const auto found = next_->members_.find(connection);
  if (found == next_->members_.end()) return;
  const std::string player = found->second.player;
  next_->members_.erase(found);
  mark_away(player);
  next_->touched_at_ = now_;
  room_changed_ = true;
}

bool RoomTurn::admits(const RequestId& id, const std::optional<Password>& password) {
  const std::string& wanted = next_->settings_.password_hash;
  if (!wanted.empty() &&
      (!password || password_hash(next_->settings_.room, password->str()) != wanted)) {
    refuse(id, ErrorCode::wrong_password);
    return false;
  }
  if (next_->members_.size() >= limits::kRoomMembers && !is_member()) {
    refuse(id, ErrorCode::room_full, about_limit(limits::kRoomMembers));
    return false;
  }
  return true;
}

std::optional<Seat> RoomTurn::seat_of_bot(const RequestId& id) {
  for (const Seat seat : seats_of(next_->chairs_.size())) {
    if (chair(seat).asked_by == from_->player && chair(seat).request == id.str()) return seat;
  }
  return std::nullopt;
}

std::optional<Seat> RoomTurn::free_seat(const std::optional<SeatNumber>& wanted,
                                        const RequestId& id) {
  if (wanted) {
    const Seat seat = seat_at(*wanted);
    if (seat.index() >= next_->chairs_.size()) {
      refuse(id, ErrorCode::no_such_seat);
    } else if (chair(seat).kind != SeatKind::empty) {
      refuse(id, ErrorCode::seat_taken);
    } else {
      return seat;
    }
    return std::nullopt;
  }
  for (const Seat seat : seats_of(next_->chairs_.size())) {
    if (chair(seat).kind == SeatKind::empty) return seat;
  }
  refuse(id, ErrorCode::room_full);
  return std::nullopt;
}

std::string RoomTurn::unlike_others(const std::string& name, Seat seat) const {
  const std::string skeleton = skeleton_of(name);
  const auto is_like = [&](const Chair& chair) {
    return chair.kind == SeatKind::human && skeleton_of(chair.name) == skeleton;
  };
  if (std::none_of(next_->chairs_.begin(), next_->chairs_.end(), is_like)) return name;
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

SeatTaken RoomTurn::sitting_down(Seat seat, const std::optional<Hash>& entropy_hash) const {
  SeatTaken sat{seat, from_->player, unlike_others(from_->name, seat), {}, {}};
  if (entropy_hash) sat.entropy_hash = entropy_hash->str();
  if (from_->is_program) sat.bot = true;
  return sat;
}

void RoomTurn::on(const Join& frame) {
  std::optional<Seat> seat = my_seat();
  if (!seat) {
    if (frame.entropy_hash && !is_hash(frame.entropy_hash->str())) {
      return refuse(frame.id, ErrorCode::bad_text, about_field("entropy_hash"));
    }
    if (!admits(frame.id, frame.password)) return;
    if (next_->status_ != RoomStatus::open) return refuse(frame.id, ErrorCode::already_started);
    seat = free_seat(frame.seat, frame.id);
    if (!seat) return;
    keep(sitting_down(*seat, frame.entropy_hash));
  }
  Ok answer = ok(frame.id);
  answer.room = next_->code();
  answer.seat = seat;
  reply(answer);
  attach(seat);
}

void RoomTurn::on(const Watch& frame) {
  // Who has a seat sees this room from that seat and in no other way.
  if (my_seat()) return refuse(frame.id, ErrorCode::already_seated);
  if (!next_->settings_.spectators) return refuse(frame.id, ErrorCode::no_watching);
  if (!admits(frame.id, frame.password)) return;
  Ok answer = ok(frame.id);
  answer.room = next_->code();
  reply(answer);
  attach(std::nullopt);
}

void RoomTurn::say_goodbye(const std::string& player, ByeCode why) {
  Bye bye;
  bye.code = why;
  bye.room = next_->code();
  for (const auto& [connection, member] : next_->members_) {
    if (member.player == player) notices_.push_back({connection, nullptr, encoded(bye)});
  }
  std::erase_if(next_->members_, [&](const auto& entry) { return entry.second.player == player; });
}

void RoomTurn::on(const Leave& frame) {
  if (!is_member() && !my_seat()) return refuse(frame.id, ErrorCode::not_in_room);
  reply(ok(frame.id));
  const auto seat = my_seat();
  const bool gives_up =
      seat && (next_->status_ == RoomStatus::open || next_->status_ == RoomStatus::over);
  if (gives_up) {
    keep(SeatLeft{*seat});
    detach(from_->connection);
    // The player's other connections go with the seat.
    say_goodbye(from_->player, ByeCode::left);
    return;
  }
  detach(from_->connection);
}

// --- the host prepares

void RoomTurn::on(const AddBot& frame) {
  // Sent again after a lost connection: it is here already, whatever has happened since.
  std::optional<Seat> seat = seat_of_bot(frame.id);
  if (!seat) {
    if (!is_host()) return refuse(frame.id, ErrorCode::not_host);
    if (next_->status_ != RoomStatus::open) return refuse(frame.id, ErrorCode::already_started);
    seat = free_seat(frame.seat, frame.id);
    if (!seat) return;
    keep(BotSeated{*seat, frame.level.value_or(BotLevel::greedy), from_->player, frame.id.str()});
  }
  Ok answer = ok(frame.id);
  answer.seat = seat;
  reply(answer);
}

void RoomTurn::on(const RemoveBot& frame) {
  const Seat seat = seat_at(frame.seat);
  if (!is_host()) return refuse(frame.id, ErrorCode::not_host);
  if (next_->status_ != RoomStatus::open) return refuse(frame.id, ErrorCode::already_started);
  if (seat.index() >= next_->chairs_.size() || chair(seat).kind != SeatKind::bot) {
    return refuse(frame.id, ErrorCode::no_such_seat);
  }
  keep(SeatLeft{seat});
  reply(ok(frame.id));
}

void RoomTurn::kick_out(Seat seat) {
  const std::string player = chair(seat).player;
  say_goodbye(player, ByeCode::kicked);
  mark_away(player);
}

void RoomTurn::on(const Kick& frame) {
  const Seat seat = seat_at(frame.seat);
  const auto mine = my_seat();
  if (!mine) return refuse(frame.id, ErrorCode::not_seated);
  if (seat.index() >= next_->chairs_.size() || chair(seat).kind != SeatKind::human) {
    return refuse(frame.id, ErrorCode::no_such_seat);
  }
  if (seat == *mine || next_->status_ == RoomStatus::starting) {
    return refuse(frame.id, ErrorCode::not_allowed);
  }
  if (next_->status_ != RoomStatus::playing) {
    if (!is_host()) return refuse(frame.id, ErrorCode::not_host);
    reply(ok(frame.id));
    kick_out(seat);
    keep(SeatLeft{seat});
    return;
  }
  reply(ok(frame.id));
  if (!chair(seat).kick_votes.contains(*mine)) keep(KickVoted{seat, *mine});
  for (const Seat other : seats_of(next_->chairs_.size())) {
    const bool votes = other != seat && is_person(other);
    if (votes && !chair(seat).kick_votes.contains(other)) return;
  }
  kick_out(seat);
  keep(SeatCovered{seat, true});
}

void RoomTurn::on(const Start& frame) {
  if (!my_seat()) return refuse(frame.id, ErrorCode::not_seated);
  if (!is_host()) return refuse(frame.id, ErrorCode::not_host);
  if (next_->status_ != RoomStatus::open) return refuse(frame.id, ErrorCode::already_started);
  const auto taken = static_cast<std::size_t>(
      std::count_if(next_->chairs_.begin(), next_->chairs_.end(),
                    [](const Chair& chair) { return chair.kind != SeatKind::empty; }));
  if (const auto fault = next_->game_->check(next_->settings_.options, taken)) {
    const auto most = static_cast<std::size_t>(next_->settings_.seats);
    const bool more_would_do = taken < most && !next_->game_->check(next_->settings_.options, most);
    return refuse(frame.id, more_would_do ? ErrorCode::too_few_players : ErrorCode::bad_options,
                  about_rule(std::string(fault->rule)));
  }
  keep(MatchStarting{});
  reply(ok(frame.id));
  deal_if_revealed();
}

void RoomTurn::on(const RevealEntropy& frame) {
  const auto seat = my_seat();
  if (!seat) return refuse(frame.id, ErrorCode::not_seated);
  if (next_->status_ != RoomStatus::starting || !chair(*seat).entropy_hash) {
    return refuse(frame.id, ErrorCode::entropy_not_asked);
  }
  if (!is_hash(frame.entropy.str()) ||
      commitment_of(frame.entropy.str()) != chair(*seat).entropy_hash) {
    return refuse(frame.id, ErrorCode::entropy_mismatch);
  }
  if (!chair(*seat).entropy) keep(EntropyOpened{*seat, frame.entropy.str()});
  reply(ok(frame.id));
  deal_if_revealed();
}

void RoomTurn::deal_if_revealed() {
  const bool late = next_->reveal_until_ && now_ >= *next_->reveal_until_;
  const bool waits =
      std::any_of(next_->chairs_.begin(), next_->chairs_.end(), [](const Chair& chair) {
        return chair.entropy_hash.has_value() && !chair.entropy.has_value();
      });
  if (waits && !late) return;
  MatchStarted started;
  started.rules = next_->game_->version;
  for (const Chair& chair : next_->chairs_) started.entropies.push_back(chair.entropy.value_or(""));
  keep(started);
  view_changed_ = true;
}

void RoomTurn::on(const Rematch& frame) {
  const auto seat = my_seat();
  if (!seat) return refuse(frame.id, ErrorCode::not_seated);
  if (frame.entropy_hash && !is_hash(frame.entropy_hash->str())) {
    return refuse(frame.id, ErrorCode::bad_text, about_field("entropy_hash"));
  }
  // The first to ask opens the next match; those who follow while it gathers agree with it.
  if (next_->status_ == RoomStatus::over) {
    keep(MatchOpened{random_hex(rng_, 16), random_hex(rng_, 32)});
  } else if (next_->status_ != RoomStatus::open || next_->finished_.empty()) {
    return refuse(frame.id, ErrorCode::not_over);
  }
  if (frame.entropy_hash) {
    const bool away = chair(*seat).away_since.has_value();
    SeatTaken again = sitting_down(*seat, frame.entropy_hash);
    again.name = chair(*seat).name;
    again.bot = chair(*seat).is_program ? std::optional(true) : std::nullopt;
    keep(again);
    if (!away) chair(*seat).away_since.reset();
  }
  reply(ok(frame.id));
}

void RoomTurn::on(const Cover& frame) {
  const Seat seat = seat_at(frame.seat);
  if (!my_seat()) return refuse(frame.id, ErrorCode::not_seated);
  if (next_->status_ != RoomStatus::playing) return refuse(frame.id, ErrorCode::not_started);
  if (seat.index() >= next_->chairs_.size() || chair(seat).kind != SeatKind::human) {
    return refuse(frame.id, ErrorCode::no_such_seat);
  }
  if (!chair(seat).away_since || now_ - *chair(seat).away_since < next_->policy_.away_time) {
    return refuse(frame.id, ErrorCode::not_away);
  }
  if (!chair(seat).covered) keep(SeatCovered{seat, true});
  reply(ok(frame.id));
}

// --- the game

bool RoomTurn::answer_again(const Act& frame) {
  const std::string id = frame.id.str();
  for (const auto* answers : {&next_->answers_, &next_->answers_before_}) {
    const auto found = std::find_if(answers->begin(), answers->end(), [&](const auto& known) {
      return known.id == id && known.player == from_->player;
    });
    if (found == answers->end()) continue;
    const auto& known = *found;
    const bool is_of_this_match = !frame.match || frame.match->str() == known.match;
    if (!is_of_this_match || known.decision != frame.decision ||
        known.action != frame.action.text) {
      refuse(frame.id, ErrorCode::id_reused);
      return true;
    }
    Ok answer = ok(frame.id);
    answer.rev = known.rev;
    reply(answer);
    return true;
  }
  return false;
}

void RoomTurn::on(const Act& frame) {
  // First of all: who has lost the seat since then still hears that the act was kept.
  if (answer_again(frame)) return;
  const auto seat = my_seat();
  if (!seat) return refuse(frame.id, ErrorCode::not_seated);
  if (frame.match && frame.match->str() != next_->match_) {
    return refuse(frame.id, ErrorCode::too_late);
  }
  if (!next_->table_) return refuse(frame.id, ErrorCode::not_started);
  const auto decisions = next_->table_->decisions();
  const auto decision = std::find_if(decisions.begin(), decisions.end(),
                                     [&](const Decision& d) { return d.id == frame.decision; });
  if (decision == decisions.end()) return refuse(frame.id, ErrorCode::too_late);
  if (!asked(*decision).contains(*seat)) return refuse(frame.id, ErrorCode::not_your_turn);
  if (frame.action.text.size() > kActionBytes) {
    return refuse(frame.id, ErrorCode::too_large, about_limit(kActionBytes));
  }
  try {
    auto made = next_->table_->act(*seat, frame.action.text);
    if (const auto* fault = std::get_if<Fault>(&made)) {
      return refuse(frame.id, ErrorCode::illegal, about_rule(std::string(fault->rule)));
    }
    if (chair(*seat).covered) keep(SeatCovered{*seat, false});
    act(*seat, frame.action.text, std::get<TablePointer>(std::move(made)), frame.decision,
        ActedBy::player, frame.id.str());
  } catch (const Malformed& malformed) {
    ErrorArgs args = malformed.args();
    args.field = args.field ? "action." + *args.field : "action";
    return refuse(frame.id, malformed.code(), args);
  }
  Ok answer = ok(frame.id);
  answer.rev = next_->rev();
  reply(answer);
}

void RoomTurn::act(Seat seat, const std::string& action, TablePointer table, DecisionId decision,
                   ActedBy by, const std::string& id) {
  const Acted acted{
      next_->rev() + 1, seat, decision, action, by, id, ms_between(next_->started_at_, now_)};
  next_->adopt_step(std::move(table), acted, now_);
  next_->touched_at_ = now_;
  records_.emplace_back(acted);
  view_changed_ = true;
  room_changed_ |= next_->status_ == RoomStatus::over;
}

void RoomTurn::on(const React& frame) {
  const auto seat = my_seat();
  if (!seat) return refuse(frame.id, ErrorCode::not_seated);
  if (next_->settings_.chat == Chat::off) return refuse(frame.id, ErrorCode::chat_off);
  reply(ok(frame.id));
  const auto text = std::make_shared<const std::string>(
      encoded(ReactionShown{next_->code(), *seat, frame.reaction}));
  for (const auto& entry : next_->members_) notices_.push_back({entry.first, text, {}});
}

void RoomTurn::on(const Say& frame) {
  const auto seat = my_seat();
  if (!seat) return refuse(frame.id, ErrorCode::not_seated);
  if (next_->settings_.chat != Chat::text) return refuse(frame.id, ErrorCode::chat_off);
  if (!is_person(*seat)) return refuse(frame.id, ErrorCode::not_allowed);
  reply(ok(frame.id));
  const auto text =
      std::make_shared<const std::string>(encoded(Said{next_->code(), *seat, frame.text.str()}));
  for (const auto& entry : next_->members_) notices_.push_back({entry.first, text, {}});
}

void RoomTurn::on(const History& frame) {
  if (!is_member()) return refuse(frame.id, ErrorCode::not_in_room);
  if (frame.match.str() != next_->match_) return refuse(frame.id, ErrorCode::no_such_match);
  Ok answer = ok(frame.id);
  answer.pages.emplace();
  const std::size_t total = next_->happened_.size();
  std::size_t rev = static_cast<std::size_t>(int{frame.after});
  while (rev < total && answer.pages->size() < limits::kHistoryPage) {
    answer.pages->push_back({static_cast<std::int64_t>(rev) + 1, Raw{next_->happened_[rev]}});
    ++rev;
  }
  answer.more = rev < total;
  reply(answer);
}

const FinishedMatch* RoomTurn::finished(const RequestId& id, const MatchId& match) {
  if (!is_member() && !my_seat()) {
    refuse(id, ErrorCode::not_in_room);
    return nullptr;
  }
  for (const auto& finished : next_->finished_) {
    if (finished->match == match.str()) return finished.get();
  }
  const bool runs = match.str() == next_->match_;
  refuse(id, runs ? ErrorCode::record_not_ready : ErrorCode::no_such_match);
  return nullptr;
}

void RoomTurn::on(const GetRecord& frame) {
  const FinishedMatch* match = finished(frame.id, frame.match);
  if (match == nullptr) return;
  Ok answer = ok(frame.id);
  answer.record = Raw{match->record};
  reply(answer);
}

void RoomTurn::on(const Replay& frame) {
  const FinishedMatch* match = finished(frame.id, frame.match);
  if (match == nullptr) return;
  Ok answer = ok(frame.id);
  const auto from = static_cast<std::size_t>(int{frame.from});
  answer.steps = replay_page(*match, from);
  answer.more = from + answer.steps->size() <= match->steps.size();
  reply(answer);
}

// --- time passes

void RoomTurn::lapse_what_is_due() {
  if (next_->status_ != RoomStatus::playing) return;
  // Each lapse may open another decision, but that one is due in the future.
  const auto due = next_->deadlines_;
  for (const auto& deadline : due) {
    if (deadline.at > now_ || next_->status_ != RoomStatus::playing) continue;
    for (const Decision& decision : next_->table_->decisions()) {
      if (decision.id == deadline.decision) {
        lapse(decision);
        break;
      }
    }
  }
}

void RoomTurn::lapse(const Decision& decision) {
  if (std::holds_alternative<Window>(decision.ask)) {
    const Lapsed lapsed{next_->rev() + 1, decision.id, ms_between(next_->started_at_, now_)};
    next_->adopt_step(next_->table_->lapse(decision.id), lapsed, now_);
    records_.emplace_back(lapsed);
    view_changed_ = true;
    return;
  }
  for (const Seat seat : asked(decision).list()) {
    if (!bot_acts(decision, seat, ActedBy::clock)) continue;
    if (chair(seat).lapses_in_a_row >= 2 && next_->status_ == RoomStatus::playing &&
        !chair(seat).covered) {
      keep(SeatCovered{seat, true});
    }
  }
}

bool RoomTurn::bot_acts(const Decision& decision, Seat seat, ActedBy by) {
  const BotLevel level = chair(seat).kind == SeatKind::bot ? chair(seat).level : BotLevel::greedy;
  const auto action = next_->table_->choose(seat, level, rng_);
  if (!action) return false;
  auto made = next_->table_->act(seat, *action);
  ensure(std::holds_alternative<TablePointer>(made), "a bot chose what the rules forbid");
  act(seat, *action, std::get<TablePointer>(std::move(made)), decision.id, by, "");
  return true;
}

void RoomTurn::play_bots() {
  next_->bots_at_.reset();
  // A bot's own window comes before a bot's turn, which would close it.
  for (const bool windows : {true, false}) {
    for (const Decision& decision : next_->table_->decisions()) {
      if (std::holds_alternative<Window>(decision.ask) != windows) continue;
      for (const Seat seat : asked(decision).list()) {
        // One act at a time: what is asked next waits for the next pause. A ballot's other bots
        // follow.
        if (next_->plays_itself(seat) && bot_acts(decision, seat, ActedBy::bot)) return;
      }
    }
  }
}

void RoomTurn::housekeep() {
  Room& room = *next_;
  if (room.status_ == RoomStatus::starting && room.reveal_until_ && now_ >= *room.reveal_until_) {
    deal_if_revealed();
  }
  if (room.status_ == RoomStatus::playing && room.bots_at_ && now_ >= *room.bots_at_) play_bots();
  const bool host_gone =
      !room.host_ || (chair(*room.host_).away_since &&
                      now_ - *chair(*room.host_).away_since >= room.policy_.away_time);
  if (host_gone) {
    for (const Seat seat : seats_of(room.chairs_.size())) {
      if (is_person(seat) && !chair(seat).away_since) {
        keep(HostChanged{seat});
        break;
      }
    }
  }
  if (room.members_.empty() && now_ >= room.empty_until()) keep(RoomClosed{WhyClosed::idle});
}

// --- what is shown

RoomFrame RoomTurn::room_frame() const {
  const Room& room = *next_;
  RoomFrame frame;
  frame.room = room.code();
  frame.game = room.settings_.game;
  frame.options.text = room.settings_.options;
  frame.status = room.status_;
  frame.host = room.host_;
  frame.visibility = room.settings_.visibility;
  frame.locked = !room.settings_.password_hash.empty();
  frame.clock = room.settings_.clock;
  frame.spectators = room.settings_.spectators;
  frame.chat = room.settings_.chat;
  frame.hints = room.settings_.hints;
  frame.match = room.match_;
  frame.commitment = commitment_of(room.secret_).value();
  if (room.status_ == RoomStatus::starting) frame.reveal.emplace();
  for (const Seat seat : seats_of(room.chairs_.size())) {
    const Chair& chair = room.chairs_[seat.index()];
    SeatShown shown;
    shown.seat = seat;
    shown.kind = chair.is_program ? SeatKind::bot : chair.kind;
    if (chair.kind == SeatKind::bot) shown.level = chair.level;
    if (chair.kind == SeatKind::human) {
      shown.name = chair.name;
      shown.presence = chair.away_since ? Presence::away : Presence::here;
      if (chair.covered) shown.covered = true;
      if (chair.entropy_hash) shown.entropy = true;
      if (frame.reveal && chair.entropy_hash && !chair.entropy) frame.reveal->push_back(seat);
    }
    frame.seats.push_back(shown);
  }
  for (const auto& entry : room.members_) frame.watching += entry.second.seat ? 0 : 1;
  return frame;
}

std::string RoomTurn::view_head() const {
  ViewHead head;
  head.room = next_->code();
  head.match = next_->match_;
  head.rev = next_->rev();
  head.decisions = shown(next_->table_->decisions());
  head.table.text = next_->table_->table_view();
  // Written once already, when the step was taken.
  const std::size_t steps = next_->happened_.size();
  head.happened.text = steps > 0 ? next_->happened_[steps - 1] : next_->table_->happened();
  std::string text = encoded(head);
  text.pop_back();  // the tail follows inside the same object
  return text;
}

std::string RoomTurn::view_tail(std::optional<Seat> seat) const {
  ViewTail tail;
  if (!next_->deadlines_.empty()) {
    tail.left_ms.emplace();
    for (const auto& deadline : next_->deadlines_) {
      tail.left_ms->push_back({deadline.decision, ms_between(now_, deadline.at)});
    }
  }
  if (seat) {
    tail.seat = seat;
    tail.mine = Raw{next_->table_->seat_view(*seat)};
    tail.legal = next_->table_->legal(*seat, next_->settings_.hints);
    if (auto sealed = next_->table_->answer(*seat)) tail.answer = Raw{std::move(*sealed)};
  }
  std::string text;
  bool first = false;  // the head stands before it
  encode_members(text, tail, first);
  return text + "}";
}

Outcome RoomTurn::finish() {
  Effects effects;
  effects.records = std::move(records_);
  effects.frames = std::move(replies_);
  effects.alarm = next_->alarm(now_);
  std::shared_ptr<const std::string> room_text;
  std::shared_ptr<const std::string> head;
  std::map<std::optional<Seat>, std::string> tails;
  for (const auto& [connection, member] : next_->members_) {
    const bool arrived = std::find(arrived_.begin(), arrived_.end(), connection) != arrived_.end();
    if (room_changed_ || arrived) {
      if (!room_text) room_text = std::make_shared<const std::string>(encoded(room_frame()));
      effects.frames.push_back({connection, room_text, {}});
    }
    if (next_->table_ && (view_changed_ || arrived)) {
      if (!head) head = std::make_shared<const std::string>(view_head());
      auto tail = tails.find(member.seat);
      if (tail == tails.end()) tail = tails.emplace(member.seat, view_tail(member.seat)).first;
      effects.frames.push_back({connection, head, tail->second, true});
    }
  }
  for (Outgoing& notice : notices_) effects.frames.push_back(std::move(notice));
  return {next_, std::move(effects)};
}

// -------------------------------------------------------------------------------------------------

void RoomTurn::create(const Sender& maker, const Create& frame) {
  from_ = &maker;
  keep(MatchOpened{random_hex(rng_, 16), random_hex(rng_, 32)});
  keep(sitting_down(Seat{0}, frame.entropy_hash));
  keep(HostChanged{Seat{0}});
  Ok answer = ok(frame.id);
  answer.room = next_->code();
  answer.seat = Seat{0};
  reply(answer);
  attach(Seat{0});
}

Outcome Room::create(const std::string& code, const Sender& maker, const Create& frame,
                     TimePoint now, Rng& rng, const RoomPolicy& policy) {
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

  Room empty;
  empty.policy_ = policy;
  empty.adopt(created, now);
  RoomTurn turn(empty, now, rng);
  turn.create(maker, frame);
  Outcome outcome = turn.finish();
  outcome.effects.records.insert(outcome.effects.records.begin(), created);
  return outcome;
}

std::shared_ptr<const Room> Room::replayed(const std::vector<Record>& log, TimePoint now,
                                           std::chrono::seconds age, const RoomPolicy& policy) {
  auto room = std::make_shared<Room>();
  room->policy_ = policy;
  for (const Record& record : log) room->adopt(record, now);
  if (room->rev() > 0) {
    const Step& last = room->steps_[room->steps_.size() - 1];
    room->started_at_ = now - std::chrono::milliseconds(
                                  std::visit([](const auto& step) { return step.at_ms; }, last));
  }
  // Weeks without anybody count on; but whoever was there a minute ago has the time to come back.
  if (room->empty_until() - now > policy.idle_time) {
    room->touched_at_ -=
        std::min<TimePoint::duration>(age, room->empty_until() - now - policy.idle_time);
  }
  return room;
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

std::shared_ptr<const Room> Room::kept_at(TimePoint handled, TimePoint durable) const {
  auto room = std::make_shared<Room>(*this);
  for (Deadline& deadline : room->deadlines_) {
    if (deadline.opened == handled) deadline.at += durable - handled;
  }
  return room;
}

Outcome Room::handle(const RoomMessage& message, TimePoint now, Rng& rng) const {
  if (status_ == RoomStatus::closed) return {};
  RoomTurn turn(*this, now, rng);
  turn.take(message);
  return turn.finish();
}

std::optional<Seat> Room::seat_of(const std::string& player) const {
  for (const Seat seat : seats_of(chairs_.size())) {
    const Chair& chair = chairs_[seat.index()];
    if (chair.kind == SeatKind::human && chair.player == player) return seat;
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, Seat>> Room::players() const {
  std::vector<std::pair<std::string, Seat>> seated;
  for (const Seat seat : seats_of(chairs_.size())) {
    const Chair& chair = chairs_[seat.index()];
    if (chair.kind == SeatKind::human) seated.emplace_back(chair.player, seat);
  }
  return seated;
}

std::optional<ListedRoom> Room::listing() const {
  return is_listed() ? std::optional(summary()) : std::nullopt;
}

std::vector<std::shared_ptr<const FinishedMatch>> Room::open_records() const {
  const bool open = is_listed() && settings_.password_hash.empty() && settings_.spectators;
  return open ? finished_ : std::vector<std::shared_ptr<const FinishedMatch>>();
}

bool Room::is_listed() const {
  return settings_.visibility == Visibility::listed && status_ != RoomStatus::closed;
}

ListedRoom Room::summary() const {
  ListedRoom listed;
  listed.room = code();
  listed.game = settings_.game;
  listed.options.text = settings_.options;
  listed.status = status_;
  listed.seats = static_cast<std::int64_t>(chairs_.size());
  listed.taken = std::count_if(chairs_.begin(), chairs_.end(),
                               [](const Chair& chair) { return chair.kind != SeatKind::empty; });
  listed.locked = !settings_.password_hash.empty();
  listed.spectators = settings_.spectators;
  return listed;
}

}  // namespace triquetra
