#include "protocol/fairness.hpp"

#include <openssl/sha.h>

namespace triquetra {

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  std::array<std::uint8_t, 32> digest{};
  // OpenSSL takes unsigned char, which may alias any bytes.
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto high = kDigits.find(text[i]);
    const auto low = kDigits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string sha256_hex(std::string_view bytes) {
  const auto digest = sha256(bytes);
  return to_hex(std::string(digest.begin(), digest.end()));
}

std::optional<std::string> commitment_of(std::string_view hex) {
  const auto bytes = from_hex(hex);
  if (!bytes) return std::nullopt;
  return sha256_hex(*bytes);
}

std::array<std::uint8_t, 32> sha256_of_parts(const std::vector<std::string>& parts) {
  std::string message;
  for (const std::string& part : parts) {
    for (const int shift : {24, 16, 8, 0})
      message += static_cast<char>((part.size() >> shift) & 0xFFU);
    message += part;
  }
  return sha256(message);
}

Seed seed_of(std::string_view secret, std::string_view match,
             const std::vector<std::string>& entropies) {
  std::vector<std::string> parts{"triquetra shuffle 1"};
  const auto add_hex = [&](std::string_view hex) {
    const auto bytes = from_hex(hex);
    ensure(bytes.has_value(), "not hex");
    parts.push_back(*bytes);
  };
  add_hex(secret);
  add_hex(match);
  for (const std::string& entropy : entropies) add_hex(entropy);
  return Seed{sha256_of_parts(parts)};
}

}  // namespace triquetra
