// `triquetra verify` and `triquetra replay`: what can be done with the record of a finished match,
// without a server. May use the rules, which clients may not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "protocol/server_frames.hpp"

namespace triquetra {

/// Checks the record in a file ("-": standard input) and says on standard output whether all is
/// well: in words, or with `as_json` as one line of JSON, which has the end of the match as it was
/// played again. 0 if all is well, 1 if not or if it cannot be read.
int verify_file(const std::string& path, bool as_json);

/// Prints a match step by step: who did what, what happened, the table. Only up to `last_step` if
/// given; with `seat` also what that seat saw. 0, or 1 if the file is no valid record.
int replay_file(const std::string& path, std::optional<std::size_t> last_step,
                std::optional<std::size_t> seat);

/// A match that was played, with all that everybody saw.
struct PlayedMatch {
  std::string game;
  std::vector<std::string> names;  // by seat; empty for a bot
  std::vector<ReplayStep> steps;
};

/// The match of the record in a file ("-": standard input). None if it is no valid record, which is
/// said on standard error.
std::optional<PlayedMatch> played_match(const std::string& path);

}  // namespace triquetra
