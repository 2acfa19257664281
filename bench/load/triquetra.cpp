// Our own server: makes rooms, fills them, starts, and plays one of the legal acts of whoever is
// asked. Views are never decoded: what is needed of them is found by looking for its name.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/load/dialects.hpp"

namespace triquetra::load {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::size_t kMatchIdBytes = 32;

// Where the text behind `name` begins, looked for from `from` on.
std::size_t behind(std::string_view text, std::string_view name, std::size_t from) {
  const std::size_t at = text.find(name, from);
  return at == kNowhere ? kNowhere : at + name.size();
}

std::uint64_t number_at(std::string_view text, std::size_t at) {
  std::uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
  }
  return value;
}

std::string string_at(std::string_view text, std::size_t at) {
  return std::string(text.substr(at, text.find('"', at) - at));
}

// The object that begins at `at`. Actions hold words and numbers, no braces in texts.
std::string_view object_at(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(at, i + 1 - at);
  }
  return {};
}

// What looks like chance and is the same again in each run.
std::size_t scattered(std::uint64_t a, std::uint64_t b) {
  std::uint64_t hash = a * 0x9E3779B97F4A7C15U ^ b * 0xC2B2AE3D27D4EB4FU;
  hash ^= hash >> 29U;
  hash *= 0xBF58476D1CE4E5B9U;
  return static_cast<std::size_t>(hash >> 32U);
}

struct Asked {
  std::uint64_t decision = 0;
  std::uint64_t seat = 0;
};

// The first open question beside which nobody else is asked to hurry: a turn, or the first of those
// whom a ballot still asks. None if the match is over.
std::optional<Asked> first_asked(std::string_view view, std::size_t decisions) {
  for (std::size_t at = decisions; view[at] == '{' || view[at] == ',';) {
    if (view[at] == ',') ++at;
    const std::string_view decision = object_at(view, at);
    at += decision.size();
    if (decision.find(R"("kind":"window")") != kNowhere) continue;
    return Asked{number_at(decision, behind(decision, R"("id":)", 0)),
                 number_at(decision, behind(decision, R"("seats":[)", 0))};
  }
  return std::nullopt;
}

class Triquetra final : public Dialect {
 public:
  Triquetra(Client& client, Workload& workload)
      : Dialect(client, workload),
        rooms_(workload.plan().rooms),
        people_(workload.plan().rooms * workload.plan().members()) {}

  std::string path_of(std::size_t /*connection*/) override { return "/ws"; }
  void opened(std::size_t connection) override {
    say(connection, R"({"type":"hello","id":"h","protocol":1,"name":"Ada"})");
  }
  void heard(std::size_t connection, std::string_view frame) override;
  void act(std::size_t room, std::uint64_t due) override;
  std::size_t open_acts() const override {
    return static_cast<std::size_t>(
        std::count_if(people_.begin(), people_.end(),
                      [](const Person& person) { return person.open.has_value(); }));
  }

 private:
  struct OpenAct {
    std::uint64_t due = 0;
    std::uint64_t decision = 0;
    std::string match;
    std::optional<std::uint64_t> revision;  // that it has led to, once it was answered
  };
  struct Person {
    bool waits_for_room = false;
    bool has_arrived = false;
    std::uint64_t requests = 0;
    std::string match;  // of the newest view
    std::uint64_t revision = 0;
    std::optional<OpenAct> open;
    bool is_asked_again = false;  // before the answer to the last act has come
  };
  struct Room {
    std::string code;
    std::size_t people = 0;
    std::size_t matches = 0;
    bool is_over = false;
    std::size_t actor = 0;  // a connection
    std::uint64_t decision = 0;
    std::string act;  // ready, but for its id
  };

