// Who sits where: the chairs, which stand as long as the room does, and how they are taken and
// given up while people gather.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "protocol/client_frames.hpp"
#include "protocol/server_frames.hpp"
#include "server/base/time_point.hpp"
#include "server/store/records.hpp"

namespace triquetra {

struct Draft;
struct RoomState;

/// Somebody with a token, who may be a program over the network.
struct SeatedPlayer {
  std::string player;
  std::string name;
  bool is_program = false;
  std::optional<TimePoint> away_since;
  int lapses_in_a_row = 0;
  bool has_left = false;  // by word, in play; a restart forgets it
};
/// A bot of the server's own.
struct SeatedBot {
  BotLevel level{};
  std::string asked_by;  // the player who added it, with this request
  std::string request;
};
using Chair = std::variant<std::monostate, SeatedPlayer, SeatedBot>;

/// What everybody is shown: a program is a bot.
SeatKind kind_of(const Chair& chair);

struct Seats {
  std::vector<Chair> chairs;
  std::optional<Seat> host;

  std::size_t size() const { return chairs.size(); }
  std::size_t taken() const;
  /// The seat that a player holds, if any.
  std::optional<Seat> of(const std::string& player) const;
  /// Who sits there; null for another kind, and for a seat that there is not.
  const SeatedPlayer* player_at(Seat seat) const;
  const SeatedBot* bot_at(Seat seat) const;
  std::optional<TimePoint> host_away_since() const;
  /// Whether no player's seat is one that somebody may soon come back to.
  bool all_have_left() const;
  /// A player who is no program.
  bool is_person(Seat seat) const;
  /// Before: a player sits there.
  SeatedPlayer& edit_player(Seat seat);
};

/// The stage before the start. Seats promise entropy for the shuffle by its hash.
struct Gathering {
  static constexpr RoomStatus kStatus = RoomStatus::open;
  std::map<Seat, std::string> promised;
  std::vector<CalledOff> called_off;  // starts of this match
  std::set<std::string> out;          // players who did not open theirs then: they promise no more
};

inline Seat seat_at(SeatNumber number) { return Seat{static_cast<std::size_t>(int{number})}; }

/// The sender on this seat, with a name unlike the others'; without the hash if it had its turn.
SeatTaken sitting_down(const Draft& draft, Seat seat, const std::optional<Hash>& entropy_hash);
/// The seat that a newcomer gets; refuses the request if there is none.
std::optional<Seat> free_seat(Draft& draft, const std::optional<SeatNumber>& wanted,
                              const RequestId& id);

/// What the records since a match was opened come to, in as few: who sits where, who is host, how
/// it is played, how the door stands and who was sent away. Other records stay as they are.
std::vector<Record> without_detours(const std::vector<Record>& gathering);

void adopt(RoomState& room, const MatchOpened& opened, TimePoint now);
void adopt(RoomState& room, const SeatTaken& sat, TimePoint now);
void adopt(RoomState& room, const BotSeated& bot, TimePoint now);
void adopt(RoomState& room, const SeatLeft& left, TimePoint now);
void adopt(RoomState& room, const HostChanged& host, TimePoint now);
void adopt(RoomState& room, const OptionsSet& set, TimePoint now);

void on(Draft& draft, const AddBot& frame);
void on(Draft& draft, const SetLevel& frame);
void on(Draft& draft, const RemoveBot& frame);
void on(Draft& draft, const Kick& frame);
void on(Draft& draft, const SetOptions& frame);

}  // namespace triquetra
