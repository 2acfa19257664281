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
#include "server/base/placement.hpp"
#include "server/base/turns.hpp"
#include "server/store/data_folder.hpp"
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
  add_columns(database);
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
          rooms(database, "SELECT room FROM event GROUP BY room ORDER BY min(rowid)"),
          erase(database, "DELETE FROM event WHERE room = ?"),
          erase_end(database, "DELETE FROM event WHERE room = ? AND seq >= ?"),
          put_player(database,
                     "INSERT INTO player (token_hash, id, name, seen) "
                     "VALUES (?, ?, ?, unixepoch()) ON CONFLICT DO UPDATE SET "
                     "id = excluded.id, name = excluded.name, seen = excluded.seen"),
          find_player(database,
                      "SELECT id, name, unixepoch() - seen FROM player WHERE token_hash = ?"),
          see_player(database, "UPDATE player SET seen = unixepoch() WHERE token_hash = ?"),
          some_players(database,
                       "SELECT token_hash, id, unixepoch() - seen FROM player "
                       "WHERE token_hash > ? ORDER BY token_hash LIMIT ?"),
          forget_player(database,
                        "DELETE FROM player WHERE token_hash = ? AND unixepoch() - seen > ?") {}
    Statement begin, commit;
    Statement last, insert, log, rooms, erase, erase_end;
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

/// What is to be appended to one log, as text.
struct Written {
  std::string room;
  std::uint64_t from;
  std::uint64_t seq;
  std::uint64_t epoch;
  std::string text;  // the records, one behind the other
  std::vector<std::size_t> ends;
  std::function<void(Kept)> done;
  Kept kept = Kept::refused;
};

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

Kept append_to_log(Opened::Prepared& prepared, const Written& written, std::uint64_t seq) {
  const std::string& room = written.room;
  std::uint64_t next = 0;
  std::uint64_t last_epoch = 0;
  std::string chain = room;
  prepared.last.bind(1, room);
  if (prepared.last.step()) {
    next = static_cast<std::uint64_t>(prepared.last.number(0)) + 1;
    last_epoch = static_cast<std::uint64_t>(prepared.last.number(1));
    chain = prepared.last.bytes(2);
  }
  prepared.last.reset();
  if (next != seq || written.epoch < last_epoch) return Kept::fenced;
  if (written.from < seq) {
    prepared.erase_end.bind(1, room).bind(2, static_cast<std::int64_t>(written.from)).run();
    return append_to_log(prepared, written, written.from);
  }
  std::size_t begin = 0;
  for (const std::size_t end : written.ends) {
    const auto text = std::string_view(written.text).substr(begin, end - begin);
    chain = chained(chain, next, text);
    prepared.insert.bind(1, room)
        .bind(2, static_cast<std::int64_t>(next))
        .bind(3, static_cast<std::int64_t>(written.epoch))
        .bind(4, text)
        .bind_bytes(5, chain)
        .run();
    begin = end;
    ++next;
  }
  return Kept::ok;
}

}  // namespace

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
    thread_ = std::thread([this] {
      take_short_turns();
      context_.run();
    });
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

struct SqliteStore::Desk {
  asio::io_context* thread = nullptr;
  std::vector<Written> waiting{};
  bool will_hand_over = false;
};

SqliteStore::SqliteStore(const std::string& file, const char* vfs, TellCommit tell_commit,
                         std::size_t threads)
    : writer_(std::make_unique<Writer>(file, vfs, std::move(tell_commit))), desks_(threads) {
  writer_->open();
  writer_->start([] {});
}

SqliteStore::SqliteStore(const std::string& file, TellCommit tell_commit, std::size_t threads,
                         std::function<void()> look,
                         std::function<void(const std::exception&)> fail)
    : writer_(std::make_unique<Writer>(file, nullptr, std::move(tell_commit))), desks_(threads) {
  writer_->start([writer = writer_.get(), look = std::move(look), fail = std::move(fail)] {
    try {
      look();
      writer->open();
    } catch (const std::exception& problem) {
      fail(problem);
    }
  });
}

SqliteStore::~SqliteStore() {
  for (Desk& desk : desks_) hand_over(desk);
}

std::size_t SqliteStore::waiting() const { return writer_->waiting(); }

SqliteStore::Desk& SqliteStore::desk_of(const std::string& room) {
  return desks_[thread_of(room, desks_.size())];
}

void SqliteStore::append(const Append& append, asio::io_context& thread,
                         std::function<void(Kept)> done) {
  Desk& desk = desk_of(append.room);
  desk.thread = &thread;
  Written& written = desk.waiting.emplace_back(
      Written{append.room, append.from, append.seq, append.epoch, {}, {}, std::move(done)});
  for (const Record& record : append.records) {
    write_log_text(written.text, record);
    written.ends.push_back(written.text.size());
  }
  if (desk.waiting.size() >= limits::kStoreBatch) return hand_over(desk);
  if (std::exchange(desk.will_hand_over, true)) return;
  // Behind all that the thread has to do by now: what comes of that goes with it.
  asio::post(thread, [this, &desk] {
    desk.will_hand_over = false;
    hand_over(desk);
  });
}

void SqliteStore::hand_over(Desk& desk) {
  if (desk.waiting.empty()) return;
  const auto all = std::make_shared<std::vector<Written>>(std::exchange(desk.waiting, {}));
  const auto make = [all](Opened& opened) {
    for (Written& one : *all) one.kept = append_to_log(opened.prepared, one, one.seq);
    return Kept::ok;
  };
  const auto done = [all, thread = desk.thread](Kept kept) {
    asio::post(*thread, [all, kept] {
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
  hand_over(desk_of(room));
  if (!writer_->call([this, room = std::move(room), done] {
        LoadedLog loaded;
        const bool read = writer_->read([&](Opened& opened) {
          try {
            loaded = read_log(opened.prepared.log, room);
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

void SqliteStore::rooms(std::function<void(std::optional<std::vector<std::string>>)> done) {
  if (!writer_->call([this, done] {
        std::vector<std::string> codes;
        const bool read = writer_->read([&](Opened& opened) {
          while (opened.prepared.rooms.step()) codes.push_back(opened.prepared.rooms.bytes(0));
          opened.prepared.rooms.reset();
        });
        done(read ? std::optional(std::move(codes)) : std::nullopt);
      })) {
    done(std::nullopt);
  }
}

void SqliteStore::erase(std::string room) {
  hand_over(desk_of(room));
  writer_->call([this, room = std::move(room)] {
    writer_->change({[room](Opened& opened) {
                       opened.prepared.erase.bind(1, room).run();
                       return Kept::ok;
                     },
                     {}});
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
