#include "server/net/ws_line.hpp"

#include <sys/socket.h>
#include <boost/asio/write.hpp>

#include <cerrno>
#include <utility>

#include "server/base/clock.hpp"

namespace triquetra::net {

WsLine::WsLine(Shared& shared, std::size_t thread, Stream stream, const Allowance& allowance)
    : shared_(shared),
      context_(shared.hub.context(thread)),
      thread_(thread),
      id_(++shared.next_id),
      bytes_per_second_(allowance.bytes_per_second),
      stream_(std::move(stream)),
      reader_(allowance.message_bytes) {
  // From here on look_at() watches the time.
  stream_.next_layer().expires_never();
  error_code ignored;
  socket().native_non_blocking(true, ignored);
  if (stream_.is_tls()) tls_heard_.resize(limits::kTlsReadBytes);
}

void WsLine::begin(std::string early) { has_come(std::span(early.data(), early.size())); }

void WsLine::look_at(TimePoint at) {
  const bool drips = hearing_since_ && at - *hearing_since_ > limits::kMessageTime;
  const bool is_deaf = writing_since_ && at - *writing_since_ > limits::kWriteTime;
  const bool stays = ending_since_ && at - *ending_since_ > limits::kFarewellTime;
  const bool is_silent = at - heard_at_ > limits::kIdleTime;
  if (drips || is_deaf || stays || is_silent) return closed();
  if (!is_pinged_ && !said_goodbye_ && at - heard_at_ > limits::kIdleTime / 2) {
    is_pinged_ = true;
    append_frame(control_, Opcode::ping, {});
    flush_later();
  }
  heard_bytes_ = 0;
  if (std::exchange(rests_, false)) read();
}

void WsLine::end(CloseCode code) {
  ending_since_ = now();
  append_close(farewell_, code);
  flush_later();
}

// -------------------------------------------------------------------------------------------------

void WsLine::read() {
  if (is_closed_) return;
  if (stream_.is_tls()) {
    // What follows the last word is read by the end of TLS itself.
    if (is_over_) return;
    const auto self = shared_from_this();
    return stream_.async_read_some(asio::buffer(tls_heard_),
                                   [this, self](error_code error, std::size_t size) {
                                     if (error) return closed();
                                     has_come(std::span(tls_heard_.data(), size));
                                   });
  }
  socket().async_wait(Socket::wait_read, [this, self = shared_from_this()](error_code error) {
    if (error) return closed();
    read_some();
  });
}

void WsLine::read_some() {
  if (is_closed_) return;
  std::vector<char>& into = desk().heard;
  const ssize_t size = ::recv(socket().native_handle(), into.data(), into.size(), 0);
  if (size > 0) return has_come(std::span(into.data(), static_cast<std::size_t>(size)));
  const bool is_for_later = size < 0 && (errno == EAGAIN || errno == EINTR);
  if (!is_for_later) return closed();
  read();
}

void WsLine::has_come(std::span<char> bytes) {
  heard_at_ = now();
  is_pinged_ = false;
  shared_.run_and_flush(thread_, [this, bytes] { hear(bytes); });
  // What is over the budget waits in the network until somebody looks at this again.
  heard_bytes_ += bytes.size();
  rests_ = heard_bytes_ >= bytes_per_second_;
  if (!rests_) read();
}

void WsLine::hear(std::span<char> bytes) {
  while (!is_over_ && !is_closed_) {
    const auto heard = reader_.next(bytes);
    if (!heard) break;
    take(*heard);
    shared_.flush(thread_);
  }
  if (is_over_ || !reader_.is_within()) {
    hearing_since_.reset();
  } else if (!hearing_since_) {
    hearing_since_ = heard_at_;
  }
}

void WsLine::take(const Heard& heard) {
  switch (heard.what) {
    case Heard::What::text:
    case Heard::What::binary:
      if (!is_ending()) on_message(heard.payload, heard.what == Heard::What::text);
      return;
    case Heard::What::ping:
      return answer_ping(heard.payload);
    case Heard::What::pong:
      return;
    case Heard::What::closed:
      if (farewell_.empty()) append_frame(farewell_, Opcode::close, heard.payload);
      return be_over();
    case Heard::What::failed:
      farewell_.clear();
      append_close(farewell_, heard.code);
      return be_over();
  }
}

void WsLine::answer_ping(std::string_view payload) {
  if (said_goodbye_) return;
  if (control_.size() > limits::kControlBytes) control_.clear();
  append_frame(control_, Opcode::pong, payload);
  flush_later();
}

void WsLine::be_over() {
  is_over_ = true;
  if (!ending_since_) ending_since_ = heard_at_;
  if (said_goodbye_) farewell_.clear();
  be_gone();
  flush_later();
}

void WsLine::be_gone() {
  if (!std::exchange(is_gone_, true)) on_gone();
}

// -------------------------------------------------------------------------------------------------

void WsLine::flush_later() {
  if (std::exchange(will_flush_, true)) return;
  desk().speakers.push_back(shared_from_this());
  shared_.flush_later(thread_);
}

void WsLine::flush_after_a_moment() {
  if (std::exchange(waits_a_moment_, true)) return;
  Desk& desk = this->desk();
  desk.later.push_back(shared_from_this());
  if (desk.later.size() > 1) return;
  if (!desk.moment) desk.moment = std::make_unique<Timer>(context_);
  desk.moment->expires_after(limits::kRosterPause);
  desk.moment->async_wait([&desk](error_code error) {
    if (error) return;
    const auto waiting = std::exchange(desk.later, {});
    for (const auto& peer : waiting) peer->flush();
  });
}

void WsLine::flush() {
  will_flush_ = false;
  waits_a_moment_ = false;
  while (!is_writing_ && !is_closed_) {
    std::string& bytes = desk().said;
    gather(bytes);
    if (bytes.empty()) break;
    std::string_view left = bytes;
    if (!stream_.is_tls() && !write_some(left)) return closed();
    if (left.empty()) continue;
    unsent_ = left;
    unsent_from_ = 0;
    writing_since_ = now();
    is_writing_ = true;
    stream_.is_tls() ? write_over_tls() : write_when_taken();
  }
  if (is_over_ && !is_writing_ && !is_closed_) hang_up();
}

void WsLine::gather(std::string& bytes) {
  bytes.clear();
  if (said_goodbye_) return;
  bytes += control_;
  std::string().swap(control_);
  const bool has_more = say(bytes);
  if (has_more || farewell_.empty()) return;
  bytes += farewell_;
  std::string().swap(farewell_);
  said_goodbye_ = true;
}

bool WsLine::write_some(std::string_view& bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(socket().native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

void WsLine::write_when_taken() {
  socket().async_wait(Socket::wait_write, [this, self = shared_from_this()](error_code error) {
    if (error || is_closed_) return closed();
    std::string_view left = std::string_view(unsent_).substr(unsent_from_);
    if (!write_some(left)) return closed();
    unsent_from_ = unsent_.size() - left.size();
    if (!left.empty()) return write_when_taken();
    is_writing_ = false;
    writing_since_.reset();
    std::string().swap(unsent_);
    flush();
  });
}

void WsLine::write_over_tls() {
  const auto self = shared_from_this();
  asio::async_write(stream_, asio::buffer(unsent_), [this, self](error_code error, std::size_t) {
    if (error || is_closed_) return closed();
    is_writing_ = false;
    writing_since_.reset();
    std::string().swap(unsent_);
    flush();
  });
}

void WsLine::hang_up() {
  if (std::exchange(has_hung_up_, true)) return;
  if (stream_.is_tls()) {
    return stream_.async_shutdown([this, self = shared_from_this()](error_code) { closed(); });
  }
  // What the peer still sends is read and passed over: else the system would take back what it has
  // not read yet.
  error_code ignored;
  socket().shutdown(Socket::shutdown_send, ignored);
}

void WsLine::closed() {
  if (std::exchange(is_closed_, true)) return;
  be_gone();
  stream_.next_layer().close();
}

}  // namespace triquetra::net
