// Rooms and their logs together, without sockets: what a start makes of logs, what it leaves alone,
// and what goes with a room that closes.
#include <doctest/doctest.h>
#include <boost/asio/executor_work_guard.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>
#include <tuple>

#include "protocol/json.hpp"
#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/base/random.hpp"
#include "server/ops/metrics.hpp"
#include "server/people/hub.hpp"
#include "server/people/session.hpp"
#include "server/store/device_codes.hpp"
#include "server/store/memory_store.hpp"
#include "server/store/room_index.hpp"
#include "server/store/sqlite_store.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

namespace asio = boost::asio;

/// A store that outlives hubs, as a disk does; and answers as it is told.
class KeptStore final : public EventStore {
 public:
  std::map<std::string, std::vector<Record>> logs;
  std::map<std::string, StoredPlayer> players;
  DeviceCodes codes;
  std::map<std::string, LogState> states;
  Kept verdict = Kept::ok;
  bool writes = true;  // also when the verdict is `unknown`
  bool holds = false;  // appends wait in `held`
  std::vector<std::function<void()>> held;
  bool holds_loads = false;  // as `holds`
  std::vector<std::function<void()>> held_loads;
  std::size_t loads = 0;
  std::map<std::string, RoomEntry> entries;
  std::map<std::string, std::pair<std::string, TimePoint>> naps;
  RoomIndex index;

  void append(const Append& append, asio::io_context& /*thread*/,
              std::function<void(Kept)> done) override {
    keep(append.room, append.from, append.seq, append.records,
         append.entry != nullptr ? std::optional(*append.entry) : std::nullopt, done);
  }
  void keep(const std::string& room, std::uint64_t from, std::uint64_t seq,
            const std::vector<Record>& records, const std::optional<RoomEntry>& entry,
            const std::function<void(Kept)>& done) {
    if (holds) {
      held.push_back([=, this] { keep(room, from, seq, records, entry, done); });
      return;
    }
    auto& log = logs[room];
    if (log.size() != seq) return done(Kept::fenced);
    if (verdict == Kept::ok || (verdict == Kept::unknown && writes)) {
      log.erase(log.begin() + static_cast<std::ptrdiff_t>(from), log.end());
      log.insert(log.end(), records.begin(), records.end());
      naps.erase(room);
      if (entry) entries[room] = *entry;
      index.put(room, entry ? &*entry : nullptr, now());
    }
    done(verdict);
  }
  void load(std::string room, std::function<void(LoadedLog)> done) override {
    ++loads;
    const std::vector<Record> records = logs.contains(room) ? logs[room] : std::vector<Record>();
    if (holds_loads) {
      held_loads.push_back([=, this] { tell(room, records, done); });
    } else {
      tell(room, records, done);
    }
  }
  void tell(const std::string& room, const std::vector<Record>& records,
            const std::function<void(LoadedLog)>& done) {
    LoadedLog log;
    log.state = states[room];
    if (log.state == LogState::ok) log.records = records;
    if (entries.contains(room)) log.entry = entries[room];
    log.in_use = !naps.contains(room);
    if (!log.in_use) {
      using std::chrono::milliseconds;
      const auto& [note, since] = naps[room];
      log.nap = Nap{note, std::chrono::duration_cast<milliseconds>(now() - since)};
    }
    done(std::move(log));
  }
  void erase(std::string room) override {
    logs.erase(room);
    entries.erase(room);
    naps.erase(room);
    index.erase(room);
  }
  void rest(const Rest& rest, asio::io_context& /*thread*/,
            std::function<void(Kept)> done) override {
    put_to_rest(rest.room, rest.seq, rest.note, rest.alarm, done);
  }
  void put_to_rest(const std::string& room, std::uint64_t seq, const std::string& note,
                   std::optional<std::chrono::milliseconds> alarm,
                   const std::function<void(Kept)>& done) {
    if (holds) {
      held.push_back([=, this] { put_to_rest(room, seq, note, alarm, done); });
      return;
    }
    if (logs[room].size() != seq) return done(Kept::fenced);
    if (verdict == Kept::ok || (verdict == Kept::unknown && writes)) {
      naps[room] = {note, now()};
      index.rest(room, alarm, now());
    }
    done(verdict);
  }
  void ring(std::size_t most, std::function<void(std::optional<Rung>)> done) override {
    done(index.ring(most, now()));
  }
  void rooms(std::function<void(std::optional<KeptRooms>)> done) override { done(index.rooms()); }
  void find_rooms(std::string key,
                  std::function<void(std::optional<std::vector<RoomEntry>>)> done) override {
    done(index.find(key));
  }
  void sleeping_rooms(std::string after,
                      std::function<void(std::optional<std::vector<SleepingRoom>>)> done) override {
    done(index.sleeping(after, now()));
  }
  void put_player(std::string hash, StoredPlayer player, std::function<void(Kept)> done) override {
    if (verdict == Kept::ok) players[hash] = std::move(player);
    done(verdict);
  }
  void find_player(std::string hash, std::function<void(FoundPlayer)> done) override {
    FoundPlayer found;
    if (players.contains(hash)) found.player = players[hash];
    done(found);
  }
  void put_device_code(std::string hash, StoredPlayer player,
                       std::function<void(Kept)> done) override {
    done(verdict == Kept::ok ? codes.put(hash, player, now()) : verdict);
  }
  void take_device_code(std::string hash, std::function<void(FoundPlayer)> done) override {
    done({true, codes.take(hash, now())});
  }
  void give_back_device_code(std::string hash) override { codes.give_back(hash); }
  /// Nobody has been seen for long; each is a piece of its own.
  void unseen_players(const std::string& after,
                      const std::function<void(UnseenPlayers)>& done) override {
    UnseenPlayers unseen;
    const auto next = players.upper_bound(after);
    if (next != players.end()) {
      if (!index.names(next->second.id)) unseen.players.push_back({next->first, next->second.id});
      unseen.next = next->first;
    }
    done(unseen);
  }
  void forget_players(const std::vector<std::string>& token_hashes) override {
    for (const std::string& token_hash : token_hashes) players.erase(token_hash);
  }
  void probe(const std::function<void(Kept)>& done) override { done(verdict); }
};

/// The hub's store: the one that outlives it.
class Borrowed : public EventStore {
 public:
  explicit Borrowed(EventStore& store) : store_(store) {}
  void append(const Append& append, asio::io_context& thread,
              std::function<void(Kept)> done) override {
    store_.append(append, thread, std::move(done));
  }
  void load(std::string room, std::function<void(LoadedLog)> done) override {
    store_.load(std::move(room), std::move(done));
  }
  void erase(std::string room) override { store_.erase(std::move(room)); }
  void rest(const Rest& rest, asio::io_context& thread, std::function<void(Kept)> done) override {
    store_.rest(rest, thread, std::move(done));
  }
  void ring(std::size_t most, std::function<void(std::optional<Rung>)> done) override {
    store_.ring(most, std::move(done));
  }
  void rooms(std::function<void(std::optional<KeptRooms>)> done) override {
    store_.rooms(std::move(done));
  }
  void find_rooms(std::string key,
                  std::function<void(std::optional<std::vector<RoomEntry>>)> done) override {
    store_.find_rooms(std::move(key), std::move(done));
  }
  void sleeping_rooms(std::string after,
                      std::function<void(std::optional<std::vector<SleepingRoom>>)> done) override {
    store_.sleeping_rooms(std::move(after), std::move(done));
  }
  void put_player(std::string hash, StoredPlayer player, std::function<void(Kept)> done) override {
    store_.put_player(std::move(hash), std::move(player), std::move(done));
  }
  void find_player(std::string hash, std::function<void(FoundPlayer)> done) override {
    store_.find_player(std::move(hash), std::move(done));
  }
  void put_device_code(std::string hash, StoredPlayer player,
                       std::function<void(Kept)> done) override {
    store_.put_device_code(std::move(hash), std::move(player), std::move(done));
  }
  void take_device_code(std::string hash, std::function<void(FoundPlayer)> done) override {
    store_.take_device_code(std::move(hash), std::move(done));
  }
  void give_back_device_code(std::string hash) override {
    store_.give_back_device_code(std::move(hash));
  }
  void unseen_players(const std::string& after,
                      const std::function<void(UnseenPlayers)>& done) override {
    store_.unseen_players(after, done);
  }
  void forget_players(const std::vector<std::string>& token_hashes) override {
    store_.forget_players(token_hashes);
  }
  void probe(const std::function<void(Kept)>& done) override { store_.probe(done); }

 private:
  EventStore& store_;
};

/// A store on a real disk, whose reads of logs are counted.
class Counting final : public Borrowed {
 public:
  using Borrowed::Borrowed;
  std::atomic<std::size_t> loads{0};
  void load(std::string room, std::function<void(LoadedLog)> done) override {
    ++loads;
    Borrowed::load(std::move(room), std::move(done));
  }
};

