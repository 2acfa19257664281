#include "server/store/move.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "server/store/data_folder.hpp"
#include "server/store/event_store.hpp"
#include "server/store/log_codec.hpp"
#include "server/store/sqlite.hpp"
#include "server/store/sqlite_format.hpp"

namespace triquetra {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Problem;
using sqlite::Statement;

namespace {

constexpr std::int64_t kMillisecondsPerSecond = 1000;

/// What SQLite refuses, in the words that a host reads.
template <class F>
auto told(F f) {
  try {
    return f();
  } catch (const Problem& problem) {
    throw StoreProblem(problem.what());
  }
}

std::optional<std::int64_t> number_or_none(Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.number(column);
}

void bind_or_null(Statement& statement, int index, const std::optional<std::int64_t>& value) {
  value ? statement.bind(index, *value) : statement.bind_null(index);
}
void bind_or_null(Statement& statement, int index, const std::optional<std::string>& value) {
  value ? statement.bind(index, std::string_view(*value)) : statement.bind_null(index);
}

/// The file changes only within a transaction that is given up at the end.
class SqliteSource final : public MoveSource {
 public:
  explicit SqliteSource(const std::string& folder)
      : folder_(folder), lock_(folder_.file(), false), database_(opened(folder_.file())) {}

  void each_room(
      const std::function<void(std::optional<MovedRoom>, const std::string&)>& take) override {
    told([&] {
      Statement rooms(database_,
                      "SELECT log.room, entry, coalesce(asleep, 0), alarm, seq, rested, note "
                      "FROM (SELECT DISTINCT room FROM event) AS log LEFT JOIN room USING (room) "
                      "ORDER BY room.rowid");
      while (rooms.step()) {
        MovedRoom room{rooms.bytes(0), {}, {}, {}, rooms.number(2) != 0, {}, {}, {}};
        if (!read_log(room)) {
          take(std::nullopt, room.room);
          continue;
        }
        if (!rooms.is_null(1)) room.entry = rooms.bytes(1);
        room.alarm_ms = number_or_none(rooms, 3);
        room.rested_ms = number_or_none(rooms, 5);
        const auto size = static_cast<std::int64_t>(room.log.size());
        if (!rooms.is_null(4) && rooms.number(4) == size) room.note = rooms.bytes(6);
        keys_.bind(1, room.room);
        while (keys_.step()) room.keys.push_back(keys_.bytes(0));
        keys_.reset();
        const std::string code = room.room;
        take(std::move(room), code);
      }
    });
  }

  void each_player(const std::function<void(MovedPlayer)>& take) override {
    told([&] {
      Statement players(database_, "SELECT token_hash, id, name, seen FROM player");
      while (players.step()) {
        take({players.bytes(0), players.bytes(1), players.bytes(2),
              players.number(3) * kMillisecondsPerSecond});
      }
    });
  }

 private:
  static Database opened(const std::string& file) {
    return told([&] {
      Database database(file, SQLITE_OPEN_READWRITE);
      check_format(database, file);
      const std::string verdict = database.text("PRAGMA integrity_check(1)");
      if (verdict != "ok") {
        throw StoreProblem(file + ": " + verdict + "; `triquetrad repair` saves what can be read");
      }
      database.run("BEGIN IMMEDIATE");
      bring_up_to_date(database);
      return database;
    });
  }

  bool read_log(MovedRoom& room) {
    log_.bind(1, room.room);
    std::string chain = room.room;
    bool is_whole = true;
    while (is_whole && log_.step()) {
      const std::uint64_t seq = room.log.size();
      MovedRecord record{log_.bytes(1), log_.number(3) * kMillisecondsPerSecond};
      chain = chained(chain, seq, record.text);
      is_whole = log_.number(0) == static_cast<std::int64_t>(seq) && log_.bytes(2) == chain;
      room.log.push_back(std::move(record));
    }
    log_.reset();
    return is_whole;
  }

  DataFolder folder_;
  FileLock lock_;
  Database database_;
  Statement log_{database_, "SELECT seq, data, chain, at FROM event WHERE room = ? ORDER BY seq"};
  Statement keys_{database_, "SELECT key FROM room_key WHERE room = ?"};
};

/// A file of another name, which gets its own when all is in it.
class SqliteTarget final : public MoveTarget {
 public:
  explicit SqliteTarget(const std::string& folder)
      : folder_name_(folder), folder_(folder), half_(folder_.file() + ".half") {
    if (fs::exists(folder_.file())) {
      throw StoreProblem(folder_.file() + " exists already; move it away first");
    }
    remove_half();
    told([&] { file_ = std::make_unique<File>(half_); });
  }
  ~SqliteTarget() override {
    file_.reset();
    remove_half();
  }
  SqliteTarget(const SqliteTarget&) = delete;
  SqliteTarget& operator=(const SqliteTarget&) = delete;

