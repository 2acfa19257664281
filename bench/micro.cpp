// The parts of an act alone, without sockets: views, reading and writing frames, the room, the log,
// and SQLite's commits. Prints a table; times are CPU, but for the commits, which wait for a disk.
#include <sys/resource.h>
#include <unistd.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/json.hpp"
#include "protocol/wire.hpp"
#include "server/room/room.hpp"
#include "server/store/log_codec.hpp"
#include "server/store/sqlite_store.hpp"

namespace triquetra::bench {
namespace {

constexpr std::size_t kSeats = 4;
constexpr std::size_t kMiddle = 35;  // acts: about the middle of a match
constexpr double kBatchUs = 60'000;
constexpr std::size_t kBatches = 5;
constexpr std::uint64_t kSeedNumber = 60;

double cpu_us() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Microseconds of `part` once: the median of some batches.
template <class Part>
double measured(const Part& part) {
  std::array<double, kBatches> times{};
  for (double& time : times) {
    const double began = cpu_us();
    std::size_t count = 0;
    do {
      for (std::size_t i = 0; i < 16; ++i) part();
      count += 16;
    } while (cpu_us() - began < kBatchUs);
    time = (cpu_us() - began) / static_cast<double>(count);
  }
  std::sort(times.begin(), times.end());
  return times[kBatches / 2];
}

void print(const std::string& part, const std::string& of, double us) {
  std::printf("| %s | %s | %.2f |\n", part.c_str(), of.c_str(), us);
  std::fflush(stdout);
}

Seed seed() {
  Seed seed;
  seed.bytes.front() = kSeedNumber;
  return seed;
}

// Acts that look like chance and are the same each time.
std::size_t chosen(std::size_t act, std::size_t count) {
  return act * 2654435761U / 65536U % count;
}

// Who is asked first, beside windows; none once the match is over.
std::optional<Seat> first_asked(const Table& table) {
  for (const Decision& decision : table.decisions()) {
    if (!std::holds_alternative<Window>(decision.ask)) return asked(decision).list().front();
  }
  return std::nullopt;
}

TablePointer after(const TablePointer& start, std::size_t acts) {
  TablePointer table = start;
  for (std::size_t act = 0; act < acts; ++act) {
    const auto seat = first_asked(*table);
    if (!seat) break;
    const auto legal = table->legal(*seat, false);
    table = std::get<TablePointer>(table->act(*seat, legal[chosen(act, legal.size())].action.text));
  }
  return table;
}

void measure_table(const GameKind& game) {
  const std::string name(game.name);
  const TablePointer start = game.lay("{}", kSeats, seed());
  const TablePointer table = after(start, kMiddle);
  const auto seat = first_asked(*table);
  if (!seat) return;
  std::size_t bytes = 0;
  print("views: everybody's half", name,
        measured([&] { bytes += table->table_view().size() + table->happened().size(); }));
  print("views: the halves of four seats", name, measured([&] {
          for (std::uint8_t i = 0; i < kSeats; ++i) bytes += table->seat_view(Seat{i}).size();
        }));
  print("legal acts", name, measured([&] { bytes += table->legal(*seat, false).size(); }));
  print("legal acts with previews", name,
        measured([&] { bytes += table->legal(*seat, true).size(); }));
  const std::string action = table->legal(*seat, false).front().action.text;
  print("an act: read, checked, applied, verified", name,
        measured([&] { bytes += std::get<TablePointer>(table->act(*seat, action)) != nullptr; }));
  if (bytes == 0) std::puts("nothing was written");
}

// A room with a match halfway, and the act that comes next.
class Evening {
 public:
  Evening() {
    const auto frame = read(R"({"type":"create","id":"c","game":"triqueta","seats":4})");
    take(Room::create("BCDFGH", sender(0), std::get<Create>(frame), now_, rng_));
    for (std::size_t seat = 1; seat < kSeats; ++seat) {
      say(seat, R"({"type":"join","id":"j","room":"BCDFGH"})");
    }
    say(0, R"({"type":"start","id":"s","room":"BCDFGH"})");
    for (std::size_t act = 0; act < kMiddle; ++act) {
      const auto [seat, text] = next();
      say(seat, text);
    }
  }

