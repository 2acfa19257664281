#include "tests/crash/crash_disk.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>

namespace triquetra::crash {

struct DiskVfs {
  sqlite3_vfs vfs{};
};

/// What SQLite opens: its own part first.
struct Handle {
  sqlite3_file base{};
  Disk* disk = nullptr;
  void* file = nullptr;  // a Disk::File
  bool deletes_on_close = false;
};

constexpr std::size_t kSector = 512;

/// The functions of the VFS: the only ones that see the files.
struct DiskAccess {
  using File = Disk::File;
  using Change = Disk::Change;
  using Lock = std::lock_guard<std::mutex>;

  static Disk& disk_of(sqlite3_vfs* vfs) { return *static_cast<Disk*>(vfs->pAppData); }
  static Handle& handle_of(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }
  static File& file_of(sqlite3_file* file) { return *static_cast<File*>(handle_of(file).file); }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* out, int flags,
                  int* out_flags) {
    Disk& disk = disk_of(vfs);
    const Lock lock(disk.mutex_);
    out->pMethods = nullptr;
    if (disk.is_stopped_) return SQLITE_CANTOPEN;
    const std::string key = name != nullptr ? name : "temporary";
    auto& file = disk.files_[key];
    if (!file) {
      if ((flags & SQLITE_OPEN_CREATE) == 0) {
        disk.files_.erase(key);
        return SQLITE_CANTOPEN;
      }
      file = std::make_shared<File>();
    }
    ++file->opened;
    auto* handle = new (out) Handle;
    handle->disk = &disk;
    handle->file = file.get();
    handle->base.pMethods = methods();
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int) {
    Disk& disk = disk_of(vfs);
    const Lock lock(disk.mutex_);
    Fault fault = Fault::none;
    if (!disk.may_go_on(fault)) return SQLITE_IOERR_DELETE;
    // At once on the disk: a log that comes back empty-handed is the kinder case.
    disk.files_.erase(name);
    return SQLITE_OK;
  }

  static int access(sqlite3_vfs* vfs, const char* name, int, int* result) {
    Disk& disk = disk_of(vfs);
    const Lock lock(disk.mutex_);
    if (disk.is_stopped_) return SQLITE_IOERR_ACCESS;
    *result = disk.files_.count(name) != 0 ? 1 : 0;
    return SQLITE_OK;
  }

  static int full_path(sqlite3_vfs*, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
  }

  static int close(sqlite3_file* opened) {
    const Lock lock(handle_of(opened).disk->mutex_);
    --file_of(opened).opened;
    return SQLITE_OK;
  }

  static int read(sqlite3_file* opened, void* out, int amount, sqlite3_int64 offset) {
    const Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    if (disk.is_stopped_) return SQLITE_IOERR_READ;
    const std::string& content = file_of(opened).content;
    const auto wanted = static_cast<std::size_t>(amount);
    const auto from = std::min(static_cast<std::size_t>(offset), content.size());
    const std::size_t got = std::min(wanted, content.size() - from);
    std::memcpy(out, content.data() + from, got);
    std::memset(static_cast<char*>(out) + got, 0, wanted - got);
    return got == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }

  static int write(sqlite3_file* opened, const void* data, int amount, sqlite3_int64 offset) {
    Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    File& file = file_of(opened);
    Change change;
    change.offset = static_cast<std::size_t>(offset);
    change.data.assign(static_cast<const char*>(data), static_cast<std::size_t>(amount));
    Fault fault = Fault::none;
    if (!disk.may_go_on(fault)) {
      // The write that was under way has come as far as some sector. One that is said to have
      // failed has not left what it should have written, also not by what stood there before.
      if (fault != Fault::none) {
        const std::string whole = change.data;
        change.data.resize(disk.chance_() % (whole.size() + 1) / kSector * kSector);
        std::string after = file.content;
        Disk::apply(after, change);
        const bool is_whole = after.compare(change.offset, whole.size(), whole) == 0;
        if (disk.is_stopped_ || !is_whole) change_file(file, change);
      }
      return fault == Fault::full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    change_file(file, change);
    return SQLITE_OK;
  }

  static int truncate(sqlite3_file* opened, sqlite3_int64 size) {
    Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    Fault fault = Fault::none;
    if (!disk.may_go_on(fault)) return SQLITE_IOERR_TRUNCATE;
    Change change;
    change.offset = static_cast<std::size_t>(size);
    change.is_truncation = true;
    change_file(file_of(opened), change);
    return SQLITE_OK;
  }

  static int sync(sqlite3_file* opened, int) {
    Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    File& file = file_of(opened);
    Fault fault = Fault::none;
    const bool works = disk.may_go_on(fault);
    if (disk.is_lying_) return SQLITE_OK;
    for (Change& change : file.changes) {
      if (change.state != Change::State::waiting) continue;
      if (works) change.state = Change::State::synced;
      if (!works && fault != Fault::none) change.state = Change::State::doomed;
    }
    if (!works) return SQLITE_IOERR_FSYNC;
    file.is_created = true;
    disk.fold(file);
    return SQLITE_OK;
  }

  static int file_size(sqlite3_file* opened, sqlite3_int64* size) {
    const Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    if (disk.is_stopped_) return SQLITE_IOERR_FSTAT;
    *size = static_cast<sqlite3_int64>(file_of(opened).content.size());
    return SQLITE_OK;
  }

  static int shm_map(sqlite3_file* opened, int region, int size, int extend, void volatile** out) {
    const Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    auto& shared = file_of(opened).shared;
    const auto index = static_cast<std::size_t>(region);
    *out = nullptr;
    if (index >= shared.size()) {
      if (extend == 0) return SQLITE_OK;
      while (shared.size() <= index) {
        shared.push_back(std::make_unique<char[]>(static_cast<std::size_t>(size)));
      }
    }
    *out = shared[index].get();
    return SQLITE_OK;
  }
  static int shm_unmap(sqlite3_file* opened, int) {
    const Disk& disk = *handle_of(opened).disk;
    const Lock lock(disk.mutex_);
    // Only one connection at a time has a file here.
    file_of(opened).shared.clear();
    return SQLITE_OK;
  }

  static void change_file(File& file, const Change& change) {
    Disk::apply(file.content, change);
    file.changes.push_back(change);
  }

  static const sqlite3_io_methods* methods() {
    static const sqlite3_io_methods kMethods = [] {
      sqlite3_io_methods m{};
      m.iVersion = 2;
      m.xClose = close;
      m.xRead = read;
      m.xWrite = write;
      m.xTruncate = truncate;
      m.xSync = sync;
      m.xFileSize = file_size;
      m.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
      m.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
      m.xCheckReservedLock = [](sqlite3_file*, int* result) {
        *result = 0;
        return SQLITE_OK;
      };
      m.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
      m.xSectorSize = [](sqlite3_file*) { return static_cast<int>(kSector); };
      // As SQLite takes the system's files to be: a torn write harms what it wrote, and only that.
      m.xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; };
      m.xShmMap = shm_map;
      m.xShmLock = [](sqlite3_file*, int, int, int) { return SQLITE_OK; };
      m.xShmBarrier = [](sqlite3_file*) {};
      m.xShmUnmap = shm_unmap;
      return m;
    }();
    return &kMethods;
  }
};

