// What a clock would tell of a piece of work, without a clock's noise: how many instructions of the
// processor it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace triquetra::tests {

/// How many instructions f() takes on this thread, by stepping through them: about a microsecond
/// for each. None where that is not known how to do, or a sanitizer adds its own.
std::optional<std::uint64_t> instructions_of(const std::function<void()>& f);

}  // namespace triquetra::tests
