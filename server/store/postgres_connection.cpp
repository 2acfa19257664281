#include "server/store/postgres_connection.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <utility>

#include "server/store/event_store.hpp"

namespace triquetra::postgres {

namespace asio = boost::asio;
using asio::use_awaitable;
using asio::posix::stream_descriptor;

namespace {

constexpr int kBinary = 1;

/// The lowest `bytes` bytes, highest first.
void write_number(std::string& out, std::uint64_t value, std::size_t bytes) {
  constexpr unsigned kBits = 8;
  for (std::size_t i = bytes; i > 0; --i) {
    out += static_cast<char>((value >> (kBits * (i - 1))) & 0xff);
  }
}

/// An array of one dimension, as PostgreSQL reads it.
std::string as_array(Type type, const std::vector<Row>& rows, std::size_t column) {
  constexpr std::size_t kWord = 4;
  std::string out;
  write_number(out, rows.empty() ? 0 : 1, kWord);
  write_number(out, 0, kWord);  // nothing is missing
  write_number(out, static_cast<std::uint64_t>(type), kWord);
  if (rows.empty()) return out;
  write_number(out, rows.size(), kWord);
  write_number(out, 1, kWord);  // the first index
  for (const Row& row : rows) {
    write_number(out, row[column].size(), kWord);
    out += row[column];
  }
  return out;
}

/// Of an array of these.
Oid array_of(Type type) {
  switch (type) {
    case Type::bytes:
      return 1001;
    case Type::number:
      return 1016;
    case Type::text:
      return 1009;
  }
  return 0;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string as_number(std::int64_t value) {
  std::string out;
  write_number(out, static_cast<std::uint64_t>(value), sizeof value);
  return out;
}

Url::Url(const std::string& url) : whole_(url) {
  char* wrong = nullptr;
  PQconninfoOption* const options = libpq().conninfo_parse(url.c_str(), &wrong);
  if (wrong != nullptr) libpq().freemem(wrong);
  if (options == nullptr) {
    throw StoreProblem(
        "--store is no URL of PostgreSQL, such as postgresql://user@host/database; what is no "
        "letter or digit in a password is written as %XX");
  }
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const std::string keyword = option->keyword;
    const bool is_secret = keyword == "password" || keyword == "sslpassword";
    if (is_secret && option->val != nullptr && *option->val != '\0') {
      secrets_.emplace_back(option->val);
    }
  }
  libpq().conninfo_free(options);
}

std::string Url::without_secrets(std::string text) const {
  for (const std::string& secret : secrets_) {
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), "***");
      at += 3;
    }
  }
  return text;
}

std::string_view Answer::bytes(int row, int column) const {
  return {libpq_->getvalue(result_.get(), row, column),
          static_cast<std::size_t>(libpq_->getlength(result_.get(), row, column))};
}

std::int64_t Answer::number(int row, int column) const {
  constexpr unsigned kBits = 8;
  std::uint64_t value = 0;
  for (const char c : bytes(row, column)) value = value << kBits | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(value);
}

Connection::Connection(asio::io_context& context, const Url& url,
                       std::chrono::milliseconds patience)
    : libpq_(libpq()), url_(url), patience_(patience), socket_(context), deadline_(context) {}

Connection::~Connection() { close(); }

void Connection::close() {
  deadline_.cancel();
  prepared_.clear();
  if (socket_.is_open()) socket_.release();
  if (handle_ != nullptr) libpq_.finish(std::exchange(handle_, nullptr));
}

void Connection::hear(void* self, const PGresult* notice) {
  auto& connection = *static_cast<Connection*>(self);
  const char* severity =
      connection.libpq_.result_error_field(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity == nullptr || std::string_view(severity) != "WARNING") return;
  const char* text = connection.libpq_.result_error_field(notice, PG_DIAG_MESSAGE_PRIMARY);
  connection.warning_ = text == nullptr ? "a warning" : text;
}

void Connection::start_clock() {
  late_ = false;
  deadline_.expires_after(patience_);
  deadline_.async_wait([this, clock = ++clock_](boost::system::error_code error) {
    if (error || clock != clock_) return;
    late_ = true;
    if (socket_.is_open()) socket_.cancel();
  });
}

asio::awaitable<bool> Connection::wait(WaitType for_what) {
  if (late_) co_return false;
  boost::system::error_code error;
  auto token = asio::redirect_error(use_awaitable, error);
  co_await socket_.async_wait(for_what, token);
  co_return !error && !late_;
}

void Connection::take_socket() {
  if (socket_.is_open()) socket_.release();
  socket_.assign(libpq_.socket(handle_));
}

std::string Connection::complaint() const {
  return url_.without_secrets(first_line(libpq_.error_message(handle_)));
}

asio::awaitable<std::string> Connection::open() {
  close();
  // The name of the program can be seen by whoever looks after the database; an URL's own goes
  // before.
  const std::array<const char*, 4> keywords = {"fallback_application_name", "client_encoding",
                                               "dbname", nullptr};
  const std::array<const char*, 4> values = {"triquetrad", "UTF8", url_.whole().c_str(), nullptr};
  handle_ = libpq_.connect_start_params(keywords.data(), values.data(), 1);
  if (handle_ == nullptr) co_return "no memory";
  libpq_.set_notice_receiver(handle_, hear, this);
  start_clock();
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  bool is_in_time = libpq_.status(handle_) != CONNECTION_BAD;
  while (is_in_time && state != PGRES_POLLING_OK && state != PGRES_POLLING_FAILED) {
    // Another of several hosts may be tried, on another socket.
    take_socket();
    const auto what = state == PGRES_POLLING_READING ? stream_descriptor::wait_read
                                                     : stream_descriptor::wait_write;
    is_in_time = co_await wait(what);
    if (is_in_time) state = libpq_.connect_poll(handle_);
  }
  if (state == PGRES_POLLING_OK && is_in_time) {
    take_socket();
    libpq_.setnonblocking(handle_, 1);
    co_return "";
  }
  const std::string why = late_ ? "no answer in time" : complaint();
  close();
  co_return why;
}

