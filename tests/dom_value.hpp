// A document of the JSON library with what JsonValue has: so decoding can be tried on both, and
// must come to the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/json.hpp"

namespace triquetra {

class DomValue {
 public:
  explicit DomValue(const Json& json) : json_(&json) {}

  JsonKind kind() const {
    if (json_->is_null()) return JsonKind::null;
    if (json_->is_boolean()) return JsonKind::boolean;
    if (json_->is_string()) return JsonKind::string;
    if (json_->is_array()) return JsonKind::array;
    if (json_->is_object()) return JsonKind::object;
    const bool is_too_large =
        json_->is_number_unsigned() && json_->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    return json_->is_number_integer() && !is_too_large ? JsonKind::whole : JsonKind::number;
  }
  bool boolean() const { return json_->get<bool>(); }
  std::int64_t whole() const { return json_->get<std::int64_t>(); }
  std::string_view string(std::string& /*unescaped*/) const {
    return json_->get_ref<const std::string&>();
  }
  std::size_t size() const { return json_->size(); }
  std::optional<DomValue> find(std::string_view key) const {
    const auto found = json_->find(key);
    return found == json_->end() ? std::nullopt : std::optional(DomValue(*found));
  }
  template <class F>
  void for_each(F&& f) const {
    for (const Json& item : *json_) f(DomValue(item));
  }
  struct Member;
  std::vector<Member> sorted_members() const;
  std::string canonical() const { return json_->dump(); }

 private:
  const Json* json_;
};

struct DomValue::Member {
  std::string key;
  DomValue value;
};

inline std::vector<DomValue::Member> DomValue::sorted_members() const {
  std::vector<Member> members;
  for (const auto& item : json_->items()) members.push_back({item.key(), DomValue(item.value())});
  return members;
}

/// What becomes of a text that may be a frame: what it says, or the refusal and all that stands in
/// it.
template <class Read>
std::string outcome(const Read& read) {
  try {
    return "read: " + read();
  } catch (const Malformed& malformed) {
    const ErrorArgs& args = malformed.args();
    return std::string(word_of(malformed.code())) + " " + args.field.value_or("-") + " " +
           std::to_string(args.limit.value_or(-1));
  }
}

/// By way of a document, and straight from the text.
inline std::string outcome_by_document(std::string_view text) {
  return outcome([&] {
    const Json json = parse_json(text);
    const std::string dump = json.dump();
    const auto frame = detail::decode_value<ClientFrame>(DomValue(json), Reading::strict, Place{});
    return dump + " " + encoded(frame);
  });
}
inline std::string outcome_by_text(std::string_view text) {
  return outcome([&] {
    const JsonText json(text);
    const std::string dump = json.root().canonical();
    const auto frame = decode<ClientFrame>(json.root(), Reading::strict);
    return dump + " " + encoded(frame);
  });
}

}  // namespace triquetra