class Wire final : public Connection {
 public:
  Wire(ConnectionId id, asio::io_context& context) : id_(id), context_(context) {}
  ConnectionId id() const override { return id_; }
  asio::io_context& context() override { return context_; }
  void send(Outgoing frame, std::string) override {
    heard.push_back(parse_json((frame.shared ? *frame.shared : "") + frame.own, kTrustedJson));
  }
  void finish(ByeCode, std::int64_t) override {}
  std::vector<Json> heard;

 private:
  ConnectionId id_;
  asio::io_context& context_;
};

/// One life of the server, with one player.
class Life {
 public:
  explicit Life(EventStore& store, const RoomPolicy& policy = {}) {
    static int lives = 0;  // each with other codes and tokens, as in the world
    foresee(std::to_string(tests::take_seed()) + " " + std::to_string(++lives));
    hub_ = std::make_unique<Hub>(
        1, policy, [&](asio::io_context&) { return std::make_unique<Borrowed>(store); });
    bool loaded = false;
    hub_->load([&](bool all) { loaded = all; });
    turn_until([&] { return loaded; });
    REQUIRE(loaded);
  }
  ~Life() { session_.reset(); }
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  void enter(const std::string& token = "", const std::string& name = "") {
    connect();
    Json hello{{"type", "hello"}, {"id", "h"}, {"protocol", 1}};
    if (!token.empty()) hello["token"] = token;
    if (!name.empty()) hello["name"] = name;
    session_->hear(hello.dump());
    turn();
  }
  /// A connection that has said nothing yet.
  void connect(const std::string& address = "") {
    wire_ = std::make_shared<Wire>(++connections_, hub_->first());
    session_ = std::make_shared<Session>(*hub_, wire_, address);
  }
  void leave() {
    session_->gone();
    turn();
  }
  /// Says all of it before anything is answered; how often each code was the answer ("" is a yes).
  std::map<std::string, int> say_at_once(const std::vector<std::string>& texts) {
    const std::size_t before = wire_->heard.size();
    for (const std::string& text : texts) session_->hear(text);
    turn();
    std::map<std::string, int> codes;
    for (std::size_t i = before; i < wire_->heard.size(); ++i) {
      if (wire_->heard[i].contains("re")) ++codes[wire_->heard[i].value("code", "")];
    }
    return codes;
  }
  Json ask(const std::string& text) {
    session_->hear(text);
    turn();
    const Json request = parse_json(text);
    for (auto it = wire_->heard.rbegin(); it != wire_->heard.rend(); ++it) {
      if (it->value("re", "") == request.at("id").get<std::string>()) return *it;
    }
    return {};
  }
  /// The operator closes a room.
  Closing close(const std::string& room) {
    std::optional<Closing> closing;
    hub_->close(room, [&](Closing what) { closing = what; });
    turn();
    REQUIRE(closing);
    return *closing;
  }
  /// The operator closes many at once.
  std::size_t sweep(const Swept& what) {
    std::optional<std::size_t> count;
    hub_->sweep(what, [&](std::size_t closed) { count = closed; });
    turn();
    REQUIRE(count);
    return *count;
  }
  const std::vector<Json>& heard() const { return wire_->heard; }
  void look_at_store() {
    hub_->look_at_store();
    turn();
  }
  void forget_players() {
    hub_->forget_players();
    turn();
  }
  /// A stranger's request for a room, past what a session may send in a second.
  void post(const std::string& room, const std::string& id) {
    Start frame;
    frame.id = RequestId(id);
    frame.room = RoomCode(room);
    const auto missing = [wire = wire_, id](ErrorCode why) { send_error(*wire, id, why); };
    hub_->post(room, FromClient{{wire_->id(), "stranger", "S", false}, frame}, wire_, missing);
    turn();
  }
  /// A frame of this player, past what a session may send in a second.
  void post_as(const std::string& player, const std::string& room, const Json& frame) {
    const Sender from{wire_->id(), player, "P", false};
    hub_->post(room, FromClient{from, decode<ClientFrame>(frame, Reading::strict)}, wire_,
               [](ErrorCode) {});
    turn();
  }
  /// How many thoughts wait for a thread; this server has none.
  std::size_t thoughts() { return hub_->thinkers().waiting(); }
  /// Thinks them, and says how many they were.
  std::size_t think(std::uint32_t playouts = 8) {
    const std::size_t count = hub_->thinkers().poll(playouts);
    turn();
    return count;
  }
  /// The answer to this request; null while there is none.
  Json answer_to(const std::string& id) const {
    for (const Json& frame : wire_->heard) {
      if (frame.value("re", "") == id) return frame;
    }
    return {};
  }
  std::optional<Invitation> invitation(const std::string& room) {
    std::optional<std::optional<Invitation>> told;
    hub_->find_invitation(room, [&](const auto& found) { told = found; });
    turn();
    REQUIRE(told);
    return *told;
  }
  std::vector<std::string> all_rooms() {
    std::vector<std::string> codes;
    hub_->all_rooms([&](const auto& all) {
      for (const ListedRoom& room : all.value()) codes.push_back(room.room);
    });
    turn();
    return codes;
  }
  ReadMatch open_record(const std::string& match) {
    std::optional<ReadMatch> told;
    hub_->read_open_record(match, [&](const ReadMatch& read) { told = read; });
    turn();
    REQUIRE(told);
    return *told;
  }
  /// Lets everything happen that does not wait for the clock.
  void turn() {
    hub_->first().restart();
    while (hub_->first().poll() != 0) hub_->first().restart();
  }
  /// Lets the clock's things happen until it is so; only a hang takes a minute.
  void turn_until(const std::function<bool()>& is_so) {
    const auto guard = asio::make_work_guard(hub_->first());
    for (int tries = 0; tries < 6000 && !is_so(); ++tries) {
      hub_->first().restart();
      hub_->first().run_one_for(std::chrono::milliseconds(10));
    }
  }

 private:
  std::unique_ptr<Hub> hub_;
  std::shared_ptr<Wire> wire_;
  std::shared_ptr<Session> session_;
  ConnectionId connections_ = 0;
};

const char* const kCreate = R"({"type":"create","id":"c","game":"triqueta","seats":2})";
std::string join(const std::string& room) {
  return R"({"type":"join","id":"j","room":")" + room + R"("})";
}

}  // namespace

TEST_CASE("a room, its seats and the request that made it are known after a restart") {
  KeptStore store;
  std::string token;
  std::string room;
  {
    Life life(store);
    life.enter();
    token = life.heard().front().at("token");
    room = life.ask(kCreate).at("room");
  }
  Life life(store);
  life.enter(token);
  CHECK(life.heard().front().at("seats") == Json::array({{{"room", room}, {"seat", 0}}}));
  CHECK(life.ask(kCreate).at("room") == room);
  CHECK(store.logs.size() == 1);
}

TEST_CASE("with a seed for tests a room is dealt again, and differs by what its maker promised") {
  const auto commitment = [](std::optional<std::string> seed, char promised) {
    KeptStore store;
    RoomPolicy policy;
    policy.test_seed = std::move(seed);
    Life life(store, policy);
    life.enter();
    Json create = parse_json(kCreate);
    create["entropy_hash"] = std::string(64, promised);
    REQUIRE(life.ask(create.dump()).at("type") == "ok");
    for (const Json& frame : life.heard()) {
      if (frame.contains("commitment")) return frame.at("commitment").get<std::string>();
    }
    return std::string();
  };
  const std::string first = commitment("7", 'a');
  REQUIRE(first.size() == 64);
  CHECK(commitment("7", 'a') == first);
  CHECK(commitment("7", 'b') != first);
  CHECK(commitment("8", 'a') != first);
  CHECK(commitment({}, 'a') != commitment({}, 'a'));
}

