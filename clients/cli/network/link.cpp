#include "clients/cli/network/link.hpp"

#include <algorithm>
#include <variant>

namespace triquetra::cli {

namespace {

using std::chrono::milliseconds;

constexpr double kShortestWaitMs = 250;
constexpr int kMostDoublings = 5;  // 8 s
constexpr std::int64_t kUsualPauseMs = 1000;
constexpr std::int64_t kShortestPauseMs = 250;
constexpr std::int64_t kLongestPauseMs = 60'000;

template <class... Requests>
bool is_one_of(const ClientFrame& request) {
  return (std::holds_alternative<Requests>(request) || ...);
}

}  // namespace

milliseconds wait_after(int losses, double chance) {
  const double whole = kShortestWaitMs * (1 << std::clamp(losses - 1, 0, kMostDoublings));
  return milliseconds(static_cast<std::int64_t>(whole * (0.75 + chance / 2)));
}

milliseconds pause_of(std::optional<std::int64_t> retry_ms, double chance) {
  const auto asked =
      std::clamp<std::int64_t>(retry_ms.value_or(kUsualPauseMs), kShortestPauseMs, kLongestPauseMs);
  return milliseconds(static_cast<std::int64_t>(static_cast<double>(asked) * (1 + chance / 4)));
}

bool is_not_now(ErrorCode code) {
  return code == ErrorCode::too_fast || code == ErrorCode::busy || code == ErrorCode::restarting ||
         code == ErrorCode::storage_unavailable;
}

bool is_hello_not_now(ErrorCode code) {
  return is_not_now(code) || code == ErrorCode::internal_error;
}

bool is_entering(const ClientFrame& request) { return is_one_of<Create, Join, Watch>(request); }

bool is_sent_again(const ClientFrame& request) { return !is_one_of<Say, React>(request); }

bool was_done_before(const ClientFrame& request, ErrorCode code) {
  if (is_one_of<Start>(request)) return code == ErrorCode::already_started;
  if (is_one_of<RevealEntropy>(request)) return code == ErrorCode::entropy_not_asked;
  if (is_one_of<Rematch>(request)) return code == ErrorCode::not_over;
  if (is_one_of<Leave>(request)) return code == ErrorCode::not_in_room;
  if (is_one_of<RemoveBot, Kick>(request)) return code == ErrorCode::no_such_seat;
  return false;
}

}  // namespace triquetra::cli
