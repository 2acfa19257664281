// What servers say to each other over a link: a line of JSON, and behind some of them the text of a
// frame as it came from a client or goes to one. The server that made a link speaks for its
// clients; the other one answers for its rooms.
#pragma once

#include <boost/describe/class.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/errors.hpp"
#include "protocol/reflect.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra::link {

inline constexpr std::int64_t kVersion = 1;

/// The first word of whoever made the link: who it is, and whom it takes the other one for.
struct Greeting {
  static constexpr Tag kTag{"type", "greeting"};
  std::int64_t version{};
  std::int64_t from{};
  std::int64_t to{};
};
BOOST_DESCRIBE_STRUCT(Greeting, (), (version, from, to))

/// A client's frame for a room, which is answered by one of Told, Missing and Elsewhere.
struct Request {
  static constexpr Tag kTag{"type", "request"};
  std::int64_t number{};
  std::int64_t connection{};
  std::string room;
  std::string player;
  std::string name;
  bool is_program{};
  std::string address;
};
BOOST_DESCRIBE_STRUCT(Request, (), (number, connection, room, player, name, is_program, address))

/// A connection is gone, or has left that room.
struct Gone {
  static constexpr Tag kTag{"type", "gone"};
  std::int64_t connection{};
  std::optional<std::string> room;
};
BOOST_DESCRIBE_STRUCT(Gone, (), (connection, room))

/// The clock of a room that sleeps has rung.
struct Wake {
  static constexpr Tag kTag{"type", "wake"};
  std::string room;
};
BOOST_DESCRIBE_STRUCT(Wake, (), (room))

/// The table of leases has changed: it is worth a look.
struct Look {
  static constexpr Tag kTag{"type", "look"};
};
BOOST_DESCRIBE_STRUCT(Look, (), ())

struct Listed {
  ListedRoom room;
  std::int64_t since_ms{};
};
BOOST_DESCRIBE_STRUCT(Listed, (), (room, since_ms))

/// The rooms of whoever made the link that everybody is shown, in place of what it has said before.
struct Listing {
  static constexpr Tag kTag{"type", "listing"};
  std::vector<Listed> rooms;
};
BOOST_DESCRIBE_STRUCT(Listing, (), (rooms))

// What an operator wants of every server, or of one. With the text: announce, the line; close, the
// room; sweep, what the operator's door takes.
BOOST_DEFINE_ENUM_CLASS(Command, rooms, announce, close, sweep, drain)

/// An operator at the server that made the link orders this; it is answered by Reports.
struct Order {
  static constexpr Tag kTag{"type", "order"};
  std::int64_t number{};
  Command what{};
};
BOOST_DESCRIBE_STRUCT(Order, (), (number, what))

/// What came of an order. Many rooms come in several, of which one is the last.
struct Report {
  static constexpr Tag kTag{"type", "report"};
  std::int64_t number{};
  std::vector<ListedRoom> rooms;  // that are awake
  std::int64_t count{};           // of rooms that were closed
  std::optional<ErrorCode> refusal;
  bool is_last{};
};
BOOST_DESCRIBE_STRUCT(Report, (), (number, rooms, count, refusal, is_last))

struct Beat {
  static constexpr Tag kTag{"type", "beat"};
};
BOOST_DESCRIBE_STRUCT(Beat, (), ())

/// A frame for a connection: see Outgoing.
struct Shown {
  static constexpr Tag kTag{"type", "shown"};
  std::int64_t connection{};
  std::string room;
  bool is_view{};
  bool is_roster{};
  bool is_asked{};
  std::optional<ErrorCode> refusal;
};
BOOST_DESCRIBE_STRUCT(Shown, (), (connection, room, is_view, is_roster, is_asked, refusal))

/// What became of a request, as an Asker hears it.
struct Told {
  static constexpr Tag kTag{"type", "told"};
  std::int64_t number{};
  std::optional<ErrorCode> refusal;
};
BOOST_DESCRIBE_STRUCT(Told, (), (number, refusal))

/// There is no such room, or it cannot be waked.
struct Missing {
  static constexpr Tag kTag{"type", "missing"};
  std::int64_t number{};
  ErrorCode why{};
};
BOOST_DESCRIBE_STRUCT(Missing, (), (number, why))

/// The room is not the asked server's, as far as that one knows.
struct Elsewhere {
  static constexpr Tag kTag{"type", "elsewhere"};
  std::int64_t number{};
};
BOOST_DESCRIBE_STRUCT(Elsewhere, (), (number))

/// A connection is to be closed with this.
struct Finish {
  static constexpr Tag kTag{"type", "finish"};
  std::int64_t connection{};
  ByeCode code{};
  std::int64_t retry_ms{};
};
BOOST_DESCRIBE_STRUCT(Finish, (), (connection, code, retry_ms))

using Message = std::variant<Greeting, Request, Gone, Wake, Look, Listing, Order, Report, Beat,
                             Shown, Told, Missing, Elsewhere, Finish>;

}  // namespace triquetra::link
