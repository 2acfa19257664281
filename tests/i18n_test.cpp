// The catalogues of i18n/: every language has every message with the same arguments, in its own
// signs; every message is used, and every message that the code asks for is there.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "protocol/errors.hpp"
#include "protocol/json.hpp"
#include "protocol/reflect.hpp"
#include "protocol/server_frames.hpp"
#include "tests/source_text.hpp"

namespace triquetra::house {
namespace {

using Messages = std::map<std::string, std::string>;

Messages messages_of(const std::string& language) {
  const auto sources = sources_below(TRIQUETRA_SOURCE_DIR, {language + ".json"});
  for (const Source& source : sources) {
    if (source.path == "i18n/" + language + ".json") {
      return parse_json(source.text, kTrustedJson).get<Messages>();
    }
  }
  return {};
}

std::set<std::string> found_in(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

std::set<std::string> keys_of(const Messages& messages) {
  std::set<std::string> keys;
  for (const auto& [key, text] : messages) keys.insert(key);
  return keys;
}

std::set<std::string> arguments_of(const std::string& message);

// What the braces from `open` on hold: an argument, or an argument with choices.
std::set<std::string> argument_in(const std::string& body) {
  const auto comma = body.find(',');
  std::set<std::string> names = {body.substr(0, comma)};
  if (comma == std::string::npos) return names;
  for (auto open = body.find('{'); open != std::string::npos;) {
    const auto end = closing(body, open);
    names.merge(arguments_of(body.substr(open + 1, end - open - 1)));
    open = body.find('{', end);
  }
  return names;
}

std::set<std::string> arguments_of(const std::string& message) {
  std::set<std::string> names;
  for (auto open = message.find('{'); open != std::string::npos;) {
    const auto end = closing(message, open);
    names.merge(argument_in(message.substr(open + 1, end - open - 1)));
    open = message.find('{', end);
  }
  return names;
}

// The sources that may ask for messages: those of the clients.
std::vector<Source> client_sources() {
  std::vector<Source> clients;
  for (Source& source : sources_below(TRIQUETRA_SOURCE_DIR, {".cpp", ".ts", ".tsx"})) {
    if (source.path.compare(0, 8, "clients/") == 0) clients.push_back(std::move(source));
  }
  return clients;
}

std::set<std::string> without(const std::set<std::string>& all, const std::set<std::string>& some) {
  std::set<std::string> rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

TEST_CASE("every language has the same messages") {
  const Messages english = messages_of("en");
  REQUIRE(english.size() > 50);
  for (const std::string language : {"de", "fr"}) {
    CAPTURE(language);
    const Messages other = messages_of(language);
    for (const auto& key : without(keys_of(english), keys_of(other)))
      FAIL_CHECK("missing: " << key);
    for (const auto& key : without(keys_of(other), keys_of(english))) FAIL_CHECK("extra: " << key);
  }
}

TEST_CASE("every language uses the same arguments") {
  const Messages english = messages_of("en");
  CHECK(arguments_of("{a} {b, plural, one {#} other {{c}}} {d, select, me {You} other {x}}") ==
        std::set<std::string>{"a", "b", "c", "d"});
  for (const std::string language : {"de", "fr"}) {
    for (const auto& [key, text] : messages_of(language)) {
      CAPTURE(language);
      CAPTURE(key);
      if (english.count(key) != 0) CHECK(arguments_of(text) == arguments_of(english.at(key)));
    }
  }
}

TEST_CASE("braces are balanced") {
  for (const std::string language : {"en", "de", "fr"}) {
    for (const auto& [key, text] : messages_of(language)) {
      CAPTURE(language);
      CAPTURE(key);
      CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
    }
  }
}

TEST_CASE("every message is asked for, and every one asked for is there") {
  // text("cli.help") and t("home.title") ask for one message, "error." + code for any of a kind.
  static const std::regex kAsked(R"re(\bt(?:ext)?\(\s*"([a-z_]+(?:\.[a-z_]+)+)")re");
  static const std::regex kNamed(R"re(["'`]([a-z_]+(?:\.[a-z_]+)+)["'`])re");
  static const std::regex kBegun(R"re(["'`]([a-z_]+\.(?:[a-z_]+\.)*)(?:["'`]\s*\+|\$\{))re");
  const std::set<std::string> keys = keys_of(messages_of("en"));
  std::set<std::string> named;
  std::set<std::string> begun;
  for (const Source& source : client_sources()) {
    CAPTURE(source.path);
    for (const auto& key : without(found_in(source.text, kAsked), keys)) {
      FAIL_CHECK("asked for but absent: " << key);
    }
    named.merge(found_in(source.text, kNamed));
    begun.merge(found_in(source.text, kBegun));
  }
  for (const std::string& key : without(keys, named)) {
    const bool is_begun = std::any_of(begun.begin(), begun.end(), [&](const std::string& start) {
      return key.compare(0, start.size(), start) == 0;
    });
    if (!is_begun) FAIL_CHECK("never asked for: " << key);
  }
}

/// A message as people see it: without its arguments' names and what is quoted for the pattern.
std::string seen(const std::string& message) {
  static const std::regex kHidden(R"re(\{[a-z_]+\}|'[{}].*'[{}]'|://)re");
  return std::regex_replace(message, kHidden, "_");
}

TEST_CASE("what the protocol calls a room is a table in every language") {
  const std::map<std::string, std::regex> banned = {{"en", std::regex(R"(\b[Rr]ooms?\b)")},
                                                    {"de", std::regex(R"(R(aum|äume))")},
                                                    {"fr", std::regex(R"(\b[Ss]alles?\b)")}};
  for (const auto& [language, word] : banned) {
    for (const auto& [key, text] : messages_of(language)) {
      if (key == "web.watch.beamer") continue;  // one with walls
      CAPTURE(language);
      CAPTURE(key);
      CHECK_FALSE(std::regex_search(seen(text), word));
    }
  }
}

TEST_CASE("every language has its own signs") {
  CHECK(seen("a {b} '{'\"c\":1'}' d://e") == "a _ _ d_e");
  for (const std::string language : {"en", "de", "fr"}) {
    for (const auto& [key, text] : messages_of(language)) {
      CAPTURE(language);
      CAPTURE(key);
      CHECK(seen(text).find_first_of("\"'") == std::string::npos);
      if (language != "fr") CHECK_FALSE(std::regex_search(seen(text), std::regex(" [?!:;]")));
    }
  }
  // In French a narrow space that no line breaks at stands before them.
  static const std::regex kNoSpace("(^|[^\xaf\n?!])[?!:;]|([^\xaf]|^)»|«([^\xe2]|$)");
  for (const auto& [key, text] : messages_of("fr")) {
    CAPTURE(key);
    CHECK_FALSE(std::regex_search(seen(text), kNoSpace));
  }
}

template <class E>
void check_words(const std::string& start, const std::set<std::string>& keys) {
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
    CAPTURE(enumerator.name);
    CHECK(keys.count(start + enumerator.name) == 1);
  });
}

TEST_CASE("every word of the wire that people see has a text") {
  const std::set<std::string> keys = keys_of(messages_of("en"));
  check_words<ErrorCode>("error.", keys);
  check_words<ByeCode>("bye.", keys);
  check_words<NewsKind>("news.", keys);
  check_words<ReactionKind>("reaction.", keys);
  check_words<RoomStatus>("room.", keys);
}

}  // namespace
}  // namespace triquetra::house
