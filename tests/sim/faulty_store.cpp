#include "tests/sim/faulty_store.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include "server/base/lease.hpp"
#include "server/base/limits.hpp"

namespace triquetra::sim {
namespace {

std::uint32_t writer_of(std::uint64_t epoch) {
  return static_cast<std::uint32_t>(epoch & ((std::uint64_t{1} << kWriterBits) - 1));
}

}  // namespace

struct FaultyStore::Front {
  std::map<std::uint64_t, Waiting> waiting{};
  std::uint64_t last = 0;
  TimePoint last_done{};
  TimePoint last_answered{};
  std::map<std::string, int> appends{};  // that wait, by room
  bool is_dead = false;
  bool is_slow = false;
  bool is_deaf = false;
  std::uint64_t cuts = 0;
  bool is_cut = false;
  bool knows_of_cut = false;
  std::vector<std::function<void()>> lost{};   // told when it knows
  std::vector<std::shared_ptr<Write>> late{};  // may still be done
  std::vector<LiveNode> nodes{};               // as it has heard last
};

/// The store as one server's life knows it.
class FrontStore final : public EventStore {
 public:
  FrontStore(FaultyStore& store, FaultyStore::FrontPointer front)
      : store_(store), front_(std::move(front)) {}

  void append(const Append& append, boost::asio::io_context& thread,
              std::function<void(Kept)> done) override {
    const std::string& room = append.room;
    const auto entry = append.entry != nullptr ? std::optional(*append.entry) : std::nullopt;
    write_to(room, append.seq, append.epoch, thread, std::move(done),
             [&store = store_, room, entry, from = append.from, records = append.records] {
               store.rewrite(room, from, records);
               store.naps_.erase(room);
               if (entry) store.entries_[room] = *entry;
               store.index_.put(room, entry ? &*entry : nullptr, now());
             });
  }
  void rest(const Rest& rest, boost::asio::io_context& thread,
            std::function<void(Kept)> done) override {
    write_to(rest.room, rest.seq, rest.epoch, thread, std::move(done),
             [&store = store_, room = rest.room, note = rest.note, alarm = rest.alarm] {
               ++store.rests_;
               store.naps_[room] = {note, now()};
               store.index_.rest(room, alarm, now());
             });
  }
  void load(std::string room, std::function<void(LoadedLog)> done) override {
    const auto read = [&store = store_, room = std::move(room)] {
      LoadedLog log;
      if (store.erased_.contains(room)) return log;
      log.records = store.log(room);
      log.epoch = store.epochs_[room];
      if (store.entries_.contains(room)) log.entry = store.entries_[room];
      const auto nap = store.naps_.find(room);
      log.in_use = nap == store.naps_.end();
      if (!log.in_use) {
        const auto& [note, since] = nap->second;
        log.nap = Nap{note, std::chrono::duration_cast<milliseconds>(now() - since)};
      }
      return log;
    };
    look_up<LoadedLog>({LogState::unavailable, {}}, done, read);
  }
  void ring(std::size_t most, std::function<void(std::optional<Rung>)> done) override {
    look_up<std::optional<Rung>>(
        {}, done, [&store = store_, most] { return store.index_.ring(most, now()); });
  }
  void rooms(std::function<void(std::optional<KeptRooms>)> done) override {
    look_up<std::optional<KeptRooms>>({}, done, [&store = store_] { return store.index_.rooms(); });
  }
  void find_rooms(std::string key,
                  std::function<void(std::optional<std::vector<RoomEntry>>)> done) override {
    look_up<std::optional<std::vector<RoomEntry>>>(
        {}, done, [&store = store_, key] { return store.index_.find(key); });
  }
  void sleeping_rooms(std::string after,
                      std::function<void(std::optional<std::vector<SleepingRoom>>)> done) override {
    look_up<std::optional<std::vector<SleepingRoom>>>(
        {}, done, [&store = store_, after] { return store.index_.sleeping(after, now()); });
  }
  void erase(std::string room) override {
    const auto write = [&store = store_, room = std::move(room)] {
      store.erased_.insert(room);
      store.index_.erase(room);
    };
    store_.line_up(front_, {[write] {
                              write();
                              return FaultyStore::Answer([] {});
                            },
                            write, [](bool) {}});
  }
  void put_player(std::string token_hash, StoredPlayer player,
                  std::function<void(Kept)> done) override {
    const auto write = [&store = store_, token_hash = std::move(token_hash),
                        player = std::move(player)] { store.players_[token_hash] = player; };
    line_up_write(write, done);
  }
  void find_player(std::string token_hash, std::function<void(FoundPlayer)> done) override {
    look_up<FoundPlayer>({false, {}}, done, [&store = store_, token_hash = std::move(token_hash)] {
      return FoundPlayer{true, store.player(token_hash)};
    });
  }
  void renew(const NodeClaim& claim,
             const std::function<void(std::optional<std::vector<LiveNode>>)>& done) override {
    store_.renew(front_, claim, done);
  }
  void put_device_code(std::string code_hash, StoredPlayer player,
                       std::function<void(Kept)> done) override {
    const auto write = [&store = store_, code_hash = std::move(code_hash),
                        player = std::move(player)] { store.codes_.put(code_hash, player, now()); };
    line_up_write(write, done);
  }
  void take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) override {
    look_up<FoundPlayer>({false, {}}, done, [&store = store_, code_hash = std::move(code_hash)] {
      return FoundPlayer{true, store.codes_.take(code_hash, now())};
    });
  }
  void give_back_device_code(std::string code_hash) override {
    const auto write = [&store = store_, code_hash = std::move(code_hash)] {
      store.codes_.give_back(code_hash);
    };
    line_up_write(write, [](Kept) {});
  }

