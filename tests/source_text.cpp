#include "tests/source_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>

namespace triquetra::house {
namespace {

constexpr std::size_t kNone = std::string::npos;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

void blank(std::string& code, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
    if (code[i] != '\n') code[i] = ' ';
  }
}

// Just behind the literal that opens with the quote at `offset`.
std::size_t literal_end(const std::string& text, std::size_t offset) {
  const char quote = text[offset];
  if (quote == '"' && offset > 0 && text[offset - 1] == 'R') {
    const std::size_t open = text.find('(', offset);
    if (open == kNone) return text.size();
    const std::string close = ")" + text.substr(offset + 1, open - offset - 1) + "\"";
    const std::size_t end = text.find(close, open);
    return end == kNone ? text.size() : end + close.size();
  }
  std::size_t i = offset + 1;
  while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2U : 1U;
  return std::min(i + 1, text.size());
}

// Is this the line of a directive such as #include, of which the literal is wanted?
bool is_directive(const std::string& text, std::size_t offset) {
  const std::size_t line = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const std::size_t first = text.find_first_not_of(' ', line);
  return first != kNone && text[first] == '#';
}

std::string code_of(const std::string& text) {
  std::string code = text;
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0) {
      end = std::min(text.find('\n', i), text.size());
      blank(code, i, end);
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", i + 2);
      end = close == kNone ? text.size() : close + 2;
      blank(code, i, end);
    } else if (text[i] == '"' && !is_directive(text, i)) {
      end = literal_end(text, i);
      blank(code, i + 1, end - 1);
    } else if (text[i] == '\'' && (i == 0 || !is_word(text[i - 1]))) {  // 1'000 is no character
      end = literal_end(text, i);
      blank(code, i + 1, end - 1);
    }
    i = end;
  }
  return code;
}

// The last byte before `offset` that is no space, or npos.
std::size_t previous(const std::string& code, std::size_t offset) {
  while (offset > 0) {
    --offset;
    if (!is_space(code[offset])) return offset;
  }
  return kNone;
}

// The word that ends at `last`.
std::string_view word_ending(const std::string& code, std::size_t last) {
  std::size_t begin = last + 1;
  while (begin > 0 && is_word(code[begin - 1])) --begin;
  return std::string_view(code).substr(begin, last + 1 - begin);
}

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Is the bracket at `open` the one of if (...), for (...) and the like?
bool is_condition(const std::string& code, std::size_t open) {
  static constexpr std::array<std::string_view, 6> kWords = {"if",     "for",   "while",
                                                             "switch", "catch", "constexpr"};
  const std::size_t before = previous(code, open);
  return before != kNone && one_of(word_ending(code, before), kWords);
}

// Is there a trailing return type, and nothing else, between some -> and `last`?
bool is_return_type(const std::string& code, std::size_t last) {
  std::size_t i = last + 1;
  while (i > 0) {
    const char c = code[i - 1];
    if (c == '>' && i > 1 && code[i - 2] == '-') return true;
    if (!is_word(c) && !is_space(c) && std::string_view(":<>,*&").find(c) == kNone) return false;
    --i;
  }
  return false;
}

// Does a class, namespace or enum begin between the last statement and `offset`?
bool is_declaration(const std::string& code, std::size_t offset) {
  static constexpr std::array<std::string_view, 6> kWords = {"namespace", "class",  "struct",
                                                             "union",     "extern", "enum"};
  std::size_t begin = offset;
  while (begin > 0 && std::string_view(";{}()").find(code[begin - 1]) == kNone) --begin;
  for (std::size_t i = begin; i < offset; ++i) {
    if (!is_word(code[i]) || (i > begin && is_word(code[i - 1]))) continue;
    std::size_t end = i;
    while (end < offset && is_word(code[end])) ++end;
    if (one_of(std::string_view(code).substr(i, end - i), kWords)) return true;
  }
  return false;
}

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Source source_of(std::string path, std::string text) {
  std::string code = code_of(text);
  return Source{std::move(path), std::move(text), std::move(code)};
}

