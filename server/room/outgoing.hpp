// One frame on its way to one connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "protocol/errors.hpp"

namespace triquetra {

using ConnectionId = std::uint64_t;

/// `shared` is the same bytes for many receivers, `own` follows it.
struct Outgoing {
  ConnectionId to{};
  std::shared_ptr<const std::string> shared;  // may be null
  std::string own;
  bool is_view = false;                // a newer view of the same room replaces it while it waits
  std::optional<ErrorCode> refusal{};  // what it says no with, if it does
  bool is_roster = false;  // who is in the room, or which rooms there are: replaced likewise
  bool is_asked = false;   // its receiver asked for it, and what one may ask for has a limit

  std::size_t size() const { return own.size() + (shared ? shared->size() : 0); }
};

}  // namespace triquetra
