// What the store in PostgreSQL must hold beyond what every store does: whatever becomes of the
// database in the middle of an append, nothing that was called ok is lost, nothing is there twice,
// and nothing that was refused is there after all.
#include "server/store/postgres_store.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <thread>

#include "server/ops/config.hpp"
#include "server/store/data_folder.hpp"
#include "server/store/move.hpp"
#include "server/store/sqlite.hpp"
#include "server/store/sqlite_store.hpp"
#include "tests/postgres_cluster.hpp"
#include "tests/store_calls.hpp"

namespace triquetra {
namespace {

using std::chrono::milliseconds;

Cluster& cluster() {
  static Cluster one;
  return one;
}

/// A folder of a test's own, gone with it.
struct Folder {
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()))) {}
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

std::string fresh_database() {
  static int made = 0;
  return "test" + std::to_string(++made);
}

/// The store of a server that must start, and has.
std::unique_ptr<PostgresStore> store_at(const std::string& url,
                                        milliseconds patience = milliseconds(5000)) {
  auto store =
      std::make_unique<PostgresStore>(PostgresStore::Options{url, 1, patience}, nullptr,
                                      [](const std::exception& wrong) { FAIL(wrong.what()); });
  rooms(*store);
  return store;
}

/// Why a server does not start.
std::string refusal_at(const std::string& url) {
  std::promise<std::string> told;
  const PostgresStore store({url, 1, milliseconds(5000), milliseconds(0)}, nullptr,
                            [&](const std::exception& wrong) { told.set_value(wrong.what()); });
  return told.get_future().get();
}

/// As a room does it: asks until somebody can tell.
LoadedLog load_at_last(EventStore& store, const std::string& room) {
  LoadedLog log = load(store, room);
  while (log.state == LogState::unavailable) {
    std::this_thread::sleep_for(limits::kStoreRetry);
    log = load(store, room);
  }
  return log;
}

/// A room that appends one record after the other, finds out what has become of each, and keeps
/// what it was told.
class Writer {
 public:
  Writer(EventStore& store, std::string room) : store_(store), room_(std::move(room)) {}

  void append_next() {
    const Record next = acted(++made_);
    const Kept kept = append(store_, room_, acked.size(), 0, {next});
    if (kept == Kept::ok) {
      acked.push_back(log_text(next));
      ++appended;
      return;
    }
    if (kept == Kept::refused) return std::this_thread::sleep_for(limits::kStoreRetry);
    REQUIRE(kept == Kept::unknown);
    ++unknown;
    const auto log = texts(load_at_last(store_, room_).records);
    const bool is_there = log.size() == acked.size() + 1 && log.back() == log_text(next);
    CHECK((is_there || log.size() == acked.size()));
    if (is_there) acked.push_back(log_text(next));
  }
  void check() const { CHECK(texts(load_at_last(store_, room_).records) == acked); }

  std::vector<std::string> acked;
  int unknown = 0;
  std::atomic<int> appended{0};

 private:
  EventStore& store_;
  const std::string room_;
  std::int64_t made_ = 0;
};

/// Runs f() while `writers` append; they end after it.
template <class F>
void while_writing(std::deque<Writer>& writers, const F& f) {
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (Writer& writer : writers) {
    threads.emplace_back([&] {
      while (!is_over) writer.append_next();
      for (int i = 0; i < 3; ++i) writer.append_next();
    });
  }
  f();
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

std::deque<Writer> writers_at(EventStore& store) {
  std::deque<Writer> writers;
  for (const char* room : {"BCDFGH", "MMMMMM", "ZZZZZZ", "QQQQQQ"})
    writers.emplace_back(store, room);
  return writers;
}

/// Waits until each of them has appended so much more.
void let_append(const std::deque<Writer>& writers, int more) {
  for (const Writer& writer : writers) {
    const int before = writer.appended;
    while (writer.appended < before + more) std::this_thread::sleep_for(milliseconds(5));
  }
}

int unknown_of(const std::deque<Writer>& writers) {
  int all = 0;
  for (const Writer& writer : writers) all += writer.unknown;
  return all;
}

}  // namespace

TEST_CASE("a database that is killed in the middle of appends loses and doubles nothing") {
  const auto store = store_at(cluster().make(fresh_database()));
  std::deque<Writer> writers = writers_at(*store);
  while_writing(writers, [&] {
    for (int i = 0; i < 3; ++i) {
      let_append(writers, 8);
      cluster().kill();
      cluster().start();
    }
  });
  for (const Writer& writer : writers) writer.check();
  MESSAGE(unknown_of(writers), " appends of unknown end were read back");
}

