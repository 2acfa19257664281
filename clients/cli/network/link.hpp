// The story of docs/CLIENTS.md as values: the states of the connection to a server, how long the
// waits between two tries are, and what answers and lost connections mean for what was asked. No
// clock, no socket: Session has those.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "protocol/client_frames.hpp"
#include "protocol/errors.hpp"

namespace triquetra::cli {

/// connecting: a connection is being opened. greeting: hello is said. online: welcome was heard.
/// waiting: for the next try. ended: nothing is tried any more.
enum class LinkState { connecting, greeting, online, waiting, ended };

inline constexpr std::chrono::seconds kGreetingTime{10};  // hello has this long to be answered
inline constexpr std::chrono::seconds kLastingTime{10};   // after its welcome, if nothing new came
inline constexpr int kMostLosses = 42;                    // in a row: five minutes at 8 s each
inline constexpr int kMostTries = 8;  // of one request by a person: then the refusal is told

/// The wait after the `losses`th loss in a row (from 1) of a connection that did not last: 0.25 s
/// doubled up to 8 s, give or take a quarter. `chance` is anywhere in [0, 1).
std::chrono::milliseconds wait_after(int losses, double chance);
/// What a server asked for, a second if it said nothing, and up to a quarter more; never more than
/// 75 s.
std::chrono::milliseconds pause_of(std::optional<std::int64_t> retry_ms, double chance);

/// Whether this refusal of a request says "not now": nothing was changed, and the same request may
/// come again under the same id.
bool is_not_now(ErrorCode code);
/// The same of a refused hello: whatever went wrong in the server was about no room.
bool is_hello_not_now(ErrorCode code);

/// Create, join and watch: sent again before all others, for only who is in the room is told of it.
bool is_entering(const ClientFrame& request);
/// Whether it is sent again after a loss, for what was said twice is heard twice.
bool is_sent_again(const ClientFrame& request);
/// Whether this refusal of what was sent again says that it was done at the first time.
bool was_done_before(const ClientFrame& request, ErrorCode code);

}  // namespace triquetra::cli
