// One client from hello to goodbye: who it is, what it may send, and where its frames go. Lives on
// its connection's thread.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "protocol/client_frames.hpp"
#include "protocol/json.hpp"
#include "server/base/token_bucket.hpp"
#include "server/people/hub.hpp"

namespace triquetra {

class Session : public std::enable_shared_from_this<Session> {
 public:
  /// `address` is where the peer comes from; empty in tests without sockets.
  Session(Hub& hub, ConnectionPointer connection, std::string address = {});

  /// A text message from the peer, of any content.
  void hear(std::string text);
  /// A binary message: refused, closes nothing.
  void hear_binary();
  /// A room did not let this player in.
  void turned_away(const std::string& room, ErrorCode why);
  /// The connection is gone.
  void gone();
  /// Whether it has said hello and was let in.
  bool greeted() const { return greeted_; }

 private:
  /// Spends a credit for a frame. A peer that goes on without any wears out our patience, and is
  /// sent away.
  bool may_send();
  void work();
  void take(const std::string& text);
  void on(const Hello& frame);
  void on(const Create& frame);
  void on(const Device& frame);
  void on(const WatchLobby& frame);
  void on(const Ping& frame);
  template <class T>
  void on(const T& frame) {
    to_room(frame);
  }
  void look_up(const Hello& frame);
  void make_room(const Create& frame);
  template <class T>
  void to_room(const T& frame);
  template <class T>
  void post_to_room(T frame);
  /// Runs `then` if this address may guess now; else the request `re` hears too_fast.
  void unless_guessing(const std::string& re, const std::function<void()>& then);
  void guessed_wrong();
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
  std::deque<std::string> waiting_;
  bool working_ = false;  // a frame is under way that later ones must wait for
  bool greeted_ = false;
  bool durable_ = false;
  bool gone_ = false;
  StoredPlayer player_;
  bool is_program_ = false;
  std::string token_hash_;
  std::set<std::string> rooms_;
  TokenBucket frames_;
  TokenBucket patience_;
};

}  // namespace triquetra
