#include "server/people/gatekeeper.hpp"

namespace triquetra {

Gatekeeper::Visitor* Gatekeeper::visitor(const std::string& address, TimePoint now) {
  const std::string household = household_of(address);
  const auto known = visitors_.find(household);
  if (known != visitors_.end()) return &known->second;
  if (now - swept_at_ > limits::kForgetTime || visitors_.size() >= limits::kAddresses) {
    // At most once a second, however many come.
    if (now - swept_at_ > std::chrono::seconds(1)) {
      swept_at_ = now;
      std::erase_if(visitors_, [&](const auto& entry) { return entry.second.is_forgettable(now); });
    }
    if (visitors_.size() >= limits::kAddresses) return nullptr;
  }
  return &visitors_[household];
}

bool Gatekeeper::admit(const std::string& address, TimePoint now) {
  if (is_free(address)) return true;
  Visitor* const found = visitor(address, now);
  if (found == nullptr || found->open >= limits::kConnectionsPerAddress) return false;
  if (!found->arrivals.spend(now)) return false;
  ++found->open;
  return true;
}

void Gatekeeper::leave(const std::string& address, TimePoint now) {
  if (is_free(address)) return;
  Visitor* const found = visitor(address, now);
  if (found != nullptr && found->open > 0) --found->open;
}

bool Gatekeeper::may_guess(const std::string& address, TimePoint now) {
  if (is_free(address)) return true;
  Visitor* const found = visitor(address, now);
  return found != nullptr && !found->guesses.is_empty(now);
}

void Gatekeeper::guessed_wrong(const std::string& address, TimePoint now) {
  if (is_free(address)) return;
  Visitor* const found = visitor(address, now);
  if (found != nullptr) found->guesses.spend(now);
}

bool Gatekeeper::may_create(const std::string& address, TimePoint now) {
  if (is_free(address)) return true;
  Visitor* const found = visitor(address, now);
  return found != nullptr && found->rooms.spend(now);
}

std::optional<std::string> Gatekeeper::household(const std::string& address) const {
  if (is_free(address)) return std::nullopt;
  return household_of(address);
}

}  // namespace triquetra
