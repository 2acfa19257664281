#include "tests/sim/wires.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>

#include "protocol/json.hpp"
#include "server/base/clock.hpp"
#include "server/base/limits.hpp"

namespace triquetra::sim {

namespace asio = boost::asio;

/// One end of a link, as its server has it.
class Wires::End final : public link::Link, public std::enable_shared_from_this<End> {
 public:
  End(Wires& wires, asio::io_context& context, std::string self, std::string peer)
      : wires_(wires),
        context_(context),
        self_(std::move(self)),
        peer_(std::move(peer)),
        deadline_(std::in_place, context),
        heard_at_(now()),
        said_at_(heard_at_) {}

  static void join(const EndPointer& maker, const EndPointer& door) {
    maker->other_ = door;
    door->other_ = maker;
    maker->greets_ = true;
  }

  // ---- as Neighbours know it, on the server's thread

  void begin(std::function<void()> ready, Heard heard, std::function<void()> ended) override {
    ready_ = std::move(ready);
    heard_ = std::move(heard);
    ended_ = std::move(ended);
    has_begun_ = true;
    deadline_->expires_after(limits::kLinkHandshakeTime);
    deadline_->async_wait([weak = weak_from_this()](boost::system::error_code error) {
      const auto self = weak.lock();
      if (!error && self && !self->is_ready_) self->has_ended();
    });
    shake_hands();
  }
  void send(std::string_view head, std::string_view text) override {
    if (is_over_ || !is_ready_) return;
    const std::size_t size = head.size() + 1 + text.size();
    if (size > limits::kLinkMessageBytes || bytes_ + size > limits::kLinkQueueBytes) {
      return has_ended();
    }
    said_at_ = now();
    if (head.starts_with(R"({"type":"shown")")) {
      const std::string room = parse_json(head, kTrustedJson).at("room");
      if (!room.empty()) wires_.says_(self_, room);
    }
    put(std::string(head) + "\n" + std::string(text));
  }
  bool is_full() const override { return bytes_ > limits::kLinkQueueBytes / 2; }
  void look(TimePoint at) override {
    if (is_over_ || !is_ready_) return;
    if (at - heard_at_ > limits::kLinkSilence) {
      ++wires_.silent_;
      return has_ended();
    }
    if (at - said_at_ >= limits::kLinkBeat) send(R"({"type":"beat"})", {});
  }
  void end() override {
    ended_ = nullptr;
    has_ended();
  }

  // ---- the network

  const std::string& self() const { return self_; }
  /// Its server is no more.
  void die(bool is_told) {
    is_dead_ = true;
    deadline_.reset();
    ready_ = ended_ = nullptr;
    heard_ = nullptr;
    if (std::exchange(is_over_, true)) return;
    if (is_told) put(std::nullopt);
    if (!is_told) queue_.clear();
  }
  /// As soon as both sides hear each other.
  void shake_hands() {
    const auto other = other_.lock();
    const bool can = other && has_begun_ && other->has_begun_ && !is_ready_ && !is_over_ &&
                     !other->is_over_ && !wires_.is_cut(self_, peer_) &&
                     !wires_.is_cut(peer_, self_);
    if (!can) return;
    const EndPointer maker = greets_ ? shared_from_this() : other;
    const EndPointer door = greets_ ? other : shared_from_this();
    wires_.world_.after(wires_.world_.between(1, 20), [maker, door] {
      door->post([](End& end) { end.be_ready(); });
      maker->post([](End& end) { end.be_ready(); });
    });
  }
  /// What waits goes on.
  void go_on() {
    if (queue_.empty() || std::exchange(is_under_way_, true)) return;
    const TimePoint due = std::max(now(), queue_.front().due);
    const auto wait = std::chrono::duration_cast<milliseconds>(due - now());
    wires_.world_.after(wait, [self = shared_from_this()] {
      self->is_under_way_ = false;
      self->arrive();
    });
  }

 private:
  using Message = std::optional<std::string>;  // none: the end
  struct Sent {
    Message message;
    TimePoint due{};
  };

