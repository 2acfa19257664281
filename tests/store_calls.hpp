// What a test asks of an EventStore, each as one call that waits for its answer.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/store/event_store.hpp"
#include "server/store/log_codec.hpp"

namespace triquetra {

/// The thread that rooms live on.
class RoomThread {
 public:
  RoomThread() = default;
  RoomThread(const RoomThread&) = delete;
  RoomThread& operator=(const RoomThread&) = delete;
  ~RoomThread() {
    work_.reset();
    thread_.join();
  }
  boost::asio::io_context& context() { return context_; }
  /// Calls f() there, and waits until it has.
  template <class F>
  void run(const F& f) {
    std::promise<void> done;
    boost::asio::post(context_, [&] {
      f();
      done.set_value();
    });
    done.get_future().wait();
  }

 private:
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      context_.get_executor()};
  std::thread thread_{[this] { context_.run(); }};
};

inline RoomThread& room_thread() {
  static RoomThread thread;
  return thread;
}

inline Kept rewrite(EventStore& store, const std::string& room, std::uint64_t from,
                    std::uint64_t seq, std::uint64_t epoch, const std::vector<Record>& records) {
  std::promise<Kept> kept;
  room_thread().run([&] {
    store.append({room, from, seq, epoch, records}, room_thread().context(),
                 [&](Kept result) { kept.set_value(result); });
  });
  return kept.get_future().get();
}
inline Kept append(EventStore& store, const std::string& room, std::uint64_t seq,
                   std::uint64_t epoch, const std::vector<Record>& records) {
  return rewrite(store, room, seq, seq, epoch, records);
}
inline LoadedLog load(EventStore& store, const std::string& room) {
  std::promise<LoadedLog> loaded;
  room_thread().run(
      [&] { store.load(room, [&](LoadedLog log) { loaded.set_value(std::move(log)); }); });
  return loaded.get_future().get();
}
inline std::vector<std::string> rooms(EventStore& store) {
  std::promise<std::optional<std::vector<std::string>>> codes;
  store.rooms([&](auto found) { codes.set_value(std::move(found)); });
  return codes.get_future().get().value();
}
inline FoundPlayer find_player(EventStore& store, const std::string& hash) {
  std::promise<FoundPlayer> player;
  store.find_player(hash, [&](FoundPlayer found) { player.set_value(std::move(found)); });
  return player.get_future().get();
}
inline Kept put_player(EventStore& store, const std::string& hash, const StoredPlayer& player) {
  std::promise<Kept> kept;
  store.put_player(hash, player, [&](Kept result) { kept.set_value(result); });
  return kept.get_future().get();
}

inline Record acted(std::int64_t rev, const std::string& id = "") {
  return Acted{rev, Seat{1}, DecisionId{7}, R"({"do":"take","row":0})", ActedBy::player, id, 5};
}
inline std::vector<std::string> texts(const std::vector<Record>& records) {
  std::vector<std::string> all;
  for (const Record& record : records) all.push_back(log_text(record));
  return all;
}

}  // namespace triquetra
