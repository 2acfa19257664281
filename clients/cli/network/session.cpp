#include "clients/cli/network/session.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/ensure.hpp"
#include "protocol/wire.hpp"

namespace triquetra::cli {

namespace {

std::string random_hex(std::size_t bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) {
    unsigned char byte = 0;
    ensure(RAND_bytes(&byte, 1) == 1, "no randomness");
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

/// Of a join or watch.
std::string room_of(const ClientFrame& presence) {
  const auto* join = std::get_if<Join>(&presence);
  return join != nullptr ? join->room.str() : std::get<Watch>(presence).room.str();
}

/// Anywhere in [0, 1), so that not all clients come at the same moment.
double chance() {
  unsigned char byte = 0;
  ensure(RAND_bytes(&byte, 1) == 1, "no randomness");
  return byte / 256.0;
}

}  // namespace

std::string random_hex_256() { return random_hex(32); }

Session::Session(boost::asio::io_context& io, SessionOptions options, Listener& listener)
    : io_(io),
      options_(std::move(options)),
      listener_(listener),
      profile_(options_.server.host + "-" + options_.server.port, options_.profile),
      connection_(io, options_.server,
                  {[this] { opened(); }, [this](const std::string& text) { received(text); },
                   [this](const std::string& reason, bool is_starting) {
                     was_open_ = was_open_ || is_starting;
                     lost(reason);
                   }}),
      link_timer_(io),
      lasting_timer_(io),
      id_prefix_(random_hex(6)) {}

template <class Then>
void Session::after(boost::asio::steady_timer& timer, std::chrono::milliseconds time, Then then) {
  timer.expires_after(time);
  timer.async_wait([then = std::move(then)](boost::system::error_code cancelled) {
    if (!cancelled) then();
  });
}

// -------------------------------------------------------------------------------------------------
// The connection

void Session::open() {
  state_ = LinkState::connecting;
  connection_.open();
}

void Session::opened() {
  was_open_ = true;
  state_ = LinkState::greeting;
  say_hello();
}

void Session::silent() {
  if (state_ != LinkState::greeting) return;
  connection_.drop();
  lost("no answer to hello");
}

void Session::lost(const std::string& reason) {
  lasting_timer_.cancel();
  for (auto it = in_flight_.begin(); it != in_flight_.end();) {
    const auto asked = it++;
    if (!std::exchange(asked->is_sent, false)) continue;
    asked->is_repeated = true;
    if (is_sent_again(asked->frame)) continue;
    in_flight_.erase(asked);
    listener_.on_unheard();
  }
  if (!was_open_ || losses_ == kMostLosses) {
    state_ = LinkState::ended;
    link_timer_.cancel();
    return listener_.on_no_connection(reason);
  }
  state_ = LinkState::waiting;
  const auto wait = std::max(wait_after(++losses_, chance()), pause_);
  pause_ = {};
  after(link_timer_, wait, [this] { due(); });
  listener_.on_lost(wait);
}

void Session::due() {
  if (state_ == LinkState::waiting) open();
}

void Session::finish(Exit code) {
  if (is_finished_) return;
  is_finished_ = true;
  exit_code_ = code;
  state_ = LinkState::ended;
  link_timer_.cancel();
  connection_.close([&io = io_] { io.stop(); });
}

void Session::received(const std::string& text) {
  listener_.on_text(text);
  std::optional<ServerFrame> frame;
  try {
    frame = decode<ServerFrame>(parse_json(text, kTrustedJson), Reading::lenient);
  } catch (const Malformed&) {
    return;  // a newer server says something that we do not know
  }
  if (const auto* is_welcome = std::get_if<Welcome>(&*frame)) welcome(*is_welcome);
  if (const auto* ok = std::get_if<Ok>(&*frame)) answered(*ok);
  if (const auto* error = std::get_if<Error>(&*frame)) refused(*error);
  if (const auto* room = std::get_if<RoomFrame>(&*frame)) listener_.on_room(*room);
  if (const auto* view = std::get_if<View>(&*frame)) {
    const auto seen = std::exchange(newest_, {view->match, view->rev});
    if (seen.first != view->match || seen.second < view->rev) lasted();
    listener_.on_view(*view);
  }
  if (const auto* lobby = std::get_if<LobbyFrame>(&*frame)) listener_.on_lobby(*lobby);
  if (const auto* reaction = std::get_if<ReactionShown>(&*frame)) listener_.on_reaction(*reaction);
  if (const auto* said = std::get_if<Said>(&*frame)) listener_.on_said(*said);
  if (const auto* is_bye = std::get_if<Bye>(&*frame)) bye(*is_bye);
  if (const auto* notice = std::get_if<Notice>(&*frame)) listener_.on_notice(*notice);
  if (const auto* news = std::get_if<News>(&*frame)) listener_.on_news(*news);
}

void Session::bye(const Bye& bye) {
  if (!bye.room) {
    pause_ = pause_of(bye.retry_ms, chance());
  } else if (presence_ && bye.room == room_of(*presence_)) {
    presence_.reset();
  }
  listener_.on_bye(bye);
}

// -------------------------------------------------------------------------------------------------
// hello

void Session::say_hello() {
  Hello hello;
  hello_id_ = fresh_id();
  hello.id = RequestId(hello_id_);
  hello.protocol = kProtocolVersion;
  if (options_.device && !is_known_) {
    hello.device = Text<16>(*options_.device);
  } else if (profile_.token()) {
    hello.token = Text<64>(*profile_.token());
  }
  if (options_.is_program) hello.bot = true;
  if (options_.name) hello.name = PlayerName(*options_.name);
  hello.locale = Text<16>(options_.language);
  connection_.send(encoded(hello));
  after(link_timer_, kGreetingTime, [this] { silent(); });
}

void Session::welcome(const Welcome& welcome) {
  link_timer_.cancel();
  if (welcome.token) profile_.set_token(welcome.token);
  state_ = LinkState::online;
  after(lasting_timer_, kLastingTime, [this] { lasted(); });
  if (std::exchange(is_known_, true)) {
    listener_.on_back();
    resume();
  } else {
    listener_.on_welcome(welcome);
  }
}

void Session::lasted() {
  if (state_ == LinkState::online) losses_ = 0;
}

void Session::hello_refused(const Error& error) {
  link_timer_.cancel();
  if (error.code == ErrorCode::bad_token && profile_.token()) {
    // The server has forgotten us: come as a new guest.
    profile_.set_token(std::nullopt);
    return say_hello();
  }
  if (!is_hello_not_now(error.code)) return listener_.on_hello_refused(error);
  const auto pause = pause_of(error.args.retry_ms, chance());
  after(link_timer_, pause, [this] {
    if (state_ == LinkState::greeting) say_hello();
  });
  listener_.on_not_now(error, pause);
}

/// Back: the room is entered again before what has no answer is sent again.
void Session::resume() {
  const auto is_on_its_way = [](const Asked& asked) {
    return is_entering(asked.frame) || std::holds_alternative<Leave>(asked.frame);
  };
  if (presence_ && std::none_of(in_flight_.begin(), in_flight_.end(), is_on_its_way)) {
    std::visit([this](auto& frame) { frame.id = RequestId(fresh_id()); }, *presence_);
    in_flight_.emplace_front(io_, *presence_);
  }
  send_all();
}

// -------------------------------------------------------------------------------------------------
// Requests

std::string Session::fresh_id() { return id_prefix_ + "-" + std::to_string(++id_count_); }

std::string Session::Asked::id() const {
  return std::visit([](const auto& request) { return request.id.str(); }, frame);
}

/// Whatever may go now: only who is in a room is told of it, so the way into one comes first.
void Session::send_all() {
  if (state_ != LinkState::online) return;
  const bool is_on_the_way_in =
      std::any_of(in_flight_.begin(), in_flight_.end(),
                  [](const Asked& asked) { return is_entering(asked.frame); });
  for (Asked& asked : in_flight_) {
    if (asked.is_sent || asked.is_put_off) continue;
    if (is_on_the_way_in && !is_entering(asked.frame)) continue;
    asked.is_sent = true;
    connection_.send(encoded(asked.frame));
  }
}

Session::InFlight::iterator Session::find(const std::optional<std::string>& id) {
  return std::find_if(in_flight_.begin(), in_flight_.end(),
                      [&](const Asked& asked) { return asked.id() == id; });
}

void Session::answered(const Ok& ok) {
  const auto asked = find(ok.re);
  if (asked == in_flight_.end()) return;
  const ClientFrame request = std::move(asked->frame);
  in_flight_.erase(asked);
  if (std::holds_alternative<Act>(request)) lasted();
  entered(request, ok);
  send_all();
  listener_.on_ok(request, ok);
}

/// What is to be said again after a loss, if the answer was about that.
void Session::entered(const ClientFrame& request, const Ok& ok) {
  if (is_entering(request) && ok.room) profile_.keep_room(*ok.room);
  if (std::holds_alternative<Create>(request) && ok.room) {
    Join join;
    join.room = RoomCode(*ok.room);
    presence_ = join;
  }
  if (std::holds_alternative<Join>(request) || std::holds_alternative<Watch>(request)) {
    presence_ = request;
    // What was promised for the shuffle is promised once.
    if (auto* join = std::get_if<Join>(&*presence_)) join->entropy_hash.reset();
  }
  if (std::holds_alternative<Leave>(request)) presence_.reset();
}

void Session::refused(const Error& error) {
  if (state_ == LinkState::greeting) {
    if (error.re.value_or(hello_id_) == hello_id_) hello_refused(error);
    return;
  }
  const auto asked = find(error.re);
  if (asked == in_flight_.end()) return listener_.on_error(nullptr, error);
  // A person is told after a while. A program has the time, and so has who comes back to a room.
  const bool is_patient =
      options_.is_program || (presence_ && is_entering(asked->frame)) || asked->tries < kMostTries;
  if (is_not_now(error.code) && is_patient) return not_now(*asked, error);
  const bool is_repeated = asked->is_repeated;
  const ClientFrame request = std::move(asked->frame);
  in_flight_.erase(asked);
  if (is_repeated && was_done_before(request, error.code)) {
    Ok ok;
    ok.re = *error.re;
    entered(request, ok);
    return listener_.on_ok(request, ok);
  }
  if (is_entering(request)) presence_.reset();
  if (error.code == ErrorCode::no_such_room) {
    if (const auto* join = std::get_if<Join>(&request)) profile_.forget_room(join->room.str());
    if (const auto* watch = std::get_if<Watch>(&request)) profile_.forget_room(watch->room.str());
  }
  send_all();
  listener_.on_error(&request, error);
}

void Session::not_now(Asked& asked, const Error& error) {
  ++asked.tries;
  asked.is_sent = false;
  asked.is_put_off = true;
  const auto pause = pause_of(error.args.retry_ms, chance());
  after(asked.again, pause, [this, id = asked.id()] {
    if (const auto found = find(id); found != in_flight_.end()) found->is_put_off = false;
    send_all();
  });
  listener_.on_not_now(error, pause);
}

}  // namespace triquetra::cli
