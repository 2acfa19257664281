// Everything that can go wrong for a client, as one closed list of words. Clients translate them;
// the server never sends sentences. docs/PROTOCOL.md says for each what to do about it.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/bounded.hpp"

namespace triquetra {

BOOST_DEFINE_ENUM_CLASS(ErrorCode,
                        // The frame is no frame: it was not looked at any further.
                        not_json, too_large, too_deep, duplicate_key, binary_frame, unknown_type,
                        unknown_field, missing_field, wrong_type, out_of_range, bad_text,
                        // Who you are.
                        hello_first, hello_twice, unsupported_protocol, bad_token, bad_device,
                        // Not now: the same request may succeed later.
                        too_fast, busy, restarting, storage_unavailable, too_many_rooms,
                        // Rooms and seats.
                        no_such_game, bad_options, no_such_room, wrong_password, room_full,
                        seat_taken, no_such_seat, already_seated, not_seated, not_in_room,
                        no_watching, door_closed, not_host, already_started, not_started,
                        too_few_players, not_over, not_allowed, not_away, chat_off,
                        entropy_not_asked, entropy_mismatch, no_such_match, record_not_ready,
                        needs_version, room_closed,
                        // Acts.
                        illegal, not_your_turn, too_late, id_reused,
                        // Ours.
                        internal_error)

/// What an error code is about. All absent unless the code says more with them.
struct ErrorArgs {
  std::optional<std::string> field;      // where in the frame: "action.columns[1]"
  std::optional<std::string> rule;       // the statement of the game's RULES.md: "T22"
  std::optional<std::int64_t> limit;     // the bound that was passed
  std::optional<std::int64_t> retry_ms;  // when to try again
  friend bool operator==(const ErrorArgs&, const ErrorArgs&) = default;
};
BOOST_DESCRIBE_STRUCT(ErrorArgs, (), (field, rule, limit, retry_ms))

inline ErrorArgs about_field(std::string field) { return {std::move(field), {}, {}, {}}; }
inline ErrorArgs about_rule(std::string rule) { return {{}, std::move(rule), {}, {}}; }
inline ErrorArgs about_limit(std::int64_t limit) { return {{}, {}, limit, {}}; }
inline ErrorArgs about_retry(std::int64_t retry_ms) { return {{}, {}, {}, retry_ms}; }

/// Bytes that are not what they should be. Thrown by decoding, caught where bytes come in.
class Malformed : public std::runtime_error {
 public:
  Malformed(ErrorCode code, ErrorArgs args)
      : std::runtime_error("malformed"), code_(code), args_(std::move(args)) {}
  ErrorCode code() const { return code_; }
  const ErrorArgs& args() const { return args_; }

 private:
  ErrorCode code_;
  ErrorArgs args_;
};

}  // namespace triquetra