TEST_CASE("a frozen database makes an append unknown, and the log tells what became of it") {
  const auto store = store_at(cluster().make(fresh_database()), milliseconds(500));
  std::deque<Writer> writers = writers_at(*store);
  while_writing(writers, [&] {
    let_append(writers, 4);
    cluster().signal_all(SIGSTOP);
    std::this_thread::sleep_for(milliseconds(1500));
    cluster().signal_all(SIGCONT);
  });
  for (const Writer& writer : writers) writer.check();
  CHECK(unknown_of(writers) > 0);
}

TEST_CASE("who cancels the wait for a standby does not make an append ok") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database), milliseconds(3000));
  const std::vector<Record> first = {acted(1)};
  const std::vector<Record> second = {acted(2)};
  REQUIRE(append(*store, "BCDFGH", 0, 0, first) == Kept::ok);
  const auto set = [&](const std::string& standby) {
    cluster().sql(database, "ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'");
    cluster().sql(database, "SELECT pg_reload_conf()");
    // Whoever begins now has read it.
    cluster().sql(database, "SELECT pg_sleep(0.2)");
  };
  set("nobody");
  for (const char* end : {"pg_cancel_backend", "pg_terminate_backend"}) {
    CAPTURE(end);
    std::promise<Kept> kept;
    const std::uint64_t seq = load(*store, "BCDFGH").records.size();
    room_thread().run([&] {
      store->append({"BCDFGH", seq, seq, 0, second}, room_thread().context(),
                    [&](Kept result) { kept.set_value(result); });
    });
    // In a session that need not wait itself, since it changes nothing.
    while (cluster()
               .sql(database, "SELECT " + std::string(end) +
                                  "(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
               .empty()) {
      std::this_thread::sleep_for(milliseconds(20));
    }
    CHECK(kept.get_future().get() == Kept::unknown);
    // It is in the primary, but on no standby: nobody is told of it yet.
    CHECK(load(*store, "BCDFGH").state == LogState::unavailable);
    set("");
    CHECK(load_at_last(*store, "BCDFGH").records.size() == seq + 1);
    set("nobody");
  }
  set("");
}

TEST_CASE("an append that comes late is not there when the log was read before") {
  // Whose wait for a standby goes on although the server has given it up.
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database), milliseconds(500));
  REQUIRE(append(*store, "BCDFGH", 0, 0, {acted(1)}) == Kept::ok);
  cluster().sql(database, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  cluster().sql(database, "SELECT pg_reload_conf()");
  cluster().sql(database, "SELECT pg_sleep(0.2)");
  CHECK(append(*store, "BCDFGH", 1, 0, {acted(2)}) == Kept::unknown);
  std::this_thread::sleep_for(milliseconds(1000));
  CHECK(load(*store, "BCDFGH").state == LogState::unavailable);
  CHECK(append(*store, "ZZZZZZ", 0, 0, {acted(1)}) == Kept::refused);
  cluster().sql(database, "ALTER SYSTEM SET synchronous_standby_names = ''");
  cluster().sql(database, "SELECT pg_reload_conf()");
  CHECK(texts(load_at_last(*store, "BCDFGH").records) == texts({acted(1), acted(2)}));
  CHECK(load(*store, "ZZZZZZ").records.empty());
}

TEST_CASE("an idle store finds out by itself that its database was restarted") {
  const auto store = store_at(cluster().make(fresh_database()));
  REQUIRE(append(*store, "BCDFGH", 0, 0, {acted(1)}) == Kept::ok);
  cluster().kill();
  cluster().start();
  Kept kept = append(*store, "BCDFGH", 1, 0, {acted(2)});
  while (kept == Kept::refused) {
    std::this_thread::sleep_for(limits::kStoreRetry);
    kept = append(*store, "BCDFGH", 1, 0, {acted(2)});
  }
  CHECK(kept == Kept::ok);
  CHECK(load(*store, "BCDFGH").records.size() == 2);
}

TEST_CASE("of two who write the same place, one wins") {
  // A server that does not know that it is none any more, beside ours.
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  auto other = std::async(std::launch::async, [&] {
    cluster().sql(database,
                  "DO $$ BEGIN FOR n IN 0..199 LOOP INSERT INTO triquetra.event "
                  "(room, seq, epoch, start, total, data, chain) "
                  "VALUES ('BCDFGH', n, 0, n, n + 1, '', '') ON CONFLICT DO NOTHING; COMMIT; "
                  "END LOOP; END $$");
  });
  int won = 0;
  for (std::uint64_t seq = 0; seq < 200; ++seq) {
    won += append(*store, "BCDFGH", seq, 0, {acted(1)}) == Kept::ok ? 1 : 0;
  }
  other.get();
  const auto count = [&](const std::string& which) {
    return cluster().sql(database, "SELECT count(*) FROM triquetra.event WHERE " + which);
  };
  CHECK(count("data <> ''") == std::to_string(won) + "\n");
  CHECK(count("true") == "200\n");
  MESSAGE(won, " of 200 places were ours");
}

