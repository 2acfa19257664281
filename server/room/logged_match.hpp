// A match as the log of its room tells it when somebody asks: what happened, and, once it is over,
// the record and what its views can be made from again. A room itself keeps little of the one that
// is played, and of those that are over nothing but their ids.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"
#include "server/room/terms.hpp"
#include "server/store/records.hpp"

namespace triquetra {

using Step = std::variant<Acted, Lapsed>;

/// Of a match that is over.
struct FinishedMatch {
  std::size_t seat_count{};
  std::string record;
  /// The tables before steps 0, kReplayStride, 2 * kReplayStride...: a page begins from the nearest
  /// one, so that no page takes much longer than another.
  std::vector<TablePointer> marks;
  std::vector<Step> steps;
};

struct LoggedMatch {
  std::string match;
  std::vector<std::string> happened;  // by revision - 1
  /// None while it is played: nobody may know more of it than what happened.
  std::optional<FinishedMatch> finished;
};

/// The match of this id by the log of its room, with the room's policy; null if the log has no act
/// of it. Throws Bug.
std::shared_ptr<const LoggedMatch> logged_match(const std::vector<Record>& log,
                                                const std::string& match,
                                                const RoomPolicy& policy = {});

/// The table after a step of the log.
TablePointer after(const TablePointer& table, const Step& step);

/// The revisions from `from` on, as many as a page holds; none after the last. 0 is the setup. By
/// the same rules and views as while it was played.
std::vector<ReplayStep> replay_page(const FinishedMatch& match, std::size_t from);

}  // namespace triquetra
