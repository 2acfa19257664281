// One HTTP peer, until it is answered or has become a WebSocket. Only peers.cpp includes this: a
// compiler has enough to do with Beast once.
#pragma once

#include <spdlog/spdlog.h>
#include <boost/beast/websocket/rfc6455.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/net/ws_connection.hpp"
#include "server/ops/pages.hpp"
#include "server/room/logged_match.hpp"

namespace triquetra::net {

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  /// `address` is the peer's own, which may be a proxy's.
  HttpConnection(Shared& shared, std::size_t thread, Stream stream, std::string address,
                 PassPointer pass)
      : shared_(shared),
        thread_(thread),
        context_(shared.hub.context(thread)),
        peer_(std::move(address)),
        pass_(std::move(pass)),
        stream_(std::move(stream)) {}

  void start() {
    if (!stream_.is_tls()) return read();
    stream_.next_layer().expires_after(limits::kHandshakeTime);
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [self = shared_from_this()](error_code error) {
                              if (!error) self->read();
                            });
  }

 private:
  static constexpr std::string_view kWebSocketVersion = "13";
  static constexpr std::string_view kStarting = "starting: the rooms are being read\n";

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits::kHeaderBytes));
    parser_->body_limit(0);
    beast::get_lowest_layer(stream_).expires_after(limits::kHandshakeTime);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (error) return self->could_not_read(error);
                       self->request_ = self->parser_->release();
                       self->answer();
                     });
  }

  void could_not_read(error_code error) {
    if (error == http::error::body_limit || error == http::error::unexpected_body) {
      respond(http::status::payload_too_large, "text/plain", "no body, please\n");
    } else if (error == http::error::header_limit) {
      respond(http::status::request_header_fields_too_large, "text/plain", "too much header\n");
    } else if (error.category() == make_error_code(http::error::bad_value).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      respond(http::status::bad_request, "text/plain", "this is not HTTP\n");
    }
  }

  void answer() {
    const std::string target(request_.target());
    const std::string path = target.substr(0, target.find('?'));
    head_only_ = request_.method() == http::verb::head;
    account_.clear();
    keep_alive_ = request_.keep_alive();
    // A body, however it is announced, could be read as a second request by somebody between us.
    if (is_ambiguous(request_) || request_.count(http::field::transfer_encoding) > 0) {
      return respond(http::status::bad_request, "text/plain", "this is ambiguous\n");
    }
    const bool asks_how_we_are = path == "/healthz" || path == "/readyz";
    if (shared_.starting && !asks_how_we_are) {
      return respond(http::status::service_unavailable, "text/plain", std::string(kStarting));
    }
    if (!asks_how_we_are && !is_host_allowed(field(http::field::host), shared_.config.allow_host)) {
      spdlog::debug("refused the host {} from {}", field(http::field::host), peer_);
      metrics().turned_away("host");
      return respond(http::status::misdirected_request, "text/plain",
                     "not a name of this server; see --allow-host\n");
    }
    if (path == "/ws" || path.starts_with("/ws/")) return upgrade();
#ifdef TRIQUETRA_TEST_ECHO
    if (path == "/test/echo") return become_websocket(peer_, pass_, true);
#endif
    if (request_.method() != http::verb::get && !head_only_) {
      return respond(http::status::method_not_allowed, "text/plain", "only GET here\n");
    }
    if (!asks_how_we_are) return ration(path);
    show(path);
  }

  /// Bytes have a budget for each address, so that few who ask cannot fill our line.
  void ration(const std::string& path) {
    account_ = client();
    sent_ = path.starts_with("/api/") ? Sent::answer : Sent::file;
    shared_.hub.ask_gate([self = shared_from_this(), path](Gatekeeper& gate) {
      const auto wait = gate.wait_to_send(self->account_, self->sent_, now());
      asio::post(self->context_, [self, path, wait] {
        if (wait.count() <= 0) return self->show(path);
        self->account_.clear();
        self->retry_after_ = std::chrono::ceil<std::chrono::seconds>(wait);
        self->respond(http::status::too_many_requests, "text/plain", "too much for now\n");
      });
    });
  }

  void show(const std::string& path) {
    if (path == "/api/v1/rooms") return rooms();
    if (path.starts_with(kRoomsPath)) return invitation(path.substr(kRoomsPath.size()));
    if (path.starts_with(kRecordsPath)) return record(path.substr(kRecordsPath.size()));
    if (path == "/readyz") {
      if (shared_.starting) {
        return respond(http::status::service_unavailable, "text/plain", std::string(kStarting));
      }
      if (shared_.draining) {
        return respond(http::status::service_unavailable, "text/plain", "draining\n");
      }
      if (!shared_.hub.may_speak()) {
        return respond(http::status::service_unavailable, "text/plain", "no lease\n");
      }
      if (!metrics().stores_well()) {
        return respond(http::status::service_unavailable, "text/plain", "the store refuses\n");
      }
      return respond(http::status::ok, "text/plain", "ready\n");
    }
    if (const auto page = page_of(path, shared_.web.build())) {
      return respond(http::status::ok, page->type, page->body);
    }
    const auto file = shared_.web.answer(path, request_[http::field::if_none_match],
                                         request_[http::field::accept_encoding]);
    if (file) return hand_out(*file);
    respond(http::status::not_found, "text/plain", "not here\n");
  }

  void rooms() {
    shared_.hub.ask_lobby([self = shared_from_this()](Lobby& lobby) {
      asio::post(self->context_, [self, text = rooms_json(lobby.listed())] {
        self->respond(http::status::ok, "application/json", text);
      });
    });
  }

  /// Whoever asks for a room that may not be told of has guessed, as if they had tried to go in.
  void invitation(const std::string& code) {
    const auto told = [self = shared_from_this(), code](const GuessPointer& guess) {
      if (!guess) {
        return asio::post(self->context_, [self] {
          self->respond(http::status::too_many_requests, "text/plain", "too many guesses\n");
        });
      }
      guess->ask();
      self->shared_.hub.find_invitation(code, [self, guess](const auto& found) {
        if (found) guess->give_back();
        asio::post(self->context_, [self, text = invitation_json(found)] {
          self->respond(http::status::ok, "application/json", text);
        });
      });
    };
    shared_.hub.ask_to_guess(account_, Guessed::code, told);
  }

  /// No guess is counted for a wrong id: it names 128 random bits, and only a match that whoever
  /// comes may see.
  void record(const std::string& match) {
    shared_.hub.read_open_record(match, [self = shared_from_this()](const ReadMatch& read) {
      asio::post(self->context_, [self, read] { self->hand_out_record(read); });
    });
  }

  void hand_out_record(const ReadMatch& read) {
    const auto* match = std::get_if<std::shared_ptr<const LoggedMatch>>(&read);
    if (match != nullptr && (*match)->finished) {
      return hand_out(record_answer((*match)->finished->record));
    }
    const ErrorCode why = match != nullptr ? ErrorCode::no_such_match : std::get<ErrorCode>(read);
    if (why == ErrorCode::storage_unavailable || why == ErrorCode::busy) {
      const std::string word(word_of(why));
      return respond(http::status::service_unavailable, "text/plain", word + "\n");
    }
    respond(http::status::not_found, "text/plain", "no_such_match\n");
  }

  void upgrade() {
    if (!beast::websocket::is_upgrade(request_)) {
      // Not for somebody who has typed the address: a browser that wants a WebSocket sends a key.
      if (request_.count(http::field::sec_websocket_key) > 0) {
        warn("came without Upgrade; a proxy must pass Upgrade and Connection on");
      }
      return respond(http::status::upgrade_required, "text/plain", "this is a WebSocket address\n");
    }
    if (!has_key()) {
      return respond(http::status::bad_request, "text/plain", "this is no Sec-WebSocket-Key\n");
    }
    if (field(http::field::sec_websocket_version) != kWebSocketVersion) {
      return respond(http::status::upgrade_required, "text/plain", "version 13, please\n");
    }
    // A page of another site must not play with its visitor's network access.
    if (!may_come_from()) {
      spdlog::debug("refused the origin {} from {}", field(http::field::origin), peer_);
      warn("is of another site; a proxy must pass Host on, or --allow-origin name the site");
      metrics().turned_away("origin");
      return respond(http::status::forbidden, "text/plain", "this origin may not connect\n");
    }
    const std::string address = client();
    if (address == peer_) return become_websocket(address, pass_);
    // Behind a proxy each client counts for itself.
    shared_.hub.ask_gate([self = shared_from_this(), address](Gatekeeper& gate) {
      if (!gate.admit(address, now())) {
        metrics().turned_away("address");
        return asio::post(self->context_, [self] {
          self->respond(http::status::too_many_requests, "text/plain", "too many from there\n");
        });
      }
      const auto pass = std::make_shared<Pass>(self->shared_, address);
      asio::post(self->context_, [self, address, pass] { self->become_websocket(address, pass); });
    });
  }

  void become_websocket(const std::string& address, const PassPointer& pass, bool echoes = false) {
    response_.emplace(http::status::switching_protocols, 11);
    response_->set(http::field::upgrade, "websocket");
    response_->set(http::field::connection, "Upgrade");
    response_->set(http::field::sec_websocket_accept,
                   accept_key(field(http::field::sec_websocket_key)));
    beast::get_lowest_layer(stream_).expires_after(limits::kHandshakeTime);
    http::async_write(
        stream_, *response_,
        [self = shared_from_this(), address, pass, echoes](error_code error, std::size_t) {
          if (!error) self->hand_over(address, pass, echoes);
        });
  }

  void hand_over(const std::string& address, const PassPointer& pass, bool echoes) {
    std::string early = beast::buffers_to_string(buffer_.data());
#ifdef TRIQUETRA_TEST_ECHO
    if (echoes) {
      return std::make_shared<EchoConnection>(shared_, thread_, std::move(stream_))
          ->begin(std::move(early));
    }
#endif
    static_cast<void>(echoes);
    std::make_shared<WsConnection>(shared_, thread_, std::move(stream_), address, pass)
        ->accept(std::move(early));
  }

  /// What keeps a player out though pages arrive, for whoever set up the proxy before us.
  void warn(std::string_view what) {
    if (!shared_.may_warn()) return;
    spdlog::warn("a WebSocket {} (Origin \"{}\", Host \"{}\", from {}): see docs/HOSTING.md", what,
                 field(http::field::origin).substr(0, limits::kQuotedBytes),
                 field(http::field::host).substr(0, limits::kQuotedBytes), peer_);
  }

  /// Who asks: the peer, or whom a trusted proxy brings.
  std::string client() const {
    return client_address(peer_, joined(request_, "X-Forwarded-For"), shared_.trusted_proxies);
  }

  /// RFC 6455, 4.2.1: 16 bytes in base64.
  bool has_key() const {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::string key = field(http::field::sec_websocket_key);
    constexpr std::size_t kLength = 24;
    return key.size() == kLength && key.ends_with("==") &&
           key.find_first_not_of(kDigits) == kLength - 2;
  }

  bool may_come_from() const {
    const std::string origin = field(http::field::origin);
    if (origin.empty()) return true;
    const auto& allowed = shared_.config.allow_origin;
    if (std::find(allowed.begin(), allowed.end(), origin) != allowed.end()) return true;
    const std::string host = field(http::field::host);
    return origin == "http://" + host || origin == "https://" + host;
  }

  template <class Name>
  std::string field(Name name) const {
    return std::string(request_[name]);
  }

  void hand_out(const WebAnswer& file) {
    response_.emplace(static_cast<http::status>(file.status), 11);
    for (const auto& [name, value] : file.headers) response_->set(name, value);
    if (!file.location.empty()) response_->set(http::field::location, file.location);
    response_->keep_alive(keep_alive_);
    write(std::string(file.body), limits::kFileTime);
  }

  void respond(http::status status, std::string_view type, std::string body) {
    response_.emplace(status, 11);
    for (const auto& [name, value] : security_headers()) response_->set(name, value);
    response_->set(http::field::content_type, type);
    response_->set(http::field::cache_control, "no-store");
    if (status == http::status::method_not_allowed) response_->set(http::field::allow, "GET, HEAD");
    if (status == http::status::upgrade_required) {
      response_->set(http::field::sec_websocket_version, kWebSocketVersion);
    }
    if (status == http::status::service_unavailable) response_->set(http::field::retry_after, "1");
    if (status == http::status::too_many_requests) {
      response_->set(http::field::retry_after, std::to_string(retry_after_.count()));
    }
    const bool failed = http::to_status_class(status) != http::status_class::successful;
    response_->keep_alive(keep_alive_ && !failed);
    write(std::move(body), limits::kHandshakeTime);
  }

  void write(std::string body, std::chrono::seconds within) {
    if (stream_.is_tls()) {
      // Browsers take this from certificates they trust only, and never for bare addresses.
      response_->set("Strict-Transport-Security", "max-age=31536000");
    }
    if (response_->result() != http::status::not_modified) response_->content_length(body.size());
    if (!head_only_) response_->body() = std::move(body);
    if (const std::size_t bytes = response_->body().size(); !account_.empty() && bytes > 0) {
      shared_.hub.ask_gate([account = account_, what = sent_, bytes](Gatekeeper& gate) {
        gate.sent(account, what, bytes, now());
      });
    }
    beast::get_lowest_layer(stream_).expires_after(within);
    http::async_write(stream_, *response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return;
                        if (self->response_->keep_alive()) return self->read();
                        self->say_goodbye();
                      });
  }

  void say_goodbye() {
    if (stream_.is_tls()) {
      return stream_.async_shutdown([self = shared_from_this()](error_code) {});
    }
    error_code ignored;
    stream_.next_layer().socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  Shared& shared_;
  const std::size_t thread_;
  asio::io_context& context_;
  const std::string peer_;
  const PassPointer pass_;
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  Request request_;
  std::optional<Response> response_;
  bool head_only_ = false;
  bool keep_alive_ = false;
  std::string account_;  // the address that pays for what is sent; empty: nobody
  Sent sent_ = Sent::answer;
  std::chrono::seconds retry_after_{1};
};

}  // namespace triquetra::net
