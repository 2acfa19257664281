#include "tests/sim/faulty_store.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace triquetra::sim {

/// The store as one server's life knows it.
class FrontStore final : public EventStore {
 public:
  explicit FrontStore(FaultyStore& store) : store_(store) {}

  void append(const Append& append, boost::asio::io_context& thread,
              std::function<void(Kept)> done) override {
    const std::string& room = append.room;
    store_.most_appends_ = std::max(store_.most_appends_, ++store_.appends_[room]);
    const auto entry = append.entry != nullptr ? std::optional(*append.entry) : std::nullopt;
    write_to(room, thread, done,
             [this, room, entry, from = append.from, seq = append.seq, records = append.records] {
               if (!store_.rewrite(room, from, seq, records)) return false;
               store_.naps_.erase(room);
               if (entry) store_.entries_[room] = *entry;
               if (!store_.is_erased(room))
                 store_.index_.put(room, entry ? &*entry : nullptr, now());
               return true;
             });
  }
  void rest(const Rest& rest, boost::asio::io_context& thread,
            std::function<void(Kept)> done) override {
    const std::string& room = rest.room;
    store_.most_appends_ = std::max(store_.most_appends_, ++store_.appends_[room]);
    write_to(room, thread, done,
             [this, room, seq = rest.seq, note = rest.note, alarm = rest.alarm] {
               if (store_.log(room).size() != seq) return false;
               ++store_.rests_;
               store_.naps_[room] = {note, now()};
               store_.index_.rest(room, alarm, now());
               return true;
             });
  }
  void load(std::string room, std::function<void(LoadedLog)> done) override {
    store_.line_up([this, room = std::move(room), done = std::move(done)] {
      LoadedLog log;
      if (store_.world_.chance(store_.refuses)) {
        log.state = LogState::unavailable;
      } else if (!store_.is_erased(room)) {
        log.records = store_.log(room);
        if (store_.entries_.contains(room)) log.entry = store_.entries_[room];
        const auto nap = store_.naps_.find(room);
        log.in_use = nap == store_.naps_.end();
        if (!log.in_use) {
          const auto& [note, since] = nap->second;
          log.nap = Nap{note, std::chrono::duration_cast<milliseconds>(now() - since)};
        }
      }
      done(std::move(log));
    });
  }
  void ring(std::size_t most, std::function<void(std::optional<Rung>)> done) override {
    look_up<Rung>(std::move(done), [this, most] { return store_.index_.ring(most, now()); });
  }
  void rooms(std::function<void(std::optional<KeptRooms>)> done) override {
    store_.line_up([this, done = std::move(done)] { done(store_.index_.rooms()); });
  }
  void find_rooms(std::string key,
                  std::function<void(std::optional<std::vector<RoomEntry>>)> done) override {
    look_up<std::vector<RoomEntry>>(std::move(done),
                                    [this, key] { return store_.index_.find(key); });
  }
  void sleeping_rooms(std::string after,
                      std::function<void(std::optional<std::vector<SleepingRoom>>)> done) override {
    look_up<std::vector<SleepingRoom>>(
        std::move(done), [this, after] { return store_.index_.sleeping(after, now()); });
  }
  void erase(std::string room) override {
    store_.line_up([this, room = std::move(room)] {
      store_.erased_.insert(room);
      store_.index_.erase(room);
    });
  }
  void put_player(std::string token_hash, StoredPlayer player,
                  std::function<void(Kept)> done) override {
    store_.line_up([this, token_hash = std::move(token_hash), player = std::move(player),
                    done = std::move(done)] {
      done(store_.outcome([&] {
        store_.players_[token_hash] = player;
        return true;
      }));
    });
  }
  void find_player(std::string token_hash, std::function<void(FoundPlayer)> done) override {
    store_.line_up([this, token_hash = std::move(token_hash), done = std::move(done)] {
      FoundPlayer found;
      found.available = !store_.world_.chance(store_.refuses);
      if (found.available) found.player = store_.player(token_hash);
      done(std::move(found));
    });
  }
  void put_device_code(std::string code_hash, StoredPlayer player,
                       std::function<void(Kept)> done) override {
    store_.line_up([this, code_hash = std::move(code_hash), player = std::move(player),
                    done = std::move(done)] {
      done(store_.outcome([&] { return store_.codes_.put(code_hash, player, now()) == Kept::ok; }));
    });
  }
  void take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) override {
    store_.line_up([this, code_hash = std::move(code_hash), done = std::move(done)] {
      FoundPlayer found;
      found.available = !store_.world_.chance(store_.refuses);
      if (found.available) found.player = store_.codes_.take(code_hash, now());
      done(std::move(found));
    });
  }
  void give_back_device_code(std::string code_hash) override {
    store_.line_up(
        [this, code_hash = std::move(code_hash)] { store_.codes_.give_back(code_hash); });
  }

 private:
  /// One write about a room: as the store's luck has it, and fenced if it does not fit.
  void write_to(const std::string& room, boost::asio::io_context& thread,
                std::function<void(Kept)> done, std::function<bool()> write) {
    store_.line_up(
        [this, room, write, &thread, done = std::move(done)] {
          --store_.appends_[room];
          bool fits = true;
          const Kept kept = store_.outcome([&] { return fits = write(); });
          boost::asio::post(thread, [done, kept = fits ? kept : Kept::fenced] { done(kept); });
        },
        write);
  }
  template <class Found, class Read>
  void look_up(std::function<void(std::optional<Found>)> done, const Read& read) {
    store_.line_up([this, done = std::move(done), read] {
      done(store_.world_.chance(store_.refuses) ? std::nullopt : std::optional<Found>(read()));
    });
  }

  FaultyStore& store_;
};

