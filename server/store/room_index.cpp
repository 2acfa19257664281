#include "server/store/room_index.hpp"

#include <algorithm>

#include "server/base/limits.hpp"

namespace triquetra {

void RoomIndex::put(const std::string& room, const RoomEntry* entry, TimePoint now) {
  One& one = rooms_[room];
  if (one.number == 0) one.number = ++last_number_;
  if (entry == nullptr) return;
  forget_keys(room, one);
  one.entry = *entry;
  for (const std::string& key : keys_of(*entry)) by_key_[key].insert(room);
  set_alarm(room, one, std::nullopt);
  one.asleep_since = entry->closed ? std::optional(now) : std::nullopt;
}

void RoomIndex::rest(const std::string& room, std::optional<std::chrono::milliseconds> alarm,
                     TimePoint now) {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return;
  found->second.asleep_since = now;
  set_alarm(room, found->second, alarm ? std::optional(now + *alarm) : std::nullopt);
}

void RoomIndex::erase(const std::string& room) {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return;
  forget_keys(room, found->second);
  set_alarm(room, found->second, std::nullopt);
  rooms_.erase(found);
}

Rung RoomIndex::ring(std::size_t most, TimePoint now) {
  Rung rung;
  while (!alarms_.empty() && alarms_.begin()->first <= now && rung.rooms.size() < most) {
    const std::string room = alarms_.begin()->second;
    set_alarm(room, rooms_[room], std::nullopt);
    rooms_[room].asleep_since.reset();
    rung.rooms.push_back(room);
  }
  if (alarms_.empty()) return rung;
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(alarms_.begin()->first - now);
  rung.next = std::max(milliseconds(0), left);
  return rung;
}

KeptRooms RoomIndex::rooms() const {
  KeptRooms kept;
  std::vector<std::pair<std::uint64_t, std::string>> in_use;
  for (const auto& [room, one] : rooms_) {
    if (one.asleep_since) {
      ++kept.asleep;
    } else {
      in_use.emplace_back(one.number, room);
    }
  }
  std::sort(in_use.begin(), in_use.end());
  for (auto& [number, room] : in_use) kept.in_use.push_back(std::move(room));
  return kept;
}

std::vector<RoomEntry> RoomIndex::find(const std::string& key) const {
  std::vector<std::pair<std::uint64_t, RoomEntry>> found;
  const auto take = [&](const std::string& room, const One& one) {
    RoomEntry bare;
    bare.room = room;
    found.emplace_back(one.number, one.entry.value_or(bare));
  };
  if (const auto room = rooms_.find(key); room != rooms_.end()) take(room->first, room->second);
  if (const auto keyed = by_key_.find(key); keyed != by_key_.end()) {
    for (const std::string& room : keyed->second) take(room, rooms_.at(room));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& one, const auto& other) { return one.first > other.first; });
  if (found.size() > limits::kFoundRooms) found.resize(limits::kFoundRooms);
  std::vector<RoomEntry> entries;
  for (auto& [number, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

std::vector<SleepingRoom> RoomIndex::sleeping(const std::string& after, TimePoint now) const {
  std::vector<SleepingRoom> some;
  for (auto next = rooms_.upper_bound(after);
       next != rooms_.end() && some.size() < limits::kFoundRooms; ++next) {
    const One& one = next->second;
    if (!one.asleep_since || !one.entry) continue;
    using std::chrono::milliseconds;
    some.push_back({*one.entry, std::chrono::duration_cast<milliseconds>(now - *one.asleep_since)});
  }
  return some;
}

void RoomIndex::forget_keys(const std::string& room, const One& one) {
  if (!one.entry) return;
  for (const std::string& key : keys_of(*one.entry)) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) continue;
    found->second.erase(room);
    if (found->second.empty()) by_key_.erase(found);
  }
}

void RoomIndex::set_alarm(const std::string& room, One& one, std::optional<TimePoint> alarm) {
  if (one.alarm) alarms_.erase({*one.alarm, room});
  one.alarm = alarm;
  if (alarm) alarms_.emplace(*alarm, room);
}

}  // namespace triquetra
