#include "server/store/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "server/store/sqlite.hpp"
#include "server/store/sqlite_store.hpp"

namespace triquetra {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw StoreProblem(what + ": " + std::strerror(errno));
}

std::string folder_of(const std::string& file) {
  const fs::path parent = fs::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Copies a database into a new file: all of one moment, whoever writes to it meanwhile.
void copy_database(const std::string& from, const std::string& to) {
  if (fs::exists(to)) throw StoreProblem(to + " exists already");
  try {
    sqlite::Database database(from, SQLITE_OPEN_READWRITE);
    database.run("PRAGMA busy_timeout = 5000");
    sqlite::Statement copy(database, "VACUUM INTO ?");
    copy.bind(1, to).run();
    sync(to);
    sync(folder_of(to));
  } catch (const std::runtime_error& problem) {
    fs::remove(to);
    throw StoreProblem(from + " cannot be copied to " + to + ": " + problem.what());
  }
}

}  // namespace

void sync(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path);
  const bool synced = fsync(file) == 0;
  close(file);
  if (!synced) fail(path);
}

std::string data_file(const std::string& folder) {
  if (folder.empty()) throw StoreProblem("which folder? Give it with --data");
  return (fs::path(folder) / "triquetra.db").string();
}

FileLock::FileLock(const std::string& file, bool may_make)
    : file_(open(file.c_str(), O_RDWR | O_CLOEXEC | (may_make ? O_CREAT : 0), S_IRUSR | S_IWUSR)) {
  if (file_ < 0) fail(file);
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  close(file_);
  throw StoreProblem(file + " is used by another server");
}

FileLock::~FileLock() { close(file_); }

DataFolder::DataFolder(std::string folder) : folder_(std::move(folder)) {
  // Tokens are kept as hashes only, but the logs of running games hold their secrets.
  umask(S_IRWXG | S_IRWXO);
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw StoreProblem(folder_ + ": " + error.message());
  const std::string file = (fs::path(folder_) / "lock").string();
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (lock_ < 0) fail(file);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw StoreProblem(folder_ + " is used by another server");
  }
}

DataFolder::~DataFolder() { close(lock_); }

std::string back_up(const std::string& folder, const std::string& file) {
  const std::string from = data_file(folder);
  if (!fs::exists(from)) throw StoreProblem("nothing is kept in " + folder);
  umask(S_IRWXG | S_IRWXO);
  copy_database(from, file);
  try {
    return check_store(file);
  } catch (const StoreProblem&) {
    fs::remove(file);
    throw;
  }
}

std::string restore(const std::string& folder, const std::string& file) {
  if (!fs::exists(file)) throw StoreProblem(file + " is not there");
  check_store(file);
  const DataFolder ours(folder);
  if (fs::exists(ours.file())) {
    throw StoreProblem(ours.file() + " exists already; move it away first");
  }
  const std::string half = ours.file() + ".half";
  fs::remove(half);
  copy_database(file, half);
  fs::rename(half, ours.file());
  sync(folder);
  return check_store(ours.file());
}

}  // namespace triquetra
