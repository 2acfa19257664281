#include "clients/cli/commands/robots.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "clients/cli/games/render.hpp"
#include "engine/ensure.hpp"
#include "engine/game.hpp"
#include "protocol/wire.hpp"

namespace triquetra::cli {

namespace {

// The string that `text` has under `key`; empty if it has none.
std::string field_of(const std::string& text, const char* key) {
  try {
    const Json json = parse_json(text, kTrustedJson);
    return json.is_object() && json.contains(key) && json[key].is_string()
               ? json[key].get<std::string>()
               : "";
  } catch (const Malformed&) {
    return "";
  }
}

// What scripts print goes into files and pipes: who has the token is that player, and the profile
// keeps it.
std::string without_token(const std::string& text) {
  if (field_of(text, "type") != "welcome") return text;
  Json welcome = parse_json(text, kTrustedJson);
  welcome.erase("token");
  return welcome.dump();
}

}  // namespace

std::uint64_t random_number() {
  std::array<unsigned char, 8> bytes{};
  ensure(RAND_bytes(bytes.data(), bytes.size()) == 1, "no randomness");
  std::uint64_t number = 0;
  for (const unsigned char byte : bytes) number = (number << 8U) | byte;
  return number;
}

std::optional<std::size_t> choose_act(const std::vector<LegalAct>& legal, BotLevel level,
                                      std::uint64_t roll) {
  const auto is_waiver = [](const LegalAct& act) {
    return field_of(act.action.text, "do") == kWaiver;
  };
  const bool may_wait = std::any_of(legal.begin(), legal.end(), is_waiver);
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const int points = is_waiver(legal[i]) ? 0 : legal[i].preview.value_or(0);
    if (level == BotLevel::greedy) {
      if (may_wait && points <= 0) continue;
      const int most = best.empty() ? points : legal[best.front()].preview.value_or(0);
      if (points < most) continue;
      if (points > most) best.clear();
    }
    best.push_back(i);
  }
  if (best.empty()) return std::nullopt;
  const std::size_t chosen = best[roll % best.size()];
  return is_waiver(legal[chosen]) ? std::nullopt : std::optional(chosen);
}

std::optional<Act> Answerer::answer(const View& view, std::uint64_t roll) {
  if (view_ && view_->match == view.match && view.rev < view_->rev) return std::nullopt;
  view_ = view;
  if (!view.seat || !view.legal) return std::nullopt;
  for (const DecisionShown& decision : view.decisions) {
    const bool is_mine =
        std::find(decision.seats.begin(), decision.seats.end(), *view.seat) != decision.seats.end();
    const std::pair key(view.match, decision.id);
    if (!is_mine || answered_ == key) continue;
    const auto index = choose_act(*view.legal, level_, roll);
    if (!index) return std::nullopt;
    answered_ = key;
    answered_rev_ = view.rev;
    Act request;
    request.room = RoomCode(view.room);
    request.match = MatchId(view.match);
    request.decision = decision.id;
    request.action = (*view.legal)[*index].action;
    return request;
  }
  return std::nullopt;
}

std::optional<Act> Answerer::answer_again(const Act& refused, ErrorCode why, std::uint64_t roll) {
  const Question question(refused.match ? refused.match->str() : "", refused.decision);
  if (!view_ || answered_ != question) return std::nullopt;
  if (why == ErrorCode::illegal) {
    answered_.reset();
    if (view_->rev == answered_rev_) return std::nullopt;
  } else if (why == ErrorCode::id_reused && reused_ != question) {
    reused_ = question;
    answered_.reset();
  } else {
    return std::nullopt;
  }
  return answer(View(*view_), roll);
}

Robot::Robot(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
             const Catalogue& catalogue, BotLevel level)
    : Visitor(io, options, std::move(entry), catalogue), answerer_(level) {}

void Robot::act(const View& view) {
  if (const auto act = answerer_.answer(view, roll())) session_.ask(*act);
}

void Robot::on_error(const ClientFrame* request, const Error& error) {
  const auto* refused = request != nullptr ? std::get_if<Act>(request) : nullptr;
  if (refused == nullptr) return Visitor::on_error(request, error);
  const auto again = answerer_.answer_again(*refused, error.code, roll());
  if (error.code != ErrorCode::illegal) tell(error_text(error));
  if (again) session_.ask(*again);
}