std::unique_ptr<EventStore> FaultyStore::front() { return std::make_unique<FrontStore>(*this); }

void FaultyStore::server_died() {
  // What came first may have been written, and nobody will ever be told.
  for (const auto& [id, waiting] : waiting_) {
    if (!world_.chance(700)) break;
    if (waiting.write) waiting.write();
  }
  waiting_.clear();
  appends_.clear();
}

const std::vector<Record>& FaultyStore::log(const std::string& room) const {
  static const std::vector<Record> kNothing;
  const auto found = logs_.find(room);
  return found == logs_.end() ? kNothing : found->second;
}

std::optional<StoredPlayer> FaultyStore::player(const std::string& token_hash) const {
  const auto found = players_.find(token_hash);
  return found == players_.end() ? std::nullopt : std::optional(found->second);
}

void FaultyStore::line_up(std::function<void()> work, std::function<void()> write) {
  last_done_ = std::max(last_done_, now() + world_.between(0, world_.chance(20) ? 3000 : 8));
  const auto delay = std::chrono::duration_cast<milliseconds>(last_done_ - now());
  const std::uint64_t id = ++last_waiting_;
  waiting_[id] = {std::move(work), std::move(write)};
  longest_queue_ = std::max(longest_queue_, waiting_.size());
  world_.after(delay, [this, id] {
    const auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    const Waiting waiting = std::move(found->second);
    waiting_.erase(found);
    world_.wake();
    waiting.work();
  });
}

bool FaultyStore::rewrite(const std::string& room, std::uint64_t from, std::uint64_t seq,
                          const std::vector<Record>& records) {
  std::vector<Record>& log = logs_[room];
  if (log.size() != seq) return false;
  log.erase(log.begin() + static_cast<std::ptrdiff_t>(from), log.end());
  for (const Record& record : records) {
    const bool strikes = std::holds_alternative<Acted>(record) && world_.chance(50);
    if (canary_ == Canary::lost_act && strikes) continue;
    log.push_back(record);
    if (canary_ == Canary::doubled_act && strikes) log.push_back(record);
  }
  return true;
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

}  // namespace triquetra::sim