TEST_CASE("a database that does not fence is refused at the start") {
  const std::string database = fresh_database();
  const std::string url = cluster().make(database);
  { store_at(url); }
  cluster().sql(database, "ALTER TABLE triquetra.event DROP CONSTRAINT event_pkey");
  CHECK(refusal_at(url).find("two writers have the same place") != std::string::npos);
}

TEST_CASE("a database has one server at a time, and is made once") {
  const std::string url = cluster().make(fresh_database());
  {
    const auto store = store_at(url);
    REQUIRE(append(*store, "BCDFGH", 0, 0, {acted(1), acted(2)}) == Kept::ok);
    REQUIRE(put_player(*store, "aa", {"p1", "Ada"}) == Kept::ok);
    CHECK(refusal_at(url).find("another server") != std::string::npos);
    CHECK(append(*store, "BCDFGH", 2, 0, {acted(3)}) == Kept::ok);
  }
  const auto store = store_at(url);
  CHECK(texts(load(*store, "BCDFGH").records) == texts({acted(1), acted(2), acted(3)}));
  CHECK(rooms(*store) == std::vector<std::string>{"BCDFGH"});
  CHECK(find_player(*store, "aa").player->name == "Ada");
  CHECK(append(*store, "BCDFGH", 2, 0, {acted(3)}) == Kept::fenced);
}

TEST_CASE("a database of a later version, or in another encoding, is refused by name") {
  const std::string database = fresh_database();
  const std::string url = cluster().make(database);
  { store_at(url); }
  cluster().sql(database, "INSERT INTO triquetra.migration (number) VALUES (99)");
  CHECK(refusal_at(url) ==
        "the database has data of format 99, and this program knows format 4; use the version of "
        "Triquetra that wrote it");
  cluster().sql("postgres",
                "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'");
  CHECK(refusal_at(cluster().url("latin")).find("ENCODING 'UTF8'") != std::string::npos);
  CHECK(refusal_at(cluster().url("nowhere")).find("nowhere") != std::string::npos);
}

TEST_CASE(
    "a database of the format before is brought up to date, and its servers go on meanwhile") {
  const std::string database = fresh_database();
  const std::string url = cluster().make(database);
  { store_at(url); }
  cluster().sql(database,
                "ALTER TABLE triquetra.node DROP COLUMN reads; DROP TABLE triquetra.device; "
                "DROP TABLE triquetra.made; DELETE FROM triquetra.migration WHERE number >= 3");
  const auto store = store_at(url);
  REQUIRE(put_device_code(*store, "aa", {"p1", "Ada"}) == Kept::ok);
  // As a server of before says that it lives.
  cluster().sql(database,
                "INSERT INTO triquetra.node (id, name, address, active, expires) "
                "VALUES (5, 'old', 'old:1', now(), now() + interval '1 minute')");
  std::promise<std::optional<std::vector<LiveNode>>> told;
  store->renew({7, "new", "new:1", 4}, [&](const auto& nodes) { told.set_value(nodes); });
  const auto nodes = told.get_future().get();
  REQUIRE(nodes);
  std::map<std::string, std::int64_t> reads;
  for (const LiveNode& node : *nodes) reads[node.name] = node.reads;
  CHECK(reads == std::map<std::string, std::int64_t>{{"old", 0}, {"new", 4}});
}

