// What can still be read of a damaged database goes into a new one, so that one page costs the
// rooms that stood on it and no others. The old file is kept beside the new one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace triquetra {

struct Recovered {
  std::string reason;  // what SQLite says of the old file
  std::string kept;    // where the old file is now
  std::size_t rooms = 0;
  std::size_t players = 0;
  /// Rooms that have lost a part of their log: the beginning that is left is kept, and says that
  /// the room is closed, since what it acknowledged later is gone.
  std::vector<std::string> hurt;
};

/// Reads the whole file, which no server uses, and makes it anew if SQLite finds it malformed; a
/// crash at any moment leaves the old file or the new one. None if it is well, is not there, or is
/// not Triquetra's. Throws StoreProblem if it is used, cannot be written, or holds nothing that can
/// be read.
std::optional<Recovered> recover_if_damaged(const std::string& file);

/// What came of it, in one line for the host.
std::string told(const Recovered& recovered, const std::string& file);

/// recover_if_damaged() for a folder that no server uses, and what is in it then, for the host.
/// Throws StoreProblem.
std::string repair(const std::string& folder);

}  // namespace triquetra
