#include "server/room/finished_match.hpp"

#include <algorithm>
#include <utility>

#include "engine/ensure.hpp"
#include "server/base/limits.hpp"

namespace triquetra {
namespace {

TablePointer after(const TablePointer& table, const Step& step) {
  if (const auto* lapsed = std::get_if<Lapsed>(&step)) return table->lapse(lapsed->decision);
  const auto& acted = std::get<Acted>(step);
  auto next = table->act(acted.seat, acted.action);
  ensure(std::holds_alternative<TablePointer>(next), "an act of the log that the rules forbid");
  return std::get<TablePointer>(std::move(next));
}

ReplayStep seen(const Table& table, std::size_t seat_count) {
  ReplayStep step;
  step.decisions = shown(table.decisions());
  step.table.text = table.table_view();
  step.happened.text = table.happened();
  for (const Seat seat : seats_of(seat_count)) step.seats.push_back(Raw{table.seat_view(seat)});
  return step;
}

std::size_t size_of(const ReplayStep& step) {
  std::size_t size = step.table.text.size() + step.happened.text.size();
  for (const Raw& seat : step.seats) size += seat.text.size();
  return size;
}

}  // namespace

std::vector<ReplayStep> replay_page(const FinishedMatch& match, std::size_t from) {
  std::vector<ReplayStep> page;
  if (from > match.steps.size()) return page;
  const std::size_t mark = std::min(from / limits::kReplayStride, match.marks.size() - 1);
  TablePointer table = match.marks[mark];
  std::size_t bytes = 0;
  for (std::size_t rev = mark * limits::kReplayStride;; ++rev) {
    if (rev >= from) {
      ReplayStep step = seen(*table, match.seat_count);
      step.rev = static_cast<std::int64_t>(rev);
      if (rev > 0) {
        const auto* acted = std::get_if<Acted>(&match.steps[rev - 1]);
        if (acted != nullptr) step.by = acted->by;
      }
      bytes += size_of(step);
      page.push_back(std::move(step));
    }
    const bool full = page.size() >= limits::kReplayPage || bytes >= limits::kReplayBytes;
    if (full || rev == match.steps.size()) return page;
    table = after(table, match.steps[rev]);
  }
}

}  // namespace triquetra
