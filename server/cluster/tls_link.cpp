#include "server/cluster/tls_link.hpp"

#include <openssl/ssl.h>
#include <spdlog/spdlog.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
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
#include "server/base/clock.hpp"
#include "server/base/limits.hpp"
#include "stream/stream.hpp"

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

struct HostAndPort {
  std::string host;
  std::string port;
};

HostAndPort parts_of(const std::string& address) {
  const auto colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  return {std::move(host), colon == std::string::npos ? "" : address.substr(colon + 1)};
}

/// The address itself; of a name all addresses of this machine, for which of them has the name is
/// not ours to know.
tcp::endpoint door_of(const std::string& address) {
  const HostAndPort parts = parts_of(address);
  error_code error;
  const auto literal = asio::ip::make_address(parts.host, error);
  const auto port = static_cast<std::uint16_t>(std::stoi(parts.port));
  return error ? tcp::endpoint(tcp::v6(), port) : tcp::endpoint(literal, port);
}

/// What links are made with.
class Key {
 public:
  explicit Key(const std::string& secret);
  asio::ssl::context& context() { return context_; }

 private:
  std::string key_;
  asio::ssl::context context_;
};

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

enum class Side { maker, door };

class TlsLink final : public Link, public std::enable_shared_from_this<TlsLink> {
 public:
  TlsLink(Key& key, Socket socket, Side side);
  void begin(std::function<void()> ready, Heard heard, std::function<void()> ended) override;
  void send(std::string_view head, std::string_view text) override;
  bool is_full() const override { return waiting_.size() > limits::kLinkQueueBytes / 2; }
  void look(TimePoint at) override;
  void end() override;

 private:
  asio::awaitable<void> run();
  asio::awaitable<void> write();
  void has_ended();

  asio::ssl::stream<Socket> stream_;
  const Side side_;
  Timer deadline_;
  std::function<void()> ready_;
  Heard heard_;
  std::function<void()> ended_;
  bool is_ready_ = false;
  bool is_over_ = false;
  bool is_writing_ = false;
  std::string waiting_;  // whole messages, with their lengths
  TimePoint heard_at_;
  TimePoint said_at_;
};

TlsLink::TlsLink(Key& key, Socket socket, Side side)
    : stream_(std::move(socket), key.context()),
      side_(side),
      deadline_(stream_.next_layer().get_executor()),
      heard_at_(now()),
      said_at_(heard_at_) {
  error_code ignored;
  stream_.next_layer().set_option(tcp::no_delay(true), ignored);
}

void TlsLink::begin(std::function<void()> ready, Heard heard, std::function<void()> ended) {
  ready_ = std::move(ready);
  heard_ = std::move(heard);
  ended_ = std::move(ended);
  deadline_.expires_after(limits::kLinkHandshakeTime);
  deadline_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!error && self && !self->is_ready_) self->has_ended();
  });
  asio::co_spawn(deadline_.get_executor(), run(),
                 [self = shared_from_this()](const std::exception_ptr& bug) {
                   if (bug) std::rethrow_exception(bug);
                   self->has_ended();
                   self->heard_ = nullptr;
                 });
}

asio::awaitable<void> TlsLink::run() {
  const auto self = shared_from_this();
  error_code error;
  auto token = asio::redirect_error(use_awaitable, error);
  const bool makes = side_ == Side::maker;
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

void TlsLink::send(std::string_view head, std::string_view text) {
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

asio::awaitable<void> TlsLink::write() {
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

void TlsLink::look(TimePoint at) {
  if (is_over_ || !is_ready_) return;
  if (at - heard_at_ > limits::kLinkSilence) return has_ended();
  if (at - said_at_ >= limits::kLinkBeat) send(R"({"type":"beat"})", {});
}

void TlsLink::end() {
  ended_ = nullptr;
  has_ended();
}

void TlsLink::has_ended() {
  if (std::exchange(is_over_, true)) return;
  error_code ignored;
  deadline_.cancel();
  stream_.next_layer().close(ignored);
  if (const auto ended = std::exchange(ended_, nullptr)) ended();
}

/// A door, and ways to the doors of others.
class TlsLinks final : public Links {
 public:
  TlsLinks(asio::io_context& context, const std::string& address, const std::string& secret);
  void listen(std::function<void(LinkPointer)> came) override;
  void make(const std::string& address, std::function<void(LinkPointer)> made) override;

 private:
  void accept();
  asio::awaitable<LinkPointer> connect(std::string address);

  asio::io_context& context_;
  Key key_;
  asio::basic_socket_acceptor<tcp, Executor> door_;
  asio::ip::basic_resolver<tcp, Executor> resolver_;
  Timer door_pause_;
  std::function<void(LinkPointer)> came_;
};

TlsLinks::TlsLinks(asio::io_context& context, const std::string& address, const std::string& secret)
    : context_(context), key_(secret), door_(context), resolver_(context), door_pause_(context) {
  try {
    const tcp::endpoint endpoint = door_of(address);
    door_.open(endpoint.protocol());
    door_.set_option(asio::socket_base::reuse_address(true));
    if (endpoint.address().is_unspecified()) door_.set_option(asio::ip::v6_only(false));
    door_.bind(endpoint);
    door_.listen();
  } catch (const std::exception& problem) {
    throw std::runtime_error("--link-address " + address + ": " + problem.what());
  }
}

void TlsLinks::listen(std::function<void(LinkPointer)> came) {
  came_ = std::move(came);
  accept();
}

void TlsLinks::accept() {
  door_.async_accept(context_, [this](error_code error, Socket socket) {
    if (!error) {
      came_(std::make_shared<TlsLink>(key_, std::move(socket), Side::door));
      return accept();
    }
    door_pause_.expires_after(limits::kAcceptPause);
    door_pause_.async_wait([this](error_code stopped) {
      if (!stopped) accept();
    });
  });
}

void TlsLinks::make(const std::string& address, std::function<void(LinkPointer)> made) {
  asio::co_spawn(context_, connect(address),
                 [made = std::move(made)](const std::exception_ptr& bug, LinkPointer link) {
                   if (bug) std::rethrow_exception(bug);
                   made(std::move(link));
                 });
}

asio::awaitable<LinkPointer> TlsLinks::connect(std::string address) {
  const HostAndPort parts = parts_of(address);
  error_code error;
  auto token = asio::redirect_error(use_awaitable, error);
  const auto found = co_await resolver_.async_resolve(parts.host, parts.port, token);
  if (error) co_return nullptr;
  // Shared with the deadline, which may be on its way when the connection is there.
  const auto socket = std::make_shared<std::optional<Socket>>(std::in_place, context_);
  Timer deadline(context_);
  deadline.expires_after(limits::kLinkHandshakeTime);
  deadline.async_wait([socket](error_code stopped) {
    error_code ignored;
    if (!stopped && *socket) (*socket)->close(ignored);
  });
  co_await asio::async_connect(**socket, found, token);
  deadline.cancel();
  Socket connected = std::move(**socket);
  socket->reset();
  if (error || !connected.is_open()) co_return nullptr;
  co_return std::make_shared<TlsLink>(key_, std::move(connected), Side::maker);
}

}  // namespace

std::unique_ptr<Links> over_tls(asio::io_context& context, const std::string& address,
                                const std::string& secret) {
  return std::make_unique<TlsLinks>(context, address, secret);
}

}  // namespace triquetra::link
