#include "server/store/sqlite_store.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "protocol/errors.hpp"
#include "server/base/clock.hpp"
#include "server/base/limits.hpp"
#include "server/store/data_folder.hpp"
#include "server/store/device_codes.hpp"
#include "server/store/log_codec.hpp"
#include "server/store/sqlite.hpp"
#include "server/store/sqlite_checkpoints.hpp"
#include "server/store/sqlite_format.hpp"

namespace triquetra {

namespace asio = boost::asio;
using sqlite::Database;
using sqlite::Problem;
using sqlite::Statement;

namespace {

/// Which file of the disk a name stands for.
struct FileId {
  dev_t device{};
  ino_t inode{};
  friend bool operator==(const FileId&, const FileId&) = default;
};

/// None if there is no such file now.
std::optional<FileId> id_of(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return std::nullopt;
  return FileId{about.st_dev, about.st_ino};
}

/// With the time in milliseconds wherever it says $now.
std::string timed(std::string sql) {
  constexpr std::string_view kWord = "$now";
  constexpr std::string_view kNow = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)";
  for (auto at = sql.find(kWord); at != std::string::npos; at = sql.find(kWord, at + kNow.size())) {
    sql.replace(at, kWord.size(), kNow);
  }
  return sql;
}

enum class Opening { old_or_new, old };

Database open_database(const std::string& file, const char* vfs, Opening opening) {
  const int make = opening == Opening::old ? 0 : SQLITE_OPEN_CREATE;
  Database database(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | make, vfs);
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA cell_size_check = ON");
  if (database.text("PRAGMA journal_mode = WAL") != "wal") {
    throw StoreProblem(file + " is where no shared memory is possible: choose a local disk");
  }
  database.run("PRAGMA synchronous = FULL");
  // What goes is overwritten: else a recovery that reads page by page would find, beside a log,
  // what it was before.
  database.run("PRAGMA secure_delete = ON");
  database.run("PRAGMA journal_size_limit = 67108864");
  database.run("BEGIN IMMEDIATE");
  if (database.number("SELECT count(*) FROM sqlite_schema") == 0) {
    make_tables(database);
  }
  check_format(database, file);
  bring_up_to_date(database);
  database.run("COMMIT");
  // What was found in the write-ahead log may never have been synced: by a process that was killed
  // meanwhile, or whose sync has failed. Nobody may be told of it before it is on the disk for
  // sure.
  if (database.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0) {
    throw StoreProblem(file + " is locked by another program");
  }
  // The log was emptied, but not synced: begin it anew with a commit, which is. Else a power cut
  // could bring back the old one, and it would hide what has gone into the file since.
  database.run(("PRAGMA user_version = " + std::to_string(kDataFormat)).c_str());
  return database;
}

/// The file with its statements.
struct Opened {
  Opened(const std::string& name, const char* vfs, Opening opening)
      : file(name),
        lock(vfs == nullptr ? std::make_unique<FileLock>(name, opening == Opening::old_or_new)
                            : nullptr),
        database(open_database(name, vfs, opening)),
        prepared(database),
        ids(ids_now()) {}

  /// Whether what is written can be found again: a file that was removed or moved away takes all
  /// that is written and says nothing.
  bool is_in_place() const { return !lock || (ids[0] && ids == ids_now()); }
  /// Of the database and its write-ahead log, which is there as long as the database is open.
  std::array<std::optional<FileId>, 2> ids_now() const {
    return {id_of(file), id_of(file + "-wal")};
  }

