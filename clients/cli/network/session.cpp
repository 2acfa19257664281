#include "clients/cli/network/session.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <variant>

#include "engine/ensure.hpp"
#include "protocol/wire.hpp"

namespace triquetra::cli {

namespace {

/// Whether this answer to a request that was sent again after a lost connection says that it was
/// done at the first time (docs/PROTOCOL.md).
bool was_done_before(const ClientFrame& request, ErrorCode code) {
  if (std::holds_alternative<Start>(request)) return code == ErrorCode::already_started;
  if (std::holds_alternative<Kick>(request)) return code == ErrorCode::no_such_seat;
  if (std::holds_alternative<Rematch>(request)) return code == ErrorCode::not_over;
  if (std::holds_alternative<Leave>(request)) return code == ErrorCode::not_in_room;
  return false;
}

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

}  // namespace

std::string random_hex_256() { return random_hex(32); }

Session::Session(boost::asio::io_context& io, SessionOptions options, Listener& listener)
    : io_(io),
      options_(std::move(options)),
      listener_(listener),
      profile_(options_.server.host + "-" + options_.server.port, options_.profile),
      connection_(io, options_.server,
                  {[this] { say_hello(); }, [this](const std::string& text) { received(text); },
                   [this](std::chrono::milliseconds delay) {
                     is_greeted_ = false;
                     retry_timer_.cancel();
                     listener_.on_lost(delay);
                   },
                   [this](const std::string& reason) { listener_.on_no_connection(reason); }}),
      id_prefix_(random_hex(6)),
      retry_timer_(io) {}

void Session::finish(Exit code) {
  if (is_finished_) return;
  is_finished_ = true;
  exit_code_ = code;
  connection_.close([&io = io_] { io.stop(); });
}

std::string Session::fresh_id() { return id_prefix_ + "-" + std::to_string(++id_count_); }

void Session::say_hello() {
  retry_timer_.cancel();
  Hello hello;
  hello.id = fresh_id();
  hello.protocol = kProtocolVersion;
  if (options_.device && !is_welcome_) {
    hello.device = Text<16>(*options_.device);
  } else if (profile_.token()) {
    hello.token = Text<64>(*profile_.token());
  }
  if (options_.is_program) hello.bot = true;
  if (options_.name) hello.name = PlayerName(*options_.name);
  hello.locale = Text<16>(options_.language);
  connection_.send(encoded(hello));
}

void Session::remember_and_send(ClientFrame request) {
  if (unanswered_.size() >= kMaxUnanswered) return;
  const std::string id = std::visit([](const auto& frame) { return frame.id.str(); }, request);
  if (is_greeted_) connection_.send(encoded(request));
  unanswered_.emplace_back(id, std::move(request));
}

std::optional<ClientFrame> Session::answered(const std::string& re) {
  for (auto it = unanswered_.begin(); it != unanswered_.end(); ++it) {
    if (it->first != re) continue;
    ClientFrame request = std::move(it->second);
    unanswered_.erase(it);
    repeated_.erase(re);
    return request;
  }
  return std::nullopt;
}

void Session::received(const std::string& text) {
  listener_.on_text(text);
  std::optional<ServerFrame> frame;
  try {
    frame = decode<ServerFrame>(parse_json(text, kTrustedJson), Reading::lenient);
  } catch (const Malformed&) {
    return;  // a newer server says something that we do not know
  }
  if (const auto* welcome = std::get_if<Welcome>(&*frame)) hear(*welcome);
  if (const auto* ok = std::get_if<Ok>(&*frame)) hear(*ok);
  if (const auto* error = std::get_if<Error>(&*frame)) hear(*error);
  if (const auto* pong = std::get_if<Pong>(&*frame)) answered(pong->re);
  if (const auto* room = std::get_if<RoomFrame>(&*frame)) listener_.on_room(*room);
  if (const auto* view = std::get_if<View>(&*frame)) listener_.on_view(*view);
  if (const auto* lobby = std::get_if<LobbyFrame>(&*frame)) listener_.on_lobby(*lobby);
  if (const auto* reaction = std::get_if<ReactionShown>(&*frame)) listener_.on_reaction(*reaction);
  if (const auto* said = std::get_if<Said>(&*frame)) listener_.on_said(*said);
  if (const auto* bye = std::get_if<Bye>(&*frame)) listener_.on_bye(*bye);
  if (const auto* notice = std::get_if<Notice>(&*frame)) listener_.on_notice(*notice);
}

void Session::hear(const Welcome& welcome) {
  if (welcome.token) profile_.set_token(welcome.token);
  retries_ = 0;
  is_greeted_ = true;
  if (!is_welcome_) {
    is_welcome_ = true;
    listener_.on_welcome(welcome);
    return;
  }
  listener_.on_back();
  const bool is_leaving =
      std::any_of(unanswered_.begin(), unanswered_.end(),
                  [](const auto& asked) { return std::holds_alternative<Leave>(asked.second); });
  if (presence_ && !is_leaving) {
    // A fresh id: the seat is the player's, and the answer is not waited for.
    presence_id_ = fresh_id();
    std::visit([this](auto& frame) { frame.id = RequestId(presence_id_); }, *presence_);
    connection_.send(encoded(*presence_));
  }
  for (const auto& [id, request] : unanswered_) {
    repeated_.insert(id);
    connection_.send(encoded(request));
  }
}

void Session::hear(const Ok& ok) {
  const auto request = answered(ok.re);
  if (!request) return;
  retries_ = 0;
  if (std::holds_alternative<Create>(*request) && ok.room) {
    Join join;
    join.room = RoomCode(*ok.room);
    presence_ = join;
  }
  if (std::holds_alternative<Join>(*request) || std::holds_alternative<Watch>(*request)) {
    presence_ = *request;
    // What was promised for the shuffle is promised once.
    if (auto* join = std::get_if<Join>(&*presence_)) join->entropy_hash.reset();
  }
  if (std::holds_alternative<Leave>(*request)) presence_.reset();
  listener_.on_ok(*request, ok);
}

// Refusals that say "not now" changed nothing, so the same request may be sent again under its id.
// False if that is no use. A store that is full may be so for an evening: a program has the time.
bool Session::retry_later(const Error& error) {
  // A hello comes too fast if it guesses, and that is better left.
  const bool may_pass = error.code == ErrorCode::busy || error.code == ErrorCode::restarting ||
                        error.code == ErrorCode::storage_unavailable ||
                        (error.code == ErrorCode::too_fast && is_greeted_);
  const bool is_patient = options_.is_program && error.code == ErrorCode::storage_unavailable;
  const bool is_ours =
      !is_greeted_ ||
      (error.re && std::any_of(unanswered_.begin(), unanswered_.end(),
                               [&](const auto& asked) { return asked.first == *error.re; }));
  if (!may_pass || !is_ours || (retries_ >= kMaxRetries && !is_patient)) return false;
  if (!is_patient) ++retries_;
  const std::int64_t wait_ms =
      std::clamp<std::int64_t>(error.args.retry_ms.value_or(0), 1000, 60000);
  retry_timer_.expires_after(std::chrono::milliseconds(wait_ms));
  retry_timer_.async_wait([this](boost::system::error_code cancelled) {
    if (cancelled) return;
    if (!is_greeted_) return say_hello();
    for (const auto& [id, request] : unanswered_) connection_.send(encoded(request));
  });
  return true;
}

void Session::hear(const Error& error) {
  if (!is_greeted_ && error.code == ErrorCode::bad_token && profile_.token()) {
    // The server has forgotten us: come as a new guest.
    profile_.set_token(std::nullopt);
    say_hello();
    return;
  }
  if (retry_later(error)) return;
  if (presence_ && error.re == presence_id_) {
    listener_.on_error(&*presence_, error);
    return;
  }
  const bool is_repeated = error.re && repeated_.contains(*error.re);
  const auto request = error.re ? answered(*error.re) : std::nullopt;
  if (request && is_repeated && was_done_before(*request, error.code)) {
    Ok ok;
    ok.re = *error.re;
    return listener_.on_ok(*request, ok);
  }
  listener_.on_error(request ? &*request : nullptr, error);
}

}  // namespace triquetra::cli
