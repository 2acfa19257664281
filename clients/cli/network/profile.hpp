// Who this terminal is: the token that a server gave, kept in a private file, one per server and
// profile. A lock lets two terminals of one machine be two players.
#pragma once

#include <optional>
#include <string>

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

 private:
  std::string path_;
  int lock_ = -1;  // a file descriptor, locked as long as we live
  std::optional<std::string> token_;
};

}  // namespace triquetra::cli
