// What the generator plays: which rooms there are, when each of them acts, and what is counted.
// Closed loop: a room acts as soon as it may. Open loop: acts fall due at a fixed rate, room after
// room, and each is counted from when it was due, so that a server that stalls pays for the wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/client.hpp"
#include "bench/load/histogram.hpp"

namespace triquetra::load {

/// How far connections come before the measuring begins.
enum class Stage { hello, seated, view };

struct Plan {
  std::uint16_t port = 0;
  std::size_t rooms = 100;
  std::size_t seats = 4;  // of each room, for people
  std::size_t bots = 0;   // of the server's, in each room beside them
  std::string level = "expert";
  std::size_t watchers = 0;  // of each room
  std::string game = "triqueta";
  std::string options = "{}";
  bool hints = true;
  bool listed = false;
  Stage stage = Stage::view;
  std::size_t matches = 0;      // of each room; 0: without end
  std::size_t frame_bytes = 0;  // what an act has at least, where its content does not matter
  double rate = 0;              // acts a second of all rooms; 0: closed loop

  std::size_t members() const { return seats + watchers; }
};

struct Counts {
  std::uint64_t acts = 0;
  std::uint64_t views = 0;
  std::uint64_t view_bytes = 0;
  std::uint64_t largest_view = 0;
  std::uint64_t answers = 0;
  std::uint64_t answer_bytes = 0;
  std::uint64_t others = 0;
  std::uint64_t other_bytes = 0;
  std::uint64_t matches = 0;
  std::uint64_t revisions = 0;  // the sum over all acts
};

/// Who sends the act that a room has ready.
class Actor {
 public:
  Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  virtual ~Actor() = default;
  /// Sends it; its time counts from `due`.
  virtual void act(std::size_t room, std::uint64_t due) = 0;
};

class Workload {
 public:
  explicit Workload(const Plan& plan) : plan_(plan), rooms_(plan.rooms) {}

  const Plan& plan() const { return plan_; }
  std::size_t room_of(std::size_t connection) const { return connection / plan_.members(); }
  std::size_t member_of(std::size_t connection) const { return connection % plan_.members(); }
  std::size_t connection_of(std::size_t room, std::size_t member) const {
    return room * plan_.members() + member;
  }
  bool is_seated(std::size_t connection) const { return member_of(connection) < plan_.seats; }

  /// A room has an act ready: it goes out now, when it falls due, or when the acts begin.
  void ready(Actor& actor, std::size_t room);
  /// The acts begin now.
  void begin(Actor& actor, std::uint64_t now);
  /// No more acts go out; those ready stay so.
  void end() { running_ = false; }
  /// Sends what has fallen due until `now`; returns when the next one does.
  std::uint64_t send_due(Actor& actor, std::uint64_t now);
  /// Rooms that have no act ready, once they have had the time for it.
  std::size_t rooms_without_act() const;

  /// From here on it counts.
  void count_from_here();
  /// An act that was due then has led to its own view, the room's state of this revision.
  void acted(std::uint64_t due, std::uint64_t revision);
  void viewed(std::size_t bytes);
  void answered(std::size_t bytes);
  void heard_other(std::size_t bytes);
  void ended_match();
  /// A refusal, or a goodbye. The first few are printed.
  void complain(std::string_view what);

  const Counts& counts() const { return counts_; }
  const Histogram& times() const { return times_; }
  std::uint64_t errors() const { return errors_; }

 private:
  struct Room {
    bool is_ready = false;
    std::deque<std::uint64_t> due;  // what it could not do in time
  };
  Plan plan_;
  std::vector<Room> rooms_;
  bool running_ = false;
  bool counting_ = false;
  std::uint64_t began_ = 0;
  std::uint64_t fallen_due_ = 0;  // so many acts since
  Counts counts_;
  Histogram times_;
  std::uint64_t errors_ = 0;
};

/// How a server is talked to. Its rooms, members and acts are the workload's.
class Dialect : public Listener, public Actor {
 public:
  Dialect(Client& client, Workload& workload) : client_(client), workload_(workload) {}
  /// How many connections have come as far as they shall.
  std::size_t arrived() const { return arrived_; }
  const Histogram& arrivals() const { return arrivals_; }
  /// Acts that have no answer yet.
  virtual std::size_t open_acts() const = 0;
  void lost(std::size_t connection) override;

 protected:
  /// This connection has come as far as it shall; called once for each.
  void arrive(std::size_t connection);

  Client& client_;
  Workload& workload_;

 private:
  std::size_t arrived_ = 0;
  Histogram arrivals_;
};

}  // namespace triquetra::load
