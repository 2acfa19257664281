#include "server/store/sqlite_format.hpp"

#include "server/store/sqlite_store.hpp"

namespace triquetra {

using sqlite::Database;

namespace {

// "TQTR", so that other programs see whose file this is.
constexpr std::int64_t kApplicationId = 0x54515452;

// A rowid table: what is written together stands together at its end, whichever room it is of.
constexpr const char* kSchema = R"(
  CREATE TABLE event (
    room TEXT NOT NULL, seq INTEGER NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL,
    data TEXT NOT NULL, chain BLOB NOT NULL, UNIQUE (room, seq));
  CREATE TABLE player (
    token_hash TEXT PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
)";

// Since format 2, one row for each log, in the order in which the rooms were made. What it says is
// derived from the log; without an entry, or awake, its log is read at the next start. Times are in
// milliseconds; `seq` is the length of the log of which the note tells. By `key` a room is found.
constexpr const char* kRooms = R"(
  CREATE TABLE room (
    room TEXT PRIMARY KEY, entry TEXT, asleep INTEGER NOT NULL DEFAULT 0, alarm INTEGER,
    seq INTEGER, rested INTEGER, note TEXT);
  CREATE INDEX room_awake ON room (asleep) WHERE asleep = 0;
  CREATE INDEX room_alarm ON room (alarm) WHERE alarm IS NOT NULL;
  CREATE TABLE room_key (
    key TEXT NOT NULL, room TEXT NOT NULL, PRIMARY KEY (key, room)) WITHOUT ROWID;
  CREATE INDEX room_key_of ON room_key (room);
)";

}  // namespace

bool is_ours(Database& database) {
  const std::int64_t format = database.number("PRAGMA user_version");
  return database.number("PRAGMA application_id") == kApplicationId && format >= 1 &&
         format <= kDataFormat;
}

void check_format(Database& database, const std::string& file) {
  const std::int64_t format = database.number("PRAGMA user_version");
  if (database.number("PRAGMA application_id") != kApplicationId) {
    throw StoreProblem(file + " is not Triquetra's; choose another folder");
  }
  if (format < 1 || format > kDataFormat) {
    throw StoreProblem(file + " has data of format " + std::to_string(format) +
                       ", and this program knows format " + std::to_string(kDataFormat) +
                       "; use the version of Triquetra that wrote it");
  }
}

void make_tables(Database& database) {
  database.run(kSchema);
  database.run(kRooms);
  database.run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
  database.run(("PRAGMA user_version = " + std::to_string(kDataFormat)).c_str());
}

void list_rooms_anew(Database& database) {
  database.run("INSERT INTO room (room) SELECT room FROM event GROUP BY room ORDER BY min(rowid)");
}

void bring_up_to_date(Database& database) {
  // When the player was last seen: whom an earlier version has kept counts as seen now.
  if (database.number("SELECT count(*) FROM pragma_table_info('player') WHERE name = 'seen'") ==
      0) {
    const std::string now = database.text("SELECT unixepoch()");
    database.run(("ALTER TABLE player ADD COLUMN seen INTEGER NOT NULL DEFAULT " + now).c_str());
  }
  if (database.number("PRAGMA user_version") == 1) {
    database.run(kRooms);
    list_rooms_anew(database);
    database.run(("PRAGMA user_version = " + std::to_string(kDataFormat)).c_str());
  }
}

}  // namespace triquetra