TEST_CASE("what was played becomes one compressed row when its room is put away") {
  const std::string database = fresh_database();
  auto store = store_at(cluster().make(database));
  std::vector<Record> log;
  const auto play = [&](int acts) {
    for (int i = 0; i < acts; ++i) {
      log.push_back(acted(static_cast<std::int64_t>(log.size()) + 1));
      REQUIRE(append(*store, "BCDFGH", log.size() - 1, 0, {log.back()}) == Kept::ok);
    }
  };
  const auto count = [&](const std::string& what) {
    return std::stoi(cluster().sql(database, "SELECT " + what + " FROM triquetra.event"));
  };
  const auto put_away = [&] {
    return rest(*store, "BCDFGH", log.size(), "note", std::chrono::hours(1));
  };
  // Whoever reads waits for what was asked to be written before.
  const auto check = [&](int rows_with_data) {
    LoadedLog found = load(*store, "BCDFGH");
    while (count("count(*) FILTER (WHERE data <> '')") > rows_with_data) {
      std::this_thread::sleep_for(limits::kStoreRetry);
    }
    found = load(*store, "BCDFGH");
    CHECK(texts(found.records) == texts(log));
    CHECK(count("count(*) FILTER (WHERE data <> '')") == rows_with_data);
    return found;
  };
  const RoomEntry entry = entry_of("BCDFGH", "p1");
  log.push_back(acted(1));
  REQUIRE(append_with(*store, entry, 0, log) == Kept::ok);
  // A few rows are not worth it.
  play(20);
  REQUIRE(put_away() == Kept::ok);
  CHECK(check(21).nap->note == "note");
  play(200);
  // What was replaced is not said again.
  log[215] = acted(1000);
  log.resize(216);
  REQUIRE(rewrite(*store, "BCDFGH", 215, 221, 0, {log.back()}) == Kept::ok);
  play(100);
  REQUIRE(put_away() == Kept::ok);
  const LoadedLog asleep = check(1);
  REQUIRE(asleep.nap);
  CHECK(asleep.nap->note == "note");
  CHECK_FALSE(asleep.in_use);
  CHECK(count("max(length(data))") > 2 * count("max(pg_column_size(data))"));
  // It goes on as it would have: who comes too late is still too late, and the next rows are new.
  CHECK(append(*store, "BCDFGH", log.size() - 1, 0, {acted(7)}) == Kept::fenced);
  play(200);
  CHECK_FALSE(check(201).nap);
  REQUIRE(put_away() == Kept::ok);
  check(2);
  // A row of which half is replaced stays as it is.
  for (int i = 0; i < 3; ++i) log.push_back(acted(500 + i));
  REQUIRE(append(*store, "BCDFGH", log.size() - 3, 0, {log.end() - 3, log.end()}) == Kept::ok);
  log.resize(log.size() - 2);
  log.push_back(acted(600));
  REQUIRE(rewrite(*store, "BCDFGH", log.size() - 1, log.size() + 1, 0, {log.back()}) == Kept::ok);
  play(50);
  REQUIRE(put_away() == Kept::ok);
  check(4);
  // Another process reads the same.
  store = nullptr;
  store = store_at(cluster().url(database));
  CHECK(check(4).nap->note == "note");
}

TEST_CASE("whoever takes a room over while it becomes one row loses nothing, or is fenced") {
  const std::string url = cluster().make(fresh_database());
  std::vector<std::unique_ptr<PostgresStore>> stores;
  for (std::uint32_t writer = 1; writer <= 2; ++writer) {
    PostgresStore::Options options{url, 1, milliseconds(5000)};
    options.writer = writer;
    stores.push_back(std::make_unique<PostgresStore>(
        options, nullptr, [](const std::exception& wrong) { FAIL(wrong.what()); }));
    rooms(*stores.back());
  }
  std::vector<Record> log = {acted(1)};
  const RoomEntry entry = entry_of("BCDFGH", "p1");
  REQUIRE(append_with(*stores[0], entry, 0, log) == Kept::ok);
  int fenced = 0;
  constexpr int kRounds = 40;
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    EventStore& owner = *stores[round % 2];
    EventStore& next = *stores[(round + 1) % 2];
    for (int i = 0; i < 40; ++i) {
      const Record record = acted(static_cast<std::int64_t>(log.size()) + 1);
      // As a room that was fenced: read again, and once more.
      while (append(owner, "BCDFGH", log.size(), round, {record}) == Kept::fenced) {
        ++fenced;
        REQUIRE(texts(load(owner, "BCDFGH").records) == texts(log));
      }
      log.push_back(record);
    }
    // The other one is there as soon as it is put away, when its rows become one.
    std::promise<Kept> put_away;
    std::promise<Kept> taken;
    const Record first = acted(static_cast<std::int64_t>(log.size()) + 1);
    room_thread().run([&] {
      owner.rest({"BCDFGH", log.size(), round, "note", std::nullopt}, room_thread().context(),
                 [&](Kept kept) {
                   put_away.set_value(kept);
                   const std::uint64_t size = log.size();
                   next.append({"BCDFGH", size, size, round + 1, {first}}, room_thread().context(),
                               [&](Kept result) { taken.set_value(result); });
                 });
    });
    REQUIRE(put_away.get_future().get() == Kept::ok);
    const Kept kept = taken.get_future().get();
    REQUIRE((kept == Kept::ok || kept == Kept::fenced));
    if (kept == Kept::ok) log.push_back(first);
    fenced += kept == Kept::fenced ? 1 : 0;
    REQUIRE(texts(load(next, "BCDFGH").records) == texts(log));
  }
  MESSAGE(fenced, " appends were fenced in ", kRounds, " rounds");
}

