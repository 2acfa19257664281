// The folder of --data: whose it is while a server runs, and what a host does with it besides:
// backup and restore.
#pragma once

#include <string>

namespace triquetra {

/// The file of the store in a folder. Throws StoreProblem if `folder` is empty: none was given.
std::string data_file(const std::string& folder);

/// Makes what is in a file or folder durable. Throws StoreProblem.
void sync(const std::string& path);

/// A database file as one server's own, whatever becomes of the lock file beside it: SQLite's own
/// locks would keep a backup out too. Taken before SQLite opens the file and given back after it
/// has closed it, since that takes SQLite's locks along. Throws StoreProblem if another server has
/// it, or it is not there and not `may_make`.
class FileLock {
 public:
  FileLock(const std::string& file, bool may_make);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

/// The folder as one server's own: made if it is missing, readable by its owner alone. Throws
/// StoreProblem if another server has it, or it cannot be written.
class DataFolder {
 public:
  explicit DataFolder(std::string folder);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;
  std::string file() const { return data_file(folder_); }

 private:
  std::string folder_;
  int lock_ = -1;
};

/// Writes what the folder holds at one moment into a new file and checks it; a server may run
/// meanwhile. The file holds the secrets of running games. Gives one line about it; throws
/// StoreProblem, and leaves no file then.
std::string back_up(const std::string& folder, const std::string& file);

/// Checks a backup and brings it into a folder in which nothing is kept. Gives one line about it;
/// throws StoreProblem, and leaves the folder as it was.
std::string restore(const std::string& folder, const std::string& file);

}  // namespace triquetra
