// The door of whoever runs the server, at an address of its own: /metrics for all who reach it, and
// for those on this machine who show the token, what `triquetra admin` asks. Only ws_server.cpp
// includes this.
#pragma once

#include <openssl/crypto.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/base/names.hpp"
#include "server/base/token_bucket.hpp"
#include "server/net/listener.hpp"
#include "server/net/peer.hpp"
#include "server/ops/pages.hpp"

namespace triquetra::net {

/// What admin requests must show: the first line of the file, at least 16 characters; empty if
/// there is no file. Throws std::runtime_error.
inline std::string admin_token(const std::string& file) {
  if (file.empty()) return {};
  const std::string text = contents_of("--admin-token-file", file);
  const std::string token = text.substr(0, text.find('\n'));
  constexpr std::size_t kShortest = 16;
  if (token.size() < kShortest) {
    throw std::runtime_error("--admin-token-file " + file +
                             ": its first line must be a token of 16 characters or more");
  }
  return token;
}

/// What the token is guarded with: wrong ones cost a credit, of this machine as a whole, and are
/// told to the log together. On the hub's first thread.
class TokenGuard {
 public:
  explicit TokenGuard(std::string token) : token_(std::move(token)) {}

  enum class Verdict { right, wrong, too_fast };
  /// Takes a credit before it looks, and gives it back if this is the right one.
  Verdict look_at(std::string_view authorization, TimePoint at) {
    if (!credits_.spend(at)) return refused(Verdict::too_fast, at);
    const std::string wanted = "Bearer " + token_;
    const bool is_right = !token_.empty() && authorization.size() == wanted.size() &&
                          CRYPTO_memcmp(authorization.data(), wanted.data(), wanted.size()) == 0;
    if (!is_right) return refused(Verdict::wrong, at);
    credits_.give_back(at);
    return Verdict::right;
  }
  std::chrono::seconds wait(TimePoint at) const {
    return std::chrono::ceil<std::chrono::seconds>(credits_.wait(at));
  }

  /// Tells the log of a refusal, once a minute at most.
  Verdict refused(Verdict verdict, TimePoint at) {
    ++untold_;
    if (lines_.spend(at)) {
      spdlog::warn("refused {} admin requests", std::exchange(untold_, 0));
    }
    return verdict;
  }

 private:
  std::string token_;
  TokenBucket credits_{limits::kWrongGuessBurst, limits::kWrongGuessesPerMinute / 60.0};
  TokenBucket lines_{1, 1 / 60.0};
  std::uint64_t untold_ = 0;
};

/// One request of an operator, and its answer.
class OperatorConnection : public std::enable_shared_from_this<OperatorConnection> {
 public:
  OperatorConnection(Shared& shared, std::shared_ptr<TokenGuard> guard, Socket socket)
      : shared_(shared), guard_(std::move(guard)), stream_(std::move(socket)) {}