TEST_CASE("one request makes one room, however many servers write it at once") {
  const std::string url = cluster().make(fresh_database());
  constexpr std::uint32_t kServers = 4;
  std::vector<std::unique_ptr<PostgresStore>> stores;
  for (std::uint32_t writer = 1; writer <= kServers; ++writer) {
    PostgresStore::Options options{url, 1, milliseconds(5000)};
    options.writer = writer;
    stores.push_back(std::make_unique<PostgresStore>(
        options, nullptr, [](const std::exception& wrong) { FAIL(wrong.what()); }));
    rooms(*stores.back());
  }
  const auto code_of = [](int round, std::size_t server) {
    return std::string("BCDFG") + "HJKL"[server] + std::to_string(round);
  };
  for (int round = 0; round < 20; ++round) {
    std::vector<RoomEntry> entries;
    for (std::size_t server = 0; server < kServers; ++server) {
      entries.push_back(entry_of(code_of(round, server), "p1"));
      entries.back().request = "r" + std::to_string(round);
    }
    std::vector<std::promise<Kept>> kept(kServers);
    const std::vector<Record> records = {acted(1)};
    room_thread().run([&] {
      for (std::size_t server = 0; server < kServers; ++server) {
        const RoomEntry& entry = entries[server];
        stores[server]->append({entry.room, 0, 0, 0, records, &entry}, room_thread().context(),
                               [&, server](Kept result) { kept[server].set_value(result); });
      }
    });
    std::vector<std::string> made;
    for (std::size_t server = 0; server < kServers; ++server) {
      const Kept result = kept[server].get_future().get();
      CHECK((result == Kept::ok || result == Kept::fenced));
      if (result == Kept::ok) made.push_back(entries[server].room);
      // Nothing is left of the others.
      CHECK(load(*stores[server], entries[server].room).records.empty() == (result != Kept::ok));
    }
    REQUIRE(made.size() == 1);
    CHECK(found(*stores[0], made[0]) == made);
    // Once it is gone, the same request makes a room again; another player's never was the same.
    RoomEntry again = entry_of("Z" + made[0], "p1");
    again.request = entries[0].request;
    CHECK(append_with(*stores[1], again, 0, records) == Kept::fenced);
    RoomEntry other = entry_of("Y" + made[0], "p2");
    other.request = entries[0].request;
    CHECK(append_with(*stores[1], other, 0, records) == Kept::ok);
    stores[1]->erase(made[0]);
    CHECK(append_with(*stores[1], again, 0, records) == Kept::ok);
  }
}

TEST_CASE("a code that was taken in vain is good again, also if the database was lost meanwhile") {
  const auto store = store_at(cluster().make(fresh_database()));
  REQUIRE(put_device_code(*store, "aa", {"p1", "Ada"}) == Kept::ok);
  REQUIRE(take_device_code(*store, "aa").player);
  cluster().kill();
  store->give_back_device_code("aa");
  cluster().start();
  FoundPlayer found = take_device_code(*store, "aa");
  while (!found.player) {
    std::this_thread::sleep_for(limits::kStoreRetry);
    found = take_device_code(*store, "aa");
  }
  CHECK(found.player->id == "p1");
  CHECK(!take_device_code(*store, "aa").player);
}

TEST_CASE("a change in a log is seen, and what was replaced is gone") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  REQUIRE(append(*store, "BCDFGH", 0, 0, {acted(1), acted(2)}) == Kept::ok);
  REQUIRE(append(*store, "BCDFGH", 2, 0, {acted(3, "secret")}) == Kept::ok);
  REQUIRE(rewrite(*store, "BCDFGH", 1, 3, 0, {acted(4)}) == Kept::ok);
  REQUIRE(append(*store, "BCDFGH", 2, 0, {acted(5)}) == Kept::ok);
  const auto log = texts({acted(1), acted(4), acted(5)});
  CHECK(texts(load(*store, "BCDFGH").records) == log);
  CHECK(cluster().sql(database,
                      "SELECT count(*) FROM triquetra.event "
                      "WHERE position('secret' IN convert_from(data, 'UTF8')) > 0") == "0\n");
  for (const char* change :
       {"UPDATE triquetra.event SET data = overlay(data PLACING '\\x20' FROM 3) WHERE seq = 0",
        "DELETE FROM triquetra.event WHERE seq = 2",
        "UPDATE triquetra.event SET data = '' WHERE seq = 3",
        "UPDATE triquetra.event SET total = total + 1 WHERE seq = 3",
        "UPDATE triquetra.event SET chain = '\\x00' WHERE seq = 2"}) {
    CAPTURE(change);
    cluster().sql(database, "CREATE TABLE was AS TABLE triquetra.event");
    cluster().sql(database, change);
    CHECK(load(*store, "BCDFGH").state == LogState::damaged);
    cluster().sql(database,
                  "DELETE FROM triquetra.event; INSERT INTO triquetra.event TABLE was; "
                  "DROP TABLE was");
    CHECK(texts(load(*store, "BCDFGH").records) == log);
  }
}

