// One connection to PostgreSQL as coroutines on one thread: what was asked ends by an answer, or
// by its deadline; nothing blocks but the look-up of a name.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/clock.hpp"
#include "server/store/libpq.hpp"

namespace triquetra::postgres {

/// Where the database is, as the host has said it. Whatever is told of it is without its secrets.
class Url {
 public:
  /// Throws StoreProblem, which does not repeat what was given: it may have a password in it.
  explicit Url(const std::string& url);
  const std::string& whole() const { return whole_; }
  /// What libpq says, without the passwords that stand in the URL.
  std::string without_secrets(std::string text) const;

 private:
  std::string whole_;
  std::vector<std::string> secrets_;
};

/// A type of PostgreSQL whose values we send, by its number there.
enum class Type : std::uint32_t { bytes = 17, number = 20, text = 25 };

/// A statement that is prepared once on each connection. Its parameters are arrays, one for each
/// column of what it is about, so that any number of rows are one statement.
struct Statement {
  const char* name;
  const char* sql;
  std::vector<Type> columns;
};

/// A row's values as PostgreSQL reads them in binary.
using Row = std::vector<std::string>;
std::string as_number(std::int64_t value);

/// What a statement has given back, in binary.
class Answer {
 public:
  /// ok. refused: PostgreSQL says that it has changed nothing. unknown: nobody says.
  enum class Ended { ok, refused, unknown };
  Answer(const Libpq& libpq, Ended ended, std::string why, PGresult* result)
      : libpq_(&libpq), ended_(ended), why_(std::move(why)), result_(result, libpq.clear) {}

  Ended ended() const { return ended_; }
  bool ok() const { return ended_ == Ended::ok; }
  /// What went wrong, for the host.
  const std::string& why() const { return why_; }
  int rows() const { return result_ ? libpq_->ntuples(result_.get()) : 0; }
  /// As long as this lives.
  std::string_view bytes(int row, int column) const;
  std::int64_t number(int row, int column) const;

 private:
  const Libpq* libpq_;
  Ended ended_;
  std::string why_;
  std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

class Connection {
 public:
  /// An answer that takes longer than `patience` is none.
  Connection(boost::asio::io_context& context, const Url& url, std::chrono::milliseconds patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects anew. Gives what is wrong; empty: it is open.
  boost::asio::awaitable<std::string> open();
  bool is_open() const { return handle_ != nullptr; }
  void close();
  /// One statement for all these rows, whose values stand in the order of its columns. Whatever is
  /// not certain, a warning too, is unknown, and the connection is closed then. Never cancelled:
  /// who cancels a wait for a standby is told of success.
  boost::asio::awaitable<Answer> run(const Statement& statement, const std::vector<Row>& rows);
  /// Statements of ours without parameters, one behind the other.
  boost::asio::awaitable<Answer> run_all(const char* sql);
  /// Waits until it is lost; a connection on which nothing runs.
  boost::asio::awaitable<void> lost();
  /// Ends a wait for that.
  void wake();
  /// For the host: where it leads, and in which letters the database writes.
  std::string place() const;
  std::string encoding() const;

 private:
  using WaitType = boost::asio::posix::stream_descriptor::wait_type;
  static void hear(void* self, const PGresult* notice);
  void start_clock();
  /// False: cut off, or too late.
  boost::asio::awaitable<bool> wait(WaitType for_what);
  boost::asio::awaitable<bool> sent();
  boost::asio::awaitable<Answer> answered();
  Answer no_answer(const std::string& why);
  void take_socket();
  std::string complaint() const;

  const Libpq& libpq_;
  const Url& url_;
  const std::chrono::milliseconds patience_;
  PGconn* handle_ = nullptr;
  boost::asio::posix::stream_descriptor socket_;  // libpq's own; never closed by us
  Timer deadline_;
  std::uint64_t clock_ = 0;  // which of the waits `late_` speaks of
  bool late_ = false;
  std::string warning_;
  std::set<std::string> prepared_;
};

}  // namespace triquetra::postgres
