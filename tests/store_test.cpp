// One suite that every EventStore passes, and what SQLite's has beyond it: it outlives its process,
// knows its own files, and sees what somebody has changed in them.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include "server/base/clock.hpp"
#include "server/base/limits.hpp"
#include "server/store/device_codes.hpp"
#include "server/store/log_codec.hpp"
#include "server/store/memory_store.hpp"
#include "server/store/recovery.hpp"
#include "server/store/sqlite_store.hpp"
#include "tests/seed.hpp"
#include "tests/store_calls.hpp"
#ifdef TRIQUETRA_POSTGRES
#include "server/store/postgres_store.hpp"
#include "tests/postgres_cluster.hpp"
#endif

namespace triquetra {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "triquetra-store-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file() const { return path_ / "test.db"; }

 private:
  fs::path path_;
};

struct InMemory {
  MemoryStore store{room_thread().context()};
};

struct OnDisk {
  Folder folder;
  SqliteStore store{folder.file()};
};

#ifdef TRIQUETRA_POSTGRES
/// A database of its own for each test, in one cluster for all.
struct InPostgres {
  static const Cluster& cluster() {
    static const Cluster one;
    return one;
  }
  static std::string fresh_url() {
    static int made = 0;
    return cluster().make("test" + std::to_string(++made));
  }
  PostgresStore store{{fresh_url()}, {}, [](const std::exception& wrong) { FAIL(wrong.what()); }};
};
#define TRIQUETRA_STORES InMemory, OnDisk, InPostgres
#else
#define TRIQUETRA_STORES InMemory, OnDisk
#endif

