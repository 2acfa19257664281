// What one address may do, over all its connections: how many there are, how fast new ones come,
// how many rooms it makes, how often it guesses and how much it is answered. Lives on the hub's
// first thread; every function is called there.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.hpp"
#include "server/base/token_bucket.hpp"
#include "server/people/peer_address.hpp"

namespace triquetra {

/// What can be guessed. Tokens are counted apart: whoever guesses codes and passwords must not keep
/// the other players of the same address from coming back.
enum class Guessed { code, token };

/// What goes out to whoever asks: answers, or files of the browser client.
enum class Sent { answer, file };

class Gatekeeper {
 public:
  /// Addresses in `unlimited` are never refused, and neither is the empty one, of tests without
  /// sockets.
  explicit Gatekeeper(Networks unlimited = {}) : unlimited_(std::move(unlimited)) {}

  /// A new connection: counted if it is let in, and then given back by leave().
  bool admit(const std::string& address, TimePoint now);
  void leave(const std::string& address, TimePoint now);

  /// Asks for a guess at a room code, a password, a device code or a token. A credit is taken at
  /// once, before anybody looks whether the guess is right; `then` hears whether there was one.
  /// When there is none, but other guesses of this address are under way, it waits for what becomes
  /// of them: so many who are all right at the same time get in, and those who are wrong do not.
  void ask_to_guess(const std::string& address, Guessed what, TimePoint now,
                    std::function<void(bool)> then);
  /// What became of a guess that was let through; a credit that `costs` nothing comes back.
  void guessed(const std::string& address, Guessed what, bool costs, TimePoint now);
  /// Whether it may make a room now; counts it.
  bool may_create(const std::string& address, TimePoint now);

  /// So many bytes have gone out to this address.
  void sent(const std::string& address, Sent what, std::size_t bytes, TimePoint now);
  /// How long it has to wait until it may ask for more.
  std::chrono::milliseconds wait_to_send(const std::string& address, Sent what, TimePoint now);
  /// What stock is counted for; none if this address has no limits.
  std::optional<std::string> household(const std::string& address) const;

  std::size_t known() const { return visitors_.size(); }

 private:
  struct Guesses {
    TokenBucket credits{limits::kWrongGuessBurst, limits::kWrongGuessesPerMinute / 60.0};
    std::size_t under_way = 0;
    std::list<std::function<void(bool)>> waiting{};  // for one of those under way
    bool are_forgettable(TimePoint now) const {
      return under_way == 0 && waiting.empty() && credits.is_full(now);
    }
  };
  struct Visitor {
    std::size_t open = 0;
    TokenBucket arrivals{limits::kArrivalBurst, limits::kArrivalsPerSecond};
    Guesses codes{};
    Guesses tokens{};
    Guesses& guesses(Guessed what) { return what == Guessed::code ? codes : tokens; }
    TokenBucket rooms{limits::kNewRoomBurst, limits::kNewRoomsPerMinute / 60.0};
    TokenBucket answers{limits::kAddressAnswerBurst, limits::kAddressAnswerBytesPerSecond};
    TokenBucket files{limits::kAddressFileBurst, limits::kAddressFileBytesPerSecond};
    TokenBucket& bytes(Sent what) { return what == Sent::answer ? answers : files; }
    bool is_forgettable(TimePoint now) const {
      return open == 0 && arrivals.is_full(now) && codes.are_forgettable(now) &&
             tokens.are_forgettable(now) && rooms.is_full(now) && answers.is_full(now) &&
             files.is_full(now);
    }
  };
  bool is_free(const std::string& address) const {
    return address.empty() || unlimited_.contains(address);
  }
  /// Null when too many addresses are known.
  Visitor* visitor(const std::string& address, TimePoint now);

  Networks unlimited_;
  std::map<std::string, Visitor> visitors_;  // by household
  TimePoint swept_at_{};
};

}  // namespace triquetra