TEST_CASE("players who were not seen for long are forgotten, but not who comes back meanwhile") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  cluster().sql(database,
                "INSERT INTO triquetra.player SELECT 'd' || lpad(n::text, 5, '0'), 'd', 'D', "
                "now() - interval '1 year' FROM generate_series(1, 1200) n");
  REQUIRE(put_player(*store, "aa", {"p1", "Ada"}) == Kept::ok);
  std::vector<std::string> hashes;
  std::string after;
  std::size_t pieces = 0;
  do {
    std::promise<UnseenPlayers> told;
    store->unseen_players(after, [&](UnseenPlayers some) { told.set_value(std::move(some)); });
    const UnseenPlayers some = told.get_future().get();
    for (const auto& one : some.players) hashes.push_back(one.token_hash);
    after = some.next;
  } while (++pieces < 10 && !after.empty());
  CHECK(pieces == 3);
  CHECK(hashes.size() == 1200);
  CHECK(find_player(*store, "d00007").player->name == "D");
  hashes.emplace_back("aa");
  store->forget_players(hashes);
  CHECK(!find_player(*store, "d00008").player);
  CHECK(find_player(*store, "d00007").player);
  CHECK(find_player(*store, "aa").player);
}

TEST_CASE("a player whom a room's entry names is never forgotten") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  RoomEntry entry = entry_of("BCDFGH", "ada");
  entry.players = {{"bob", Seat{1}}};
  REQUIRE(append_with(*store, entry, 0, {acted(1)}) == Kept::ok);
  for (const char* id : {"ada", "bob", "eve"})
    REQUIRE(put_player(*store, id, {id, id}) == Kept::ok);
  cluster().sql(database, "UPDATE triquetra.player SET seen = now() - interval '1 year'");
  std::promise<UnseenPlayers> told;
  store->unseen_players("", [&](UnseenPlayers some) { told.set_value(std::move(some)); });
  const UnseenPlayers unseen = told.get_future().get();
  REQUIRE(unseen.players.size() == 1);
  CHECK(unseen.players[0].id == "eve");
  store->forget_players({"ada", "bob", "eve"});
  const std::string left = "SELECT string_agg(id, ' ' ORDER BY id) FROM triquetra.player";
  CHECK(put_player(*store, "cy", {"cy", "Cy"}) == Kept::ok);  // by then it is done
  CHECK(cluster().sql(database, left) == "ada bob cy\n");
}

TEST_CASE("alarms ring by the database's clock, the longest due first, also after a restart") {
  const std::string url = cluster().make(fresh_database());
  const auto code = [](int i) { return "R" + std::to_string(100 + i); };
  {
    const auto store = store_at(url);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(append_with(*store, entry_of(code(i), "ada"), 0, {acted(1)}) == Kept::ok);
      REQUIRE(rest(*store, code(i), 1, "note", milliseconds(-60'000 * i)) == Kept::ok);
    }
    REQUIRE(append_with(*store, entry_of("ZZZZZZ", "ada"), 0, {acted(1)}) == Kept::ok);
    REQUIRE(rest(*store, "ZZZZZZ", 1, "", std::chrono::hours(1)) == Kept::ok);
  }
  const auto store = store_at(url);
  CHECK(rooms(*store).empty());
  CHECK(kept_rooms(*store).asleep == 21);
  std::vector<std::string> rung;
  for (Rung some = ring(*store, 6); !some.rooms.empty(); some = ring(*store, 6)) {
    CHECK(some.rooms.size() <= 6);
    rung.insert(rung.end(), some.rooms.begin(), some.rooms.end());
    REQUIRE(some.next);
    CHECK((*some.next == milliseconds(0)) == (rung.size() < 20));
  }
  REQUIRE(rung.size() == 20);
  for (int i = 0; i < 20; ++i) CHECK(rung[static_cast<std::size_t>(i)] == code(19 - i));
  CHECK(load(*store, code(3)).nap->note == "note");
  CHECK(kept_rooms(*store).in_use.size() == 20);
}

TEST_CASE("rooms whose alarm was taken without an answer ring again") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database), milliseconds(3000));
  for (const char* room : {"BCDFGH", "MMMMMM", "ZZZZZZ"}) {
    REQUIRE(append_with(*store, entry_of(room, "ada"), 0, {acted(1)}) == Kept::ok);
    REQUIRE(rest(*store, room, 1, "", milliseconds(0)) == Kept::ok);
  }
  const auto set = [&](const std::string& standby) {
    cluster().sql(database, "ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'");
    cluster().sql(database, "SELECT pg_reload_conf()");
    cluster().sql(database, "SELECT pg_sleep(0.2)");
  };
  // It is made, and waits for a standby until its connection ends.
  set("nobody");
  std::promise<std::optional<Rung>> told;
  store->ring(2, [&](std::optional<Rung> rung) { told.set_value(std::move(rung)); });
  while (cluster()
             .sql(database,
                  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                  "WHERE wait_event = 'SyncRep'")
             .empty()) {
    std::this_thread::sleep_for(milliseconds(20));
  }
  CHECK_FALSE(told.get_future().get());
  set("");
  load_at_last(*store, "BCDFGH");
  CHECK(kept_rooms(*store).in_use == std::vector<std::string>{"BCDFGH", "MMMMMM"});
  CHECK(ring(*store, 2).rooms == std::vector<std::string>{"BCDFGH", "MMMMMM"});
  CHECK(ring(*store, 2).rooms == std::vector<std::string>{"ZZZZZZ"});
  CHECK(ring(*store, 2).rooms.empty());
}

