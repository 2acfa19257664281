// What whoever runs the server wants of it, carried out here and at all other servers on the same
// database. Lives on the hub's first thread; every function is called there, and calls back there.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/server_frames.hpp"
#include "server/cluster/link_messages.hpp"

namespace triquetra {

class Hub;
class Neighbours;

/// Many rooms at once: those made from an address, or else all in which nobody has been for so many
/// hours.
struct Swept {
  std::string address;
  int hours = 0;
};

/// Reads `address ADDRESS` or `idle HOURS`; none for anything else.
std::optional<Swept> read_swept(const std::string& text);

/// What came of closing a room. unknown: the server that has it does not answer.
enum class Closing { closed, no_such_room, storage_unavailable, unknown };

class AllServers {
 public:
  explicit AllServers(Hub& hub) : hub_(hub) {}

  /// What is beyond the hub: saying a line to everybody who is connected here, and ending this
  /// server.
  struct Here {
    std::function<void(const std::string& line)> announce;
    std::function<void()> drain;
  };
  void set_here(Here here) { here_ = std::move(here); }

  /// The names of servers that have not answered.
  using Silent = std::vector<std::string>;

  struct AllRooms {
    std::vector<ListedRoom> rooms;
    std::map<std::string, std::vector<std::string>> awake;  // which server has them; empty: alone
    Silent silent;
  };
  /// Every room, awake or not. None if nobody can tell now.
  void rooms(std::function<void(const std::optional<AllRooms>&)> done);
  void announce(const std::string& line, const std::function<void(const Silent&)>& done);
  /// Closes a room for good, wherever it is; `done` hears on some thread.
  void close(const std::string& room, std::function<void(Closing)> done);
  /// Their logs go with them: what strangers have left behind is no evidence. `done` hears how many
  /// were closed.
  void sweep(const std::string& text, const Swept& what,
             std::function<void(std::size_t, const Silent&)> done);
  /// Ends the server of that name; of none: this one. `done` hears whether there is one, and one
  /// only.
  void drain(const std::string& name, const std::function<void(bool)>& done);

  /// An order of an operator at another server.
  void obey(const link::Order& order, const std::string& text,
            const std::function<void(link::Report)>& report);

 private:
  Hub& hub_;
  Here here_;
};

}  // namespace triquetra
