#include "server/people/lobby.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/base/random.hpp"
#include "server/ops/metrics.hpp"

namespace triquetra {

using std::chrono::milliseconds;

Lobby::Place Lobby::place_for(const std::string& player, const std::string& request,
                              const std::optional<std::string>& household,
                              const std::vector<RoomEntry>& kept,
                              const std::function<bool(const std::string& code)>& may_be) {
  if (const auto awake = made_by(player, request)) return {*awake, false};
  std::size_t of_player = 0;
  for (const RoomEntry& entry : kept) {
    if (entry.maker != player || rooms_.contains(entry.room)) continue;
    if (entry.request == request) return {entry.room, false};
    if (triquetra::is_alive(entry)) ++of_player;
  }
  if (rooms_.size() >= limits::kRooms) return {"", false, limits::kRooms};
  if (kept_ >= limits::kKeptRooms) return {"", false, limits::kKeptRooms};
  for (auto mine = created_.lower_bound({player, ""});
       mine != created_.end() && mine->first.first == player; ++mine) {
    if (is_alive(mine->second)) ++of_player;
  }
  if (of_player >= limits::kRoomsPerPlayer) return {"", false, limits::kRoomsPerPlayer};
  if (household) {
    const auto alive = std::count_if(origins_.begin(), origins_.end(), [&](const auto& one) {
      return one.second.household == *household && one.second.is_alive;
    });
    if (static_cast<std::size_t>(alive) >= limits::kRoomsPerAddress) {
      return {"", false, limits::kRoomsPerAddress};
    }
  }
  std::string code = fresh_code(limits::kRoomCodeLetters);
  while (rooms_.contains(code) || (may_be && !may_be(code))) {
    code = fresh_code(limits::kRoomCodeLetters);
  }
  rooms_[code].room = code;
  made_[code] = {++last_number_, now()};
  if (household) origins_[code] = {*household, true};
  ++kept_;
  created_[{player, request}] = code;
  return {code, true};
}

std::optional<std::string> Lobby::made_by(const std::string& player,
                                          const std::string& request) const {
  const auto known = created_.find({player, request});
  const bool is_there = known != created_.end() && rooms_.contains(known->second);
  return is_there ? std::optional(known->second) : std::nullopt;
}

bool Lobby::is_alive(const std::string& code) const {
  const auto found = rooms_.find(code);
  if (found == rooms_.end() || found->second.closed) return false;
  const ListedRoom& summary = found->second.summary;
  return summary.room.empty() || summary.status != RoomStatus::over;
}

std::vector<std::string> Lobby::rooms_from(const std::string& household) const {
  std::vector<std::string> codes;
  for (const auto& [code, origin] : origins_) {
    if (origin.household == household) codes.push_back(code);
  }
  return codes;
}

void Lobby::give_back(const std::string& code) {
  if (rooms_.contains(code) && kept_ > 0) --kept_;
  forget(code);
  origins_.erase(code);
}

void Lobby::forget(const std::string& code) {
  rooms_.erase(code);
  const auto made = made_.find(code);
  if (made != made_.end()) {
    listed_.erase(made->second.number);
    made_.erase(made);
  }
  std::erase_if(created_, [&](const auto& entry) { return entry.second == code; });
}

void Lobby::expect(const KeptRooms& rooms) {
  for (const std::string& code : rooms.in_use) made_[code] = {++last_number_, now()};
  kept_ = rooms.in_use.size() + rooms.asleep;
  metrics().rooms(rooms_.size(), kept_ - rooms_.size());
}

void Lobby::hear(const RoomNews& news) {
  const std::string code = news.room;
  const RoomNews before = std::exchange(rooms_[code], news);
  const Made made = made_.try_emplace(code, Made{last_number_ + 1, now()}).first->second;
  last_number_ = std::max(last_number_, made.number);
  if (news.listing) {
    listed_[made.number] = {*news.listing, made.at};
  } else {
    listed_.erase(made.number);
  }
  for (const std::string& match : before.open_records) open_records_.erase(match);
  for (const std::string& match : news.open_records) open_records_[match] = code;
  if (!news.maker.empty()) created_[{news.maker, news.request}] = code;
  if (const auto origin = origins_.find(code); origin != origins_.end()) {
    origin->second.is_alive = is_alive(code);
  }
  if (news.closed && !news.log_stays) give_back(code);
  if (news.closed) origins_.erase(code);
  if (news.asleep) {
    for (const std::string& match : news.open_records) open_records_.erase(match);
    forget(code);
  }
  metrics().rooms(rooms_.size(), kept_ - std::min(kept_, rooms_.size()));
  if (before.listing != news.listing) {
    others_know_ = false;
    list_text_.reset();
    tell_watchers();
  }
}

void Lobby::hear_list(std::uint64_t link, std::vector<ListedSince> rooms) {
  const bool was_empty = !listed_by_others_.contains(link);
  if (was_empty && rooms.empty()) return;
  if (rooms.empty()) {
    listed_by_others_.erase(link);
  } else {
    listed_by_others_[link] = std::move(rooms);
  }
  list_text_.reset();
  tell_watchers();
}

std::vector<ListedSince> Lobby::listed_here() const {
  std::vector<ListedSince> list;
  for (auto newest = listed_.rbegin(); newest != listed_.rend(); ++newest) {
    if (list.size() == limits::kLobbyRooms) break;
    list.push_back(newest->second);
  }
  return list;
}

std::vector<ListedRoom> Lobby::listed() const {
  // Of those of one moment the first to come in stands in front.
  std::multimap<TimePoint, ListedRoom, std::greater<>> all;
  for (const ListedSince& one : listed_here()) all.emplace(one.since, one.room);
  for (const auto& [link, rooms] : listed_by_others_) {
    for (const ListedSince& one : rooms) all.emplace(one.since, one.room);
  }
  std::vector<ListedRoom> list;
  std::set<std::string> codes;  // one that moves is listed at two servers for a moment
  for (auto& [since, room] : all) {
    if (list.size() == limits::kLobbyRooms) break;
    if (codes.insert(room.room).second) list.push_back(std::move(room));
  }
  return list;
}

std::optional<Invitation> Lobby::invitation(const std::string& code) const {
  const auto found = rooms_.find(code);
  return found == rooms_.end() ? std::nullopt : found->second.invitation;
}

std::vector<ListedRoom> Lobby::all() const {
  std::vector<ListedRoom> list;
  for (const auto& [code, news] : rooms_) {
    if (!news.closed && !news.summary.room.empty()) list.push_back(news.summary);
  }
  return list;
}

std::optional<std::string> Lobby::room_of_record(const std::string& match) const {
  const auto found = open_records_.find(match);
  return found == open_records_.end() ? std::nullopt : std::optional(found->second);
}

void Lobby::watch(const ConnectionPointer& connection, bool on) {
  if (!on) {
    watchers_.erase(connection->id());
    return;
  }
  watchers_[connection->id()] = connection;
  connection->send({connection->id(), list_text(), {}, false, {}, false, true}, {});
}

std::shared_ptr<const std::string> Lobby::list_text() {
  if (!list_text_) list_text_ = std::make_shared<const std::string>(encoded(LobbyFrame{listed()}));
  return list_text_;
}

void Lobby::tell_watchers() {
  if (telling_) return;
  telling_ = true;
  timer_.expires_at(std::max(now() + limits::kLobbyPause, rests_until_));
  timer_.async_wait([this](boost::system::error_code error) {
    telling_ = false;
    if (error) return;
    if (tell_others_ && !std::exchange(others_know_, true)) tell_others_();
    const auto text = list_text();
    std::erase_if(watchers_, [](const auto& entry) { return entry.second.expired(); });
    for (const auto& [id, weak] : watchers_) {
      if (const auto connection = weak.lock()) {
        connection->send({id, text, {}, false, {}, true}, {});
      }
    }
    const std::size_t bytes = text->size() * watchers_.size();
    const milliseconds rest =
        limits::kLobbyRest + milliseconds(1000 * bytes / limits::kLobbyBytesPerSecond);
    rests_until_ = now() + std::min(rest, limits::kLobbyLongestRest);
  });
}

}  // namespace triquetra