Disk::Disk(std::uint64_t seed) : vfs_(std::make_unique<DiskVfs>()), chance_(seed) {
  static std::atomic<int> count{0};
  name_ = "crash-disk-" + std::to_string(++count);
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  sqlite3_vfs& vfs = vfs_->vfs;
  vfs = *system;
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(Handle);
  vfs.pNext = nullptr;
  vfs.zName = name_.c_str();
  vfs.pAppData = this;
  vfs.xOpen = DiskAccess::open;
  vfs.xDelete = DiskAccess::remove;
  vfs.xAccess = DiskAccess::access;
  vfs.xFullPathname = DiskAccess::full_path;
  // Its clock and chance are the system's, and those want their own data.
  vfs.xRandomness = [](sqlite3_vfs*, int size, char* out) {
    return sqlite3_vfs_find(nullptr)->xRandomness(sqlite3_vfs_find(nullptr), size, out);
  };
  vfs.xCurrentTime = [](sqlite3_vfs*, double* out) {
    return sqlite3_vfs_find(nullptr)->xCurrentTime(sqlite3_vfs_find(nullptr), out);
  };
  if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) throw std::runtime_error("no VFS");
}

Disk::~Disk() { sqlite3_vfs_unregister(&vfs_->vfs); }

void Disk::plan(const Plan& plan) {
  const std::lock_guard<std::mutex> lock(mutex_);
  plan_ = plan;
}

std::uint64_t Disk::operations() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return operations_;
}

bool Disk::is_stopped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_stopped_;
}

bool Disk::may_go_on(Fault& fault) {
  fault = Fault::none;
  if (is_stopped_) return false;
  const std::uint64_t operation = operations_++;
  if (plan_.fault == Fault::none || operation < plan_.at) return true;
  const bool is_stop = plan_.fault == Fault::killed || plan_.fault == Fault::power_cut;
  if (!is_stop && operation >= plan_.at + plan_.lasting) return true;
  fault = plan_.fault;
  if (is_stop) {
    is_stopped_ = true;
    stopped_by_ = fault;
  }
  return false;
}

void Disk::apply(std::string& content, const Change& change) {
  if (change.is_truncation) {
    content.resize(change.offset);
    return;
  }
  if (content.size() < change.offset + change.data.size()) {
    content.resize(change.offset + change.data.size());
  }
  content.replace(change.offset, change.data.size(), change.data);
}

void Disk::fold(File& file) {
  auto first = file.changes.begin();
  while (first != file.changes.end() && first->state == Change::State::synced) {
    apply(file.on_disk, *first);
    ++first;
  }
  file.changes.erase(file.changes.begin(), first);
}

void Disk::restart() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = files_.begin(); it != files_.end();) {
    File& file = *it->second;
    if (file.opened != 0) throw std::logic_error("a file is still open: " + it->first);
    if (stopped_by_ == Fault::power_cut) {
      // Of what was not synced, any part may be there, in any order; the last of it torn.
      for (Change& change : file.changes) {
        if (change.state != Change::State::synced) {
          if (chance_() % 2 == 0) continue;
          if (chance_() % 4 == 0) {
            change.data.resize(chance_() % (change.data.size() + 1) / kSector * kSector);
          }
        }
        apply(file.on_disk, change);
      }
      file.changes.clear();
      file.content = file.on_disk;
      if (!file.is_created && chance_() % 2 == 0) {
        it = files_.erase(it);
        continue;
      }
    }
    // After a kill the machine runs on: what was not synced may still be lost.
    file.shared.clear();
    ++it;
  }
  is_stopped_ = false;
  stopped_by_ = Fault::none;
  plan_ = {};
}

}  // namespace triquetra::crash
