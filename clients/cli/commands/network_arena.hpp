// `triquetra arena --server`: a tournament at a server. This process makes a room for each match
// and plays one of the bots; the others are processes of their own, ours or any program that takes
// a room code and --server URL, such as the bot kits' examples.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/commands/robots.hpp"
#include "clients/cli/terminal/visitor.hpp"
#include "engine/rng.hpp"
#include "tools/arena.hpp"
#include "tools/tournament.hpp"

namespace triquetra::cli {

class NetworkArena : public Robot {
 public:
  /// `program` is this program's own path. Before: host_bot(plan.bots) is one of them.
  NetworkArena(boost::asio::io_context& io, const SessionOptions& options,
               const Catalogue& catalogue, ArenaPlan plan, std::string program);
  ~NetworkArena() override;
  NetworkArena(const NetworkArena&) = delete;
  NetworkArena& operator=(const NetworkArena&) = delete;

  /// The bot that this process plays: the first that is a level and no command. bots.size() if
  /// there is none.
  static std::size_t host_bot(const std::vector<std::string>& bots);

  void on_welcome(const Welcome& welcome) override;
  void on_ok(const ClientFrame& request, const Ok& ok) override;
  void on_room(const RoomFrame& room) override;
  void on_view(const View& view) override;
  void on_error(const ClientFrame* request, const Error& error) override;
  void on_lost(std::chrono::milliseconds delay) override;
  void on_back() override;

 private:
  std::uint64_t roll() override { return rng_.next(); }
  void make_room();
  void seat_next(const RoomFrame& room);
  void await_arrival();
  void match_is_over(const Raw& record);
  void give_up(const std::string& why);
  void see_children_off(int tries);

  ArenaPlan plan_;
  std::string program_;
  std::size_t host_;  // which bot this process plays
  TournamentReport report_;
  Rng rng_;
  std::vector<std::int64_t> bots_;                       // of this match, by seat
  std::size_t called_ = 0;                               // seats whose bot was started
  std::vector<std::pair<pid_t, std::string>> children_;  // and which bot each is
  std::string match_;
  bool is_at_table_ = false;  // from the answer to create to the record
  bool has_asked_start_ = false;
  bool has_asked_record_ = false;
  boost::asio::steady_timer arrival_timer_;
  boost::asio::steady_timer farewell_timer_;
};

}  // namespace triquetra::cli
