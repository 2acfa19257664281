#include "clients/cli/games/typed.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace triquetra::cli {

namespace {

// Words of Json are sorted by key; what is acted on comes before where it goes.
constexpr std::array<std::string_view, 2> kFirstFields = {"token", "card"};

// Fields whose numbers are names and not places counted from 0.
constexpr std::array<std::string_view, 1> kNameFields = {"onto"};

void append_words(const Json& value, std::vector<std::string>& words);

// A part of an action with fields of its own is one word, as in "h1p-saved": what it is about
// first.
std::string joined_words(const Json& part) {
  std::vector<std::string> words;
  if (part.contains("card")) append_words(part["card"], words);
  for (const auto& item : part.items()) {
    // Cards come from the hand unless another place is told.
    if (item.key() != "card" && item.value() != "hand") append_words(item.value(), words);
  }
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "-") + word;
  return out;
}

void append_words(const Json& value, std::vector<std::string>& words) {
  if (const std::string card = card_word(value); !card.empty()) {
    words.push_back(card);
  } else if (value.is_object()) {
    words.push_back(joined_words(value));
  } else if (value.is_array()) {
    for (const Json& item : value) append_words(item, words);
  } else if (value.is_boolean()) {
    words.emplace_back(value.get<bool>() ? "yes" : "no");
  } else if (value.is_number_integer()) {
    words.push_back(std::to_string(value.get<std::int64_t>() + 1));
  } else if (value.is_string()) {
    words.push_back(value.get<std::string>());
  } else {
    words.push_back(value.dump());
  }
}

bool begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

// Numbers are typed in full, words may be begun: "y" is yes.
bool means(const std::string& typed, const std::string& word) {
  if (typed == word) return true;
  return !typed.empty() && std::isalpha(static_cast<unsigned char>(typed.front())) != 0 &&
         begins(word, typed);
}

bool all_mean(const std::vector<std::string>& typed, const std::vector<std::string>& words,
              std::size_t from) {
  if (from + typed.size() > words.size()) return false;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (!means(typed[i], words[from + i])) return false;
  }
  return true;
}

// More words than these hide the question behind them.
constexpr std::size_t kMostChoices = 12;
// So do choices that take so many words.
constexpr std::size_t kMostPositions = 3;

// As in "1-3" or "1,3": numbers in order with runs joined, words with bars between.
std::string choices_text(std::vector<std::string> values) {
  const bool all_numbers = std::all_of(values.begin(), values.end(), [](const std::string& value) {
    return !value.empty() && value.size() < 9 &&
           std::all_of(value.begin(), value.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  });
  std::string out;
  if (!all_numbers) {
    if (values.size() > kMostChoices) return "...";
    for (const std::string& value : values) out += (out.empty() ? "" : "|") + value;
    return out;
  }
  std::vector<int> numbers;
  for (const std::string& value : values) numbers.push_back(std::stoi(value));
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    out += (out.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (end > i) out += (end == i + 1 ? "," : "-") + std::to_string(numbers[end]);
    i = end + 1;
  }
  return out;
}

}  // namespace

std::string card_word(const Json& card) {
  for (const char* const key : {"cut", "color"}) {
    const bool has_word = card.is_object() && card.contains(key) && card[key].is_string();
    if (!has_word || card[key].get_ref<const std::string&>().empty()) return "";
  }
  const bool has_number = card.contains("number") && card["number"].is_number_integer();
  return card["cut"].get<std::string>().substr(0, 1) + (has_number ? card["number"].dump() : "j") +
         card["color"].get<std::string>().substr(0, 1);
}

