// What a PostgreSQL database of a store looks like: its tables, how they came to be, and every
// statement that a server sends. One row is one append, keyed by room and number, so of two who
// append at the same place one is told that the other was there: that key is the fence.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/event_store.hpp"
#include "server/store/postgres_connection.hpp"

namespace triquetra::postgres {

/// What each connection of ours is set to. A network that is cut gives the lock of take_over() back
/// soon; and a plan goes by key, also one that was made when the tables were empty, and is not
/// compiled or shared among processes.
extern const char* const kSettings;

/// Changes: one row for each place, and what comes back is the first column of each that was made.
/// An append has with it what becomes of its room.
extern const Statement kAppend;
extern const Statement kEmptyReplaced;
/// Of each room: the many rows of what was played since the last time become one.
extern const Statement kFold;
extern const Statement kErase;
/// Takes at most so many rooms whose alarm is due, and those that a call of the same number has
/// taken before, if its end was unknown. Gives each, and how long it is to the next alarm.
extern const Statement kRing;
extern const Statement kPutPlayer;
extern const Statement kSeePlayer;
extern const Statement kForgetPlayers;
extern const Statement kPutDeviceCode;
/// Gives the code, and whose it is.
extern const Statement kTakeDeviceCode;
extern const Statement kGiveBackDeviceCode;
/// Writes what is there already. What could be read before is durable after it, on the standby too.
extern const Statement kSettle;
/// A lease of a server, see EventStore::renew(); and its end.
extern const Statement kRenew;
extern const Statement kLeave;

/// Reads.
extern const Statement kLog;
/// With how many sleep; a row without a room if none is in use.
extern const Statement kRooms;
extern const Statement kFindRooms;
extern const Statement kSleepingRooms;
extern const Statement kFindPlayer;
extern const Statement kSomePlayers;

/// Makes an open connection the one that appends, as long as it is open: there is one at a time, so
/// whoever is it knows that nothing can be kept any more that was sent over an earlier one.
/// `writer` is 0 for a server that has the database alone; of several each has a number, and is one
/// for each. Makes or changes the tables, if `may_change`. Gives what is wrong; empty: it is.
/// Throws StoreProblem where trying again does not help.
boost::asio::awaitable<std::string> take_over(Connection& connection, bool may_change,
                                              std::uint32_t writer);

/// Has both connections append at the same place, of which one must win, and leaves nothing of
/// it. Throws StoreProblem if both do. Gives what has hindered it; empty: one has won.
boost::asio::awaitable<std::string> try_fence(Connection& one, Connection& other);

/// What ties a row to all before it in its log. `before`: the same of the row before, or the room's
/// code.
std::string row_chain(const std::string& before, std::uint64_t seq, std::int64_t start,
                      std::string_view data);

/// A record as text, and what column 5 says of the row that it came with.
struct LogText {
  std::string_view text;
  std::int64_t time = 0;
};
/// What a log holds, of rows that begin with the columns of kLog and live on; none if they are not
/// what was written.
std::optional<std::vector<LogText>> read_texts(const std::string& room, const Answer& rows);
/// The log in what kLog has given.
LoadedLog read_log(const std::string& room, const Answer& rows);

}  // namespace triquetra::postgres
