#include "server/store/room_entry.hpp"

#include "protocol/decode.hpp"
#include "protocol/encode.hpp"

namespace triquetra {

std::vector<std::string> keys_of(const RoomEntry& entry) {
  std::vector<std::string> keys = entry.open_records;
  if (!entry.maker.empty()) keys.push_back(entry.maker);
  for (const PlayerAtTable& one : entry.players) keys.push_back(one.player);
  return keys;
}

bool is_alive(const RoomEntry& entry) {
  return !entry.closed && entry.summary.status != RoomStatus::over;
}

std::string entry_text(const RoomEntry& entry) {
  std::string text = "{";
  bool first = true;
  encode_members(text, entry, first);
  return text += '}';
}

std::optional<RoomEntry> read_entry_text(std::string_view text) {
  try {
    return decode<RoomEntry>(JsonText(text, kTrustedJson).root(), Reading::lenient);
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

}  // namespace triquetra
