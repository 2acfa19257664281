// Runs a fuzz target over files, in builds without libFuzzer: fuzz_NAME DIR
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "tests/fuzz/fuzz.hpp"

int main(int argc, char** argv) {
  int count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream),
                              std::istreambuf_iterator<char>()};
      triquetra::fuzz::take(bytes);
      ++count;
    }
  }
  std::cout << count << " inputs" << std::endl;
  // As in libFuzzer: what a target has running is not taken apart.
  std::quick_exit(count > 0 ? 0 : 1);
}