 private:
  /// One write about no room: as the store's luck has it.
  void line_up_write(const std::function<void()>& write, const std::function<void(Kept)>& done) {
    store_.line_up(front_,
                   {[&store = store_, write, done] {
                      const Kept kept = store.outcome([&] {
                        write();
                        return true;
                      });
                      return FaultyStore::Answer([done, kept] { done(kept); });
                    },
                    write, [done](bool sent) { done(sent ? Kept::unknown : Kept::refused); }});
  }
  /// One write about a room: as the store's luck has it, and fenced if it does not fit.
  void write_to(const std::string& room, std::uint64_t seq, std::uint64_t epoch,
                boost::asio::io_context& thread, std::function<void(Kept)> done,
                const std::function<void()>& write) {
    store_.most_appends_ = std::max(store_.most_appends_, ++front_->appends[room]);
    if (auto strike = std::exchange(store_.at_next_write_, nullptr)) {
      store_.world_.after(store_.world_.between(0, 6), std::move(strike));
    }
    const auto tell = [&thread, done = std::move(done), front = front_, room](Kept kept) {
      --front->appends[room];
      boost::asio::post(thread, [done, kept] { done(kept); });
    };
    const auto fit_and_write = [&store = store_, room, seq, epoch, write] {
      if (!store.may_write(room, seq, epoch)) return false;
      write();
      return true;
    };
    store_.line_up(
        front_, {[&store = store_, tell, fit_and_write, front = front_] {
                   bool fits = true;
                   Kept kept = store.outcome([&] { return fits = fit_and_write(); });
                   if (!fits) kept = Kept::fenced;
                   const bool ignores = store.canary_ == Canary::fence;
                   if (!fits && front->is_deaf && ignores) kept = Kept::ok;
                   return FaultyStore::Answer([tell, kept] { tell(kept); });
                 },
                 fit_and_write, [tell](bool sent) { tell(sent ? Kept::unknown : Kept::refused); }});
  }
  template <class Found, class Read>
  void look_up(const Found& nothing, const std::function<void(Found)>& done, const Read& read) {
    store_.line_up(front_, {[&store = store_, nothing, done, read] {
                              const bool may = !store.world_.chance(store.refuses);
                              return FaultyStore::Answer(
                                  [done, found = may ? Found(read()) : nothing] { done(found); });
                            },
                            {},
                            [nothing, done](bool) { done(nothing); }});
  }

  FaultyStore& store_;
  FaultyStore::FrontPointer front_;
};

