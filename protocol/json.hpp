// Reading JSON text with its limits checked before and during the parse. Only decode.hpp and its
// likes include the library behind it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace triquetra {

using Json = nlohmann::json;

/// Bounds on JSON text from outside.
struct JsonLimits {
  std::size_t bytes = 16 * 1024;  // far above any frame that a client has a reason to send
  std::size_t depth = 16;         // ours nest to 6; recursion in the library ends with this
};

/// For what we wrote ourselves (records, logs, catalogues): large, but still bounded.
inline constexpr JsonLimits kTrustedJson{64U * 1024 * 1024, 32};

/// The document in `text`. Throws Malformed: too_large, too_deep, duplicate_key, out_of_range (a
/// number that no integer of 64 bits or double can hold) or not_json.
Json parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace triquetra
