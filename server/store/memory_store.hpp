// An EventStore that forgets everything when the process ends. It works on one executor of its own,
// as a store with a writer thread does.
#pragma once

#include <boost/asio/io_context.hpp>

#include <map>

#include "server/store/event_store.hpp"

namespace triquetra {

class MemoryStore final : public EventStore {
 public:
  /// Runs on `context`, which one thread runs and which outlives the store.
  explicit MemoryStore(boost::asio::io_context& context) : context_(context) {}

  void append(std::string room, std::uint64_t seq, std::uint64_t epoch, std::vector<Record> records,
              std::function<void(Kept)> done) override;
  void rewrite(std::string room, std::uint64_t from, std::uint64_t seq, std::uint64_t epoch,
               std::vector<Record> records, std::function<void(Kept)> done) override;
  void load(std::string room, std::function<void(LoadedLog)> done) override;
  void rooms(std::function<void(std::optional<std::vector<std::string>>)> done) override;
  void erase(std::string room) override;
  void put_player(std::string token_hash, StoredPlayer player,
                  std::function<void(Kept)> done) override;
  void find_player(std::string token_hash, std::function<void(FoundPlayer)> done) override;

 private:
  struct Log {
    std::uint64_t epoch = 0;
    std::vector<Record> records;
  };
  boost::asio::io_context& context_;
  std::map<std::string, Log> logs_;
  std::map<std::string, StoredPlayer> players_;
};

}  // namespace triquetra