FaultyStore::FrontPointer FaultyStore::open() { return std::make_shared<Front>(); }

std::unique_ptr<EventStore> FaultyStore::store_of(const FrontPointer& front) {
  return std::make_unique<FrontStore>(*this, front);
}

// ---- What becomes of a server, or of its way here -----------------------------------------------

void FaultyStore::server_died(const FrontPointer& front) {
  front->is_dead = true;
  // What came first may have been written, and nobody will ever be told.
  for (const auto& [number, waiting] : front->waiting) {
    if (waiting.answer) continue;
    if (!world_.chance(700)) break;
    if (waiting.write) waiting.write();
  }
  front->waiting.clear();
  front->lost.clear();
}

void FaultyStore::cut_off(const FrontPointer& front) {
  if (front->is_dead || std::exchange(front->is_cut, true)) return;
  ++faults_;
  front->knows_of_cut = false;
  bool is_sent = true;
  for (auto& [number, waiting] : std::exchange(front->waiting, {})) {
    lose(*front, std::move(waiting), is_sent);
  }
  const auto longest = static_cast<int>(limits::kPostgresAnswerTime.count());
  world_.after(world_.between(0, world_.chance(500) ? 50 : longest),
               [this, front, cut = ++front->cuts] {
                 if (front->is_cut && front->cuts == cut) hear_of_cut(*front);
               });
}

void FaultyStore::lose(Front& front, Waiting waiting, bool& is_sent) {
  is_sent = waiting.answer || (is_sent && world_.chance(700));
  front.lost.push_back([lost = waiting.lost, is_sent] { lost(is_sent); });
  if (waiting.answer || !is_sent || !waiting.write || world_.chance(300)) return;
  const auto write = std::make_shared<Write>(std::move(waiting.write));
  front.late.push_back(write);
  world_.after(world_.between(0, 20'000), [write] {
    if (const auto once = std::exchange(*write, nullptr)) once();
  });
}

void FaultyStore::hear_of_cut(Front& front) {
  front.knows_of_cut = true;
  world_.wake();
  for (const auto& tell : std::exchange(front.lost, {})) tell();
}

void FaultyStore::mend(const FrontPointer& front) {
  if (front->is_dead || !std::exchange(front->is_cut, false)) return;
  for (const auto& write : std::exchange(front->late, {})) {
    const auto once = std::exchange(*write, nullptr);
    if (once && world_.chance(500)) once();
  }
  hear_of_cut(*front);
}

void FaultyStore::slow_down(const FrontPointer& front, bool is_slow) { front->is_slow = is_slow; }

void FaultyStore::deafen(const FrontPointer& front) { front->is_deaf = true; }

milliseconds FaultyStore::pause(const Front& front) {
  if (front.is_slow) return world_.between(200, 2000);
  return world_.between(0, world_.chance(20) ? 3000 : 8);
}

milliseconds FaultyStore::until(TimePoint at) const {
  return std::chrono::duration_cast<milliseconds>(at - now());
}

void FaultyStore::line_up(const FrontPointer& front, Waiting waiting) {
  if (front->is_dead) return;
  if (front->is_cut) {
    // It waits for the answers to what was asked before, or is told at once.
    front->lost.push_back([lost = std::move(waiting.lost)] { lost(false); });
    if (!front->knows_of_cut) return;
    world_.after(world_.between(0, 8), [this, front] {
      if (!front->is_dead) hear_of_cut(*front);
    });
    return;
  }
  front->last_done = std::max(front->last_done, now() + pause(*front));
  const std::uint64_t number = ++front->last;
  front->waiting[number] = std::move(waiting);
  longest_queue_ = std::max(longest_queue_, front->waiting.size());
  world_.after(until(front->last_done), [this, front, number] {
    const auto found = front->waiting.find(number);
    if (found == front->waiting.end()) return;
    found->second.answer = found->second.work();
    // The way back.
    front->last_answered = std::max(front->last_answered, now() + world_.between(0, 4));
    world_.after(until(front->last_answered), [this, front, number] {
      const auto done = front->waiting.extract(number);
      if (!done) return;
      world_.wake();
      done.mapped().answer();
    });
  });
}

