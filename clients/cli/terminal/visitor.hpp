// What every way of playing has in common: entering a room, hearing a refusal, ending with the
// right exit code.
#pragma once

#include <optional>
#include <string>

#include "clients/cli/games/catalogue.hpp"
#include "clients/cli/network/session.hpp"

namespace triquetra::cli {

/// How to enter: exactly one of create, join and watch, or none of them to look around only.
struct Entry {
  std::optional<Create> create;
  std::optional<Join> join;
  std::optional<Watch> watch;
  int bots = 0;  // to add after create
  BotLevel bot_level = BotLevel::normal;
  bool start = false;  // at once after create
};

/// What somebody else has written, without control characters: they do not reach this terminal.
std::string printable(std::string text);

/// The word for who has a seat and how, of the message room.seat.
std::string seat_state(const SeatShown& seat);

class Visitor : public Listener {
 public:
  Visitor(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
          const Catalogue& catalogue);

  void open() { session_.open(); }
  Exit exit_code() const { return session_.exit_code(); }

  void on_welcome(const Welcome& welcome) override;
  void on_hello_refused(const Error& error) override;
  void on_ok(const ClientFrame& request, const Ok& ok) override;
  void on_room(const RoomFrame& room) override;
  void on_error(const ClientFrame* request, const Error& error) override;
  void on_bye(const Bye& bye) override;
  void on_notice(const Notice& notice) override;
  void on_news(const News& news) override;
  void on_lost(std::chrono::milliseconds delay) override;
  void on_back() override;
  void on_not_now(const Error& error, std::chrono::milliseconds pause) override;
  void on_unheard() override;
  void on_no_connection(const std::string& reason) override;

 protected:
  /// For the person at the terminal; on stderr unless the mode has a better place.
  virtual void tell(const std::string& text);
  /// We are in: the room and, for players, the seat.
  virtual void on_entered(const std::string&, std::optional<Seat>) {}
  virtual std::string error_text(const Error& error) const;
  /// Takes part in the next shuffle (docs/FAIRNESS.md): the hash to send with the request.
  Hash promise();
  bool is_in() const { return !room_.empty(); }
  RoomCode room() const { return RoomCode(room_); }
  const std::string& server() const { return server_; }

  Session session_;
  const Catalogue& catalogue_;
  Entry entry_;

 private:
  std::string server_;
  std::string room_;
  std::string entropy_;            // promised and not yet revealed; empty if none
  std::string promised_anew_for_;  // the match, after a start that was called off
};

}  // namespace triquetra::cli
