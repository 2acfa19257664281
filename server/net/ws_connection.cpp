#include "server/net/ws_connection.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <utility>

#include "protocol/wire.hpp"

namespace triquetra::net {

namespace {

CloseCode close_code_of(ByeCode code) {
  if (code == ByeCode::restarting) return CloseCode::service_restart;
  if (code == ByeCode::too_fast) return CloseCode::policy_error;
  return CloseCode::try_again_later;
}

}  // namespace

WsConnection::WsConnection(Shared& shared, std::size_t thread, Stream stream, std::string address,
                           PassPointer pass)
    : WsLine(shared, thread, std::move(stream),
             {limits::kMessageBytes, limits::kReadBytesPerSecond}),
      address_(std::move(address)),
      pass_(std::move(pass)) {
  metrics().connected(true);
}

WsConnection::~WsConnection() {
  metrics().connected(false);
  metrics().outbox(-counted_);
}

std::shared_ptr<WsConnection> WsConnection::self() {
  return std::static_pointer_cast<WsConnection>(shared_from_this());
}

void WsConnection::accept(std::string early) {
  desk().peers[id()] = weak_from_this();
  session_ = std::make_shared<Session>(shared().hub, self(), address_);
  begin(std::move(early));
}

void WsConnection::send(Outgoing frame, std::string room) {
  const auto here = shared().here();
  if (here == thread()) return receive(std::move(frame), room);
  if (here) {
    Desk& desk = shared().desks[*here];
    desk.parcels[thread()].push_back({self(), std::move(frame), std::move(room)});
    return shared().flush_later(*here);
  }
  asio::post(context(),
             [self = self(), frame = std::move(frame), room = std::move(room)]() mutable {
               self->receive(std::move(frame), room);
             });
}

void WsConnection::finish(ByeCode code, std::int64_t retry_ms) {
  asio::dispatch(context(), [self = self(), code, retry_ms] { self->say_bye(code, retry_ms); });
}

void WsConnection::tell(const std::shared_ptr<const std::string>& frame) {
  if (session_ && session_->greeted()) receive({id(), frame, {}}, {});
}

void WsConnection::on_message(std::string_view message, bool is_text) {
  is_text ? session_->hear(message) : session_->hear_binary();
}

void WsConnection::on_gone() {
  desk().peers.erase(id());
  // The session holds this connection: let go of each other.
  if (const auto session = std::exchange(session_, nullptr)) session->gone();
}

void WsConnection::receive(Outgoing frame, const std::string& room) {
  if (is_ending()) return;
  if (frame.refusal) metrics().refused(*frame.refusal);
  if (frame.is_asked && session_) session_->answered(frame.size());
  const bool is_news_of_people = frame.is_roster && !frame.is_asked;
  if (!outbox_.push(std::move(frame), room)) {
    return say_bye(ByeCode::slow, limits::kSlowRetryMs);
  }
  if (is_blocked()) return count();
  // Of those who come or go within a moment everybody is told together.
  if (!is_news_of_people) return flush_later();
  const TimePoint at = now();
  if (at - told_roster_at_ < limits::kRosterPause) return flush_after_a_moment();
  told_roster_at_ = at;
  flush_later();
}

void WsConnection::say_bye(ByeCode code, std::int64_t retry_ms) {
  if (is_ending()) return;
  outbox_.end_with({id(), nullptr, encoded(Bye{code, {}, retry_ms}), false});
  count();
  end(close_code_of(code));
}

bool WsConnection::say(std::string& bytes) {
  std::size_t frames = 0;
  while (frames < outbox_.size() && bytes.size() < limits::kWriteAtOnceBytes) {
    const Outgoing& frame = outbox_[frames++];
    append_head(bytes, Opcode::text, frame.size());
    if (frame.shared) bytes += *frame.shared;
    bytes += frame.own;
  }
  outbox_.drop(frames);
  count();
  return !outbox_.empty();
}

void WsConnection::count() {
  const auto waiting = static_cast<std::int64_t>(outbox_.size());
  if (waiting != counted_) metrics().outbox(waiting - std::exchange(counted_, waiting));
}

#ifdef TRIQUETRA_TEST_ECHO
EchoConnection::EchoConnection(Shared& shared, std::size_t thread, Stream stream)
    : WsLine(shared, thread, std::move(stream), {16 * 1024 * 1024, static_cast<std::size_t>(-1)}) {}

void EchoConnection::on_message(std::string_view message, bool is_text) {
  append_frame(echoes_, is_text ? Opcode::text : Opcode::binary, message);
  flush_later();
}

bool EchoConnection::say(std::string& bytes) {
  bytes += std::exchange(echoes_, {});
  return false;
}
#endif

}  // namespace triquetra::net
