#include "shell/command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace triquetra::shell {

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kLeft = 28;  // of these for names

/// The words that an option's check allows, which the library shows as "{a,b}".
std::vector<std::string> allowed(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  const auto close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// What a value is: its type name without what checks add to it.
std::string type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// As people read it: N for every kind of number.
std::string value_of(const CLI::Option& option) {
  const std::vector<std::string> words = allowed(option);
  if (!words.empty() && words.size() <= 3) return CLI::detail::join(words, "|");
  const std::string type = type_of(option);
  return type == "INT" || type == "UINT" || type == "FLOAT" ? "N" : type;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
}

/// `left` and what it is about beside it, in lines of kColumns.
std::string row(const std::string& left, const std::string& about) {
  std::string text = "  " + left;
  std::size_t column = text.size();
  const auto indent_to = [&](std::size_t target) {
    text.append(target - column, ' ');
    column = target;
  };
  if (column + 1 > kLeft) {
    text += "\n";
    column = 0;
  }
  indent_to(kLeft);
  bool is_first = true;
  for (const std::string& word : CLI::detail::split(about, ' ')) {
    if (!is_first && column + 1 + word.size() > kColumns) {
      text += "\n";
      column = 0;
      indent_to(kLeft);
    } else if (!is_first) {
      text += " ";
      ++column;
    }
    text += word;
    column += word.size();
    is_first = false;
  }
  return text + "\n";
}

class Help final : public CLI::Formatter {
 public:
  explicit Help(bool names_variables) : names_variables_(names_variables) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string full;
    for (const CLI::App* at = app; at != nullptr; at = at->get_parent()) {
      if (!at->get_name().empty()) full = at->get_name() + (full.empty() ? "" : " ") + full;
    }
    std::string text = "Usage: " + (full.empty() ? name : full) + usage(*app) + "\n";
    text += app->get_description() + "\n\n";
    for (const CLI::Option* option : app->get_options()) {
      const bool is_shown = option->get_group() != kSeldom || mode == CLI::AppFormatMode::All;
      if (is_shown) text += option_row(*option);
    }
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    if (!commands.empty()) text += "\n";
    for (const CLI::App* command : commands) {
      text += row(command->get_name(), command->get_description());
    }
    if (!app->get_footer().empty()) text += "\n" + app->get_footer() + "\n";
    if (mode != CLI::AppFormatMode::All) return text;
    for (const CLI::App* command : commands) {
      text += "\n" + make_help(command, "", CLI::AppFormatMode::All);
    }
    return text;
  }

 private:
  static std::string usage(const CLI::App& app) {
    std::string text = " [options]";
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_positional()) continue;
      text += option->get_required() ? " " + option->get_name() : " [" + option->get_name() + "]";
    }
    const bool has_commands = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
    if (has_commands) text += app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]";
    return text;
  }

  std::string option_row(const CLI::Option& option) const {
    std::string left = option.get_positional() ? option.get_name() : long_name(option);
    if (!option.get_positional() && takes_value(option)) left += " " + value_of(option);
    std::string about = option.get_description();
    if (!option.get_default_str().empty()) about += " [" + option.get_default_str() + "]";
    if (names_variables_ && !option.get_envname().empty())
      about += " ($" + option.get_envname() + ")";
    return row(left, about);
  }

  bool names_variables_;
};

/// What the words of a line that are complete have led to.
struct Place {
  const CLI::App* app;
  const CLI::Option* asked;  // wants the next word as its value
  std::size_t positionals;   // given already
  Given given;
};

const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  return app.get_option_no_throw(name);
}

