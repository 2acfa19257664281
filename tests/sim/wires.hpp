// The network between servers: links that carry messages late and in their order, that are cut in
// one direction while the other one works, and that end at one side before the other side knows.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/cluster/link.hpp"
#include "tests/sim/world.hpp"

namespace triquetra::sim {

class Wires {
 public:
  /// Hears of each frame that the server at `address` hands on from a room of its own.
  using Says = std::function<void(const std::string& address, const std::string& room)>;
  Wires(World& world, Says says) : world_(world), says_(std::move(says)) {}

  /// What the server at `address` makes its links with.
  link::MakeLinks links_of(const std::string& address);
  /// Its process is gone; perhaps its whole machine, and then nobody is told.
  void server_died(const std::string& address);

  /// What one server says does not reach the other, until mend(): then it comes, late, to whoever
  /// still listens.
  void cut(const std::string& from, const std::string& to);
  void mend(const std::string& from, const std::string& to);
  /// Whether a server hears a message just now: what it says to its clients, another one has said.
  bool is_hearing() const { return is_hearing_; }

  /// In thousandths: how many messages come late; how many come twice, which TLS never does.
  std::uint32_t late = 20;
  std::uint32_t twice = 0;
  /// How many messages came so long after they were sent that their sender had ended the link, and
  /// how often a link was found dead by its silence.
  std::size_t stale() const { return stale_; }
  std::size_t silent() const { return silent_; }

 private:
  class End;
  class Door;
  using EndPointer = std::shared_ptr<End>;
  bool is_cut(const std::string& from, const std::string& to) const {
    return cuts_.contains({from, to});
  }
  void make(const std::string& from, const std::string& to, boost::asio::io_context& context,
            const std::function<void(link::LinkPointer)>& made);

  World& world_;
  Says says_;
  std::map<std::string, Door*> doors_;  // of servers that run, by address
  std::vector<std::weak_ptr<End>> ends_;
  std::vector<EndPointer> held_;  // whose messages do not get through
  std::set<std::pair<std::string, std::string>> cuts_;
  std::uint64_t last_door_ = 0;
  bool is_hearing_ = false;
  std::size_t stale_ = 0;
  std::size_t silent_ = 0;
};

}  // namespace triquetra::sim
