// An EventStore in a PostgreSQL database. One thread of its own drives two connections: one writes
// all that waits in one statement as soon as the last commit is done, the other reads; and a third
// renews the lease of one of several servers, which waits for nothing. What was called ok is on the
// disk of the database, and of its synchronous standby if it has one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/limits.hpp"
#include "server/store/desks.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class PostgresStore final : public EventStore {
 public:
  /// How many appends one commit held, and how long it took; called on the store's thread.
  using TellCommit = std::function<void(std::size_t appends, std::chrono::microseconds took)>;

  struct Options {
    std::string url;  // as libpq takes it: postgresql://USER:PASSWORD@HOST/DATABASE?sslmode=...
    std::size_t threads = 1;  // that rooms live on, each on the one that thread_of() says
    std::chrono::milliseconds patience = limits::kPostgresAnswerTime;       // for each answer
    std::chrono::milliseconds start_patience = limits::kPostgresStartTime;  // for a database
    std::uint32_t writer = 0;  // of several servers on this database; 0: this one has it alone
  };

  /// Connects on the store's own thread. What is asked meanwhile waits; if the database cannot be
  /// used, that is told to `fail`, there, and then nothing can be read or kept. Throws StoreProblem
  /// for a URL that is none, and where libpq is not installed.
  PostgresStore(const Options& options, TellCommit tell_commit,
                std::function<void(const std::exception&)> fail);
  /// Finishes what waits.
  ~PostgresStore() override;
  PostgresStore(const PostgresStore&) = delete;
  PostgresStore& operator=(const PostgresStore&) = delete;

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
  void renew(const NodeClaim& claim,
             const std::function<void(std::optional<std::vector<LiveNode>>)>& done) override;
  std::size_t waiting() const override;

 private:
  class Worker;
  struct Written;
  void hand_over(std::vector<Written> written, boost::asio::io_context& rooms_thread);

  std::unique_ptr<Worker> worker_;
  Desks<Written> desks_;
};

}  // namespace triquetra
