#include "protocol/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>
#include <system_error>

#include "engine/ensure.hpp"
#include "protocol/errors.hpp"
#include "protocol/utf8.hpp"

namespace triquetra {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Four hexadecimal digits at `at`; -1 if they are none.
int unit_at(std::string_view text, std::size_t at) {
  if (text.size() - std::min(at, text.size()) < 4) return -1;
  int unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool is_first_half(int unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_second_half(int unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

void append_utf8(std::string& out, std::uint32_t character) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | (character >> shift & 0x3fU));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0U | character >> 6U);
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0U | character >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | character >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

/// What follows a backslash, apart from u.
char unescaped(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

/// Characters that stand for themselves in a string and are one byte.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

}  // namespace

// -------------------------------------------------------------------------------------------------

/// Goes through the text once, and throws at the first thing that is wrong with it.
class JsonScanner {
 public:
  JsonScanner(JsonText& into, const JsonLimits& limits)
      : into_(into), text_(into.text_), max_depth_(limits.depth) {}

  void document() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    value();
    skip_space();
    if (at_ != text_.size()) refuse();
  }

 private:
  using Note = JsonText::Note;

  [[noreturn]] static void refuse() { throw Malformed(ErrorCode::not_json, {}); }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }
  /// The next character that is no space; at the end: NUL, which stands nowhere.
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char wanted) {
    if (peek() != wanted) refuse();
    ++at_;
  }

  std::size_t begin(JsonKind kind) {
    const auto at = static_cast<std::uint32_t>(at_);
    into_.notes_.push_back({kind, false, at, at, 0, 0});
    return into_.notes_.size() - 1;
  }
  void end(std::size_t index) {
    Note& note = into_.notes_[index];
    note.end = static_cast<std::uint32_t>(at_);
    note.next = static_cast<std::uint32_t>(into_.notes_.size());
  }

  void value() {
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        string();
        return;
      case 't':
        return word("true", JsonKind::boolean);
      case 'f':
        return word("false", JsonKind::boolean);
      case 'n':
        return word("null", JsonKind::null);
      default:
        return number();
    }
  }

  void word(std::string_view wanted, JsonKind kind) {
    if (text_.substr(at_, wanted.size()) != wanted) refuse();
    const std::size_t index = begin(kind);
    at_ += wanted.size();
    end(index);
  }

  std::size_t open(JsonKind kind) {
    if (depth_ >= max_depth_) {
      throw Malformed(ErrorCode::too_deep, about_limit(static_cast<std::int64_t>(max_depth_)));
    }
    ++depth_;
    const std::size_t index = begin(kind);
    ++at_;
    return index;
  }
  void close(std::size_t index) {
    ++at_;
    --depth_;
    end(index);
  }

  void array() {
    const std::size_t index = open(JsonKind::array);
    if (peek() == ']') return close(index);
    while (true) {
      value();
      ++into_.notes_[index].size;
      if (peek() == ']') return close(index);
      expect(',');
    }
  }

  void object() {
    const std::size_t index = open(JsonKind::object);
    if (peek() == '}') return close(index);
    std::set<std::string, std::less<>> keys;  // of a large one
    while (true) {
      if (peek() != '"') refuse();
      const std::size_t key = string();
      if (is_known(index, key, keys)) {
        std::string name;
        name = std::string(into_.string(into_.notes_[key], name));
        throw Malformed(ErrorCode::duplicate_key, about_field(std::move(name)));
      }
      ++into_.notes_[index].size;
      expect(':');
      value();
      if (peek() == '}') return close(index);
      expect(',');
    }
  }

  /// Whether an earlier member of the object has this key.
  bool is_known(std::size_t object, std::size_t key, std::set<std::string, std::less<>>& keys) {
    constexpr std::size_t kLarge = 16;  // from here on comparing each with each would take too long
    const auto& notes = into_.notes_;
    const std::size_t count = notes[object].size;
    std::string one;
    const std::string_view name = into_.string(notes[key], one);
    if (count > kLarge) return !keys.emplace(name).second;
    bool is_known = false;
    for (std::size_t other = object + 1; other < key; other = notes[notes[other].next].next) {
      std::string two;
      const std::string_view known = into_.string(notes[other], two);
      is_known = is_known || known == name;
      if (count == kLarge) keys.emplace(known);
    }
    if (count == kLarge) keys.emplace(name);
    return is_known;
  }

  std::size_t string() {
    ++at_;
    const std::size_t index = begin(JsonKind::string);
    while (true) {
      while (at_ < text_.size() && kPlain[static_cast<std::uint8_t>(text_[at_])]) ++at_;
      if (at_ == text_.size()) refuse();
      if (text_[at_] == '"') break;
      if (text_[at_] == '\\') {
        into_.notes_[index].has_escapes = true;
        escape();
      } else {
        character();
      }
    }
    end(index);
    ++at_;
    return index;
  }

  /// One that is no plain byte.
  void character() {
    Utf8 utf8;
    if (static_cast<std::uint8_t>(text_[at_]) < 0x80) refuse();
    do {
      if (at_ == text_.size() || !utf8.take(text_.substr(at_, 1))) refuse();
      ++at_;
    } while (!utf8.is_whole());
  }

  void escape() {
    ++at_;
    if (at_ == text_.size()) refuse();
    const char kind = text_[at_++];
    if (kind != 'u') {
      if (std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) refuse();
      return;
    }
    const int unit = unit_at(text_, at_);
    if (unit < 0 || is_second_half(unit)) refuse();
    at_ += 4;
    if (!is_first_half(unit)) return;
    const bool goes_on = text_.substr(at_, 2) == "\\u";
    if (!goes_on || !is_second_half(unit_at(text_, at_ + 2))) refuse();
    at_ += 6;
  }

  void digits() {
    if (at_ == text_.size() || !is_digit(text_[at_])) refuse();
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }
  bool accept(std::string_view one_of) {
    const bool is_there = at_ < text_.size() && one_of.find(text_[at_]) != std::string_view::npos;
    if (is_there) ++at_;
    return is_there;
  }

  void number() {
    const std::size_t index = begin(JsonKind::number);
    accept("-");
    if (!accept("0")) digits();
    bool is_whole = true;
    if (accept(".")) {
      is_whole = false;
      digits();
    }
    if (accept("eE")) {
      is_whole = false;
      accept("+-");
      digits();
    }
    end(index);
    Note& note = into_.notes_[index];
    const std::string_view source = into_.source(note);
    std::int64_t value = 0;
    if (is_whole && std::from_chars(source.begin(), source.end(), value).ec == std::errc()) {
      note.kind = JsonKind::whole;
    } else if (!std::isfinite(std::strtod(std::string(source).c_str(), nullptr))) {
      throw Malformed(ErrorCode::out_of_range, {});
    }
  }

  JsonText& into_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  const std::size_t max_depth_;
};

