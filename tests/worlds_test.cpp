// Whole matches in two worlds. World A is a finished random match; world B has the same acts and a
// deal in which only faces are exchanged that one viewer has not been shown by step k. Both go
// through the real room and codec, and up to k every frame to that viewer must be the same bytes:
// content, order, count, size, codes, deadlines; also for who comes in the middle, comes back,
// reads the history, looks at the lobby, and is refused; and so must be the server's log lines.
// Every k of a match has such a world: it begins near the match's end and is compared up to there,
// and on the way to the start, where less has been shown, it moves away from A at every k of a
// short match and at every fifth or a twelfth of a longer one, counted from a step that chance
// picks. What a clock would tell is compared as counted work: how many instructions the room takes
// for some of the steps. In most of them a bot that looks ahead sits at the table, and finds out
// what the match needs, in time or late.
//
// TRIQUETRA_WORLDS=N plays N matches per variant and number of seats instead of a few.
#include <doctest/doctest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/games/card_triangles/rules.hpp"
#include "protocol/catalog.hpp"
#include "protocol/wire.hpp"
#include "server/room/room.hpp"
#include "tests/instructions.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

using tests::seed_number;

/// Part of the room's work for a step that may depend on what is hidden: words of other lengths,
/// and places in memory. A clock sees less than a few microseconds of it.
constexpr double kMostUnlike = 0.08;
/// And for each byte more that somebody else hears who may know, an act to choose among as a rule:
/// 22 to 30 were counted. docs/SECURITY.md says what that comes to.
constexpr double kForEachByte = 50;
/// One step of so many is counted, as chance wills: to count it takes ten thousand times as long.
constexpr std::uint32_t kCountedSteps = 8000;

struct Played {
  std::optional<Seat> seat;  // none: the lapse of the decision
  DecisionId decision;
  std::string action;
};

/// A table after every step.
struct Course {
  std::vector<TablePointer> tables;
  std::vector<Played> steps;
};

Course random_match(const GameKind& game, const std::string& options, std::size_t seats, Rng& rng) {
  Course course;
  Seed seed;
  for (auto& byte : seed.bytes) byte = static_cast<std::uint8_t>(rng.below(256));
  course.tables.push_back(game.lay(options, seats, seed));
  while (!course.tables.back()->result()) {
    const TablePointer table = course.tables.back();
    const Decision decision = rng.pick(table->decisions());
    if (std::holds_alternative<Window>(decision.ask) && rng.below(3) == 0) {
      course.steps.push_back({std::nullopt, decision.id, ""});
      course.tables.push_back(table->lapse(decision.id));
      continue;
    }
    const Seat seat = rng.pick(asked(decision).list());
    const std::string action = rng.pick(table->legal(seat, false)).action.text;
    course.steps.push_back({seat, decision.id, action});
    course.tables.push_back(std::get<TablePointer>(table->act(seat, action)));
    REQUIRE(course.steps.size() < limits::kMatchRevisions);
  }
  return course;
}

/// The table after the same step in another world; none if the rules do not allow it there.
std::optional<TablePointer> after(const TablePointer& table, const Played& step) {
  const auto decisions = table->decisions();
  if (!step.seat) {
    const bool stands = std::any_of(decisions.begin(), decisions.end(),
                                    [&](const Decision& d) { return d.id == step.decision; });
    return stands ? std::optional(table->lapse(step.decision)) : std::nullopt;
  }
  const auto open = decision_for(decisions, *step.seat);
  if (!open || open->id != step.decision) return std::nullopt;
  try {
    auto next = table->act(*step.seat, step.action);
    if (std::holds_alternative<Fault>(next)) return std::nullopt;
    return std::get<TablePointer>(std::move(next));
  } catch (const Bug&) {
    return std::nullopt;  // a written reshuffle that does not fit this world
  }
}

/// World A as one viewer may know it: its tables with everything else imagined.
struct Known {
  Viewer viewer;
  std::vector<TablePointer> tables;
};

TablePointer known_of(const Table& table, Viewer viewer) {
  Rng rng(seed_number(1));
  return table.imagined(viewer, rng);
}

Known known_of(const Course& course, Viewer viewer) {
  Known known{viewer, {}};
  for (const TablePointer& table : course.tables) {
    known.tables.push_back(known_of(*table, viewer));
  }
  return known;
}

/// Whether the first `count` steps can be played from `table` too, and the viewer cannot tell the
/// worlds apart by what the states say that it has been shown.
bool is_alike(TablePointer table, const Known& known, const std::vector<Played>& steps,
              std::size_t count) {
  for (std::size_t i = 0;; ++i) {
    if (!known.tables[i]->equals(*known_of(*table, known.viewer))) return false;
    if (i == count) return true;
    auto next = after(table, steps[i]);
    if (!next) return false;
    table = std::move(*next);
  }
}

