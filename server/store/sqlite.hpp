// The little of SQLite that the store and the data folder need, with errors as exceptions. Only
// their code includes this.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace triquetra::sqlite {

/// What SQLite refused, with its extended result code.
class Problem : public std::runtime_error {
 public:
  Problem(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

class Statement;

class Database {
 public:
  /// `flags` as sqlite3_open_v2 has them; `vfs` null for the system's files.
  Database(const std::string& file, int flags, const char* vfs = nullptr);

  void run(const char* sql);
  std::int64_t number(const char* sql);
  std::string text(const char* sql);
  bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  sqlite3* handle() { return handle_.get(); }
  [[noreturn]] void fail(const char* doing);

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement. Texts that are bound must outlive the next reset().
class Statement {
 public:
  Statement(Database& database, const std::string& sql);

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view value);
  Statement& bind_bytes(int index, std::string_view value);
  Statement& bind_null(int index);
  /// Whether there is a row. Throws Problem, after a reset.
  bool step();
  void reset() { sqlite3_reset(handle_.get()); }
  /// step() for a statement without rows, and reset().
  void run();
  std::int64_t number(int column) { return sqlite3_column_int64(handle_.get(), column); }
  bool is_null(int column) { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
  std::string bytes(int column);

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  void check(int code);
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

}  // namespace triquetra::sqlite
