#include "server/people/hub.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>

#include <algorithm>
#include <thread>
#include <utility>

#include "server/base/clock.hpp"
#include "server/ops/metrics.hpp"

namespace triquetra {

namespace asio = boost::asio;

namespace {

std::vector<std::unique_ptr<asio::io_context>> make_contexts(std::size_t threads) {
  std::vector<std::unique_ptr<asio::io_context>> contexts;
  for (std::size_t i = 0; i < threads; ++i)
    contexts.push_back(std::make_unique<asio::io_context>(1));
  return contexts;
}

}  // namespace

Hub::Hub(std::size_t threads, const RoomPolicy& policy, const MakeStore& make_store,
         Networks unlimited_addresses, const std::optional<NodeOptions>& node)
    : policy_(policy),
      contexts_(make_contexts(threads)),
      thinkers_(threads),
      rooms_(threads),
      store_(make_store(*contexts_.front())),
      writer_(node ? node->id : 0),
      lobby_(*contexts_.front()),
      gate_(std::make_shared<Gatekeeper>(std::move(unlimited_addresses))),
      later_(*contexts_.front()),
      ringer_(*contexts_.front()) {
  if (!node) return;
  metrics().named(node->name);
  owners_ = std::make_shared<const Owners>(node->id, std::vector<Owner>());
  for (Rooms& rooms : rooms_) rooms.owners = owners_;
  Neighbours::Hub ours;
  ours.changed = [this](const std::shared_ptr<const Owners>& owners) { set_owners(owners); };
  ours.post = [this](const std::string& room, RoomMessage message, ConnectionPointer connection,
                     Neighbours::Missing missing) {
    post_from_neighbour(room, std::move(message), std::move(connection), std::move(missing));
  };
  ours.wake = [this](const std::string& room) { wake({room}, [] {}); };
  ours.list = [this] { return lobby_.listed_here(); };
  ours.hear_list = [this](std::uint64_t link, std::vector<ListedSince> rooms) {
    lobby_.hear_list(link, std::move(rooms));
  };
  ours.obey = [this](const link::Order& order, const std::string& text, const auto& report) {
    all_servers_.obey(order, text, report);
  };
  lobby_.tell_others([this] { neighbours_->tell_list(); });
  neighbours_ = std::make_unique<Neighbours>(first(), *store_, lease_, *node, std::move(ours));
}

Guess::~Guess() {
  if (gate_.expired()) return;
  asio::post(hub_.first(),
             [weak = gate_, address = std::move(address_), what = what_, costs = costs_] {
               if (const auto gate = weak.lock()) gate->guessed(address, what, costs, now());
             });
}

void Hub::ask_to_guess(const std::string& address, Guessed what,
                       std::function<void(GuessPointer)> then) {
  ask_gate([this, address, what, then = std::move(then)](Gatekeeper& gate) {
    gate.ask_to_guess(address, what, now(), [this, address, what, then](bool may) {
      then(may ? std::make_shared<Guess>(*this, gate_, address, what) : nullptr);
    });
  });
}

void Hub::run() {
  std::vector<asio::executor_work_guard<asio::io_context::executor_type>> guards;
  for (const auto& context : contexts_) guards.emplace_back(context->get_executor());
  thinkers_.start();
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < contexts_.size(); ++i) {
    threads.emplace_back([this, i] { contexts_[i]->run(); });
  }
  contexts_.front()->run();
  for (std::thread& thread : threads) thread.join();
}

void Hub::stop() {
  thinkers_.stop();
  for (const auto& context : contexts_) context->stop();
}

void Hub::create(Sender maker, Create frame, ConnectionPointer connection,
                 std::function<void(std::string)> placed, const std::string& address) {
  const auto wanted = std::make_shared<const Wanted>(
      Wanted{std::move(maker), std::move(frame), std::move(connection), std::move(placed), address,
             now() + limits::kLinkPatience});
  ask_lobby([this, wanted](Lobby& lobby) {
    const auto made = lobby.made_by(wanted->maker.player, wanted->frame.id.str());
    if (made) return join_made(*wanted, *made);
    store_->find_rooms(wanted->maker.player, [this, wanted](const auto& kept) {
      ask_lobby([this, wanted, kept](Lobby&) {
        if (kept) return place(wanted, *kept);
        send_error(*wanted->connection, wanted->frame.id.str(), ErrorCode::storage_unavailable);
      });
    });
  });
}

