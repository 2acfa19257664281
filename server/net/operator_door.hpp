// The door of whoever runs the server, at an address of its own: /metrics for all who reach it, and
// for those on this machine who show the token, what `triquetra admin` asks. Only ws_server.cpp
// includes this.
#pragma once

#include <openssl/crypto.h>
#include <spdlog/spdlog.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "protocol/wire.hpp"
#include "server/base/names.hpp"
#include "server/net/peer.hpp"
#include "server/ops/pages.hpp"

namespace triquetra::net {

/// What admin requests must show: the first line of the file, at least 16 characters; empty if
/// there is no file. Throws std::runtime_error.
inline std::string admin_token(const std::string& file) {
  if (file.empty()) return {};
  std::ifstream stream(file);
  std::string token;
  std::getline(stream, token);
  constexpr std::size_t kShortest = 16;
  if (token.size() < kShortest) {
    throw std::runtime_error(file + " holds no token of 16 characters or more");
  }
  return token;
}

/// One request of an operator, and its answer.
class OperatorConnection : public std::enable_shared_from_this<OperatorConnection> {
 public:
  OperatorConnection(Shared& shared, std::string token, Socket socket)
      : shared_(shared), token_(std::move(token)), stream_(std::move(socket)) {}

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
    if (path == "/metrics" && request.method() == http::verb::get) {
      metrics().store_waits(shared_.hub.store().waiting());
      return respond(http::status::ok, metrics().text());
    }
    if (!path.starts_with("/admin/")) return respond(http::status::not_found, "not here\n");
    if (!may_command(request)) {
      spdlog::warn("refused an admin request");
      return respond(http::status::forbidden, "only on this machine, and with the token\n");
    }
    command(request.method() == http::verb::post, path.substr(std::string("/admin/").size()),
            request.body());
  }

  bool may_command(const Order& request) {
    error_code error;
    const auto peer = stream_.socket().remote_endpoint(error).address();
    const std::string shown(request[http::field::authorization]);
    const std::string wanted = "Bearer " + token_;
    return !error && peer.is_loopback() && !token_.empty() && shown.size() == wanted.size() &&
           CRYPTO_memcmp(shown.data(), wanted.data(), wanted.size()) == 0;
  }

  void command(bool is_post, const std::string& words, const std::string& text) {
    constexpr std::string_view kClose = "close/";
    if (!is_post && words == "rooms") {
      return shared_.hub.ask_lobby([self = shared_from_this()](Lobby& lobby) {
        self->respond(http::status::ok, rooms_json(lobby.all()) + "\n");
      });
    }
    if (is_post && words == "drain") {
      spdlog::info("an operator drains the server");
      respond(http::status::ok, "{}\n");
      std::raise(SIGTERM);
      return;
    }
    if (is_post && words == "announce") return announce(text);
    if (is_post && words == "sweep") return sweep(text);
    if (is_post && words.starts_with(kClose)) {
      const std::string room = words.substr(kClose.size());
      spdlog::info("an operator closes room {}", room);
      return shared_.hub.close(room, [self = shared_from_this()](Hub::Closing closing) {
        asio::post(self->shared_.hub.first(), [self, closing] { self->closed(closing); });
      });
    }
    respond(http::status::not_found, "no such command\n");
  }

  /// Closes what the text says: `address ADDRESS`, or `idle HOURS`.
  void sweep(const std::string& text) {
    const auto space = text.find(' ');
    const std::string word = text.substr(0, space);
    const std::string value = space == std::string::npos ? "" : text.substr(space + 1);
    Hub::Swept what;
    error_code error;
    int hours = 0;
    const char* const end = value.data() + value.size();
    if (word == "address" && !asio::ip::make_address(value, error).is_unspecified() && !error) {
      what.address = value;
    } else if (word == "idle" && std::from_chars(value.data(), end, hours).ptr == end &&
               !value.empty() && hours >= 0) {
      what.empty_for = std::chrono::hours(hours);
    } else {
      return respond(http::status::bad_request, "`address ADDRESS` or `idle HOURS`, please\n");
    }
    spdlog::info("an operator closes all rooms of {}", text);
    shared_.hub.sweep(what, [self = shared_from_this()](std::size_t count) {
      self->respond(http::status::ok, "{\"closed\":" + std::to_string(count) + "}\n");
    });
  }

  void closed(Hub::Closing closing) {
    switch (closing) {
      case Hub::Closing::closed:
        return respond(http::status::ok, "{}\n");
      case Hub::Closing::no_such_room:
        return respond(http::status::not_found, "there is no such room\n");
      case Hub::Closing::storage_unavailable:
        return respond(http::status::service_unavailable,
                       "the room stays: its end cannot be stored now\n");
    }
  }

  void announce(const std::string& text) {
    if (text.empty() || !is_showable(text)) {
      return respond(http::status::bad_request, "one line of text, please\n");
    }
    spdlog::info("an operator says: {}", text);
    const auto frame = std::make_shared<const std::string>(encoded(Notice{text}));
    shared_.each_connection([frame](WsPeer& connection) { connection.tell(frame); });
    respond(http::status::ok, "{}\n");
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
  const std::string token_;
  Plain stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  Response response_;
};

/// Listens for operators, on the hub's first thread.
class OperatorDoor : public std::enable_shared_from_this<OperatorDoor> {
 public:
  /// Binds at once. Throws std::runtime_error and boost::system::system_error.
  explicit OperatorDoor(Shared& shared)
      : shared_(shared),
        token_(admin_token(shared.config.admin_token_file)),
        acceptor_(shared.hub.first(), endpoint_of(shared.config.metrics_listen)) {}

  void open() {
    spdlog::info("metrics at port {}", acceptor_.local_endpoint().port());
    accept();
  }

 private:
  static tcp::endpoint endpoint_of(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon == std::string::npos) throw std::runtime_error(text + " is not ADDRESS:PORT");
    std::string host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    const int port = std::stoi(text.substr(colon + 1));
    if (port < 0 || port > 65535) throw std::runtime_error(text + " names no port");
    return {asio::ip::make_address(host), static_cast<std::uint16_t>(port)};
  }

  void accept() {
    acceptor_.async_accept(
        shared_.hub.first(), [self = shared_from_this()](error_code error, Socket socket) {
          if (error == asio::error::operation_aborted) return;
          if (!error) {
            std::make_shared<OperatorConnection>(self->shared_, self->token_, std::move(socket))
                ->start();
          }
          self->accept();
        });
  }

  Shared& shared_;
  const std::string token_;
  asio::basic_socket_acceptor<tcp, Executor> acceptor_;
};

}  // namespace triquetra::net