// ---- What is kept -------------------------------------------------------------------------------

const std::vector<Record>& FaultyStore::log(const std::string& room) const {
  static const std::vector<Record> kNothing;
  const auto found = logs_.find(room);
  return found == logs_.end() ? kNothing : found->second;
}

std::optional<StoredPlayer> FaultyStore::player(const std::string& token_hash) const {
  const auto found = players_.find(token_hash);
  return found == players_.end() ? std::nullopt : std::optional(found->second);
}

bool FaultyStore::may_write(const std::string& room, std::uint64_t seq, std::uint64_t epoch) {
  std::uint64_t& last = epochs_[room];
  if (erased_.contains(room) || log(room).size() != seq || epoch < last) {
    ++fenced_;
    return false;
  }
  if (is_of_another(last, writer_of(epoch))) ++takeovers_;
  last = epoch;
  return true;
}

void FaultyStore::rewrite(const std::string& room, std::uint64_t from,
                          const std::vector<Record>& records) {
  std::vector<Record>& log = logs_[room];
  log.erase(log.begin() + static_cast<std::ptrdiff_t>(from), log.end());
  for (const Record& record : records) {
    const bool strikes = std::holds_alternative<Acted>(record) && world_.chance(50);
    if (canary_ == Canary::lost_act && strikes) continue;
    log.push_back(record);
    if (canary_ == Canary::doubled_act && strikes) log.push_back(record);
  }
}

Kept FaultyStore::outcome(const std::function<bool()>& write) {
  if (world_.chance(refuses)) {
    ++faults_;
    return Kept::refused;
  }
  if (world_.chance(loses_track)) {
    ++faults_;
    if (world_.chance(500)) write();
    return Kept::unknown;
  }
  write();
  return Kept::ok;
}

// ---- Leases -------------------------------------------------------------------------------------

bool FaultyStore::has_lease(std::uint32_t node) const {
  const auto found = nodes_.find(node);
  return found != nodes_.end() && found->second.expires > now();
}

void FaultyStore::renew(const FrontPointer& front, const NodeClaim& claim,
                        const std::function<void(Nodes)>& done) {
  const auto answer = [this, front, done](milliseconds wait, const Nodes& nodes) {
    world_.after(wait, [this, front, done, nodes] {
      if (front->is_dead) return;
      world_.wake();
      done(nodes);
    });
  };
  constexpr auto kLongest = static_cast<int>(limits::kLeaseTime.count());
  if (front->is_deaf) return answer(world_.between(0, 8), front->nodes);
  const milliseconds way = world_.between(0, world_.chance(20) || front->is_slow ? 1500 : 8);
  world_.after(way, [this, front, claim, answer] {
    // Also of a server that has died meanwhile.
    const bool is_lost = front->is_cut || world_.chance(refuses + loses_track);
    if (is_lost && world_.chance(700)) return answer(world_.between(0, kLongest), std::nullopt);
    const auto nodes = renewed(claim);
    if (is_lost) return answer(world_.between(0, kLongest), std::nullopt);
    front->nodes = nodes;
    answer(world_.between(0, front->is_slow ? 500 : 4), nodes);
  });
}

std::vector<LiveNode> FaultyStore::renewed(const NodeClaim& claim) {
  if (claim.leaves) {
    nodes_.erase(claim.id);
    return {};
  }
  const TimePoint end = now() + limits::kLeaseTime;
  const auto [found, is_new] = nodes_.try_emplace(claim.id, Node{claim.address, end, end});
  if (!is_new && found->second.expires < now()) found->second.active = end;
  found->second.expires = end;
  std::vector<LiveNode> live;
  for (const auto& [id, node] : nodes_) {
    if (node.expires <= now()) continue;
    const auto active = std::chrono::ceil<milliseconds>(node.active - now());
    const auto expired = std::chrono::ceil<milliseconds>(node.expires - now());
    live.push_back({id, node.address, std::max(milliseconds(0), active), expired});
  }
  return live;
}

}  // namespace triquetra::sim
