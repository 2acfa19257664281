// The threads of the server and who lives on which: one io_context and one thread per core; a room
// lives on the thread that its code names, a connection where it was accepted, the lobby and the
// gatekeeper on the first. What crosses between them is posted, never shared.
//
// Folder: who is there and how they reach a room: sessions, addresses, the lobby, the threads.
// May see: server/room, server/store, server/ops, server/base, protocol, engine.
#pragma once

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/base/placement.hpp"
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
      Networks unlimited_addresses = {});

  /// Makes the rooms again that the store has logs of, while run() runs. `done`, on the first
  /// thread, hears whether all logs could be read; what a log says is its room's own concern.
  void load(std::function<void(bool)> done);
  /// Tries a store that has refused something, and tells metrics() what came of it: a server to
  /// which nobody is sent, since it is not ready, becomes ready all the same. On the first thread,
  /// every limits::kSweepTime.
  void look_at_store();
  /// Has the store forget some of the players who hold no seat and were not seen for long; after
  /// load(), and on the first thread.
  void forget_players();
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
  /// What came of closing a room.
  enum class Closing { closed, no_such_room, storage_unavailable };
  /// Closes a room for good; `done` hears on some thread what came of it.
  void close(const std::string& room, std::function<void(Closing)> done);

  /// Reads the record of a finished match of this room; `done` hears on some thread.
  void read_record(const std::string& room, const std::string& match,
                   std::function<void(const ReadMatch&)> done);

  /// Closes many rooms at once: those made from an address, or else all in which nobody has been
  /// for so long. Their logs go with them: what strangers have left behind is no evidence. `done`
  /// hears on the first thread how many were closed.
  struct Swept {
    std::string address;
    TimePoint::duration empty_for{};
  };
  void sweep(const Swept& what, std::function<void(std::size_t)> done);

  /// The gatekeeper, for who is on the first thread.
  Gatekeeper& gate() { return *gate_; }

  /// A new room for `maker` at `address`; the answer, also a refusal, goes to the connection.
  /// `placed` is called with its code, once it can be posted to, on any thread.
  void create(Sender maker, Create frame, ConnectionPointer connection,
              std::function<void(std::string)> placed, const std::string& address = {});
  /// A frame for a room: straight, if this is the room's thread. Whoever speaks to a room does so
  /// on one thread, so the order stays. `missing` is called on the room's thread if there is none
  /// of that code.
  template <class Missing>
  void post(const std::string& room, RoomMessage message, ConnectionPointer connection,
            Missing missing) {
    const std::size_t shard = shard_of(room);
    boost::asio::dispatch(*contexts_[shard], [this, shard, room, message = std::move(message),
                                              connection = std::move(connection),
                                              missing = std::move(missing)]() mutable {
      RoomActor* const actor = room_at(shard, room);
      if (actor == nullptr) return missing();
      actor->post(std::move(message), connection);
    });
  }

 private:
  struct Rooms {
    std::map<std::string, std::shared_ptr<RoomActor>> by_code;
  };
  std::size_t shard_of(const std::string& room) const { return thread_of(room, contexts_.size()); }
  /// Null if there is none. On that thread.
  RoomActor* room_at(std::size_t shard, const std::string& code) const;
  void make_room(const std::string& code, const Sender& maker, const Create& frame,
                 const ConnectionPointer& connection,
                 const std::function<void(std::string)>& placed);
  struct Loading {
    std::vector<std::string> codes;  // not yet asked for
    std::size_t left = 0;            // not yet loaded
    bool all_loaded = true;
    std::function<void(bool)> done;
  };
  void load_next(const std::shared_ptr<Loading>& loading);
  void restore_room(const std::string& code, const LoadedLog& log);
  void hear(RoomNews news);

  RoomPolicy policy_;
  std::vector<std::unique_ptr<boost::asio::io_context>> contexts_;
  Thinkers thinkers_;         // goes after the rooms, and before the threads that hear of thoughts
  std::vector<Rooms> rooms_;  // one per thread, touched by that thread alone
  std::unique_ptr<EventStore> store_;
  Lobby lobby_;
  std::shared_ptr<Gatekeeper> gate_;
  // Touched by the first thread alone:
  bool probing_ = false;
  bool knows_seats_ = false;  // of all rooms that the store has logs of
  std::string looked_up_to_;  // by forget_players()
  TimePoint forget_at_{};
};

}  // namespace triquetra
