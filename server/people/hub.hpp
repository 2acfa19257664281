// The threads of the server and who lives on which: one io_context and one thread per core; a room
// lives on the thread that its code names, a connection where it was accepted, the lobby and the
// gatekeeper on the first. What crosses between them is posted, never shared. A room that nobody
// needs sleeps in the store; whoever comes to it wakes it, and so does its clock. Of several
// servers each has some of the rooms, and hands on what is for others.
//
// Folder: who is there and how they reach a room: sessions, addresses, the lobby, the threads.
// May see: server/cluster, server/room, server/store, server/ops, server/base, protocol, engine.
#pragma once

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/clock.hpp"
#include "server/base/lease.hpp"
#include "server/base/placement.hpp"
#include "server/cluster/neighbours.hpp"
#include "server/cluster/owners.hpp"
#include "server/people/all_servers.hpp"
#include "server/people/gatekeeper.hpp"
#include "server/people/lobby.hpp"
#include "server/room/connection.hpp"
#include "server/room/room_actor.hpp"
#include "server/room/thinkers.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class Hub;

/// A guess that an address was let have. It is paid for when this goes, unless nobody was asked, or
/// the guess was right.
class Guess {
 public:
  Guess(Hub& hub, std::weak_ptr<Gatekeeper> gate, std::string address, Guessed what)
      : hub_(hub), gate_(std::move(gate)), address_(std::move(address)), what_(what) {}
  ~Guess();
  Guess(const Guess&) = delete;
  Guess& operator=(const Guess&) = delete;
  /// Somebody who knows the answer is asked: from here on it costs.
  void ask() { costs_ = true; }
  /// It was right.
  void give_back() { costs_ = false; }

 private:
  Hub& hub_;
  std::weak_ptr<Gatekeeper> gate_;  // while it is there, so is the hub
  std::string address_;
  Guessed what_;
  bool costs_ = false;
};
using GuessPointer = std::shared_ptr<Guess>;

class Hub {
 public:
  /// Makes the store; it may use the first thread, and lives as long as the hub.
  using MakeStore =
      std::function<std::unique_ptr<EventStore>(boost::asio::io_context& first_thread)>;
  Hub(std::size_t threads, const RoomPolicy& policy, const MakeStore& make_store,
      Networks unlimited_addresses = {}, const std::optional<NodeOptions>& node = {});

  /// Makes the rooms again that were in use when the process before this one ended, while run()
  /// runs; all others sleep on, until somebody comes or their clocks ring. `done`, on the first
  /// thread, hears whether those logs could be read; what a log says is its room's own concern.
  void load(std::function<void(bool)> done);
  /// Has other servers take the rooms over, if there are any; `done` hears on the first thread when
  /// all that was acknowledged is theirs, or limits::kHandOverTime is over.
  void hand_over(std::function<void()> done);
  /// Tries a store that has refused something, and tells metrics() what came of it: a server to
  /// which nobody is sent, since it is not ready, becomes ready all the same. On the first thread,
  /// every limits::kSweepTime.
  void look_at_store();
  /// Has the store forget some of the players who hold no seat and were not seen for long; after
  /// load(), and on the first thread.
  void forget_players();
  /// Whether rooms can be made and found here now: it is alone, or has a lease, and rooms fall to
  /// it. From any thread.
  bool may_speak() const {
    return !neighbours_ || (lease_.holds(now()) && !neighbours_->is_behind());
  }
  /// Runs all threads until stop().
  void run();
  void stop();

  /// The thread for the n-th connection.
  boost::asio::io_context& context(std::size_t n) { return *contexts_[n % contexts_.size()]; }
  std::size_t thread_count() const { return contexts_.size(); }
  boost::asio::io_context& first() { return *contexts_.front(); }
  EventStore& store() { return *store_; }
  Thinkers& thinkers() { return thinkers_; }

  /// Calls f(lobby) on the lobby's thread.
  template <class F>
  void ask_lobby(F f) {
    boost::asio::post(first(), [this, f = std::move(f)]() mutable { f(lobby_); });
  }