/// Changes a store's file behind its back.
void edit(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  sqlite3_busy_timeout(database, 5000);
  REQUIRE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE_TEMPLATE("a log holds what was appended, in order, room by room", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  CHECK(load(store, "BCDFGH").records.empty());
  CHECK(append(store, "BCDFGH", 0, 0, {RoomClosed{}, acted(1)}) == Kept::ok);
  CHECK(append(store, "ZZZZZZ", 0, 0, {acted(9)}) == Kept::ok);
  CHECK(append(store, "BCDFGH", 2, 0, {acted(2, "\"'); DROP TABLE event; --")}) == Kept::ok);
  const LoadedLog log = load(store, "BCDFGH");
  CHECK(log.state == LogState::ok);
  CHECK(texts(log.records) ==
        texts({RoomClosed{}, acted(1), acted(2, "\"'); DROP TABLE event; --")}));
  CHECK(rooms(store) == std::vector<std::string>{"BCDFGH", "ZZZZZZ"});
}

TEST_CASE("rooms are told in the order in which they were made") {
  OnDisk kind;
  for (const char* room : {"ZZZZZZ", "BCDFGH", "MMMMMM"}) {
    REQUIRE(append(kind.store, room, 0, 0, {acted(1)}) == Kept::ok);
  }
  REQUIRE(append(kind.store, "ZZZZZZ", 1, 0, {acted(2)}) == Kept::ok);
  CHECK(rooms(kind.store) == std::vector<std::string>{"ZZZZZZ", "BCDFGH", "MMMMMM"});
}

TEST_CASE_TEMPLATE("whoever comes second, skips or is of an older epoch is fenced", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  REQUIRE(append(store, "BCDFGH", 0, 3, {acted(1)}) == Kept::ok);
  CHECK(append(store, "BCDFGH", 0, 3, {acted(1)}) == Kept::fenced);
  CHECK(append(store, "BCDFGH", 2, 3, {acted(3)}) == Kept::fenced);
  CHECK(append(store, "BCDFGH", 1, 2, {acted(2)}) == Kept::fenced);
  CHECK(append(store, "BCDFGH", 1, 4, {acted(2)}) == Kept::ok);
  CHECK(load(store, "BCDFGH").records.size() == 2);
}

TEST_CASE_TEMPLATE("the end of a log can be rewritten, by whoever knows all of it", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  const auto rewrite = [&](std::uint64_t from, std::uint64_t seq, std::uint64_t epoch,
                           const std::vector<Record>& records) {
    return triquetra::rewrite(store, "BCDFGH", from, seq, epoch, records);
  };
  REQUIRE(append(store, "BCDFGH", 0, 1, {acted(1), acted(2), acted(3), acted(4)}) == Kept::ok);
  REQUIRE(append(store, "ZZZZZZ", 0, 0, {acted(1), acted(2)}) == Kept::ok);
  CHECK(rewrite(2, 3, 1, {acted(9)}) == Kept::fenced);
  CHECK(rewrite(2, 4, 0, {acted(9)}) == Kept::fenced);
  CHECK(load(store, "BCDFGH").records.size() == 4);
  CHECK(rewrite(2, 4, 1, {acted(7)}) == Kept::ok);
  CHECK(texts(load(store, "BCDFGH").records) == texts({acted(1), acted(2), acted(7)}));
  CHECK(append(store, "BCDFGH", 3, 1, {acted(8)}) == Kept::ok);
  CHECK(rewrite(1, 4, 1, {acted(5)}) == Kept::ok);
  CHECK(texts(load(store, "BCDFGH").records) == texts({acted(1), acted(5)}));
  CHECK(load(store, "ZZZZZZ").records.size() == 2);
  // Still made first.
  CHECK(rooms(store) == std::vector<std::string>{"BCDFGH", "ZZZZZZ"});
}

TEST_CASE_TEMPLATE("of many who append at once, one wins each place", Kind, TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  constexpr std::size_t kWriters = 4;
  constexpr std::uint64_t kPlaces = 50;
  std::atomic<std::size_t> won{0};
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&] {
      for (std::uint64_t seq = 0; seq < kPlaces; ++seq) {
        // Whoever is fenced has seen that somebody else had this place.
        if (append(store, "BCDFGH", seq, 0, {acted(static_cast<std::int64_t>(seq))}) == Kept::ok)
          ++won;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(won == kPlaces);
  CHECK(load(store, "BCDFGH").records.size() == kPlaces);
}

TEST_CASE_TEMPLATE("an erased room is gone, and its code can be used again", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  REQUIRE(append(store, "BCDFGH", 0, 0, {acted(1), acted(2)}) == Kept::ok);
  room_thread().run([&] { store.erase("BCDFGH"); });
  CHECK(load(store, "BCDFGH").records.empty());
  CHECK(rooms(store).empty());
  CHECK(append(store, "BCDFGH", 0, 0, {acted(5)}) == Kept::ok);
}

TEST_CASE_TEMPLATE("a room is found by its code, its maker, its players and its open records", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  RoomEntry entry = entry_of("BCDFGH", "ada");
  entry.players = {{"ada", Seat{0}}, {"bob", Seat{2}}};
  entry.open_records = {"match 1", "match 2"};
  entry.invitation.emplace();
  entry.invitation->options.text = "{}";
  REQUIRE(append_with(store, entry, 0, {acted(1)}) == Kept::ok);
  REQUIRE(append_with(store, entry_of("ZZZZZZ", "bob"), 0, {acted(1)}) == Kept::ok);
  CHECK(load(store, "BCDFGH").entry == entry);
  using Codes = std::vector<std::string>;
  for (const char* key : {"BCDFGH", "ada", "match 1", "match 2"}) {
    CAPTURE(key);
    CHECK(found(store, key) == Codes{"BCDFGH"});
  }
  CHECK(found(store, "bob") == Codes{"ZZZZZZ", "BCDFGH"});
  CHECK(found(store, "nobody").empty());
  // An append that is fenced leaves the entry as it was; one that says nothing of it, too.
  RoomEntry later = entry;
  later.players.pop_back();
  later.open_records = {"match 3"};
  CHECK(append_with(store, later, 0, {acted(2)}) == Kept::fenced);
  CHECK(append(store, "BCDFGH", 1, 0, {acted(2)}) == Kept::ok);
  CHECK(load(store, "BCDFGH").entry == entry);
  CHECK(append_with(store, later, 2, {acted(3)}) == Kept::ok);
  CHECK(found(store, "bob") == Codes{"ZZZZZZ"});
  CHECK(found(store, "match 1").empty());
  CHECK(found(store, "match 3") == Codes{"BCDFGH"});
  room_thread().run([&] { store.erase("BCDFGH"); });
  for (const char* key : {"BCDFGH", "ada", "match 3"}) CHECK(found(store, key).empty());
}

TEST_CASE_TEMPLATE("a room that sleeps is no longer in use, until somebody appends or it rings",
                   Kind, TRIQUETRA_STORES) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  Kind kind;
  EventStore& store = kind.store;
  const auto asleep = [&] {
    std::vector<std::string> codes;
    for (const SleepingRoom& one : told<std::vector<SleepingRoom>>(
             [&](const auto& done) { store.sleeping_rooms("", done); })) {
      codes.push_back(one.entry.room);
    }
    return codes;
  };
  for (const char* room : {"ZZZZZZ", "BCDFGH", "MMMMMM"}) {
    REQUIRE(append_with(store, entry_of(room, "ada"), 0, {acted(1)}) == Kept::ok);
  }
  CHECK(load(store, "BCDFGH").in_use);
  // Who has not read all of the log does not put it away.
  CHECK(rest(store, "BCDFGH", 0, "note", hours(1)) == Kept::fenced);
  CHECK(rest(store, "BCDFGH", 1, "note", milliseconds(0)) == Kept::ok);
  CHECK(rest(store, "MMMMMM", 1, "note 2", hours(1)) == Kept::ok);
  using Codes = std::vector<std::string>;
  CHECK(kept_rooms(store).in_use == Codes{"ZZZZZZ"});
  CHECK(kept_rooms(store).asleep == 2);
  CHECK(asleep() == Codes{"BCDFGH", "MMMMMM"});
  LoadedLog log = load(store, "MMMMMM");
  CHECK_FALSE(log.in_use);
  REQUIRE(log.nap);
  CHECK(log.nap->note == "note 2");
  CHECK(log.nap->since >= milliseconds(0));
  // One rings, once, and keeps what it has noted; the other does in an hour.
  const Rung rung = ring(store);
  CHECK(rung.rooms == Codes{"BCDFGH"});
  REQUIRE(rung.next);
  CHECK(*rung.next <= hours(1));
  CHECK(*rung.next > milliseconds(0));
  CHECK(ring(store).rooms.empty());
  CHECK(kept_rooms(store).in_use == Codes{"ZZZZZZ", "BCDFGH"});
  // Whoever comes to the other one.
  CHECK(append_with(store, entry_of("MMMMMM", "ada"), 1, {}) == Kept::ok);
  log = load(store, "MMMMMM");
  CHECK(log.in_use);
  CHECK_FALSE(log.nap);
  CHECK(log.records.size() == 1);
  CHECK(kept_rooms(store).asleep == 0);
  CHECK_FALSE(ring(store).next);
  // What is noted of a log that has gone on is worth nothing.
  REQUIRE(rest(store, "ZZZZZZ", 1, "old", std::nullopt) == Kept::ok);
  REQUIRE(append(store, "ZZZZZZ", 1, 0, {acted(2)}) == Kept::ok);
  CHECK_FALSE(load(store, "ZZZZZZ").nap);
}

TEST_CASE_TEMPLATE("a closed room is not in use, and its alarm never rings", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  RoomEntry entry = entry_of("BCDFGH", "ada");
  REQUIRE(append_with(store, entry, 0, {acted(1)}) == Kept::ok);
  entry.closed = true;
  REQUIRE(append_with(store, entry, 1, {RoomClosed{WhyClosed::admin}}) == Kept::ok);
  CHECK(kept_rooms(store).in_use.empty());
  CHECK(kept_rooms(store).asleep == 1);
  CHECK(ring(store).rooms.empty());
  CHECK(load(store, "BCDFGH").records.size() == 2);
}

TEST_CASE("of many alarms a few ring at a time, the longest due first, also after a restart") {
  using std::chrono::milliseconds;
  Folder folder;
  const auto code = [](int i) { return "R" + std::to_string(100 + i); };
  {
    SqliteStore store(folder.file());
    for (int i = 0; i < 20; ++i) {
      REQUIRE(append_with(store, entry_of(code(i), "ada"), 0, {acted(1)}) == Kept::ok);
      REQUIRE(rest(store, code(i), 1, "", milliseconds(-i)) == Kept::ok);
    }
  }
  SqliteStore store(folder.file());
  CHECK(rooms(store).empty());
  std::vector<std::string> rung;
  for (Rung some = ring(store, 6); !some.rooms.empty(); some = ring(store, 6)) {
    CHECK(some.rooms.size() <= 6);
    CHECK(some.next.has_value() == (rung.size() + some.rooms.size() < 20));
    if (some.next) CHECK(*some.next == milliseconds(0));
    rung.insert(rung.end(), some.rooms.begin(), some.rooms.end());
  }
  CHECK(rung.size() == 20);
  CHECK(std::set<std::string>(rung.begin(), rung.end()).size() == 20);
}

TEST_CASE("data of the first format are read, and all of its rooms count as in use") {
  Folder folder;
  {
    SqliteStore store(folder.file());
    for (const char* room : {"ZZZZZZ", "BCDFGH"}) {
      REQUIRE(append_with(store, entry_of(room, "ada"), 0, {acted(1)}) == Kept::ok);
      REQUIRE(rest(store, room, 1, "", std::nullopt) == Kept::ok);
    }
  }
  edit(folder.file(), "DROP TABLE room; DROP TABLE room_key; PRAGMA user_version = 1");
  CHECK_NOTHROW(check_store(folder.file()));
  SqliteStore store(folder.file());
  CHECK(rooms(store) == std::vector<std::string>{"ZZZZZZ", "BCDFGH"});
  CHECK_FALSE(load(store, "BCDFGH").entry);
  CHECK(load(store, "BCDFGH").in_use);
  CHECK(found(store, "ZZZZZZ") == std::vector<std::string>{"ZZZZZZ"});
  CHECK(found(store, "ada").empty());
  CHECK(append_with(store, entry_of("ZZZZZZ", "ada"), 1, {acted(2)}) == Kept::ok);
  CHECK(found(store, "ada") == std::vector<std::string>{"ZZZZZZ"});
}

TEST_CASE_TEMPLATE("players are found by the hash of their token", Kind, TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  CHECK(!find_player(store, "aa").player);
  CHECK(put_player(store, "aa", {"p1", "Ada"}) == Kept::ok);
  CHECK(put_player(store, "bb", {"p1", "Ada"}) == Kept::ok);
  CHECK(put_player(store, "aa", {"p1", "Ada \"'\xE2\x9C\x93"}) == Kept::ok);
  const FoundPlayer found = find_player(store, "aa");
  REQUIRE(found.player);
  CHECK(found.player->id == "p1");
  CHECK(found.player->name == "Ada \"'\xE2\x9C\x93");
  CHECK(find_player(store, "bb").player->name == "Ada");
  CHECK(find_player(store, "cc").available);
}

TEST_CASE_TEMPLATE("the code of another device works once, also of many who show it at once", Kind,
                   TRIQUETRA_STORES) {
  Kind kind;
  EventStore& store = kind.store;
  const std::string name = "Ada \xE2\x9C\x93";
  CHECK(put_device_code(store, "aa", {"p1", name}) == Kept::ok);
  CHECK(put_device_code(store, "bb", {"p2", name}) == Kept::ok);
  CHECK(!take_device_code(store, "cc").player);
  std::vector<std::promise<FoundPlayer>> answers(20);
  for (auto& answer : answers) {
    store.take_device_code("aa", [&answer](const FoundPlayer& found) { answer.set_value(found); });
  }
  std::vector<StoredPlayer> got;
  for (auto& answer : answers) {
    const FoundPlayer found = answer.get_future().get();
    CHECK(found.available);
    if (found.player) got.push_back(*found.player);
  }
  REQUIRE(got.size() == 1);
  CHECK(got.front().id == "p1");
  CHECK(got.front().name == name);
  store.give_back_device_code("aa");
  CHECK(take_device_code(store, "aa").player);
  CHECK(!take_device_code(store, "aa").player);

  // The newest of a player is the one that counts.
  CHECK(put_device_code(store, "dd", {"p2", name}) == Kept::ok);
  CHECK(!take_device_code(store, "bb").player);
  CHECK(take_device_code(store, "dd").player->id == "p2");
  CHECK(put_device_code(store, "ee", {"p2", name}) == Kept::ok);
  CHECK(take_device_code(store, "ee").player);
}

TEST_CASE("codes of devices lapse, and no more wait than may") {
  DeviceCodes codes;
  const TimePoint start = now();
  CHECK(codes.put("a", {"ada", "Ada"}, start) == Kept::ok);
  CHECK(codes.put("b", {"bob", "Bob"}, start) == Kept::ok);
  CHECK(codes.take("a", start + limits::kDeviceCodeTime)->id == "ada");
  CHECK(!codes.take("b", start + limits::kDeviceCodeTime + std::chrono::milliseconds(1)));
  // Another's code is nobody else's, and the first stays as it was.
  CHECK(codes.put("b", {"eve", "Eve"}, start) == Kept::refused);
  CHECK(codes.take("b", start)->id == "bob");
  for (std::size_t i = 2; i < limits::kDeviceCodes; ++i) {
    REQUIRE(codes.put("code" + std::to_string(i), {"player" + std::to_string(i), ""}, start) ==
            Kept::ok);
  }
  CHECK(codes.put("c", {"cid", "Cid"}, start) == Kept::refused);
  CHECK(codes.put("d", {"ada", "Ada"}, start) == Kept::ok);
  const TimePoint later = start + 2 * limits::kDeviceCodeTime;
  CHECK(codes.put("c", {"cid", "Cid"}, later) == Kept::ok);
  CHECK(codes.take("c", later)->id == "cid");
}

TEST_CASE("who was not seen for long is forgotten in pieces, but not who comes back meanwhile") {
  Folder folder;
  const auto unseen = [](EventStore& store, const std::string& after) {
    std::promise<UnseenPlayers> told;
    store.unseen_players(after, [&](UnseenPlayers some) { told.set_value(std::move(some)); });
    return told.get_future().get();
  };
  {
    SqliteStore store(folder.file());
    for (const char* hash : {"aa", "bb", "cc"})
      REQUIRE(put_player(store, hash, {hash, "A"}) == Kept::ok);
  }
  // As a version without the date has left it: whom it has kept counts as seen now.
  edit(folder.file(), "ALTER TABLE player DROP COLUMN seen");
  { CHECK(unseen(*std::make_unique<SqliteStore>(folder.file()), "").players.empty()); }
  const std::string days = std::to_string(
      std::chrono::seconds(limits::kForgetPlayerTime + std::chrono::hours(1)).count());
  edit(folder.file(), "UPDATE player SET seen = seen - " + days + " WHERE token_hash < 'cc'");
  // And many who never came back.
  edit(folder.file(),
       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) "
       "INSERT INTO player (token_hash, id, name, seen) SELECT printf('d%05d', i), 'd', 'D', 0 "
       "FROM n");
  SqliteStore store(folder.file());
  std::size_t pieces = 0;
  std::vector<std::string> hashes;
  std::string after;
  do {
    const UnseenPlayers some = unseen(store, after);
    CHECK(some.players.size() <= limits::kForgetPlayers);
    for (const auto& one : some.players) hashes.push_back(one.token_hash);
    after = some.next;
  } while (++pieces < 10 && !after.empty());
  CHECK(pieces == 3);
  CHECK(hashes.size() == 1202);
  CHECK(find_player(store, "bb").player);
  hashes.emplace_back("cc");
  // Who sits somewhere by now stays, and is not told of again.
  RoomEntry entry = entry_of("BCDFGH", "aa");
  REQUIRE(append_with(store, entry, 0, {acted(1)}) == Kept::ok);
  store.forget_players(hashes);
  CHECK(find_player(store, "aa").player);
  // By then it is marked that somebody has asked for the player.
  REQUIRE(append(store, "ZZZZZZ", 0, 0, {acted(1)}) == Kept::ok);
  edit(folder.file(), "UPDATE player SET seen = 0 WHERE token_hash = 'aa'");
  CHECK(unseen(store, "").players.empty());
  entry.maker = "somebody else";
  REQUIRE(append_with(store, entry, 1, {}) == Kept::ok);
  CHECK(unseen(store, "").players.size() == 1);
  store.forget_players({"aa"});
  CHECK(!find_player(store, "aa").player);
  CHECK(find_player(store, "bb").player->id == "bb");
  CHECK(find_player(store, "cc").player);
  CHECK(!find_player(store, "d01200").player);
  CHECK(unseen(store, "").players.empty());
}

