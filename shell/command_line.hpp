// What both programs have in common at a shell: help that fits a screen, and the words that can
// follow in a line that somebody is typing. Both are read off the options that a program declares,
// so neither can differ from what it takes. Alone beside all else: it knows no game and no frame.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace triquetra::shell {

/// Options of this group are left to --help-all and the manual, so that --help fits a screen.
inline constexpr const char* kSeldom = "Seldom";
/// What an option's type name says of its value, so that a shell completes names of files.
inline constexpr const char* kFile = "FILE";
inline constexpr const char* kFolder = "FOLDER";

/// Gives the program, and each subcommand that is declared afterwards, help of at most 80 columns:
/// a line for each option. `names_variables`: each option says its environment variable.
void set_help(CLI::App& app, bool names_variables);

struct Candidate {
  std::string word;
  std::string about;  // may be empty
};

/// The options that a line has already, with their values.
using Given = std::map<std::string, std::string>;
/// What a value can be, by the type name of its option: how a program tells of rooms and games.
using Sources = std::map<std::string, std::function<std::vector<Candidate>(const Given&)>>;

/// What the last of `words` can become; those before it are complete. A single word kFile or
/// kFolder with a colon before it stands for any file or folder.
std::vector<Candidate> candidates(const CLI::App& app, const std::vector<std::string>& words,
                                  const Sources& sources);

/// The same for a shell, as lines of a word, a tabulator and what it is about.
std::string completion(const CLI::App& app, const std::vector<std::string>& words,
                       const Sources& sources);

}  // namespace triquetra::shell
