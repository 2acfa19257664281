// Sentences in the reader's language: the catalogues of i18n/, built into the program, and the
// subset of ICU MessageFormat that they use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace triquetra::cli {

using Value = std::variant<std::string, std::int64_t>;
using Values = std::vector<std::pair<std::string_view, Value>>;

/// `pattern` with its arguments filled in: {name}, {n, plural, =0 {..} one {..} other {.. # ..}},
/// {who, select, me {..} other {..}}. An apostrophe before a brace quotes up to the next one. The
/// plural of `language`: fr one is 0 and 1, otherwise 1. An argument that is absent stays as
/// {name}.
std::string format_message(std::string_view pattern, const Values& values,
                           std::string_view language);

class Catalogue {
 public:
  /// The catalogue of one of languages(); any other word gives English.
  explicit Catalogue(std::string_view language);

  static std::vector<std::string> languages();
  /// The language for these settings, strongest first; each may be empty or as in "de_DE.UTF-8".
  static std::string choose(const std::vector<std::string>& settings);

  const std::string& language() const { return language_; }
  bool has(const std::string& key) const { return messages_.count(key) != 0; }
  /// The message of `key`; the key itself if there is none.
  std::string text(const std::string& key, const Values& values = {}) const;
  /// Words joined as in "a, b and c".
  std::string list(const std::vector<std::string>& words) const;

 private:
  std::string language_;
  std::map<std::string, std::string> messages_;
};

}  // namespace triquetra::cli