// --- exchanging faces in a written deal, whatever its shape

/// The places in the deal that hold one face: elements of lists that are no lists themselves.
void collect_places(const Json& json, const Json::json_pointer& at,
                    std::vector<Json::json_pointer>& places) {
  for (const auto& item : json.items()) {
    const Json::json_pointer here = json.is_array() ? at / std::stoul(item.key()) : at / item.key();
    if (item.value().is_array() || (!json.is_array() && item.value().is_object())) {
      collect_places(item.value(), here, places);
    } else if (json.is_array()) {
      places.push_back(here);
    }
  }
}

std::optional<TablePointer> laid(const GameKind& game, const std::string& options,
                                 std::size_t seats, const Json& deal) {
  try {
    return game.lay_dealt(options, seats, deal.dump());
  } catch (const Bug&) {
    return std::nullopt;  // a deal that cannot be
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

/// World B: makes `other` differ more from A's deal, with everything the same for the viewer up to
/// `until`, as it has to be for `other` already. Whether anything was exchanged.
bool exchange_faces(const GameKind& game, const std::string& options, std::size_t seats,
                    const Course& a, const Known& known, Json& other, std::size_t until, int tries,
                    Rng& rng) {
  std::vector<Json::json_pointer> places;
  collect_places(other, Json::json_pointer(), places);
  bool changed = false;
  for (; tries > 0; --tries) {
    const auto& one = rng.pick(places);
    const auto& two = rng.pick(places);
    if (other.at(one) == other.at(two)) continue;
    Json candidate = other;
    std::swap(candidate.at(one), candidate.at(two));
    const auto start = laid(game, options, seats, candidate);
    if (!start) continue;
    if (!is_alike(*start, known, a.steps, until)) continue;
    other = std::move(candidate);
    changed = true;
  }
  return changed;
}

// --- the same evening in two rooms

std::string act_members(const Played& step) {
  return R"("type":"act","decision":)" + std::to_string(step.decision.value) + R"(,"action":)" +
         step.action;
}

/// What this program has logged since the last call, at every level.
std::string logged() {
  static std::ostringstream text;
  static const bool is_listening = [] {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("", std::move(sink)));
    spdlog::set_level(spdlog::level::trace);
    spdlog::set_pattern("%l %v");
    return true;
  }();
  static_cast<void>(is_listening);
  std::string lines = text.str();
  text.str("");
  return lines;
}

/// What the room did for one message: instructions, and the bytes that it wrote down for all of
/// them who hear of it.
struct Work {
  std::uint64_t instructions = 0;
  std::size_t bytes = 0;
};

std::size_t sent_by(const Outcome& outcome) {
  std::size_t bytes = 0;
  for (const Outgoing& frame : outcome.effects.frames) bytes += frame.size();
  return bytes;
}

/// A bot that looks ahead, and its seat.
struct SeatedLevel {
  std::size_t seat = 0;
  BotLevel level{};
};

/// A room with people at every seat, or one bot among them, a spectator, and somebody who comes
/// late; on a clock of its own.
class Theatre {
 public:
  Theatre(const GameKind& game, const std::string& options, std::size_t seats,
          const std::string& deal, std::optional<SeatedLevel> bot = {})
      : bot_(bot) {
    policy_.written_deal = deal;
    // The script says when bots act, also beside a window, and that outlasts their thoughts.
    policy_.bot_window_delay = std::chrono::milliseconds(1000);
    Create create;
    create.id = "c";
    create.game = std::string(game.name);
    create.options = Raw{options};
    create.seats = static_cast<int>(seats);
    create.visibility = Visibility::listed;
    create.clock = 3600;
    apply(Room::create("BCDFGH", sender(0), create, now_, rng_, policy_));
    for (std::size_t seat = 1; seat < seats; ++seat) {
      if (bot_ && bot_->seat == seat) {
        say(0, R"("type":"add_bot","level":")" + std::string(word_of(bot_->level)) + "\"");
      } else {
        say(seat, R"("type":"join")");
      }
    }
    say(kSpectator, R"("type":"watch")");
    say(0, R"("type":"start")");
    REQUIRE(room_->status() == RoomStatus::playing);
  }

  static constexpr ConnectionId kSpectator = 50;
  static constexpr ConnectionId kLate = 60;

  void say(ConnectionId who, const std::string& members) {
    const std::string text =
        "{" + members + R"(,"id":"x)" + std::to_string(++ids_) + R"(","room":"BCDFGH"})";
    take(FromClient{sender(who), decode<ClientFrame>(parse_json(text), Reading::strict)});
  }
  void leave(ConnectionId who) { take(Disconnected{who}); }
  /// A step of the script. A window lapses when its time is over.
  void play(const Played& step) {
    now_ += std::chrono::milliseconds(10);
    const auto question = question_about(step);
    if (question) return think_and_play(*question, step.action);
    if (step.seat) {
      say(step.seat->index(), act_members(step));
      return;
    }
    wait_for_step();
  }
  /// What play() then takes is counted.
  void count_next() { is_counted_ = true; }
  /// What was counted; nothing if nothing was.
  Work worked() { return std::exchange(work_, {}); }
  std::int64_t revision() const { return revision_; }
  const std::string& match() const { return match_; }
  /// All that this connection was sent since the last call, and when it will be looked at again.
  std::string heard(ConnectionId who) { return std::exchange(streams_[who], {}); }

 private:
  /// What the bot thinks about, if this step is its own: an act, or a window that it lets lapse.
  std::optional<Question> question_about(const Played& step) const {
    for (const Question& question : room_->questions()) {
      if (question.decision == step.decision && (!step.seat || question.seat == *step.seat)) {
        return question;
      }
    }
    return std::nullopt;
  }
  /// The bot finds this out, before its pause is over or after, and the room's clock goes on until
  /// it has come to that.
  void think_and_play(const Question& question, const std::string& action) {
    const bool is_counted = std::exchange(is_counted_, false);
    const std::int64_t before = revision_;
    if (before % 3 == 0) tick();
    is_counted_ = is_counted && before % 3 == 0;
    take(BotThought{question, action.empty() ? std::nullopt : std::optional(action)});
    is_counted_ = is_counted && before % 3 != 0;
    if (revision_ == before) wait_for_step();
  }
  /// The room's clock goes on to its next alarm.
  void tick() {
    now_ = alarm_.value();
    take(Tick{});
  }
  /// Until it makes a step by itself: an alarm may be that of a bot which is to think on.
  void wait_for_step() {
    const std::int64_t before = revision_;
    for (int i = 0; i < 3 && revision_ == before; ++i) tick();
  }

  static Sender sender(ConnectionId who) {
    return {who, "player " + std::to_string(who), "Name" + std::to_string(who)};
  }
  template <class Message>
  void take(const Message& message) {
    Outcome outcome;
    const auto handle = [&] { outcome = room_->handle(message, now_, rng_); };
    if (std::exchange(is_counted_, false)) {
      work_ = Work{tests::instructions_of(handle).value_or(0), sent_by(outcome)};
    } else {
      handle();
    }
    apply(std::move(outcome));
  }
  void apply(Outcome outcome) {
    if (!outcome.next) return;
    room_ = std::move(outcome.next);
    alarm_ = outcome.effects.alarm;
    for (const Record& record : outcome.effects.records) {
      if (std::holds_alternative<Acted>(record) || std::holds_alternative<Lapsed>(record)) {
        ++revision_;
      }
      if (const auto* opened = std::get_if<MatchOpened>(&record)) match_ = opened->match;
    }
    for (const Outgoing& frame : outcome.effects.frames) {
      streams_[frame.to] += (frame.shared ? *frame.shared : "") + frame.own + "\n";
    }
    // What everybody can notice: how long it takes until the room moves by itself, the lobby, and,
    // if somebody shows it around, the server's log.
    const std::string seen = (alarm_ ? std::to_string((*alarm_ - now_).count()) : "no alarm") +
                             " " + encoded(room_->listing().value()) + "\n" + logged();
    for (auto& entry : streams_) entry.second += seen;
  }

  RoomPolicy policy_;
  std::optional<SeatedLevel> bot_;
  TimePoint now_{};
  Rng rng_{Seed{}};
  std::shared_ptr<const Room> room_;
  std::optional<TimePoint> alarm_;
  std::string match_;
  std::int64_t revision_ = 0;
  int ids_ = 0;
  bool is_counted_ = false;
  Work work_;
  std::map<ConnectionId, std::string> streams_;
};