TEST_CASE("a log that this program cannot play is left as it is, and says why") {
  KeptStore store;
  std::string token;
  std::string room;
  {
    Life life(store);
    life.enter();
    token = life.heard().front().at("token");
    room = life.ask(kCreate).at("room");
    life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})");
    REQUIRE(life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})").at("type") == "ok");
  }
  std::string code;
  SUBCASE("other rules") {
    for (Record& record : store.logs[room]) {
      if (auto* started = std::get_if<MatchStarted>(&record)) started->rules += 1;
    }
    code = "needs_version";
  }
  SUBCASE("another game") {
    std::get<RoomCreated>(store.logs[room].front()).game = "chess";
    code = "needs_version";
  }
  SUBCASE("written by a later program") {
    store.states[room] = LogState::newer;
    code = "needs_version";
  }
  SUBCASE("damaged") {
    store.states[room] = LogState::damaged;
    code = "room_closed";
  }
  SUBCASE("acts that the rules forbid") {
    store.logs[room].push_back(
        Acted{1, Seat{0}, DecisionId{1}, R"({"do":"take","row":4})", ActedBy::player, "x", 1});
    code = "room_closed";
  }
  SUBCASE("failed before") {
    store.logs[room].push_back(RoomClosed{WhyClosed::failed});
    code = "room_closed";
  }
  SUBCASE("closed by whoever runs the server") {
    store.logs[room].push_back(RoomClosed{WhyClosed::admin});
    code = "room_closed";
  }
  const std::size_t size = store.logs[room].size();
  Life life(store);
  life.enter(token);
  CHECK(life.ask(join(room)).value("code", "") == code);
  CHECK(life.ask(R"({"type":"create","id":"c2","game":"triqueta"})").at("type") == "ok");
  CHECK(store.logs[room].size() == size);
}

TEST_CASE("the log of a room that everybody has left goes with it") {
  KeptStore store;
  RoomPolicy policy;
  policy.idle_time = std::chrono::milliseconds(1);
  Life life(store, policy);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  REQUIRE(store.logs.size() == 1);
  life.leave();
  life.turn_until([&] { return store.logs.empty(); });
  CHECK(store.logs.empty());
  life.enter();
  CHECK(life.ask(join(room)).at("code") == "no_such_room");
}

TEST_CASE("an append that was refused changes nothing, and the player hears why") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  store.verdict = Kept::refused;
  const std::string bot = R"({"type":"add_bot","id":"b","room":")" + room + R"("})";
  CHECK(life.ask(bot).at("code") == "storage_unavailable");
  CHECK(life.ask(R"({"type":"create","id":"d","game":"triqueta"})").at("code") ==
        "storage_unavailable");
  store.verdict = Kept::ok;
  CHECK(life.ask(bot).at("type") == "ok");
}

/// Plays the match of a room with one person and bots until it is over, or the person has acted so
/// often.
void play_out(Life& life, const std::string& player, const std::string& room,
              const std::string& prefix, int acts_most = 2000) {
  int acts = 0;
  const auto newest = [&](const std::string& type) {
    const auto& heard = life.heard();
    const auto found = std::find_if(heard.rbegin(), heard.rend(),
                                    [&](const Json& frame) { return frame.at("type") == type; });
    return found == heard.rend() ? Json() : *found;
  };
  const auto is_over = [&] { return newest("room").at("status") == "over"; };
  const auto is_asked = [&] {
    const Json view = newest("view");
    return !view.is_null() && view.contains("legal") && !view.at("legal").empty();
  };
  while (!is_over() && acts < acts_most) {
    life.turn_until([&] { return is_over() || is_asked(); });
    if (is_over()) return;
    const Json view = newest("view");
    Json decision;
    for (const Json& open : view.at("decisions")) {
      for (const Json& seat : open.at("seats")) {
        if (seat == view.at("seat")) decision = open.at("id");
      }
    }
    const Json act{{"type", "act"},
                   {"id", prefix + std::to_string(++acts)},
                   {"room", room},
                   {"decision", decision},
                   {"action", view.at("legal").at(0).at("action")}};
    life.post_as(player, room, act);
    REQUIRE(newest("error").is_null());
    REQUIRE(acts < 2000);
  }
}

/// A room of one person and a bot whose match has begun.
std::string started_with_bot(Life& life) {
  const std::string room = life.ask(kCreate).at("room").get<std::string>();
  life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})");
  life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})");
  return room;
}

std::string about_match(const std::string& type, const std::string& room, const Json& match,
                        const std::string& more = "") {
  return R"({"type":")" + type + R"(","id":"about","room":")" + room + R"(","match":)" +
         match.dump() + more + "}";
}

TEST_CASE("of a match in play the log tells what the room no longer holds") {
  KeptStore store;
  RoomPolicy policy;
  policy.bot_delay = std::chrono::milliseconds(0);
  Life life(store, policy);
  life.enter();
  const std::string room = started_with_bot(life);
  const Json match = life.heard().back().at("match");
  std::map<int, Json> told;
  const auto listen = [&] {
    for (const Json& frame : life.heard()) {
      if (frame.at("type") == "view") told[frame.at("rev")] = frame.at("happened");
    }
  };
  play_out(life, store.players.begin()->second.id, room, "m-", 20);
  listen();
  const auto newest = static_cast<std::size_t>(told.rbegin()->first);
  REQUIRE(newest > 2 * RecentTexts::kLeast);
  REQUIRE(told.size() > RecentTexts::kLeast);
  const auto ask = [&](std::size_t after) {
    return life.ask(about_match("history", room, match, R"(,"after":)" + std::to_string(after)));
  };
  const auto check_all = [&] {
    std::size_t rev = 0;
    for (bool more = true; more;) {
      const Json answer = ask(rev);
      REQUIRE(answer.contains("pages"));
      for (const Json& page : answer.at("pages")) {
        CHECK(page.at("rev") == ++rev);
        // A view that waited for the next one was not heard.
        const auto seen = told.find(static_cast<int>(rev));
        if (seen != told.end()) CHECK(page.at("happened") == seen->second);
      }
      more = answer.at("more").get<bool>();
    }
    CHECK(rev >= newest);
  };
  check_all();
  // What was read is at hand, but not for ever the newest.
  play_out(life, store.players.begin()->second.id, room, "n-", 3);
  listen();
  check_all();
  play_out(life, store.players.begin()->second.id, room, "o-", 3);
  listen();
  // Nobody may know its deal, or replay it, though its log was read.
  for (const std::string type : {"record", "replay"}) {
    const std::string from = type == "replay" ? R"(,"from":0)" : "";
    CHECK(life.ask(about_match(type, room, match, from)).at("code") == "record_not_ready");
  }
  store.states[room] = LogState::unavailable;
  CHECK(ask(0).at("code") == "storage_unavailable");
  // The bot goes on until the person is asked, and what was the newest may not be any more.
  bool is_told = false;
  for (int tries = 0; tries < 100 && !is_told; ++tries) {
    listen();
    is_told = ask(static_cast<std::size_t>(told.rbegin()->first) - 1).contains("pages");
  }
  CHECK(is_told);
}

TEST_CASE("a finished match is read from the log when somebody asks, also after a restart") {
  KeptStore store;
  RoomPolicy policy;
  policy.bot_delay = std::chrono::milliseconds(0);
  std::string token;
  std::string room;
  std::vector<Json> matches;
  std::vector<Json> records;
  const auto check_all = [&](Life& life) {
    for (std::size_t i = 0; i < matches.size(); ++i) {
      const Json answer = life.ask(about_match("record", room, matches[i]));
      REQUIRE(answer.contains("record"));
      CHECK(verify_record(answer.at("record").dump()) == std::nullopt);
      if (records.size() == i) records.push_back(answer.at("record"));
      CHECK(answer.at("record") == records[i]);
      const Json page = life.ask(about_match("replay", room, matches[i], R"(,"from":0)"));
      CHECK(page.at("steps").size() > 1);
    }
  };
  {
    Life life(store, policy);
    life.enter();
    token = life.heard().front().at("token").get<std::string>();
    room = life.ask(kCreate).at("room").get<std::string>();
    for (int n = 0; n < 2; ++n) {
      life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})");
      life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})");
      matches.push_back(life.heard().back().at("match"));
      play_out(life, store.players.begin()->second.id, room, "m" + std::to_string(n) + "-");
      // What happened, of a match that stands on the table still.
      const Json pages = life.ask(about_match("history", room, matches.back(), R"(,"after":0)"));
      CAPTURE(pages);
      REQUIRE(pages.contains("pages"));
      CHECK(pages.at("pages").at(0).at("rev") == 1);
      life.ask(R"({"type":"rematch","id":"r","room":")" + room + R"("})");
      check_all(life);
    }
    // Not at hand: the log is asked, and says why not.
    Life other(store, policy);
    other.enter(token);
    other.ask(join(room));
    for (const LogState state : {LogState::unavailable, LogState::damaged}) {
      store.states[room] = state;
      const bool may_come = state == LogState::unavailable;
      CHECK(other.ask(about_match("record", room, matches[0])).at("code") ==
            (may_come ? "storage_unavailable" : "room_closed"));
    }
    store.states[room] = LogState::ok;
    CHECK(other.ask(about_match("record", room, matches[0])).at("record") == records[0]);
  }
  Life again(store, policy);
  again.enter(token);
  again.ask(join(room));
  check_all(again);
}

