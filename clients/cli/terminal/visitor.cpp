#include "clients/cli/terminal/visitor.hpp"

#include <iostream>
#include <utility>
#include <variant>

#include "protocol/fairness.hpp"
#include "protocol/reflect.hpp"

namespace triquetra::cli {

std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string seat_state(const SeatShown& seat) {
  if (seat.sent_away.value_or(false)) return "sent_away";
  if (seat.covered.value_or(false)) return "covered";
  if (seat.presence == Presence::away) return "away";
  if (seat.kind == SeatKind::bot && seat.name) return "program";
  return std::string(word_of(seat.kind));
}

Visitor::Visitor(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
                 const Catalogue& catalogue)
    : session_(io, options, *this),
      catalogue_(catalogue),
      entry_(std::move(entry)),
      server_(options.server.text()) {}

void Visitor::tell(const std::string& text) { std::cerr << text << std::endl; }

void Visitor::on_welcome(const Welcome& welcome) {
  tell(catalogue_.text("cli.welcome", {{"name", welcome.player}, {"server", server_}}));
  if (!session_.keeps_token()) tell(catalogue_.text("cli.profile_in_use"));
  if (entry_.create) {
    entry_.create->entropy_hash = promise();
    session_.ask(*entry_.create);
  }
  if (entry_.join) {
    entry_.join->entropy_hash = promise();
    session_.ask(*entry_.join);
  }
  if (entry_.watch) session_.ask(*entry_.watch);
}

void Visitor::on_hello_refused(const Error& error) {
  tell(error_text(error));
  session_.finish(error.code == ErrorCode::unsupported_protocol ? Exit::protocol_mismatch
                                                                : Exit::refused);
}

void Visitor::on_ok(const ClientFrame& request, const Ok& ok) {
  const bool is_create = std::holds_alternative<Create>(request);
  const bool is_entry =
      is_create || std::holds_alternative<Join>(request) || std::holds_alternative<Watch>(request);
  if (!is_entry || !ok.room) return;
  room_ = *ok.room;
  if (is_create) {
    tell(catalogue_.text("cli.created", {{"room", room_}, {"server", server_}}));
    for (int i = 0; i < entry_.bots; ++i) {
      AddBot bot;
      bot.room = room();
      bot.level = entry_.bot_level;
      session_.ask(bot);
    }
    if (entry_.start) {
      Start start;
      start.room = room();
      session_.ask(start);
    }
  }
  on_entered(room_, ok.seat);
}

std::string Visitor::error_text(const Error& error) const {
  if (error.code == ErrorCode::no_such_game) return catalogue_.text("cli.no_such_game");
  std::string text = catalogue_.text("error." + std::string(word_of(error.code)));
  if (error.args.rule) text += " " + catalogue_.text("cli.rule", {{"rule", *error.args.rule}});
  if (error.args.field) text += " (" + *error.args.field + ")";
  return text;
}

Hash Visitor::promise() {
  entropy_ = random_hex_256();
  return Hash(commitment_of(entropy_).value_or(""));
}

void Visitor::on_room(const RoomFrame& frame) {
  // What was promised for a start that was called off is spent, or may be known by now.
  const bool is_anew = frame.status == RoomStatus::open && frame.called_off && !entry_.watch &&
                       promised_anew_for_ != frame.match;
  if (is_anew) {
    promised_anew_for_ = frame.match;
    Rematch rematch;
    rematch.room = room();
    rematch.entropy_hash = promise();
    session_.ask(rematch);
  }
  const bool is_awaited = frame.status == RoomStatus::starting && frame.reveal &&
                          !frame.reveal->empty() && !entropy_.empty();
  if (!is_awaited) return;
  RevealEntropy reveal;
  reveal.room = room();
  reveal.entropy = Hash(entropy_);
  entropy_.clear();
  session_.ask(reveal);
}

void Visitor::on_error(const ClientFrame* request, const Error& error) {
  // A shuffle without our part is still one.
  if (request != nullptr && std::holds_alternative<RevealEntropy>(*request)) return;
  tell(error_text(error));
  if (!is_in() || (request != nullptr && (std::holds_alternative<Join>(*request) ||
                                          std::holds_alternative<Watch>(*request)))) {
    session_.finish(Exit::refused);
  }
}

void Visitor::on_bye(const Bye& bye) {
  if (bye.room && *bye.room != room_) return;
  const bool is_admin = bye.why == WhyClosed::admin;
  tell(catalogue_.text(is_admin ? "bye.closed_admin" : "bye." + std::string(word_of(bye.code))));
  if (bye.code == ByeCode::kicked) session_.finish(Exit::refused);
  if (bye.code == ByeCode::closed || bye.code == ByeCode::left) session_.finish(Exit::ok);
}

void Visitor::on_notice(const Notice& notice) {
  tell(catalogue_.text("notice.text", {{"text", printable(notice.text)}}));
}

void Visitor::on_news(const News& news) {
  if (news.room != room_) return;
  tell(catalogue_.text("news." + std::string(word_of(news.what)),
                       {{"name", printable(news.name.value_or(""))}}));
}

void Visitor::on_lost(std::chrono::milliseconds) { tell(catalogue_.text("cli.lost")); }
void Visitor::on_back() { tell(catalogue_.text("cli.back")); }
void Visitor::on_unheard() { tell(catalogue_.text("error.unheard")); }

void Visitor::on_not_now(const Error& error, std::chrono::milliseconds pause) {
  const std::int64_t seconds = (pause.count() + 999) / 1000;
  tell(catalogue_.text("error.later", {{"why", error_text(error)}, {"seconds", seconds}}));
}

void Visitor::on_no_connection(const std::string& reason) {
  tell(catalogue_.text("cli.no_connection", {{"server", server_}, {"reason", reason}}));
  session_.finish(Exit::no_connection);
}

}  // namespace triquetra::cli