/// An act that the rules forbid this seat here, taken from somewhere else in the match.
std::optional<Played> forbidden(const Course& course, const Table& table, Seat seat, Rng& rng) {
  const Played& other = rng.pick(course.steps);
  if (!other.seat || !std::holds_alternative<Fault>(table.act(seat, other.action)))
    return std::nullopt;
  const auto open = decision_for(table.decisions(), seat);
  return Played{seat, open ? open->id : other.decision, other.action};
}

/// Something that a client does beside the script, the same in both worlds.
void digress(const std::vector<Theatre*>& both, ConnectionId who, const Course& course,
             const Table& table, Rng& rng) {
  const bool seated = who < Theatre::kSpectator;
  const std::uint32_t what = rng.below(10);
  const auto wrong = seated && what == 3 ? forbidden(course, table, Seat{who}, rng) : std::nullopt;
  for (Theatre* theatre : both) {
    if (what == 0) {
      theatre->leave(who);
      theatre->say(who, seated ? R"("type":"join")" : R"("type":"watch")");
    } else if (what == 1) {
      theatre->say(Theatre::kLate, R"("type":"watch")");
    } else if (what == 2) {
      theatre->say(who, R"("type":"history","after":0,"match":")" + theatre->match() + "\"");
      theatre->say(who, R"("type":"record","match":")" + theatre->match() + "\"");
      theatre->say(who, R"("type":"replay","from":0,"match":")" + theatre->match() + "\"");
    } else if (wrong) {
      theatre->say(who, act_members(*wrong));
    }
  }
}