  void put(Message message) {
    // A process that ends may leave unsaid what it had not yet written.
    if (!message && wires_.world_.chance(300)) {
      queue_.resize(wires_.world_.below(static_cast<std::uint32_t>(queue_.size()) + 1));
    }
    bytes_ += message ? message->size() : 0;
    const int longest = wires_.world_.chance(wires_.late) ? 1500 : 4;
    last_due_ = std::max(last_due_, now() + wires_.world_.between(0, longest));
    queue_.push_back({std::move(message), last_due_});
    go_on();
  }
  void arrive() {
    if (queue_.empty()) return;
    if (wires_.is_cut(self_, peer_)) return wires_.held_.push_back(shared_from_this());
    const Message message = std::move(queue_.front().message);
    queue_.pop_front();
    bytes_ -= message ? message->size() : 0;
    if (message && is_over_) ++wires_.stale_;
    const bool is_greeting = std::exchange(greets_, false) && message;
    const bool comes_twice = !is_greeting && message && wires_.world_.chance(wires_.twice);
    if (const auto other = other_.lock()) {
      other->post([message](End& end) { end.take(message); });
      if (comes_twice) other->post([message](End& end) { end.take(message); });
    }
    go_on();
  }
  /// What the network does to its server waits for that one's thread.
  void post(std::function<void(End&)> what) {
    if (is_dead_) return;
    wires_.world_.wake();
    asio::post(context_, [self = shared_from_this(), what = std::move(what)] {
      if (!self->is_dead_) what(*self);
    });
  }
  void be_ready() {
    if (is_over_ || std::exchange(is_ready_, true)) return;
    deadline_->cancel();
    heard_at_ = now();
    std::exchange(ready_, nullptr)();
  }
  void take(const Message& message) {
    if (is_over_) return;
    if (!message) return has_ended();
    heard_at_ = now();
    const bool was = std::exchange(wires_.is_hearing_, true);
    heard_(*message);
    wires_.is_hearing_ = was;
  }
  void has_ended() {
    if (std::exchange(is_over_, true)) return;
    deadline_->cancel();
    put(std::nullopt);
    if (const auto ended = std::exchange(ended_, nullptr)) ended();
    const auto self = shared_from_this();
    asio::post(context_, [self] { self->heard_ = nullptr; });
  }

  Wires& wires_;
  asio::io_context& context_;
  const std::string self_;
  const std::string peer_;
  std::weak_ptr<End> other_;
  std::optional<Timer> deadline_;  // none once its server is gone
  std::function<void()> ready_;
  Heard heard_;
  std::function<void()> ended_;
  std::deque<Sent> queue_;
  TimePoint last_due_{};
  std::size_t bytes_ = 0;
  bool greets_ = false;  // its first message is the greeting
  bool has_begun_ = false;
  bool is_ready_ = false;
  bool is_over_ = false;
  bool is_dead_ = false;
  bool is_under_way_ = false;
  TimePoint heard_at_;
  TimePoint said_at_;
};

/// Where a server is reached.
class Wires::Door final : public link::Links {
 public:
  Door(Wires& wires, asio::io_context& context, std::string address)
      : wires_(wires), context_(context), address_(std::move(address)) {
    number = ++wires_.last_door_;
    wires_.doors_[address_] = this;
  }
  ~Door() override { wires_.doors_.erase(address_); }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  void listen(std::function<void(link::LinkPointer)> came) override { came_ = std::move(came); }
  void make(const std::string& address, std::function<void(link::LinkPointer)> made) override {
    wires_.make(address_, address, context_, made);
  }
  std::uint64_t number = 0;  // no two processes have the same

  /// The end of a link that somebody makes; null if nobody listens.
  EndPointer let_in(const std::string& from) {
    if (!came_) return nullptr;
    const auto end = std::make_shared<End>(wires_, context_, address_, from);
    wires_.world_.wake();
    asio::post(context_, [came = came_, end] { came(end); });
    return end;
  }

 private:
  Wires& wires_;
  asio::io_context& context_;
  const std::string address_;
  std::function<void(link::LinkPointer)> came_;
};

link::MakeLinks Wires::links_of(const std::string& address) {
  return [this, address](asio::io_context& first) {
    return std::make_unique<Door>(*this, first, address);
  };
}

void Wires::make(const std::string& from, const std::string& to, asio::io_context& context,
                 const std::function<void(link::LinkPointer)>& made) {
  // Its process may end meanwhile, and another one be there.
  const auto is_there = [this, from, number = doors_.at(from)->number] {
    const auto found = doors_.find(from);
    return found != doors_.end() && found->second->number == number;
  };
  const auto answer = [this, is_there, &context, made](const EndPointer& end) {
    if (!is_there()) return;
    world_.wake();
    asio::post(context, [made, end] { made(end); });
  };
  const bool is_lost = is_cut(from, to) || is_cut(to, from);
  if (is_lost) return world_.after(limits::kLinkHandshakeTime, [answer] { answer(nullptr); });
  world_.after(world_.between(1, 10), [this, from, to, &context, is_there, answer] {
    if (!is_there()) return;
    const auto found = doors_.find(to);
    const EndPointer door = found == doors_.end() ? nullptr : found->second->let_in(from);
    if (!door) return answer(nullptr);
    const auto end = std::make_shared<End>(*this, context, from, to);
    End::join(end, door);
    std::erase_if(ends_, [](const auto& weak) { return weak.expired(); });
    ends_.insert(ends_.end(), {end, door});
    answer(end);
  });
}

void Wires::server_died(const std::string& address) {
  const bool is_told = world_.chance(700);
  for (const auto& weak : ends_) {
    const auto end = weak.lock();
    if (end && end->self() == address) end->die(is_told);
  }
}

void Wires::cut(const std::string& from, const std::string& to) { cuts_.insert({from, to}); }

void Wires::mend(const std::string& from, const std::string& to) {
  cuts_.erase({from, to});
  for (const EndPointer& end : std::exchange(held_, {})) end->go_on();
  for (const auto& weak : ends_) {
    if (const auto end = weak.lock()) end->shake_hands();
  }
}

}  // namespace triquetra::sim
