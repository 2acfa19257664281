// One-use codes by which another device becomes a player, for stores of one process: they are worth
// ten minutes, and are gone with it. Touched by one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "server/base/limits.hpp"
#include "server/base/time_point.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class DeviceCodes {
 public:
  /// See EventStore::put_device_code(). refused: too many are alive.
  Kept put(const std::string& code_hash, const StoredPlayer& player, TimePoint at) {
    while (!ends_.empty() && ends_.begin()->first < at) forget(std::string(ends_.begin()->second));
    if (const auto before = of_players_.find(player.id); before != of_players_.end()) {
      forget(std::string(before->second));
    }
    if (codes_.size() >= limits::kDeviceCodes || codes_.contains(code_hash)) return Kept::refused;
    const TimePoint until = at + limits::kDeviceCodeTime;
    codes_[code_hash] = {player, until};
    ends_.emplace(until, code_hash);
    of_players_[player.id] = code_hash;
    return Kept::ok;
  }
  std::optional<StoredPlayer> take(const std::string& code_hash, TimePoint at) {
    const auto found = codes_.find(code_hash);
    if (found == codes_.end() || found->second.until < at) return std::nullopt;
    if (std::exchange(found->second.is_taken, true)) return std::nullopt;
    return found->second.player;
  }
  void give_back(const std::string& code_hash) {
    const auto found = codes_.find(code_hash);
    if (found != codes_.end()) found->second.is_taken = false;
  }

 private:
  struct Code {
    StoredPlayer player;
    TimePoint until;
    bool is_taken = false;
  };
  void forget(const std::string& code_hash) {
    const auto gone = codes_.extract(code_hash);
    of_players_.erase(gone.mapped().player.id);
    ends_.erase({gone.mapped().until, gone.key()});
  }

  std::map<std::string, Code> codes_;
  std::map<std::string, std::string> of_players_;  // the code of each
  std::set<std::pair<TimePoint, std::string>> ends_;
};

}  // namespace triquetra