std::vector<Source> sources_below(const std::filesystem::path& root,
                                  const std::vector<std::string_view>& endings) {
  static constexpr std::array<std::string_view, 4> kNotOurs = {"build", ".git", "node_modules",
                                                               ".mypy_cache"};
  std::vector<Source> sources;
  auto entry = std::filesystem::recursive_directory_iterator(root);
  for (; entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && one_of(name, kNotOurs)) entry.disable_recursion_pending();
    const bool wanted = std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
      return name.size() >= ending.size() &&
             name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    });
    if (!wanted || !entry->is_regular_file()) continue;
    std::ifstream in(entry->path(), std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    sources.push_back(
        source_of(entry->path().lexically_relative(root).generic_string(), std::move(text)));
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

std::size_t line_of(const Source& source, std::size_t offset) {
  const auto end = source.text.begin() + static_cast<std::ptrdiff_t>(offset);
  return 1 + static_cast<std::size_t>(std::count(source.text.begin(), end, '\n'));
}

std::vector<std::size_t> find_words(const std::string& code, std::string_view word) {
  std::vector<std::size_t> found;
  for (std::size_t at = code.find(word); at != kNone; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word(word.front()) || !is_word(code[at - 1]);
    const bool ends = end == code.size() || !is_word(word.back()) || !is_word(code[end]);
    if (begins && ends) found.push_back(at);
  }
  return found;
}

Brace brace_at(const std::string& code, std::size_t offset) {
  static constexpr std::array<std::string_view, 3> kBlockWords = {"else", "do", "try"};
  static constexpr std::array<std::string_view, 5> kFunctionWords = {
      "const", "noexcept", "override", "final", "mutable"};
  const std::size_t before = previous(code, offset);
  if (before == kNone) return Brace::kOtherBlock;
  const char c = code[before];
  if (c == ';' || c == '{' || c == '}' || c == ':') return Brace::kOtherBlock;
  if (c == ']') return Brace::kFunction;
  if (c == ')') {
    const std::size_t open = opening(code, before);
    return open != kNone && is_condition(code, open) ? Brace::kOtherBlock : Brace::kFunction;
  }
  if (is_declaration(code, offset)) return Brace::kOtherBlock;
  const std::string_view word = word_ending(code, before);
  if (one_of(word, kBlockWords)) return Brace::kOtherBlock;
  if (one_of(word, kFunctionWords) || is_return_type(code, before)) return Brace::kFunction;
  return Brace::kValue;
}

std::size_t closing(const std::string& code, std::size_t offset) {
  const char open = code[offset];
  const char close = open == '(' ? ')' : (open == '{' ? '}' : ']');
  std::size_t depth = 0;
  for (std::size_t i = offset; i < code.size(); ++i) {
    if (code[i] == open) ++depth;
    if (code[i] == close && --depth == 0) return i;
  }
  return code.size();
}

std::size_t opening(const std::string& code, std::size_t offset) {
  const char close = code[offset];
  const char open = close == ')' ? '(' : (close == '}' ? '{' : '[');
  std::size_t depth = 0;
  for (std::size_t i = offset + 1; i > 0; --i) {
    if (code[i - 1] == close) ++depth;
    if (code[i - 1] == open && --depth == 0) return i - 1;
  }
  return kNone;
}

Span statement_at(const std::string& code, std::size_t offset) {
  std::size_t begin = offset;
  while (begin > 0) {
    const char c = code[begin - 1];
    if (c == ';') break;
    if (c == '{' && brace_at(code, begin - 1) != Brace::kValue) break;
    if (c == '(' && is_condition(code, begin - 1)) break;
    if (c == ')' || c == '}') {
      const std::size_t open = opening(code, begin - 1);
      if (open == kNone) break;
      // A block that ends here was another statement, unless it is a lambda among arguments.
      const std::size_t next = code.find_first_not_of(" \n", begin);
      const bool goes_on = next != kNone && (code[next] == ',' || code[next] == ')');
      if (c == '}' && brace_at(code, open) != Brace::kValue && !goes_on) break;
      if (c == ')' && is_condition(code, open)) break;
      begin = open;
      continue;
    }
    --begin;
  }
  std::size_t end = offset;
  while (end < code.size()) {
    const char c = code[end];
    if (c == ';' || c == '}') break;
    if (c == ')') {
      const std::size_t open = opening(code, end);
      if (open != kNone && open < begin && is_condition(code, open)) break;
    }
    if (c == '(' || c == '{') end = closing(code, end);
    ++end;
  }
  return Span{begin, std::min(end, code.size())};
}

}  // namespace triquetra::house
