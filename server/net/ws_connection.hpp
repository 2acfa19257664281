// A player's WebSocket: a session hears what comes, and an outbox has what it is to be told.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/net/outbox.hpp"
#include "server/net/ws_line.hpp"
#include "server/people/session.hpp"

namespace triquetra::net {

class WsConnection final : public WsLine {
 public:
  WsConnection(Shared& shared, std::size_t thread, Stream stream, std::string address,
               PassPointer pass);
  ~WsConnection() override;
  WsConnection(const WsConnection&) = delete;
  WsConnection& operator=(const WsConnection&) = delete;

  /// As begin(), with a session and within sight of the server's upkeep.
  void accept(std::string early);
  void send(Outgoing frame, std::string room) override;
  void finish(ByeCode code, std::int64_t retry_ms) override;
  void tell(const std::shared_ptr<const std::string>& frame) override;
  void receive(Outgoing frame, const std::string& room) override;

 private:
  void on_message(std::string_view message, bool is_text) override;
  bool say(std::string& bytes) override;
  void on_gone() override;
  void say_bye(ByeCode code, std::int64_t retry_ms);
  /// What /metrics says of all outboxes together.
  void count();
  std::shared_ptr<WsConnection> self();

  const std::string address_;
  const PassPointer pass_;
  std::shared_ptr<Session> session_;
  Outbox outbox_;
  TimePoint told_roster_at_{};
  std::int64_t counted_ = 0;  // of its frames
};

#ifdef TRIQUETRA_TEST_ECHO
/// Says again whatever it hears: for the conformance suite, in builds with tests alone.
class EchoConnection final : public WsLine {
 public:
  EchoConnection(Shared& shared, std::size_t thread, Stream stream);
  void send(Outgoing /*frame*/, std::string /*room*/) override {}
  void finish(ByeCode /*code*/, std::int64_t /*retry_ms*/) override {}
  void tell(const std::shared_ptr<const std::string>& /*frame*/) override {}
  void receive(Outgoing /*frame*/, const std::string& /*room*/) override {}

 private:
  void on_message(std::string_view message, bool is_text) override;
  bool say(std::string& bytes) override;
  void on_gone() override {}

  std::string echoes_;  // as frames
};
#endif

}  // namespace triquetra::net
