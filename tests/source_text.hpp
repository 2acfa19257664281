// C++ sources as the house rules read them: the text, and the same text with comments and literals
// blanked out, so that a rule sees code only and offsets stay equal. No parser, but enough of one
// to tell a block from a braced value.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace triquetra::house {

struct Source {
  std::string path;  // from the root of the repository, with slashes
  std::string text;
  std::string code;  // as long as text; comments, strings and characters are spaces
};

/// A source from its path and text.
Source source_of(std::string path, std::string text);

/// All files below `root` of which the name has one of these endings, sorted by path; those of the
/// folders build, .git and node_modules are not ours.
std::vector<Source> sources_below(const std::filesystem::path& root,
                                  const std::vector<std::string_view>& endings);

/// The line (from 1) in which the byte at `offset` stands.
std::size_t line_of(const Source& source, std::size_t offset);

bool is_word(char c);

/// The offsets in `code` at which `word` stands; as a whole word at those ends that are word
/// characters themselves.
std::vector<std::size_t> find_words(const std::string& code, std::string_view word);

/// What an opening brace at `offset` begins.
enum class Brace { kFunction, kOtherBlock, kValue };
Brace brace_at(const std::string& code, std::size_t offset);

/// The offset of the bracket that closes the one at `offset`, or the length of `code`.
std::size_t closing(const std::string& code, std::size_t offset);
/// The offset of the bracket that opens the one at `offset`, or npos.
std::size_t opening(const std::string& code, std::size_t offset);

/// From where to where the statement goes that the byte at `offset` belongs to; a condition is a
/// statement of its own, and so is each statement inside a block inside a lambda.
struct Span {
  std::size_t begin;
  std::size_t end;
};
Span statement_at(const std::string& code, std::size_t offset);

}  // namespace triquetra::house
