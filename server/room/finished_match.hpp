// A match that is over, as its room keeps it: the record, and what its views can be made from
// again.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"
#include "server/room/append_only.hpp"
#include "server/store/records.hpp"

namespace triquetra {

using Step = std::variant<Acted, Lapsed>;

struct FinishedMatch {
  std::string match;
  std::size_t seat_count{};
  std::string record;
  /// The tables before steps 0, kReplayStride, 2 * kReplayStride...: a page begins from the nearest
  /// one, so that no page takes much longer than another.
  AppendOnly<TablePointer> marks;
  AppendOnly<Step> steps;
};

/// The revisions from `from` on, as many as a page holds; none after the last. 0 is the setup. By
/// the same rules and views as while it was played.
std::vector<ReplayStep> replay_page(const FinishedMatch& match, std::size_t from);

}  // namespace triquetra