TEST_CASE(
    "who asks for a finished match while the log of before its end is read gets the whole one") {
  KeptStore store;
  RoomPolicy policy;
  policy.bot_delay = std::chrono::milliseconds(0);
  Life life(store, policy);
  life.enter();
  const std::string room = started_with_bot(life);
  const Json match = life.heard().back().at("match");
  const std::string player = store.players.begin()->second.id;
  play_out(life, player, room, "m-", 20);
  store.holds_loads = true;
  const auto ask = [&](const std::string& type, const std::string& more = "") {
    Json frame = parse_json(about_match(type, room, match, more));
    frame["id"] = type;
    life.post_as(player, room, frame);
  };
  ask("history", R"(,"after":0)");
  REQUIRE(store.held_loads.size() == 1);
  play_out(life, player, room, "n-");
  ask("record");
  ask("replay", R"(,"from":0)");
  ask("review");
  CHECK(store.held_loads.size() == 1);
  store.held_loads[0]();
  life.turn();
  CHECK(life.answer_to("history").contains("pages"));
  CHECK(life.answer_to("record").is_null());
  REQUIRE(store.held_loads.size() == 2);
  store.held_loads[1]();
  life.turn();
  REQUIRE(life.answer_to("record").contains("record"));
  CHECK(verify_record(life.answer_to("record").at("record").dump()) == std::nullopt);
  CHECK(life.answer_to("replay").contains("steps"));
  CHECK(life.answer_to("review").contains("review"));
  store.held_loads.clear();
}

TEST_CASE("a finished match is looked at beside the room, for who sits or watches there") {
  KeptStore store;
  RoomPolicy policy;
  policy.bot_delay = std::chrono::milliseconds(0);
  Life life(store, policy);
  life.enter();
  const std::string room = started_with_bot(life);
  const Json match = life.heard().back().at("match");
  play_out(life, store.players.begin()->second.id, room, "m-");
  const Json record = life.ask(about_match("record", room, match)).at("record");
  const Json first = life.ask(about_match("review", room, match));
  CHECK(first.at("more") == true);
  CHECK(first.at("review").at("steps") == record.at("steps").size());
  // Whoever asks again before anything has come out changes nothing.
  CHECK(life.ask(about_match("review", room, match)) == first);
  CHECK(life.thoughts() == 1);
  Json review = first;
  // It is kept only as long as somebody asks for it.
  for (int tries = 0; tries < 100 && review.at("more") == true; ++tries) {
    for (int acts = 0; acts < 10 && life.think(40) > 0; ++acts) {
    }
    review = life.ask(about_match("review", room, match));
  }
  REQUIRE(review.at("more") == false);
  CHECK(review.at("review").at("looked_at") == review.at("review").at("steps"));
  const Json& acts = review.at("review").at("acts");
  CHECK(acts.size() <= limits::kReviewedActs);
  // Who takes the first act that is legal, always, could do better.
  CHECK_FALSE(acts.empty());
  for (const Json& act : acts) {
    const Json& step = record.at("steps").at(act.at("rev").get<std::size_t>() - 1);
    CHECK(step.at("by") == "player");
    CHECK(step.at("seat") == act.at("seat"));
    CHECK(step.at("action") == act.at("action"));
    CHECK(act.at("better") != act.at("action"));
  }
  Life stranger(store, policy);
  stranger.enter();
  CHECK(stranger.ask(about_match("review", room, match)).at("code") == "not_in_room");
}

TEST_CASE("the lobby has the open records that the rooms have now, and no others") {
  asio::io_context context;
  Lobby lobby(context);
  RoomNews news;
  news.room = "BCDFGH";
  news.open_records = {"first", "second"};
  lobby.hear(news);
  RoomNews other;
  other.room = "CDFGHJ";
  other.open_records = {"elsewhere"};
  lobby.hear(other);
  CHECK(lobby.room_of_record("first") == "BCDFGH");
  CHECK_FALSE(lobby.room_of_record("third"));
  CHECK_FALSE(lobby.room_of_record(""));
  news.open_records = {"second", "third"};
  lobby.hear(news);
  CHECK_FALSE(lobby.room_of_record("first"));
  CHECK(lobby.room_of_record("second") == "BCDFGH");
  CHECK(lobby.room_of_record("third") == "BCDFGH");
  RoomNews end;
  end.room = news.room;
  end.closed = true;
  SUBCASE("its log is gone") {}
  SUBCASE("its log stays") { end.log_stays = true; }
  lobby.hear(end);
  CHECK_FALSE(lobby.room_of_record("second"));
  CHECK_FALSE(lobby.room_of_record("third"));
  CHECK(lobby.room_of_record("elsewhere") == "CDFGHJ");
}

TEST_CASE("the lobby shows the newest hundred rooms, whatever their codes, the newest first") {
  asio::io_context context;
  Lobby lobby(context);
  const auto news_of = [](const std::string& code) {
    RoomNews news;
    news.room = code;
    news.listing.emplace();
    news.listing->room = code;
    return news;
  };
  // The newest have the last codes, and were heard of first after a restart.
  const std::vector<std::string> old = {"AAAAAA", "AAAAAB", "AAAAAC"};
  lobby.expect({old, 0});
  for (auto code = old.rbegin(); code != old.rend(); ++code) lobby.hear(news_of(*code));
  CHECK(lobby.listed().front().room == "AAAAAC");
  CHECK(lobby.listed().back().room == "AAAAAA");
  for (std::size_t i = 0; i < limits::kLobbyRooms; ++i) {
    lobby.hear(news_of("Z" + std::to_string(10'000 + i)));
  }
  CHECK(lobby.listed().size() == limits::kLobbyRooms);
  CHECK(lobby.listed().front().room == "Z" + std::to_string(9'999 + limits::kLobbyRooms));
  CHECK(lobby.listed().back().room == "Z10000");
  RoomNews end;
  end.room = "Z10000";
  end.closed = true;
  lobby.hear(end);
  CHECK(lobby.listed().back().room == "AAAAAC");
  lobby.hear(news_of("AAAAAB"));  // something in it has changed: it is as old as before
  CHECK(lobby.listed().back().room == "AAAAAC");
}

namespace {

/// So many tables that were made by somebody else.
std::vector<std::string> made_rooms(Life& life, std::size_t count, const std::string& more = "") {
  std::vector<std::string> rooms;
  while (rooms.size() < count) {
    if (rooms.size() % limits::kRoomsPerConnection == 0) life.enter();
    rooms.push_back(life.ask(R"({"type":"create","id":"c)" + std::to_string(rooms.size()) +
                             R"(","game":"triqueta","seats":2)" + more + "}")
                        .at("room"));
  }
  return rooms;
}

std::string request(const std::string& type, const std::string& room, const std::string& more) {
  return R"({"type":")" + type + R"(","id":"x","room":")" + room + R"(")" + more + "}";
}

}  // namespace

TEST_CASE("a connection is in sixteen rooms at most, by whichever door it comes") {
  constexpr int kMost = limits::kRoomsPerConnection;
  KeptStore store;
  Life life(store);
  const auto rooms = made_rooms(life, 3 * limits::kRoomsPerConnection);
  const std::string match = R"(,"match":")" + std::string(32, '0') + R"(")";
  for (const std::string door : {"join", "watch"}) {
    CAPTURE(door);
    life.enter();
    std::vector<std::string> asks;
    for (const std::string& room : rooms) {
      asks.push_back(request("history", room, match + R"(,"after":0)"));
    }
    CHECK(life.say_at_once(asks) == std::map<std::string, int>{{"not_in_room", 3 * kMost}});
    asks.clear();
    for (const std::string& room : rooms) asks.push_back(request(door, room, ""));
    CHECK(life.say_at_once(asks) ==
          std::map<std::string, int>{{"", kMost}, {"too_many_rooms", 2 * kMost}});
    CHECK(life.ask(kCreate).at("code") == "too_many_rooms");
    // A room that was left does not count, and one that did not let it in neither.
    CHECK(life.ask(request("leave", rooms[0], "")).at("type") == "ok");
    CHECK(life.ask(request("join", rooms[20], R"(,"seat":7)")).at("code") == "no_such_seat");
    CHECK(life.ask(request(door, rooms[20], "")).at("type") == "ok");
    CHECK(life.ask(request(door, rooms[21], "")).at("code") == "too_many_rooms");
    life.leave();
  }
  life.enter();
  std::vector<std::string> creates;
  for (int i = 0; i < 2 * kMost; ++i) {
    creates.push_back(R"({"type":"create","id":"m)" + std::to_string(i) +
                      R"(","game":"triqueta"})");
  }
  CHECK(life.say_at_once(creates) ==
        std::map<std::string, int>{{"", kMost}, {"too_many_rooms", kMost}});
}

TEST_CASE("wrong passwords cost before they are looked at, however many are sent at once") {
  KeptStore store;
  Life life(store);
  const std::string room = made_rooms(life, 1, R"(,"password":"sesame")").front();
  life.connect("203.0.113.7");
  CHECK(life.ask(R"({"type":"hello","id":"h","protocol":1})").at("type") == "welcome");
  // The code is known by then: that must not make guesses free.
  const std::string match = R"(,"match":")" + std::string(32, '0') + R"(","after":0)";
  std::vector<std::string> asks = {request("history", room, match)};
  for (int i = 0; i < 100; ++i) asks.push_back(request("join", room, R"(,"password":"wrong")"));
  const TimePoint began = now();
  auto codes = life.say_at_once(asks);
  const auto more =
      (now() - began) / (std::chrono::seconds(60) / limits::kWrongGuessesPerMinute) + 1;
  CHECK(codes["not_in_room"] == 1);
  CHECK(codes["wrong_password"] >= limits::kWrongGuessBurst);
  CHECK(codes["wrong_password"] <= limits::kWrongGuessBurst + more);
  CHECK(codes["wrong_password"] + codes["too_fast"] == 100);
  life.connect("203.0.113.8");
  life.ask(R"({"type":"hello","id":"h","protocol":1})");
  for (int i = 0; i < 2; ++i) {
    CHECK(life.ask(request("join", room, R"(,"password":"sesame")")).at("type") == "ok");
  }
}

TEST_CASE("an error quotes a client's words no longer than a client can show") {
  KeptStore store;
  Life life(store);
  life.enter();
  std::string words;
  while (words.size() < 7'000) words += "ä";
  const std::string field = R"(,")" + words + R"(":1})";
  for (const std::string& text :
       {R"({"type":"ping","id":"p")" + field,
        R"({"type":"ping","id":"p",")" + words + R"(":1)" + field,
        R"({"type":"create","id":"p","game":"triqueta","options":{"variant":"base")" + field +
            "}"}) {
    const std::size_t before = life.heard().size();
    life.say_at_once({text});
    REQUIRE(life.heard().size() == before + 1);
    const Json& error = life.heard().back();
    CHECK(error.at("type") == "error");
    CHECK(error.dump().size() < 200);
  }
}

TEST_CASE("what everybody in a room hears of has a budget for the room") {
  KeptStore store;
  Life life(store);
  const std::string room = made_rooms(life, 1).front();
  std::vector<std::string> reactions(110, request("react", room, R"(,"reaction":"clap")"));
  auto codes = life.say_at_once(reactions);
  CHECK(codes[""] >= limits::kTalkBurst);
  CHECK(codes["too_fast"] > 0);
  CHECK(life.heard().back().at("args").at("retry_ms") > 0);
  // Strangers who come and go; the player at the table comes back all the same.
  codes.clear();
  for (int i = 0; i < 8; ++i) {
    life.enter();
    std::vector<std::string> visits;
    for (int j = 0; j < 58; ++j) {
      visits.push_back(request("watch", room, ""));
      visits.push_back(request("leave", room, ""));
    }
    for (const auto& [code, count] : life.say_at_once(visits)) codes[code] += count;
    life.leave();
  }
  CHECK(codes["too_fast"] > 0);
}

TEST_CASE("the code of another device is good for another try when the store was full") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string code = life.ask(R"({"type":"device","id":"d"})").at("device");
  const std::string hello = R"({"type":"hello","protocol":1,"device":")" + code + R"(","id":")";
  store.verdict = Kept::refused;
  life.connect();
  CHECK(life.ask(hello + R"(1"})").at("code") == "storage_unavailable");
  store.verdict = Kept::ok;
  CHECK(life.ask(hello + R"(2"})").at("type") == "welcome");
  life.connect();
  CHECK(life.ask(hello + R"(3"})").at("code") == "bad_device");
}

