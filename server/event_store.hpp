// Where logs and players are kept. Everything is asynchronous: `done` is called later, on any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/records.hpp"

namespace triquetra {

/// ok: durable. fenced: somebody else has written this seq or a newer epoch; this writer must stop.
/// refused: nothing was written, and the room may go on. unknown: read the log back before anything
/// else.
enum class Kept { ok, fenced, refused, unknown };

struct StoredPlayer {
  std::string id;
  std::string name;
};

class EventStore {
 public:
  virtual ~EventStore() = default;

  /// Appends to a room's log; `seq` is the number of records before these.
  virtual void append(std::string room, std::uint64_t seq, std::uint64_t epoch,
                      std::vector<Record> records, std::function<void(Kept)> done) = 0;
  virtual void load(std::string room, std::function<void(std::vector<Record>)> done) = 0;
  /// The codes of all rooms that have a log.
  virtual void rooms(std::function<void(std::vector<std::string>)> done) = 0;
  virtual void erase(std::string room) = 0;

  /// Players are found by the SHA-256 of their token; the token itself is never kept.
  virtual void put_player(std::string token_hash, StoredPlayer player,
                          std::function<void(Kept)> done) = 0;
  virtual void find_player(std::string token_hash,
                           std::function<void(std::optional<StoredPlayer>)> done) = 0;
};

}  // namespace triquetra
