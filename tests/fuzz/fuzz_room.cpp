// Whole evenings in one room, as lines: "2{...}" is a frame of player 2, "2+3" the act 3 of those
// that player 2 was offered last, "2-" the loss of its connection, ".9" nine times ten seconds. The
// room must take everything, and its log must lead to a room again.
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/ensure.hpp"
#include "protocol/wire.hpp"
#include "server/room/room.hpp"
#include "server/store/log_codec.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace triquetra::fuzz {
namespace {

class Evening {
 public:
  void hear(std::string_view line) {
    if (line.size() < 2) return;
    if (line[0] == '.') return pass(line[1]);
    const ConnectionId who = static_cast<unsigned char>(line[0]) % 8U;
    if (line[1] == '-') return handle(Disconnected{who});
    if (line[1] == '+') return act(who, static_cast<unsigned char>(line.back()));
    say(who, line.substr(1));
  }

  /// What is kept must be readable, and lead to a room.
  void come_back() const {
    if (log_.empty()) return;
    std::vector<Record> read;
    for (const Record& record : log_) read.push_back(read_log_text(log_text(record)));
    static_cast<void>(Room::replayed(read, at_));
  }

 private:
  static Sender sender(ConnectionId who) {
    return {who + 1, "player " + std::to_string(who), "P" + std::to_string(who), false};
  }

  void pass(char digit) {
    at_ += std::chrono::seconds(10 * (static_cast<unsigned char>(digit) % 16U));
    handle(Tick{});
  }

  void say(ConnectionId who, std::string_view text) {
    try {
      const auto frame = decode<ClientFrame>(parse_json(text), Reading::strict);
      if (const auto* create = std::get_if<Create>(&frame); create != nullptr && !room_) {
        return adopt(Room::create("BCDFGH", sender(who), *create, at_, rng_));
      }
      const bool is_for_a_room = std::visit(
          [](const auto& one) {
            return requires { one.room; };
          },
          frame);
      if (is_for_a_room) handle(FromClient{sender(who), frame});
    } catch (const Malformed&) {
      // The answer that it would get.
    }
  }

  void act(ConnectionId who, unsigned choice) {
    const auto seen = views_.find(who + 1);
    if (seen == views_.end()) return;
    const Json view = Json::parse(seen->second);
    if (!view.contains("legal") || view["legal"].empty()) return;
    const Json& legal = view["legal"];
    for (const Json& decision : view["decisions"]) {
      for (const Json& seat : decision["seats"]) {
        if (seat != view["seat"]) continue;
        const Json frame = {{"type", "act"},
                            {"id", "a" + std::to_string(++count_)},
                            {"room", "BCDFGH"},
                            {"decision", decision["id"]},
                            {"action", legal[choice % legal.size()]["action"]}};
        return say(who, frame.dump());
      }
    }
  }

  void handle(const RoomMessage& message) {
    if (!room_) return;
    adopt(room_->handle(message, at_, rng_));
  }

  void adopt(Outcome outcome) {
    if (!outcome.next) return;
    room_ = outcome.next;
    for (Record& record : outcome.effects.records) log_.push_back(std::move(record));
    for (const Outgoing& frame : outcome.effects.frames) {
      if (!frame.is_view) continue;
      views_[frame.to] = (frame.shared ? *frame.shared : std::string()) + frame.own;
    }
  }

  TimePoint at_ = TimePoint{} + std::chrono::hours(1);
  Rng rng_{Seed{}};
  std::shared_ptr<const Room> room_;
  std::vector<Record> log_;
  std::map<ConnectionId, std::string> views_;
  int count_ = 0;
};

}  // namespace

void take(std::string_view bytes) {
  constexpr std::size_t kLines = 120;  // a match is not much longer; more only costs time
  Evening evening;
  for (std::size_t i = 0; i < kLines && !bytes.empty(); ++i) {
    const auto end = std::min(bytes.find('\n'), bytes.size());
    evening.hear(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  evening.come_back();
}

}  // namespace triquetra::fuzz