TEST_CASE("an operator is told that a room stays when its end cannot be stored") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  CHECK(life.close("NOSUCH") == Closing::no_such_room);
  store.verdict = Kept::refused;
  CHECK(life.close(room) == Closing::storage_unavailable);
  store.verdict = Kept::ok;
  CHECK(life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})").at("type") == "ok");
  CHECK(life.close(room) == Closing::closed);
  CHECK(life.heard().back().at("type") == "bye");
  CHECK(std::holds_alternative<RoomClosed>(store.logs[room].back()));
  CHECK(life.close(room) == Closing::no_such_room);
}

TEST_CASE("while nobody knows what a store has kept the server is not ready, until a try is kept") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  CHECK(metrics().stores_well());
  store.verdict = Kept::unknown;
  store.states[room] = LogState::unavailable;
  CHECK(life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})").is_null());
  CHECK_FALSE(metrics().stores_well());
  life.look_at_store();
  CHECK_FALSE(metrics().stores_well());
  store.verdict = Kept::ok;
  life.look_at_store();
  CHECK(metrics().stores_well());
}

TEST_CASE("after an append of unknown outcome the room says what its log says") {
  for (const bool is_written : {true, false}) {
    CAPTURE(is_written);
    KeptStore store;
    Life life(store);
    life.enter();
    const std::string room = life.ask(kCreate).at("room");
    store.verdict = Kept::unknown;
    store.writes = is_written;
    // Nobody can tell at first: until then the room is silent.
    store.states[room] = LogState::unavailable;
    const std::string bot = R"({"type":"add_bot","id":"b","room":")" + room + R"("})";
    CHECK(life.ask(bot).is_null());
    store.states[room] = LogState::ok;
    store.verdict = Kept::ok;
    const std::size_t before = life.heard().size();
    life.turn_until([&] { return life.heard().size() > before; });
    life.turn();
    const Json& last = life.heard().back();
    if (is_written) {
      CHECK(last.at("type") == "room");
      CHECK(last.at("seats").at(1).at("kind") == "bot");
    } else {
      CHECK(last.value("code", "") == "storage_unavailable");
    }
    CHECK(life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})").at("type") ==
          (is_written ? "ok" : "error"));
  }
}

TEST_CASE("whoever comes to a full mailbox hears busy, and whoever is in it is answered once") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  store.holds = true;
  const std::string bot = R"({"type":"add_bot","id":"b","room":")" + room + R"("})";
  CHECK(life.ask(bot).is_null());
  const std::size_t before = life.heard().size();
  for (std::size_t i = 0; i < limits::kMailboxMessages; ++i) life.post(room, std::to_string(i));
  CHECK(life.heard().size() == before);
  life.post(room, "one more");
  REQUIRE(life.heard().size() == before + 1);
  CHECK(life.heard().back().at("re") == "one more");
  CHECK(life.heard().back().at("code") == "busy");
  store.holds = false;
  REQUIRE(store.held.size() == 1);
  store.held.front()();
  // What it holds leads to the room, and must not outlive it.
  store.held.clear();
  life.turn();
  std::map<std::string, int> answers;
  for (const Json& frame : life.heard()) ++answers[frame.value("re", "")];
  for (std::size_t i = 0; i < limits::kMailboxMessages; ++i) CHECK(answers[std::to_string(i)] == 1);
  CHECK(answers["b"] == 1);
}

TEST_CASE(
    "a token stays the same player's under a new name and after its rooms, and is not renewed") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string token = life.heard().front().at("token");
  const std::string room = life.ask(kCreate).at("room");
  life.enter(token, "Somebody Else");
  CHECK(life.heard().front().at("player") == "Somebody Else");
  CHECK_FALSE(life.heard().front().contains("token"));
  CHECK(life.heard().front().at("seats").size() == 1);
  CHECK(life.ask(R"({"type":"leave","id":"l","room":")" + room + R"("})").at("type") == "ok");
  life.enter(token);
  CHECK(life.heard().front().at("type") == "welcome");
  CHECK(life.heard().front().at("seats").empty());
}

TEST_CASE("a room whose log has another writer gives way") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  store.logs[room].push_back(BotSeated{Seat{1}, BotLevel::random, {}, {}});
  life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})");
  CHECK(life.heard().back().at("type") == "bye");
  CHECK(life.ask(join(room)).at("code") == "room_closed");
  CHECK(std::holds_alternative<BotSeated>(store.logs[room].back()));
}

TEST_CASE("who was not seen for long and holds no seat is forgotten, also after a restart") {
  KeptStore store;
  std::string seated;
  std::string gone;
  {
    Life life(store);
    life.enter();
    seated = life.heard().front().at("token");
    const std::string room = life.ask(kCreate).at("room");
    life.enter();
    gone = life.heard().front().at("token");
    REQUIRE(life.ask(join(room)).at("type") == "ok");
    REQUIRE(life.ask(R"({"type":"leave","id":"l","room":")" + room + R"("})").at("type") == "ok");
  }
  REQUIRE(store.players.size() == 2);
  Life life(store);
  for (int i = 0; i < 4; ++i) life.forget_players();
  REQUIRE(store.players.size() == 1);
  life.enter(seated);
  CHECK(life.heard().front().at("seats").size() == 1);
  life.enter(gone);
  CHECK(life.heard().front().at("code") == "bad_token");
}

