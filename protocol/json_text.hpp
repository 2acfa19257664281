// JSON text that is read without a document: checked once from its first byte to its last, with a
// note of where each value stands. Whoever wants a value reads it from the text itself.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.hpp"

namespace triquetra {

class JsonText;

/// `whole` is a number without fraction or exponent that 64 bits hold, `number` any other.
enum class JsonKind : std::uint8_t { null, boolean, whole, number, string, array, object };

/// A value in a JsonText, which outlives it.
class JsonValue {
 public:
  JsonKind kind() const;
  /// Before: it is of that kind.
  bool boolean() const;
  std::int64_t whole() const;
  /// The characters of a string: in the text itself, or in `unescaped` if they are written
  /// otherwise there.
  std::string_view string(std::string& unescaped) const;
  /// Of an array its elements, of an object its members.
  std::size_t size() const;
  std::optional<JsonValue> find(std::string_view key) const;

  /// Calls f(value) for each element of an array.
  template <class F>
  void for_each(F&& f) const;
  struct Member;
  /// The members of an object by their keys.
  std::vector<Member> sorted_members() const;

  /// As it stands in the text.
  std::string_view source() const;
  /// The same value in the one form that it has: no spaces, keys sorted, each character as itself.
  std::string canonical() const;

 private:
  friend class JsonText;
  JsonValue(const JsonText* text, std::size_t index) : text_(text), index_(index) {}
  void append_canonical(std::string& out) const;

  const JsonText* text_;
  std::size_t index_;
};

struct JsonValue::Member {
  std::string key;
  JsonValue value;
};

class JsonText {
 public:
  /// Throws Malformed where parse_json would. `text` stays while this lives.
  explicit JsonText(std::string_view text, const JsonLimits& limits = {});
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  JsonValue root() const { return {this, 0}; }

 private:
  friend class JsonValue;
  friend class JsonScanner;

  /// In the order of the text: a container before what is in it, a key (a string) before its value.
  struct Note {
    JsonKind kind{};
    bool has_escapes = false;  // a string
    std::uint32_t begin = 0;   // of a string: without its quotes
    std::uint32_t end = 0;
    std::uint32_t next = 0;  // the note behind all that belongs to this one
    std::uint32_t size = 0;  // of a container
  };

  std::string_view source(const Note& note) const {
    return text_.substr(note.begin, note.end - note.begin);
  }
  std::string_view string(const Note& note, std::string& unescaped) const;

  // As many as a frame of a client has, and some: they need no memory of their own.
  static constexpr std::size_t kUsual = 48;

  std::string_view text_;
  boost::container::small_vector<Note, kUsual> notes_;
};

template <class F>
void JsonValue::for_each(F&& f) const {
  std::size_t at = index_ + 1;
  const std::size_t end = text_->notes_[index_].next;
  for (; at < end; at = text_->notes_[at].next) f(JsonValue(text_, at));
}

}  // namespace triquetra
