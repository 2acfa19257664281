#include "clients/cli/commands/network_arena.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <iostream>
#include <variant>

#include "clients/cli/commands/robots.hpp"
#include "protocol/fairness.hpp"
#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"
#include "tools/process.hpp"

namespace triquetra::cli {

namespace {

// A bot that is slower is played for by the server, so that no match hangs on it.
constexpr int kClockSeconds = 30;
constexpr std::chrono::seconds kArrivalTime{30};
constexpr std::chrono::milliseconds kFarewellPause{20};
constexpr int kFarewellTries = 250;  // five seconds

std::string in_quotes(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::size_t NetworkArena::host_bot(const std::vector<std::string>& bots) {
  std::size_t at = 0;
  while (at < bots.size() && !enumerator_of<BotLevel>(bots[at])) ++at;
  return at;
}

NetworkArena::NetworkArena(boost::asio::io_context& io, const SessionOptions& options,
                           const Catalogue& catalogue, ArenaPlan plan, std::string program)
    : Robot(io, options, Entry{}, catalogue,
            *enumerator_of<BotLevel>(plan.bots.at(host_bot(plan.bots)))),
      plan_(std::move(plan)),
      program_(std::move(program)),
      host_(host_bot(plan_.bots)),
      report_(empty_report(plan_.game, plan_.options, plan_.seed, plan_.bots)),
      rng_(Seed{sha256("triquetra network arena " + std::to_string(plan_.seed))}),
      arrival_timer_(io),
      farewell_timer_(io) {}

NetworkArena::~NetworkArena() {
  for (const auto& [child, bot] : children_) end_process(child);
}

void NetworkArena::on_welcome(const Welcome&) { make_room(); }

void NetworkArena::make_room() {
  // The maker of a room sits at seat 0; the other bots change places from match to match.
  std::vector<std::int64_t> others;
  for (std::size_t bot = 0; bot < plan_.bots.size(); ++bot) {
    if (bot != host_) others.push_back(static_cast<std::int64_t>(bot));
  }
  if (!others.empty()) {
    const std::size_t turn = report_.matches.size() % others.size();
    std::rotate(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(turn), others.end());
  }
  bots_ = {static_cast<std::int64_t>(host_)};
  bots_.insert(bots_.end(), others.begin(), others.end());
  called_ = 1;
  has_asked_start_ = has_asked_record_ = false;
  Create create;
  create.game = Text<32>(plan_.game);
  create.options = Raw{plan_.options};
  create.seats = static_cast<int>(bots_.size());
  create.clock = kClockSeconds;
  create.entropy_hash = promise();
  session_.ask(create);
}

void NetworkArena::on_ok(const ClientFrame& request, const Ok& ok) {
  Visitor::on_ok(request, ok);
  if (std::holds_alternative<Create>(request)) is_at_table_ = true;
  if (std::holds_alternative<GetRecord>(request) && ok.record) match_is_over(*ok.record);
}

void NetworkArena::on_room(const RoomFrame& room) {
  // The last table may still say who goes, when the next one is asked for.
  if (!is_at_table_ || room.room != this->room().str()) return;
  Visitor::on_room(room);
  // A start that was called off is asked for again.
  if (room.called_off && room.match != match_) has_asked_start_ = false;
  match_ = room.match;
  if (room.status == RoomStatus::open) seat_next(room);
  if (room.status == RoomStatus::over && !has_asked_record_) {
    has_asked_record_ = true;
    GetRecord record;
    record.room = this->room();
    record.match = MatchId(room.match);
    session_.ask(record);
  }
}

/// Calls one bot after the other, so that each finds its own seat; then starts.
void NetworkArena::seat_next(const RoomFrame& room) {
  const auto taken = static_cast<std::size_t>(
      std::count_if(room.seats.begin(), room.seats.end(),
                    [](const SeatShown& seat) { return seat.kind != SeatKind::empty; }));
  if (taken < called_ || has_asked_start_) return;
  if (called_ == bots_.size()) {
    has_asked_start_ = true;
    arrival_timer_.cancel();
    Start start;
    start.room = this->room();
    return session_.ask(start);
  }
  const std::string& bot = plan_.bots.at(static_cast<std::size_t>(bots_[called_]));
  std::string command = bot;
  if (enumerator_of<BotLevel>(bot)) {
    command = in_quotes(program_) + " bot --once --level " + bot + " --profile arena-" +
              std::to_string(called_);
  }
  const pid_t child = start_process(command, {room.room, "--server", server()});
  if (child == 0) return give_up("it cannot be started: " + bot);
  children_.emplace_back(child, bot);
  ++called_;
  await_arrival();
}

void NetworkArena::await_arrival() {
  arrival_timer_.expires_after(kArrivalTime);
  arrival_timer_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) give_up("it did not take its seat: " + children_.back().second);
  });
}

// Who is not connected does not see who arrives.
void NetworkArena::on_lost(std::chrono::milliseconds delay) {
  Robot::on_lost(delay);
  arrival_timer_.cancel();
}

void NetworkArena::on_back() {
  Robot::on_back();
  if (called_ > 1 && !has_asked_start_) await_arrival();
}

void NetworkArena::on_view(const View& view) {
  if (view.room != room().str()) return;
  act(view);
}

void NetworkArena::on_error(const ClientFrame* request, const Error& error) {
  Robot::on_error(request, error);
  // Nobody else makes the room, starts the match or asks how it ended.
  const bool is_the_end = request != nullptr && (std::holds_alternative<Create>(*request) ||
                                                 std::holds_alternative<Start>(*request) ||
                                                 std::holds_alternative<GetRecord>(*request));
  if (is_the_end) session_.finish(Exit::refused);
}

void NetworkArena::match_is_over(const Raw& text) {
  const auto record = decode<MatchRecord>(parse_json(text.text, kTrustedJson), Reading::lenient);
  MatchPlayed match;
  match.bots = bots_;
  match.winners = record.result.winners;
  match.scores = record.result.scores;
  match.acts = static_cast<std::int64_t>(record.steps.size());
  for (const RecordedStep& step : record.steps) {
    if (step.by != ActedBy::clock || !step.seat) continue;
    const std::string& bot = plan_.bots.at(static_cast<std::size_t>(bots_.at(step.seat->index())));
    std::cerr << "too slow, so the clock acted in revision " << step.rev << ": " << bot << "\n";
  }
  add_match(report_, std::move(match));
  is_at_table_ = false;
  Leave leave;
  leave.room = room();
  session_.ask(leave);
  see_children_off(kFarewellTries);
}

/// Waits until this match's bots have gone by themselves, and helps those that stay.
void NetworkArena::see_children_off(int tries) {
  std::erase_if(children_, [&](const auto& entry) {
    const auto& [child, bot] = entry;
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) != child) {
      if (tries == 0) end_process(child);
      return tries == 0;
    }
    if (status != 0) std::cerr << "it ended with an error: " << bot << "\n";
    return true;
  });
  if (!children_.empty()) {
    farewell_timer_.expires_after(kFarewellPause);
    farewell_timer_.async_wait([this, tries](boost::system::error_code cancelled) {
      if (!cancelled) see_children_off(tries - 1);
    });
    return;
  }
  if (static_cast<std::int64_t>(report_.matches.size()) < plan_.games) return make_room();
  print_report(report_, plan_.as_json);
  session_.finish(Exit::ok);
}

void NetworkArena::give_up(const std::string& why) {
  tell("triquetra arena: " + why);
  session_.finish(Exit::unexpected);
}

}  // namespace triquetra::cli
