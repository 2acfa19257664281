// vectors_test --dir DIR: plays every vector file (*.json) that a folder holds, those of its
// folders too, with the game that recognises it, and says how much it checked. Fails at the first
// difference, at a file that no game recognises, and if there is no file at all.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "all_vectors.hpp"
#include "protocol/errors.hpp"

namespace triquetra::vectors {
namespace {

std::vector<std::filesystem::path> files_in(const std::filesystem::path& dir) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Json read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  require(in.good(), "cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  try {
    return parse_json(text, kTrustedJson);
  } catch (const Malformed& malformed) {
    throw Difference("not a JSON document: " + std::string(word_of(malformed.code())));
  }
}

Tally play(const std::filesystem::path& file) {
  const Json json = read(file);
  for (const PlayVectors play_vectors : kAllVectorPlayers) {
    if (const auto tally = play_vectors(json)) return *tally;
  }
  throw Difference("no game recognises this file");
}

/// The exit code: 0 if every file was played as it says.
int play_all(const std::filesystem::path& dir) {
  Tally total;
  const std::vector<std::filesystem::path> files = files_in(dir);
  for (const std::filesystem::path& file : files) {
    const std::string name = file.lexically_relative(dir).string();
    try {
      const Tally tally = play(file);
      std::cout << name << ": " << tally.games << " games, " << tally.steps << " steps checked\n";
      total.games += tally.games;
      total.steps += tally.steps;
    } catch (const std::exception& error) {
      std::cerr << name << ": " << error.what() << '\n';
      return 1;
    }
  }
  std::cout << "total: " << files.size() << " files, " << total.games << " games, " << total.steps
            << " steps checked\n";
  return total.steps > 0 ? 0 : 1;
}

}  // namespace
}  // namespace triquetra::vectors

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() != 2 || args[0] != "--dir" || !std::filesystem::is_directory(args[1])) {
    std::cerr << "usage: vectors_test --dir DIR\n";
    return 2;
  }
  return triquetra::vectors::play_all(args[1]);
}