Bot::Bot(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
         const Catalogue& catalogue, BotLevel level, bool once)
    : Robot(io, options, std::move(entry), catalogue, level), pause_(io), once_(once) {}

void Bot::on_room(const RoomFrame& room) {
  Visitor::on_room(room);
  room_frame_ = room;
}

void Bot::on_view(const View& view) {
  pause_.cancel();
  if (view.decisions.empty() && once_) return session_.finish(Exit::ok);
  if (!is_beside_window_of_people(view)) return act(view);
  pause_.expires_after(kWindowPause);
  pause_.async_wait([this, view](boost::system::error_code error) {
    if (!error) act(view);
  });
}

bool Bot::is_beside_window_of_people(const View& view) const {
  const auto is_person = [&](Seat seat) {
    return seat != view.seat && room_frame_ && seat.index() < room_frame_->seats.size() &&
           room_frame_->seats[seat.index()].kind == SeatKind::human;
  };
  return std::any_of(view.decisions.begin(), view.decisions.end(),
                     [&](const DecisionShown& decision) {
                       return decision.kind == DecisionKind::window &&
                              std::any_of(decision.seats.begin(), decision.seats.end(), is_person);
                     });
}

Script::Script(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
               const Catalogue& catalogue)
    : Visitor(io, options, std::move(entry), catalogue),
      editor_(io, {[this](const std::string& line) { send(line); },
                   [this] {
                     // Who watches has nothing to say, so no end of it either: "< /dev/null" is
                     // usual.
                     is_over_ = !entry_.watch;
                     finish_if_done();
                   }}) {}

void Script::on_text(const std::string& text) {
  std::cout << without_token(text) << std::endl;
  if (const std::string re = field_of(text, "re"); !re.empty()) asked_.erase(re);
  finish_if_done();
}

void Script::on_welcome(const Welcome& welcome) {
  Visitor::on_welcome(welcome);
  is_greeted_ = true;
  for (const std::string& line : early_) session_.send_raw(line);
  early_.clear();
}

void Script::on_error(const ClientFrame* request, const Error& error) {
  // An answer to a line of the script is the script's own business.
  if (request != nullptr) Visitor::on_error(request, error);
}

void Script::send(const std::string& line) {
  if (line.empty()) return;
  if (const std::string id = field_of(line, "id"); !id.empty()) asked_.insert(id);
  if (is_greeted_) return session_.send_raw(line);
  if (early_.size() < kMaxEarly) early_.push_back(line);
}

// After the last line, every answer is still waited for.
void Script::finish_if_done() {
  const bool is_done = is_over_ && is_greeted_ && asked_.empty() && !session_.is_waiting();
  if (is_done) session_.finish(Exit::ok);
}

Rooms::Rooms(boost::asio::io_context& io, const SessionOptions& options, const Catalogue& catalogue,
             bool as_json)
    : Visitor(io, options, Entry{}, catalogue), as_json_(as_json) {}

void Rooms::on_welcome(const Welcome&) {
  WatchLobby lobby;
  lobby.watch = true;
  session_.ask(lobby);
}

void Rooms::on_text(const std::string& text) {
  if (as_json_ && field_of(text, "type") == "lobby") std::cout << text << std::endl;
}

void Rooms::on_lobby(const LobbyFrame& lobby) {
  if (!as_json_ && lobby.rooms.empty()) std::cout << catalogue_.text("cli.no_rooms") << std::endl;
  for (const ListedRoom& room : lobby.rooms) {
    if (as_json_) break;
    std::cout << catalogue_.text("cli.listed",
                                 {{"room", room.room},
                                  {"game", voice_of(room.game, catalogue_, Style{})
                                               ->title(room.game, parse_json(room.options.text))},
                                  {"taken", room.taken},
                                  {"seats", room.seats},
                                  {"status", std::string(word_of(room.status))}})
              << std::endl;
  }
  session_.finish(Exit::ok);
}

}  // namespace triquetra::cli
