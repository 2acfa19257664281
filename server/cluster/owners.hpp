// Whose a room is: by rendezvous hash over the servers that live, so that all who know the same
// servers say the same, and a server that comes or goes moves its own share of the rooms alone.
//
// Folder: several servers on one database: who lives, whose a room is, links between them.
// May see: stream, server/room, server/store, server/ops, server/base, protocol, engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace triquetra {

struct Owner {
  std::uint32_t id = 0;  // the writer's number, see Tenure
  std::string address;   // HOST:PORT of its link door
  friend bool operator==(const Owner&, const Owner&) = default;
};

class Owners {
 public:
  /// `self` owns what falls to it, if it is one of `all`.
  Owners(std::uint32_t self, std::vector<Owner> all);

  /// Null if there is nobody.
  const Owner* owner_of(std::string_view room) const;
  bool owns(std::string_view room) const;
  /// Whether something can fall to `self`.
  bool has_self() const;
  const std::vector<Owner>& all() const { return all_; }
  friend bool operator==(const Owners&, const Owners&) = default;

 private:
  std::uint32_t self_;
  std::vector<Owner> all_;
};

}  // namespace triquetra
