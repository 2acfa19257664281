// Writing and reading without the code that does it: for whoever sends and hears frames and
// records. What stands here is compiled once, in frames.cpp; whoever has types of their own to
// write or read includes encode.hpp or decode.hpp, and pays for it with each build.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/errors.hpp"
#include "protocol/json_text.hpp"

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

/// Lends memory that grew with what was written before, so that a text costs one allocation, of
/// just its size.
class Scratch {
 public:
  Scratch() : text_(std::exchange(spare(), {})) { text_.clear(); }
  ~Scratch() {
    if (text_.capacity() <= kKept) spare() = std::move(text_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string& text() { return text_; }

 private:
  static constexpr std::size_t kKept = 64U * 1024;
  /// This thread's.
  static std::string& spare();
  std::string text_;
};

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

/// The T that `value` holds; throws Malformed.
template <class T>
T decode(const JsonValue& value, Reading reading);
/// The T in `text`.
template <class T>
T decode(std::string_view text, Reading reading, const JsonLimits& limits = {}) {
  return decode<T>(JsonText(text, limits).root(), reading);
}
/// The T in a document that is there already.
template <class T, std::same_as<Json> Document>
T decode(const Document& json, Reading reading) {
  return decode<T>(json.dump(), reading, kTrustedJson);
}

}  // namespace triquetra
