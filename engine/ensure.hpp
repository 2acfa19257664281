// The check for our own mistakes. It stays on in every build: a broken invariant must stop one
// room, not be played on.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace triquetra {

/// We were wrong: an invariant does not hold. Never the answer to anything a player sent.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {
// Apart from the check, so that the check is two instructions wherever it stands.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char* what,
                                                        std::source_location where) {
  throw Bug(std::string(what) + " (" + where.file_name() + ":" + std::to_string(where.line()) +
            ")");
}
}  // namespace detail

/// Throws Bug with `what` and the place of the call unless `holds`.
constexpr void ensure(bool holds, const char* what,
                      std::source_location where = std::source_location::current()) {
  if (!holds) detail::fail(what, where);
}

}  // namespace triquetra