TEST_CASE("what was kept is there after the process") {
  Folder folder;
  {
    SqliteStore store(folder.file());
    REQUIRE(append(store, "BCDFGH", 0, 0, {acted(1), acted(2)}) == Kept::ok);
    REQUIRE(put_player(store, "aa", {"p1", "Ada"}) == Kept::ok);
  }
  SqliteStore store(folder.file());
  CHECK(texts(load(store, "BCDFGH").records) == texts({acted(1), acted(2)}));
  CHECK(find_player(store, "aa").player->name == "Ada");
  CHECK(append(store, "BCDFGH", 1, 0, {acted(2)}) == Kept::fenced);
  CHECK(append(store, "BCDFGH", 2, 0, {acted(3)}) == Kept::ok);
  CHECK(check_store(folder.file()).find("1 rooms with 3 records, 1 players") != std::string::npos);
}

TEST_CASE("appends that wait are committed together") {
  Folder folder;
  std::atomic<std::size_t> commits{0};
  constexpr std::size_t kRooms = 2000;
  {
    SqliteStore store(folder.file(), nullptr,
                      [&](std::size_t, std::chrono::microseconds) { ++commits; });
    std::atomic<std::size_t> kept{0};
    std::promise<void> all;
    // Who reads holds the writer until the others wait.
    std::promise<void> lined_up;
    store.load("R", [&](const LoadedLog&) { lined_up.get_future().wait(); });
    room_thread().run([&] {
      const std::vector<Record> records{acted(1)};
      for (std::size_t i = 0; i < kRooms; ++i) {
        const std::string room = "R" + std::to_string(i);
        store.append({room, 0, 0, 0, records}, room_thread().context(), [&](Kept result) {
          CHECK(result == Kept::ok);
          if (++kept == kRooms) all.set_value();
        });
      }
    });
    lined_up.set_value();
    all.get_future().wait();
  }
  CHECK(commits <= 1 + (kRooms + limits::kStoreBatch - 1) / limits::kStoreBatch);
}

