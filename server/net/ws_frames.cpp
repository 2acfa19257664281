#include "server/net/ws_frames.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstring>

namespace triquetra::net {

namespace {

bool is_control(Opcode what) { return static_cast<std::uint8_t>(what) >= 8; }

bool is_known(std::uint8_t opcode) { return opcode <= 2 || (opcode >= 8 && opcode <= 10); }

Heard failed(CloseCode code) { return {Heard::What::failed, {}, code}; }

std::uint64_t number_of(const unsigned char* bytes, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number = number << 8U | bytes[i];
  return number;
}

/// Codes that may stand in a close frame: those of RFC 6455 and its registry, and the free ones.
bool may_close_with(std::uint64_t code) {
  const bool is_registered = code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
  return is_registered || (code >= 3000 && code <= 4999);
}

}  // namespace

void append_head(std::string& out, Opcode what, std::size_t payload_bytes) {
  constexpr unsigned kLast = 0x80;
  std::array<char, 10> head{};
  head[0] = static_cast<char>(kLast | static_cast<unsigned>(what));
  std::size_t more = 0;
  if (payload_bytes < 126) {
    head[1] = static_cast<char>(payload_bytes);
  } else {
    more = payload_bytes < 65536 ? 2 : 8;
    head[1] = static_cast<char>(more == 2 ? 126 : 127);
  }
  for (std::size_t i = 0; i < more; ++i) {
    head[2 + i] = static_cast<char>(payload_bytes >> 8 * (more - 1 - i));
  }
  out.append(head.data(), 2 + more);
}

void append_frame(std::string& out, Opcode what, std::string_view payload) {
  append_head(out, what, payload.size());
  out += payload;
}

void append_close(std::string& out, CloseCode code) {
  const auto number = static_cast<unsigned>(code);
  const std::array payload{static_cast<char>(number >> 8U), static_cast<char>(number & 255U)};
  append_frame(out, Opcode::close, {payload.data(), payload.size()});
}

std::string accept_key(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA_DIGEST_LENGTH + 2) / 3) + 1> encoded{};
  const int size = EVP_EncodeBlock(encoded.data(), digest.data(), SHA_DIGEST_LENGTH);
  return {reinterpret_cast<const char*>(encoded.data()), static_cast<std::size_t>(size)};
}

std::optional<Heard> WsReader::next(std::span<char>& bytes) {
  if (is_told_) {
    // Given back at once: a connection that is silent holds nothing.
    std::string().swap(is_control(opcode_) ? control_ : message_);
    is_told_ = false;
  }
  while (in_frame_ || !bytes.empty()) {
    if (!in_frame_) {
      if (!take_head(bytes)) return std::nullopt;
      if (auto wrong = begin_frame()) return wrong;
    }
    const auto size = std::min<std::uint64_t>(left_, bytes.size());
    const std::span<char> piece = bytes.first(static_cast<std::size_t>(size));
    bytes = bytes.subspan(piece.size());
    left_ -= size;
    unmask(piece);
    if (auto heard = is_control(opcode_) ? control(piece) : data(piece)) return heard;
    if (left_ > 0) return std::nullopt;
  }
  return std::nullopt;
}

bool WsReader::take_head(std::span<char>& bytes) {
  std::size_t needed = 2;
  while (!bytes.empty()) {
    head_[head_size_++] = static_cast<unsigned char>(bytes.front());
    bytes = bytes.subspan(1);
    if (head_size_ < 2) continue;
    const unsigned length = head_[1] & 127U;
    const bool is_masked = (head_[1] & 128U) != 0;
    needed = 2U + (length == 126 ? 2U : length == 127 ? 8U : 0U) + (is_masked ? 4U : 0U);
    if (head_size_ == needed) return true;
  }
  return false;
}