  void put(const MovedRoom& room) override {
    told([&] {
      std::string chain = room.room;
      for (std::size_t seq = 0; seq < room.log.size(); ++seq) {
        const MovedRecord& record = room.log[seq];
        chain = chained(chain, seq, record.text);
        file_->event.bind(1, room.room)
            .bind(2, static_cast<std::int64_t>(seq))
            .bind(3, record.at_ms / kMillisecondsPerSecond)
            .bind(4, record.text)
            .bind_bytes(5, chain)
            .run();
      }
      std::optional<std::int64_t> size;
      if (room.note) size = static_cast<std::int64_t>(room.log.size());
      Statement& row = file_->room;
      row.bind(1, room.room).bind(3, room.asleep ? 1 : 0);
      bind_or_null(row, 2, room.entry);
      bind_or_null(row, 4, room.alarm_ms);
      bind_or_null(row, 5, size);
      bind_or_null(row, 6, room.rested_ms);
      bind_or_null(row, 7, room.note);
      row.run();
      for (const std::string& key : room.keys) {
        file_->key.bind(1, key).bind(2, room.room).run();
      }
    });
  }

  void put(const MovedPlayer& player) override {
    told([&] {
      file_->player.bind(1, player.token_hash).bind(2, player.id).bind(3, player.name);
      file_->player.bind(4, player.seen_ms / kMillisecondsPerSecond).run();
    });
  }

  void keep() override {
    told([&] { file_->database.run("COMMIT"); });
    file_.reset();
    sync(half_);
    fs::rename(half_, folder_.file());
    sync(folder_name_);
  }

 private:
  struct File {
    explicit File(const std::string& name)
        : database(name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
          begun(begin()),
          event(database,
                "INSERT INTO event (room, seq, epoch, at, data, chain) VALUES (?, ?, 0, ?, ?, ?)"),
          room(database,
               "INSERT INTO room (room, entry, asleep, alarm, seq, rested, note) "
               "VALUES (?, ?, ?, ?, ?, ?, ?)"),
          key(database, "INSERT OR IGNORE INTO room_key (key, room) VALUES (?, ?)"),
          player(database, "INSERT INTO player (token_hash, id, name, seen) VALUES (?, ?, ?, ?)") {}
    bool begin() {
      database.run("BEGIN");
      make_tables(database);
      bring_up_to_date(database);
      return true;
    }
    Database database;
    bool begun;
    Statement event, room, key, player;
  };
  void remove_half() {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(half_ + end);
  }

  const std::string folder_name_;
  DataFolder folder_;
  const std::string half_;
  std::unique_ptr<File> file_;
};

/// How messages call a number of things.
std::string count_of(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

std::unique_ptr<MoveSource> sqlite_source(const std::string& folder) {
  if (!fs::exists(data_file(folder))) throw StoreProblem("nothing is kept in " + folder);
  return std::make_unique<SqliteSource>(folder);
}

std::unique_ptr<MoveTarget> sqlite_target(const std::string& folder) {
  return std::make_unique<SqliteTarget>(folder);
}

#ifndef TRIQUETRA_POSTGRES
std::unique_ptr<MoveSource> postgres_source(const std::string& /*url*/) {
  throw StoreProblem("this triquetrad was built without PostgreSQL");
}
std::unique_ptr<MoveTarget> postgres_target(const std::string& /*url*/) {
  throw StoreProblem("this triquetrad was built without PostgreSQL");
}
#endif

bool is_postgres(const std::string& store) {
  return store.starts_with("postgresql://") || store.starts_with("postgres://");
}

std::string move_store(const std::string& from, const std::string& to) {
  const auto source = is_postgres(from) ? postgres_source(from) : sqlite_source(from);
  const auto target = is_postgres(to) ? postgres_target(to) : sqlite_target(to);
  std::size_t rooms = 0;
  std::size_t asleep = 0;
  std::size_t records = 0;
  std::size_t players = 0;
  std::string damaged;
  source->each_room([&](std::optional<MovedRoom> room, const std::string& code) {
    if (!room) {
      damaged += " " + code;
      return;
    }
    target->put(*room);
    ++rooms;
    if (room->asleep) ++asleep;
    records += room->log.size();
  });
  source->each_player([&](const MovedPlayer& player) {
    target->put(player);
    ++players;
  });
  target->keep();
  return count_of(rooms, "room") + " with " + count_of(records, "record") + ", " +
         std::to_string(asleep) + " of them asleep, and " + count_of(players, "player") +
         " are there now; the store they come from is as it was" +
         (damaged.empty()
              ? ""
              : "; the logs of these rooms are not what was written, and stay there:" + damaged);
}

}  // namespace triquetra
