// What one address may do, over all its connections: how many there are, how fast new ones come,
// how many rooms it makes and how often it guesses. Lives on the hub's first thread; every function
// is called there.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.hpp"
#include "server/base/token_bucket.hpp"
#include "server/people/peer_address.hpp"

namespace triquetra {

class Gatekeeper {
 public:
  /// Addresses in `unlimited` are never refused, and neither is the empty one, of tests without
  /// sockets.
  explicit Gatekeeper(Networks unlimited = {}) : unlimited_(std::move(unlimited)) {}

  /// A new connection: counted if it is let in, and then given back by leave().
  bool admit(const std::string& address, TimePoint now);
  void leave(const std::string& address, TimePoint now);

  /// Whether this address may try a room code, a password or a device code now.
  bool may_guess(const std::string& address, TimePoint now);
  /// It tried one that was wrong.
  void guessed_wrong(const std::string& address, TimePoint now);
  /// Whether it may make a room now; counts it.
  bool may_create(const std::string& address, TimePoint now);

  /// What stock is counted for; none if this address has no limits.
  std::optional<std::string> household(const std::string& address) const;

  std::size_t known() const { return visitors_.size(); }

 private:
  struct Visitor {
    std::size_t open = 0;
    TokenBucket arrivals{limits::kArrivalBurst, limits::kArrivalsPerSecond};
    TokenBucket guesses{limits::kWrongGuessBurst, limits::kWrongGuessesPerMinute / 60.0};
    TokenBucket rooms{limits::kNewRoomBurst, limits::kNewRoomsPerMinute / 60.0};
    bool is_forgettable(TimePoint now) const {
      return open == 0 && arrivals.is_full(now) && guesses.is_full(now) && rooms.is_full(now);
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
