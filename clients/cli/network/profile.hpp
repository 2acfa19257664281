// Who this terminal is: the token that a server gave, kept in a private file, one per server and
// profile. A lock lets two terminals of one machine be two players.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace triquetra::cli {

class Profile {
 public:
  /// Opens the profile in $XDG_STATE_HOME/triquetra (else ~/.local/state/triquetra). If another
  /// live process holds it, or no file can be kept, this is a guest without a file.
  Profile(const std::string& server, const std::string& name);
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// Whether the token is kept for the next time.
  bool is_kept() const { return lock_ >= 0; }
  const std::optional<std::string>& token() const { return token_; }
  /// Keeps a new token; none forgets it.
  void set_token(std::optional<std::string> token);

  /// The codes of the rooms that this profile was in, the newest first: shells complete them.
  static std::vector<std::string> rooms(const std::string& server, const std::string& name);
  /// Keeps the code of a room, or forgets that of one that is gone. If that fails, nothing is lost
  /// but a word for a shell.
  void keep_room(const std::string& room);
  void forget_room(const std::string& room);

 private:
  static constexpr std::size_t kMostRooms = 20;  // as many as somebody looks through

  void write_rooms(const std::string& first, const std::string& without) const;

  std::string path_;
  int lock_ = -1;  // a file descriptor, locked as long as we live
  std::optional<std::string> token_;
};

}  // namespace triquetra::cli