TEST_CASE("who is fenced neither changes a room's entry nor puts it away") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  const RoomEntry entry = entry_of("BCDFGH", "ada");
  REQUIRE(append_with(*store, entry, 0, {acted(1)}) == Kept::ok);
  // A server that does not know that it is none any more has been there meanwhile.
  cluster().sql(database,
                "INSERT INTO triquetra.event (room, seq, epoch, start, total, data, chain) "
                "VALUES ('BCDFGH', 1, 0, 1, 1, '', '')");
  CHECK(rest(*store, "BCDFGH", 2, "note", milliseconds(0)) == Kept::fenced);
  cluster().sql(database, "UPDATE triquetra.event SET epoch = 1 WHERE seq = 1");
  CHECK(rest(*store, "BCDFGH", 1, "note", milliseconds(0)) == Kept::fenced);
  CHECK(append_with(*store, entry_of("BCDFGH", "bob"), 1, {acted(2)}) == Kept::fenced);
  CHECK(append_with(*store, entry_of("BCDFGH", "bob"), 0, {acted(2)}) == Kept::fenced);
  CHECK(kept_rooms(*store).in_use == std::vector<std::string>{"BCDFGH"});
  CHECK(found(*store, "ada") == std::vector<std::string>{"BCDFGH"});
  CHECK(found(*store, "bob").empty());
  CHECK(ring(*store).rooms.empty());
}

TEST_CASE("a log is as old as its last record, although its room has slept and woken since") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  const RoomEntry entry = entry_of("BCDFGH", "ada");
  REQUIRE(append_with(*store, entry, 0, {acted(1), acted(2)}) == Kept::ok);
  cluster().sql(database, "UPDATE triquetra.event SET at = at - interval '1 hour'");
  REQUIRE(rest(*store, "BCDFGH", 2, "note", std::nullopt) == Kept::ok);
  REQUIRE(append_with(*store, entry, 2, {}) == Kept::ok);
  const LoadedLog log = load(*store, "BCDFGH");
  CHECK(texts(log.records) == texts({acted(1), acted(2)}));
  CHECK(log.age >= std::chrono::hours(1));
}

TEST_CASE("the trial of the fence leaves nothing, and an erased room no entry") {
  const std::string database = fresh_database();
  const auto store = store_at(cluster().make(database));
  const std::string count =
      "SELECT (SELECT count(*) FROM triquetra.event) + (SELECT count(*) FROM triquetra.room)";
  CHECK(cluster().sql(database, count) == "0\n");
  REQUIRE(append_with(*store, entry_of("BCDFGH", "ada"), 0, {acted(1)}) == Kept::ok);
  CHECK(cluster().sql(database, count) == "2\n");
  room_thread().run([&] { store->erase("BCDFGH"); });
  CHECK(load(*store, "BCDFGH").records.empty());
  CHECK(cluster().sql(database, count) == "0\n");
}

