#include "server/store/memory_store.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace triquetra {

namespace asio = boost::asio;

void MemoryStore::append(std::string room, std::uint64_t seq, std::uint64_t epoch,
                         std::vector<Record> records, std::function<void(Kept)> done) {
  rewrite(std::move(room), seq, seq, epoch, std::move(records), std::move(done));
}

void MemoryStore::rewrite(std::string room, std::uint64_t from, std::uint64_t seq,
                          std::uint64_t epoch, std::vector<Record> records,
                          std::function<void(Kept)> done) {
  asio::post(context_, [this, room = std::move(room), from, seq, epoch,
                        records = std::move(records), done = std::move(done)]() mutable {
    Log& log = logs_[room];
    if (log.records.size() != seq || epoch < log.epoch) return done(Kept::fenced);
    log.epoch = epoch;
    log.records.erase(log.records.begin() + static_cast<std::ptrdiff_t>(from), log.records.end());
    for (Record& record : records) log.records.push_back(std::move(record));
    done(Kept::ok);
  });
}

void MemoryStore::load(std::string room, std::function<void(LoadedLog)> done) {
  asio::post(context_, [this, room = std::move(room), done = std::move(done)] {
    const auto found = logs_.find(room);
    LoadedLog log;
    if (found != logs_.end()) log.records = found->second.records;
    done(std::move(log));
  });
}

void MemoryStore::rooms(std::function<void(std::optional<std::vector<std::string>>)> done) {
  asio::post(context_, [this, done = std::move(done)] {
    std::vector<std::string> codes;
    for (const auto& entry : logs_) codes.push_back(entry.first);
    done(std::move(codes));
  });
}

void MemoryStore::erase(std::string room) {
  asio::post(context_, [this, room = std::move(room)] { logs_.erase(room); });
}

void MemoryStore::put_player(std::string token_hash, StoredPlayer player,
                             std::function<void(Kept)> done) {
  asio::post(context_, [this, token_hash = std::move(token_hash), player = std::move(player),
                        done = std::move(done)]() mutable {
    players_[token_hash] = std::move(player);
    done(Kept::ok);
  });
}

void MemoryStore::find_player(std::string token_hash, std::function<void(FoundPlayer)> done) {
  asio::post(context_, [this, token_hash = std::move(token_hash), done = std::move(done)] {
    const auto found = players_.find(token_hash);
    FoundPlayer result;
    if (found != players_.end()) result.player = found->second;
    done(std::move(result));
  });
}

}  // namespace triquetra
