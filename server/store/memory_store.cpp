#include "server/store/memory_store.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <string_view>
#include <utility>

#include "server/base/clock.hpp"
#include "server/base/placement.hpp"
#include "server/store/log_codec.hpp"

namespace triquetra {

namespace asio = boost::asio;

MemoryStore::Logs& MemoryStore::logs_of(const std::string& room) {
  return logs_[thread_of(room, logs_.size())];
}

void MemoryStore::append(const Append& append, asio::io_context& /*thread*/,
                         std::function<void(Kept)> done) {
  Log& log = logs_of(append.room)[append.room];
  if (log.ends.size() != append.seq || append.epoch < log.epoch) return done(Kept::fenced);
  log.epoch = append.epoch;
  log.asleep_since.reset();
  if (append.entry != nullptr) log.entry = *append.entry;
  if (append.entry != nullptr || append.seq == 0) {
    asio::dispatch(first_, [this, room = append.room, entry = log.entry] {
      index_.put(room, entry ? &*entry : nullptr, now());
    });
  }
  log.ends.resize(append.from);
  log.text.resize(append.from == 0 ? 0 : log.ends.back());
  for (const Record& record : append.records) {
    write_log_text(log.text, record);
    log.ends.push_back(static_cast<std::uint32_t>(log.text.size()));
  }
  done(Kept::ok);
}

void MemoryStore::load(std::string room, std::function<void(LoadedLog)> done) {
  const Logs& logs = logs_of(room);
  const auto found = logs.find(room);
  LoadedLog log;
  if (found != logs.end()) {
    const std::string_view text = found->second.text;
    std::size_t begin = 0;
    for (const std::size_t end : found->second.ends) {
      log.records.push_back(read_log_text(text.substr(begin, end - begin)));
      begin = end;
    }
    const Log& kept = found->second;
    log.entry = kept.entry;
    log.in_use = !kept.asleep_since;
    if (kept.asleep_since) {
      using std::chrono::milliseconds;
      log.nap =
          Nap{kept.note, std::chrono::duration_cast<milliseconds>(now() - *kept.asleep_since)};
    }
  }
  done(std::move(log));
}

void MemoryStore::erase(std::string room) {
  logs_of(room).erase(room);
  asio::dispatch(first_, [this, room = std::move(room)] { index_.erase(room); });
}

void MemoryStore::rest(const Rest& rest, asio::io_context& /*thread*/,
                       std::function<void(Kept)> done) {
  Logs& logs = logs_of(rest.room);
  const auto found = logs.find(rest.room);
  const bool is_it = found != logs.end() && found->second.ends.size() == rest.seq &&
                     rest.epoch >= found->second.epoch;
  if (!is_it) return done(Kept::fenced);
  found->second.note = rest.note;
  found->second.asleep_since = now();
  asio::dispatch(first_,
                 [this, room = rest.room, alarm = rest.alarm] { index_.rest(room, alarm, now()); });
  done(Kept::ok);
}

void MemoryStore::ring(std::size_t most, std::function<void(std::optional<Rung>)> done) {
  asio::post(first_, [this, most, done = std::move(done)] { done(index_.ring(most, now())); });
}

void MemoryStore::rooms(std::function<void(std::optional<KeptRooms>)> done) {
  asio::post(first_, [this, done = std::move(done)] { done(index_.rooms()); });
}

void MemoryStore::find_rooms(std::string key,
                             std::function<void(std::optional<std::vector<RoomEntry>>)> done) {
  asio::post(first_,
             [this, key = std::move(key), done = std::move(done)] { done(index_.find(key)); });
}

void MemoryStore::sleeping_rooms(
    std::string after, std::function<void(std::optional<std::vector<SleepingRoom>>)> done) {
  asio::post(first_, [this, after = std::move(after), done = std::move(done)] {
    done(index_.sleeping(after, now()));
  });
}

void MemoryStore::put_player(std::string token_hash, StoredPlayer player,
                             std::function<void(Kept)> done) {
  asio::post(first_, [this, token_hash = std::move(token_hash), player = std::move(player),
                      done = std::move(done)]() mutable {
    players_[token_hash] = std::move(player);
    done(Kept::ok);
  });
}

void MemoryStore::find_player(std::string token_hash, std::function<void(FoundPlayer)> done) {
  asio::post(first_, [this, token_hash = std::move(token_hash), done = std::move(done)] {
    const auto found = players_.find(token_hash);
    FoundPlayer result;
    if (found != players_.end()) result.player = found->second;
    done(std::move(result));
  });
}

void MemoryStore::put_device_code(std::string code_hash, StoredPlayer player,
                                  std::function<void(Kept)> done) {
  asio::post(first_, [this, code_hash = std::move(code_hash), player = std::move(player),
                      done = std::move(done)] { done(codes_.put(code_hash, player, now())); });
}

void MemoryStore::take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) {
  asio::post(first_, [this, code_hash = std::move(code_hash), done = std::move(done)] {
    done({true, codes_.take(code_hash, now())});
  });
}

void MemoryStore::give_back_device_code(std::string code_hash) {
  asio::post(first_, [this, code_hash = std::move(code_hash)] { codes_.give_back(code_hash); });
}

}  // namespace triquetra
