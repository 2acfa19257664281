#include "server/store/memory_store.hpp"

#include <boost/asio/post.hpp>

#include <string_view>
#include <utility>

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
  }
  done(std::move(log));
}

void MemoryStore::rooms(std::function<void(std::optional<std::vector<std::string>>)> done) {
  std::vector<std::string> codes;
  for (const Logs& logs : logs_) {
    for (const auto& entry : logs) codes.push_back(entry.first);
  }
  done(std::move(codes));
}

void MemoryStore::erase(std::string room) { logs_of(room).erase(room); }

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

}  // namespace triquetra