TEST_CASE("a host opens and closes the door some times, and not without end") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(kCreate).at("room");
  const auto door = [&](int number, const char* open) {
    return life.ask(R"({"type":"door","id":"d)" + std::to_string(number) + R"(","room":")" + room +
                    R"(","open":)" + open + "}");
  };
  // What changes nothing costs nothing.
  for (int i = 0; i < 25; ++i) REQUIRE(door(i, "true").at("type") == "ok");
  int changes = 0;
  while (changes < 60 &&
         door(100 + changes, changes % 2 == 0 ? "false" : "true").at("type") == "ok") {
    ++changes;
  }
  CHECK(changes >= limits::kDoorBurst);
  CHECK(changes < limits::kDoorBurst + 10);
  CHECK(door(200, "true").at("code") == "too_fast");
  CHECK(door(201, "true").at("args").at("retry_ms") > 0);
}

TEST_CASE("whoever leaves rooms behind stops at a limit, and an operator closes them at once") {
  KeptStore store;
  Life life(store);
  life.enter();
  std::size_t made = 0;
  Json answer;
  for (; made < limits::kRoomsPerPlayer + 1; ++made) {
    const std::string number = std::to_string(made);
    answer = life.ask(R"({"type":"create","id":"c)" + number + R"(","game":"triqueta","seats":2})");
    if (answer.at("type") != "ok") break;
    const std::string in = number + R"(","room":")" + answer.at("room").get<std::string>() + "\"}";
    life.ask(R"({"type":"add_bot","id":"b)" + in);
    REQUIRE(life.ask(R"({"type":"start","id":"s)" + in).at("type") == "ok");
    REQUIRE(life.ask(R"({"type":"leave","id":"l)" + in).at("type") == "ok");
  }
  CHECK(made == limits::kRoomsPerPlayer);
  CHECK(answer.at("code") == "too_many_rooms");
  CHECK(answer.at("args").at("limit") == limits::kRoomsPerPlayer);
  // The same request as before gets the same room, and another player goes on.
  CHECK(life.ask(R"({"type":"create","id":"c0","game":"triqueta","seats":2})").at("type") == "ok");
  life.enter();
  const std::string lively = life.ask(kCreate).at("room");
  CHECK(life.sweep({"", 1}) == 0);
  // The one that was asked for again has somebody in it.
  CHECK(life.sweep({"", 0}) == limits::kRoomsPerPlayer - 1);
  CHECK(store.logs.size() == 2);
  CHECK(store.logs.contains(lively));
}

TEST_CASE(
    "bots that come and go before a match leave nothing in the log, and the room is the same") {
  KeptStore store;
  std::string token;
  std::string room;
  const auto asked = [&](Life& life, const std::string& type, int number, const std::string& more) {
    return life.ask(R"({"type":")" + type + R"(","id":")" + type + std::to_string(number) +
                    R"(","room":")" + room + "\"" + more + "}");
  };
  std::size_t longest = 0;
  {
    RoomPolicy policy;
    Life life(store, policy);
    life.enter();
    token = life.heard().front().at("token");
    room = life.ask(R"({"type":"create","id":"c","game":"triqueta","seats":4})").at("room");
    for (int i = 0; i < 600; ++i) {
      // A connection may say so much in a second: each has its own.
      if (i % 50 == 0) {
        life.leave();
        life.enter(token);
        REQUIRE(life.ask(join(room)).at("type") == "ok");
      }
      // At times nobody can tell whether the shorter log was written.
      store.writes = i % 2 == 0;
      store.verdict = i % 7 == 0 ? Kept::unknown : Kept::ok;
      const Json added = asked(life, "add_bot", i, R"(,"seat":)" + std::to_string(1 + i % 3));
      store.verdict = Kept::ok;
      longest = std::max(longest, store.logs[room].size());
      if (i < 597 && added.at("type") == "ok") {
        REQUIRE(
            asked(life, "remove_bot", i, R"(,"seat":)" + std::to_string(1 + i % 3)).at("type") ==
            "ok");
      }
    }
  }
  CHECK(longest > 100);
  CHECK(longest < limits::kGatheringRecords + 20);
  Life life(store);
  life.enter(token);
  CHECK(life.heard().front().at("seats") == Json::array({{{"room", room}, {"seat", 0}}}));
  CHECK(life.ask(join(room)).at("seat") == 0);
  // Asked again, the bot is the one that is there.
  CHECK(asked(life, "add_bot", 599, R"(,"seat":1)").at("seat") == 1 + 599 % 3);
  CHECK(asked(life, "start", 0, "").at("type") == "ok");
}

/// Rooms are put away as soon as nobody is there and nothing is due.
RoomPolicy restless() {
  RoomPolicy policy;
  policy.rest_time = std::chrono::milliseconds(1);
  policy.away_time = std::chrono::milliseconds(1);
  policy.bot_delay = std::chrono::milliseconds(0);
  return policy;
}

/// A room in which nobody is any more, and which sleeps; and its maker's token.
std::pair<std::string, std::string> sleeping_room(Life& life, KeptStore& store,
                                                  const std::string& more = "") {
  life.enter();
  const std::string token = life.heard().front().at("token");
  const std::string room =
      life.ask(R"({"type":"create","id":"c","game":"triqueta","seats":2)" + more + "}").at("room");
  life.leave();
  life.turn_until([&] { return store.naps.contains(room); });
  life.turn();
  REQUIRE(store.naps.contains(room));
  return {room, token};
}

TEST_CASE("a room that nobody needs is put away, and whoever comes back finds it as it was") {
  KeptStore store;
  Life life(store, restless());
  const auto [room, token] = sleeping_room(life, store);
  CHECK(store.loads == 0);
  life.enter(token);
  const Json seats = Json::array({{{"room", room}, {"seat", 0}}});
  CHECK(life.heard().front().at("seats") == seats);
  // What is known of it is known without reading its log.
  CHECK(life.all_rooms() == std::vector<std::string>{room});
  REQUIRE(life.invitation(room));
  CHECK(life.invitation(room)->taken == 1);
  CHECK(store.loads == 0);
  const std::size_t size = store.logs[room].size();
  CHECK(life.ask(kCreate).at("room") == room);
  CHECK(store.loads == 1);
  CHECK(store.logs[room].size() == size);
  // The store knows that it is in use, before anything is appended.
  CHECK(store.index.rooms().in_use == std::vector<std::string>{room});
  CHECK(life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})").at("type") == "ok");
  CHECK(life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})").at("type") == "ok");
  CHECK(store.loads == 1);
}

TEST_CASE("a start reads the rooms in use, and none of those that sleep") {
  KeptStore store;
  std::string asleep;
  std::string token;
  std::string in_use;
  {
    Life life(store, restless());
    std::tie(asleep, token) = sleeping_room(life, store);
    life.enter();
    in_use = life.ask(kCreate).at("room");
  }
  store.loads = 0;
  // One that was in use is not put away again at once.
  Life life(store);
  CHECK(store.loads == 1);
  life.enter(token);
  CHECK(life.ask(join(in_use)).at("seat") == 1);
  CHECK(store.loads == 1);
  CHECK(life.ask(join(asleep)).at("seat") == 0);
  CHECK(store.loads == 2);
}

/// The n-th of the codes that a room may have.
std::string nth_code(std::size_t n) {
  constexpr std::string_view kLetters = "BCDFGHJKLMNPQRSTVWXZ";
  std::string code;
  for (std::size_t i = 0; i < limits::kRoomCodeLetters; ++i, n /= kLetters.size()) {
    code += kLetters[n % kLetters.size()];
  }
  return code;
}

/// Writes so many rooms like this one into a store, asleep.
void keep_many(EventStore& store, std::vector<Record> log, RoomEntry entry, const std::string& note,
               std::size_t count) {
  asio::io_context thread;
  const auto guard = asio::make_work_guard(thread);
  std::size_t kept = 0;
  const auto told = [&](Kept verdict) { kept += verdict == Kept::ok ? 1U : 0U; };
  for (std::size_t i = 0; i < count; ++i) {
    const std::string code = nth_code(i);
    std::get<RoomCreated>(log.front()).room = entry.room = entry.summary.room = code;
    store.append({code, 0, 0, 0, log, &entry}, thread, told);
    store.rest({code, log.size(), 0, note, std::chrono::hours(1)}, thread, told);
    if (i % 1000 != 999 && i + 1 != count) continue;
    while (kept < 2 * (i + 1)) REQUIRE(thread.run_one() > 0);
  }
}

