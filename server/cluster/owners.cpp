#include "server/cluster/owners.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace triquetra {

namespace {

/// The same on every machine, and even: what differs in one bit differs in half of the result's.
std::uint64_t score(std::string_view room, std::uint32_t server) {
  // FNV-1a, and the end of SplitMix64.
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : room) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  hash += (std::uint64_t{server} + 1) * 0x9e3779b97f4a7c15U;
  hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
  return hash ^ (hash >> 31U);
}

}  // namespace

Owners::Owners(std::uint32_t self, std::vector<Owner> all) : self_(self), all_(std::move(all)) {
  std::sort(all_.begin(), all_.end(), [](const Owner& a, const Owner& b) { return a.id < b.id; });
}

const Owner* Owners::owner_of(std::string_view room) const {
  const auto best = std::max_element(all_.begin(), all_.end(), [&](const auto& a, const auto& b) {
    return std::tuple(score(room, a.id), a.id) < std::tuple(score(room, b.id), b.id);
  });
  return best == all_.end() ? nullptr : &*best;
}

bool Owners::owns(std::string_view room) const {
  const Owner* const owner = owner_of(room);
  return owner != nullptr && owner->id == self_;
}

bool Owners::has_self() const {
  return std::any_of(all_.begin(), all_.end(), [this](const auto& one) { return one.id == self_; });
}

}  // namespace triquetra
