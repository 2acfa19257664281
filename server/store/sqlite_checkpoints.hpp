// The write-ahead log of the store's file goes into the file on a thread of its own, so that no
// commit waits for it. Only what has come meanwhile is left to the thread that commits: little, and
// after that the log begins anew.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <string>
#include <thread>

#include "server/store/sqlite.hpp"

namespace triquetra::sqlite {

class Checkpoints {
 public:
  /// Of a file in SQLite's file system of that name; null: the system's. `ours` runs f() on the
  /// thread that commits.
  Checkpoints(std::string file, const char* vfs, std::function<void(std::function<void()>)> ours);
  /// Waits for the one that runs.
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// The connection commits, and is told about here: SQLite itself no longer cares for its log.
  void watch(Database& database);
  /// After a commit: begins one if the log is long. On the thread that commits.
  void look(Database& database);

 private:
  void run_aside();
  void finish(Database& database, int mode);

  const std::string file_;
  const char* const vfs_;
  const std::function<void(std::function<void()>)> ours_;
  int pages_ = 0;         // in the log, after the last commit
  int wanted_at_ = 0;     // so many pages begin the next one
  bool runs_ = false;     // aside
  bool is_done_ = false;  // and now what is left
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace triquetra::sqlite