void Hub::place(const std::shared_ptr<const Wanted>& wanted, const std::vector<RoomEntry>& kept) {
  const std::string& request = wanted->frame.id.str();
  if (owners_ && !owners_->has_self()) {
    if (!neighbours_->is_behind()) return place_later(wanted, kept);
    // For as long as that lasts all rooms are others': the client comes to them.
    return wanted->connection->finish(ByeCode::restarting, limits::kMovedRetryMs);
  }
  const Lobby::Place place =
      lobby_.place_for(wanted->maker.player, request, gate().household(wanted->address), kept,
                       [this](const std::string& code) { return !owners_ || owners_->owns(code); });
  if (place.code.empty()) {
    return send_error(*wanted->connection, request, ErrorCode::too_many_rooms,
                      about_limit(static_cast<std::int64_t>(place.limit)));
  }
  if (!place.is_new) return join_made(*wanted, place.code);
  // A room that sleeps may have this code.
  store_->find_rooms(place.code, [this, wanted, kept, code = place.code](const auto& same) {
    ask_lobby([this, wanted, kept, code, is_free = same && same->empty(),
               is_known = same.has_value()](Lobby& lobby) {
      if (is_free) {
        return asio::post(*contexts_[shard_of(code)], [this, wanted, code] {
          make_room(code, wanted->maker, wanted->frame, wanted->connection, wanted->placed);
        });
      }
      lobby.give_back(code);
      if (is_known) return this->place(wanted, kept);
      send_error(*wanted->connection, wanted->frame.id.str(), ErrorCode::storage_unavailable);
    });
  });
}

void Hub::place_later(const std::shared_ptr<const Wanted>& wanted,
                      const std::vector<RoomEntry>& kept) {
  if (now() >= wanted->until) {
    const std::string request = wanted->frame.id.str();
    return send_error(*wanted->connection, request, ErrorCode::storage_unavailable);
  }
  const auto again = std::make_shared<Timer>(first());
  again->expires_after(limits::kLinkRetry);
  again->async_wait([this, again, wanted, kept](boost::system::error_code error) {
    if (!error) place(wanted, kept);
  });
}

void Hub::join_made(const Wanted& wanted, const std::string& code) {
  // The same request again: join answers with the same room, seat and view.
  Join join;
  join.id = wanted.frame.id;
  join.room = code;
  const auto missing = [connection = wanted.connection, id = join.id](ErrorCode why) {
    // It is being made, or another server was faster: asked again, it is there, or made anew.
    const bool is_late = why == ErrorCode::no_such_room;
    send_error(*connection, id.str(), is_late ? ErrorCode::storage_unavailable : why);
  };
  post(code, FromClient{wanted.maker, join}, wanted.connection, missing);
  wanted.placed(code);
}

void Hub::make_room(const std::string& code, const Sender& maker, const Create& frame,
                    const ConnectionPointer& connection,
                    const std::function<void(std::string)>& placed) {
  const std::size_t shard = shard_of(code);
  if (!is_ours(shard, code)) {
    send_error(*connection, frame.id.str(), ErrorCode::storage_unavailable);
    return ask_lobby([code](Lobby& lobby) { lobby.give_back(code); });
  }
  const auto actor = actor_for(shard, code);
  try {
    actor->create(maker, frame, connection);
    rooms_[shard].by_code[code] = actor;
    placed(code);
  } catch (const Malformed& malformed) {
    send_error(*connection, frame.id.str(), malformed.code(), malformed.args());
    ask_lobby([code](Lobby& lobby) { lobby.give_back(code); });
  } catch (const Bug& bug) {
    spdlog::error("a room could not be made: {}", bug.what());
    send_error(*connection, frame.id.str(), ErrorCode::internal_error);
    ask_lobby([code](Lobby& lobby) { lobby.give_back(code); });
  }
}

std::shared_ptr<RoomActor> Hub::actor_for(std::size_t shard, const std::string& code) {
  const Tenure tenure{neighbours_ ? &lease_ : nullptr, lease_.term(), writer_};
  return std::make_shared<RoomActor>(
      *contexts_[shard], *store_, thinkers_, code, policy_,
      [this](RoomNews news) { hear(std::move(news)); }, tenure);
}

