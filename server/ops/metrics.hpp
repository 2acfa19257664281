// What the server counts about itself, for /metrics. The counters are atomics of the library, since
// every thread adds to the same few and nobody waits for their sum; there is one set per process.
// Labels are words from fixed lists, so no stranger can add one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/errors.hpp"

namespace triquetra {

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// A WebSocket has come, or gone.
  void connected(bool here);
  /// A connection was not let in: "host", "origin" or "address".
  void turned_away(std::string_view why);
  /// So many rooms are awake, and so many sleep.
  void rooms(std::size_t awake, std::size_t asleep);
  /// A person's act in a game was kept, `took` after it had reached the room.
  void acted(std::string_view game, std::chrono::nanoseconds took);
  /// A person's act in a game was refused.
  void act_refused(std::string_view game);
  /// Any request was refused.
  void refused(ErrorCode code);
  /// One commit of the log: how many appends it held, and how long it took.
  void committed(std::size_t appends, std::chrono::microseconds took);
  /// A message waits for a room, or waits no longer.
  void waiting(bool here);
  /// So many more frames wait to be written to peers; less than 0: fewer.
  void outbox(std::int64_t more);
  /// So many calls wait for the store.
  void store_waits(std::size_t count);
  /// A player came back with a token.
  void resumed();
  /// A bot took a seat over.
  void covered();
  /// A thought of a bot, a hint or a review waits for a thread, or waits no longer.
  void thought_waits(bool here);
  /// A thread thinks, or has ended a thought.
  void thought_runs(bool here);
  /// What time there was for one: "whole" for all of its playouts, "shortened" for some of them,
  /// "none" if the bot acted without looking ahead.
  void thought(std::string_view time);
  /// The store took what it was given, or did not. If it did not, the server is not ready.
  void stored(bool well);
  bool stores_well() const;

  /// One of several servers: its name.
  void named(const std::string& server);
  /// So many servers have a lease, this one too.
  void live_servers(std::size_t count);
  /// So many links that this server made to others are up.
  void links(std::size_t count);
  /// This server's lease has ended while it had rooms, or might have.
  void lease_lapsed();
  /// A room's log was taken over from another server.
  void took_over();

  /// All of it in Prometheus' text format.
  std::string text() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The one set of this process.
Metrics& metrics();

}  // namespace triquetra
