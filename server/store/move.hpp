// All that a store keeps goes into an empty one of another kind: logs, what is known of each room
// beside its log, how long it has slept and when its clock rings, and players.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace triquetra {

/// A record as it was written, also one that only a later program can read. Times are milliseconds
/// since 1970.
struct MovedRecord {
  std::string text;
  std::int64_t at_ms = 0;
};

struct MovedRoom {
  std::string room;
  std::vector<MovedRecord> log;
  std::optional<std::string> entry;  // as text; none: only the log tells
  std::vector<std::string> keys;     // by which it is found
  bool asleep = false;
  std::optional<std::int64_t> rested_ms;
  std::optional<std::int64_t> alarm_ms;
  std::optional<std::string> note;  // of the log as it is
};

struct MovedPlayer {
  std::string token_hash;
  std::string id;
  std::string name;
  std::int64_t seen_ms = 0;
};

/// What is kept somewhere that no server uses as long as this lives. All throw StoreProblem.
class MoveSource {
 public:
  virtual ~MoveSource() = default;
  /// Those that were made first in front. None in the place of a room whose log is not what was
  /// written.
  virtual void each_room(
      const std::function<void(std::optional<MovedRoom>, const std::string&)>& take) = 0;
  virtual void each_player(const std::function<void(MovedPlayer)>& take) = 0;
};

/// An empty store that no server uses. Nothing is in it before keep(), and all after it; who ends
/// without it, or by a crash, leaves it empty. All throw StoreProblem.
class MoveTarget {
 public:
  virtual ~MoveTarget() = default;
  virtual void put(const MovedRoom& room) = 0;
  virtual void put(const MovedPlayer& player) = 0;
  virtual void keep() = 0;
};

std::unique_ptr<MoveSource> sqlite_source(const std::string& folder);
std::unique_ptr<MoveTarget> sqlite_target(const std::string& folder);
std::unique_ptr<MoveSource> postgres_source(const std::string& url);
std::unique_ptr<MoveTarget> postgres_target(const std::string& url);

/// Whether a store is named by a URL of PostgreSQL; else it is a folder.
bool is_postgres(const std::string& store);

/// Copies everything from one store to the other, each a folder or a URL of PostgreSQL. The source
/// stays as it is. Gives one line about it; throws StoreProblem if a server uses one of them, the
/// target is not empty, or another version has written one.
std::string move_store(const std::string& from, const std::string& to);

}  // namespace triquetra