void Hub::load(std::function<void(bool)> done) {
  if (neighbours_) {
    asio::post(first(), [this, done = std::move(done)] {
      when_active_ = [this, done] {
        knows_seats_ = true;
        ring();
        done(true);
      };
      neighbours_->start();
    });
    return;
  }
  store_->rooms([this, done = std::move(done)](std::optional<KeptRooms> rooms) {
    asio::post(first(), [this, done, rooms = std::move(rooms)]() mutable {
      if (!rooms) return done(false);
      lobby_.expect(*rooms);
      const auto round = std::make_shared<Round>();
      const std::size_t count = rooms->in_use.size();
      round->codes = std::move(rooms->in_use);
      round->visit = [](RoomActor*, ErrorCode why, const std::function<void(bool)>& told) {
        told(why != ErrorCode::storage_unavailable);
      };
      round->done = [this, done, count](std::size_t loaded) {
        knows_seats_ = loaded == count;
        if (knows_seats_) ring();
        done(knows_seats_);
      };
      go_round(round);
    });
  });
}

void Hub::go_round(const std::shared_ptr<Round>& round) {
  round->left = round->codes.size();
  if (round->left == 0) return round->done(0);
  for (std::size_t i = 0; i < limits::kLoadsAtOnce; ++i) visit_next(round);
}

void Hub::visit_next(const std::shared_ptr<Round>& round) {
  if (round->codes.empty()) return;
  const std::string code = std::move(round->codes.back());
  round->codes.pop_back();
  const auto told = [this, round](bool counts) {
    asio::post(first(), [this, round, counts] {
      round->count += counts ? 1U : 0U;
      if (--round->left == 0) return round->done(round->count);
      visit_next(round);
    });
  };
  const std::size_t shard = shard_of(code);
  asio::post(*contexts_[shard], [this, shard, code, round, told] {
    with_room(shard, code,
              [round, told](RoomActor* room, ErrorCode why) { round->visit(room, why, told); });
  });
}

bool Hub::may_wake(std::size_t shard, const std::string& code) const {
  const Rooms& rooms = rooms_[shard];
  const auto waking = rooms.waking.find(code);
  if (waking != rooms.waking.end()) return waking->second.size() < limits::kMailboxMessages;
  return rooms.waking.size() < limits::kWakings &&
         rooms.by_code.size() + rooms.waking.size() < limits::kRooms;
}

void Hub::with_room(std::size_t shard, const std::string& code, Visit visit) {
  if (RoomActor* const actor = room_at(shard, code)) return visit(actor, {});
  if (!is_ours(shard, code)) return visit(nullptr, ErrorCode::storage_unavailable);
  std::vector<Visit>& waiting = rooms_[shard].waking[code];
  waiting.push_back(std::move(visit));
  if (waiting.size() > 1) return;
  store_->load(code, [this, shard, code](LoadedLog log) {
    asio::post(*contexts_[shard],
               [this, shard, code, log = std::move(log)] { woken(shard, code, log); });
  });
}

void Hub::woken(std::size_t shard, const std::string& code, const LoadedLog& log) {
  const auto waiting = rooms_[shard].waking.extract(code);
  ErrorCode why = ErrorCode::no_such_room;
  if (log.state == LogState::unavailable || !is_ours(shard, code)) {
    why = ErrorCode::storage_unavailable;
  } else if (room_at(shard, code) == nullptr &&
             (log.state != LogState::ok || !log.records.empty())) {
    const auto actor = actor_for(shard, code);
    rooms_[shard].by_code[code] = actor;
    actor->restore(log);
  }
  for (const Visit& visit : waiting.mapped()) visit(room_at(shard, code), why);
}

void Hub::ring() {
  is_ringing_ = true;
  store_->ring(limits::kLoadsAtOnce, [this](const std::optional<Rung>& rung) {
    asio::post(first(), [this, rung] {
      if (!rung) return end_ringing(now() + limits::kStoreRetry);
      if (!rung->rooms.empty()) return wake(rung->rooms, [this] { ring(); });
      const std::chrono::milliseconds longest = limits::kLongestRing;
      end_ringing(rung->next ? now() + std::min(*rung->next, longest) : TimePoint::max());
    });
  });
}