  Room& room_of(std::size_t connection) { return rooms_[workload_.room_of(connection)]; }
  void say(std::size_t connection, std::string_view frame) { client_.send(connection, frame); }
  void ask(std::size_t connection, std::string_view type, std::string_view fields = "");
  void arrive_once(std::size_t connection, Stage stage);
  void welcomed(std::size_t connection);
  void answered(std::size_t connection, std::string_view frame);
  void entered(std::size_t connection);
  void viewed(std::size_t connection, std::string_view frame);
  void start(std::size_t connection);
  void finish_act(std::size_t connection);
  void end_match(std::size_t connection);
  void prepare_act(std::size_t connection, std::string_view view, std::size_t head, Asked asked);

  std::vector<Room> rooms_;
  std::vector<Person> people_;
};

void Triquetra::heard(std::size_t connection, std::string_view frame) {
  // {"type":"welcome", "view", "ok", "error", "bye", "room", ...
  const std::string_view type = frame.substr(std::min<std::size_t>(frame.size(), 9));
  if (type.starts_with("view\"")) return viewed(connection, frame);
  if (type.starts_with("ok\"")) {
    workload_.answered(frame.size());
    return answered(connection, frame);
  }
  workload_.heard_other(frame.size());
  if (type.starts_with("welcome\"")) return welcomed(connection);
  if (type.starts_with("error\"") || type.starts_with("bye\"")) workload_.complain(frame);
}

// The id of a request begins with a letter of its type, which the answer is known by.
void Triquetra::ask(std::size_t connection, std::string_view type, std::string_view fields) {
  std::string frame = R"({"type":")";
  frame.append(type).append(R"(","id":")").append(type.substr(0, 2));
  frame += std::to_string(people_[connection].requests++);
  frame += R"(","room":")" + room_of(connection).code + '"';
  frame.append(fields) += '}';
  say(connection, frame);
}

void Triquetra::arrive_once(std::size_t connection, Stage stage) {
  if (workload_.plan().stage != stage || people_[connection].has_arrived) return;
  people_[connection].has_arrived = true;
  arrive(connection);
}

void Triquetra::welcomed(std::size_t connection) {
  const Plan& plan = workload_.plan();
  arrive_once(connection, Stage::hello);
  if (plan.stage == Stage::hello) return;
  if (workload_.member_of(connection) == 0) {
    std::string frame = R"({"type":"create","id":"cr","game":")" + plan.game;
    frame += R"(","options":)" + plan.options + R"(,"seats":)";
    frame += std::to_string(plan.seats + plan.bots);
    if (!plan.hints) frame += R"(,"hints":false)";
    if (plan.listed) frame += R"(,"visibility":"listed")";
    return say(connection, frame + '}');
  }
  people_[connection].waits_for_room = true;
  if (!room_of(connection).code.empty()) entered(connection);
}

// The room has a code, and this one may go in.
void Triquetra::entered(std::size_t connection) {
  people_[connection].waits_for_room = false;
  if (!workload_.is_seated(connection)) return ask(connection, "watch");
  ask(connection, "join", R"(,"seat":)" + std::to_string(workload_.member_of(connection)));
}

