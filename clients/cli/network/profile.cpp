#include "clients/cli/network/profile.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace triquetra::cli {

namespace {

std::string state_folder() {
  // NOLINTBEGIN(concurrency-mt-unsafe): one thread
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  if (state != nullptr && *state == '/') return std::string(state) + "/triquetra";
  return home != nullptr ? std::string(home) + "/.local/state/triquetra" : "";
}

std::string file_name(const std::string& server, const std::string& name) {
  std::string out;
  for (const char c : server + "-" + name) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ? c : '_';
  }
  return out;
}

}  // namespace

Profile::Profile(const std::string& server, const std::string& name) {
  const std::string folder = state_folder();
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return;
  path_ = folder + "/" + file_name(server, name);
  lock_ = ::open((path_ + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return;
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    lock_ = -1;
    return;
  }
  std::ifstream file(path_);
  std::string token;
  if (std::getline(file, token) && !token.empty() && token.size() <= 64) token_ = token;
}

Profile::~Profile() {
  if (lock_ >= 0) ::close(lock_);
}

void Profile::set_token(std::optional<std::string> token) {
  token_ = std::move(token);
  if (!is_kept()) return;
  // Written beside and renamed, so that a killed process leaves the old token or the new one.
  const std::string next = path_ + ".new";
  const int file = ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  const std::string line = token_.value_or("") + "\n";
  const bool is_written =
      ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(file) == 0;
  ::close(file);
  if (is_written) ::rename(next.c_str(), path_.c_str());
}

}  // namespace triquetra::cli