  struct Prepared {
    explicit Prepared(Database& database)
        : begin(database, "BEGIN IMMEDIATE"),
          commit(database, "COMMIT"),
          last(database,
               "SELECT seq, epoch, chain FROM event WHERE room = ? ORDER BY seq DESC LIMIT 1"),
          insert(database,
                 "INSERT INTO event (room, seq, epoch, at, data, chain) "
                 "VALUES (?, ?, ?, unixepoch(), ?, ?)"),
          log(database,
              "SELECT seq, data, chain, unixepoch() - at FROM event WHERE room = ? ORDER BY seq"),
          erase(database, "DELETE FROM event WHERE room = ?"),
          erase_end(database, "DELETE FROM event WHERE room = ? AND seq >= ?"),
          list_room(database, "INSERT OR IGNORE INTO room (room) VALUES (?)"),
          put_entry(database,
                    "INSERT INTO room (room, entry, asleep) VALUES (?, ?, ?) ON CONFLICT DO "
                    "UPDATE SET entry = excluded.entry, asleep = excluded.asleep, alarm = NULL, "
                    "seq = NULL, rested = NULL, note = NULL"),
          rest(database, timed("UPDATE room SET asleep = 1, alarm = $now + ?, seq = ?, "
                               "rested = $now, note = ? WHERE room = ?")),
          entry(database,
                timed("SELECT entry, asleep, seq, note, $now - rested FROM room WHERE room = ?")),
          due(database, timed("SELECT room FROM room WHERE alarm <= $now ORDER BY alarm LIMIT ?")),
          wake(database, "UPDATE room SET asleep = 0, alarm = NULL WHERE room = ?"),
          next_alarm(database, timed("SELECT max(0, min(alarm) - $now), count(alarm) FROM room "
                                     "WHERE alarm IS NOT NULL")),
          rooms(database, "SELECT room FROM room WHERE asleep = 0 ORDER BY rowid"),
          count_rooms(database, "SELECT count(*) FROM room"),
          find_rooms(database,
                     "SELECT room, entry FROM room WHERE room = ?1 OR room IN "
                     "(SELECT room FROM room_key WHERE key = ?1) ORDER BY rowid DESC LIMIT ?2"),
          sleeping(database, timed("SELECT entry, $now - rested FROM room WHERE asleep = 1 "
                                   "AND room > ? ORDER BY room LIMIT ?")),
          forget_room(database, "DELETE FROM room WHERE room = ?"),
          add_key(database, "INSERT OR IGNORE INTO room_key (key, room) VALUES (?, ?)"),
          forget_keys(database, "DELETE FROM room_key WHERE room = ?"),
          put_player(database,
                     "INSERT INTO player (token_hash, id, name, seen) "
                     "VALUES (?, ?, ?, unixepoch()) ON CONFLICT DO UPDATE SET "
                     "id = excluded.id, name = excluded.name, seen = excluded.seen"),
          find_player(database,
                      "SELECT id, name, unixepoch() - seen FROM player WHERE token_hash = ?"),
          see_player(database, "UPDATE player SET seen = unixepoch() WHERE token_hash = ?"),
          some_players(database,
                       "SELECT token_hash, id, unixepoch() - seen, "
                       "EXISTS (SELECT 1 FROM room_key WHERE key = id) FROM player "
                       "WHERE token_hash > ? ORDER BY token_hash LIMIT ?"),
          forget_player(database,
                        "DELETE FROM player WHERE token_hash = ? AND unixepoch() - seen > ? "
                        "AND NOT EXISTS (SELECT 1 FROM room_key WHERE key = id)") {}
    Statement begin, commit;
    Statement last, insert, log, erase, erase_end;
    Statement list_room, put_entry, rest, entry, due, wake, next_alarm, rooms, count_rooms;
    Statement find_rooms, sleeping, forget_room, add_key, forget_keys;
    Statement put_player, find_player, see_player, some_players, forget_player;
  };
  const std::string file;
  const std::unique_ptr<FileLock> lock;  // none where the files are not the system's
  Database database;
  Prepared prepared;
  const std::array<std::optional<FileId>, 2> ids;
};

/// A change that waits for the next commit: what it does inside the transaction, and who wants to
/// know.
struct Change {
  std::function<Kept(Opened&)> make;
  std::function<void(Kept)> done;
  std::size_t size = 1;
  Kept made = Kept::refused;
};

/// An entry, as the tables have it.
struct EntryText {
  explicit EntryText(const RoomEntry& entry)
      : text(entry_text(entry)), keys(keys_of(entry)), closed(entry.closed) {}
  std::string text;
  std::vector<std::string> keys;
  bool closed;
};

void read_entry(Statement& statement, const std::string& room, LoadedLog& loaded) {
  if (statement.bind(1, room).step()) {
    loaded.entry = read_entry_text(statement.bytes(0));
    loaded.in_use = statement.number(1) == 0;
    if (!statement.is_null(2) &&
        statement.number(2) == static_cast<std::int64_t>(loaded.records.size())) {
      const auto since = std::max<std::int64_t>(0, statement.number(4));
      loaded.nap = Nap{statement.bytes(3), std::chrono::milliseconds(since)};
    }
  }
  statement.reset();
}

LoadedLog read_log(Statement& log, const std::string& room) {
  LoadedLog loaded;
  std::string chain = room;
  log.bind(1, room);
  bool known = true;
  while (log.step()) {
    const std::uint64_t seq = loaded.records.size();
    const std::string data = log.bytes(1);
    chain = chained(chain, seq, data);
    if (log.number(0) != static_cast<std::int64_t>(seq) || log.bytes(2) != chain) {
      log.reset();
      return {LogState::damaged, {}, {}};
    }
    loaded.age = std::chrono::seconds(std::max<std::int64_t>(0, log.number(3)));
    try {
      loaded.records.push_back(read_log_text(data));
    } catch (const Malformed&) {
      // As it was written, and yet not for us.
      known = false;
      loaded.records.emplace_back();
    }
  }
  log.reset();
  if (!known) return {LogState::newer, {}, {}};
  return loaded;
}

/// Where a log ends.
struct LogEnd {
  std::uint64_t size = 0;
  std::uint64_t epoch = 0;
  std::string chain;
};

LogEnd end_of(Opened::Prepared& prepared, const std::string& room) {
  LogEnd end{0, 0, room};
  prepared.last.bind(1, room);
  if (prepared.last.step()) {
    end.size = static_cast<std::uint64_t>(prepared.last.number(0)) + 1;
    end.epoch = static_cast<std::uint64_t>(prepared.last.number(1));
    end.chain = prepared.last.bytes(2);
  }
  prepared.last.reset();
  return end;
}

void put_entry(Opened::Prepared& prepared, const std::string& room, const EntryText& entry) {
  prepared.put_entry.bind(1, room).bind(2, entry.text).bind(3, entry.closed ? 1 : 0).run();
  prepared.forget_keys.bind(1, room).run();
  for (const std::string& key : entry.keys) prepared.add_key.bind(1, key).bind(2, room).run();
}

}  // namespace