void Hub::wake(const std::vector<std::string>& codes, const std::function<void()>& done) {
  const auto round = std::make_shared<Round>();
  std::vector<std::string> ours;
  for (const std::string& code : codes) {
    if (!owners_ || owners_->owns(code)) {
      ours.push_back(code);
    } else {
      neighbours_->post({code, std::nullopt, nullptr, nullptr});
    }
  }
  round->codes = ours;
  round->visit = [](RoomActor*, ErrorCode why, const std::function<void(bool)>& told) {
    told(why != ErrorCode::storage_unavailable);
  };
  round->done = [this, ours, done](std::size_t count) {
    if (count == ours.size()) return done();
    // The store does not ring for them again.
    const auto again = std::make_shared<Timer>(first());
    again->expires_after(limits::kStoreRetry);
    again->async_wait([this, again, ours, done](boost::system::error_code error) {
      if (!error) wake(ours, done);
    });
  };
  go_round(round);
}

void Hub::end_ringing(TimePoint next) {
  is_ringing_ = false;
  ring_by(std::min(next, std::exchange(rings_at_, TimePoint::max())));
}

void Hub::ring_by(TimePoint at) {
  if (at >= rings_at_) return;
  rings_at_ = at;
  if (is_ringing_) return;
  ringer_.expires_at(at);
  ringer_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    rings_at_ = TimePoint::max();
    ring();
  });
}

void Hub::forget_players() {
  if (!knows_seats_) return;
  store_->unseen_players(looked_up_to_, [this](UnseenPlayers unseen) {
    asio::post(first(), [this, unseen = std::move(unseen)] {
      looked_up_to_ = unseen.next;
      std::vector<std::string> forgotten;
      for (const auto& [token_hash, id] : unseen.players) forgotten.push_back(token_hash);
      if (!forgotten.empty()) store_->forget_players(forgotten);
    });
  });
}

void Hub::look_at_store() {
  if (now() >= forget_at_) {
    forget_at_ = now() + limits::kForgetPause;
    forget_players();
  }
  if (metrics().stores_well() || std::exchange(probing_, true)) return;
  store_->probe([this](Kept kept) {
    asio::post(first(), [this, kept] {
      probing_ = false;
      metrics().stored(kept == Kept::ok);
    });
  });
}

void Hub::hear(RoomNews news) {
  const std::string code = news.room;
  Rooms& rooms = rooms_[shard_of(code)];
  if (news.closed && !news.log_stays) {
    // Later, so that the room's own work ends first.
    asio::post(*contexts_[shard_of(code)], [&rooms, code] { rooms.by_code.erase(code); });
  }
  // At once: whoever comes next has to wake it.
  if (news.asleep) rooms.by_code.erase(code);
  ask_lobby([this, news = std::move(news)](Lobby& lobby) {
    lobby.hear(news);
    if (news.asleep && news.alarm) ring_by(*news.alarm);
  });
}

void Hub::send_on(const std::string& room, RoomMessage message, ConnectionPointer connection,
                  std::function<void(ErrorCode)> missing) {
  asio::post(first(), [this, room, message = std::move(message), connection = std::move(connection),
                       missing = std::move(missing)]() mutable {
    if (const auto* gone = std::get_if<Disconnected>(&message)) {
      return neighbours_->gone(gone->connection, room);
    }
    auto* const letter = std::get_if<FromClient>(&message);
    if (letter == nullptr) return;
    neighbours_->post({room, std::move(*letter), std::move(connection), std::move(missing)});
  });
}

void Hub::post_from_neighbour(const std::string& room, RoomMessage message,
                              ConnectionPointer connection, Neighbours::Missing missing) {
  const std::size_t shard = shard_of(room);
  asio::post(*contexts_[shard],
             [this, shard, room, message = std::move(message), connection = std::move(connection),
              missing = std::move(missing)]() mutable {
               if (!is_ours(shard, room)) return missing(std::nullopt);
               post_here(shard, room, std::move(message), connection,
                         [missing](ErrorCode why) { missing(why); });
             });
}

void Hub::set_owners(const std::shared_ptr<const Owners>& owners) {
  owners_ = owners;
  for (std::size_t shard = 0; shard < contexts_.size(); ++shard) {
    asio::post(*contexts_[shard], [this, shard, owners] {
      Rooms& rooms = rooms_[shard];
      rooms.owners = owners;
      std::vector<std::shared_ptr<RoomActor>> lost;
      for (const auto& [code, actor] : rooms.by_code) {
        if (!owners->owns(code)) lost.push_back(actor);
      }
      for (const auto& actor : lost) actor->put_down(true);
    });
  }
  if (owners->has_self()) take_over();
}