ActWords act_words(const Json& action) {
  ActWords act;
  if (!action.is_object()) return act;
  act.verb = action.value("do", "");
  for (const std::string_view key : kFirstFields) {
    if (action.contains(key)) append_words(action[std::string(key)], act.words);
  }
  for (const auto& item : action.items()) {
    const bool is_first =
        std::find(kFirstFields.begin(), kFirstFields.end(), item.key()) != kFirstFields.end();
    const bool is_name =
        std::find(kNameFields.begin(), kNameFields.end(), item.key()) != kNameFields.end();
    if (is_name && item.value().is_number_integer()) {
      act.words.push_back(item.value().dump());
    } else if (item.key() != "do" && !is_first) {
      append_words(item.value(), act.words);
    }
  }
  return act;
}

std::vector<ActWords> distinct_words(const std::vector<Offer>& offers) {
  std::vector<ActWords> all;
  for (const Offer& offer : offers) all.push_back(act_words(offer.action));
  std::vector<ActWords> distinct = all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    distinct[i].words.clear();
    for (std::size_t at = 0; at < all[i].words.size(); ++at) {
      const bool differs = std::any_of(all.begin(), all.end(), [&](const ActWords& other) {
        return other.verb == all[i].verb &&
               (at >= other.words.size() || other.words[at] != all[i].words[at]);
      });
      if (differs) distinct[i].words.push_back(all[i].words[at]);
    }
  }
  return distinct;
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::vector<std::string> completions(std::string_view typed,
                                     const std::vector<std::string>& words) {
  const std::string start = lower(typed);
  std::vector<std::string> found;
  for (const std::string& word : words) {
    if (word == start) return {word};
    if (begins(word, start)) found.push_back(word);
  }
  return found;
}

std::vector<std::size_t> match_offers(const std::vector<Offer>& offers, const std::string& verb,
                                      const std::vector<std::string>& arguments) {
  std::vector<std::string> typed;
  for (const std::string& argument : arguments) typed.push_back(lower(argument));
  const std::vector<ActWords> distinct = distinct_words(offers);
  std::vector<std::size_t> exact;
  std::vector<std::size_t> last;
  std::vector<std::size_t> begun;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const ActWords all = act_words(offers[i].action);
    if (all.verb != verb) continue;
    const auto& few = distinct[i].words;
    if (typed.size() == few.size() && all_mean(typed, few, 0)) exact.push_back(i);
    if (!typed.empty() && typed.size() <= all.words.size() &&
        all_mean(typed, all.words, all.words.size() - typed.size())) {
      last.push_back(i);
    }
    if (all_mean(typed, few, 0)) begun.push_back(i);
  }
  if (!exact.empty()) return exact;
  return last.size() == 1 ? last : begun;
}

std::vector<std::string> verbs_of(const std::vector<Offer>& offers) {
  std::vector<std::string> verbs;
  for (const Offer& offer : offers) {
    const std::string verb = act_words(offer.action).verb;
    if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) verbs.push_back(verb);
  }
  return verbs;
}

std::string prompt_of(const std::vector<Offer>& offers) {
  const std::vector<std::string> verbs = verbs_of(offers);
  const std::vector<ActWords> distinct = distinct_words(offers);
  std::string out;
  for (const std::string& verb : verbs) {
    std::size_t length = 1;
    while (length < verb.size() && completions(verb.substr(0, length), verbs).size() > 1) ++length;
    out += (out.empty() ? "[" : ", [") + verb.substr(0, length) + "]" + verb.substr(length);
    std::string choices;
    for (std::size_t at = 0;; ++at) {
      std::vector<std::string> values;
      for (const ActWords& act : distinct) {
        if (act.verb != verb || at >= act.words.size()) continue;
        if (std::find(values.begin(), values.end(), act.words[at]) == values.end()) {
          values.push_back(act.words[at]);
        }
      }
      if (values.empty()) break;
      if (at >= kMostPositions) {
        choices = " ...";
        break;
      }
      choices += " " + choices_text(std::move(values));
    }
    out += choices;
  }
  return out;
}

std::string typed_form(const std::vector<Offer>& offers, std::size_t index) {
  const ActWords act = distinct_words(offers).at(index);
  std::string out = act.verb;
  for (const std::string& word : act.words) out += " " + word;
  return out;
}

}  // namespace triquetra::cli