TEST_CASE("a change in a log is seen") {
  for (const char* sql :
       {"UPDATE event SET data = replace(data, 'take', 'keep') WHERE seq = 1",
        "DELETE FROM event WHERE seq = 1", "UPDATE event SET seq = seq + 1 WHERE seq = 2",
        "UPDATE event SET chain = x'00' WHERE seq = 2"}) {
    CAPTURE(sql);
    Folder folder;
    {
      SqliteStore store(folder.file());
      REQUIRE(append(store, "BCDFGH", 0, 0, {acted(1), acted(2), acted(3)}) == Kept::ok);
      REQUIRE(append(store, "ZZZZZZ", 0, 0, {acted(1)}) == Kept::ok);
    }
    CHECK_NOTHROW(check_store(folder.file()));
    edit(folder.file(), sql);
    SqliteStore store(folder.file());
    CHECK(load(store, "BCDFGH").state == LogState::damaged);
    CHECK(load(store, "ZZZZZZ").state == LogState::ok);
    CHECK_THROWS_AS(check_store(folder.file()), StoreProblem);
  }
}

TEST_CASE("what is written to a file that is no longer there is not called kept") {
  for (const std::string gone : {"the file", "its log", "the folder"}) {
    CAPTURE(gone);
    Folder folder;
    SqliteStore store(folder.file());
    REQUIRE(append(store, "BCDFGH", 0, 0, {acted(1)}) == Kept::ok);
    const std::string moved = gone == "the file"  ? folder.file()
                              : gone == "its log" ? folder.file() + "-wal"
                                                  : "";
    if (moved.empty()) {
      fs::remove_all(fs::path(folder.file()).parent_path());
    } else {
      fs::rename(moved, moved + "-moved");
    }
    CHECK(append(store, "BCDFGH", 1, 0, {acted(2)}) == Kept::refused);
    CHECK(put_player(store, "aa", {"p1", "Ada"}) == Kept::refused);
    CHECK(load(store, "BCDFGH").state == LogState::unavailable);
    if (moved.empty()) continue;
    fs::rename(moved + "-moved", moved);
    CHECK(append(store, "BCDFGH", 1, 0, {acted(2)}) == Kept::ok);
    CHECK(texts(load(store, "BCDFGH").records) == texts({acted(1), acted(2)}));
  }
}

