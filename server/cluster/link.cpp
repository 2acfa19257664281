#include "server/cluster/link.hpp"

#include <openssl/ssl.h>
#include <spdlog/spdlog.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "protocol/fairness.hpp"
#include "server/base/limits.hpp"

namespace triquetra::link {

using asio::use_awaitable;

namespace {

constexpr std::string_view kIdentity = "triquetra-link-1";
constexpr std::size_t kLengthBytes = 4;

/// Where a context has its key; the place that OpenSSL offers first is Asio's.
int place_of_key() {
  static const int kPlace = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return kPlace;
}

std::string_view key_of(const SSL* ssl) {
  const SSL_CTX* const context = SSL_get_SSL_CTX(ssl);
  return *static_cast<const std::string*>(SSL_CTX_get_ex_data(context, place_of_key()));
}

unsigned put_key(SSL* ssl, unsigned char* out, unsigned most) {
  const std::string_view key = key_of(ssl);
  if (key.size() > most) return 0;
  std::memcpy(out, key.data(), key.size());
  return static_cast<unsigned>(key.size());
}

unsigned key_of_maker(SSL* ssl, const char* /*hint*/, char* identity, unsigned longest,
                      unsigned char* key, unsigned most) {
  if (kIdentity.size() + 1 > longest) return 0;
  std::memcpy(identity, kIdentity.data(), kIdentity.size());
  identity[kIdentity.size()] = '\0';
  return put_key(ssl, key, most);
}

unsigned key_of_door(SSL* ssl, const char* identity, unsigned char* key, unsigned most) {
  return identity != nullptr && identity == kIdentity ? put_key(ssl, key, most) : 0;
}

std::string length_of(std::size_t size) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift & 0xFFU);
  return bytes;
}

}  // namespace

Key::Key(const std::string& secret)
    : key_([&] {
        const auto hash = sha256("triquetra link " + secret);
        return std::string(hash.begin(), hash.end());
      }()),
      context_(asio::ssl::context::tls) {
  SSL_CTX* const handle = context_.native_handle();
  SSL_CTX_set_psk_client_callback(handle, key_of_maker);
  SSL_CTX_set_psk_server_callback(handle, key_of_door);
  // Each link is one session.
  SSL_CTX_set_options(handle, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(handle, SSL_SESS_CACHE_OFF);
  const bool can = SSL_CTX_set_ex_data(handle, place_of_key(), &key_) == 1 &&
                   SSL_CTX_set_min_proto_version(handle, TLS1_3_VERSION) == 1 &&
                   SSL_CTX_set_num_tickets(handle, 0) == 1 &&
                   SSL_CTX_set_ciphersuites(handle, "TLS_AES_128_GCM_SHA256") == 1;
  if (!can) throw std::runtime_error("--link-address: this OpenSSL has no TLS 1.3");
}

Link::Link(Key& key, Socket socket)
    : stream_(std::move(socket), key.context()),
      deadline_(stream_.next_layer().get_executor()),
      since_(now()),
      heard_at_(since_),
      said_at_(since_) {}

void Link::begin(Side side, std::function<void()> ready, Heard heard, std::function<void()> ended) {
  ready_ = std::move(ready);
  heard_ = std::move(heard);
  ended_ = std::move(ended);
  deadline_.expires_after(limits::kLinkHandshakeTime);
  deadline_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!error && self && !self->is_ready_) self->has_ended();
  });
  asio::co_spawn(deadline_.get_executor(), run(side),
                 [self = shared_from_this()](const std::exception_ptr& bug) {
                   if (bug) std::rethrow_exception(bug);
                   self->has_ended();
                   self->heard_ = nullptr;
                 });
}

asio::awaitable<void> Link::run(Side side) {
  const auto self = shared_from_this();
  error_code error;
  auto token = asio::redirect_error(use_awaitable, error);
  const bool makes = side == Side::maker;
  const auto role = makes ? asio::ssl::stream_base::client : asio::ssl::stream_base::server;
  // A certificate, which this key does not need, is trusted by nobody.
  stream_.set_verify_mode(makes ? asio::ssl::verify_peer : asio::ssl::verify_none);
  co_await stream_.async_handshake(role, token);
  if (error && !is_over_) spdlog::debug("no link came about: {}", error.message());
  // The key of the session is the secret's, and no certificate's.
  if (error || is_over_ || SSL_get0_peer_certificate(stream_.native_handle()) != nullptr) co_return;
  is_ready_ = true;
  deadline_.cancel();
  heard_at_ = now();
  std::exchange(ready_, nullptr)();
  std::array<unsigned char, kLengthBytes> length{};
  std::string message;
  while (!is_over_) {
    co_await asio::async_read(stream_, asio::buffer(length), token);
    if (error || is_over_) co_return;
    std::size_t size = 0;
    for (const unsigned char byte : length) size = size << 8U | byte;
    if (size > limits::kLinkMessageBytes) co_return;
    message.resize(size);
    co_await asio::async_read(stream_, asio::buffer(message), token);
    if (error || is_over_) co_return;
    heard_at_ = now();
    heard_(message);
  }
}

void Link::send(std::string_view head, std::string_view text) {
  if (is_over_ || !is_ready_) return;
  const std::size_t size = head.size() + 1 + text.size();
  if (size > limits::kLinkMessageBytes || waiting_.size() + size > limits::kLinkQueueBytes) {
    return has_ended();
  }
  said_at_ = now();
  waiting_ += length_of(size);
  waiting_ += head;
  waiting_ += '\n';
  waiting_ += text;
  if (std::exchange(is_writing_, true)) return;
  asio::co_spawn(deadline_.get_executor(), write(),
                 [self = shared_from_this()](const std::exception_ptr& bug) {
                   if (bug) std::rethrow_exception(bug);
                 });
}

asio::awaitable<void> Link::write() {
  const auto self = shared_from_this();
  error_code error;
  auto token = asio::redirect_error(use_awaitable, error);
  while (!waiting_.empty() && !is_over_) {
    const std::string some = std::exchange(waiting_, {});
    co_await asio::async_write(stream_, asio::buffer(some), token);
    if (error) has_ended();
  }
  is_writing_ = false;
}

bool Link::is_full() const { return waiting_.size() > limits::kLinkQueueBytes / 2; }

void Link::look(TimePoint at) {
  if (is_over_ || !is_ready_) return;
  if (at - heard_at_ > limits::kLinkSilence) return has_ended();
  if (at - said_at_ >= limits::kLinkBeat) send(R"({"type":"beat"})");
}

void Link::end() {
  ended_ = nullptr;
  has_ended();
}

void Link::has_ended() {
  if (std::exchange(is_over_, true)) return;
  error_code ignored;
  deadline_.cancel();
  stream_.next_layer().close(ignored);
  if (const auto ended = std::exchange(ended_, nullptr)) ended();
}

}  // namespace triquetra::link