JsonText::JsonText(std::string_view text, const JsonLimits& limits) : text_(text) {
  if (text.size() > limits.bytes) {
    throw Malformed(ErrorCode::too_large, about_limit(static_cast<std::int64_t>(limits.bytes)));
  }
  JsonScanner(*this, limits).document();
}

std::string_view JsonText::string(const Note& note, std::string& unescaped_text) const {
  const std::string_view source = this->source(note);
  if (!note.has_escapes) return source;
  unescaped_text.clear();
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] != '\\') {
      unescaped_text += source[at];
      continue;
    }
    const char kind = source[++at];
    if (kind != 'u') {
      unescaped_text += unescaped(kind);
      continue;
    }
    auto character = static_cast<std::uint32_t>(unit_at(source, at + 1));
    at += 4;
    if (is_first_half(static_cast<int>(character))) {
      const auto second = static_cast<std::uint32_t>(unit_at(source, at + 3));
      character = 0x10000 + ((character - 0xd800) << 10U) + (second - 0xdc00);
      at += 6;
    }
    append_utf8(unescaped_text, character);
  }
  return unescaped_text;
}

// -------------------------------------------------------------------------------------------------

JsonKind JsonValue::kind() const { return text_->notes_[index_].kind; }

bool JsonValue::boolean() const { return source() == "true"; }

std::int64_t JsonValue::whole() const {
  std::int64_t value = 0;
  const std::string_view digits = source();
  std::from_chars(digits.begin(), digits.end(), value);
  return value;
}

std::string_view JsonValue::string(std::string& unescaped) const {
  return text_->string(text_->notes_[index_], unescaped);
}

std::size_t JsonValue::size() const { return text_->notes_[index_].size; }

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  const auto& notes = text_->notes_;
  const std::size_t end = notes[index_].next;
  std::string unescaped;
  for (std::size_t at = index_ + 1; at < end; at = notes[at + 1].next) {
    if (text_->string(notes[at], unescaped) == key) return JsonValue(text_, at + 1);
  }
  return std::nullopt;
}

std::vector<JsonValue::Member> JsonValue::sorted_members() const {
  const auto& notes = text_->notes_;
  const std::size_t end = notes[index_].next;
  std::vector<Member> members;
  members.reserve(size());
  std::string unescaped;
  for (std::size_t at = index_ + 1; at < end; at = notes[at + 1].next) {
    members.push_back({std::string(text_->string(notes[at], unescaped)), {text_, at + 1}});
  }
  std::sort(members.begin(), members.end(),
            [](const Member& a, const Member& b) { return a.key < b.key; });
  return members;
}

std::string_view JsonValue::source() const { return text_->source(text_->notes_[index_]); }

std::string JsonValue::canonical() const {
  std::string out;
  append_canonical(out);
  return out;
}

void JsonValue::append_canonical(std::string& out) const {
  const auto append_string = [&out](std::string_view source, bool has_escapes) {
    const std::string quoted = '"' + std::string(source) + '"';
    out += has_escapes ? Json::parse(quoted).dump() : quoted;
  };
  const JsonText::Note& note = text_->notes_[index_];
  bool is_first = true;
  switch (note.kind) {
    case JsonKind::null:
    case JsonKind::boolean:
      out += source();
      return;
    case JsonKind::whole:
      out += std::to_string(whole());
      return;
    case JsonKind::number:
      out += Json::parse(source()).dump();
      return;
    case JsonKind::string:
      return append_string(source(), note.has_escapes);
    case JsonKind::array:
      out += '[';
      for_each([&](const JsonValue& item) {
        if (!std::exchange(is_first, false)) out += ',';
        item.append_canonical(out);
      });
      out += ']';
      return;
    case JsonKind::object:
      out += '{';
      for (const Member& member : sorted_members()) {
        if (!std::exchange(is_first, false)) out += ',';
        const JsonText::Note& key = text_->notes_[member.value.index_ - 1];
        append_string(text_->source(key), key.has_escapes);
        out += ':';
        member.value.append_canonical(out);
      }
      out += '}';
      return;
  }
}

}  // namespace triquetra
