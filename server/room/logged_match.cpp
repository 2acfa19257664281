#include "server/room/logged_match.hpp"

#include <algorithm>
#include <utility>

#include "engine/ensure.hpp"
#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/room/state.hpp"

namespace triquetra {
namespace {

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

RecordedStep recorded_step(const Step& step) {
  RecordedStep one;
  if (const auto* acted = std::get_if<Acted>(&step)) {
    one.rev = acted->rev;
    one.at_ms = acted->at_ms;
    one.seat = acted->seat;
    one.action = Raw{acted->action};
    one.by = acted->by;
  } else {
    const auto& lapsed = std::get<Lapsed>(step);
    one.rev = lapsed.rev;
    one.at_ms = lapsed.at_ms;
    one.lapsed = lapsed.decision;
  }
  return one;
}

std::string record_of(const Match& match, const MatchOpened& opened, const Table& start,
                      const std::vector<Step>& steps) {
  MatchRecord record = *match.head;
  record.secret = opened.secret;
  record.deal.text = match.table->deal(start);
  for (const Step& step : steps) record.steps.push_back(recorded_step(step));
  record.result = recorded(match.table->result().value());
  return encoded(record);
}

std::optional<Step> step_of(const Record& record) {
  if (const auto* acted = std::get_if<Acted>(&record)) return *acted;
  if (const auto* lapsed = std::get_if<Lapsed>(&record)) return *lapsed;
  return std::nullopt;
}

}  // namespace

TablePointer after(const TablePointer& table, const Step& step) {
  if (const auto* lapsed = std::get_if<Lapsed>(&step)) return table->lapse(lapsed->decision);
  const auto& acted = std::get<Acted>(step);
  auto next = table->act(acted.seat, acted.action);
  ensure(std::holds_alternative<TablePointer>(next), "an act of the log that the rules forbid");
  return std::get<TablePointer>(std::move(next));
}

std::shared_ptr<const LoggedMatch> logged_match(const std::vector<Record>& log,
                                                const std::string& match,
                                                const RoomPolicy& policy) {
  RoomState room;
  room.terms.edit().policy = policy;
  LoggedMatch logged;
  logged.match = match;
  FinishedMatch finished;
  TablePointer start;
  for (const Record& record : log) {
    auto step = step_of(record);
    if (!step) {
      adopt_record(room, record, {});
      continue;
    }
    // What others have played decides nothing here.
    if (room.opened->match != match) continue;
    const TablePointer table = room.match()->table;
    if (!start) start = table;
    if (finished.steps.size() % limits::kReplayStride == 0) finished.marks.push_back(table);
    finished.steps.push_back(*std::move(step));
    const TablePointer next = after(table, finished.steps.back());
    logged.happened.push_back(next->happened());
    room.edit<Playing>().match.table = next;
    if (!next->result()) continue;
    finished.seat_count = room.seats->size();
    finished.record = record_of(*room.match(), *room.opened, *start, finished.steps);
    logged.finished = std::move(finished);
    break;
  }
  if (logged.happened.empty()) return nullptr;
  return std::make_shared<const LoggedMatch>(std::move(logged));
}

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