asio::awaitable<bool> Connection::sent() {
  for (;;) {
    const int left = libpq_.flush(handle_);
    if (left <= 0) co_return left == 0;
    const bool may_go_on = co_await wait(stream_descriptor::wait_write);
    if (!may_go_on) co_return false;
  }
}

Answer Connection::no_answer(const std::string& why) {
  const std::string said = late_ ? "no answer in time" : why;
  close();
  return {libpq_, Answer::Ended::unknown, said, nullptr};
}

asio::awaitable<Answer> Connection::answered() {
  const bool is_sent = co_await sent();
  if (!is_sent) co_return no_answer(complaint());
  std::unique_ptr<PGresult, decltype(&PQclear)> last(nullptr, libpq_.clear);
  for (;;) {
    while (libpq_.is_busy(handle_) == 0) {
      PGresult* const next = libpq_.get_result(handle_);
      if (next != nullptr) {
        const bool has_failed = last && libpq_.result_status(last.get()) == PGRES_FATAL_ERROR;
        if (has_failed) {
          libpq_.clear(next);
        } else {
          last.reset(next);
        }
        continue;
      }
      if (!warning_.empty()) co_return no_answer(warning_);
      if (!last || libpq_.status(handle_) != CONNECTION_OK) co_return no_answer(complaint());
      const ExecStatusType status = libpq_.result_status(last.get());
      if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        deadline_.cancel();
        co_return Answer(libpq_, Answer::Ended::ok, "", last.release());
      }
      const char* severity = libpq_.result_error_field(last.get(), PG_DIAG_SEVERITY_NONLOCALIZED);
      const char* code = libpq_.result_error_field(last.get(), PG_DIAG_SQLSTATE);
      const std::string state = code == nullptr ? "" : code;
      // 40003 and 08...: even PostgreSQL does not know.
      const bool is_certain = severity != nullptr && std::string_view(severity) == "ERROR" &&
                              state != "40003" && !state.starts_with("08");
      if (!is_certain) co_return no_answer(complaint());
      deadline_.cancel();
      const std::string why = complaint();
      co_return Answer(libpq_, Answer::Ended::refused, why, nullptr);
    }
    const bool may_go_on = co_await wait(stream_descriptor::wait_read);
    if (!may_go_on) co_return no_answer(complaint());
    if (libpq_.consume_input(handle_) == 0) co_return no_answer(complaint());
  }
}

asio::awaitable<Answer> Connection::run(const Statement& statement, const std::vector<Row>& rows) {
  warning_.clear();
  start_clock();
  if (prepared_.count(statement.name) == 0) {
    std::vector<Oid> types;
    for (const Type type : statement.columns) types.push_back(array_of(type));
    const int count = static_cast<int>(types.size());
    const int asked =
        libpq_.send_prepare(handle_, statement.name, statement.sql, count, types.data());
    if (asked == 0) co_return no_answer(complaint());
    Answer made = co_await answered();
    if (!made.ok()) co_return made;
    prepared_.insert(statement.name);
    start_clock();
  }
  std::vector<std::string> arrays;
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (std::size_t i = 0; i < statement.columns.size(); ++i) {
    arrays.push_back(as_array(statement.columns[i], rows, i));
  }
  for (const std::string& array : arrays) {
    values.push_back(array.data());
    lengths.push_back(static_cast<int>(array.size()));
  }
  const std::vector<int> formats(arrays.size(), kBinary);
  const int count = static_cast<int>(arrays.size());
  const int asked = libpq_.send_query_prepared(handle_, statement.name, count, values.data(),
                                               lengths.data(), formats.data(), kBinary);
  if (asked == 0) co_return no_answer(complaint());
  Answer answer = co_await answered();
  co_return answer;
}

asio::awaitable<Answer> Connection::run_all(const char* sql) {
  warning_.clear();
  start_clock();
  if (libpq_.send_query(handle_, sql) == 0) co_return no_answer(complaint());
  Answer answer = co_await answered();
  co_return answer;
}

asio::awaitable<void> Connection::lost() {
  boost::system::error_code error;
  auto token = asio::redirect_error(use_awaitable, error);
  co_await socket_.async_wait(stream_descriptor::wait_read, token);
  if (error) co_return;
  // Nothing was asked: what comes is the end, or a word before it.
  if (libpq_.consume_input(handle_) == 0 || libpq_.status(handle_) != CONNECTION_OK) close();
}

void Connection::wake() {
  if (socket_.is_open()) socket_.cancel();
}

std::string Connection::place() const {
  const char* host = libpq_.host(handle_);
  return std::string(libpq_.db(handle_)) + " at " + (host == nullptr ? "" : host);
}

std::string Connection::encoding() const {
  const char* encoding = libpq_.parameter_status(handle_, "server_encoding");
  return encoding == nullptr ? "" : encoding;
}

}  // namespace triquetra::postgres
