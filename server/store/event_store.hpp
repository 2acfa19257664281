// Where logs and players are kept. Everything is asynchronous: `done` is called at once or later,
// and for one caller in the order of the calls; on any thread, unless one is named.
//
// Folder: what is kept, and how it is read again: logs, players, the data folder.
// May see: server/base, protocol, engine.
#pragma once

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/room_entry.hpp"

namespace triquetra {

/// A store cannot be used: what is wrong, for the host.
class StoreProblem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// ok: durable. fenced: somebody else has written this seq or a newer epoch; this writer must stop.
/// refused: nothing was written, and the room may go on. unknown: read the log back before anything
/// else.
enum class Kept { ok, fenced, refused, unknown };

/// ok: this is the log. newer: a program that knows more than this one wrote it. damaged: it is not
/// what was written. unavailable: it cannot be read now, but perhaps later.
enum class LogState { ok, newer, damaged, unavailable };

/// What a room that sleeps knows beyond its log, in its own words, and for how long it has slept.
struct Nap {
  std::string note;
  std::chrono::milliseconds since{};
};

struct LoadedLog {
  LogState state = LogState::ok;
  std::vector<Record> records{};     // empty unless ok, and for a room without a log
  std::chrono::seconds age{};        // since the last record was written
  std::optional<RoomEntry> entry{};  // as it was kept last
  bool in_use = false;
  std::optional<Nap> nap{};  // none if anything was appended since
  std::uint64_t epoch = 0;   // of the last writer
};

/// One of several servers on a database, as it says to the others that it lives.
struct NodeClaim {
  std::uint32_t id = 0;    // the number that it writes by, see Tenure
  std::string name;        // for people
  std::string address;     // where the others reach it
  std::int64_t reads = 0;  // the more, the newer the logs that it can read
  bool leaves = false;     // it gives its lease up
};

/// A server whose lease has not ended.
struct LiveNode {
  std::uint32_t id = 0;
  std::string address;
  std::chrono::milliseconds
      until_active{};  // not before may it own a room: all others know it then
  std::chrono::milliseconds until_expired{};  // unless it renews its lease
  std::string name{};
  std::int64_t reads = 0;
};

/// What a start has to know of all logs.
struct KeptRooms {
  std::vector<std::string> in_use;  // those made first in front
  std::size_t asleep = 0;
};

/// Rooms whose alarm has rung, and how long it is to the next alarm after theirs, if there is one.
struct Rung {
  std::vector<std::string> rooms;
  std::optional<std::chrono::milliseconds> next{};
};

struct SleepingRoom {
  RoomEntry entry;
  std::chrono::milliseconds since{};
};

struct StoredPlayer {
  std::string id;
  std::string name;
};

struct FoundPlayer {
  bool available = true;  // false: nobody can tell now
  std::optional<StoredPlayer> player;
};

/// A piece of all players, to be gone through one after the other.
struct UnseenPlayers {
  struct One {
    std::string token_hash;
    std::string id;
  };
  std::vector<One> players;
  std::string next;  // what comes after these; empty: that was the end
};

class EventStore {
 public:
  virtual ~EventStore() = default;

  /// What is written to a room's log in one piece: all of it is kept or nothing.
  struct Append {
    const std::string& room;
    std::uint64_t from;   // these records come in the place of those from this number on
    std::uint64_t seq;    // how many there are; `from`, or else more, and `from` is not 0
    std::uint64_t epoch;  // of the writer
    const std::vector<Record>& records;
    // What the room's entry is from now on; null: as it was. With it the room is in use, unless the
    // entry says that it is closed.
    const RoomEntry* entry = nullptr;
  };
  /// `done` is called on `thread`, which is the caller's. All that is said of one room is said on
  /// the same thread.
  virtual void append(const Append& append, boost::asio::io_context& thread,
                      std::function<void(Kept)> done) = 0;
  virtual void load(std::string room, std::function<void(LoadedLog)> done) = 0;
  /// Forgets a room's log and entry; what cannot be erased now is there at the next start.
  virtual void erase(std::string room) = 0;

  /// A room that is put away: it sleeps until somebody appends to its log, or its alarm rings.
  struct Rest {
    const std::string& room;
    std::uint64_t seq;    // so long is the log; another: fenced
    std::uint64_t epoch;  // of the writer
    const std::string& note;
    std::optional<std::chrono::milliseconds> alarm;  // from now; none: it never rings
  };
  /// As append().
  virtual void rest(const Rest& rest, boost::asio::io_context& thread,
                    std::function<void(Kept)> done) = 0;
  /// Takes some rooms, at most so many, whose alarm is due, the longest due first: they are in use
  /// from now on, and keep their naps until something is appended. None if nobody can tell now.
  virtual void ring(std::size_t most, std::function<void(std::optional<Rung>)> done) = 0;
  /// Which rooms are in use, as they were when the process before this one ended, and how many
  /// sleep. A room without an entry is in use. None if nobody can tell now.
  virtual void rooms(std::function<void(std::optional<KeptRooms>)> done) = 0;
  /// The entries of at most limits::kFoundRooms rooms: of the code `key`, made by the player `key`,
  /// with that player at the table, or with the open record of the match `key`; those made last in
  /// front. A room without an entry is found by its code. None if nobody can tell now.
  virtual void find_rooms(std::string key,
                          std::function<void(std::optional<std::vector<RoomEntry>>)> done) = 0;
  /// The next few rooms that sleep, after this code, by their codes; none left: that was the end.
  /// None if nobody can tell now.
  virtual void sleeping_rooms(
      std::string after, std::function<void(std::optional<std::vector<SleepingRoom>>)> done) = 0;

  /// Players are found by the SHA-256 of their token; the token itself is never kept.
  virtual void put_player(std::string token_hash, StoredPlayer player,
                          std::function<void(Kept)> done) = 0;
  virtual void find_player(std::string token_hash, std::function<void(FoundPlayer)> done) = 0;

  /// Whoever shows this code within limits::kDeviceCodeTime becomes this player, once; an earlier
  /// code of the player is void. A code is found by its SHA-256, as a token is.
  virtual void put_device_code(std::string code_hash, StoredPlayer player,
                               std::function<void(Kept)> done) = 0;
  /// The player whose code this is; nobody else gets it unless it is given back.
  virtual void take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) = 0;
  /// Nothing came of it: the code is good for another try.
  virtual void give_back_device_code(std::string code_hash) = 0;

  /// Some players whom nobody has asked for in limits::kForgetPlayerTime and no room's entry names,
  /// among the next few in the order of their tokens. A store that forgets all when the process
  /// ends has none.
  virtual void unseen_players(const std::string& /*after*/,
                              const std::function<void(UnseenPlayers)>& done) {
    done({});
  }
  /// Forgets these, but not who was asked for or named meanwhile.
  virtual void forget_players(const std::vector<std::string>& /*token_hashes*/) {}

  /// Writes something that changes nothing, and says whether it was kept; for a store that has
  /// refused something. Stores that never refuse need not try.
  virtual void probe(const std::function<void(Kept)>& done) { done(Kept::ok); }

  /// Renews a lease of limits::kLeaseTime, or gives it up, and tells which servers live, with this
  /// one. None if nobody can tell now, and from a store that no two servers can share.
  virtual void renew(const NodeClaim& /*claim*/,
                     const std::function<void(std::optional<std::vector<LiveNode>>)>& done) {
    done(std::nullopt);
  }

  /// How many calls wait; from any thread.
  virtual std::size_t waiting() const { return 0; }
};

}  // namespace triquetra
