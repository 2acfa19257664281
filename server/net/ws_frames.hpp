// RFC 6455 as bytes, at the server's end: how a client's frames add up to messages, and how ours
// are written. Knows no socket, so that every case of it can be tried without one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/utf8.hpp"

namespace triquetra::net {

enum class Opcode : std::uint8_t {
  continuation = 0,
  text = 1,
  binary = 2,
  close = 8,
  ping = 9,
  pong = 10
};

/// Why a connection ends, in the words of RFC 6455 and its registry.
enum class CloseCode : std::uint16_t {
  normal = 1000,
  protocol_error = 1002,
  bad_payload = 1007,
  policy_error = 1008,
  too_big = 1009,
  service_restart = 1012,
  try_again_later = 1013
};

/// What stands before a payload of this size. We send whole messages, without masks.
void append_head(std::string& out, Opcode what, std::size_t payload_bytes);
void append_frame(std::string& out, Opcode what, std::string_view payload);
void append_close(std::string& out, CloseCode code);

/// Sec-WebSocket-Accept for a Sec-WebSocket-Key.
std::string accept_key(std::string_view key);

/// What a client says.
struct Heard {
  // closed: with its payload, which may be sent back. failed: it broke the rules, see `code`.
  enum class What { text, binary, ping, pong, closed, failed };
  What what{};
  std::string_view payload{};  // until next() is called again
  CloseCode code{};
};

class WsReader {
 public:
  /// Messages that are larger fail as too_big.
  explicit WsReader(std::size_t largest_message) : largest_message_(largest_message) {}

  /// The next thing that `bytes` bring to its end, and takes from them what has been read; none
  /// when all has been read. Removes masks in place. After `closed` or `failed`: not to be called.
  std::optional<Heard> next(std::span<char>& bytes);
  /// Whether a message or a frame has begun and not ended.
  bool is_within() const { return has_begun_ || in_frame_ || head_size_ > 0; }

 private:
  static constexpr std::size_t kLargestHead = 14;
  static constexpr std::size_t kLargestControl = 125;

  /// Reads on in a head: whether it is complete.
  bool take_head(std::span<char>& bytes);
  std::optional<Heard> begin_frame();
  std::optional<Heard> begin_data();
  std::optional<Heard> control(std::span<char> piece);
  std::optional<Heard> data(std::span<char> piece);
  void unmask(std::span<char> piece);
  static Heard closed(std::string_view payload);

  const std::size_t largest_message_;
  std::array<unsigned char, kLargestHead> head_{};
  std::uint8_t head_size_ = 0;
  // The frame that is being read.
  bool in_frame_ = false;
  bool is_last_ = false;
  Opcode opcode_{};
  std::array<unsigned char, 4> mask_{};
  std::uint8_t mask_at_ = 0;
  std::uint64_t left_ = 0;  // of its payload
  // The message that is being read: a control frame may come in its midst.
  bool has_begun_ = false;
  Opcode message_is_{};
  Utf8 utf8_;
  std::string message_;
  std::string control_;
  bool is_told_ = false;  // what has been gathered was handed out
};

}  // namespace triquetra::net
