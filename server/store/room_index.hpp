// The entries of rooms in memory, as a store that keeps no tables has them: by what they are found
// by, which are in use, and whose alarm rings next.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/base/time_point.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class RoomIndex {
 public:
  /// See EventStore::Append: a room that has something in its log, and its entry if it is told.
  void put(const std::string& room, const RoomEntry* entry, TimePoint now);
  /// See EventStore::rest().
  void rest(const std::string& room, std::optional<std::chrono::milliseconds> alarm, TimePoint now);
  void erase(const std::string& room);

  Rung ring(std::size_t most, TimePoint now);
  KeptRooms rooms() const;
  std::vector<RoomEntry> find(const std::string& key) const;
  std::vector<SleepingRoom> sleeping(const std::string& after, TimePoint now) const;
  /// Whether some room's entry names this player.
  bool names(const std::string& player) const { return by_key_.contains(player); }

 private:
  struct One {
    std::uint64_t number = 0;  // in the order in which they were made
    std::optional<RoomEntry> entry{};
    std::optional<TimePoint> asleep_since{};  // none: in use
    std::optional<TimePoint> alarm{};
  };
  void forget_keys(const std::string& room, const One& one);
  void set_alarm(const std::string& room, One& one, std::optional<TimePoint> alarm);

  std::uint64_t last_number_ = 0;
  std::map<std::string, One> rooms_;
  std::map<std::string, std::set<std::string>> by_key_;  // codes
  std::set<std::pair<TimePoint, std::string>> alarms_;
};

}  // namespace triquetra
