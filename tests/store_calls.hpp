// What a test asks of an EventStore, each as one call that waits for its answer.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <cstddef>
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
/// What `ask` is told, on whatever thread.
template <class Found, class Ask>
Found told(Ask ask) {
  std::promise<std::optional<Found>> promise;
  ask([&](std::optional<Found> found) { promise.set_value(std::move(found)); });
  return promise.get_future().get().value();
}
inline KeptRooms kept_rooms(EventStore& store) {
  return told<KeptRooms>([&](const auto& done) { store.rooms(done); });
}
inline std::vector<std::string> rooms(EventStore& store) { return kept_rooms(store).in_use; }
inline Rung ring(EventStore& store, std::size_t most = 100) {
  return told<Rung>([&](const auto& done) { store.ring(most, done); });
}
inline std::vector<std::string> found(EventStore& store, const std::string& key) {
  std::vector<std::string> codes;
  for (const RoomEntry& entry :
       told<std::vector<RoomEntry>>([&](const auto& done) { store.find_rooms(key, done); })) {
    codes.push_back(entry.room);
  }
  return codes;
}
inline Kept append_with(EventStore& store, const RoomEntry& entry, std::uint64_t seq,
                        const std::vector<Record>& records) {
  std::promise<Kept> kept;
  room_thread().run([&] {
    store.append({entry.room, seq, seq, 0, records, &entry}, room_thread().context(),
                 [&](Kept result) { kept.set_value(result); });
  });
  return kept.get_future().get();
}
inline Kept rest(EventStore& store, const std::string& room, std::uint64_t seq,
                 const std::string& note, std::optional<std::chrono::milliseconds> alarm) {
  std::promise<Kept> kept;
  room_thread().run([&] {
    store.rest({room, seq, 0, note, alarm}, room_thread().context(),
               [&](Kept result) { kept.set_value(result); });
  });
  return kept.get_future().get();
}
inline RoomEntry entry_of(const std::string& room, const std::string& maker) {
  RoomEntry entry;
  entry.room = room;
  entry.maker = maker;
  entry.request = "r \"1\" " + room;
  entry.summary.room = room;
  entry.summary.options.text = R"({"variant":"base"})";
  return entry;
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
inline Kept put_device_code(EventStore& store, const std::string& hash,
                            const StoredPlayer& player) {
  std::promise<Kept> kept;
  store.put_device_code(hash, player, [&](Kept result) { kept.set_value(result); });
  return kept.get_future().get();
}
inline FoundPlayer take_device_code(EventStore& store, const std::string& hash) {
  std::promise<FoundPlayer> player;
  store.take_device_code(hash, [&](FoundPlayer found) { player.set_value(std::move(found)); });
  return player.get_future().get();
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
