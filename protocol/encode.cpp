#include "protocol/encode.hpp"

namespace triquetra {

namespace {

/// What stands for itself in a string; bytes of longer characters do.
bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

}  // namespace

void detail::encode_key(std::string& out, std::string_view key, bool& first) {
  constexpr std::string_view kNext = ",\"";
  out += kNext.substr(first ? 1 : 0);
  out += key;
  out += std::string_view("\":");
  first = false;
}

std::string& Scratch::spare() {
  static thread_local std::string text;
  return text;
}

void encode_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t from = at;
    while (at < text.size() && is_plain(text[at])) ++at;
    out.append(text, from, at - from);
    if (at == text.size()) break;
    const char c = text[at];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4U];
      out += kHex[static_cast<unsigned char>(c) & 15U];
    }
  }
  out += '"';
}

}  // namespace triquetra