/// One of the seats is a bot's that looks ahead, as chance wills. It is the script that tells what
/// it finds out: the room must not show what it thinks about, nor how long. The other levels act by
/// what they hold, which is another thing in another world.
std::optional<SeatedLevel> bot_beside(ConnectionId who, std::size_t seats, Rng& rng) {
  const std::size_t seat = 1 + rng.below(static_cast<std::uint32_t>(seats - 1));
  if (seat == who || rng.below(3) == 0) return std::nullopt;
  return SeatedLevel{seat, rng.below(2) == 0 ? BotLevel::hard : BotLevel::expert};
}

bool is_seen_by_a_clock(const Work& work, const Work& other) {
  const auto apart = [](auto one, auto two) {
    return std::abs(static_cast<double>(one) - static_cast<double>(two));
  };
  return apart(work.instructions, other.instructions) >
         kMostUnlike * static_cast<double>(work.instructions) +
             kForEachByte * apart(work.bytes, other.bytes);
}

/// What `who` could notice: both worlds side by side, step by step, up to `until`.
std::optional<std::string> differ(const GameKind& game, const std::string& options,
                                  std::size_t seats, const Json& deal, const Json& other,
                                  const Course& course, ConnectionId who, std::size_t until,
                                  Rng& rng) {
  const auto bot = bot_beside(who, seats, rng);
  Theatre a(game, options, seats, deal.dump(), bot);
  Theatre b(game, options, seats, other.dump(), bot);
  for (std::size_t i = 0; i < until; ++i) {
    if (rng.below(kCountedSteps) == 0) {
      a.count_next();
      b.count_next();
    }
    a.play(course.steps[i]);
    b.play(course.steps[i]);
    const Work work = a.worked();
    const Work there = b.worked();
    if (is_seen_by_a_clock(work, there)) {
      return "a clock tells the worlds apart at step " + std::to_string(i + 1) + ": " +
             std::to_string(work.instructions) + " and " + std::to_string(there.instructions) +
             " instructions for " + std::to_string(work.bytes) + " and " +
             std::to_string(there.bytes) + " bytes";
    }
    REQUIRE(a.revision() == static_cast<std::int64_t>(i) + 1);
    REQUIRE(b.revision() == a.revision());
    digress({&a, &b}, who, course, *course.tables[i + 1], rng);
    if (a.heard(who) != b.heard(who) || a.heard(Theatre::kLate) != b.heard(Theatre::kLate)) {
      return "the worlds sound different at step " + std::to_string(i + 1);
    }
  }
  return std::nullopt;
}

/// How many steps k lie between two at which further faces are exchanged, in a match of this
/// length.
std::uint32_t apart(std::uint32_t steps) { return steps <= 20 ? 1 : std::max(5U, steps / 12); }

std::uint32_t matches_each() {
  const char* many = std::getenv("TRIQUETRA_WORLDS");
  return many != nullptr ? static_cast<std::uint32_t>(std::stoul(many)) : 1;
}

/// Calls f(game, options, seats) for all that can be played.
template <class F>
void for_all_tables(const F& f) {
  for (const GameKind& game : catalog()) {
    for (const std::string& options : game.variants()) {
      for (std::size_t seats = game.min_seats; seats <= game.max_seats; ++seats) {
        if (!game.check(options, seats)) f(game, options, seats);
      }
    }
  }
}

