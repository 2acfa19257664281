// One fixed match without sockets, for counting the instructions of an act: from the text of its
// frame, through session, room and memory store, to the bytes for each receiver. All chance and
// time is fixed, so that the count is the same each time. bench/act_cost.py counts.
//
// usage: act_cost GAME OPTIONS SEATS     or without words: prints the games that there are
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/ensure.hpp"
#include "protocol/catalog.hpp"
#include "protocol/json.hpp"
#include "server/base/clock.hpp"
#include "server/base/random.hpp"
#include "server/people/hub.hpp"
#include "server/people/session.hpp"
#include "server/store/memory_store.hpp"

namespace triquetra {

namespace asio = boost::asio;

namespace bench {
namespace {

// People take their time: nobody acts as often as the server would refuse.
constexpr std::chrono::milliseconds kPause{50};
// The longest match of ours has some hundred acts.
constexpr std::size_t kMostActs = 5000;

TimePoint clock_says{std::chrono::hours(1)};

}  // namespace
}  // namespace bench

// This program's clock, in the place of the system's.
TimePoint now() { return bench::clock_says; }
TimePoint::duration sleep_until(TimePoint /*at*/) { return std::chrono::hours(1); }

namespace bench {
namespace {

/// Writes what it is sent into one buffer, as a socket would.
class Receiver final : public Connection {
 public:
  Receiver(ConnectionId id, asio::io_context& context) : id_(id), context_(context) {
    bytes_.reserve(1024 * 1024);
  }
  ConnectionId id() const override { return id_; }
  asio::io_context& context() override { return context_; }
  void send(Outgoing frame, std::string /*room*/) override {
    if (frame.shared) bytes_ += *frame.shared;
    bytes_ += frame.own;
    bytes_ += '\n';
  }
  void finish(ByeCode /*code*/, std::int64_t /*retry_ms*/) override {
    ensure(false, "nobody is sent away");
  }
  /// The frames since the last call.
  std::vector<Json> heard() {
    std::vector<Json> frames;
    for (std::size_t begin = 0; begin < bytes_.size();) {
      const std::size_t end = bytes_.find('\n', begin);
      frames.push_back(parse_json(bytes_.substr(begin, end - begin), kTrustedJson));
      begin = end + 1;
    }
    bytes_.clear();
    return frames;
  }

 private:
  ConnectionId id_;
  asio::io_context& context_;
  std::string bytes_;
};

void run_all(asio::io_context& context) {
  do {
    context.restart();
  } while (context.poll() > 0);
}

}  // namespace
}  // namespace bench
}  // namespace triquetra

// What is counted, by this name and nothing else.
extern "C" [[gnu::noinline]] void triquetra_counted_act(triquetra::Session& session,
                                                        std::string& text,
                                                        boost::asio::io_context& context) {
  session.hear(std::move(text));
  triquetra::bench::run_all(context);
}

namespace triquetra::bench {
namespace {

class Match {
 public:
  explicit Match(std::size_t seats)
      : hub_(1, RoomPolicy{}, [](asio::io_context& first) -> std::unique_ptr<EventStore> {
          return std::make_unique<MemoryStore>(first);
        }) {
    for (std::size_t seat = 0; seat < seats; ++seat) {
      receivers_.push_back(std::make_shared<Receiver>(seat + 1, hub_.first()));
      sessions_.push_back(std::make_shared<Session>(hub_, receivers_.back()));
    }
  }

  void begin(const std::string& game, const Json& options) {
    for (std::size_t seat = 0; seat < sessions_.size(); ++seat) {
      say(seat, {{"type", "hello"}, {"id", "h"}, {"protocol", 1}, {"name", "Ada"}});
    }
    say(0, {{"type", "create"},
            {"id", "c"},
            {"game", game},
            {"options", options},
            {"seats", sessions_.size()}});
    for (std::size_t seat = 1; seat < sessions_.size(); ++seat) {
      say(seat, {{"type", "join"}, {"id", "j"}, {"room", room_}, {"seat", seat}});
    }
    say(0, {{"type", "start"}, {"id", "s"}, {"room", room_}});
  }

  /// Plays the match to its end; returns how many acts that took.
  std::size_t play() {
    for (std::size_t acts = 0; acts < kMostActs; ++acts) {
      const Json& view = views_.at(0);
      const auto& decisions = view.at("decisions");
      if (decisions.empty()) return acts;
      // A window may pass; its turn goes on beside it.
      const auto decision = std::find_if(decisions.begin(), decisions.end(), [](const Json& one) {
        return one.at("kind") != "window";
      });
      ensure(decision != decisions.end(), "somebody has to act");
      act(decision->at("seats").at(0).get<std::size_t>(), decision->at("id"));
    }
    ensure(false, "a match has an end");
    return 0;
  }

 private:
  void act(std::size_t seat, const Json& decision) {
    const Json& view = views_.at(seat);
    const auto& legal = view.at("legal");
    const auto revision = view.at("rev").get<std::uint64_t>();
    const std::size_t chosen = (revision * 2654435761U >> 16U) % legal.size();
    std::string text = Json{{"type", "act"},        {"id", "a" + std::to_string(revision)},
                            {"room", room_},        {"match", view.at("match")},
                            {"decision", decision}, {"action", legal.at(chosen).at("action")}}
                           .dump();
    clock_says += kPause;
    triquetra_counted_act(*sessions_[seat], text, hub_.first());
    hear();
    ensure(views_.at(seat).at("rev") > revision, "an act is taken");
  }
  void say(std::size_t seat, const Json& frame) {
    clock_says += kPause;
    sessions_[seat]->hear(frame.dump());
    run_all(hub_.first());
    hear();
  }
  void hear() {
    views_.resize(receivers_.size());
    for (std::size_t seat = 0; seat < receivers_.size(); ++seat) {
      for (Json& frame : receivers_[seat]->heard()) {
        ensure(frame.at("type") != "error", "nothing is refused");
        if (frame.at("type") == "room") room_ = frame.at("room");
        if (frame.at("type") == "view") views_[seat] = std::move(frame);
      }
    }
  }

  Hub hub_;
  std::vector<std::shared_ptr<Receiver>> receivers_;
  std::vector<std::shared_ptr<Session>> sessions_;
  std::string room_;
  std::vector<Json> views_;
};

}  // namespace
}  // namespace triquetra::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 3) {
    for (const triquetra::GameKind& game : triquetra::catalog()) std::cout << game.name << '\n';
    return words.empty() ? 0 : 2;
  }
  triquetra::foresee("the cost of an act");
  triquetra::bench::Match match(std::stoul(words[2]));
  match.begin(words[0], triquetra::parse_json(words[1], triquetra::kTrustedJson));
  std::cout << match.play() << '\n';
}
