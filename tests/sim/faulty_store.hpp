// A store of its own kind: it takes its time, refuses, loses answers, fences, gives leases, and
// survives all servers. It is also where the checkers read what was really kept.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/store/device_codes.hpp"
#include "server/store/event_store.hpp"
#include "server/store/room_index.hpp"
#include "tests/sim/network.hpp"

namespace triquetra::sim {

class FaultyStore {
 public:
  FaultyStore(World& world, Canary canary) : world_(world), canary_(canary) {}

  /// One server's way here. What is asked over it is done in that order.
  struct Front;
  using FrontPointer = std::shared_ptr<Front>;
  FrontPointer open();
  /// What the server is given: it may end with the server, this stays.
  std::unique_ptr<EventStore> store_of(const FrontPointer& front);
  /// The server has died: what it waits for will never be said to it, and what was not yet written
  /// may or may not have been.
  void server_died(const FrontPointer& front);
  /// Nothing gets through: the server hears so in a while. What it has asked by then may be done
  /// all the same, and late: not after mend(), for from then on what is read is what there is.
  void cut_off(const FrontPointer& front);
  void mend(const FrontPointer& front);
  /// Each answer takes seconds.
  void slow_down(const FrontPointer& front, bool is_slow);
  /// Calls f once, when some room has something to keep, and mostly before it is kept.
  void at_next_write(std::function<void()> f) { at_next_write_ = std::move(f); }
  /// Planted: the server is told that its lease is renewed, which it is not; with Canary::fence
  /// also that all is kept from which it is fenced.
  void deafen(const FrontPointer& front);

  /// For each write, in thousandths: it is refused; its outcome is unknown.
  std::uint32_t refuses = 0;
  std::uint32_t loses_track = 0;

  /// All that was ever kept of a room, also of rooms that were erased.
  const std::vector<Record>& log(const std::string& room) const;
  const std::map<std::string, std::vector<Record>>& logs() const { return logs_; }
  /// The player who showed this token's hash.
  std::optional<StoredPlayer> player(const std::string& token_hash) const;
  /// Whether this server's lease has not ended.
  bool has_lease(std::uint32_t node) const;
  /// The rooms that some server has to have awake.
  std::vector<std::string> in_use() const { return index_.rooms().in_use; }
  std::size_t faults() const { return faults_; }
  /// How often a room was put to sleep, had a new owner, and a write came from an owner of before.
  std::size_t rests() const { return rests_; }
  std::size_t takeovers() const { return takeovers_; }
  std::size_t fenced() const { return fenced_; }
  /// The most calls of a server that ever waited here, and the most appends of one room among them.
  std::size_t longest_queue() const { return longest_queue_; }
  int most_appends() const { return most_appends_; }

 private:
  friend class FrontStore;
  struct Node {
    std::string address;
    TimePoint active;
    TimePoint expires;
  };
  using Nodes = std::optional<std::vector<LiveNode>>;
  using Answer = std::function<void()>;
  struct Waiting {
    std::function<Answer()> work;
    std::function<void()> write{};        // its effect on the store alone, if it has one
    std::function<void(bool sent)> lost;  // the caller hears that nobody can tell
    Answer answer{};                      // once it is done
  };
  using Write = std::function<void()>;
  /// Does `work` when its time has come, one after the other, and has it answered a while later.
  void line_up(const FrontPointer& front, Waiting waiting);
  /// What a server has asked when it is cut off, all of it.
  void lose(Front& front, Waiting waiting, bool& is_sent);
  void hear_of_cut(Front& front);
  /// Whether an append fits, and its writer is not one of before.
  bool may_write(const std::string& room, std::uint64_t seq, std::uint64_t epoch);
  void rewrite(const std::string& room, std::uint64_t from, const std::vector<Record>& records);
  Kept outcome(const std::function<bool()>& write);
  void renew(const FrontPointer& front, const NodeClaim& claim,
             const std::function<void(Nodes)>& done);
  std::vector<LiveNode> renewed(const NodeClaim& claim);
  milliseconds pause(const Front& front);
  milliseconds until(TimePoint at) const;

  World& world_;
  Canary canary_;
  std::map<std::string, std::vector<Record>> logs_;
  std::map<std::string, std::uint64_t> epochs_;  // of the last writers
  std::set<std::string> erased_;
  std::map<std::string, StoredPlayer> players_;
  DeviceCodes codes_;
  std::map<std::string, RoomEntry> entries_;
  std::map<std::string, std::pair<std::string, TimePoint>> naps_;  // notes, and since when
  std::map<std::uint32_t, Node> nodes_;
  RoomIndex index_;
  std::function<void()> at_next_write_;
  std::size_t rests_ = 0;
  std::size_t takeovers_ = 0;
  std::size_t fenced_ = 0;
  std::size_t faults_ = 0;
  std::size_t longest_queue_ = 0;
  int most_appends_ = 0;
};

}  // namespace triquetra::sim
