#include "server/store/sqlite_checkpoints.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <utility>

#include "server/base/limits.hpp"

namespace triquetra::sqlite {

namespace asio = boost::asio;

Checkpoints::Checkpoints(std::string file, const char* vfs,
                         std::function<void(std::function<void()>)> ours)
    : file_(std::move(file)),
      vfs_(vfs),
      ours_(std::move(ours)),
      wanted_at_(limits::kCheckpointPages),
      work_(context_.get_executor()),
      thread_([this] { context_.run(); }) {}

Checkpoints::~Checkpoints() {
  work_.reset();
  thread_.join();
}

void Checkpoints::watch(Database& database) {
  pages_ = 0;
  sqlite3_wal_hook(
      database.handle(),
      [](void* self, sqlite3*, const char*, int pages) {
        static_cast<Checkpoints*>(self)->pages_ = pages;
        return SQLITE_OK;
      },
      this);
}

void Checkpoints::look(Database& database) {
  if (std::exchange(is_done_, false)) return finish(database, SQLITE_CHECKPOINT_PASSIVE);
  if (pages_ < limits::kCheckpointPages) wanted_at_ = limits::kCheckpointPages;
  if (pages_ < wanted_at_) return;
  // Where the disk cannot follow, the commits have to wait for it.
  if (pages_ >= limits::kCheckpointPagesMost) return finish(database, SQLITE_CHECKPOINT_FULL);
  if (!std::exchange(runs_, true)) asio::post(context_, [this] { run_aside(); });
}

void Checkpoints::run_aside() {
  try {
    // Opened for this alone: a file that was moved or replaced meanwhile is not held on to.
    Database database(file_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, vfs_);
    // The last to close a file empties its log: not here, where nobody knows what is in it.
    sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    database.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (const Problem& problem) {
    spdlog::warn("{} keeps its log: {}", file_, problem.what());
  }
  ours_([this] {
    runs_ = false;
    is_done_ = true;
  });
}

void Checkpoints::finish(Database& database, int mode) {
  int pages = 0;
  int gone = 0;
  const int code = sqlite3_wal_checkpoint_v2(database.handle(), nullptr, mode, &pages, &gone);
  if (code == SQLITE_OK && gone == pages) return;
  // Somebody who reads the file holds the log back, or the disk is unwell: not again at once.
  if (code != SQLITE_OK) spdlog::warn("{} keeps its log: {}", file_, sqlite3_errstr(code));
  wanted_at_ = pages_ + limits::kCheckpointPages;
}

}  // namespace triquetra::sqlite
