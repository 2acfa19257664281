// Whether bytes are UTF-8, also when they come in pieces: for JSON text and for WebSocket messages.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace triquetra {

/// Takes text piece by piece, as RFC 3629 has it: no halves of pairs, nothing longer than it need
/// be.
class Utf8 {
 public:
  /// False as soon as what has come so far can begin no text. Then: nothing more is to be given.
  bool take(std::string_view piece) {
    const char* at = piece.data();
    const char* const end = at + piece.size();
    while (at != end) {
      if (missing_ == 0) {
        at = past_ascii(at, end);
        if (at == end) return true;
        if (!begin(static_cast<std::uint8_t>(*at++))) return false;
      } else {
        const auto byte = static_cast<std::uint8_t>(*at++);
        if (byte < lowest_ || byte > highest_) return false;
        lowest_ = 0x80;
        highest_ = 0xbf;
        --missing_;
      }
    }
    return true;
  }
  /// Whether no character is left unfinished.
  bool is_whole() const { return missing_ == 0; }

  /// The first byte from `at` on that is not ASCII.
  static const char* past_ascii(const char* at, const char* end) {
    for (std::uint64_t eight = 0; end - at >= 8; at += 8) {
      std::memcpy(&eight, at, 8);
      if ((eight & 0x8080808080808080U) != 0) break;
    }
    while (at != end && static_cast<std::uint8_t>(*at) < 0x80) ++at;
    return at;
  }

 private:
  /// The first byte of a character that has more: how many, and what the next may be.
  bool begin(std::uint8_t byte) {
    if (byte < 0xc2 || byte > 0xf4) return false;
    missing_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    lowest_ = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    highest_ = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    return true;
  }

  std::uint8_t missing_ = 0;  // bytes of a character that has begun
  std::uint8_t lowest_ = 0x80;
  std::uint8_t highest_ = 0xbf;
};

}  // namespace triquetra
