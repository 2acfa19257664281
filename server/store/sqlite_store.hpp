// An EventStore in one SQLite file. One thread writes, and commits all that waits in one
// transaction as soon as the last commit is done; what it has called ok is on the disk. What a
// thread of rooms appends is handed over, and answered, in one piece for all that it had to do.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/store/desks.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class SqliteStore final : public EventStore {
 public:
  /// How many appends one commit held, and how long it took; called on the store's thread.
  using TellCommit = std::function<void(std::size_t appends, std::chrono::microseconds took)>;

  /// Opens or makes the file. Throws StoreProblem: no such folder, no SQLite file, another format.
  /// `vfs` is SQLite's name for where the files are; null: the file system. Rooms live on so many
  /// threads, each on the one that thread_of() says; what is said of a room is said there.
  explicit SqliteStore(const std::string& file, const char* vfs = nullptr,
                       TellCommit tell_commit = {}, std::size_t threads = 1);
  /// The same on the store's own thread, after `look`, so that nobody waits for a large file. What
  /// is wrong is told to `fail`, there; then nothing can be read or kept.
  SqliteStore(const std::string& file, TellCommit tell_commit, std::size_t threads,
              std::function<void()> look, std::function<void(const std::exception&)> fail);
  /// Finishes what waits.
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  void append(const Append& append, boost::asio::io_context& thread,
              std::function<void(Kept)> done) override;
  void load(std::string room, std::function<void(LoadedLog)> done) override;
  void erase(std::string room) override;
  void rest(const Rest& rest, boost::asio::io_context& thread,
            std::function<void(Kept)> done) override;
  void ring(std::size_t most, std::function<void(std::optional<Rung>)> done) override;
  void rooms(std::function<void(std::optional<KeptRooms>)> done) override;
  void find_rooms(std::string key,
                  std::function<void(std::optional<std::vector<RoomEntry>>)> done) override;
  void sleeping_rooms(std::string after,
                      std::function<void(std::optional<std::vector<SleepingRoom>>)> done) override;
  void put_player(std::string token_hash, StoredPlayer player,
                  std::function<void(Kept)> done) override;
  void find_player(std::string token_hash, std::function<void(FoundPlayer)> done) override;
  void put_device_code(std::string code_hash, StoredPlayer player,
                       std::function<void(Kept)> done) override;
  void take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) override;
  void give_back_device_code(std::string code_hash) override;
  void unseen_players(const std::string& after,
                      const std::function<void(UnseenPlayers)>& done) override;
  void forget_players(const std::vector<std::string>& token_hashes) override;
  void probe(const std::function<void(Kept)>& done) override;
  std::size_t waiting() const override;

 private:
  class Writer;
  struct Written;
  /// Where what rooms of one thread append waits until that thread has done what it had to do.
  void hand_over(std::vector<Written> written, boost::asio::io_context& rooms_thread);
  /// Tells `done` what read(statements, found) has found; none if nothing can be read now.
  template <class Found, class Read>
  void look_up(const std::function<void(std::optional<Found>)>& done, Read read);

  std::unique_ptr<Writer> writer_;
  Desks<Written> desks_;
};

/// The format of the data that this program writes; it reads all before as well.
inline constexpr int kDataFormat = 2;

/// Reads the whole file and holds it to what was written: SQLite's own check, the format, and the
/// chain of every log. Changes nothing. Gives one line about what it found; throws StoreProblem if
/// anything is wrong.
std::string check_store(const std::string& file);

}  // namespace triquetra
