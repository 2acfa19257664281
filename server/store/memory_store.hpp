// An EventStore that forgets everything when the process ends. A room's log is touched by the
// thread that the room lives on, and answered there at once; players and entries by one thread
// alone, which hears of an entry before anybody can ask for it.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/store/device_codes.hpp"
#include "server/store/event_store.hpp"
#include "server/store/room_index.hpp"

namespace triquetra {

class MemoryStore final : public EventStore {
 public:
  /// `first` runs on one thread and outlives the store. Rooms live on so many threads, each on the
  /// one that thread_of() says; what is said here of a room is said on that thread.
  explicit MemoryStore(boost::asio::io_context& first, std::size_t threads = 1)
      : first_(first), logs_(threads) {}

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

 private:
  /// Records as text, one behind the other: the only copy that there is of them.
  struct Log {
    std::uint64_t epoch = 0;
    std::string text;
    std::vector<std::uint32_t> ends;
    std::optional<RoomEntry> entry{};
    std::string note{};
    std::optional<TimePoint> asleep_since{};
  };
  using Logs = std::map<std::string, Log>;
  Logs& logs_of(const std::string& room);

  boost::asio::io_context& first_;
  std::vector<Logs> logs_;  // by thread
  RoomIndex index_;
  std::map<std::string, StoredPlayer> players_;
  DeviceCodes codes_;
};

}  // namespace triquetra
