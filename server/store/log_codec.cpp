#include "server/store/log_codec.hpp"

#include <optional>

#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/fairness.hpp"

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
  const JsonText json(text, kTrustedJson);
  const Place place;
  if (json.root().kind() != JsonKind::object) place.refuse(ErrorCode::wrong_type);
  const auto found = json.root().find(kKey);
  if (!found || found->kind() != JsonKind::string) place.refuse(ErrorCode::unknown_type);
  std::string unescaped;
  const std::string_view word = found->string(unescaped);
  std::optional<Record> record;
  boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<Record>>>([&](auto index) {
    using Alternative = std::variant_alternative_t<index, Record>;
    if (word == Alternative::kLogTag.word) {
      record = detail::decode_struct<Alternative>(json.root(), Reading::strict, place, kKey);
    }
  });
  if (!record) place.refuse(ErrorCode::unknown_type);
  return *std::move(record);
}

std::string chained(const std::string& before, std::uint64_t seq, std::string_view data) {
  const auto hash = sha256(before + "/" + std::to_string(seq) + "/" + std::string(data));
  constexpr std::size_t kBytes = 16;
  return {hash.begin(), hash.begin() + kBytes};
}

}  // namespace triquetra
