// One client from hello to goodbye: who it is, what it may send, and where its frames go. Lives on
// its connection's thread.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/json.hpp"
#include "server/base/limits.hpp"
#include "server/base/token_bucket.hpp"
#include "server/people/hub.hpp"

namespace triquetra {

class Session : public std::enable_shared_from_this<Session> {
 public:
  /// `address` is where the peer comes from; empty in tests without sockets.
  Session(Hub& hub, ConnectionPointer connection, std::string address = {});

  /// A text message from the peer, of any content.
  void hear(std::string_view text);
  /// A binary message: refused, closes nothing.
  void hear_binary();
  /// So many bytes go out because the peer asked for them.
  void answered(std::size_t bytes);
  /// The connection is gone.
  void gone();
  /// Whether it has said hello and was let in.
  bool greeted() const { return greeted_; }

 private:
  /// Spends a credit for a frame. A peer that goes on without any wears out our patience, and is
  /// sent away.
  bool may_send();
  /// Whether the peer may ask for what is long; the request `re` hears too_fast if not.
  bool may_ask(const RequestId& re);
  void work();
  void take(std::string_view text);
  void on(const Hello& frame);
  void on(const Create& frame);
  void on(const Device& frame);
  void on(const WatchLobby& frame);
  void on(const Ping& frame);
  template <class T>
  void on(const T& frame) {
    to_room(frame);
  }
  void on(const Say& frame);
  void look_up(const Hello& frame, const GuessPointer& guess);
  void make_room(const Create& frame);
  template <class T>
  void to_room(const T& frame);
  /// Posts the frame, and waits for what the room makes of it before the next one is looked at: so
  /// a connection has one guess under way at most, and it is known which rooms it is in.
  template <class T>
  void ask_room(const T& frame, const GuessPointer& guess);
  template <class T>
  void post_to_room(const T& frame, const std::shared_ptr<Asker>& asker);
  /// Runs `then` if this address may guess now; else the request `re` hears too_fast.
  void with_guess(const std::string& re, Guessed what,
                  const std::function<void(const GuessPointer&)>& then);
  /// The seats that this player holds in these rooms.
  std::vector<SeatHeld> seats_in(const std::vector<RoomEntry>& rooms) const;
  void welcome(const Hello& frame, StoredPlayer player, std::string token);
  /// Runs `then` once the player is kept; else the request `re` hears storage_unavailable, and
  /// `otherwise` runs.
  void become_durable(
      const std::string& re, const std::function<void()>& then,
      const std::function<void()>& otherwise = [] {});
  void send(std::string text);
  void refuse(const std::optional<std::string>& re, ErrorCode code, ErrorArgs args = {});
  Sender sender() const;
  /// Runs `f` here, later, if the session still lives.
  template <class F>
  auto back(F f);

  Hub& hub_;
  ConnectionPointer connection_;
  const std::string address_;
  const std::string household_;
  std::list<std::string> waiting_;
  bool working_ = false;  // a frame is under way that later ones must wait for
  bool greeted_ = false;
  bool durable_ = false;
  bool gone_ = false;
  StoredPlayer player_;
  bool is_program_ = false;
  std::string token_hash_;
  std::set<std::string> rooms_;  // that it is in, or asks to be let into
  TokenBucket frames_;
  TokenBucket patience_;
  TokenBucket answers_;                              // in bytes
  std::size_t unaccounted_ = limits::kAccountBytes;  // of the address; the first answer at once
  TimePoint answers_at_{};                           // not before, says the address's account
};

}  // namespace triquetra