  /// Calls f(gatekeeper) on the gatekeeper's thread, the first.
  template <class F>
  void ask_gate(F f) {
    boost::asio::post(first(), [this, f = std::move(f)]() mutable { f(*gate_); });
  }
  /// Asks the gatekeeper for a guess; `then` hears on the first thread, now or when others have
  /// come to an end, whether there is one: null if not.
  void ask_to_guess(const std::string& address, Guessed what,
                    std::function<void(GuessPointer)> then);
  /// What whoever runs the server wants, of this one and all others.
  AllServers& all_servers() { return all_servers_; }
  /// The other servers; null: there are none.
  Neighbours* neighbours() { return neighbours_.get(); }
  /// The number of another server that has this room. On the first thread.
  std::optional<std::uint32_t> owner_elsewhere(const std::string& room) const;
  /// Closes a room of ours for good; `done` hears on some thread what came of it.
  void close(const std::string& room, std::function<void(Closing)> done);

  /// Reads the record of a finished match of this room; `done` hears on some thread.
  void read_record(const std::string& room, const std::string& match,
                   std::function<void(const ReadMatch&)> done);

  /// Closes those of our rooms, with their logs; `done` hears on the first thread how many were
  /// closed.
  void sweep(const Swept& what, std::function<void(std::size_t)> done);

  /// The gatekeeper, for who is on the first thread.
  Gatekeeper& gate() { return *gate_; }

  /// What whoever has this code is told of its room, awake or not; `done` hears on some thread.
  /// None as Lobby::invitation(), and if nobody can tell now.
  void find_invitation(const std::string& code,
                       std::function<void(const std::optional<Invitation>&)> done);
  /// Reads the record of a finished match that is for anybody; `done` hears on some thread.
  void read_open_record(const std::string& match, std::function<void(const ReadMatch&)> done);
  /// Every room that is awake here, and all that sleep, for whoever runs the server; `done` hears
  /// on the first thread. None if nobody can tell now.
  void all_rooms(std::function<void(const std::optional<std::vector<ListedRoom>>&)> done);

  /// Those that are awake here. On the first thread.
  std::vector<ListedRoom> awake_rooms() const { return lobby_.all(); }

  /// A new room for `maker` at `address`; the answer, also a refusal, goes to the connection.
  /// `placed` is called with its code, once it can be posted to, on any thread.
  void create(Sender maker, Create frame, ConnectionPointer connection,
              std::function<void(std::string)> placed, const std::string& address = {});
  /// A frame for a room: straight, if this is the room's thread. Whoever speaks to a room does so
  /// on one thread, so the order stays. A frame of a client wakes a room that sleeps, and waits for
  /// that. `missing(why)` is called on the room's thread if there is none of that code, or it
  /// cannot be waked now.
  template <class Missing>
  void post(const std::string& room, RoomMessage message, ConnectionPointer connection,
            Missing missing) {
    const std::size_t shard = shard_of(room);
    boost::asio::dispatch(*contexts_[shard], [this, shard, room, message = std::move(message),
                                              connection = std::move(connection),
                                              missing = std::move(missing)]() mutable {
      if (!is_ours(shard, room)) {
        return send_on(room, std::move(message), connection, std::move(missing));
      }
      post_here(shard, room, std::move(message), connection, missing);
    });
  }

