// A door: listens at one address and hands over every connection that comes. Both doors of the
// server are of this type, so neither spins when the system has no descriptor left. Only
// ws_server.cpp and operator_door.hpp include this.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/net/handed_socket.hpp"
#include "server/net/peer.hpp"

namespace triquetra::net {

class Listener {
 public:
  /// What becomes of a connection, on the hub's first thread; its socket belongs to `thread`.
  using Take = std::function<void(std::size_t thread, Socket socket)>;

  /// Listens on a socket that is bound already.
  Listener(Hub& hub, std::size_t threads, const HandedSocket& socket)
      : hub_(hub), threads_(threads), acceptor_(hub.first()), pause_(hub.first()) {
    acceptor_.assign(socket.endpoint.protocol(), socket.descriptor);
  }
  /// Binds at once; connections will be spread over the first `threads` threads of the hub. Throws
  /// std::runtime_error that names `option`.
  Listener(Hub& hub, std::size_t threads, const std::string& option, const tcp::endpoint& endpoint)
      : hub_(hub), threads_(threads), acceptor_(hub.first()), pause_(hub.first()) {
    try {
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(asio::socket_base::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen();
    } catch (const boost::system::system_error& problem) {
      throw std::runtime_error(option + " " + as_text(endpoint) + ": " + advice_on(problem.code()));
    }
  }

  void open(Take take) {
    take_ = std::move(take);
    accept();
  }
  void close() {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  static std::string as_text(const tcp::endpoint& endpoint) {
    const std::string address = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" +
           std::to_string(endpoint.port());
  }

  static std::string advice_on(error_code error) {
    if (error == asio::error::address_in_use) {
      return "another program listens there; end it, or choose another port";
    }
    if (error == asio::error::access_denied) {
      return "not permitted; choose a port from 1024 on";
    }
    if (error.value() == EADDRNOTAVAIL) {
      return "this machine has no such address; 0.0.0.0 or [::] is all of its own";
    }
    return error.message();
  }

  void accept() {
    const std::size_t thread = accepted_++ % threads_;
    acceptor_.async_accept(hub_.context(thread), [this, thread](error_code error, Socket socket) {
      // Also who came in just before the door was closed: to drop the socket would cut them off.
      if (!error) take_(thread, std::move(socket));
      if (!acceptor_.is_open()) return;
      if (error) return accept_later();
      accept();
    });
  }

  /// Out of descriptors, most likely: some will come free. Until then the peers wait in the queue,
  /// where asking again at once would cost a core.
  void accept_later() {
    pause_.expires_after(limits::kAcceptPause);
    pause_.async_wait([this](error_code error) {
      if (!error && acceptor_.is_open()) accept();
    });
  }

  Hub& hub_;
  const std::size_t threads_;
  asio::basic_socket_acceptor<tcp, Executor> acceptor_;
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>, Executor>
      pause_;
  std::size_t accepted_ = 0;
  Take take_;
};

}  // namespace triquetra::net
