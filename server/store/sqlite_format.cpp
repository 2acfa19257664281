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

}  // namespace

bool is_ours(Database& database) {
  return database.number("PRAGMA application_id") == kApplicationId &&
         database.number("PRAGMA user_version") == kDataFormat;
}

void check_format(Database& database, const std::string& file) {
  const std::int64_t format = database.number("PRAGMA user_version");
  if (database.number("PRAGMA application_id") != kApplicationId) {
    throw StoreProblem(file + " is not Triquetra's; choose another folder");
  }
  if (format != kDataFormat) {
    throw StoreProblem(file + " has data of format " + std::to_string(format) +
                       ", and this program knows format " + std::to_string(kDataFormat) +
                       "; use the version of Triquetra that wrote it");
  }
}

void make_tables(Database& database) {
  database.run(kSchema);
  database.run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
  database.run(("PRAGMA user_version = " + std::to_string(kDataFormat)).c_str());
}

void add_columns(Database& database) {
  // When the player was last seen: whom an earlier version has kept counts as seen now.
  if (database.number("SELECT count(*) FROM pragma_table_info('player') WHERE name = 'seen'") ==
      0) {
    const std::string now = database.text("SELECT unixepoch()");
    database.run(("ALTER TABLE player ADD COLUMN seen INTEGER NOT NULL DEFAULT " + now).c_str());
  }
}

}  // namespace triquetra
