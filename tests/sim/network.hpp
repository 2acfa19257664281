// Lines between simulated people and the real sessions of a server: frames take their time, arrive
// in order or not at all, and a line may be cut with frames under way: each of them is lost as a
// whole. Half a frame is the business of the WebSocket library and of the tests with real sockets.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "server/net/outbox.hpp"
#include "server/people/session.hpp"
#include "server/room/connection.hpp"
#include "tests/sim/world.hpp"

namespace triquetra::sim {

/// What is planted to prove that the checkers see it.
enum class Canary { none, leak, lost_act, doubled_act, lease, fence };

/// The server's end: a Connection as the server knows them, with the outbox that ships.
class Line final : public Connection, public std::enable_shared_from_this<Line> {
 public:
  /// What the far end hears: a frame; or, with none, that the line is dead.
  using Hear = std::function<void(const std::string* frame)>;
  /// Hears of each frame of a room in the moment in which the room says it.
  using Says = std::function<void(const std::string& room)>;
  Line(World& world, boost::asio::io_context& context, ConnectionId id, Hear hear, Says says)
      : world_(world), context_(context), id_(id), hear_(std::move(hear)), says_(std::move(says)) {}

  void open(Hub& hub);

  // The far end.
  void say(std::string text);
  /// Cut: frames under way are lost; the server notices at once, or only after its idle time.
  void cut();
  void read_slowly(milliseconds pause) { pause_ = pause; }
  bool is_up() const { return up_; }
  /// The server is no more: what it held is gone, and the far end will notice.
  void server_died();
  /// The server's process stands still: what it has not written yet waits.
  void freeze(bool is_frozen);

  // The server.
  ConnectionId id() const override { return id_; }
  boost::asio::io_context& context() override { return context_; }
  void send(Outgoing frame, std::string room) override;
  void finish(ByeCode code, std::int64_t retry_ms) override;

  /// The most that ever waited here.
  std::size_t longest_queue() const { return longest_queue_; }
  /// Planted: from now on this line hears what another receiver is told.
  void overhear(std::shared_ptr<Line> victim) { victim_ = std::move(victim); }

 private:
  void enqueue(Outgoing frame, const std::string& room);
  void write();
  void written(const Outgoing& frame);
  void end(ByeCode code, std::int64_t retry_ms);
  void close();
  void gone();

  World& world_;
  boost::asio::io_context& context_;
  ConnectionId id_;
  Hear hear_;
  Says says_;
  std::shared_ptr<Session> session_;
  Outbox outbox_;
  TimePoint last_arrival_{};
  milliseconds pause_{0};
  bool writing_ = false;
  bool is_frozen_ = false;
  std::function<void()> written_{};  // what was being written when it froze
  bool ending_ = false;
  bool up_ = true;
  bool server_dead_ = false;
  std::size_t longest_queue_ = 0;
  std::shared_ptr<Line> victim_;
  std::string last_view_;
};

}  // namespace triquetra::sim
