// A disk in memory, as an SQLite VFS, that can stop at any write: with everything that was written
// (a killed process), or without some of what was not synced (a power cut), the last of it torn. It
// can also fail for a while and recover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace triquetra::crash {

/// What happens at a chosen operation, counted over writes, truncations, syncs and deletions.
enum class Fault { none, killed, power_cut, full, write_error, sync_error };

struct Plan {
  Fault fault = Fault::none;
  std::uint64_t at = 0;       // the operation, as Disk::operations() counts them
  std::uint64_t lasting = 1;  // how many operations fail; a stop is for ever
};

class Disk {
 public:
  /// Registers itself with SQLite under name().
  explicit Disk(std::uint64_t seed);
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  const char* name() const { return name_.c_str(); }
  void plan(const Plan& plan);
  std::uint64_t operations() const;
  /// It has stopped: nothing more is read or written.
  bool is_stopped() const;
  /// After a stop, with every file closed: what a machine would find when it starts again.
  void restart();
  /// From now on it says that it has synced and has not: to show that its tests can fail.
  void lie() { is_lying_ = true; }

 private:
  friend struct DiskAccess;
  /// A change of a file that may not be on the disk yet.
  struct Change {
    std::size_t offset = 0;
    std::string data;
    bool is_truncation = false;  // to `offset`
    // A failed sync leaves changes that later syncs do not reach, as with Linux.
    enum class State { waiting, synced, doomed } state = State::waiting;
  };
  struct File {
    std::string content;          // as the running system sees it
    std::string on_disk;          // before the changes
    std::vector<Change> changes;  // in order
    bool is_created = false;      // its name is on the disk
    int opened = 0;
    std::vector<std::unique_ptr<char[]>> shared;  // the memory beside a write-ahead log
  };
  static void apply(std::string& content, const Change& change);
  void fold(File& file);
  /// Whether the operation may go on; counts it.
  bool may_go_on(Fault& fault);

  std::string name_;
  std::unique_ptr<struct DiskVfs> vfs_;
  mutable std::mutex mutex_;
  std::mt19937_64 chance_;
  std::map<std::string, std::shared_ptr<File>> files_;
  Plan plan_;
  std::uint64_t operations_ = 0;
  bool is_stopped_ = false;
  Fault stopped_by_ = Fault::none;
  bool is_lying_ = false;
};

}  // namespace triquetra::crash
