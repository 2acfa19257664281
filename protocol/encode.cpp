#include "protocol/encode.hpp"

namespace triquetra {

void encode_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  out += '"';
}

}  // namespace triquetra