TEST_CASE("all that is kept goes from a file into a database, and back") {
  const Folder folder("triquetra-move");
  const std::string from = (folder.path / "from").string();
  const std::string back = (folder.path / "back").string();
  const std::string url = cluster().make(fresh_database());
  {
    const DataFolder ours(from);
    SqliteStore store(ours.file());
    RoomEntry entry = entry_of("GAMEAA", "Ada");
    entry.players = {{"Ada", Seat{0}}};
    REQUIRE(append_with(store, entry, 0, {acted(1), acted(2), acted(3)}) == Kept::ok);
    REQUIRE(rewrite(store, "GAMEAA", 2, 3, 0, {acted(4), acted(5)}) == Kept::ok);
    REQUIRE(append_with(store, entry_of("SLEEPS", "Bob"), 0, {acted(1)}) == Kept::ok);
    REQUIRE(rest(store, "SLEEPS", 1, "a note", milliseconds(3600'000)) == Kept::ok);
    REQUIRE(append_with(store, entry_of("RINGSA", "Bob"), 0, {acted(1)}) == Kept::ok);
    REQUIRE(rest(store, "RINGSA", 1, "", milliseconds(0)) == Kept::ok);
    RoomEntry closed = entry_of("CLOSED", "Cy");
    closed.closed = true;
    REQUIRE(append_with(store, closed, 0, {acted(1)}) == Kept::ok);
    REQUIRE(append(store, "NOBODY", 0, 0, {acted(1)}) == Kept::ok);
    REQUIRE(append(store, "BROKEN", 0, 0, {acted(1), acted(2)}) == Kept::ok);
    REQUIRE(put_player(store, "hash", {"Ada", "Ada L."}) == Kept::ok);
  }
  // One log was changed by somebody.
  sqlite::Database(data_file(from), SQLITE_OPEN_READWRITE)
      .run("UPDATE event SET data = '{}' WHERE room = 'BROKEN' AND seq = 0");
  const std::string moved = move_store(from, url);
  CHECK(moved.find("5 rooms with 8 records, 3 of them asleep, and 1 player are") == 0);
  CHECK(moved.find("stay there: BROKEN") != std::string::npos);
  CHECK_THROWS_AS(move_store(from, url), StoreProblem);
  const auto check = [](EventStore& store) {
    CHECK(texts(load(store, "GAMEAA").records) == texts({acted(1), acted(2), acted(4), acted(5)}));
    CHECK(load(store, "GAMEAA").entry->players.front().player == "Ada");
    CHECK(found(store, "Ada") == std::vector<std::string>{"GAMEAA"});
    CHECK(found(store, "Bob") == std::vector<std::string>{"RINGSA", "SLEEPS"});
    CHECK(kept_rooms(store).in_use == std::vector<std::string>{"GAMEAA", "NOBODY"});
    CHECK(kept_rooms(store).asleep == 3);
    CHECK(load(store, "SLEEPS").nap->note == "a note");
    CHECK(load(store, "CLOSED").records.size() == 1);
    CHECK(find_player(store, "hash").player->name == "Ada L.");
  };
  const auto store = store_at(url);
  check(*store);
  // A server uses it.
  CHECK_THROWS_AS(move_store(url, back), StoreProblem);
  CHECK_FALSE(std::filesystem::exists(data_file(back)));
}

TEST_CASE("what was written in a database since it was moved there goes back") {
  const Folder folder("triquetra-move");
  const std::string url = cluster().make(fresh_database());
  {
    const auto store = store_at(url);
    REQUIRE(append_with(*store, entry_of("GAMEAA", "Ada"), 0, {acted(1), acted(2)}) == Kept::ok);
    REQUIRE(rewrite(*store, "GAMEAA", 1, 2, 0, {acted(3), acted(4)}) == Kept::ok);
    REQUIRE(append_with(*store, entry_of("RINGSA", "Bob"), 0, {acted(1)}) == Kept::ok);
    REQUIRE(rest(*store, "RINGSA", 1, "a note", milliseconds(3600'000)) == Kept::ok);
    REQUIRE(put_player(*store, "hash", {"Ada", "Ada L."}) == Kept::ok);
  }
  move_store(url, folder.path.string());
  {
    const DataFolder ours(folder.path.string());
    CHECK_THROWS_AS(move_store(folder.path.string(), url), StoreProblem);
    SqliteStore store(ours.file());
    CHECK(texts(load(store, "GAMEAA").records) == texts({acted(1), acted(3), acted(4)}));
    CHECK(append(store, "GAMEAA", 3, 0, {acted(5)}) == Kept::ok);
    CHECK(load(store, "RINGSA").nap->note == "a note");
    CHECK(found(store, "Bob") == std::vector<std::string>{"RINGSA"});
    CHECK(find_player(store, "hash").player->id == "Ada");
    const milliseconds next = ring(store).next.value();
    CHECK(next > milliseconds(3000'000));
    CHECK(next <= milliseconds(3600'000));
  }
  CHECK(check_store(data_file(folder.path.string())).find("is whole: 2 rooms") !=
        std::string::npos);
}

TEST_CASE("a password is never told") {
  CHECK(without_password("postgresql://ada:secret@db:5432,other/games?sslmode=require") ==
        "postgresql://ada:***@db:5432,other/games?sslmode=require");
  CHECK(
      without_password("postgresql://ada@db/games?password=secret&sslmode=require&sslpassword=x") ==
      "postgresql://ada@db/games?password=***&sslmode=require&sslpassword=***");
  CHECK(without_password("postgresql:///games?host=/tmp&pass%77ord=secret") ==
        "postgresql:///games?host=/tmp&pass%77ord=***");
  CHECK(without_password("postgresql://ada:sec@ret@db/games") == "postgresql://ada:***@db/games");
  const std::string told = refusal_at(cluster().url("secret-9", "password=secret-9"));
  CHECK(told.find("***") != std::string::npos);
  CHECK(told.find("secret-9") == std::string::npos);
  try {
    const PostgresStore store({"postgresql://ada:sec%zzret@db/games"}, nullptr, nullptr);
    FAIL("no URL");
  } catch (const StoreProblem& problem) {
    CHECK(std::string(problem.what()).find("sec") == std::string::npos);
  }
}

}  // namespace triquetra