void Hub::take_over() {
  store_->rooms([this, of = owners_](std::optional<KeptRooms> rooms) {
    asio::post(first(), [this, of, rooms = std::move(rooms)]() mutable {
      if (of != owners_) return;
      // Also when it went well: another server's word that a room's clock has rung may be lost.
      later_.expires_after(rooms ? std::chrono::milliseconds(limits::kLookForRooms)
                                 : std::chrono::milliseconds(limits::kStoreRetry));
      later_.async_wait([this, of](boost::system::error_code error) {
        if (!error && of == owners_) take_over();
      });
      if (!rooms) return;
      if (when_active_) lobby_.expect(*rooms);
      std::erase_if(rooms->in_use, [this](const auto& code) { return !owners_->owns(code); });
      wake(rooms->in_use, [this] {
        if (const auto active = std::exchange(when_active_, nullptr)) active();
      });
    });
  });
}

void Hub::hand_over(std::function<void()> done) {
  if (!neighbours_) return done();
  neighbours_->step_down();
  wait_until_put_down(now() + limits::kHandOverTime,
                      [this, done = std::move(done)] { neighbours_->leave(done); });
}

void Hub::wait_until_put_down(TimePoint latest, const std::function<void()>& done) {
  const auto left = std::make_shared<std::pair<std::size_t, std::size_t>>(contexts_.size(), 0);
  for (std::size_t shard = 0; shard < contexts_.size(); ++shard) {
    asio::post(*contexts_[shard], [this, shard, left, latest, done] {
      asio::post(first(), [this, left, latest, done, awake = rooms_[shard].by_code.size()] {
        left->second += awake;
        if (--left->first > 0) return;
        if (left->second == 0 || now() >= latest) return done();
        later_.expires_after(std::chrono::milliseconds(2));
        later_.async_wait([this, latest, done](boost::system::error_code error) {
          if (!error) wait_until_put_down(latest, done);
        });
      });
    });
  }
}

std::optional<std::uint32_t> Hub::owner_elsewhere(const std::string& room) const {
  const Owner* const owner = owners_ ? owners_->owner_of(room) : nullptr;
  return owner == nullptr || owners_->owns(room) ? std::nullopt : std::optional(owner->id);
}

void Hub::close(const std::string& room, std::function<void(Closing)> done) {
  const std::size_t shard = shard_of(room);
  asio::post(*contexts_[shard], [this, shard, room, done = std::move(done)] {
    if (!is_ours(shard, room)) return done(Closing::storage_unavailable);
    with_room(shard, room, [done](RoomActor* actor, ErrorCode why) {
      if (why == ErrorCode::storage_unavailable) return done(Closing::storage_unavailable);
      if (actor == nullptr || actor->closed()) return done(Closing::no_such_room);
      actor->close([done](bool is_closed) {
        done(is_closed ? Closing::closed : Closing::storage_unavailable);
      });
    });
  });
}

void Hub::read_record(const std::string& room, const std::string& match,
                      std::function<void(const ReadMatch&)> done) {
  const std::size_t shard = shard_of(room);
  asio::post(*contexts_[shard], [this, shard, room, match, done = std::move(done)] {
    if (!is_ours(shard, room)) return read_record_of_others(room, match, done);
    if (room_at(shard, room) == nullptr && !may_wake(shard, room)) return done(ErrorCode::busy);
    with_room(shard, room, [match, done](RoomActor* actor, ErrorCode why) {
      if (actor != nullptr) return actor->read_match(match, done);
      const bool may_come = why == ErrorCode::storage_unavailable;
      done(may_come ? why : ErrorCode::no_such_match);
    });
  });
}

void Hub::read_record_of_others(const std::string& room, const std::string& match,
                                const std::function<void(const ReadMatch&)>& done) {
  store_->load(room, [this, match, done](const LoadedLog& log) {
    if (log.state == LogState::unavailable) return done(ErrorCode::storage_unavailable);
    if (log.state != LogState::ok) return done(ErrorCode::no_such_match);
    try {
      const auto found = logged_match(log.records, match, policy_);
      const bool is_over = found && found->finished;
      done(is_over ? ReadMatch(found) : ReadMatch(ErrorCode::no_such_match));
    } catch (const std::exception& wrong) {
      spdlog::error("match {} cannot be played again: {}", match, wrong.what());
      done(ErrorCode::no_such_match);
    }
  });
}

