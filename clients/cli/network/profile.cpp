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

#include "clients/cli/network/connection.hpp"

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

/// Writes a file that only we may read beside the old one, and renames it, so that a killed process
/// leaves the old one or the new one.
void replace_file(const std::string& path, const std::string& text) {
  const std::string next = path + ".new";
  const int file = ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  const bool is_written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file) == 0;
  ::close(file);
  if (is_written) ::rename(next.c_str(), path.c_str());
}

std::vector<std::string> rooms_in(const std::string& path) {
  std::vector<std::string> rooms;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (room_code_of(line)) rooms.push_back(line);
  }
  return rooms;
}

constexpr const char* kRooms = ".rooms";

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
  replace_file(path_, token_.value_or("") + "\n");
}

std::vector<std::string> Profile::rooms(const std::string& server, const std::string& name) {
  const std::string folder = state_folder();
  if (folder.empty()) return {};
  return rooms_in(folder + "/" + file_name(server, name) + kRooms);
}

void Profile::write_rooms(const std::string& first, const std::string& without) const {
  if (!is_kept()) return;
  const std::vector<std::string> before = rooms_in(path_ + kRooms);
  std::vector<std::string> now;
  if (!first.empty()) now.push_back(first);
  for (const std::string& room : before) {
    if (room != first && room != without && now.size() < kMostRooms) now.push_back(room);
  }
  if (now == before) return;
  std::string text;
  for (const std::string& room : now) text += room + "\n";
  replace_file(path_ + kRooms, text);
}

void Profile::keep_room(const std::string& room) { write_rooms(room, ""); }
void Profile::forget_room(const std::string& room) { write_rooms("", room); }

}  // namespace triquetra::cli
