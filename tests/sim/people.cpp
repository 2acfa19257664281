#include "tests/sim/people.hpp"

#include <algorithm>
#include <utility>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"

namespace triquetra::sim {
namespace {

constexpr const char* kPassword = "open sesame";

const std::vector<std::string> kLevels{"random", "easy", "normal", "hard", "expert"};
const Json kNotNow{"busy", "too_fast", "storage_unavailable"};

bool stands_in(const Json& list, const Json& what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

}  // namespace

Device::Device(Services services, std::shared_ptr<Person> person, std::vector<Meeting> meetings)
    : services_(std::move(services)), person_(std::move(person)), meetings_(std::move(meetings)) {}

void Device::lose_line() {
  if (line_) line_->cut();
  line_.reset();
  greeted_ = false;
  for (auto& entry : rooms_) entry.second.joined = false;
  // Acts are said again when the line is back; nothing else is.
  std::erase_if(open_, [](const auto& entry) { return entry.second.type != "act"; });
}

void Device::connect() {
  std::weak_ptr<int> alive = alive_;
  line_ = services_.connect([this, alive](const std::string* text) {
    if (alive.lock()) hear(text);
  });
  if (!line_) return;
  Json hello{{"type", "hello"}, {"protocol", 1}, {"name", person_->name}};
  if (!person_->token.empty()) hello["token"] = person_->token;
  ask(hello);
}

void Device::ask(Json frame, std::string fixed_id) {
  std::string id = std::move(fixed_id);
  if (id.empty()) id = "r" + std::to_string(++person_->requests);
  frame["id"] = id;
  const std::string text = frame.dump();
  open_[id] = {text, frame.at("type"), frame.value("room", ""), now(), false};
  asked_at_ = now();
  line_->say(text);
}

// --- what it hears

void Device::hear(const std::string* text) {
  if (text == nullptr) return lose_line();
  const Json frame = parse_json(*text, kTrustedJson);
  const std::string type = frame.at("type");
  // Whatever a server says is one of its frames, with nothing unknown in it.
  if (type != "view" || services_.world.chance(50)) decode<ServerFrame>(frame, Reading::strict);
  if (type == "welcome" && frame.contains("token")) {
    // The other device was faster: come back as the same player.
    if (!person_->token.empty()) return lose_line();
    person_->token = frame.at("token");
  }
  if (type == "welcome") {
    token_ = person_->token;
    doubts_ = false;
    token_hash_ = sha256_hex(token_);
  }
  services_.checkers.hears(token_hash_, *text, frame);
  if (frame.contains("re")) return on_answer(frame);
  if (type == "bye") return on_bye(frame);
  if (type != "room" && type != "view") return;
  InRoom& in = rooms_[frame.at("room")];
  const bool goes_on =
      type == "view" && in.view.is_object() && in.view.at("match") == frame.at("match");
  if (goes_on && in.view.at("rev") > frame.at("rev")) {
    throw Wrong("somebody is shown what was before: " + *text);
  }
  (type == "room" ? in.room : in.view) = frame;
  if (type != "room") return;
  if (in.view.is_object() && in.view.at("match") != frame.at("match")) in.view = Json();
  if (frame.at("status") == "over" && in.counted != frame.at("match").get<std::string>()) {
    in.counted = frame.at("match").get<std::string>();
    ++in.matches_over;
  }
}

void Device::on_answer(const Json& frame) {
  const std::string id = frame.at("re");
  const auto found = open_.find(id);
  if (found == open_.end()) {
    // Said twice, answered twice: with the same answer.
    const auto rev = revs_.find(id);
    if (rev != revs_.end() && frame.at("type") == "ok" && frame.at("rev") != rev->second) {
      throw Wrong("an act was answered twice, and differently: " + id);
    }
    return;
  }
  const bool ok = frame.at("type") != "error";
  const std::string code = ok ? "" : frame.at("code");
  if (found->second.type == "act" && stands_in(kNotNow, code)) {
    // This says nothing of the act: an earlier copy may have been kept. The same again, later.
    found->second.put_off = true;
    return;
  }
  const Request request = found->second;
  open_.erase(found);
  if (ok) services_.checkers.answered(parse_json(request.text, kTrustedJson), frame);
  if (request.type == "hello") {
    if (ok) {
      greeted_ = true;
      return come_in();
    }
    // It was never kept: a new guest. But another device may just be making its first room, which
    // makes the token good: so ask twice.
    if (code == "bad_token" && std::exchange(doubts_, true)) {
      doubts_ = false;
      person_->token.clear();
      open_.clear();
    }
    return lose_line();
  }
  if (request.type == "create" && ok) *meetings_.front().code = frame.at("room");
  if ((request.type == "join" || request.type == "watch" || request.type == "create") && ok) {
    InRoom& in = rooms_[frame.at("room")];
    in.joined = true;
    in.shut_out = false;
    if (request.type != "watch") person_->token = token_;
  }
  if ((request.type == "join" || request.type == "watch") && !ok) {
    rooms_[request.room].shut_out = true;
  }
  // A join that was under way has been answered before, and is undone by this.
  if (request.type == "leave" && ok) rooms_[request.room].joined = false;
  if (request.type != "act") return;
  if (ok) {
    const auto rev = frame.at("rev").get<std::int64_t>();
    services_.checkers.acknowledged(token_hash_, request.room, id, rev);
    revs_[id] = rev;
    if (done_.size() < 20) done_.push_back(request);
  } else {
    services_.checkers.refused(token_hash_, request.room, id, code);
  }
}

void Device::on_bye(const Json& frame) {
  const std::string code = frame.at("code");
  if (!frame.contains("room")) return lose_line();
  rooms_[frame.at("room")].joined = false;
  if (code == "kicked" || code == "closed") ++faults_;
}

// --- what it does

void Device::come_in() {
  for (auto& [id, request] : open_) {
    request.put_off = false;
    request.at = now();
    if (request.type == "act") line_->say(request.text);
  }
  for (auto& meeting : meetings_) {
    if (meeting.code->empty()) {
      if (!meeting.create.empty()) ask(parse_json(meeting.create, kTrustedJson), "make a room");
      continue;
    }
    Json frame{{"type", meeting.plays ? "join" : "watch"}, {"room", *meeting.code}};
    if (meeting.password) frame["password"] = kPassword;
    if (meeting.plays && !meeting.entropy.empty()) {
      frame["entropy_hash"] = commitment_of(meeting.entropy).value();
    }
    ask(frame);
  }
}

Json Device::an_act(const InRoom& in) {
  Json decision = 0;
  for (const Json& open : in.view.at("decisions")) {
    if (stands_in(open.at("seats"), in.view.at("seat"))) decision = open.at("id");
  }
  const Json& legal = in.view.at("legal");
  const std::size_t choice = services_.world.below(static_cast<std::uint32_t>(legal.size()));
  return Json{{"type", "act"},
              {"room", in.view.at("room")},
              {"match", in.view.at("match")},
              {"decision", decision},
              {"action", legal.at(choice).at("action")}};
}

void Device::act(InRoom& in, bool wrongly) {
  Json frame = an_act(in);
  if (wrongly) {
    ++faults_;
    switch (services_.world.below(4)) {
      case 0:
        frame["decision"] = frame["decision"].get<int>() + (services_.world.chance(500) ? 1 : -1);
        frame["decision"] = std::max(0, frame["decision"].get<int>());
        break;
      case 1:
        frame["action"] = Json{{"do", "nonsense"}};
        break;
      case 2:
        frame["action"]["more"] = 1;
        break;
      default:
        // In a hurry: twice the same thing with two ids.
        ask(frame);
    }
  }
  ask(frame);
}

void Device::play_on(Meeting& meeting, InRoom& in) {
  if (!in.room.is_object() || !in.joined) return;
  const std::string status = in.room.at("status");
  const Json seat = in.view.is_object() ? in.view.value("seat", Json()) : Json();
  if (status == "playing" && in.view.is_object() && !in.view.value("legal", Json()).empty()) {
    const bool waits = std::any_of(open_.begin(), open_.end(), [&](const auto& entry) {
      return entry.second.type == "act" && entry.second.room == *meeting.code;
    });
    if (services_.world.chance(30)) ask({{"type", "hint"}, {"room", *meeting.code}});
    if (!waits) act(in, services_.world.chance(trouble / 4));
  }
  if (!meeting.plays) return;
  for (const Json& one : in.room.at("seats")) {
    const bool gone = one.value("presence", "here") == "away" && !one.value("covered", false);
    if (status == "playing" && gone && services_.world.chance(30)) {
      ask({{"type", "cover"}, {"room", *meeting.code}, {"seat", one.at("seat")}});
    }
  }
  if (status == "starting" && !meeting.entropy.empty() && services_.world.chance(800)) {
    ask({{"type", "reveal_entropy"}, {"room", *meeting.code}, {"entropy", meeting.entropy}});
  }
  const Json& seats = in.room.at("seats");
  if (status == "open") {
    // Later, too: somebody may never come.
    if (services_.world.chance(meeting.bots > 0 ? 500 : 3)) {
      meeting.bots = std::max(0, meeting.bots - 1);
      const std::string level = services_.world.pick(kLevels);
      ask({{"type", "add_bot"}, {"room", *meeting.code}, {"level", level}});
    } else {
      const bool full = std::none_of(seats.begin(), seats.end(),
                                     [](const Json& one) { return one.at("kind") == "empty"; });
      if (full || services_.world.chance(20)) ask({{"type", "start"}, {"room", *meeting.code}});
    }
  }
  if (status == "over" && in.matches_over < meeting.matches) {
    ask({{"type", "rematch"}, {"room", *meeting.code}});
  }
}

void Device::make_trouble() {
  World& world = services_.world;
  ++faults_;
  const std::string room = meetings_.front().code->empty() ? "NOSUCH" : *meetings_.front().code;
  switch (world.below(14)) {
    case 0:
    case 1:
      return lose_line();
    case 2:
      line_->read_slowly(world.between(200, 20'000));
      return;
    case 3:
      line_->say(world.chance(500) ? "{\"type\":" : "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]");
      return;
    case 4:
      return line_->say("");  // a binary frame
    case 5: {
      // A true frame with one byte changed.
      std::string text = Json{{"type", "join"}, {"id", "x"}, {"room", room}}.dump();
      text[world.below(static_cast<std::uint32_t>(text.size()))] =
          static_cast<char>(32 + world.below(95));
      if (text.find("make a room") == std::string::npos) line_->say(text);
      return;
    }
    case 6:
      if (!done_.empty()) line_->say(world.pick(done_).text);
      return;
    case 7:
      if (!done_.empty()) {
        Json other = parse_json(world.pick(done_).text, kTrustedJson);
        other["decision"] = other["decision"].get<int>() + 1;
        line_->say(other.dump());
      }
      return;
    case 8:
      for (std::uint32_t i = world.below(300); i > 0; --i) {
        line_->say(R"({"type":"ping","id":"flood"})");
      }
      return;
    case 9:
      return ask({{"type", "cover"}, {"room", room}, {"seat", world.below(5)}});
    case 10:
      rooms_[room].joined = false;
      return ask({{"type", "leave"}, {"room", room}});
    case 11:
      return ask({{"type", "set_level"},
                  {"room", room},
                  {"seat", world.below(5)},
                  {"level", world.pick(kLevels)}});
    case 12:
      return ask({{"type", "kick"}, {"room", room}, {"seat", world.below(5)}});
    default:
      return ask({{"type", "react"}, {"room", room}, {"reaction", "clap"}});
  }
}

void Device::act_up() {
  if (!line_ || !line_->is_up()) {
    lose_line();
    return connect();
  }
  if (!greeted_) {
    // A hello that got lost.
    if (now() - asked_at_ > std::chrono::seconds(90)) lose_line();
    return;
  }
  if (services_.world.chance(trouble)) make_trouble();
  if (!line_ || !greeted_) return;
  // Another device has a seat: come back as the same player.
  if (!person_->token.empty() && person_->token != token_) return lose_line();
  for (auto& [id, request] : open_) {
    if (!std::exchange(request.put_off, false)) continue;
    request.at = now();
    line_->say(request.text);
  }
  for (Meeting& meeting : meetings_) {
    if (meeting.code->empty()) {
      const bool asks = std::any_of(open_.begin(), open_.end(), [](const auto& entry) {
        return entry.second.type == "create";
      });
      if (!meeting.create.empty() && !asks) return come_in();
      continue;
    }
    InRoom& in = rooms_[*meeting.code];
    // Once only: a room that has begun without it lets it in for the next match.
    if (!in.joined && services_.world.chance(in.shut_out ? 20 : 200)) return come_in();
    play_on(meeting, in);
    if (!line_) return;
    if (!in.room.is_object()) continue;
    if (services_.world.chance(20) && in.joined) {
      ask({{"type", "history"},
           {"room", *meeting.code},
           {"match", in.room.at("match")},
           {"after", services_.world.below(30)}});
    }
    if (services_.world.chance(20) && in.joined) {
      ask({{"type", "record"}, {"room", *meeting.code}, {"match", in.room.at("match")}});
      ask({{"type", "replay"},
           {"room", *meeting.code},
           {"match", in.room.at("match")},
           {"from", services_.world.below(30)}});
    }
  }
  if (services_.world.chance(5)) ask({{"type", "lobby"}, {"watch", services_.world.chance(500)}});
  if (services_.world.chance(2)) ask({{"type", "device"}});
}

bool Device::is_content() const {
  return std::all_of(meetings_.begin(), meetings_.end(), [&](const Meeting& meeting) {
    const auto in = rooms_.find(*meeting.code);
    return in != rooms_.end() && (in->second.shut_out ||
                                  in->second.matches_over >= (meeting.plays ? meeting.matches : 1));
  });
}

std::string Device::unanswered() const {
  std::string list;
  for (const auto& entry : open_) list += " " + entry.second.text;
  return list;
}

std::string Device::forgotten() const {
  std::string list;
  for (const auto& [id, request] : open_) {
    const bool waits = line_ && greeted_ && !request.put_off;
    if (waits && now() - request.at > std::chrono::minutes(1)) list += " " + request.text;
  }
  return list;
}

std::string Device::situation() const {
  std::string text = person_->name + (line_ ? greeted_ ? " is here" : " says hello" : " is away");
  for (const Meeting& meeting : meetings_) {
    const auto in = rooms_.find(*meeting.code);
    text += "; " + std::string(meeting.plays ? "plays" : "watches") + " in '" + *meeting.code + "'";
    if (in == rooms_.end()) continue;
    text += in->second.joined ? " joined" : in->second.shut_out ? " shut out" : " not joined";
    text += " " + std::to_string(in->second.matches_over) + " of " +
            std::to_string(meeting.matches) + " " + in->second.room.dump();
    if (!in->second.view.is_object()) continue;
    text += " rev " + in->second.view.at("rev").dump() + in->second.view.at("decisions").dump();
  }
  return text + "; unanswered:" + unanswered() + "\n";
}

}  // namespace triquetra::sim