void Hub::read_open_record(const std::string& match, std::function<void(const ReadMatch&)> done) {
  ask_lobby([this, match, done = std::move(done)](Lobby& lobby) {
    if (const auto room = lobby.room_of_record(match)) return read_record(*room, match, done);
    store_->find_rooms(match, [this, match, done](const auto& found) {
      if (!found) return done(ErrorCode::storage_unavailable);
      for (const RoomEntry& entry : *found) {
        const auto& open = entry.open_records;
        const bool has_it = std::find(open.begin(), open.end(), match) != open.end();
        if (has_it) return read_record(entry.room, match, done);
      }
      done(ErrorCode::no_such_match);
    });
  });
}

void Hub::find_invitation(const std::string& code,
                          std::function<void(const std::optional<Invitation>&)> done) {
  ask_lobby([this, code, done = std::move(done)](Lobby& lobby) {
    if (lobby.is_awake(code)) return done(lobby.invitation(code));
    store_->find_rooms(code, [code, done](const auto& found) {
      const bool is_there = found && !found->empty() && found->front().room == code;
      done(is_there ? found->front().invitation : std::nullopt);
    });
  });
}

template <class Found>
void Hub::look_at_sleepers(std::string after, std::shared_ptr<std::vector<Found>> found,
                           std::function<std::optional<Found>(const SleepingRoom&)> read,
                           std::function<void(std::shared_ptr<std::vector<Found>>)> done) {
  store_->sleeping_rooms(std::move(after), [this, found, read, done](const auto& some) {
    asio::post(first(), [this, found, read, done, some] {
      if (!some) return done(nullptr);
      if (some->empty()) return done(found);
      for (const SleepingRoom& room : *some) {
        if (auto one = read(room)) found->push_back(*std::move(one));
      }
      look_at_sleepers<Found>(some->back().entry.room, found, read, done);
    });
  });
}

void Hub::all_rooms(std::function<void(const std::optional<std::vector<ListedRoom>>&)> done) {
  ask_lobby([this, done = std::move(done)](Lobby& lobby) {
    const auto read = [&lobby](const SleepingRoom& room) {
      const RoomEntry& entry = room.entry;
      const bool is_told = lobby.is_awake(entry.room) || entry.closed;
      return is_told ? std::nullopt : std::optional(entry.summary);
    };
    const auto told = [done](const std::shared_ptr<std::vector<ListedRoom>>& all) {
      done(all ? std::optional(std::move(*all)) : std::nullopt);
    };
    look_at_sleepers<ListedRoom>("", std::make_shared<std::vector<ListedRoom>>(lobby.all()), read,
                                 told);
  });
}

void Hub::sweep(const Swept& what, std::function<void(std::size_t)> done) {
  ask_lobby([this, what, done = std::move(done)](Lobby& lobby) {
    if (const auto household = gate().household(what.address)) {
      return sweep(lobby.rooms_from(*household), what, done);
    }
    if (!what.address.empty()) return done(0);
    auto codes = std::make_shared<std::vector<std::string>>();
    for (const ListedRoom& room : lobby.all()) codes->push_back(room.room);
    const auto read = [this, time = std::chrono::hours(what.hours)](const SleepingRoom& room) {
      const bool may_be =
          room.since >= time && !room.entry.closed && (!owners_ || owners_->owns(room.entry.room));
      return may_be ? std::optional(room.entry.room) : std::nullopt;
    };
    const auto go_on = [this, what, done, codes](const auto& found) {
      sweep(found ? *found : *codes, what, done);
    };
    look_at_sleepers<std::string>("", codes, read, go_on);
  });
}

void Hub::sweep(std::vector<std::string> codes, const Swept& what,
                std::function<void(std::size_t)> done) {
  const auto round = std::make_shared<Round>();
  round->codes = std::move(codes);
  round->visit = [what](RoomActor* room, ErrorCode, const std::function<void(bool)>& told) {
    const bool all = !what.address.empty();
    if (room == nullptr || room->closed()) return told(false);
    if (!all && !room->is_empty_for(std::chrono::hours(what.hours))) return told(false);
    room->forget(told);
  };
  round->done = std::move(done);
  go_round(round);
}

RoomActor* Hub::room_at(std::size_t shard, const std::string& code) const {
  const auto& rooms = rooms_[shard].by_code;
  const auto found = rooms.find(code);
  return found == rooms.end() ? nullptr : found->second.get();
}

}  // namespace triquetra