 private:
  /// Hears of a room, or why there is none; on its thread.
  using Visit = std::function<void(RoomActor*, ErrorCode why)>;
  struct Rooms {
    std::map<std::string, std::shared_ptr<RoomActor>> by_code;
    std::map<std::string, std::vector<Visit>> waking;  // whose logs are being read, and for whom
    std::shared_ptr<const Owners> owners;              // null: this server is alone
  };
  /// The same for a room of ours. On its thread.
  template <class Missing>
  void post_here(std::size_t shard, const std::string& room, RoomMessage message,
                 const ConnectionPointer& connection, const Missing& missing) {
    RoomActor* const actor = room_at(shard, room);
    if (actor != nullptr) return actor->post(std::move(message), connection);
    if (!std::holds_alternative<FromClient>(message)) return missing(ErrorCode::no_such_room);
    if (!may_wake(shard, room)) return missing(ErrorCode::busy);
    with_room(shard, room,
              [message = std::move(message), connection, missing](RoomActor* waked,
                                                                  ErrorCode why) mutable {
                if (waked == nullptr) return missing(why);
                waked->post(std::move(message), connection);
              });
  }
  /// For a room of another server.
  void send_on(const std::string& room, RoomMessage message, ConnectionPointer connection,
               std::function<void(ErrorCode)> missing);
  /// What a neighbour has sent, or what has come to be ours meanwhile.
  void post_from_neighbour(const std::string& room, RoomMessage message,
                           ConnectionPointer connection, Neighbours::Missing missing);
  /// Whether this server has the room, or is alone. On the room's thread.
  bool is_ours(std::size_t shard, const std::string& room) const {
    const auto& owners = rooms_[shard].owners;
    return !owners || owners->owns(room);
  }
  void set_owners(const std::shared_ptr<const Owners>& owners);
  /// Wakes those of our rooms that are in use and were others' until now.
  void take_over();
  void wait_until_put_down(TimePoint latest, const std::function<void()>& done);
  /// From the log, without taking the room over.
  void read_record_of_others(const std::string& room, const std::string& match,
                             const std::function<void(const ReadMatch&)>& done);
  std::shared_ptr<RoomActor> actor_for(std::size_t shard, const std::string& code);
  std::size_t shard_of(const std::string& room) const { return thread_of(room, contexts_.size()); }
  /// Null if there is none. On that thread.
  RoomActor* room_at(std::size_t shard, const std::string& code) const;
  void make_room(const std::string& code, const Sender& maker, const Create& frame,
                 const ConnectionPointer& connection,
                 const std::function<void(std::string)>& placed);
  /// Whether there is room for another one that is awake, or who wakes it waits already. On that
  /// thread.
  bool may_wake(std::size_t shard, const std::string& code) const;
  /// Wakes the room, if it sleeps; who comes meanwhile waits for the same. On that thread.
  void with_room(std::size_t shard, const std::string& code, Visit visit);
  void woken(std::size_t shard, const std::string& code, const LoadedLog& log);
  /// Many rooms, waked a few at a time. `visit` says for each whether it counts, when it is done
  /// with it, and `done` hears on the first thread how many did.
  struct Round {
    std::vector<std::string> codes;  // not yet visited
    std::function<void(RoomActor*, ErrorCode, std::function<void(bool)>)> visit;
    std::function<void(std::size_t)> done;
    std::size_t left = 0;  // not yet done with
    std::size_t count = 0;
  };
  void go_round(const std::shared_ptr<Round>& round);
  void visit_next(const std::shared_ptr<Round>& round);
  /// Gathers what read(room) makes of those that sleep; `done` hears on the first thread, null if
  /// nobody can tell now.
  template <class Found>
  void look_at_sleepers(std::string after, std::shared_ptr<std::vector<Found>> found,
                        std::function<std::optional<Found>(const SleepingRoom&)> read,
                        std::function<void(std::shared_ptr<std::vector<Found>>)> done);
  void sweep(std::vector<std::string> codes, const Swept& what,
             std::function<void(std::size_t)> done);
  /// On the first thread: a room for this request, once it is known which the player has.
  struct Wanted {
    Sender maker;
    Create frame;
    ConnectionPointer connection;
    std::function<void(std::string)> placed;
    std::string address;
    TimePoint until{};  // no room later than that
  };
  /// When this server owns rooms again.
  void place_later(const std::shared_ptr<const Wanted>& wanted, const std::vector<RoomEntry>& kept);
  void place(const std::shared_ptr<const Wanted>& wanted, const std::vector<RoomEntry>& kept);
  void join_made(const Wanted& wanted, const std::string& code);
  /// Wakes the rooms whose clocks ring now. On the first thread.
  void ring();
  /// Those of others are waked by them. `done` hears when all of ours are awake.
  void wake(const std::vector<std::string>& codes, const std::function<void()>& done);
  void end_ringing(TimePoint next);
  /// Rings then at the latest.
  void ring_by(TimePoint at);
  void hear(RoomNews news);

  RoomPolicy policy_;
  std::vector<std::unique_ptr<boost::asio::io_context>> contexts_;
  Thinkers thinkers_;         // goes after the rooms, and before the threads that hear of thoughts
  std::vector<Rooms> rooms_;  // one per thread, touched by that thread alone
  std::unique_ptr<EventStore> store_;
  Lease lease_;
  const std::uint32_t writer_;              // 0: alone
  std::unique_ptr<Neighbours> neighbours_;  // null: alone
  AllServers all_servers_{*this};
  Lobby lobby_;
  std::shared_ptr<Gatekeeper> gate_;
  // Touched by the first thread alone:
  std::shared_ptr<const Owners> owners_;
  std::function<void()> when_active_;  // this server owns rooms for the first time
  bool probing_ = false;
  bool knows_seats_ = false;  // of all rooms, for their entries are there
  Timer later_;               // to look again at what could not be done yet
  Timer ringer_;              // for the alarm that rings next
  TimePoint rings_at_ = TimePoint::max();
  bool is_ringing_ = false;   // rooms are being waked; then it looks who is next
  std::string looked_up_to_;  // by forget_players()
  TimePoint forget_at_{};
};

}  // namespace triquetra