  /// Who acts next, and the text of that.
  std::pair<std::size_t, std::string> next() const {
    const Json decision = views_.at(0).at("decisions").at(0);
    const auto seat = decision.at("seats").at(0).get<std::size_t>();
    const Json& legal = views_.at(seat).at("legal");
    const auto revision = views_.at(seat).at("rev").get<std::size_t>();
    return {seat, Json{{"type", "act"},
                       {"id", "a" + std::to_string(revision)},
                       {"room", "BCDFGH"},
                       {"match", views_.at(seat).at("match")},
                       {"decision", decision.at("id")},
                       {"action", legal.at(chosen(revision, legal.size())).at("action")}}
                      .dump()};
  }
  /// What the room makes of it; the room stays as it is.
  Outcome handled(std::size_t seat, const ClientFrame& frame) {
    return room_->handle(FromClient{sender(seat), frame}, now_, rng_);
  }
  static ClientFrame read(const std::string& text) {
    return decode<ClientFrame>(parse_json(text), Reading::strict);
  }
  const std::vector<Record>& log() const { return log_; }

 private:
  static Sender sender(std::size_t seat) {
    const std::string number = std::to_string(seat);
    return {seat + 1, "player " + number, "Name " + number};
  }
  void say(std::size_t seat, const std::string& text) { take(handled(seat, read(text))); }
  void take(const Outcome& outcome) {
    if (outcome.next) room_ = outcome.next;
    log_.insert(log_.end(), outcome.effects.records.begin(), outcome.effects.records.end());
    for (const Outgoing& frame : outcome.effects.frames) {
      if (!frame.is_view) continue;
      views_[frame.to - 1] =
          parse_json((frame.shared ? *frame.shared : "") + frame.own, kTrustedJson);
    }
  }

  TimePoint now_{std::chrono::hours(1)};
  Rng rng_{seed()};
  std::shared_ptr<const Room> room_;
  std::vector<Record> log_;
  std::map<std::size_t, Json> views_;
};

void measure_room() {
  Evening evening;
  const auto [asked, text] = evening.next();
  const std::string& act = text;
  std::size_t bytes = 0;
  print("the frame of an act: read", "triqueta",
        measured([&] { bytes += Evening::read(act).index(); }));
  const ClientFrame frame = Evening::read(act);
  print("the room: an act and its four views", "triqueta", measured([&, seat = asked] {
          for (const Outgoing& out : evening.handled(seat, frame).effects.frames) {
            bytes += out.own.size();
          }
        }));
  Ok ok;
  ok.re = "a35";
  ok.rev = 36;
  print("an answer: written", "ok", measured([&] { bytes += encoded(ok).size(); }));
  const Record record = evening.log().back();
  print("the log: a record written", "acted", measured([&] { bytes += log_text(record).size(); }));
  const std::string line = log_text(record);
  print("the log: a record read", "acted", measured([&] { bytes += read_log_text(line).index(); }));
  if (bytes == 0) std::puts("nothing was written");
}

// So many rooms append one record each at the same time; the time until all of them are kept.
void measure_commits(const Record& record, std::size_t together) {
  const auto folder = std::filesystem::current_path() / ("micro-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  {
    boost::asio::io_context thread;
    const auto stays = boost::asio::make_work_guard(thread);
    SqliteStore store((folder / "triquetra.sqlite").string());
    std::vector<std::uint64_t> lengths(together);
    const std::vector<Record> records{record};
    constexpr std::size_t kRounds = 60;
    std::vector<double> times;
    const double cpu_began = cpu_us();
    for (std::size_t round = 0; round < kRounds; ++round) {
      std::size_t waiting = together;
      const auto began = std::chrono::steady_clock::now();
      for (std::size_t room = 0; room < together; ++room) {
        const std::string code = "ROOM" + std::to_string(room);
        const std::uint64_t length = lengths[room]++;
        store.append({code, length, length, 1, records}, thread, [&](Kept) { --waiting; });
      }
      while (waiting > 0) thread.run_one();
      times.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began)
              .count());
    }
    std::sort(times.begin(), times.end());
    const std::string of = std::to_string(together) + (together == 1 ? " append" : " appends");
    print("SQLite: until all are kept, on this disk", of, times[kRounds / 2]);
    print("SQLite: CPU of one append", of,
          (cpu_us() - cpu_began) / static_cast<double>(kRounds * together));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace triquetra::bench

int main() {
  namespace bench = triquetra::bench;
  std::printf("| part | of | us |\n|---|---|---|\n");
  for (const triquetra::GameKind& game : triquetra::catalog()) bench::measure_table(game);
  bench::measure_room();
  const triquetra::Record record = bench::Evening().log().back();
  for (const std::size_t together : {1U, 16U, 256U}) bench::measure_commits(record, together);
}