TEST_CASE("another file in the place of ours gets nothing") {
  Folder folder;
  SqliteStore store(folder.file());
  REQUIRE(append(store, "BCDFGH", 0, 0, {acted(1)}) == Kept::ok);
  fs::rename(folder.file(), folder.file() + "-moved");
  fs::copy_file(folder.file() + "-moved", folder.file());
  CHECK(append(store, "BCDFGH", 1, 0, {acted(2)}) == Kept::refused);
}

TEST_CASE("a file has one server, and backups meanwhile") {
  Folder folder;
  {
    SqliteStore store(folder.file());
    REQUIRE(append(store, "BCDFGH", 0, 0, {acted(1)}) == Kept::ok);
    CHECK_THROWS_WITH_AS(SqliteStore{folder.file()}, doctest::Contains("another server"),
                         StoreProblem);
    CHECK_NOTHROW(check_store(folder.file()));
    CHECK(append(store, "BCDFGH", 1, 0, {acted(2)}) == Kept::ok);
    CHECK_THROWS_AS(SqliteStore{folder.file()}, StoreProblem);
  }
  CHECK_NOTHROW(SqliteStore{folder.file()});
}

/// A store of many rooms, some with records that go over several pages, and what each log holds.
/// Every record has its room and place in it, many times over if it is long.
class ManyRooms {
 public:
  explicit ManyRooms(Rng& rng) {
    SqliteStore store(folder_.file());
    constexpr std::uint32_t kRooms = 300;
    for (std::uint32_t i = 0; i < kRooms; ++i) {
      const std::string hash = std::to_string(1'000'000 + i);
      REQUIRE(put_player(store, std::string(64 - hash.size(), 'a') + hash, {hash, "Ada"}) ==
              Kept::ok);
    }
    std::vector<std::string> codes;
    for (std::uint32_t i = 0; i < kRooms; ++i) codes.push_back("R" + std::to_string(1000 + i));
    // In rounds, as rooms play side by side: what is written together stands together.
    for (int round = 0; round < 12; ++round) {
      std::vector<std::future<Kept>> all;
      for (const std::string& code : codes) {
        if (rng.below(3) == 0) continue;
        auto& log = logs[code];
        std::string mark;
        const std::uint32_t times = rng.below(150) == 0 ? 1500 : 1;
        for (std::uint32_t i = 0; i < times; ++i) mark += place(code, log.size());
        auto kept = std::make_shared<std::promise<Kept>>();
        all.push_back(kept->get_future());
        const std::vector<Record> records = {acted(1, mark)};
        log.push_back(log_text(records.front()));
        room_thread().run([&] {
          store.append({code, log.size() - 1, log.size() - 1, 0, records}, room_thread().context(),
                       [kept](Kept result) { kept->set_value(result); });
        });
      }
      for (auto& kept : all) REQUIRE(kept.get() == Kept::ok);
    }
    // As a kill leaves it: with what is not yet in the file.
    for (const char* end : {"", "-wal"}) copy_to(folder_.file(), folder_.file() + "-killed", end);
  }
  static std::string place(const std::string& room, std::size_t seq) {
    return "<" + room + "/" + std::to_string(seq) + ">";
  }
  static void copy_to(const std::string& from, const std::string& to, const std::string& end) {
    fs::copy_file(from + end, to + end, fs::copy_options::overwrite_existing);
  }
  std::string closed() const { return folder_.file(); }
  std::string killed() const { return folder_.file() + "-killed"; }

