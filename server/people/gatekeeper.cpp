#include "server/people/gatekeeper.hpp"

#include <utility>

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

void Gatekeeper::ask_to_guess(const std::string& address, Guessed what, TimePoint now,
                              std::function<void(bool)> then) {
  if (is_free(address)) return then(true);
  Visitor* const found = visitor(address, now);
  if (found == nullptr) return then(false);
  Guesses& guesses = found->guesses(what);
  if (guesses.waiting.empty() && guesses.credits.spend(now)) {
    ++guesses.under_way;
    return then(true);
  }
  const bool may_wait =
      guesses.under_way > 0 && guesses.waiting.size() < limits::kConnectionsPerAddress;
  if (!may_wait) return then(false);
  guesses.waiting.push_back(std::move(then));
}

void Gatekeeper::guessed(const std::string& address, Guessed what, bool costs, TimePoint now) {
  if (is_free(address)) return;
  Visitor* const found = visitor(address, now);
  if (found == nullptr) return;
  Guesses& guesses = found->guesses(what);
  if (guesses.under_way > 0) --guesses.under_way;
  if (!costs) guesses.credits.give_back(now);
  while (!guesses.waiting.empty()) {
    const bool may = guesses.credits.spend(now);
    if (!may && guesses.under_way > 0) return;
    if (may) ++guesses.under_way;
    const auto then = std::move(guesses.waiting.front());
    guesses.waiting.pop_front();
    then(may);
  }
}

bool Gatekeeper::may_create(const std::string& address, TimePoint now) {
  if (is_free(address)) return true;
  Visitor* const found = visitor(address, now);
  return found != nullptr && found->rooms.spend(now);
}

void Gatekeeper::sent(const std::string& address, Sent what, std::size_t bytes, TimePoint now) {
  if (is_free(address)) return;
  Visitor* const found = visitor(address, now);
  if (found != nullptr) found->bytes(what).owe(static_cast<double>(bytes), now);
}

std::chrono::milliseconds Gatekeeper::wait_to_send(const std::string& address, Sent what,
                                                   TimePoint now) {
  if (is_free(address)) return {};
  Visitor* const found = visitor(address, now);
  return found == nullptr ? std::chrono::seconds(1) : found->bytes(what).wait(now);
}

std::optional<std::string> Gatekeeper::household(const std::string& address) const {
  if (is_free(address)) return std::nullopt;
  return household_of(address);
}

}  // namespace triquetra
