// What somebody was sent of a match, held against what that somebody may know: each view must be
// the one that a world gives in which all that is hidden from its receiver is otherwise. For tests
// over sockets, which have the match's record, and for the simulation, which has its log.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rng.hpp"
#include "engine/secret.hpp"
#include "protocol/json.hpp"
#include "protocol/table.hpp"

namespace triquetra {

/// A match's tables, one for each revision.
using Tables = std::vector<TablePointer>;

/// What is wrong with a view that `viewer` received of the last of these tables or an earlier one;
/// none if it tells nothing that its receiver may not know and all that it shall. `rng` draws the
/// other world.
std::optional<std::string> wrong_view(const Json& view, const Tables& tables, const Viewer& viewer,
                                      Rng& rng);
/// The same of an answer to `history`, whose pages are what everybody may know.
std::optional<std::string> wrong_pages(const Json& pages, const Tables& tables, Rng& rng);
/// What is wrong with the steps of an answer to `replay`, which tell all that there was.
std::optional<std::string> wrong_steps(const Json& steps, const Tables& tables, std::size_t seats);

class MatchReplayed {
 public:
  /// `record` as the server opens it. Throws Malformed or Bug if it cannot be replayed.
  explicit MatchReplayed(std::string_view record);

  const std::string& match() const { return match_; }
  const std::string& secret() const { return secret_; }
  std::size_t seats() const { return seats_; }
  std::size_t revisions() const { return tables_.size() - 1; }
  /// The table after so many acts and lapses.
  const TablePointer& at(std::size_t rev) const { return tables_.at(rev); }

  const Tables& tables() const { return tables_; }

 private:
  std::string match_;
  std::string secret_;
  std::size_t seats_ = 0;
  Tables tables_;
};

}  // namespace triquetra
