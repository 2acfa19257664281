// One-use codes by which another device becomes a player, for stores of one process: they are worth
// ten minutes, and are gone with it. Touched by one thread.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
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
    std::erase_if(codes_, [&](const auto& entry) {
      return entry.second.until < at || entry.second.player.id == player.id;
    });
    if (codes_.size() >= limits::kDeviceCodes) return Kept::refused;
    const Code code{player, at + limits::kDeviceCodeTime};
    return codes_.emplace(code_hash, code).second ? Kept::ok : Kept::refused;
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
  std::map<std::string, Code> codes_;
};

}  // namespace triquetra
