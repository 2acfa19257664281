// An EventStore in one SQLite file. One thread writes, and commits all that waits in one
// transaction as soon as the last commit is done; what it has called ok is on the disk.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "server/store/event_store.hpp"

namespace triquetra {

/// The file cannot be used: what is wrong, for the host.
class StoreProblem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SqliteStore final : public EventStore {
 public:
  /// How many appends one commit held, and how long it took; called on the store's thread.
  using TellCommit = std::function<void(std::size_t appends, std::chrono::microseconds took)>;

  /// Opens or makes the file. Throws StoreProblem: no such folder, no SQLite file, another format.
  /// `vfs` is SQLite's name for where the files are; null: the file system.
  explicit SqliteStore(const std::string& file, const char* vfs = nullptr,
                       TellCommit tell_commit = {});
  /// Finishes what waits.
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

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
  void unseen_players(const std::string& after,
                      const std::function<void(UnseenPlayers)>& done) override;
  void forget_players(const std::vector<std::string>& token_hashes) override;
  void probe(const std::function<void(Kept)>& done) override;
  std::size_t waiting() const override;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

/// The format of the data that this program reads and writes.
inline constexpr int kDataFormat = 1;

/// Reads the whole file and holds it to what was written: SQLite's own check, the format, and the
/// chain of every log. Changes nothing. Gives one line about what it found; throws StoreProblem if
/// anything is wrong.
std::string check_store(const std::string& file);

}  // namespace triquetra
