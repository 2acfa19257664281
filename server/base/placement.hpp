// Which of so many threads a room lives on: the same on every machine, unlike std::hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace triquetra {

inline std::size_t thread_of(std::string_view room, std::size_t threads) {
  // FNV-1a.
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : room) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return static_cast<std::size_t>(hash % threads);
}

}  // namespace triquetra
