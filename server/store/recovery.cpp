#include "server/store/recovery.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "server/base/names.hpp"
#include "server/store/data_folder.hpp"
#include "server/store/log_codec.hpp"
#include "server/store/sqlite.hpp"
#include "server/store/sqlite_format.hpp"
#include "server/store/sqlite_pages.hpp"
#include "server/store/sqlite_store.hpp"

namespace triquetra {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Problem;
using sqlite::Row;
using sqlite::Statement;

namespace {

bool is_damage(const Problem& problem) {
  const int kind = problem.code() & 0xff;
  return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
}

/// What SQLite finds wrong with a file of ours; none if it is well, or not ours to mend.
std::optional<std::string> fault_of(const std::string& file) {
  try {
    Database database(file, SQLITE_OPEN_READWRITE);
    database.run("PRAGMA busy_timeout = 5000");
    database.run("PRAGMA cell_size_check = ON");
    if (!is_ours(database)) return std::nullopt;
    std::string verdict = database.text("PRAGMA integrity_check(1)");
    if (verdict == "ok") return std::nullopt;
    return verdict;
  } catch (const Problem& problem) {
    if (is_damage(problem)) return problem.what();
    throw StoreProblem(file + ": " + problem.what());
  }
}

/// A new file, and one beside it in which rows are gathered. Nobody looks at either before the new
/// one is whole and synced.
Database with_tables(const std::string& half, const std::string& scratch) {
  Database fresh(half, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  fresh.run("PRAGMA journal_mode = OFF");
  fresh.run("PRAGMA synchronous = OFF");
  Statement(fresh, "ATTACH ? AS scratch").bind(1, scratch).run();
  fresh.run("PRAGMA scratch.journal_mode = OFF");
  fresh.run("PRAGMA scratch.synchronous = OFF");
  fresh.run("BEGIN");
  make_tables(fresh);
  fresh.run(R"(
    CREATE TABLE scratch.found (
      room TEXT, seq INTEGER, epoch INTEGER, at INTEGER, data TEXT, chain BLOB);
    CREATE INDEX scratch.found_by_place ON found (room, seq);
    CREATE TABLE scratch.known (room TEXT, seq INTEGER);
  )");
  return fresh;
}

/// Where rows are gathered, and the new file made of them.
class Recovery {
 public:
  /// `half` and `scratch` are files to make.
  Recovery(const std::string& half, const std::string& scratch)
      : fresh_(with_tables(half, scratch)) {}

  /// Takes what stands on the old file's pages. Gives how many rows could be rows of ours.
  std::size_t gather(const std::string& file) {
    Statement found(fresh_, "INSERT INTO scratch.found VALUES (?, ?, ?, ?, ?, ?)");
    Statement known(fresh_, "INSERT INTO scratch.known VALUES (?, ?)");
    Statement player(fresh_,
                     "INSERT OR IGNORE INTO player (token_hash, id, name) VALUES (?, ?, ?)");
    std::size_t rows = 0;
    const auto text = [](const Row& row, std::size_t i) {
      return std::get_if<std::string>(&row[i]);
    };
    const auto number = [](const Row& row, std::size_t i) {
      return std::get_if<std::int64_t>(&row[i]);
    };
    const auto of_table = [&](const Row& row) {
      if (row.size() != 6 || text(row, 0) == nullptr || text(row, 4) == nullptr) return;
      const auto* chain = std::get_if<sqlite::Blob>(&row[5]);
      if (chain == nullptr || !number(row, 1) || !number(row, 2) || !number(row, 3)) return;
      found.bind(1, *text(row, 0)).bind(2, *number(row, 1)).bind(3, *number(row, 2));
      found.bind(4, *number(row, 3)).bind(5, *text(row, 4)).bind_bytes(6, chain->bytes).run();
      ++rows;
    };
    // The index of the logs knows which records there were; players stand in an index alone.
    const auto of_index = [&](const Row& row) {
      if (row.size() < 3 || text(row, 0) == nullptr) return;
      if (row.size() == 3 && number(row, 1) && number(row, 2)) {
        known.bind(1, *text(row, 0)).bind(2, *number(row, 1)).run();
        ++rows;
      } else if (text(row, 1) != nullptr && text(row, 2) != nullptr) {
        constexpr std::size_t kHashLetters = 64;
        if (text(row, 0)->size() != kHashLetters) return;
        player.bind(1, *text(row, 0)).bind(2, *text(row, 1)).bind(3, *text(row, 2)).run();
        ++rows;
      }
    };
    sqlite::each_row(file, of_table, of_index);
    return rows;
  }

  void make(Recovered& recovered) {
    Statement rooms(fresh_,
                    "SELECT room, max(seq) FROM (SELECT room, seq, at FROM scratch.found UNION ALL "
                    "SELECT room, seq, NULL FROM scratch.known) GROUP BY room ORDER BY min(at)");
    while (rooms.step()) {
      const std::string room = rooms.bytes(0);
      // What was written over a page may look like a room.
      if (!RoomCode::fits(room) || !is_showable(room)) continue;
      ++recovered.rooms;
      if (!copy_log(room, rooms.number(1))) recovered.hurt.push_back(room);
    }
    list_rooms_anew(fresh_);
    fresh_.run("COMMIT");
    recovered.players = static_cast<std::size_t>(fresh_.number("SELECT count(*) FROM player"));
  }

 private:
  /// Copies the records of a log up to the first that is missing. Whether none was.
  bool copy_log(const std::string& room, std::int64_t last) {
    found_.bind(1, room);
    std::int64_t next = 0;
    std::int64_t epoch = 0;
    std::int64_t at = 0;
    std::string chain = room;
    while (found_.step()) {
      const std::string data = found_.bytes(3);
      const std::string linked = chained(chain, static_cast<std::uint64_t>(next), data);
      if (found_.number(0) != next || found_.bytes(4) != linked) continue;
      epoch = found_.number(1);
      at = found_.number(2);
      chain = linked;
      keep(room, next++, epoch, at, data, chain);
    }
    found_.reset();
    if (next == last + 1) return true;
    const std::string end = log_text(RoomClosed{WhyClosed::failed});
    keep(room, next, epoch, at, end, chained(chain, static_cast<std::uint64_t>(next), end));
    return false;
  }

  void keep(const std::string& room, std::int64_t seq, std::int64_t epoch, std::int64_t at,
            const std::string& data, const std::string& chain) {
    insert_.bind(1, room).bind(2, seq).bind(3, epoch).bind(4, at).bind(5, data);
    insert_.bind_bytes(6, chain).run();
  }

  Database fresh_;
  Statement found_{fresh_,
                   "SELECT seq, epoch, at, data, chain FROM scratch.found WHERE room = ? "
                   "ORDER BY seq"};
  Statement insert_{fresh_,
                    "INSERT INTO event (room, seq, epoch, at, data, chain) "
                    "VALUES (?, ?, ?, ?, ?, ?)"};
};

/// A name beside the file that nobody has, with the date in it.
std::string name_for_old(const std::string& file) {
  Database clock(":memory:", SQLITE_OPEN_READWRITE);
  const std::string name =
      file + ".damaged-" + clock.text("SELECT strftime('%Y-%m-%dT%H%M%SZ', 'now')");
  std::string free = name;
  for (int i = 2; fs::exists(free); ++i) free = name + "-" + std::to_string(i);
  return free;
}

void remove_database(const std::string& file) {
  for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(file + end);
}

/// What has been committed to the write-ahead log goes into the file, which can then be read by
/// itself. If the file's first page is the damaged one, SQLite needs another: it is the same in all
/// our files, but for counts.
void take_in_log(const std::string& file, const std::string& fresh) {
  if (!fs::exists(file + "-wal") || fs::file_size(file + "-wal") == 0) return;
  const auto checkpoint = [&] {
    Database database(file, SQLITE_OPEN_READWRITE);
    if (database.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0) return;
    throw StoreProblem(file + " is locked by another program");
  };
  try {
    return checkpoint();
  } catch (const Problem& problem) {
    if (!is_damage(problem)) throw;
  }
  constexpr std::size_t kPage = 4096;
  std::string first(kPage, '\0');
  std::ifstream(fresh, std::ios::binary).read(first.data(), kPage);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      first[at + i] = static_cast<char>(value >> 8 * (width - 1 - i) & 0xffU);
    }
  };
  put(18, 0x0202, 2);  // it has a write-ahead log
  put(28, fs::file_size(file) / kPage, 4);
  put(32, 0, 8);  // no list of free pages
  std::fstream(file, std::ios::binary | std::ios::in | std::ios::out).write(first.data(), kPage);
  checkpoint();
}

Recovered recover(const std::string& file, const std::string& reason) {
  const std::string half = file + ".half";
  const std::string scratch = file + ".scratch";
  remove_database(half);
  remove_database(scratch);
  Recovered recovered{reason, name_for_old(file), 0, 0, {}};
  {
    Database empty(half, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    empty.run("BEGIN");
    make_tables(empty);
    empty.run("COMMIT");
  }
  take_in_log(file, half);
  remove_database(half);
  {
    Recovery recovery(half, scratch);
    if (recovery.gather(file) == 0) {
      throw StoreProblem(file + " is not Triquetra's, or nothing in it can be read (" + reason +
                         "); choose another folder, or bring back a backup");
    }
    recovery.make(recovered);
  }
  remove_database(scratch);
  sync(half);
  // The old file has its name until the new one takes it, and the other name by then.
  std::error_code no_links;
  fs::create_hard_link(file, recovered.kept, no_links);
  if (no_links) fs::copy_file(file, recovered.kept);
  sync(recovered.kept);
  if (fs::exists(file + "-wal")) fs::rename(file + "-wal", recovered.kept + "-wal");
  fs::remove(file + "-shm");
  fs::rename(half, file);
  sync(fs::path(file).parent_path().string());
  return recovered;
}

}  // namespace

namespace {

/// What a recovery that did not come to its end leaves behind.
void remove_half(const std::string& file) {
  remove_database(file + ".half");
  remove_database(file + ".scratch");
}

}  // namespace

std::optional<Recovered> recover_if_damaged(const std::string& file) {
  std::error_code error;
  if (!fs::exists(file, error) || fs::file_size(file, error) == 0) return std::nullopt;
  const FileLock lock(file, false);
  const auto reason = fault_of(file);
  if (!reason) return std::nullopt;
  try {
    return recover(file, *reason);
  } catch (const StoreProblem&) {
    remove_half(file);
    throw;
  } catch (const std::runtime_error& problem) {
    remove_half(file);
    throw StoreProblem(file + " is damaged (" + *reason +
                       ") and cannot be made anew: " + problem.what());
  }
}

std::string told(const Recovered& recovered, const std::string& file) {
  std::string line = file + " was damaged (" + recovered.reason + ") and is made anew: " +
                     std::to_string(recovered.rooms - recovered.hurt.size()) +
                     " rooms are as they were, " + std::to_string(recovered.players) +
                     " players were found; the old file is " + recovered.kept;
  const char* before = "; these rooms have lost records and are closed: ";
  for (const std::string& room : recovered.hurt) {
    line += before + room;
    before = ", ";
  }
  return line;
}

std::string repair(const std::string& folder) {
  const std::string file = data_file(folder);
  if (!fs::exists(file)) throw StoreProblem("nothing is kept in " + folder);
  const DataFolder ours(folder);
  const auto recovered = recover_if_damaged(file);
  return (recovered ? told(*recovered, file) + "\n" : "") + check_store(file);
}

}  // namespace triquetra
