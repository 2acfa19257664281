// What every fuzz target has: one function that takes any bytes. With clang's libFuzzer it is
// called with whatever leads somewhere new; in the tests fuzz_replay.cpp calls it with the corpus.
#pragma once

#include <string_view>

namespace triquetra::fuzz {

/// Must come back for any bytes; whatever is wrong ends the process.
void take(std::string_view bytes);

}  // namespace triquetra::fuzz