  std::map<std::string, std::vector<std::string>> logs;

 private:
  Folder folder_;
};

constexpr std::size_t kPage = 4096;

/// So many appends of a hundred kilobytes, a room after the other.
void append_much(EventStore& store, std::size_t times) {
  const std::vector<Record> records = {acted(1, std::string(100'000, 'x'))};
  for (std::size_t i = 0; i < times; ++i) {
    REQUIRE(append(store, "R" + std::to_string(i), 0, 0, records) == Kept::ok);
  }
}

TEST_CASE("the write-ahead log goes into the file beside the commits, and does not grow for ever") {
  constexpr std::size_t kLogBytes = limits::kCheckpointPages * kPage;
  constexpr std::size_t kTimes = 4 * kLogBytes / 100'000;
  Folder folder;
  {
    SqliteStore store(folder.file());
    append_much(store, kTimes);
    CHECK(fs::file_size(folder.file()) > 2 * kLogBytes);
    CHECK(fs::file_size(folder.file() + "-wal") < 3 * kLogBytes);
    // A kill now.
    for (const char* end : {"", "-wal"}) {
      ManyRooms::copy_to(folder.file(), folder.file() + "-killed", end);
    }
  }
  for (const std::string& file : {folder.file(), folder.file() + "-killed"}) {
    check_store(file);
    SqliteStore store(file);
    for (std::size_t i = 0; i < kTimes; ++i) {
      REQUIRE(load(store, "R" + std::to_string(i)).records.size() == 1);
    }
  }
}

TEST_CASE("who reads the file holds its log back, and no commit") {
  constexpr std::size_t kLogBytes = limits::kCheckpointPages * kPage;
  constexpr std::size_t kTimes = 3 * kLogBytes / 100'000;
  Folder folder;
  SqliteStore store(folder.file());
  REQUIRE(append(store, "FIRST", 0, 0, {acted(1, "1")}) == Kept::ok);
  sqlite3* reader = nullptr;
  REQUIRE(sqlite3_open(folder.file().c_str(), &reader) == SQLITE_OK);
  REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM event", nullptr, nullptr, nullptr) ==
          SQLITE_OK);
  append_much(store, kTimes);
  CHECK(fs::file_size(folder.file()) < kLogBytes);
  CHECK(fs::file_size(folder.file() + "-wal") > 2 * kLogBytes);
  sqlite3_close(reader);
  for (std::size_t seq = 1; fs::file_size(folder.file()) < 2 * kLogBytes; ++seq) {
    REQUIRE(seq < 5000);
    REQUIRE(append(store, "FIRST", seq, 0,
                   {acted(static_cast<std::int64_t>(seq) + 1, std::string(9000, 'y'))}) ==
            Kept::ok);
  }
}

std::string read_page(const std::string& file, std::size_t page) {
  std::string bytes(kPage, '\0');
  std::ifstream(file, std::ios::binary)
      .seekg(static_cast<std::streamoff>(page * kPage))
      .read(bytes.data(), kPage);
  return bytes;
}

/// What a disk may leave in the place of a page.
std::string something_else(Rng& rng, const std::string& file, std::size_t pages) {
  std::string bytes(kPage, '\0');
  switch (rng.below(3)) {
    case 0:
      break;
    case 1:
      bytes = read_page(file, rng.below(static_cast<std::uint32_t>(pages)));
      break;
    default:
      for (char& c : bytes) c = static_cast<char>(rng.below(256));
  }
  return bytes;
}

TEST_CASE("one page overwritten costs the rooms that stood on it, and no others") {
  Rng rng(tests::seed_number(tests::take_seed()));
  ManyRooms many(rng);
  const std::size_t pages = fs::file_size(many.closed()) / kPage;
  REQUIRE(pages > 100);
  std::vector<std::size_t> chosen = {0, 1, 2, 3, 4, 5};
  while (chosen.size() < 24) chosen.push_back(rng.below(static_cast<std::uint32_t>(pages)));
  std::size_t recoveries = 0;
  for (const std::size_t page : chosen) {
    const bool is_killed = rng.below(4) == 0;
    CAPTURE(page);
    CAPTURE(is_killed);
    Folder folder;
    const std::string from = is_killed ? many.killed() : many.closed();
    ManyRooms::copy_to(from, folder.file(), "");
    if (is_killed) ManyRooms::copy_to(from, folder.file(), "-wal");
    if (page * kPage >= fs::file_size(folder.file())) continue;
    const std::string before = read_page(folder.file(), page);
    const std::string after = something_else(rng, folder.file(), fs::file_size(from) / kPage);
    std::fstream(folder.file(), std::ios::binary | std::ios::in | std::ios::out)
        .seekp(static_cast<std::streamoff>(page * kPage))
        .write(after.data(), kPage);
    const auto recovered = recover_if_damaged(folder.file());
    if (recovered) ++recoveries;
    CHECK(!recover_if_damaged(folder.file()));
    SqliteStore store(folder.file());
    std::size_t hurt = 0;
    for (const auto& [room, log] : many.logs) {
      CAPTURE(room);
      bool may_be_hurt = false;
      for (std::size_t seq = 0; seq < log.size(); ++seq) {
        const auto stood_on = [place = ManyRooms::place(room, seq)](const std::string& bytes) {
          return bytes.find(place) != std::string::npos;
        };
        // Of a record that takes several pages, another one of them is no better.
        const bool is_other = log[seq].size() > kPage && after != before;
        may_be_hurt |= stood_on(before) && (is_other || !stood_on(after));
      }
      const LoadedLog loaded = load(store, room);
      if (loaded.state == LogState::ok && texts(loaded.records) == log) {
        // What the write-ahead log holds is not lost with the page.
        CHECK((is_killed || !may_be_hurt));
        continue;
      }
      CHECK(may_be_hurt);
      ++hurt;
      if (loaded.state == LogState::damaged) continue;
      REQUIRE(recovered);
      const auto& named = recovered->hurt;
      CHECK(std::find(named.begin(), named.end(), room) != named.end());
      REQUIRE(!loaded.records.empty());
      CHECK(std::holds_alternative<RoomClosed>(loaded.records.back()));
      for (std::size_t seq = 0; seq + 1 < loaded.records.size(); ++seq) {
        CHECK(log_text(loaded.records[seq]) == log[seq]);
      }
    }
    if (recovered) {
      CHECK(recovered->hurt.size() == hurt);
      CHECK(recovered->rooms == many.logs.size());
      CHECK(fs::exists(recovered->kept));
      CHECK(rooms(store).size() == many.logs.size());
      CHECK_NOTHROW(check_store(folder.file()));
      if (hurt != 0) CHECK(recovered->players == 300);
    }
    CHECK(append(store, "NEWONE", 0, 0, {acted(1)}) == Kept::ok);
  }
  CHECK(recoveries > 0);
}

TEST_CASE("a log that became shorter is recovered as it is, not as it was") {
  Folder folder;
  const auto code = [](int i) { return "R" + std::to_string(1000 + i); };
  constexpr int kRooms = 20;
  {
    SqliteStore store(folder.file());
    const std::vector<Record> detours(200, acted(7));
    for (int i = 0; i < kRooms; ++i) {
      REQUIRE(append(store, code(i), 0, 0, {acted(1), acted(2)}) == Kept::ok);
      REQUIRE(append(store, code(i), 2, 0, detours) == Kept::ok);
    }
    for (int i = 0; i < kRooms; ++i) {
      REQUIRE(rewrite(store, code(i), 2, 202, 0, {acted(3)}) == Kept::ok);
      REQUIRE(append(store, code(i), 3, 0, {acted(4)}) == Kept::ok);
    }
  }
  std::fstream(folder.file(), std::ios::binary | std::ios::in | std::ios::out)
      .write(std::string(kPage, 'x').data(), kPage);
  const auto recovered = recover_if_damaged(folder.file());
  REQUIRE(recovered);
  CHECK(recovered->hurt.empty());
  SqliteStore store(folder.file());
  for (int i = 0; i < kRooms; ++i) {
    CHECK(texts(load(store, code(i)).records) == texts({acted(1), acted(2), acted(3), acted(4)}));
  }
}

TEST_CASE("what is not ours is not made anew, and neither is what a server uses") {
  Folder folder;
  std::ofstream(folder.file()) << "not a database at all, but a text that somebody keeps here";
  CHECK_THROWS_AS(recover_if_damaged(folder.file()), StoreProblem);
  fs::remove(folder.file());
  CHECK(!recover_if_damaged(folder.file()));
  edit(folder.file(), "CREATE TABLE somebody_elses (a)");
  CHECK(!recover_if_damaged(folder.file()));
  fs::remove(folder.file());
  SqliteStore store(folder.file());
  CHECK_THROWS_WITH_AS(recover_if_damaged(folder.file()), doctest::Contains("another server"),
                       StoreProblem);
}

TEST_CASE("foreign files, later formats and missing folders are refused by name") {
  Folder folder;
  CHECK_THROWS_AS(SqliteStore(folder.file() + "/nowhere/test.db"), StoreProblem);
  std::ofstream(folder.file()) << "not a database at all, but a text that somebody keeps here";
  CHECK_THROWS_AS(SqliteStore{folder.file()}, StoreProblem);
  std::ofstream(folder.file(), std::ios::trunc).close();
  edit(folder.file(), "CREATE TABLE somebody_elses (a)");
  CHECK_THROWS_AS(SqliteStore{folder.file()}, StoreProblem);
  fs::remove(folder.file());
  { SqliteStore store(folder.file()); }
  edit(folder.file(), "PRAGMA user_version = 3");
  CHECK_THROWS_AS(SqliteStore{folder.file()}, StoreProblem);
  CHECK_THROWS_AS(check_store(folder.file()), StoreProblem);
}

TEST_CASE("a record of a later version is not read, and not lost") {
  const std::string text = log_text(acted(1));
  CHECK(log_text(read_log_text(text)) == text);
  CHECK_THROWS_AS(read_log_text(R"({"record":"painted","seat":1})"), Malformed);
  CHECK_THROWS_AS(read_log_text(text.substr(0, text.size() - 1) + R"(,"mood":1})"), Malformed);
  CHECK_THROWS_AS(read_log_text("[]"), Malformed);
  CHECK_THROWS_AS(read_log_text(R"({"seat":1})"), Malformed);
}

}  // namespace triquetra