#ifdef TRIQUETRA_SANITIZED
constexpr std::size_t kManyRooms = 2 * limits::kFoundRooms;
#else
constexpr std::size_t kManyRooms = 5000;
#endif

// The long form: TRIQUETRA_KEPT_ROOMS=100000.
TEST_CASE("however many rooms are kept on a disk, a start reads none that sleeps") {
  const char* const wanted = std::getenv("TRIQUETRA_KEPT_ROOMS");
  const std::size_t count = wanted != nullptr ? std::stoul(wanted) : kManyRooms;
  KeptStore model;
  std::string token;
  std::string room;
  {
    Life life(model, restless());
    std::tie(room, token) = sleeping_room(life, model);
  }
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("triquetra-kept-" + fresh_hex(8))).string();
  std::filesystem::create_directory(folder);
  {
    SqliteStore store(folder + "/test.db");
    keep_many(store, model.logs[room], model.entries[room], model.naps[room].first, count);
    const auto& player = *model.players.begin();
    store.put_player(player.first, player.second, [](Kept) {});
  }
  {
    SqliteStore store(folder + "/test.db");
    Counting counting(store);
    Life life(counting);
    CHECK(counting.loads == 0);
    life.connect();
    life.say_at_once({R"({"type":"hello","id":"h","protocol":1,"token":")" + token + R"("})"});
    life.turn_until([&] { return !life.answer_to("h").is_null(); });
    // The player sits in all of them, and hears of those that were made last.
    REQUIRE(life.answer_to("h").contains("seats"));
    CHECK(life.answer_to("h").at("seats").size() == std::min(count, limits::kFoundRooms));
    CHECK(life.answer_to("h").at("seats").at(0).at("room") == nth_code(count - 1));
    CHECK(counting.loads == 0);
    life.say_at_once({join(nth_code(count / 2))});
    life.turn_until([&] { return !life.answer_to("j").is_null(); });
    CHECK(life.answer_to("j").value("seat", -1) == 0);
    CHECK(counting.loads == 1);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("all who come to a sleeping room at once wait for one read, and too many hear busy") {
  KeptStore store;
  Life life(store, restless());
  const auto [room, token] = sleeping_room(life, store);
  life.enter(token);
  store.holds_loads = true;
  const std::size_t before = life.heard().size();
  for (std::size_t i = 0; i < limits::kMailboxMessages; ++i) life.post(room, std::to_string(i));
  CHECK(life.heard().size() == before);
  CHECK(store.held_loads.size() == 1);
  life.post(room, "one more");
  REQUIRE(life.heard().size() == before + 1);
  CHECK(life.heard().back().at("code") == "busy");
  SUBCASE("it is read") {
    store.held_loads.front()();
    life.turn();
    std::map<std::string, int> answers;
    for (const Json& frame : life.heard()) ++answers[frame.value("re", "")];
    for (std::size_t i = 0; i < limits::kMailboxMessages; ++i) {
      CHECK(answers[std::to_string(i)] == 1);
    }
    CHECK(life.heard().back().at("code") == "not_seated");
  }
  SUBCASE("it cannot be read now: it sleeps on, and the next one has it read again") {
    store.states[room] = LogState::unavailable;
    store.held_loads.front()();
    life.turn();
    CHECK(life.heard().back().at("code") == "storage_unavailable");
    store.holds_loads = false;
    CHECK(life.ask(join(room)).at("code") == "storage_unavailable");
    store.states[room] = LogState::ok;
    CHECK(life.ask(join(room)).at("seat") == 0);
  }
  SUBCASE("it is damaged") {
    store.states[room] = LogState::damaged;
    store.held_loads.front()();
    life.turn();
    CHECK(life.heard().back().at("code") == "room_closed");
  }
  store.held_loads.clear();
}

TEST_CASE("whoever comes while a room falls asleep is answered, whatever becomes of its rest") {
  for (const Kept verdict : {Kept::ok, Kept::refused, Kept::unknown}) {
    CAPTURE(static_cast<int>(verdict));
    KeptStore store;
    Life life(store, restless());
    life.enter();
    const std::string token = life.heard().front().at("token");
    const std::string room = life.ask(kCreate).at("room");
    life.leave();
    store.holds = true;
    life.turn_until([&] { return !store.held.empty(); });
    REQUIRE(store.held.size() == 1);
    // Its rest is under way.
    life.enter(token);
    CHECK(life.ask(join(room)).is_null());
    store.holds = false;
    store.verdict = verdict;
    store.held.front()();
    store.held.clear();
    store.verdict = Kept::ok;
    life.turn();
    CHECK(life.answer_to("j").at("seat") == 0);
    CHECK(store.loads == 0);
    // The next record says that it is in use.
    CHECK(life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})").at("type") == "ok");
    CHECK(store.index.rooms().in_use == std::vector<std::string>{room});
    CHECK(store.entries[room].summary.taken == 2);
  }
}

TEST_CASE("the clock of a sleeping room rings, also when the server was gone at that moment") {
  KeptStore store;
  RoomPolicy policy = restless();
  SUBCASE("nobody was there for long: it is closed") {
    policy.idle_time = std::chrono::milliseconds(60);
    Life life(store, policy);
    sleeping_room(life, store);
    life.turn_until([&] { return store.logs.empty(); });
    CHECK(store.logs.empty());
    CHECK(store.loads == 1);
  }
  SUBCASE("a turn has a clock: it lapses") {
    std::string room;
    std::size_t size = 0;
    {
      // Who is gone keeps the seat until the start.
      RoomPolicy patient = policy;
      patient.away_time = std::chrono::hours(1);
      Life life(store, patient);
      life.enter();
      const std::string create =
          R"({"type":"create","id":"c","game":"triqueta","seats":2,"clock":3600,)"
          R"("options":{"first_seat":0}})";
      room = life.ask(create).at("room");
      life.enter();
      REQUIRE(life.ask(join(room)).at("seat") == 1);
      life.leave();
      life.post_as(store.entries[room].maker, room,
                   {{"type", "start"}, {"id", "s"}, {"room", room}});
      REQUIRE(std::holds_alternative<MatchStarted>(store.logs[room].back()));
      size = store.logs[room].size();
    }
    // The first one was cut off. So a start makes the room again, with nobody in it.
    {
      Life life(store, policy);
      life.turn_until([&] { return store.naps.contains(room); });
      REQUIRE(store.naps.contains(room));
      CHECK(store.logs[room].size() == size);
      store.loads = 0;
    }
    store.naps[room].second -= std::chrono::hours(1);
    store.index.rest(room, std::chrono::milliseconds(-1), now());
    SUBCASE("at the next start") {
      Life life(store, policy);
      life.turn_until([&] { return store.logs[room].size() > size; });
      REQUIRE(store.logs[room].size() > size);
      const auto* acted = std::get_if<Acted>(&store.logs[room][size]);
      REQUIRE(acted != nullptr);
      CHECK(acted->by == ActedBy::clock);
    }
    SUBCASE("though its log cannot be read at first") {
      store.states[room] = LogState::unavailable;
      Life life(store, policy);
      life.turn_until([&] { return store.loads >= 2; });
      CHECK(store.logs[room].size() == size);
      store.states[room] = LogState::ok;
      life.turn_until([&] { return store.logs[room].size() > size; });
      CHECK(store.logs[room].size() > size);
    }
  }
}

TEST_CASE("the record of a sleeping room's match is for anybody, and an operator closes the room") {
  KeptStore store;
  Life life(store, restless());
  life.enter();
  const std::string room =
      life.ask(R"({"type":"create","id":"c","game":"triqueta","seats":2,"visibility":"listed"})")
          .at("room");
  life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})");
  life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})");
  const std::string match = life.heard().back().at("match");
  play_out(life, store.players.begin()->second.id, room, "m-");
  life.leave();
  life.turn_until([&] { return store.naps.contains(room); });
  REQUIRE(store.naps.contains(room));
  SUBCASE("a record") {
    const ReadMatch read = life.open_record(match);
    REQUIRE(std::holds_alternative<std::shared_ptr<const LoggedMatch>>(read));
    CHECK(std::get<std::shared_ptr<const LoggedMatch>>(read)->match == match);
    CHECK(std::get<ErrorCode>(life.open_record(room)) == ErrorCode::no_such_match);
    CHECK(std::get<ErrorCode>(life.open_record("nothing")) == ErrorCode::no_such_match);
  }
  SUBCASE("closed") {
    CHECK(life.close(room) == Closing::closed);
    CHECK(std::holds_alternative<RoomClosed>(store.logs[room].back()));
    CHECK(life.all_rooms().empty());
    CHECK(store.index.rooms().in_use.empty());
  }
  SUBCASE("swept") {
    CHECK(life.sweep({"", 1}) == 0);
    CHECK(life.sweep({"", 0}) == 1);
    CHECK(store.logs.empty());
  }
}