void Triquetra::answered(std::size_t connection, std::string_view frame) {
  const Plan& plan = workload_.plan();
  Room& room = room_of(connection);
  const std::string_view to = frame.substr(behind(frame, R"("re":")", 0), 2);
  if (to == "ac") {
    if (people_[connection].open) {
      people_[connection].open->revision = number_at(frame, behind(frame, R"("rev":)", 0));
      finish_act(connection);
    }
    return;
  }
  const std::size_t first = workload_.connection_of(workload_.room_of(connection), 0);
  if (to == "cr") {
    room.code = string_at(frame, behind(frame, R"("room":")", 0));
    for (std::size_t other = first; other < first + plan.members(); ++other) {
      if (people_[other].waits_for_room) entered(other);
    }
  }
  if (to == "re") ask(connection, "start");  // its bots stay
  if (to == "cr" || to == "jo" || to == "wa") {
    arrive_once(connection, Stage::seated);
    if (++room.people == plan.members() && plan.stage == Stage::view) start(first);
  }
}

/// All people are there: the bots take what is free.
void Triquetra::start(std::size_t connection) {
  const Plan& plan = workload_.plan();
  for (std::size_t bot = 0; bot < plan.bots; ++bot) {
    ask(connection, "add_bot", R"(,"level":")" + plan.level + '"');
  }
  ask(connection, "start");
}

void Triquetra::viewed(std::size_t connection, std::string_view frame) {
  workload_.viewed(frame.size());
  const std::size_t match = behind(frame, R"("match":")", 0);
  const std::size_t revision = behind(frame, R"("rev":)", match);
  people_[connection].match.assign(frame.substr(match, kMatchIdBytes));
  people_[connection].revision = number_at(frame, revision);
  arrive_once(connection, Stage::view);
  if (!workload_.is_seated(connection)) return;
  finish_act(connection);
  const std::size_t decisions = behind(frame, R"("decisions":[)", revision);
  if (frame[decisions] == ']') return end_match(connection);
  room_of(connection).is_over = false;
  const auto asked = first_asked(frame, decisions);
  if (asked && asked->seat == workload_.member_of(connection)) {
    prepare_act(connection, frame, match, *asked);
  }
}

// A view that shows the act, or one of the next match: to who reads slowly only the newest comes.
void Triquetra::finish_act(std::size_t connection) {
  Person& person = people_[connection];
  if (!person.open || !person.open->revision) return;
  const bool is_shown =
      person.match != person.open->match || person.revision >= *person.open->revision;
  if (!is_shown) return;
  workload_.acted(person.open->due, *person.open->revision);
  person.open.reset();
  if (std::exchange(person.is_asked_again, false)) {
    workload_.ready(*this, workload_.room_of(connection));
  }
}

// Everybody hears it; who sits first has the next match made.
void Triquetra::end_match(std::size_t connection) {
  Room& room = room_of(connection);
  if (workload_.member_of(connection) != 0 || room.is_over) return;
  room.is_over = true;
  ++room.matches;
  workload_.ended_match();
  const std::size_t wanted = workload_.plan().matches;
  if (wanted == 0 || room.matches < wanted) ask(connection, "rematch");
}

void Triquetra::prepare_act(std::size_t connection, std::string_view view, std::size_t match,
                            Asked asked) {
  Person& person = people_[connection];
  if (person.open && person.open->decision == asked.decision) return;
  std::array<std::size_t, 512> legal{};
  std::size_t count = 0;
  static constexpr std::string_view kAction = R"({"action":)";
  for (std::size_t at = behind(view, R"("legal":[)", match); count < legal.size();) {
    at = behind(view, kAction, at);
    if (at == kNowhere) break;
    legal.at(count++) = at;
  }
  if (count == 0) return workload_.complain("asked without a legal act: " + std::string(view));
  Room& room = room_of(connection);
  const std::size_t chosen =
      scattered(person.revision, workload_.room_of(connection) * 64 + room.matches) % count;
  room.actor = connection;
  room.decision = asked.decision;
  room.act = R"(,"match":")";
  room.act.append(view.substr(match, kMatchIdBytes)).append(R"(","decision":)");
  room.act += std::to_string(asked.decision) + R"(,"action":)";
  room.act.append(object_at(view, legal.at(chosen)));
  if (person.open) {
    person.is_asked_again = true;
  } else {
    workload_.ready(*this, workload_.room_of(connection));
  }
}

void Triquetra::act(std::size_t room, std::uint64_t due) {
  const Room& mine = rooms_[room];
  Person& actor = people_[mine.actor];
  actor.open = OpenAct{due, mine.decision, actor.match, std::nullopt};
  ask(mine.actor, "act", mine.act);
}

}  // namespace

std::unique_ptr<Dialect> make_triquetra(Client& client, Workload& workload) {
  return std::make_unique<Triquetra>(client, workload);
}

}  // namespace triquetra::load
