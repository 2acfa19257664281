#include "server/store/sqlite.hpp"

namespace triquetra::sqlite {

Database::Database(const std::string& file, int flags, const char* vfs) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags | SQLITE_OPEN_EXRESCODE, vfs);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw Problem(code, file + ": " + sqlite3_errstr(code));
}

void Database::fail(const char* doing) {
  throw Problem(sqlite3_extended_errcode(handle()),
                std::string(doing) + ": " + sqlite3_errmsg(handle()));
}

void Database::run(const char* sql) {
  if (sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.bytes(0) : "";
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database.handle(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                                      &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) database.fail(sql.c_str());
}

void Statement::check(int code) {
  if (code != SQLITE_OK) database_.fail("bind");
}

Statement& Statement::bind(int index, std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), index, value));
  return *this;
}

Statement& Statement::bind(int index, std::string_view value) {
  check(sqlite3_bind_text(handle_.get(), index, value.data(), static_cast<int>(value.size()),
                          SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null(int index) {
  check(sqlite3_bind_null(handle_.get(), index));
  return *this;
}

Statement& Statement::bind_bytes(int index, std::string_view value) {
  check(sqlite3_bind_blob(handle_.get(), index, value.data(), static_cast<int>(value.size()),
                          SQLITE_STATIC));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const std::string what = sqlite3_errmsg(database_.handle());
  reset();
  throw Problem(code, what);
}

void Statement::run() {
  step();
  reset();
}

std::string Statement::bytes(int column) {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  return data == nullptr ? std::string() : std::string(data, size);
}

}  // namespace triquetra::sqlite
