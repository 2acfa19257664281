// Whole matches in two worlds. World A is a finished random match; world B has the same acts and a
// deal in which only faces are exchanged that one viewer has not been shown by step k. Both go
// through the real room and codec, and up to k every frame to that viewer must be the same bytes:
// content, order, count, size, codes, deadlines; also for who comes in the middle, comes back,
// reads the history, looks at the lobby, and is refused.
//
// TRIQUETRA_WORLDS=N plays N matches per variant and number of seats instead of a few.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "server/room.hpp"

namespace triquetra {
namespace {

Seed seed_number(std::uint32_t number) {
  Seed seed;
  for (std::size_t i = 0; i < 4; ++i) seed.bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
  return seed;
}

struct Step {
  std::optional<Seat> seat;  // none: the lapse of the decision
  DecisionId decision;
  std::string action;
};

/// A table after every step.
struct Course {
  std::vector<TablePointer> tables;
  std::vector<Step> steps;
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

/// The same acts on another deal, as long as the rules allow them there.
Course replayed(const TablePointer& start, const std::vector<Step>& steps) {
  Course course;
  course.tables.push_back(start);
  for (const Step& step : steps) {
    const TablePointer table = course.tables.back();
    const auto open = decision_for(table->decisions(), step.seat.value_or(Seat{0}));
    if (!step.seat) {
      const auto decisions = table->decisions();
      const bool stands = std::any_of(decisions.begin(), decisions.end(),
                                      [&](const Decision& d) { return d.id == step.decision; });
      if (!stands) break;
      course.tables.push_back(table->lapse(step.decision));
    } else {
      if (!open || open->id != step.decision) break;
      try {
        auto next = table->act(*step.seat, step.action);
        if (std::holds_alternative<Fault>(next)) break;
        course.tables.push_back(std::get<TablePointer>(std::move(next)));
      } catch (const Bug&) {
        break;  // a written reshuffle that does not fit this world
      }
    }
    course.steps.push_back(step);
  }
  return course;
}

/// How many steps the viewer cannot tell the worlds apart, by what the states say that it has been
/// shown; 0 if not even the start.
std::size_t alike_until(const Course& a, const Course& b, Viewer viewer) {
  const std::size_t most = std::min(a.tables.size(), b.tables.size());
  for (std::size_t i = 0; i < most; ++i) {
    Rng one(seed_number(1));
    Rng two(seed_number(1));
    const TablePointer left = a.tables[i]->scrambled(viewer, one);
    if (!left->equals(*b.tables[i]->scrambled(viewer, two))) return i;
  }
  return most;
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

/// World B: a deal as far from A's as can be had, with everything the same for the viewer up to
/// `until`. None if nothing could be exchanged.
std::optional<Json> other_deal(const GameKind& game, const std::string& options, std::size_t seats,
                               const Course& a, const Json& deal, Viewer viewer, std::size_t until,
                               Rng& rng) {
  std::vector<Json::json_pointer> places;
  collect_places(deal, Json::json_pointer(), places);
  Json other = deal;
  bool changed = false;
  for (int tries = 0; tries < 24; ++tries) {
    const auto& one = rng.pick(places);
    const auto& two = rng.pick(places);
    if (other.at(one) == other.at(two)) continue;
    Json candidate = other;
    std::swap(candidate.at(one), candidate.at(two));
    const auto start = laid(game, options, seats, candidate);
    if (!start) continue;
    const Course b = replayed(*start, a.steps);
    if (alike_until(a, b, viewer) <= until) continue;
    other = std::move(candidate);
    changed = true;
  }
  return changed ? std::optional(other) : std::nullopt;
}

// --- the same evening in two rooms

std::string act_members(const Step& step) {
  return R"("type":"act","decision":)" + std::to_string(step.decision.value) + R"(,"action":)" +
         step.action;
}

/// A room with people at every seat, a spectator, and somebody who comes late; on a clock of its
/// own.
class Theatre {
 public:
  Theatre(const GameKind& game, const std::string& options, std::size_t seats,
          const std::string& deal) {
    policy_.written_deal = deal;
    Create create;
    create.id = "c";
    create.game = std::string(game.name);
    create.options = Raw{options};
    create.seats = static_cast<int>(seats);
    create.visibility = Visibility::listed;
    create.clock = 3600;
    apply(Room::create("BCDFGH", sender(0), create, now_, rng_, policy_));
    for (std::size_t seat = 1; seat < seats; ++seat) say(seat, R"("type":"join")");
    say(kSpectator, R"("type":"watch")");
    say(0, R"("type":"start")");
    REQUIRE(room_->status() == RoomStatus::playing);
  }

  static constexpr ConnectionId kSpectator = 50;
  static constexpr ConnectionId kLate = 60;

  void say(ConnectionId who, const std::string& members) {
    const std::string text =
        "{" + members + R"(,"id":"x)" + std::to_string(++ids_) + R"(","room":"BCDFGH"})";
    apply(room_->handle(
        FromClient{sender(who), decode<ClientFrame>(parse_json(text), Reading::strict)}, now_,
        rng_));
  }
  void leave(ConnectionId who) { apply(room_->handle(Disconnected{who}, now_, rng_)); }
  /// A step of the script. A window lapses when its time is over.
  void play(const Step& step) {
    now_ += std::chrono::milliseconds(10);
    if (step.seat) {
      say(step.seat->index(), act_members(step));
      return;
    }
    now_ = alarm_.value();
    apply(room_->handle(Tick{}, now_, rng_));
  }
  std::int64_t revision() const { return revision_; }
  const std::string& match() const { return match_; }
  /// All that this connection was sent, and when it will be looked at again.
  const std::string& stream(ConnectionId who) { return streams_[who]; }

 private:
  static Sender sender(ConnectionId who) {
    return {who, "player " + std::to_string(who), "Name" + std::to_string(who)};
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
    // What everybody can notice: how long it takes until the room moves by itself, and the lobby.
    const std::string seen = (alarm_ ? std::to_string((*alarm_ - now_).count()) : "no alarm") +
                             " " + encoded(room_->listing().value()) + "\n";
    for (auto& entry : streams_) entry.second += seen;
  }

  RoomPolicy policy_;
  TimePoint now_{};
  Rng rng_{Seed{}};
  std::shared_ptr<const Room> room_;
  std::optional<TimePoint> alarm_;
  std::string match_;
  std::int64_t revision_ = 0;
  int ids_ = 0;
  std::map<ConnectionId, std::string> streams_;
};

/// An act that the rules forbid this seat here, taken from somewhere else in the match.
std::optional<Step> forbidden(const Course& course, const Table& table, Seat seat, Rng& rng) {
  const Step& other = rng.pick(course.steps);
  if (!other.seat || !std::holds_alternative<Fault>(table.act(seat, other.action)))
    return std::nullopt;
  const auto open = decision_for(table.decisions(), seat);
  return Step{seat, open ? open->id : other.decision, other.action};
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

/// What `who` could notice: both worlds side by side, step by step, up to `until`.
std::optional<std::string> differ(const GameKind& game, const std::string& options,
                                  std::size_t seats, const Json& deal, const Json& other,
                                  const Course& course, ConnectionId who, std::size_t until,
                                  Rng& rng) {
  Theatre a(game, options, seats, deal.dump());
  Theatre b(game, options, seats, other.dump());
  for (std::size_t i = 0; i < until; ++i) {
    a.play(course.steps[i]);
    b.play(course.steps[i]);
    REQUIRE(a.revision() == static_cast<std::int64_t>(i) + 1);
    REQUIRE(b.revision() == a.revision());
    digress({&a, &b}, who, course, *course.tables[i + 1], rng);
    if (a.stream(who) != b.stream(who) || a.stream(Theatre::kLate) != b.stream(Theatre::kLate)) {
      return "the worlds sound different at step " + std::to_string(i + 1);
    }
  }
  return std::nullopt;
}

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
  for_all_tables([&](const GameKind& game, const std::string& options, std::size_t seats) {
    CAPTURE(game.name);
    CAPTURE(options);
    CAPTURE(seats);
    std::size_t here = 0;
    for (std::uint32_t number = 0; number < matches_each() || here == 0; ++number) {
      REQUIRE(number < matches_each() + 20);
      Rng rng(seed_number(number * 100 + static_cast<std::uint32_t>(seats)));
      const Course course = random_match(game, options, seats, rng);
      const Json deal =
          parse_json(course.tables.back()->deal(*course.tables.front()), kTrustedJson);
      const Seat own{rng.below(static_cast<std::uint32_t>(seats))};
      for (const Viewer viewer : {Viewer{Spectator{}}, Viewer{own}}) {
        // Often near the end, where little is hidden, and anywhere else.
        const auto length = static_cast<std::uint32_t>(course.steps.size());
        const std::size_t until =
            length - (rng.below(2) == 0 ? rng.below(length / 8 + 1) + 1 : rng.below(length) + 1);
        const auto other = other_deal(game, options, seats, course, deal, viewer, until, rng);
        if (!other) continue;
        const bool watches = std::holds_alternative<Spectator>(viewer);
        const ConnectionId who = watches ? Theatre::kSpectator : own.index();
        CHECK(differ(game, options, seats, deal, *other, course, who, until, rng) == std::nullopt);
        ++here;
        ++worlds;
        steps += until;
      }
    }
  });
  MESSAGE(worlds << " pairs of worlds, " << steps << " steps");
}

TEST_CASE("a canary: what one seat is told betrays worlds that a spectator cannot tell apart") {
  const GameKind& game = *find_game("triqueta");
  const std::string options = game.variants().front();
  Rng rng(seed_number(7));
  bool seen = false;
  for (int tries = 0; tries < 20 && !seen; ++tries) {
    const Course course = random_match(game, options, 3, rng);
    const Json deal = parse_json(course.tables.back()->deal(*course.tables.front()), kTrustedJson);
    const std::size_t until = course.steps.size() - 2;
    const auto other = other_deal(game, options, 3, course, deal, Spectator{}, until, rng);
    if (!other) continue;
    for (ConnectionId seat = 0; seat < 3; ++seat) {
      seen |= differ(game, options, 3, deal, *other, course, seat, until, rng).has_value();
    }
  }
  CHECK(seen);
}

}  // namespace
}  // namespace triquetra
