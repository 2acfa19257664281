// What a game's folder gives to vectors_test, in its vectors.cpp: a function
//   std::optional<vectors::Tally> play_vectors(const Json& file)
// in the game's own namespace. CMake finds it; nothing else needs to be edited.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

#include "protocol/encode.hpp"
#include "protocol/json.hpp"

namespace triquetra::vectors {

/// What a file held: whole games, and steps or single cases checked one by one.
struct Tally {
  std::size_t games = 0;
  std::size_t steps = 0;
};

/// The game does not do what the file says.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Plays a file: how much was checked, none if the file is not one of this game, or throws
/// Difference.
using PlayVectors = std::optional<Tally> (*)(const Json& file);

inline void require(bool holds, const std::string& what) {
  if (!holds) throw Difference(what);
}

/// Throws Difference with both sides unless they are equal.
inline void require_same(const Json& ours, const Json& theirs, const std::string& what) {
  require(ours == theirs, what + "\n  ours:   " + ours.dump() + "\n  theirs: " + theirs.dump());
}

/// A value as it stands on the wire, so that the vectors check the codec too.
template <class T>
Json on_the_wire(const T& value) {
  return parse_json(encoded(value), kTrustedJson);
}

/// The value of an optional field; null, as the files write it, if it is absent.
inline Json field_or_null(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? Json() : *found;
}

}  // namespace triquetra::vectors