/// What is to be written to one log, or about it, as text.
struct SqliteStore::Written {
  struct Napping {
    std::string note;
    std::optional<std::chrono::milliseconds> alarm;
  };
  std::string room;
  std::uint64_t from;
  std::uint64_t seq;
  std::uint64_t epoch;
  std::function<void(Kept)> done;
  std::string text{};  // the records, one behind the other
  std::vector<std::size_t> ends{};
  std::optional<EntryText> entry{};
  std::optional<Napping> nap{};  // then nothing is appended
  Kept kept = Kept::refused;

  Kept write(Opened::Prepared& prepared) const {
    LogEnd end = end_of(prepared, room);
    if (end.size != seq || epoch < end.epoch) return Kept::fenced;
    if (nap) {
      put_to_rest(prepared);
      return Kept::ok;
    }
    if (from < seq) {
      prepared.erase_end.bind(1, room).bind(2, static_cast<std::int64_t>(from)).run();
      end = end_of(prepared, room);
      // What is left ends where the writer says, unless somebody else has been at the file.
      if (end.size != from) return Kept::fenced;
    }
    append(prepared, end);
    if (entry) put_entry(prepared, room, *entry);
    if (seq == 0 && !entry) prepared.list_room.bind(1, room).run();
    return Kept::ok;
  }