std::optional<Heard> WsReader::begin_frame() {
  head_size_ = 0;
  const unsigned flags = head_[0] & 0xf0U;
  const auto opcode = static_cast<std::uint8_t>(head_[0] & 15U);
  const std::uint64_t short_length = head_[1] & 127U;
  const std::size_t more = short_length == 126 ? 2 : short_length == 127 ? 8 : 0;
  const std::uint64_t length = more > 0 ? number_of(&head_[2], more) : short_length;
  const bool is_masked = (head_[1] & 128U) != 0;
  const bool is_longer_than_need_be = (more == 2 && length < 126) || (more == 8 && length < 65536);
  if ((flags & 0x70U) != 0 || !is_known(opcode) || !is_masked || is_longer_than_need_be) {
    return failed(CloseCode::protocol_error);
  }
  opcode_ = static_cast<Opcode>(opcode);
  is_last_ = (flags & 0x80U) != 0;
  left_ = length;
  std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(2 + more), mask_.size(), mask_.begin());
  mask_at_ = 0;
  in_frame_ = true;
  if (!is_control(opcode_)) return begin_data();
  if (!is_last_ || length > kLargestControl) return failed(CloseCode::protocol_error);
  return std::nullopt;
}

std::optional<Heard> WsReader::begin_data() {
  // A message is one frame with a kind, and others that continue it.
  if (has_begun_ != (opcode_ == Opcode::continuation)) return failed(CloseCode::protocol_error);
  if (left_ > largest_message_ - message_.size()) return failed(CloseCode::too_big);
  if (!has_begun_) {
    has_begun_ = true;
    message_is_ = opcode_;
    utf8_ = {};
  }
  return std::nullopt;
}

std::optional<Heard> WsReader::control(std::span<char> piece) {
  std::string_view payload(piece.data(), piece.size());
  if (left_ > 0 || !control_.empty()) {
    control_ += payload;
    if (left_ > 0) return std::nullopt;
    payload = control_;
    is_told_ = true;
  }
  in_frame_ = false;
  if (opcode_ == Opcode::close) return closed(payload);
  return Heard{opcode_ == Opcode::ping ? Heard::What::ping : Heard::What::pong, payload};
}

std::optional<Heard> WsReader::data(std::span<char> piece) {
  std::string_view payload(piece.data(), piece.size());
  const bool is_text = message_is_ == Opcode::text;
  // At once, not when the message ends.
  if (is_text && !utf8_.take(payload)) return failed(CloseCode::bad_payload);
  const bool ends = left_ == 0 && is_last_;
  if (!ends || !message_.empty()) {
    message_ += payload;
    payload = message_;
  }
  if (left_ == 0) in_frame_ = false;
  if (!ends) return std::nullopt;
  if (is_text && !utf8_.is_whole()) return failed(CloseCode::bad_payload);
  has_begun_ = false;
  is_told_ = true;
  return Heard{is_text ? Heard::What::text : Heard::What::binary, payload};
}

void WsReader::unmask(std::span<char> piece) {
  // The mask as it falls on eight bytes from here on.
  std::array<unsigned char, 8> turned{};
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = mask_[(mask_at_ + i) % 4];
  std::uint64_t mask = 0;
  std::memcpy(&mask, turned.data(), turned.size());
  std::size_t at = 0;
  for (; at + 8 <= piece.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, &piece[at], 8);
    eight ^= mask;
    std::memcpy(&piece[at], &eight, 8);
  }
  for (; at < piece.size(); ++at) {
    piece[at] = static_cast<char>(static_cast<unsigned char>(piece[at]) ^ turned[at % 8]);
  }
  mask_at_ = static_cast<std::uint8_t>((mask_at_ + piece.size()) % 4);
}

Heard WsReader::closed(std::string_view payload) {
  if (payload.empty()) return {Heard::What::closed, payload, CloseCode::normal};
  const auto* bytes = reinterpret_cast<const unsigned char*>(payload.data());
  if (payload.size() < 2 || !may_close_with(number_of(bytes, 2))) {
    return failed(CloseCode::protocol_error);
  }
  Utf8 reason;
  if (!reason.take(payload.substr(2)) || !reason.is_whole()) return failed(CloseCode::bad_payload);
  return {Heard::What::closed, payload, CloseCode::normal};
}

}  // namespace triquetra::net
