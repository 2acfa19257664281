// The house rules of docs/STYLE.md and docs/ARCHITECTURE.md that no compiler holds: one table of
// rules, each with what it catches (planted here, so that no rule can fall asleep) and what it lets
// pass.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/source_text.hpp"

namespace triquetra::house {
namespace {

using std::size_t;
using std::string;
using std::string_view;

struct Finding {
  size_t offset;
  string what;
};
using Findings = std::vector<Finding>;

struct Planted {
  string path;
  string text;
};

struct Rule {
  string name;
  std::function<bool(const string& path)> covers;
  std::function<Findings(const Source&)> check;
  std::vector<Planted> caught;
  std::vector<Planted> passed;
};

bool is_below(const string& path, string_view folder) {
  return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
         path[folder.size()] == '/';
}

bool ends_with(const string& path, string_view ending) {
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

// A game's folder holds its tests too, which may use what all tests share.
bool is_test_of_a_game(const string& path) {
  return is_below(path, "engine/games") &&
         (ends_with(path, "_test.cpp") || ends_with(path, "/vectors.cpp"));
}

bool everywhere(const string& path) { return ends_with(path, ".hpp") || ends_with(path, ".cpp"); }

std::function<bool(const string&)> below(const std::vector<string>& folders) {
  return [folders](const string& path) {
    return everywhere(path) && std::any_of(folders.begin(), folders.end(),
                                           [&](const string& f) { return is_below(path, f); });
  };
}

// ---- Arrows
// ---------------------------------------------------------------------------------------

// What the files of a room may include besides those of their own room: the first line that fits.
// "server/*" is every folder of the server.
struct Room {
  string folder;
  std::vector<string> sees;
};

// The folders of a room, which say themselves what they may see: one header of each has a comment
// with "Folder:", what it is for, and "May see:".
std::vector<Room> folders_of(const std::vector<Source>& sources) {
  static const std::regex kSays(
      R"(// Folder: [^\n]+\n(?://(?! May see:)[^\n]*\n)*// May see: ([^\n]+(?:\n// [^\n]+)?)\.\n)");
  static const std::regex kWord(R"([a-z/]+)");
  std::vector<Room> folders;
  for (const Source& source : sources) {
    std::smatch says;
    if (!std::regex_search(source.text, says, kSays)) continue;
    Room room{std::filesystem::path(source.path).parent_path().generic_string(), {}};
    const string list = says[1];
    for (std::sregex_iterator it(list.begin(), list.end(), kWord), end; it != end; ++it) {
      room.sees.push_back(it->str());
    }
    folders.push_back(std::move(room));
  }
  return folders;
}

const std::vector<Source>& headers_with_folders() {
  static const std::vector<Source> kHeaders = [] {
    std::vector<Source> headers;
    for (Source& source : sources_below(TRIQUETRA_SOURCE_DIR, {".hpp"})) {
      if (is_below(source.path, "server") || is_below(source.path, "clients/cli")) {
        headers.push_back(std::move(source));
      }
    }
    return headers;
  }();
  return kHeaders;
}

const std::vector<Room>& rooms() {
  static const std::vector<Room> kRooms = [] {
    std::vector<Room> all = folders_of(headers_with_folders());
    for (const Room& room : std::vector<Room>{
             {"engine/games", {"engine"}},
             {"engine", {}},
             {"stream", {}},
             {"shell", {}},
             {"protocol", {"engine"}},
             {"server", {"server/*", "stream", "shell", "protocol", "engine"}},
             {"clients/cli", {"clients/cli/*", "stream", "shell", "tools", "protocol", "engine"}},
             {"tools", {"protocol", "engine"}},
             {"gym", {"protocol", "engine"}},
             {"bench",
              {"server/*", "protocol", "engine/games", "engine", "tools", "clients/cli/*",
               "tests"}},
             {"tests",
              {"server/*", "shell", "protocol", "engine/games", "engine", "tools",
               "clients/cli/*"}},
         }) {
      all.push_back(room);
    }
    return all;
  }();
  return kRooms;
}

bool sees(const Room& from, const Room& to) {
  return std::any_of(from.sees.begin(), from.sees.end(), [&](const string& seen) {
    return to.folder == seen || (ends_with(seen, "/*") &&
                                 is_below(to.folder, string_view(seen).substr(0, seen.size() - 2)));
  });
}

const Room* room_of(const string& path) {
  for (const Room& room : rooms()) {
    if (is_below(path, room.folder)) return &room;
  }
  return nullptr;
}

// The folder of one game, such as engine/games/triqueta; empty for what is in none.
string game_folder(const string& path) {
  static const string kGames = "engine/games/";
  if (path.compare(0, kGames.size(), kGames) != 0) return "";
  return path.substr(0, path.find('/', kGames.size()));
}

struct Include {
  size_t offset;
  string file;
};

std::vector<Include> includes_of(const Source& source) {
  static const std::regex kInclude(R"(#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> includes;
  for (std::sregex_iterator it(source.code.begin(), source.code.end(), kInclude), end; it != end;
       ++it) {
    includes.push_back({static_cast<size_t>(it->position()), (*it)[1]});
  }
  return includes;
}

Findings against_the_arrows(const Source& source) {
  Findings findings;
  const Room* from = room_of(source.path);
  for (const Include& include : includes_of(source)) {
    const Room* to = room_of(include.file);
    if (from == nullptr || to == nullptr) continue;
    const bool is_own = from == to && game_folder(source.path) == game_folder(include.file);
    if (!is_own && !sees(*from, *to) && !is_test_of_a_game(source.path)) {
      findings.push_back({include.offset, from->folder + " may not include " + include.file});
    }
  }
  return findings;
}

// ---- Libraries
// ------------------------------------------------------------------------------------

bool is_rules_code(const string& path) {
  return everywhere(path) && is_below(path, "engine") && !is_test_of_a_game(path);
}

// The engine has the standard library without I/O, clocks and threads, and Boost.Describe with its
// Mp11.
Findings foreign_to_the_engine(const Source& source) {
  static const std::set<string> kNotStandardEnough = {
      "atomic",    "barrier",      "condition_variable",
      "ctime",     "cstdio",       "filesystem",
      "fstream",   "future",       "iomanip",
      "iostream",  "istream",      "latch",
      "mutex",     "ostream",      "random",
      "semaphore", "shared_mutex", "sstream",
      "iosfwd",    "stop_token",   "syncstream",
      "thread",    "cstdlib",      "csignal",
      "streambuf"};
  Findings findings;
  for (const Include& include : includes_of(source)) {
    const string& file = include.file;
    const bool is_standard = file.find_first_of("./") == string::npos;
    const bool is_boost = is_below(file, "boost/describe") || is_below(file, "boost/mp11") ||
                          file == "boost/describe.hpp" || file == "boost/mp11.hpp";
    const bool is_ours = room_of(file) != nullptr || file == "all_games.hpp";
    if ((is_standard && kNotStandardEnough.count(file) == 0) || is_boost || is_ours) continue;
    findings.push_back({include.offset, file + " has no place in the rules"});
  }
  return findings;
}

// Sockets, threads, storage and logs: none of it in the wire's types, storage and logs in server/
// only.
Findings foreign_to_the_room(const Source& source) {
  struct Library {
    string_view prefix;
    std::vector<string_view> homes;
  };
  static const std::vector<Library> kLibraries = {
      {"boost/asio", {"stream", "server", "clients", "tools", "tests", "bench"}},
      {"boost/beast", {"stream", "server", "clients", "tools", "tests", "bench"}},
      {"nlohmann", {"protocol", "server", "clients", "tools", "tests", "bench"}},
      {"spdlog", {"server", "tests"}},
      {"sqlite3", {"server", "tests"}},
      {"histedit", {"clients"}},
      {"editline", {"clients"}},
      {"curses.h", {"clients/cli/terminal"}},
  };
  Findings findings;
  for (const Include& include : includes_of(source)) {
    for (const Library& library : kLibraries) {
      if (include.file.compare(0, library.prefix.size(), library.prefix) != 0) continue;
      const bool is_home =
          std::any_of(library.homes.begin(), library.homes.end(),
                      [&](string_view home) { return is_below(source.path, home); });
      if (!is_home) findings.push_back({include.offset, include.file + " does not live here"});
    }
  }
  return findings;
}

// ---- Words
// ----------------------------------------------------------------------------------------

std::function<Findings(const Source&)> bans(const std::vector<string>& words,
                                            const string& instead) {
  return [words, instead](const Source& source) {
    Findings findings;
    for (const string& word : words) {
      for (const size_t offset : find_words(source.code, word)) {
        findings.push_back({offset, word + ": " + instead});
      }
    }
    return findings;
  };
}

// The full screen's edge counts down what the server allows.
bool may_not_read_the_clock(const string& path) {
  return everywhere(path) && path != "server/base/clock.cpp" && path != "tools/exam_server.cpp" &&
         path != "clients/cli/terminal/curses.cpp" && !is_below(path, "bench") &&
         !is_below(path, "tests");
}

bool shows_or_chooses(const string& path) {
  return is_below(path, "engine/games") &&
         (ends_with(path, "/view.cpp") || ends_with(path, "/bot.cpp"));
}

bool is_game_code(const string& path) {
  return is_rules_code(path) && is_below(path, "engine/games");
}

// All that BOOST_DESCRIBE_* names: fields and enumerators, which are words of the wire.
std::vector<Finding> described_words(const Source& source) {
  std::vector<Finding> words;
  for (const string_view macro :
       {"BOOST_DESCRIBE_STRUCT", "BOOST_DESCRIBE_ENUM", "BOOST_DESCRIBE_ENUM_CLASS",
        "BOOST_DEFINE_ENUM", "BOOST_DEFINE_ENUM_CLASS", "BOOST_DEFINE_FIXED_ENUM_CLASS"}) {
    for (const size_t at : find_words(source.code, macro)) {
      const size_t open = source.code.find('(', at);
      if (open == string::npos) continue;
      const size_t end = closing(source.code, open);
      // The first word is the name of the type.
      size_t i = std::min(source.code.find(',', open), end);
      while (i < end) {
        size_t begin = i;
        while (begin < end && !is_word(source.code[begin])) ++begin;
        i = begin;
        while (i < end && is_word(source.code[i])) ++i;
        if (i > begin) words.push_back({begin, source.code.substr(begin, i - begin)});
      }
    }
  }
  return words;
}

Findings keywords_on_the_wire(const Source& source) {
  static const std::set<string> kKeywords = {
      // Of both languages, or of TypeScript alone; C++ refuses its own.
      "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
      "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally",
      "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let",
      "new", "null", "package", "private", "protected", "public", "return", "static", "super",
      "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while",
      "with", "yield",
      // Of C++, by way of an underscore that a codec takes off.
      "auto", "bool", "char", "double", "explicit", "float", "friend", "goto", "int", "long",
      "operator", "register", "short", "signed", "struct", "template", "union", "unsigned", "using",
      "virtual", "volatile"};
  Findings findings;
  for (const Finding& word : described_words(source)) {
    string bare = word.what;
    while (!bare.empty() && bare.back() == '_') bare.pop_back();
    if (kKeywords.count(bare) != 0) {
      findings.push_back({word.offset, bare + " is a keyword: find another word for the wire"});
    }
  }
  return findings;
}

// ---- Shapes
// ---------------------------------------------------------------------------------------

// g++ 12 destroys some temporaries twice that share a statement with co_await (docs/STYLE.md).
Findings dangerous_co_await(const Source& source) {
  Findings findings;
  for (const size_t offset : find_words(source.code, "co_await")) {
    const Span span = statement_at(source.code, offset);
    const string statement = source.code.substr(span.begin, span.end - span.begin);
    if (statement.find('{') != string::npos) {
      findings.push_back({offset, "braces beside co_await: name the value or the lambda first"});
    }
    if (statement.find('?') != string::npos) {
      findings.push_back({offset, "?: beside co_await: name the awaited value first"});
    }
  }
  return findings;
}

constexpr size_t kLinesOfAFunction = 70;
constexpr size_t kColumns = 100;

Findings long_functions(const Source& source) {
  Findings findings;
  for (size_t i = 0; i < source.code.size(); ++i) {
    if (source.code[i] != '{' || brace_at(source.code, i) != Brace::kFunction) continue;
    const size_t end = closing(source.code, i);
    const size_t lines = line_of(source, end) - line_of(source, i) + 1;
    if (lines > kLinesOfAFunction) {
      findings.push_back({i, "a function of " + std::to_string(lines) + " lines"});
    }
    i = end;
  }
  return findings;
}

Findings long_lines(const Source& source) {
  Findings findings;
  size_t columns = 0;
  for (size_t i = 0; i < source.text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(source.text[i]);
    if (byte == '\n') {
      columns = 0;
    } else if ((byte & 0xC0U) != 0x80U && ++columns == kColumns + 1) {
      findings.push_back({i, "a line of more than 100 columns"});
    }
  }
  return findings;
}

Findings headless(const Source& source) {
  Findings findings;
  if (source.text.compare(0, 3, "// ") != 0) {
    findings.push_back({0, "the first line says in a comment why the header exists"});
  }
  if (source.code.find("#pragma once") == string::npos) {
    findings.push_back({0, "a header has #pragma once"});
  }
  return findings;
}

Findings machine_paths(const Source& source) {
  // Written apart, so that this file obeys.
  static const std::vector<string> kPlaces = {
      "/wo"
      "rk/",
      "/ho"
      "me/",
      "/ro"
      "ot/",
      "/Use"
      "rs/"};
  Findings findings;
  for (const string& place : kPlaces) {
    for (size_t at = source.text.find(place); at != string::npos;
         at = source.text.find(place, at + 1)) {
      const bool is_start =
          at == 0 || (!is_word(source.text[at - 1]) && source.text[at - 1] != '.');
      if (is_start) findings.push_back({at, place + " is a place on somebody's machine"});
    }
  }
  return findings;
}

// Who draws by chance, or has a server that does, says what it has drawn from: else a failure
// cannot be had again.
Findings chance_without_seed(const Source& source) {
  const bool is_python = ends_with(source.path, ".py");
  const string taking = is_python ? "seed.take(" : "take_seed(";
  if (source.text.find(taking) != string::npos) return {};
  const auto words = is_python ? std::vector<string>{"random.", "urandom", "secrets.", "Server("}
                               : std::vector<string>{"Rng ", "Rng(", "mt19937", "Hub>"};
  for (const string& word : words) {
    const size_t at = source.text.find(word);
    if (at != string::npos) return {{at, word + " without " + taking + ")"}};
  }
  return {};
}

// The files to which the links of a page lead, as paths from the root.
std::vector<Finding> links_of(const Source& page) {
  static const std::regex kLink(R"(\]\(([^)#: ]+)(#[^)]*)?\))");
  const std::filesystem::path folder = std::filesystem::path(page.path).parent_path();
  std::vector<Finding> links;
  for (std::sregex_iterator it(page.text.begin(), page.text.end(), kLink), end; it != end; ++it) {
    links.push_back({static_cast<size_t>(it->position()),
                     (folder / (*it)[1].str()).lexically_normal().generic_string()});
  }
  return links;
}

// ---- The table
// ------------------------------------------------------------------------------------

std::vector<Rule> rules_of_layers() {
  return {
      {"what strangers name is not hashed into tables",
       below({"server", "protocol"}),
       bans({"unordered_map", "unordered_set"}, "take a sorted map: keys can be made to collide"),
       {{"server/people/lobby.hpp", "std::unordered_map<std::string, Room> rooms_;"}},
       {{"server/people/lobby.hpp", "std::map<std::string, Room> rooms_;"}}},
      {"arrows point from server to protocol to games to engine",
       everywhere,
       against_the_arrows,
       {{"engine/ids.hpp", "#include \"engine/games/triqueta/rules.hpp\"\n"},
        {"engine/games/a/rules.cpp", "#include \"engine/games/b/rules.hpp\"\n"},
        {"engine/games/a/rules.cpp", "#include \"protocol/encode.hpp\"\n"},
        {"protocol/table.hpp", "#  include \"server/room/room.hpp\"\n"},
        {"server/room/room.cpp", "#include \"engine/games/triqueta/rules.hpp\"\n"},
        {"clients/cli/main.cpp", "#include \"server/base/limits.hpp\"\n"},
        {"clients/cli/main.cpp", "#include \"engine/games/triqueta/rules.hpp\"\n"},
        {"server/store/sqlite.cpp", "#include \"server/room/room.hpp\"\n"},
        {"server/room/room.cpp", "#include \"server/people/hub.hpp\"\n"},
        {"clients/cli/games/render.cpp", "#include \"clients/cli/network/session.hpp\"\n"},
        {"tools/verify.cpp", "#include \"clients/cli/network/connection.hpp\"\n"}},
       {{"server/room/room.cpp", "#include \"protocol/table.hpp\"\n// #include \"tests/x.hpp\"\n"},
        {"engine/games/a/rules.cpp", "#include \"engine/games/a/rules.hpp\"\n"},
        {"tests/laws_test.cpp", "#include \"server/room/room.hpp\"\n"}}},
      {"the engine needs no library but the standard one and Boost.Describe",
       is_rules_code,
       foreign_to_the_engine,
       {{"engine/rng.cpp", "#include <random>\n"},
        {"engine/game.hpp", "#include <nlohmann/json.hpp>\n"},
        {"engine/game.hpp", "#include <boost/asio.hpp>\n"},
        {"engine/games/a/rules.cpp", "#include <iostream>\n"},
        {"engine/games/a/rules.cpp", "#include <unistd.h>\n"}},
       {{"engine/game.hpp", "#include <vector>\n#include <boost/describe/enum.hpp>\n"}}},
      {"sockets, JSON, storage and logs live in their rooms",
       everywhere,
       foreign_to_the_room,
       {{"protocol/table.cpp", "#include <boost/asio/awaitable.hpp>\n"},
        {"clients/cli/main.cpp", "#include <spdlog/spdlog.h>\n"},
        {"tools/replay.cpp", "#include <sqlite3.h>\n"}},
       {{"server/log.cpp", "#include <spdlog/spdlog.h>\n"}}},
  };
}

std::vector<Rule> rules_of_words() {
  return {
      {"chance is the same everywhere",
       everywhere,
       bans({"std::shuffle", "std::sample", "rand(", "srand", "std::mt19937", "random_device",
             "uniform_int_distribution"},
            "take Rng; the standard ones differ between libraries"),
       {{"engine/games/a/rules.cpp", "std::shuffle(deck.begin(), deck.end(), rng);"},
        {"tests/laws_test.cpp", "int x = rand() % 6;"},
        {"server/room/room.cpp", "std::uniform_int_distribution<int> die;"}},
       {{"engine/rng.cpp", "rng.shuffle(deck); operand(1);"}}},
      {"time is handed in",
       may_not_read_the_clock,
       bans({"steady_clock::now", "system_clock::now", "high_resolution_clock", "time(nullptr",
             "gettimeofday", "clock_gettime"},
            "ask the Clock"),
       {{"server/room/room.cpp", "const auto now = std::chrono::steady_clock::now();"},
        {"engine/rng.cpp", "seed(std::chrono::system_clock::now());"}},
       {{"server/room/room.cpp", "using TimePoint = std::chrono::steady_clock::time_point;"}}},
      {"the server has no locks",
       below({"server"}),
       bans({"std::mutex", "std::shared_mutex", "std::recursive_mutex", "std::lock_guard",
             "std::unique_lock", "std::scoped_lock", "lock_guard", "std::condition_variable"},
            "post a message to the owner"),
       {{"server/people/lobby.hpp", "std::mutex mutex_;"},
        {"server/people/lobby.cpp", "std::lock_guard guard(mutex_);"}},
       {{"server/people/lobby.cpp", "// no std::mutex here\npost(executor_, work);"}}},
      {"views and bots learn faces only from Shown and Seen",
       shows_or_chooses,
       bans({"for_rules"}, "a face leaves its Secret by shown() or seen_by(eye)"),
       {{"engine/games/a/view.cpp", "view.face = token.face.for_rules();"},
        {"engine/games/a/bot.cpp", "if (token.face.for_rules() == Face::kOwl) return act;"}},
       {{"engine/games/a/view.cpp", "view.face = token.face.shown();"}}},
      {"no game makes an eye",
       is_game_code,
       bans({"EyeMaker"}, "whoever sends the view hands in its eye"),
       {{"engine/games/a/view.cpp", "seat_view(state, EyeMaker::of(seat));"},
        {"engine/games/a/rules.hpp", "Eye eye = EyeMaker::of(Seat{0});"}},
       {{"engine/games/a/view.cpp", "SeatView Rules::seat_view(const State& s, Eye eye);"}}},
      {"the engine knows no JSON",
       is_rules_code,
       bans({"nlohmann", "json"}, "describe the type; protocol/ writes it"),
       {{"engine/game.hpp", "nlohmann::json view();"}},
       {{"engine/game.hpp", "// json is written elsewhere\nint a;"}}},
      {"names keep their namespace",
       everywhere,
       bans({"using namespace"}, "write the namespace, or use one name"),
       {{"server/main.cpp", "using namespace std::chrono_literals;"}},
       {{"server/main.cpp", "using std::string; namespace asio = boost::asio;"}}},
      {"no range views and no std::format",
       everywhere,
       bans({"#include <ranges>", "std::views", "std::ranges::views", "#include <format>",
             "std::format"},
            "our compilers have no common ground there; a loop reads as well"),
       {{"engine/ids.hpp", "#include <ranges>\n"},
        {"engine/ids.hpp", "for (int i : std::views::iota(0, 3)) f(i);"},
        {"server/log.cpp", "return std::format(\"{}\", a);"}},
       {{"engine/ids.hpp", "std::ranges::sort(a);"}}},
      {"no word of the wire is a keyword",
       everywhere,
       keywords_on_the_wire,
       {{"protocol/client_frames.hpp", "BOOST_DESCRIBE_STRUCT(Join, (), (room, delete_))"},
        {"protocol/client_frames.hpp", "BOOST_DESCRIBE_STRUCT(Join, (), (room,\n with))"},
        {"engine/games/a/rules.hpp", "BOOST_DESCRIBE_ENUM(Visibility, listed, private_)"}},
       {{"protocol/client_frames.hpp",
         "BOOST_DESCRIBE_STRUCT(Join, (), (room, seat))\nBOOST_DESCRIBE_ENUM(Kind, turn)"}}},
  };
}

std::vector<Rule> rules_of_shapes() {
  string long_function = "int f(int a) const {\n";
  for (size_t i = 0; i < kLinesOfAFunction - 1; ++i) long_function += "  a += 1;\n";
  const string fitting = "void g() {\n}\nclass A {\n" + string(90, '\n') + "};\n";
  const string wide(kColumns + 1, 'x');
  const string accents =
      "// " + string(80, 'x') + "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";
  return {
      {"co_await takes names, simple calls and tokens",
       everywhere,
       dangerous_co_await,
       {{"server/a.cpp", "void f() { co_await send(Message{x, y}); }"},
        {"server/a.cpp", "void f() {\n  g();\n  co_await send(\n    {.a = x},\n    token);\n}"},
        {"server/a.cpp", "void f() { Message m{co_await receive()}; }"},
        {"server/a.cpp", "void f() { send(Message{x}, co_await receive()); }"},
        {"server/a.cpp", "void f() { co_await co_spawn(ex, [x] { return g(x); }, token); }"},
        {"server/a.cpp", "void f() { co_await run([x](int y) { return x + y; }); }"},
        {"server/a.cpp", "void f() { auto s = (co_await g()) ? string(\"a\") : string(\"b\"); }"},
        {"server/a.cpp", "void f() { auto g = [x]() -> awaitable<void> { co_await h({x}); }; }"},
        {"server/a.cpp", "void f() { if (!co_await send(Message{x})) { return; } }"}},
       {{"server/a.cpp", "void f() { Message m{x, y}; co_await send(std::move(m)); }"},
        {"server/a.cpp", "auto f() -> awaitable<void> { co_await g(); int x = a ? b : c; }"},
        {"server/a.cpp", "void f() { if (co_await g()) { h(A{1}); } else { co_await k(); } }"},
        {"server/a.cpp",
         "void f() { auto g = [a]() -> awaitable<int> { co_return co_await a; }; }"},
        {"server/a.cpp", "void f() { for (;;) { A a{1}; const auto b = co_await g(a); } }"}}},
      {"a function has at most 70 lines",
       everywhere,
       long_functions,
       {{"server/a.cpp", long_function + "}\n"}},
       {{"server/a.cpp", fitting}}},
      {"a line has at most 100 columns",
       everywhere,
       long_lines,
       {{"server/a.cpp", "a\n" + wide}},
       {{"server/a.cpp", accents}}},
      {"a header opens with a comment and has #pragma once",
       [](const string& path) { return ends_with(path, ".hpp"); },
       headless,
       {{"server/a.hpp", "#pragma once\n"}, {"server/a.hpp", "// A room.\n// #pragma once\n"}},
       {{"server/a.hpp", "// A room.\n#pragma once\n"}}},
      {"a test takes its chance from a seed that is printed and taken back",
       // A golden has its seed in the file.
       [](const string& path) {
         return (ends_with(path, "_test.cpp") && path != "tests/golden_test.cpp") ||
                ends_with(path, "_test.py");
       },
       chance_without_seed,
       {{"tests/a_test.cpp", "Rng rng(Seed{});"},
        {"engine/games/a/rules_test.cpp", "Chance<Deal> chance{Rng(seed)};"},
        {"tests/a_test.cpp", "std::unique_ptr<Hub> hub_;"},
        {"tests/e2e/a_test.py", "action = random.choice(legal)"},
        {"tests/e2e/a_test.py", "with Server(SERVER) as server:"}},
       {{"tests/a_test.cpp", "Rng rng(seed_number(take_seed()));"},
        {"tests/e2e/a_test.py", "seed.take()\naction = random.choice(legal)"}}},
      {"no path of somebody's machine",
       [](const string&) { return true; },
       machine_paths,
       {{"docs/A.md",
         "Go to /ho"
         "me/me/triquetra."},
        {"scripts/a",
         "cd /wo"
         "rk/main"}},
       {{"docs/A.md",
         "See https://example.org/a/wo"
         "rk/ and ./wo"
         "rk/."}}},
  };
}

std::vector<Rule> all_rules() {
  std::vector<Rule> rules = rules_of_layers();
  for (Rule& rule : rules_of_words()) rules.push_back(std::move(rule));
  for (Rule& rule : rules_of_shapes()) rules.push_back(std::move(rule));
  return rules;
}

TEST_CASE("every rule catches what is planted, and no more") {
  for (const Rule& rule : all_rules()) {
    CAPTURE(rule.name);
    REQUIRE(!rule.caught.empty());
    for (const Planted& planted : rule.caught) {
      CAPTURE(planted.path);
      CAPTURE(planted.text);
      CHECK(rule.covers(planted.path));
      CHECK(!rule.check(source_of(planted.path, planted.text)).empty());
    }
    for (const Planted& planted : rule.passed) {
      CAPTURE(planted.path);
      CAPTURE(planted.text);
      CHECK(rule.check(source_of(planted.path, planted.text)).empty());
    }
  }
}

TEST_CASE("every folder of the server and of the terminal client says what it is for") {
  std::set<string> there;
  for (const Source& source : headers_with_folders()) {
    const auto folder = std::filesystem::path(source.path).parent_path().generic_string();
    if (folder != "server" && folder != "clients/cli") there.insert(folder);
  }
  REQUIRE(there.size() == 11);
  std::multiset<string> said;
  for (const Room& folder : folders_of(headers_with_folders())) said.insert(folder.folder);
  for (const string& folder : there) {
    CAPTURE(folder);
    CHECK(said.count(folder) == 1);
  }
  CHECK(folders_of({source_of("server/a/a.hpp", "// Folder: a.\n// May see: server/b, engine.\n")})
            .at(0)
            .sees == std::vector<string>{"server/b", "engine"});
}

TEST_CASE("comments and literals are no code, but keep their place") {
  const Source source = source_of(
      "a.cpp",
      "int a = 1'000; // rand(\nauto b = \"rand(\\\"\"; auto c = R\"(rand()\n)\"; char d = '{';");
  CHECK(source.code.size() == source.text.size());
  CHECK(find_words(source.code, "rand(").empty());
  CHECK(source.code.find('{') == string::npos);
  CHECK(source.code.find("1'000") != string::npos);
  CHECK(line_of(source, source.code.find("char")) == 3);
}

TEST_CASE("every link of a page leads to a file") {
  const Source planted =
      source_of("docs/A.md", "[a](B.md#part) [b](../LICENSE) [c](https://x.org)");
  REQUIRE(links_of(planted).size() == 2);
  CHECK(links_of(planted)[0].what == "docs/B.md");
  CHECK(links_of(planted)[1].what == "LICENSE");
  const std::filesystem::path root = TRIQUETRA_SOURCE_DIR;
  for (const Source& page : sources_below(root, {".md"})) {
    for (const Finding& link : links_of(page)) {
      CAPTURE(page.path);
      CAPTURE(link.what);
      CHECK(std::filesystem::exists(root / link.what));
    }
  }
}

TEST_CASE("our sources obey") {
  const std::vector<Source> sources = sources_below(
      TRIQUETRA_SOURCE_DIR, {".hpp", ".cpp", ".md", ".cmake", ".txt", ".json", ".py", ".yaml",
                             ".yml", "Dockerfile", "test", "run", "build", "install", "lint"});
  const auto count = [&](const std::function<bool(const string&)>& covers) {
    return std::count_if(sources.begin(), sources.end(),
                         [&](const Source& source) { return covers(source.path); });
  };
  REQUIRE(count(is_rules_code) > 5);
  for (const Rule& rule : all_rules()) {
    MESSAGE(rule.name << ": " << count(rule.covers) << " files");
    for (const Source& source : sources) {
      if (!rule.covers(source.path)) continue;
      for (const Finding& finding : rule.check(source)) {
        FAIL_CHECK(source.path << ":" << line_of(source, finding.offset) << ": " << finding.what
                               << " (" << rule.name << ")");
      }
    }
  }
}

}  // namespace
}  // namespace triquetra::house
