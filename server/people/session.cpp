#include "server/people/session.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"
#include "server/base/clock.hpp"
#include "server/base/names.hpp"
#include "server/base/random.hpp"
#include "server/ops/metrics.hpp"
#include "server/people/peer_address.hpp"

namespace triquetra {

namespace asio = boost::asio;

namespace {

constexpr const char* kServerName = "triquetra";
constexpr std::int64_t kGuessRetryMs = 60'000;
constexpr std::int64_t kNewRoomRetryMs = 60'000 / limits::kNewRoomsPerMinute;

/// The id of a request that may be malformed otherwise.
std::optional<std::string> id_of(const JsonText& json) {
  if (json.root().kind() != JsonKind::object) return std::nullopt;
  const auto id = json.root().find("id");
  if (!id || id->kind() != JsonKind::string) return std::nullopt;
  std::string unescaped;
  const std::string_view text = id->string(unescaped);
  if (!RequestId::fits(text)) return std::nullopt;
  return std::string(text);
}

/// The same of a frame that is not looked at any further.
std::optional<std::string> id_in(std::string_view text) {
  try {
    return id_of(JsonText(text));
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

}  // namespace

Session::Session(Hub& hub, ConnectionPointer connection, std::string address)
    : hub_(hub),
      connection_(std::move(connection)),
      address_(std::move(address)),
      household_(address_.empty() ? address_ : household_of(address_)),
      frames_(limits::kFrameBurst, limits::kFramesPerSecond),
      patience_(limits::kRefusedBurst, limits::kRefusedPerSecond),
      answers_(limits::kAnswerBurst, limits::kAnswerBytesPerSecond) {}

template <class F>
auto Session::back(F f) {
  return [weak = weak_from_this(), f = std::move(f)](const auto&... values) {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->connection_->context(), [self, f, values...] {
      if (!self->gone_) f(*self, values...);
    });
  };
}

void Session::hear(std::string_view text) {
  if (gone_) return;
  if (!may_send()) return refuse(id_in(text), ErrorCode::too_fast, about_retry(1000));
  if (!working_ && waiting_.empty()) return take(text);
  if (waiting_.size() >= limits::kMailboxMessages) return refuse(id_in(text), ErrorCode::busy);
  waiting_.emplace_back(text);
}

void Session::hear_binary() {
  if (gone_) return;
  refuse(std::nullopt, may_send() ? ErrorCode::binary_frame : ErrorCode::too_fast);
}

bool Session::may_send() {
  if (frames_.spend(now())) return true;
  if (!patience_.spend(now())) connection_->finish(ByeCode::too_fast, 60'000);
  return false;
}

void Session::answered(std::size_t bytes) {
  answers_.owe(static_cast<double>(bytes), now());
  unaccounted_ += bytes;
  if (unaccounted_ < limits::kAccountBytes) return;
  const auto accounted =
      back([](Session& self, std::chrono::milliseconds wait) { self.answers_at_ = now() + wait; });
  hub_.ask_gate(
      [accounted, address = address_, bytes = std::exchange(unaccounted_, 0)](Gatekeeper& gate) {
        gate.sent(address, Sent::answer, bytes, now());
        accounted(gate.wait_to_send(address, Sent::answer, now()));
      });
}

bool Session::may_ask(const RequestId& re) {
  const auto of_address = std::chrono::ceil<std::chrono::milliseconds>(answers_at_ - now());
  const auto wait = std::max(answers_.wait(now()), of_address);
  if (wait.count() <= 0) return true;
  refuse(re.str(), ErrorCode::too_fast, about_retry(wait.count()));
  return false;
}

void Session::gone() {
  gone_ = true;
  for (const std::string& room : rooms_) {
    hub_.post(room, Disconnected{connection_->id()}, nullptr, [](ErrorCode) {});
  }
}

void Session::work() {
  while (!working_ && !gone_ && !waiting_.empty()) {
    const std::string text = std::move(waiting_.front());
    waiting_.pop_front();
    take(text);
  }
}

void Session::take(std::string_view text) {
  std::optional<std::string> id;
  try {
    const JsonText json(text);
    id = id_of(json);
    const auto frame = decode<ClientFrame>(json.root(), Reading::strict);
    if (!greeted_ && !std::holds_alternative<Hello>(frame))
      return refuse(id, ErrorCode::hello_first);
    std::visit([&](const auto& request) { on(request); }, frame);
  } catch (const Malformed& malformed) {
    refuse(id, malformed.code(), malformed.args());
  }
}

void Session::on(const Hello& frame) {
  if (greeted_) return refuse(frame.id.str(), ErrorCode::hello_twice);
  if (int{frame.protocol} != kProtocolVersion) {
    return refuse(frame.id.str(), ErrorCode::unsupported_protocol, about_limit(kProtocolVersion));
  }
  if (frame.name &&
      (!is_showable(frame.name->str()) || !PlayerName::fits(normalized_name(frame.name->str())))) {
    return refuse(frame.id.str(), ErrorCode::bad_text, about_field("name"));
  }
  if (!frame.token && !frame.device) return look_up(frame, nullptr);
  with_guess(frame.id.str(), frame.token ? Guessed::token : Guessed::code,
             [this, frame](const GuessPointer& guess) {
               guess->ask();
               look_up(frame, guess);
             });
}

void Session::look_up(const Hello& frame, const GuessPointer& guess) {
  working_ = true;
  token_hash_.clear();
  const auto go_on = back([frame](Session& self, const FoundPlayer& result) {
    const auto& player = result.player;
    if (!player) {
      self.working_ = false;
      if (!result.available) metrics().stored(false);
      const ErrorCode code = frame.token ? ErrorCode::bad_token : ErrorCode::bad_device;
      self.refuse(frame.id.str(), result.available ? code : ErrorCode::storage_unavailable);
      return self.work();
    }
    if (frame.token) metrics().resumed();
    self.durable_ = frame.token.has_value();
    if (frame.token) self.token_hash_ = sha256_hex(frame.token->str());
    self.welcome(frame, *player, "");
  });
  // A right guess costs nothing, also when nobody waits for the answer any more.
  const auto found = [guess, go_on](const FoundPlayer& result) {
    if (guess && (result.player || !result.available)) guess->give_back();
    go_on(result);
  };
  if (frame.token) {
    hub_.store().find_player(sha256_hex(frame.token->str()), found);
  } else if (frame.device) {
    hub_.store().take_device_code(sha256_hex(frame.device->str()), found);
  } else {
    welcome(frame, {fresh_hex(16), "Guest"}, "");
  }
}

void Session::welcome(const Hello& frame, StoredPlayer player, std::string token) {
  player_ = std::move(player);
  is_program_ = frame.bot.value_or(false);
  const std::string name = frame.name ? normalized_name(frame.name->str()) : std::string();
  if (!name.empty() && name != player_.name) {
    player_.name = name;
    durable_ = false;
  }
  if (token_hash_.empty()) {
    token = fresh_hex(32);
    token_hash_ = sha256_hex(token);
    durable_ = false;
  }
  using Rooms = std::optional<std::vector<RoomEntry>>;
  const auto finish = back([frame, token](Session& self, const Rooms& rooms) {
    if (!rooms) {
      self.working_ = false;
      self.refuse(frame.id.str(), ErrorCode::storage_unavailable);
      return self.work();
    }
    self.greeted_ = true;
    Welcome welcome;
    welcome.re = frame.id.str();
    welcome.protocol = kProtocolVersion;
    welcome.player = self.player_.name;
    if (!token.empty()) welcome.token = token;
    welcome.seats = self.seats_in(*rooms);
    welcome.limits = {limits::kFrameBytes, static_cast<std::int64_t>(JsonLimits{}.depth),
                      limits::kFramesPerSecond, PlayerName::kMaxLength};
    welcome.server = {kServerName, TRIQUETRA_VERSION};
    self.send(encoded(welcome));
    self.working_ = false;
    self.work();
  });
  const bool is_new = !frame.token && !frame.device;
  const auto answer = [this, finish, is_new] {
    working_ = true;
    if (is_new) return finish(Rooms(std::in_place));
    hub_.store().find_rooms(player_.id, finish);
  };
  if (!frame.device) return answer();
  // The code of another device works once: so what came of it is kept at once.
  become_durable(frame.id.str(), answer, [&hub = hub_, code = frame.device->str()] {
    hub.store().give_back_device_code(sha256_hex(code));
  });
}

std::vector<SeatHeld> Session::seats_in(const std::vector<RoomEntry>& rooms) const {
  std::vector<SeatHeld> held;
  for (const RoomEntry& entry : rooms) {
    for (const PlayerAtTable& one : entry.players) {
      if (one.player == player_.id) held.push_back({entry.room, one.seat});
    }
  }
  return held;
}

void Session::become_durable(const std::string& re, const std::function<void()>& then,
                             const std::function<void()>& otherwise) {
  if (durable_) return then();
  working_ = true;
  const auto done = back([re, then, otherwise](Session& self, Kept kept) {
    self.working_ = false;
    self.durable_ = kept == Kept::ok;
    metrics().stored(self.durable_);
    if (self.durable_) {
      then();
    } else {
      self.refuse(re, ErrorCode::storage_unavailable);
      otherwise();
    }
    self.work();
  });
  hub_.store().put_player(token_hash_, player_, done);
}

void Session::with_guess(const std::string& re, Guessed what,
                         const std::function<void(const GuessPointer&)>& then) {
  working_ = true;
  hub_.ask_to_guess(address_, what, back([re, then](Session& self, const GuessPointer& guess) {
                      self.working_ = false;
                      if (guess) {
                        then(guess);
                      } else {
                        self.refuse(re, ErrorCode::too_fast, about_retry(kGuessRetryMs));
                      }
                      self.work();
                    }));
}

void Session::on(const Create& frame) {
  if (rooms_.size() >= limits::kRoomsPerConnection) {
    return refuse(frame.id.str(), ErrorCode::too_many_rooms,
                  about_limit(limits::kRoomsPerConnection));
  }
  working_ = true;
  const auto answer = back([frame](Session& self, bool may) {
    self.working_ = false;
    if (may) {
      self.make_room(frame);
    } else {
      self.refuse(frame.id.str(), ErrorCode::too_fast, about_retry(kNewRoomRetryMs));
    }
    self.work();
  });
  hub_.ask_gate([answer, address = address_, at = now()](Gatekeeper& gate) {
    answer(gate.may_create(address, at));
  });
}

void Session::make_room(const Create& frame) {
  become_durable(frame.id.str(), [this, frame] {
    // The next frame waits until the room counts: else many creates at once would pass the limit.
    working_ = true;
    const auto made = std::make_shared<Asker>(back([](Session& self, std::optional<ErrorCode>) {
      self.working_ = false;
      self.work();
    }));
    const auto placed = [weak = weak_from_this(), &hub = hub_, id = connection_->id(), made,
                         &context = connection_->context()](std::string code) {
      asio::post(context, [weak, &hub, id, code = std::move(code)] {
        const auto self = weak.lock();
        if (self && !self->gone_) {
          self->rooms_.insert(code);
        } else {
          // The maker went while the room was made: gone() could not know of it.
          hub.post(code, Disconnected{id}, nullptr, [](ErrorCode) {});
        }
      });
      made->tell(std::nullopt);
    };
    hub_.create(sender(), frame, connection_, placed, address_);
  });
}

void Session::on(const Device& frame) {
  become_durable(frame.id.str(), [this, frame] {
    const std::string code = fresh_code(limits::kDeviceCodeLetters);
    const auto answer = back([frame, code](Session& self, Kept kept) {
      // Also where too many codes are alive, which strangers can bring about: no word on the store.
      if (kept != Kept::ok) return self.refuse(frame.id.str(), ErrorCode::storage_unavailable);
      Ok ok;
      ok.re = frame.id.str();
      ok.device = code;
      self.send(encoded(ok));
    });
    hub_.store().put_device_code(sha256_hex(code), player_, answer);
  });
}

void Session::on(const WatchLobby& frame) {
  if (frame.watch && !may_ask(frame.id)) return;
  Ok ok;
  ok.re = frame.id.str();
  send(encoded(ok));
  hub_.ask_lobby(
      [connection = connection_, on = frame.watch](Lobby& lobby) { lobby.watch(connection, on); });
}

void Session::on(const Say& frame) {
  const auto text = shown_text(frame.text.str());
  if (!text || !decltype(frame.text)::fits(*text)) {
    return refuse(frame.id.str(), ErrorCode::bad_text, about_field("text"));
  }
  Say said = frame;
  said.text = *text;
  to_room(said);
}

void Session::on(const Ping& frame) { send(encoded(Pong{frame.id.str()})); }

template <class T>
void Session::to_room(const T& frame) {
  constexpr bool enters = std::is_same_v<T, Join> || std::is_same_v<T, Watch>;
  constexpr bool is_long = enters || std::is_same_v<T, History> || std::is_same_v<T, GetRecord> ||
                           std::is_same_v<T, Replay>;
  if (is_long && !may_ask(frame.id)) return;
  const bool is_in = rooms_.contains(frame.room.str());
  if constexpr (enters) {
    if (!is_in && rooms_.size() >= limits::kRoomsPerConnection) {
      return refuse(frame.id.str(), ErrorCode::too_many_rooms,
                    about_limit(limits::kRoomsPerConnection));
    }
  }
  const auto go_in = [this, frame](const GuessPointer& guess) {
    if constexpr (enters) {
      become_durable(frame.id.str(), [this, frame, guess] { ask_room(frame, guess); });
    } else {
      ask_room(frame, guess);
    }
  };
  if (!is_in) {
    // Also a code that exists is not told to a guesser: else guessing would go on.
    with_guess(frame.id.str(), Guessed::code, go_in);
  } else if constexpr (enters || std::is_same_v<T, Leave>) {
    go_in(nullptr);
  } else {
    post_to_room(frame, nullptr);
  }
}

template <class T>
void Session::ask_room(const T& frame, const GuessPointer& guess) {
  constexpr bool enters = std::is_same_v<T, Join> || std::is_same_v<T, Watch>;
  const std::string room = frame.room.str();
  const bool was_in = rooms_.contains(room);
  if (guess) guess->ask();
  // It counts from now on, so that gone() tells the room in any case.
  if (enters) rooms_.insert(room);
  working_ = true;
  static constexpr auto kIsWrong = [](std::optional<ErrorCode> refusal) {
    return refusal == ErrorCode::no_such_room || refusal == ErrorCode::wrong_password;
  };
  const auto go_on = back([room, was_in](Session& self, std::optional<ErrorCode> refusal) {
    const bool may_be_in = refusal == ErrorCode::busy || refusal == ErrorCode::storage_unavailable;
    const bool leaves = std::is_same_v<T, Leave> && !may_be_in;
    if (kIsWrong(refusal) || leaves || (enters && refusal && !was_in)) self.rooms_.erase(room);
    self.working_ = false;
    self.work();
  });
  const auto told = [guess, go_on](std::optional<ErrorCode> refusal) {
    if (guess && !kIsWrong(refusal)) guess->give_back();
    go_on(refusal);
  };
  post_to_room(frame, std::make_shared<Asker>(told));
}

template <class T>
void Session::post_to_room(const T& frame, const std::shared_ptr<Asker>& asker) {
  const std::string& room = frame.room.str();
  const auto forget = back([room](Session& self) { self.rooms_.erase(room); });
  auto missing = [connection = connection_, re = frame.id.str(), asker, forget](ErrorCode why) {
    send_error(*connection, re, why);
    if (asker) return asker->tell(why);
    if (why == ErrorCode::no_such_room) forget();
  };
  hub_.post(room, FromClient{sender(), frame, asker}, connection_, std::move(missing));
}

Sender Session::sender() const {
  return {connection_->id(), player_.id, player_.name, is_program_, household_};
}

void Session::send(std::string text) {
  connection_->send({connection_->id(), nullptr, std::move(text), false, {}, false, true}, {});
}

void Session::refuse(const std::optional<std::string>& re, ErrorCode code, ErrorArgs args) {
  send_error(*connection_, re, code, std::move(args));
}

}  // namespace triquetra