 private:
  void append(Opened::Prepared& prepared, LogEnd end) const {
    std::size_t begin = 0;
    for (const std::size_t stop : ends) {
      const auto record = std::string_view(text).substr(begin, stop - begin);
      end.chain = chained(end.chain, end.size, record);
      prepared.insert.bind(1, room)
          .bind(2, static_cast<std::int64_t>(end.size))
          .bind(3, static_cast<std::int64_t>(epoch))
          .bind(4, record)
          .bind_bytes(5, end.chain)
          .run();
      begin = stop;
      ++end.size;
    }
  }
  void put_to_rest(Opened::Prepared& prepared) const {
    prepared.rest.bind(2, static_cast<std::int64_t>(seq)).bind(3, nap->note).bind(4, room);
    if (nap->alarm) {
      prepared.rest.bind(1, nap->alarm->count());
    } else {
      prepared.rest.bind_null(1);
    }
    prepared.rest.run();
  }
};

// -------------------------------------------------------------------------------------------------

/// Everything here but call() and waiting() runs on the one thread. What is posted while a commit
/// runs is waiting_ when it is done, and goes into the next one.
class SqliteStore::Writer {
 public:
  Writer(std::string file, const char* vfs, TellCommit tell_commit)
      : file_(std::move(file)),
        vfs_(vfs),
        tell_commit_(std::move(tell_commit)),
        work_(context_.get_executor()),
        checkpoints_(file_, vfs_, [this](const auto& f) { asio::post(context_, f); }) {}
  /// Throws StoreProblem.
  void open() {
    try {
      opened_ = std::make_unique<Opened>(file_, vfs_, Opening::old_or_new);
      checkpoints_.watch(opened_->database);
    } catch (const Problem& problem) {
      throw StoreProblem(problem.what());
    }
    ours_ = opened_->ids[0];
    was_open_ = true;
  }
  /// Begins to work, with `first`.
  void start(const std::function<void()>& first) {
    asio::post(context_, first);
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Writer() {
    asio::post(context_, [this] { commit(); });
    work_.reset();
    if (thread_.joinable()) thread_.join();
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Runs f(), which stands for so many calls, on the thread; false if too much waits there.
  template <class F>
  bool call(F f, std::size_t size = 1) {
    if (calls_.fetch_add(size) + size > limits::kStoreQueue) {
      calls_.fetch_sub(size);
      return false;
    }
    asio::post(context_, [this, size, f = std::move(f)]() mutable {
      calls_.fetch_sub(size);
      f();
    });
    return true;
  }
  std::size_t waiting() const { return calls_.load(); }

  DeviceCodes codes;  // on the thread

  void change(Change change) {
    waiting_size_ += change.size;
    changes_.push_back(std::move(change));
    if (waiting_size_ >= limits::kStoreBatch) return commit();
    if (std::exchange(commit_is_posted_, true)) return;
    // Behind all that is posted by now.
    asio::post(context_, [this] {
      commit_is_posted_ = false;
      commit();
    });
  }

  /// Calls f(opened) with everything committed that was asked for before; false if the file cannot
  /// be read now.
  template <class F>
  bool read(F f) {
    commit();
    if (!ready()) return false;
    try {
      f(*opened_);
      return true;
    } catch (const Problem& problem) {
      complain("cannot read " + file_, problem);
      return false;
    }
  }

 private:
  void commit() {
    if (changes_.empty()) return;
    std::vector<Change> changes = std::exchange(changes_, {});
    const std::size_t size = std::exchange(waiting_size_, 0);
    const TimePoint start = now();
    const Kept ended = ready() ? transact(changes) : Kept::refused;
    for (Change& change : changes) {
      if (change.done) change.done(ended == Kept::ok ? change.made : ended);
    }
    if (ended != Kept::ok) return;
    checkpoints_.look(opened_->database);
    if (std::exchange(complained_, false)) spdlog::info("{} can be written again", file_);
    if (tell_commit_) {
      tell_commit_(size, std::chrono::duration_cast<std::chrono::microseconds>(now() - start));
    }
  }

  /// ok: all that were made are durable. refused: nothing has changed. unknown: one of them.
  Kept transact(std::vector<Change>& changes) {
    Database& database = opened_->database;
    bool committing = false;
    try {
      opened_->prepared.begin.run();
      for (Change& change : changes) change.made = change.make(*opened_);
      committing = true;
      opened_->prepared.commit.run();
      // Removed meanwhile, it may hold this commit or not.
      return is_in_place() ? Kept::ok : Kept::unknown;
    } catch (const Problem& problem) {
      complain("cannot write " + file_, problem);
      if ((!committing || writes_failed(problem)) && rolled_back(database)) return Kept::refused;
      // Opening it again finds out what has become of the commit.
      opened_.reset();
      return Kept::unknown;
    }
  }

  /// Whether a commit has surely left nothing behind. The frame that makes it is the last one to be
  /// written, so if writing failed, it is not there; but if it was written and could not be synced,
  /// a later start may find it.
  static bool writes_failed(const Problem& problem) {
    const int kind = problem.code() & 0xff;
    return kind == SQLITE_FULL || kind == SQLITE_READONLY || kind == SQLITE_BUSY ||
           problem.code() == SQLITE_IOERR_WRITE;
  }

  static bool rolled_back(Database& database) {
    try {
      if (database.in_transaction()) database.run("ROLLBACK");
      return true;
    } catch (const Problem&) {
      return false;
    }
  }

  /// Whether the file is open and in its place; else tries to get there, but not all the time.
  bool ready() { return (opened_ || open_again()) && is_in_place(); }

  bool open_again() {
    if (!was_open_ || now() < retry_at_) return false;
    retry_at_ = now() + limits::kStoreRetry;
    try {
      auto opened = std::make_unique<Opened>(file_, vfs_, Opening::old);
      if (opened->ids[0] != ours_) throw StoreProblem("it is another file now; restart the server");
      opened_ = std::move(opened);
      checkpoints_.watch(opened_->database);
      spdlog::info("{} is open again", file_);
      return true;
    } catch (const std::runtime_error& problem) {
      spdlog::error("{} cannot be opened: {}", file_, problem.what());
      return false;
    }
  }

  bool is_in_place() {
    if (opened_->is_in_place()) return true;
    complain(file_ +
             " or its -wal was removed, moved or replaced while the server runs; nothing is "
             "kept until it is back, or the server is restarted");
    return false;
  }

  void complain(const std::string& what, const Problem& problem) {
    complain(what + ": " + problem.what() + " (" + std::to_string(problem.code()) + ")");
  }
  void complain(const std::string& what) {
    if (!std::exchange(complained_, true)) spdlog::error("{}", what);
  }

  const std::string file_;
  const char* const vfs_;
  const TellCommit tell_commit_;
  std::atomic<std::size_t> calls_{0};
  std::unique_ptr<Opened> opened_;  // null after doubts, until it could be opened again
  std::optional<FileId> ours_;
  bool was_open_ = false;
  bool complained_ = false;
  TimePoint retry_at_{};
  std::vector<Change> changes_;
  std::size_t waiting_size_ = 0;  // of changes_
  bool commit_is_posted_ = false;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  sqlite::Checkpoints checkpoints_;
  std::thread thread_;
};

SqliteStore::SqliteStore(const std::string& file, const char* vfs, TellCommit tell_commit,
                         std::size_t threads)
    : writer_(std::make_unique<Writer>(file, vfs, std::move(tell_commit))),
      desks_(threads,
             [this](auto written, auto& thread) { hand_over(std::move(written), thread); }) {
  writer_->open();
  writer_->start([] {});
}

SqliteStore::SqliteStore(const std::string& file, TellCommit tell_commit, std::size_t threads,
                         std::function<void()> look,
                         std::function<void(const std::exception&)> fail)
    : writer_(std::make_unique<Writer>(file, nullptr, std::move(tell_commit))),
      desks_(threads,
             [this](auto written, auto& thread) { hand_over(std::move(written), thread); }) {
  writer_->start([writer = writer_.get(), look = std::move(look), fail = std::move(fail)] {
    try {
      look();
      writer->open();
    } catch (const std::exception& problem) {
      fail(problem);
    }
  });
}

SqliteStore::~SqliteStore() { desks_.clear_all(); }

std::size_t SqliteStore::waiting() const { return writer_->waiting(); }

void SqliteStore::append(const Append& append, asio::io_context& thread,
                         std::function<void(Kept)> done) {
  Written written{append.room, append.from, append.seq, append.epoch, std::move(done)};
  for (const Record& record : append.records) {
    write_log_text(written.text, record);
    written.ends.push_back(written.text.size());
  }
  if (append.entry != nullptr) written.entry.emplace(*append.entry);
  desks_.put(append.room, thread, std::move(written));
}

void SqliteStore::rest(const Rest& rest, asio::io_context& thread, std::function<void(Kept)> done) {
  Written written{rest.room, rest.seq, rest.seq, rest.epoch, std::move(done)};
  written.nap = {rest.note, rest.alarm};
  desks_.put(rest.room, thread, std::move(written));
}

void SqliteStore::hand_over(std::vector<Written> written, asio::io_context& rooms_thread) {
  const auto all = std::make_shared<std::vector<Written>>(std::move(written));
  const auto make = [all](Opened& opened) {
    for (Written& one : *all) one.kept = one.write(opened.prepared);
    return Kept::ok;
  };
  const auto done = [all, &rooms_thread](Kept kept) {
    asio::post(rooms_thread, [all, kept] {
      for (const Written& one : *all) one.done(kept == Kept::ok ? one.kept : kept);
    });
  };
  const std::size_t size = all->size();
  const auto wait = [writer = writer_.get(), make, done, size] {
    writer->change({make, done, size});
  };
  if (!writer_->call(wait, size)) done(Kept::refused);
}

void SqliteStore::load(std::string room, std::function<void(LoadedLog)> done) {
  desks_.clear_beside(room);
  if (!writer_->call([this, room = std::move(room), done] {
        LoadedLog loaded;
        const bool read = writer_->read([&](Opened& opened) {
          try {
            loaded = read_log(opened.prepared.log, room);
            read_entry(opened.prepared.entry, room, loaded);
          } catch (const Problem& problem) {
            // A page of this log is damaged: the others can be read all the same.
            if ((problem.code() & 0xff) != SQLITE_CORRUPT) throw;
            loaded = {LogState::damaged, {}, {}};
          }
        });
        done(read ? std::move(loaded) : LoadedLog{LogState::unavailable, {}, {}});
      })) {
    done({LogState::unavailable, {}, {}});
  }
}

void SqliteStore::erase(std::string room) {
  desks_.clear_beside(room);
  writer_->call([this, room = std::move(room)] {
    writer_->change({[room](Opened& opened) {
                       opened.prepared.erase.bind(1, room).run();
                       opened.prepared.forget_room.bind(1, room).run();
                       opened.prepared.forget_keys.bind(1, room).run();
                       return Kept::ok;
                     },
                     {}});
  });
}

void SqliteStore::ring(std::size_t most, std::function<void(std::optional<Rung>)> done) {
  const auto rung = std::make_shared<Rung>();
  const auto make = [rung, most](Opened& opened) {
    Opened::Prepared& prepared = opened.prepared;
    *rung = {};
    prepared.due.bind(1, static_cast<std::int64_t>(most));
    while (prepared.due.step()) rung->rooms.push_back(prepared.due.bytes(0));
    prepared.due.reset();
    for (const std::string& room : rung->rooms) prepared.wake.bind(1, room).run();
    if (prepared.next_alarm.step() && prepared.next_alarm.number(1) > 0) {
      rung->next = std::chrono::milliseconds(prepared.next_alarm.number(0));
    }
    prepared.next_alarm.reset();
    return Kept::ok;
  };
  const auto told = [rung, done](Kept kept) {
    done(kept == Kept::ok ? std::optional(std::move(*rung)) : std::nullopt);
  };
  if (!writer_->call([this, make, told] { writer_->change({make, told}); })) done(std::nullopt);
}

template <class Found, class Read>
void SqliteStore::look_up(const std::function<void(std::optional<Found>)>& done, Read read) {
  const auto look = [this, read = std::move(read), done] {
    Found found;
    const bool is_read = writer_->read([&](Opened& opened) { read(opened.prepared, found); });
    done(is_read ? std::optional(std::move(found)) : std::nullopt);
  };
  if (!writer_->call(look)) done(std::nullopt);
}

void SqliteStore::rooms(std::function<void(std::optional<KeptRooms>)> done) {
  look_up<KeptRooms>(done, [](Opened::Prepared& prepared, KeptRooms& kept) {
    while (prepared.rooms.step()) kept.in_use.push_back(prepared.rooms.bytes(0));
    prepared.rooms.reset();
    prepared.count_rooms.step();
    kept.asleep = static_cast<std::size_t>(prepared.count_rooms.number(0)) - kept.in_use.size();
    prepared.count_rooms.reset();
  });
}

void SqliteStore::find_rooms(std::string key,
                             std::function<void(std::optional<std::vector<RoomEntry>>)> done) {
  look_up<std::vector<RoomEntry>>(
      done, [key = std::move(key)](Opened::Prepared& prepared, std::vector<RoomEntry>& found) {
        Statement& find = prepared.find_rooms;
        find.bind(1, key).bind(2, static_cast<std::int64_t>(limits::kFoundRooms));
        while (find.step()) {
          RoomEntry bare;
          bare.room = find.bytes(0);
          found.push_back(read_entry_text(find.bytes(1)).value_or(std::move(bare)));
        }
        find.reset();
      });
}

void SqliteStore::sleeping_rooms(
    std::string after, std::function<void(std::optional<std::vector<SleepingRoom>>)> done) {
  look_up<std::vector<SleepingRoom>>(
      done,
      [after = std::move(after)](Opened::Prepared& prepared, std::vector<SleepingRoom>& some) {
        Statement& next = prepared.sleeping;
        next.bind(1, after).bind(2, static_cast<std::int64_t>(limits::kFoundRooms));
        while (next.step()) {
          auto entry = read_entry_text(next.bytes(0));
          const std::chrono::milliseconds since(std::max<std::int64_t>(0, next.number(1)));
          if (entry) some.push_back({*std::move(entry), since});
        }
        next.reset();
      });
}

void SqliteStore::put_player(std::string token_hash, StoredPlayer player,
                             std::function<void(Kept)> done) {
  auto make = [token_hash = std::move(token_hash), player = std::move(player)](Opened& opened) {
    opened.prepared.put_player.bind(1, token_hash).bind(2, player.id).bind(3, player.name).run();
    return Kept::ok;
  };
  if (!writer_->call([this, make = std::move(make), done]() mutable {
        writer_->change({std::move(make), std::move(done)});
      })) {
    done(Kept::refused);
  }
}

void SqliteStore::put_device_code(std::string code_hash, StoredPlayer player,
                                  std::function<void(Kept)> done) {
  const auto put = [this, code_hash = std::move(code_hash), player = std::move(player), done] {
    done(writer_->codes.put(code_hash, player, now()));
  };
  if (!writer_->call(put)) done(Kept::refused);
}

void SqliteStore::take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) {
  const auto take = [this, code_hash = std::move(code_hash), done] {
    done({true, writer_->codes.take(code_hash, now())});
  };
  if (!writer_->call(take)) done({false, std::nullopt});
}

void SqliteStore::give_back_device_code(std::string code_hash) {
  writer_->call([this, code_hash = std::move(code_hash)] { writer_->codes.give_back(code_hash); });
}

void SqliteStore::probe(const std::function<void(Kept)>& done) {
  const auto make = [](Opened& opened) {
    // The number that is there already: written and synced as any commit is.
    opened.database.run(("PRAGMA user_version = " + std::to_string(kDataFormat)).c_str());
    return Kept::ok;
  };
  if (!writer_->call([this, make, done] { writer_->change({make, done}); })) {
    done(Kept::refused);
  }
}

void SqliteStore::unseen_players(const std::string& after,
                                 const std::function<void(UnseenPlayers)>& done) {
  if (!writer_->call([this, after, done] {
        UnseenPlayers unseen;
        const bool read = writer_->read([&](Opened& opened) {
          Statement& some = opened.prepared.some_players;
          some.bind(1, after).bind(2, static_cast<std::int64_t>(limits::kForgetPlayers));
          std::size_t looked_at = 0;
          std::string last;
          for (; some.step(); ++looked_at) {
            last = some.bytes(0);
            if (std::chrono::seconds(some.number(2)) <= limits::kForgetPlayerTime) continue;
            if (some.number(3) != 0) continue;
            unseen.players.push_back({last, some.bytes(1)});
          }
          some.reset();
          if (looked_at == limits::kForgetPlayers) unseen.next = last;
        });
        done(read ? std::move(unseen) : UnseenPlayers{});
      })) {
    done({});
  }
}

void SqliteStore::forget_players(const std::vector<std::string>& token_hashes) {
  writer_->call([this, token_hashes] {
    writer_->change(
        {[token_hashes](Opened& opened) {
           const std::chrono::seconds time = limits::kForgetPlayerTime;
           for (const std::string& token_hash : token_hashes) {
             opened.prepared.forget_player.bind(1, token_hash).bind(2, time.count()).run();
           }
           return Kept::ok;
         },
         {}});
  });
}

void SqliteStore::find_player(std::string token_hash, std::function<void(FoundPlayer)> done) {
  if (!writer_->call([this, token_hash = std::move(token_hash), done] {
        FoundPlayer found;
        bool is_seen = true;
        found.available = writer_->read([&](Opened& opened) {
          Statement& find = opened.prepared.find_player;
          if (find.bind(1, token_hash).step()) {
            found.player = StoredPlayer{find.bytes(0), find.bytes(1)};
            is_seen = std::chrono::seconds(find.number(2)) <= limits::kSeenTime;
          }
          find.reset();
        });
        if (!is_seen) {
          writer_->change({[token_hash](Opened& opened) {
                             opened.prepared.see_player.bind(1, token_hash).run();
                             return Kept::ok;
                           },
                           {}});
        }
        done(std::move(found));
      })) {
    done({false, std::nullopt});
  }
}

// -------------------------------------------------------------------------------------------------

std::string check_store(const std::string& file) {
  try {
    Database database(file, SQLITE_OPEN_READWRITE);
    check_format(database, file);
    const std::string verdict = database.text("PRAGMA integrity_check(1)");
    if (verdict != "ok") {
      throw StoreProblem(file + ": " + verdict +
                         "; `triquetrad repair` saves what can be read, and so does a start");
    }
    Statement rooms(database, "SELECT DISTINCT room FROM event");
    Statement log(database,
                  "SELECT seq, data, chain, unixepoch() - at FROM event WHERE room = ? "
                  "ORDER BY seq");
    std::size_t count = 0;
    std::size_t newer = 0;
    std::string damaged;
    std::string failed;
    std::size_t records = 0;
    while (rooms.step()) {
      const std::string room = rooms.bytes(0);
      const LoadedLog loaded = read_log(log, room);
      if (loaded.state == LogState::damaged) damaged += " " + room;
      const auto* end =
          loaded.records.empty() ? nullptr : std::get_if<RoomClosed>(&loaded.records.back());
      if (end != nullptr && end->why == WhyClosed::failed) failed += " " + room;
      ++count;
      newer += loaded.state == LogState::newer ? 1 : 0;
      records += loaded.records.size();
    }
    if (!damaged.empty()) {
      throw StoreProblem(file + ": the logs of these rooms are not what was written:" + damaged);
    }
    const std::string players = database.text("SELECT count(*) FROM player");
    return file + " is whole: " + std::to_string(count) + " rooms with " + std::to_string(records) +
           " records, " + players + " players" +
           (newer == 0 ? "" : "; " + std::to_string(newer) + " rooms need a newer version") +
           (failed.empty() ? "" : "; rooms that have failed or lost records are closed:" + failed);
  } catch (const Problem& problem) {
    throw StoreProblem(problem.what());
  }
}

}  // namespace triquetra
