// frame_scan RECORD FRAMES [SEAT]: reads every frame that one receiver got during a match, one a
// line, and says what it could not know of them. Exit 0 when there is nothing, 1 otherwise.
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/told.hpp"

namespace triquetra {
namespace {

std::string all_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<std::string> wrong(const MatchReplayed& match, const std::string& line, Viewer viewer,
                                 Rng& rng, bool& is_over) {
  const Json frame = parse_json(line, kTrustedJson);
  const std::string type = frame.at("type");
  if (type == "view" && frame.at("match") == match.match()) {
    return wrong_view(frame, match.tables(), viewer, rng);
  }
  if (type == "ok" && frame.contains("pages")) {
    return wrong_pages(frame.at("pages"), match.tables(), rng);
  }
  if (type == "ok" && frame.contains("steps")) {
    if (!is_over) return "a replay before the end: " + line;
    return wrong_steps(frame.at("steps"), match.tables(), match.seats());
  }
  // The room says that it is over before anybody can ask for the record.
  if (type == "room" && frame.at("match") == match.match()) is_over = frame.at("status") == "over";
  if (!is_over && line.find(match.secret()) != std::string::npos) return "the secret: " + line;
  return std::nullopt;
}

int scan(int argc, char** argv) {
  const MatchReplayed match(all_of(argv[1]));
  Viewer viewer = Spectator{};
  if (argc > 3) viewer = Seat{std::stoul(argv[3])};
  Rng rng(Seed{});
  std::ifstream frames(argv[2]);
  std::string line;
  std::size_t count = 0;
  bool is_over = false;
  for (; std::getline(frames, line); ++count) {
    if (const auto fault = wrong(match, line, viewer, rng, is_over)) {
      std::cout << "frame " << count + 1 << ": " << *fault << "\n";
      return 1;
    }
  }
  std::cout << count << " frames tell nothing that their receiver may not know\n";
  return 0;
}

}  // namespace
}  // namespace triquetra

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: frame_scan RECORD FRAMES [SEAT]\n";
    return 2;
  }
  try {
    return triquetra::scan(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "frame_scan: " << error.what() << "\n";
    return 2;
  }
}