  void start() {
    parser_.header_limit(static_cast<std::uint32_t>(limits::kHeaderBytes));
    parser_.body_limit(limits::kNoticeBytes);
    stream_.expires_after(limits::kHandshakeTime);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->answer(self->parser_.get());
                     });
  }

 private:
  using Order = http::request<http::string_body>;

  void answer(const Order& request) {
    const std::string path(request.target());
    if (is_ambiguous(request)) return respond(http::status::bad_request, "this is ambiguous\n");
    if (path == "/metrics" && request.method() == http::verb::get) {
      metrics().store_waits(shared_.hub.store().waiting());
      return respond(http::status::ok, metrics().text());
    }
    if (!path.starts_with("/admin/")) return respond(http::status::not_found, "not here\n");
    if (!may_command(request)) return;
    if (shared_.starting && path != "/admin/drain") {
      return respond(http::status::service_unavailable, "starting: the rooms are being read\n");
    }
    command(request.method() == http::verb::post, path.substr(std::string("/admin/").size()),
            request.body());
  }

  /// Whether the request may command; answers it if not. From elsewhere the token is not looked at.
  bool may_command(const Order& request) {
    error_code error;
    const auto peer = stream_.socket().remote_endpoint(error).address();
    const std::string_view shown = request[http::field::authorization];
    const auto verdict = !error && peer.is_loopback()
                             ? guard_->look_at(shown, now())
                             : guard_->refused(TokenGuard::Verdict::wrong, now());
    if (verdict == TokenGuard::Verdict::right) return true;
    if (verdict == TokenGuard::Verdict::too_fast) {
      response_.set(http::field::retry_after, std::to_string(guard_->wait(now()).count()));
      respond(http::status::too_many_requests, "too many wrong tokens; wait\n");
    } else {
      respond(http::status::forbidden, "only on this machine, and with the token\n");
    }
    return false;
  }

  void command(bool is_post, const std::string& words, const std::string& text) {
    constexpr std::string_view kClose = "close/";
    if (!is_post && words == "rooms") {
      return shared_.hub.all_servers().rooms([self = shared_from_this()](const auto& all) {
        if (!all) {
          return self->respond(http::status::service_unavailable, "the store cannot be read now\n");
        }
        self->respond(http::status::ok, rooms_json(all->rooms, all->awake, all->silent) + "\n");
      });
    }
    if (is_post && words == "drain") return drain(text);
    if (is_post && words == "announce") return announce(text);
    if (is_post && words == "sweep") return sweep(text);
    if (is_post && words.starts_with(kClose)) {
      const std::string room = words.substr(kClose.size());
      spdlog::info("an operator closes room {}", room);
      return shared_.hub.all_servers().close(room, [self = shared_from_this()](Closing closing) {
        asio::post(self->shared_.hub.first(), [self, closing] { self->closed(closing); });
      });
    }
    respond(http::status::not_found, "no such command\n");
  }

  /// Closes what the text says: `address ADDRESS`, or `idle HOURS`.
  void sweep(const std::string& text) {
    const auto what = read_swept(text);
    if (!what) {
      return respond(http::status::bad_request, "`address ADDRESS` or `idle HOURS`, please\n");
    }
    spdlog::info("an operator closes all rooms of {}", text);
    shared_.hub.all_servers().sweep(
        text, *what,
        [self = shared_from_this()](std::size_t count, const AllServers::Silent& silent) {
          self->respond(http::status::ok, swept_json(count, silent) + "\n");
        });
  }

  /// Ends the server of that name, or this one.
  void drain(const std::string& name) {
    spdlog::info("an operator drains {}", name.empty() ? "the server" : name);
    shared_.hub.all_servers().drain(name, [self = shared_from_this()](bool is_there) {
      if (is_there) return self->respond(http::status::ok, "{}\n");
      self->respond(http::status::not_found,
                    "there is no such server, or more than one, or it does not answer\n");
    });
  }

  void closed(Closing closing) {
    switch (closing) {
      case Closing::closed:
        return respond(http::status::ok, "{}\n");
      case Closing::no_such_room:
        return respond(http::status::not_found, "there is no such room\n");
      case Closing::storage_unavailable:
        return respond(http::status::service_unavailable,
                       "the room stays: its end cannot be stored now\n");
      case Closing::unknown:
        return respond(http::status::service_unavailable,
                       "the server that has the room does not answer: ask again\n");
    }
  }

  void announce(const std::string& said) {
    const std::string text = shown_text(said).value_or("");
    if (text.empty()) return respond(http::status::bad_request, "one line of text, please\n");
    spdlog::info("an operator says: {}", text);
    shared_.hub.all_servers().announce(
        text, [self = shared_from_this()](const AllServers::Silent& silent) {
          if (silent.empty()) return self->respond(http::status::ok, "{}\n");
          std::string names;
          for (const std::string& name : silent) names += " " + name;
          self->respond(http::status::service_unavailable,
                        "said, but for all that is known not at" + names + "\n");
        });
  }

  void respond(http::status status, std::string body) {
    response_.result(status);
    response_.version(11);
    response_.set(http::field::content_type, "text/plain; version=0.0.4");
    response_.set(http::field::cache_control, "no-store");
    response_.keep_alive(false);
    response_.body() = std::move(body);
    response_.prepare_payload();
    stream_.expires_after(limits::kHandshakeTime);
    http::async_write(stream_, response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, error);
                      });
  }

  Shared& shared_;
  const std::shared_ptr<TokenGuard> guard_;
  Plain stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  Response response_;
};

/// Where operators come in, on the hub's first thread.
class OperatorDoor {
 public:
  /// Binds at once. Throws std::runtime_error.
  explicit OperatorDoor(Shared& shared)
      : shared_(shared),
        guard_(std::make_shared<TokenGuard>(admin_token(shared.config.admin_token_file))),
        listener_(shared.hub, 1, "--metrics-listen", endpoint_of(shared.config.metrics_listen)) {}

  void open() {
    spdlog::info("metrics at port {}", listener_.port());
    listener_.open([this](std::size_t /*thread*/, Socket socket) {
      // Each connection holds the guard: so many are open.
      if (static_cast<std::size_t>(guard_.use_count()) > limits::kOperators) return;
      std::make_shared<OperatorConnection>(shared_, guard_, std::move(socket))->start();
    });
  }

 private:
  static tcp::endpoint endpoint_of(const std::string& text) {
    const AddressAndPort read = read_address_and_port(text);
    return {asio::ip::make_address(read.address), read.port};
  }

  Shared& shared_;
  const std::shared_ptr<TokenGuard> guard_;
  Listener listener_;
};

}  // namespace triquetra::net
