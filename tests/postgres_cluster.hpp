// A PostgreSQL of a test's own: made in a temporary folder, reached by a socket in there, killed
// and frozen as the test likes, and gone with it. Runs as nobody if the test is root, who may not.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace triquetra {

class Cluster {
 public:
  Cluster();
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// A URL for this database; `more` are further parameters, such as "password=x".
  std::string url(const std::string& database, const std::string& more = "") const;
  /// Makes a database, and gives its URL.
  std::string make(const std::string& database) const;
  /// What psql prints for this, as whoever owns the cluster. Fails the test if it fails.
  std::string sql(const std::string& database, const std::string& text) const;
  /// Starts it again after kill(); a postmaster whose children are still there is tried again.
  void start();
  /// Like a power switch, but for what the system has written.
  void kill();
  /// To all of its processes.
  void signal_all(int signal) const;
  std::filesystem::path folder() const { return folder_; }

 private:
  bool answers() const;
  std::filesystem::path folder_;
  std::filesystem::path programs_;
  pid_t postmaster_ = 0;
};

}  // namespace triquetra
