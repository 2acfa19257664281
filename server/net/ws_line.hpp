// The bytes of one WebSocket in both directions, from the end of its handshake to the end of its
// connection. What is to be said is written at once and in one call, if the system takes it; what
// it does not take goes out when it does. So nothing ever stands inside a frame that has begun.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/peer.hpp"
#include "server/net/ws_frames.hpp"

namespace triquetra::net {

/// Lives on one thread; every function is called there. Who derives from it says what is heard and
/// said.
class WsLine : public WsPeer, public std::enable_shared_from_this<WsLine> {
 public:
  /// What a peer may send: over the first it fails as too_big, what is over the second waits in the
  /// network.
  struct Allowance {
    std::size_t message_bytes;
    std::size_t bytes_per_second;
  };

  WsLine(Shared& shared, std::size_t thread, Stream stream, const Allowance& allowance);

  ConnectionId id() const final { return id_; }
  asio::io_context& context() final { return context_; }
  void cut_off() final { closed(); }
  void look_at(TimePoint at) final;
  void flush() final;

  /// Hears from here on; `early` has come with the handshake already.
  void begin(std::string early);

 protected:
  /// A message; what it refers to stays until this returns.
  virtual void on_message(std::string_view message, bool is_text) = 0;
  /// Appends whole frames that are to be written next, and says whether there are more after them.
  virtual bool say(std::string& bytes) = 0;
  /// From now on nothing is heard and nothing arrives. Called once.
  virtual void on_gone() = 0;

  std::size_t thread() const { return thread_; }
  Desk& desk() { return shared_.desks[thread_]; }
  Shared& shared() { return shared_; }
  /// Something is to be said, together with whatever else comes of what is happening now.
  void flush_later();
  /// The same, but it may wait a moment, for what would take its place.
  void flush_after_a_moment();
  /// Whether what is said has to wait until the system takes what was said before.
  bool is_blocked() const { return is_writing_; }
  bool is_ending() const { return ending_since_.has_value(); }
  /// When all is said: goodbye, in the words of RFC 6455, and some time for the peer to answer.
  void end(CloseCode code);

 private:
  void read();
  void read_some();
  void has_come(std::span<char> bytes);
  void hear(std::span<char> bytes);
  void take(const Heard& heard);
  void answer_ping(std::string_view payload);
  /// The peer has said its last word, or has lost the right to one.
  void be_over();
  void be_gone();
  /// Into `bytes`: what is to be written next.
  void gather(std::string& bytes);
  /// Writes as much as the system takes; false if the line is broken.
  bool write_some(std::string_view& bytes);
  void write_when_taken();
  void write_over_tls();
  /// Nothing more is said.
  void hang_up();
  void closed();

  Socket& socket() { return stream_.next_layer().socket(); }

  Shared& shared_;
  asio::io_context& context_;
  const std::size_t thread_;
  const ConnectionId id_;
  const std::size_t bytes_per_second_;
  Stream stream_;
  WsReader reader_;
  std::vector<char> tls_heard_;  // only with TLS
  std::string control_;          // frames that stand before all others
  std::string farewell_;         // a frame that stands behind them
  std::string unsent_;           // what the system did not take
  std::size_t unsent_from_ = 0;  // what it took since
  std::size_t heard_bytes_ = 0;  // since somebody looked at this
  TimePoint heard_at_{};
  // Since when a message has been incomplete, bytes have been on their way out, a farewell unread.
  std::optional<TimePoint> hearing_since_;
  std::optional<TimePoint> writing_since_;
  std::optional<TimePoint> ending_since_;
  bool will_flush_ = false;
  bool waits_a_moment_ = false;
  bool is_writing_ = false;
  bool is_pinged_ = false;
  bool rests_ = false;         // has sent too much for this second
  bool said_goodbye_ = false;  // our close frame is on its way
  bool is_over_ = false;       // the peer's has come, or something that made ours our last word
  bool has_hung_up_ = false;
  bool is_gone_ = false;
  bool is_closed_ = false;
};

}  // namespace triquetra::net
