#include "server/store/log_codec.hpp"

#include <optional>

#include "protocol/decode.hpp"
#include "protocol/encode.hpp"

namespace triquetra {

namespace {

constexpr std::string_view kKey = "record";

}  // namespace

std::string log_text(const Record& record) {
  std::string text;
  write_log_text(text, record);
  return text;
}

void write_log_text(std::string& text, const Record& record) {
  text += '{';
  bool first = true;
  std::visit(
      [&](const auto& value) {
        detail::encode_key(text, kKey, first);
        encode_string(text, value.kLogTag.word);
        // The members' own types have codecs of the wire; the record as a whole has none.
        encode_members(text, value, first);
      },
      record);
  text += '}';
}

Record read_log_text(std::string_view text) {
  Json json = parse_json(text, kTrustedJson);
  const Place place;
  if (!json.is_object()) place.refuse(ErrorCode::wrong_type);
  const auto found = json.find(kKey);
  if (found == json.end() || !found->is_string()) place.refuse(ErrorCode::unknown_type);
  const std::string word = found->get<std::string>();
  json.erase(found);
  std::optional<Record> record;
  boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<Record>>>([&](auto index) {
    using Alternative = std::variant_alternative_t<index, Record>;
    if (word == Alternative::kLogTag.word) {
      record = detail::decode_struct<Alternative>(json, Reading::strict, place);
    }
  });
  if (!record) place.refuse(ErrorCode::unknown_type);
  return *std::move(record);
}

}  // namespace triquetra
