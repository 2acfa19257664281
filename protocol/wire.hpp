// Writing and reading without the code that does it: for whoever sends and hears frames and
// records. What stands here is compiled once, in frames.cpp; whoever has types of their own to
// write or read includes encode.hpp or decode.hpp, and pays for it with each build.
#pragma once

#include <string>
#include <string_view>

#include "protocol/errors.hpp"
#include "protocol/json.hpp"

namespace triquetra {

/// `text` as a JSON string, quotes included. Must be UTF-8.
void encode_string(std::string& out, std::string_view text);

/// Appends `value` as JSON.
template <class T>
void encode(std::string& out, const T& value);

/// The tag and members of a struct without the braces around them; `first` says whether anything
/// has been written since the brace.
template <class T>
void encode_members(std::string& out, const T& value, bool& first);

/// `value` as JSON text.
template <class T>
std::string encoded(const T& value);

/// strict: every field is known and there. partial: what is missing keeps its default (a game's
/// options). lenient: unknown fields are passed over.
enum class Reading { strict, partial, lenient };

/// A place in a document, linked from the inside out; costs nothing until it is told.
struct Place {
  const Place* outer = nullptr;
  std::string_view key;
  std::size_t index = 0;

  /// As in "action.columns[1]".
  std::string text() const {
    std::string before = outer != nullptr ? outer->text() : "";
    if (key.empty()) return outer == nullptr ? before : before + "[" + std::to_string(index) + "]";
    return before.empty() ? std::string(key) : before + "." + std::string(key);
  }
  [[noreturn]] void refuse(ErrorCode code) const {
    ErrorArgs args;
    if (outer != nullptr) args.field = text();
    throw Malformed(code, args);
  }
};

/// The T that `json` holds; throws Malformed.
template <class T>
T decode(const Json& json, Reading reading, const Place& place = {});

}  // namespace triquetra