/// What is to be thought, and how much of it was.
class Counted final : public Thinking {
 public:
  struct Count {
    std::vector<std::uint32_t> playouts;
    std::thread::id thread;
  };
  explicit Counted(Count& count) : count_(count) {}
  std::uint32_t playouts() const override { return 600; }
  Thought run(std::uint32_t playouts, const std::function<bool()>&) override {
    count_.playouts.push_back(playouts);
    count_.thread = std::this_thread::get_id();
    return {"{}", {}, playouts};
  }

 private:
  Count& count_;
};

/// Never comes to an end by itself, and has something when it is ended.
class Endless final : public Thinking {
 public:
  std::uint32_t playouts() const override { return 1; }
  Thought run(std::uint32_t, const std::function<bool()>& has_to_end) override {
    std::uint32_t count = 1;
    while (!has_to_end()) ++count;
    return {"{}", {}, count};
  }
};

TEST_CASE("a hundred rooms whose experts think take none of it on their own thread") {
  KeptStore store;
  RoomPolicy policy;
  policy.bot_delay = std::chrono::hours(24);  // so that no clock has a part in this
  std::size_t rooms = 0;
  Life life(store, policy);
  for (; rooms < 100; ++rooms) {
    // A player may have twenty.
    if (rooms % 15 == 0) life.enter();
    const std::string create = R"({"type":"create","id":"c)" + std::to_string(rooms) +
                               R"(","game":"triqueta","seats":2,"options":{"first_seat":1}})";
    const std::string room = life.ask(create).at("room");
    const auto say = [&](const std::string& type, const std::string& more = "") {
      return life.ask(R"({"type":")" + type + R"(","id":")" + type + room + R"(","room":")" + room +
                      "\"" + more + "}");
    };
    say("add_bot", R"(,"level":"expert")");
    REQUIRE(say("start").at("type") == "ok");
    // People are answered, whatever waits; and that it waits means that the room has not done it.
    CHECK(say("react", R"(,"reaction":"clap")").at("type") == "ok");
    CHECK(life.thoughts() == rooms + 1);
  }
  CHECK(life.think() == rooms);
  CHECK(life.thoughts() == 0);
}

TEST_CASE("a hint comes from the threads that think, once for each request") {
  KeptStore store;
  Life life(store);
  life.enter();
  const std::string room = life.ask(R"({"type":"create","id":"c","game":"triqueta","seats":2,)"
                                    R"("options":{"first_seat":0}})")
                               .at("room");
  life.ask(R"({"type":"add_bot","id":"b","room":")" + room + R"("})");
  life.ask(R"({"type":"start","id":"s","room":")" + room + R"("})");
  const auto hint = [&](int number) {
    return life.ask(R"({"type":"hint","id":"h)" + std::to_string(number) + R"(","room":")" + room +
                    R"("})");
  };
  CHECK(hint(1).is_null());
  CHECK(life.thoughts() == 1);
  SUBCASE("it is answered") {
    life.think();
    const Json told = life.answer_to("h1").at("hint");
    CHECK(told.at("rev") == 0);
    CHECK_FALSE(told.at("acts").empty());
    // More often than anybody needs.
    for (int i = 2; i <= limits::kHintBurst; ++i) hint(i);
    CHECK(hint(100).at("code") == "too_fast");
    // All but the newest were answered when the next was asked for.
    for (int i = 2; i < limits::kHintBurst; ++i) {
      CHECK(life.answer_to("h" + std::to_string(i)).at("code") == "too_late");
    }
    life.think();
    CHECK(life.answer_to("h" + std::to_string(limits::kHintBurst)).at("hint").at("rev") == 0);
  }
  SUBCASE("the room is closed meanwhile") {
    CHECK(life.close(room) == Closing::closed);
    CHECK(life.answer_to("h1").at("code") == "room_closed");
    life.think();
    const auto answers = std::count_if(life.heard().begin(), life.heard().end(),
                                       [](const Json& f) { return f.value("re", "") == "h1"; });
    CHECK(answers == 1);
  }
}

TEST_CASE("the more there is to think about, the less each thought gets of the budget") {
  asio::io_context here;
  Counted::Count count;
  std::size_t heard = 0;
  const auto tell = [&](const Thought&) { ++heard; };
  SUBCASE("by what waits behind it") {
    Thinkers thinkers(1);
    std::vector<AwaitedThought> thoughts;
    for (int i = 0; i < 4; ++i) {
      thoughts.push_back(thinkers.think(std::make_unique<Counted>(count), here, tell));
    }
    CHECK(thinkers.waiting() == 4);
    thinkers.poll(UINT32_MAX);
    CHECK(count.playouts == std::vector<std::uint32_t>{150, 200, 300, 600});
    CHECK(heard == 0);
    // Whoever drops an answer hears nothing, also if it is on its way already.
    thoughts.pop_back();
    here.poll();
    CHECK(heard == 3);
  }
  SUBCASE("what is dropped in time is not thought at all") {
    Thinkers thinkers(1);
    { const auto dropped = thinkers.think(std::make_unique<Counted>(count), here, tell); }
    thinkers.poll(UINT32_MAX);
    here.poll();
    CHECK(count.playouts.empty());
    CHECK(heard == 0);
  }
  SUBCASE("too many act without looking ahead") {
    Thinkers thinkers(1);
    std::vector<AwaitedThought> thoughts;
    for (std::size_t i = 0; i <= limits::kThoughtsWaiting; ++i) {
      thoughts.push_back(thinkers.think(std::make_unique<Counted>(count), here, tell));
    }
    CHECK(thinkers.waiting() == limits::kThoughtsWaiting);
    CHECK(count.playouts == std::vector<std::uint32_t>{0});
    here.poll();
    CHECK(heard == 1);
  }
  SUBCASE("threads of their own think, and the caller's hears") {
    Thinkers thinkers(4);
    thinkers.start();
    const auto thought = thinkers.think(std::make_unique<Counted>(count), here, tell);
    const auto guard = asio::make_work_guard(here);
    while (heard == 0) here.run_one();
    CHECK(count.playouts == std::vector<std::uint32_t>{600});
    CHECK(count.thread != std::this_thread::get_id());
  }
}

TEST_CASE("a thought whose time is over ends with what it has, and what waited behind it too") {
  asio::io_context here;
  std::size_t heard = 0;
  Thinkers thinkers(1);
  thinkers.start();
  const auto shortened = [] {
    const std::string text = metrics().text();
    const std::string name = R"(triquetra_thoughts_total{time="shortened"} )";
    return std::stoul(text.substr(text.find(name) + name.size()));
  };
  const auto before = shortened();
  const auto tell_playouts = [&](const Thought& thought) {
    CHECK(thought.playouts > 0);
    ++heard;
  };
  std::vector<AwaitedThought> thoughts;
  for (int i = 0; i < 20; ++i) {
    thoughts.push_back(thinkers.think(std::make_unique<Endless>(), here, tell_playouts,
                                      {.time = std::chrono::milliseconds(100)}));
  }
  const auto guard = asio::make_work_guard(here);
  while (heard < thoughts.size()) here.run_one();
  CHECK(shortened() == before + thoughts.size());
}

TEST_CASE("rooms that gather or play are counted for an address, wherever they come to an end") {
  asio::io_context context;
  Lobby lobby(context);
  const auto heard = [&](const std::string& code, RoomStatus status) {
    RoomNews news;
    news.room = news.summary.room = code;
    news.summary.status = status;
    lobby.hear(news);
  };
  std::vector<std::string> codes;
  int requests = 0;
  const auto asked = [&](const std::string& household) {
    const std::string number = std::to_string(++requests);
    return lobby.place_for("player " + number, number, household);
  };
  for (std::size_t i = 0; i < limits::kRoomsPerAddress; ++i) {
    codes.push_back(asked("192.0.2.1").code);
    heard(codes.back(), RoomStatus::playing);
  }
  const Lobby::Place refused = asked("192.0.2.1");
  CHECK(refused.code.empty());
  CHECK(refused.limit == limits::kRoomsPerAddress);
  CHECK(asked("192.0.2.2").is_new);
  CHECK(lobby.place_for("school", "1").is_new);
  CHECK(lobby.rooms_from("192.0.2.1").size() == limits::kRoomsPerAddress);
  SUBCASE("finished") { heard(codes[5], RoomStatus::over); }
  SUBCASE("closed, and its log stays") {
    RoomNews news;
    news.room = codes[5];
    news.closed = news.log_stays = true;
    lobby.hear(news);
  }
  SUBCASE("gone") { lobby.give_back(codes[5]); }
  CHECK(asked("192.0.2.1").is_new);
}

}  // namespace triquetra
