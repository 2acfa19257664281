// What somebody was sent of a match, held against what that somebody may know: the record is
// replayed, and each view must be the one that a world gives in which all that is hidden from its
// receiver is otherwise. For tests over sockets and for the simulation.
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

  /// What is wrong with a view of this match that `viewer` received; none if it tells nothing that
  /// its receiver may not know and all that it shall. `rng` draws the other world.
  std::optional<std::string> wrong_view(const Json& view, Viewer viewer, Rng& rng) const;
  /// The same of an answer to `history`, whose pages are what everybody may know.
  std::optional<std::string> wrong_pages(const Json& pages, Rng& rng) const;
  /// What is wrong with the steps of an answer to `replay`, which tell all that there was.
  std::optional<std::string> wrong_steps(const Json& steps) const;

 private:
  std::string match_;
  std::string secret_;
  std::size_t seats_ = 0;
  std::vector<TablePointer> tables_;
};

}  // namespace triquetra
