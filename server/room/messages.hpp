// What goes into a room and what comes out: a message, and what to do about it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/levels.hpp"
#include "protocol/client_frames.hpp"
#include "server/base/time_point.hpp"
#include "server/room/outgoing.hpp"
#include "server/store/records.hpp"

namespace triquetra {

/// Who speaks: a connection, and the player whose token it showed. Player ids are ours and never
/// sent.
struct Sender {
  ConnectionId connection{};
  std::string player;
  std::string name;
  bool is_program = false;  // its hello said so
  std::string address{};    // where the connection comes from; empty in tests without sockets
};

/// Somebody who waits for what becomes of a request, besides the peer that gets the answer. Is told
/// once, in any case.
class Asker {
 public:
  /// `tell` hears what the request was refused with, or nothing if it was not; from any thread.
  explicit Asker(std::function<void(std::optional<ErrorCode>)> tell) : tell_(std::move(tell)) {}
  /// Who was to answer is no more.
  ~Asker() { tell(ErrorCode::room_closed); }
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;
  void tell(std::optional<ErrorCode> refusal) {
    if (const auto tell = std::exchange(tell_, nullptr)) tell(refusal);
  }

 private:
  std::function<void(std::optional<ErrorCode>)> tell_;
};

/// A frame for a room: every ClientFrame that has a `room`. The maker's frame, for a room that does
/// not exist yet: see Room::create.
struct FromClient {
  Sender from;
  ClientFrame frame;
  std::shared_ptr<Asker> asker{};  // may be null
};
struct Disconnected {
  ConnectionId connection{};
};
/// What somebody thinks about in a match: a bot, or an expert for whoever asks for a hint. It
/// stands as long as nothing has changed that its seat may know.
struct Question {
  std::string match;
  std::int64_t rev{};  // at which it was asked
  DecisionId decision;
  Seat seat;
  Level level{};
  friend bool operator==(const Question&, const Question&) = default;
};
/// What a bot has found out to do; none leaves a window to its clock.
struct BotThought {
  Question question;
  std::optional<std::string> action;
};
/// Time has passed: the alarm that effects asked for, or any other moment.
struct Tick {};
using RoomMessage = std::variant<FromClient, Disconnected, BotThought, Tick>;

/// What to do about a message, in this order: append the records and wait until they are durable;
/// adopt the next room; send the frames; ring at `alarm`; read the match that is wanted from the
/// log, and answer the message by it: see answer_from(); think about the hint that is wanted, and
/// answer the message by what comes of it.
struct Effects {
  std::vector<Record> records;
  std::vector<Outgoing> frames;
  std::optional<TimePoint> alarm;
  std::string wanted_match;  // that is over; empty: none
  std::optional<Question> wanted_hint{};
};

}  // namespace triquetra
