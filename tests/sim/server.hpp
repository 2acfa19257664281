// One server of an evening, and its lives: a process that starts, is killed, stands still, is cut
// off from the store, ends as it is told to, and starts again. Alone, or one of several.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/people/hub.hpp"
#include "tests/sim/faulty_store.hpp"
#include "tests/sim/network.hpp"
#include "tests/sim/wires.hpp"

namespace triquetra::sim {

class Server {
 public:
  /// `wires`: null for a server that is alone.
  Server(World& world, FaultyStore& store, Wires* wires, std::string address,
         milliseconds rest_time, Canary canary);
  ~Server() { kill(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// A new process; takes connections when it is ready.
  void start();
  /// Whatever was under way is gone, but for what was kept.
  void kill();
  void restart();
  /// It hands its rooms over, sends everybody away, and goes.
  void terminate();
  /// It does nothing until thaw(), wherever it stands; what comes for it waits.
  void freeze();
  void thaw();

  bool runs() const { return hub_ != nullptr; }
  bool is_frozen() const { return is_frozen_; }
  /// Whether a balancer sends people here; `looks`: it has looked just now.
  bool takes_people(bool looks) const;
  std::shared_ptr<Line> connect(Line::Hear hear);
  /// Does what there is to do; how much that was.
  std::size_t poll();

  const std::string& address() const { return address_; }
  const FaultyStore::FrontPointer& front() const { return front_; }
  Hub& hub() { return *hub_; }
  std::size_t starts() const { return starts_; }
  std::size_t longest_outbox();
  /// A room here says something now, which the store must have given this server a lease for.
  void says(bool by_link);
  /// Whether it has said something without.
  bool has_overstepped() const { return has_overstepped_; }

 private:
  void note_outboxes();
  void let_think();

  World& world_;
  FaultyStore& store_;
  Wires* const wires_;
  const std::string address_;
  const milliseconds rest_time_;
  const Canary canary_;
  FaultyStore::FrontPointer front_;
  std::unique_ptr<Hub> hub_;
  std::vector<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guards_;
  std::vector<std::shared_ptr<Line>> lines_;
  std::uint32_t node_ = 0;  // 0: alone
  ConnectionId last_connection_ = 0;
  std::size_t starts_ = 0;
  bool is_ready_ = false;
  bool is_frozen_ = false;
  TimePoint thawed_at_{};
  bool thinks_ = false;  // soon
  bool has_overstepped_ = false;
  std::size_t longest_outbox_ = 0;
};

}  // namespace triquetra::sim