TEST_CASE("worlds that somebody cannot tell apart sound the same to it, for whole matches") {
  std::size_t worlds = 0;
  std::size_t steps = 0;
  const std::uint32_t first = tests::take_seed();
  for_all_tables([&](const GameKind& game, const std::string& options, std::size_t seats) {
    CAPTURE(game.name);
    CAPTURE(options);
    CAPTURE(seats);
    std::size_t here = 0;
    for (std::uint32_t number = 0; number < matches_each() || here == 0; ++number) {
      REQUIRE(number < matches_each() + 20);
      CAPTURE(number);
      Rng rng(seed_number(first + number, static_cast<std::uint8_t>(seats)));
      const Course course = random_match(game, options, seats, rng);
      const Json deal =
          parse_json(course.tables.back()->deal(*course.tables.front()), kTrustedJson);
      const Seat own{rng.below(static_cast<std::uint32_t>(seats))};
      for (const Viewer viewer : {Viewer{Spectator{}}, Viewer{own}}) {
        const bool watches = std::holds_alternative<Spectator>(viewer);
        const ConnectionId who = watches ? Theatre::kSpectator : own.index();
        const Known known = known_of(course, viewer);
        // From the end, where little is hidden, to the start. What is alike up to one step is so
        // up to those before it, and was compared there: so a world B stands for every k.
        Json other = deal;
        const auto last = static_cast<std::uint32_t>(course.steps.size() - 1);
        const std::uint32_t stride = apart(last + 1);
        for (std::uint32_t k = last - std::min(last, rng.below(stride));; k -= stride) {
          const int tries = other == deal ? 24 : 2;
          if (exchange_faces(game, options, seats, course, known, other, k, tries, rng)) {
            const auto told = differ(game, options, seats, deal, other, course, who, k, rng);
            CHECK_MESSAGE(!told, told.value_or(""));
            ++here;
            ++worlds;
            steps += k;
          }
          if (k < stride) break;
        }
      }
    }
  });
  MESSAGE(worlds << " pairs of worlds, " << steps << " steps");
}

TEST_CASE("whether a call is true is seen with little work, whatever is held") {
  // All random, and what a search through all ways to play would be lost in: many cards of few
  // kinds, and a joker that no triangle fits.
  Rng rng(seed_number(tests::take_seed()));
  for (int i = 0; i < 3; ++i) {
    auto pile = triangles::all_pieces();
    rng.shuffle(pile);
    const auto is_rest = [](const auto& piece) { return piece.cut == triangles::Cut::horizontal; };
    if (i % 2 == 0) std::partition(pile.begin(), pile.end(), is_rest);
    std::vector<card_triangles::Card> hand;
    for (std::size_t card = 0; card < 20; ++card) {
      hand.push_back({pile[card].cut, pile[card].number, pile[card].color});
    }
    hand.push_back({triangles::Cut::centered, std::nullopt, triangles::Color::red});
    const auto work = tests::instructions_of(
        [&] { static_cast<void>(card_triangles::can_finish(hand, {}, true)); });
    CHECK(work.value_or(0) < 3'000'000);
  }
}

TEST_CASE("work is counted: the same work is the same, and more is more") {
  const auto of = [](int times) {
    return tests::instructions_of([times] {
      volatile int sum = 0;
      for (int i = 0; i < times; ++i) sum = sum + i;
    });
  };
  const auto few = of(100);
  if (!few) return;
  CHECK(of(100) == few);
  CHECK(*of(200) > *few + 200);
}

TEST_CASE("what is logged is compared too") {
  logged();
  spdlog::debug("a bear");
  CHECK(logged() == "debug a bear\n");
  CHECK(logged().empty());
}

TEST_CASE("a canary: what one seat is told betrays worlds that a spectator cannot tell apart") {
  const GameKind& game = *find_game("triqueta");
  const std::string options = game.variants().front();
  Rng rng(seed_number(tests::take_seed(7)));
  bool seen = false;
  for (int tries = 0; tries < 20 && !seen; ++tries) {
    const Course course = random_match(game, options, 3, rng);
    const Json deal = parse_json(course.tables.back()->deal(*course.tables.front()), kTrustedJson);
    const std::size_t until = course.steps.size() - 2;
    const Known known = known_of(course, Spectator{});
    Json other = deal;
    if (!exchange_faces(game, options, 3, course, known, other, until, 24, rng)) continue;
    for (ConnectionId seat = 0; seat < 3; ++seat) {
      seen |= differ(game, options, 3, deal, other, course, seat, until, rng).has_value();
    }
  }
  CHECK(seen);
}

}  // namespace
}  // namespace triquetra
