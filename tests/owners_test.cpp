// Whose a room is among several servers, and how long a server may speak for it: pure functions and
// a lease on a clock of the test's own.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/base/lease.hpp"
#include "server/base/limits.hpp"
#include "server/cluster/owners.hpp"

namespace triquetra {
namespace {

constexpr int kRooms = 3000;

std::string code(int number) { return "ROOM" + std::to_string(number); }

std::vector<Owner> servers(std::initializer_list<std::uint32_t> ids) {
  std::vector<Owner> all;
  for (const std::uint32_t id : ids) all.push_back({id, "server" + std::to_string(id) + ":1"});
  return all;
}

TEST_CASE("all who know the same servers say the same of each room") {
  const Owners one(7, servers({7, 8, 9}));
  const Owners other(9, servers({9, 7, 8}));
  for (int room = 0; room < kRooms; ++room) {
    REQUIRE(*one.owner_of(code(room)) == *other.owner_of(code(room)));
    const int owned = int{one.owns(code(room))} + int{other.owns(code(room))};
    REQUIRE(owned == (one.owner_of(code(room))->id == 8 ? 0 : 1));
  }
}

TEST_CASE("each server has about its share") {
  const Owners owners(1, servers({1, 2, 3}));
  std::map<std::uint32_t, int> rooms;
  for (int room = 0; room < kRooms; ++room) ++rooms[owners.owner_of(code(room))->id];
  for (const auto& [id, count] : rooms) CHECK(std::abs(count - kRooms / 3) < kRooms / 20);
}

TEST_CASE("who comes or goes moves its own rooms alone") {
  const Owners three(1, servers({1, 2, 3}));
  const Owners two(1, servers({1, 3}));
  int moved = 0;
  for (int room = 0; room < kRooms; ++room) {
    const auto before = three.owner_of(code(room))->id;
    const auto after = two.owner_of(code(room))->id;
    if (before != after) ++moved;
    CHECK((before == after || before == 2));
  }
  CHECK(moved > 0);
}

TEST_CASE("without servers nobody has a room, and who is not among them has none") {
  CHECK(Owners(1, {}).owner_of("X") == nullptr);
  CHECK_FALSE(Owners(1, {}).owns("X"));
  const Owners others(1, servers({2, 3}));
  CHECK_FALSE(others.has_self());
  for (int room = 0; room < kRooms; ++room) REQUIRE_FALSE(others.owns(code(room)));
}

TEST_CASE("a lease is over a third before its end, from when it was asked for") {
  Lease lease;
  const TimePoint asked(std::chrono::hours(1));
  CHECK_FALSE(lease.holds(asked));
  lease.renew(asked);
  const auto third = limits::kLeaseTime / 3;
  CHECK(lease.holds(asked + 2 * third - std::chrono::milliseconds(1)));
  CHECK_FALSE(lease.holds(asked + 2 * third));
}

TEST_CASE("what belongs to a lease that lapsed has no right by the next one") {
  Lease lease;
  const TimePoint asked(std::chrono::hours(1));
  lease.renew(asked);
  const Tenure before{&lease, lease.term(), 5};
  CHECK(before.holds(asked));
  lease.lapse();
  CHECK_FALSE(before.holds(asked));
  lease.renew(asked);
  CHECK_FALSE(before.holds(asked));
  CHECK(Tenure{&lease, lease.term(), 5}.holds(asked));
  CHECK(Tenure{}.holds(asked));
}

TEST_CASE("an epoch is above the last, and no two writers have the same") {
  const std::uint64_t first = next_epoch(0, 17);
  const std::uint64_t one = next_epoch(first, 18);
  const std::uint64_t other = next_epoch(first, 19);
  CHECK(first > 0);
  CHECK(one > first);
  CHECK(other > first);
  CHECK(one != other);
  CHECK(next_epoch(other, 17) > other);
  CHECK(is_of_another(first, 18));
  CHECK_FALSE(is_of_another(first, 17));
  // Who is alone goes on in the epoch that is there.
  CHECK(next_epoch(first, 0) == first);
  CHECK_FALSE(is_of_another(0, 17));
}

}  // namespace
}  // namespace triquetra
