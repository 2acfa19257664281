#include "clients/cli/games/catalogue.hpp"

#include <algorithm>

#include "protocol/json.hpp"

namespace triquetra::cli {

// Written by clients/cli/CMakeLists.txt from i18n/*.json.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_catalogues();

namespace {

class Formatter {
 public:
  Formatter(const Values& values, std::string_view language)
      : values_(values), language_(language) {}

  // `number` is what # stands for, inside a plural.
  std::string format(std::string_view pattern, const std::string& number) const {
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const char c = pattern[i];
      if (c == '\'' && i + 1 < pattern.size()) {
        if (pattern[i + 1] == '\'') {
          out += '\'';
          ++i;
          continue;
        }
        if (pattern[i + 1] == '{' || pattern[i + 1] == '}') {
          const auto end = std::min(pattern.find('\'', i + 1), pattern.size());
          out += pattern.substr(i + 1, end - i - 1);
          i = end;
          continue;
        }
      }
      if (c == '{') {
        const std::size_t end = closing_brace(pattern, i);
        out += argument(pattern.substr(i + 1, end - i - 1), number);
        i = end;
      } else if (c == '#' && !number.empty()) {
        out += number;
      } else {
        out += c;
      }
    }
    return out;
  }

 private:
  // The brace that closes the one at `open`; the end if none does.
  static std::size_t closing_brace(std::string_view text, std::size_t open) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
      if (text[i] == '{') ++depth;
      if (text[i] == '}' && --depth == 0) return i;
    }
    return text.size();
  }

  static std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
  }

  const Value* find(std::string_view name) const {
    for (const auto& [key, value] : values_) {
      if (key == name) return &value;
    }
    return nullptr;
  }

  std::string argument(std::string_view body, const std::string& number) const {
    const auto comma = body.find(',');
    const std::string_view name = trimmed(body.substr(0, comma));
    const Value* value = find(name);
    if (value == nullptr) return "{" + std::string(name) + "}";
    const auto* count = std::get_if<std::int64_t>(value);
    std::string word = count != nullptr ? std::to_string(*count) : std::get<0>(*value);
    if (comma == std::string_view::npos) return word;
    const std::string_view rest = body.substr(comma + 1);
    const auto second = std::min(rest.find(','), rest.size() - 1);
    const bool is_plural = trimmed(rest.substr(0, second)) == "plural";
    const std::string_view choices = rest.substr(second + 1);
    const std::string exact = is_plural ? "=" + word : word;
    const std::string general = is_plural && count != nullptr ? plural_of(*count) : "other";
    for (const std::string& wanted : {exact, general, std::string("other")}) {
      if (const auto choice = choice_of(choices, wanted); choice.data() != nullptr) {
        return format(choice, is_plural ? word : number);
      }
    }
    return word;
  }

  std::string plural_of(std::int64_t count) const {
    const bool is_one = language_ == "fr" ? count == 0 || count == 1 : count == 1;
    return is_one ? "one" : "other";
  }

  // The text in braces behind `word`; no data if there is none.
  static std::string_view choice_of(std::string_view choices, std::string_view word) {
    std::size_t i = 0;
    while (i < choices.size()) {
      const auto open = choices.find('{', i);
      if (open == std::string_view::npos) break;
      const auto end = closing_brace(choices, open);
      if (trimmed(choices.substr(i, open - i)) == word) {
        return choices.substr(open + 1, end - open - 1);
      }
      i = end + 1;
    }
    return {};
  }

  const Values& values_;
  std::string_view language_;
};

}  // namespace

std::string format_message(std::string_view pattern, const Values& values,
                           std::string_view language) {
  return Formatter(values, language).format(pattern, "");
}

Catalogue::Catalogue(std::string_view language) : language_("en") {
  for (const auto& [name, text] : embedded_catalogues()) {
    if (name == language) language_ = name;
  }
  for (const auto& [name, text] : embedded_catalogues()) {
    if (name == language_) {
      messages_ = parse_json(text, kTrustedJson).get<std::map<std::string, std::string>>();
    }
  }
}

std::vector<std::string> Catalogue::languages() {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded_catalogues()) names.emplace_back(name);
  return names;
}

std::string Catalogue::choose(const std::vector<std::string>& settings) {
  const auto known = languages();
  for (const std::string& setting : settings) {
    if (setting.empty()) continue;
    std::string word = setting.substr(0, 2);
    return std::find(known.begin(), known.end(), word) != known.end() ? word : "en";
  }
  return "en";
}

std::string Catalogue::text(const std::string& key, const Values& values) const {
  const auto found = messages_.find(key);
  return found == messages_.end() ? key : format_message(found->second, values, language_);
}

std::string Catalogue::list(const std::vector<std::string>& words) const {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + text("list.and") + " " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace triquetra::cli