Place place_after(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app, nullptr, 0, {}};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (place.asked != nullptr) {
      place.given[long_name(*place.asked)] = word;
      place.asked = nullptr;
      continue;
    }
    if (word.starts_with("-")) {
      const auto equals = word.find('=');
      const CLI::Option* option = find_option(*place.app, word.substr(0, equals));
      if (option == nullptr) continue;
      if (equals != std::string::npos) {
        place.given[long_name(*option)] = word.substr(equals + 1);
      } else if (takes_value(*option)) {
        place.asked = option;
      }
      continue;
    }
    const auto named = place.app->get_subcommands(
        [&](const CLI::App* command) { return command->get_name() == word; });
    if (!named.empty()) {
      place.app = named.front();
      place.positionals = 0;
    } else {
      ++place.positionals;
    }
  }
  return place;
}

std::vector<Candidate> values(const CLI::Option& option, const Sources& sources,
                              const Given& given) {
  std::vector<Candidate> found;
  for (const std::string& word : allowed(option)) found.push_back({word, ""});
  const std::string type = type_of(option);
  if (type == kFile || type == kFolder) return {{":" + type, ""}};
  const auto source = sources.find(type);
  if (source != sources.end()) {
    for (Candidate& candidate : source->second(given)) found.push_back(std::move(candidate));
  }
  return found;
}

std::vector<Candidate> options_of(const CLI::App& app) {
  std::vector<Candidate> found;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty())
      found.push_back({long_name(*option), option->get_description()});
  }
  return found;
}

const CLI::Option* positional(const CLI::App& app, std::size_t number) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() && number-- == 0) return option;
  }
  return nullptr;
}

/// Keeps what begins with `prefix`, and puts `before` in front of it.
std::vector<Candidate> that_begin(std::vector<Candidate> all, const std::string& prefix,
                                  const std::string& before) {
  std::vector<Candidate> fitting;
  for (Candidate& candidate : all) {
    if (candidate.word.starts_with(":"))
      fitting.push_back(std::move(candidate));
    else if (candidate.word.starts_with(prefix)) {
      fitting.push_back({before + candidate.word, std::move(candidate.about)});
    }
  }
  return fitting;
}

}  // namespace

void set_help(CLI::App& app, bool names_variables) {
  app.formatter(std::make_shared<Help>(names_variables));
  app.set_help_flag("-h,--help", "Show this");
}

std::vector<Candidate> candidates(const CLI::App& app, const std::vector<std::string>& words,
                                  const Sources& sources) {
  const std::string last = words.empty() ? "" : words.back();
  const Place place = place_after(app, words);
  const auto value = [&](const CLI::Option& option, const std::string& text,
                         const std::string& before) {
    // Of a list, the part behind its last comma is being typed.
    const auto comma = option.get_delimiter() == ',' ? text.rfind(',') : std::string::npos;
    const std::string head = comma == std::string::npos ? "" : text.substr(0, comma + 1);
    return that_begin(values(option, sources, place.given), text.substr(head.size()),
                      before + head);
  };
  if (place.asked != nullptr) return value(*place.asked, last, "");
  if (last.starts_with("-")) {
    const auto equals = last.find('=');
    if (equals == std::string::npos) return that_begin(options_of(*place.app), last, "");
    const CLI::Option* option = find_option(*place.app, last.substr(0, equals));
    if (option == nullptr) return {};
    return value(*option, last.substr(equals + 1), last.substr(0, equals + 1));
  }
  std::vector<Candidate> found;
  for (const CLI::App* command : place.app->get_subcommands([](const CLI::App*) { return true; })) {
    found.push_back({command->get_name(), command->get_description()});
  }
  if (!found.empty()) return that_begin(std::move(found), last, "");
  const CLI::Option* const next = positional(*place.app, place.positionals);
  return next == nullptr ? std::vector<Candidate>{} : value(*next, last, "");
}

std::string completion(const CLI::App& app, const std::vector<std::string>& words,
                       const Sources& sources) {
  std::string text;
  for (const Candidate& candidate : candidates(app, words, sources)) {
    text += candidate.word + "\t" + candidate.about + "\n";
  }
  return text;
}

}  // namespace triquetra::shell
