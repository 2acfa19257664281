#include "tests/sim/server.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace triquetra::sim {
namespace {

// Of one thought at most: what bots do with more is for other tests.
constexpr std::uint32_t kPlayouts = 4;
// Two threads' worth of mailboxes, worked off in turns.
constexpr std::size_t kThreads = 2;

}  // namespace

Server::Server(World& world, FaultyStore& store, Wires* wires, std::string address,
               milliseconds rest_time, Canary canary)
    : world_(world),
      store_(store),
      wires_(wires),
      address_(std::move(address)),
      rest_time_(rest_time),
      canary_(canary) {}

void Server::start() {
  ++starts_;
  thinks_ = false;
  RoomPolicy policy;
  policy.rest_time = rest_time_;
  std::optional<NodeOptions> node;
  if (wires_ != nullptr) {
    node_ = 1 + world_.below((1U << kWriterBits) - 1);
    node = {node_, "node", address_, wires_->links_of(address_)};
  }
  front_ = store_.open();
  hub_ = std::make_unique<Hub>(
      kThreads, policy, [this](boost::asio::io_context&) { return store_.store_of(front_); },
      Networks(), node);
  for (std::size_t i = 0; i < hub_->thread_count(); ++i) {
    guards_.emplace_back(hub_->context(i).get_executor());
  }
  world_.wake();
  hub_->load([this, start = starts_](bool all_loaded) {
    // As the real one: it would rather not start than forget a room.
    if (all_loaded) {
      is_ready_ = true;
    } else {
      world_.after(std::chrono::seconds(1), [this, start] {
        if (hub_ && starts_ == start) restart();
      });
    }
  });
}

void Server::kill() {
  if (!hub_) return;
  is_ready_ = is_frozen_ = false;
  note_outboxes();
  for (const auto& line : lines_) line->server_died();
  if (wires_ != nullptr) wires_->server_died(address_);
  guards_.clear();
  poll();
  store_.server_died(front_);
  hub_.reset();
  lines_.clear();
}

void Server::restart() {
  kill();
  start();
}

void Server::terminate() {
  if (!hub_ || is_frozen_ || !std::exchange(is_ready_, false)) return;
  boost::asio::post(hub_->first(), [this, start = starts_] {
    hub_->hand_over([this, start] {
      for (const auto& line : lines_) line->finish(ByeCode::restarting, limits::kMovedRetryMs);
      world_.after(world_.between(0, 3000), [this, start] {
        if (starts_ == start) kill();
      });
    });
  });
  world_.wake();
}

void Server::freeze() {
  if (!hub_ || is_frozen_) return;
  // In the middle of its work.
  for (std::uint32_t i = world_.below(4); i > 0; --i) {
    hub_->context(world_.below(kThreads)).poll_one();
  }
  is_frozen_ = true;
  for (const auto& line : lines_) line->freeze(true);
}

void Server::thaw() {
  if (!hub_ || !std::exchange(is_frozen_, false)) return;
  thawed_at_ = now();
  for (const auto& line : lines_) line->freeze(false);
  world_.wake();
}

bool Server::takes_people(bool looks) const {
  return hub_ && is_ready_ && (!looks || hub_->may_speak());
}

std::shared_ptr<Line> Server::connect(Line::Hear hear) {
  const ConnectionId id = ++last_connection_;
  const auto says = [this](const std::string&) { this->says(false); };
  auto line = std::make_shared<Line>(world_, hub_->context(id), id, std::move(hear), says);
  line->open(*hub_);
  line->freeze(is_frozen_);
  world_.wake();
  if (canary_ == Canary::leak && !lines_.empty()) line->overhear(lines_.front());
  lines_.push_back(line);
  return line;
}

std::size_t Server::poll() {
  if (!hub_ || is_frozen_) return 0;
  std::size_t worked = 0;
  for (std::size_t i = 0; i < hub_->thread_count(); ++i) worked += hub_->context(i).poll();
  let_think();
  return worked;
}

void Server::let_think() {
  if (hub_->thinkers().waiting() == 0 || std::exchange(thinks_, true)) return;
  // Before the pause of a bot is over, or so late that it has acted without.
  world_.after(world_.between(0, 4000), [this, start = starts_] {
    if (!hub_ || starts_ != start) return;
    thinks_ = false;
    if (!is_frozen_) hub_->thinkers().poll(kPlayouts);
    world_.wake();
  });
}

void Server::says(bool by_link) {
  if (wires_ == nullptr) return;
  // What others say goes through here as well; and what has waited for this process to go on was
  // said before it stood still.
  if (by_link ? now() == thawed_at_ : wires_->is_hearing()) return;
  if (!store_.has_lease(node_)) has_overstepped_ = true;
}

void Server::note_outboxes() {
  for (const auto& line : lines_) {
    longest_outbox_ = std::max(longest_outbox_, line->longest_queue());
  }
}

std::size_t Server::longest_outbox() {
  note_outboxes();
  return longest_outbox_;
}

}  // namespace triquetra::sim
