#include "server/people/hub.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>

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
         Networks unlimited_addresses)
    : policy_(policy),
      contexts_(make_contexts(threads)),
      thinkers_(threads),
      rooms_(threads),
      store_(make_store(*contexts_.front())),
      lobby_(*contexts_.front()),
      gate_(std::make_shared<Gatekeeper>(std::move(unlimited_addresses))) {}

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
  ask_lobby([this, address, maker = std::move(maker), frame = std::move(frame),
             connection = std::move(connection), placed = std::move(placed)](Lobby& lobby) {
    const Lobby::Place place =
        lobby.place_for(maker.player, frame.id.str(), gate().household(address));
    if (place.code.empty()) {
      return send_error(*connection, frame.id.str(), ErrorCode::too_many_rooms,
                        about_limit(static_cast<std::int64_t>(place.limit)));
    }
    if (!place.is_new) {
      // The same request again: join answers with the same room, seat and view.
      Join join;
      join.id = frame.id;
      join.room = place.code;
      const auto missing = [connection, id = frame.id] {
        send_error(*connection, id.str(), ErrorCode::no_such_room);
      };
      post(place.code, FromClient{maker, join}, connection, missing);
      return placed(place.code);
    }
    asio::post(*contexts_[shard_of(place.code)],
               [this, code = place.code, maker, frame, connection, placed] {
                 make_room(code, maker, frame, connection, placed);
               });
  });
}

void Hub::make_room(const std::string& code, const Sender& maker, const Create& frame,
                    const ConnectionPointer& connection,
                    const std::function<void(std::string)>& placed) {
  const std::size_t shard = shard_of(code);
  const auto actor =
      std::make_shared<RoomActor>(*contexts_[shard], *store_, thinkers_, code, policy_,
                                  [this](RoomNews news) { hear(std::move(news)); });
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

void Hub::load(std::function<void(bool)> done) {
  auto loading = std::make_shared<Loading>();
  loading->done = std::move(done);
  store_->rooms([this, loading](std::optional<std::vector<std::string>> codes) {
    asio::post(first(), [this, loading, codes = std::move(codes)]() mutable {
      if (!codes) return loading->done(false);
      lobby_.expect(*codes);
      loading->codes = std::move(*codes);
      loading->left = loading->codes.size();
      if (loading->left == 0) {
        knows_seats_ = true;
        return loading->done(true);
      }
      for (std::size_t i = 0; i < limits::kLoadsAtOnce; ++i) load_next(loading);
    });
  });
}

void Hub::load_next(const std::shared_ptr<Loading>& loading) {
  if (loading->codes.empty()) return;
  const std::string code = std::move(loading->codes.back());
  loading->codes.pop_back();
  const auto loaded = [this, loading](bool is_loaded) {
    asio::post(first(), [this, loading, is_loaded] {
      loading->all_loaded = loading->all_loaded && is_loaded;
      if (--loading->left == 0) {
        knows_seats_ = loading->all_loaded;
        return loading->done(loading->all_loaded);
      }
      load_next(loading);
    });
  };
  asio::io_context& thread = *contexts_[shard_of(code)];
  asio::post(thread, [this, &thread, code, loaded] {
    store_->load(code, [this, &thread, code, loaded](LoadedLog log) {
      asio::post(thread, [this, code, loaded, log = std::move(log)] {
        const bool is_loaded = log.state != LogState::unavailable;
        if (is_loaded) restore_room(code, log);
        loaded(is_loaded);
      });
    });
  });
}

void Hub::forget_players() {
  if (!knows_seats_) return;
  store_->unseen_players(looked_up_to_, [this](UnseenPlayers unseen) {
    asio::post(first(), [this, unseen = std::move(unseen)] {
      looked_up_to_ = unseen.next;
      std::vector<std::string> forgotten;
      for (const auto& [token_hash, id] : unseen.players) {
        if (lobby_.seats_of(id).empty()) forgotten.push_back(token_hash);
      }
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

void Hub::restore_room(const std::string& code, const LoadedLog& log) {
  const std::size_t shard = shard_of(code);
  const auto actor =
      std::make_shared<RoomActor>(*contexts_[shard], *store_, thinkers_, code, policy_,
                                  [this](RoomNews news) { hear(std::move(news)); });
  rooms_[shard].by_code[code] = actor;
  actor->restore(log);
}

void Hub::hear(RoomNews news) {
  const std::string code = news.room;
  if (news.closed && !news.log_stays) {
    // Later, so that the room's own work ends first.
    asio::post(*contexts_[shard_of(code)],
               [this, code] { rooms_[shard_of(code)].by_code.erase(code); });
  }
  ask_lobby([news = std::move(news)](Lobby& lobby) { lobby.hear(news); });
}

void Hub::close(const std::string& room, std::function<void(Closing)> done) {
  const std::size_t shard = shard_of(room);
  asio::post(*contexts_[shard], [this, shard, room, done = std::move(done)] {
    const auto found = rooms_[shard].by_code.find(room);
    const bool there = found != rooms_[shard].by_code.end() && !found->second->closed();
    if (!there) return done(Closing::no_such_room);
    found->second->close([done](bool is_closed) {
      done(is_closed ? Closing::closed : Closing::storage_unavailable);
    });
  });
}

void Hub::read_record(const std::string& room, const std::string& match,
                      std::function<void(const ReadMatch&)> done) {
  const std::size_t shard = shard_of(room);
  asio::post(*contexts_[shard], [this, shard, room, match, done = std::move(done)] {
    const auto found = rooms_[shard].by_code.find(room);
    if (found == rooms_[shard].by_code.end()) return done(ErrorCode::no_such_match);
    found->second->read_match(match, done);
  });
}

void Hub::sweep(const Swept& what, std::function<void(std::size_t)> done) {
  ask_lobby([this, what, done = std::move(done)](Lobby& lobby) {
    const auto household = gate().household(what.address);
    std::vector<std::string> codes;
    if (household) {
      codes = lobby.rooms_from(*household);
    } else if (what.address.empty()) {
      for (const ListedRoom& room : lobby.all()) codes.push_back(room.room);
    }
    struct Count {
      std::size_t left = 0;
      std::size_t closed = 0;
    };
    const auto count = std::make_shared<Count>();
    count->left = codes.size();
    if (codes.empty()) return done(0);
    const bool all = !what.address.empty();
    for (const std::string& code : codes) {
      const auto counted = [this, count, done](bool is_closed) {
        asio::post(first(), [count, done, is_closed] {
          count->closed += is_closed ? 1U : 0U;
          if (--count->left == 0) done(count->closed);
        });
      };
      const std::size_t shard = shard_of(code);
      asio::post(*contexts_[shard], [this, shard, code, all, time = what.empty_for, counted] {
        const auto found = rooms_[shard].by_code.find(code);
        const bool there = found != rooms_[shard].by_code.end() && !found->second->closed();
        if (!there || !(all || found->second->is_empty_for(time))) return counted(false);
        found->second->forget(counted);
      });
    }
  });
}

RoomActor* Hub::room_at(std::size_t shard, const std::string& code) const {
  const auto& rooms = rooms_[shard].by_code;
  const auto found = rooms.find(code);
  return found == rooms.end() ? nullptr : found->second.get();
}

}  // namespace triquetra
