// What the rooms have in common: which are awake, which records are for anybody, and who watches
// the list. Of those that sleep the store knows; but for how many there are, and where they were
// made. Lives on the hub's first thread; every function is called there.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/clock.hpp"
#include "server/room/connection.hpp"
#include "server/room/room_news.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

class Lobby {
 public:
  explicit Lobby(boost::asio::io_context& context) : context_(context), timer_(context) {}

  /// `tell` is called when the list of the rooms here has changed, as seldom as who watches it is
  /// told.
  void tell_others(std::function<void()> tell) { tell_others_ = std::move(tell); }
  /// The rooms of another server that everybody is shown, by that link, in place of what it has
  /// said before.
  void hear_list(std::uint64_t link, std::vector<ListedSince> rooms);

  /// A code for a new room, or the code that this request of this player has already got. None when
  /// the server is full, or this player or household keeps too many alive: `limit` says how many.
  /// `kept`: the rooms of this player that the store knows. `may_be`: which codes a new room may
  /// have; any if there is none.
  struct Place {
    std::string code;
    bool is_new = false;
    std::size_t limit = 0;
  };
  Place place_for(const std::string& player, const std::string& request,
                  const std::optional<std::string>& household = {},
                  const std::vector<RoomEntry>& kept = {},
                  const std::function<bool(const std::string& code)>& may_be = {});
  /// The code that this request of this player has got from a room that is awake.
  std::optional<std::string> made_by(const std::string& player, const std::string& request) const;
  /// The room was refused after all.
  void give_back(const std::string& code);
  /// The rooms in use will be heard of; they were made in this order, before all that are made from
  /// now on.
  void expect(const KeptRooms& rooms);
  void hear(const RoomNews& news);

  /// The rooms that this household has made since the start of the server, and that are there.
  std::vector<std::string> rooms_from(const std::string& household) const;
  /// The newest limits::kLobbyRooms of those that are for everybody, the newest first: of all
  /// servers, and those here.
  std::vector<ListedRoom> listed() const;
  std::vector<ListedSince> listed_here() const;
  /// What whoever has this code is told of its room. None for a code without a room and for a room
  /// that does not let everybody in alike.
  std::optional<Invitation> invitation(const std::string& code) const;
  bool is_awake(const std::string& code) const { return rooms_.contains(code); }
  /// Every room that is awake, for whoever runs the server.
  std::vector<ListedRoom> all() const;
  /// The room that is awake of the finished match of this id, if anybody may have its record. None
  /// for all others alike, so that nobody learns by it which matches there are.
  std::optional<std::string> room_of_record(const std::string& match) const;
  void watch(const ConnectionPointer& connection, bool on);

 private:
  /// Where a room was made from, and whether it gathers or plays, as far as is known: in memory
  /// only, for the store keeps no addresses.
  struct Origin {
    std::string household;
    bool is_alive = true;
  };
  void tell_watchers();
  /// What is known of a room that is awake.
  void forget(const std::string& code);
  /// Whether a room gathers or plays; one that is being made does.
  bool is_alive(const std::string& code) const;
  /// The list as a frame, written once for all who ask until it changes.
  std::shared_ptr<const std::string> list_text();

  boost::asio::io_context& context_;
  Timer timer_;
  bool telling_ = false;
  TimePoint rests_until_{};
  std::map<std::string, RoomNews> rooms_;
  struct Made {
    std::uint64_t number = 0;  // of rooms, in the order in which they were made
    TimePoint at{};            // or heard of first
  };
  std::map<std::string, Made> made_;
  std::map<std::uint64_t, ListedSince> listed_;                         // by number
  std::map<std::uint64_t, std::vector<ListedSince>> listed_by_others_;  // by link
  std::function<void()> tell_others_;  // null: there is no other server
  bool others_know_ = true;            // what is listed here
  std::uint64_t last_number_ = 0;
  std::shared_ptr<const std::string> list_text_;  // null: to be written
  // By match: at most limits::kRecordsPerRoom of each room.
  std::map<std::string, std::string> open_records_;  // the rooms
  std::map<std::pair<std::string, std::string>, std::string> created_;
  std::map<std::string, Origin> origins_;
  std::size_t kept_ = 0;  // rooms, awake or not
  std::map<ConnectionId, std::weak_ptr<Connection>> watchers_;
};

}  // namespace triquetra
