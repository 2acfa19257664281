// A text that a person has read and committed, held against what comes out now; one place for every
// test that has such texts. UPDATE_GOLDENS=1 writes them anew.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace triquetra::tests {

/// Fails at the first line that differs, with its number.
inline void compare_golden(const std::filesystem::path& path, const std::string& text) {
  if (std::getenv("UPDATE_GOLDENS") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  std::istringstream now(text);
  std::string written;
  std::string line;
  int number = 0;
  while (std::getline(now, line)) {
    ++number;
    const bool is_same = std::getline(file, written) && line == written;
    REQUIRE_MESSAGE(is_same, path.filename().string(), " line ", number, ": ", line);
  }
  CHECK_MESSAGE(!std::getline(file, written), path.filename().string(), " goes on: ", written);
}

}  // namespace triquetra::tests
