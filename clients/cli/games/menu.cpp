#include "clients/cli/games/menu.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace triquetra::cli {

namespace {

using Indices = std::vector<std::size_t>;

// As many as there are digits: these stand side by side instead of in lists within lists.
constexpr std::size_t kFew = 9;
constexpr std::string_view kNumberKeys = "123456789";
constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ";  // Q leaves

Path words_of(const Offer& offer) {
  ActWords act = act_words(offer.action);
  Path words = {std::move(act.verb)};
  for (std::string& word : act.words) words.push_back(std::move(word));
  return words;
}

bool begins_with(const Path& words, const Path& path) {
  return words.size() >= path.size() && std::equal(path.begin(), path.end(), words.begin());
}

Indices offers_at(const Scene& scene, const Path& path) {
  Indices found;
  for (std::size_t i = 0; i < scene.offers.size(); ++i) {
    if (begins_with(words_of(scene.offers[i]), path)) found.push_back(i);
  }
  return found;
}

/// The word that all of these have behind `path`; none if they differ or one ends there.
std::string shared_word(const Scene& scene, const Indices& offers, const Path& path) {
  std::string shared;
  for (const std::size_t index : offers) {
    const Path words = words_of(scene.offers[index]);
    if (words.size() <= path.size()) return "";
    if (!shared.empty() && words[path.size()] != shared) return "";
    shared = words[path.size()];
  }
  return shared;
}

Choice leaf(const Voice& voice, const Scene& scene, std::size_t index) {
  return {' ', voice.label(scene, index) + voice.hint(scene.offers[index]), {index}, {}};
}

/// One choice for each word that may follow; what ends here stands for itself.
std::vector<Choice> grouped(const Voice& voice, const Scene& scene, const Indices& offers,
                            const Path& path) {
  std::vector<Choice> choices;
  for (const std::size_t index : offers) {
    Path longer = path;
    const Path words = words_of(scene.offers[index]);
    if (words.size() > path.size()) longer.push_back(words[path.size()]);
    const auto known = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
      return choice.path == longer && longer != path;
    });
    if (known != choices.end()) {
      known->offers.push_back(index);
    } else {
      choices.push_back({' ', "", {index}, longer});
    }
  }
  for (Choice& choice : choices) {
    if (choice.offers.size() == 1) {
      choice.label = leaf(voice, scene, choice.offers.front()).label;
    } else {
      choice.label = voice.group(scene, choice.path, choice.offers) + " …";
    }
  }
  return choices;
}

/// The first of several verbs with a choice behind it stands spread out: its acts if they are few,
/// else what they begin with, such as a card. What is done most often takes one key or two.
void spread_first(const Voice& voice, const Scene& scene, std::vector<Choice>& choices) {
  const auto first = std::find_if(choices.begin(), choices.end(),
                                  [](const Choice& choice) { return choice.offers.size() > 1; });
  if (first == choices.end()) return;
  std::vector<Choice> spread;
  if (first->offers.size() <= kFew) {
    for (const std::size_t index : first->offers) spread.push_back(leaf(voice, scene, index));
  } else {
    spread = grouped(voice, scene, first->offers, first->path);
  }
  if (spread.size() > kFew) return;
  const auto at = choices.erase(first);
  choices.insert(at, spread.begin(), spread.end());
}

/// The first letter of the label that is still free, else the first free one of all.
char letter_for(const std::string& label, const std::string& taken) {
  for (const char c : without_colors(label)) {
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (letter >= 'a' && letter <= 'z' && taken.find(letter) == std::string::npos) return letter;
  }
  for (const char letter : kLetters) {
    if (taken.find(letter) == std::string::npos) return letter;
  }
  return ' ';
}

/// The number that the last word of an act is, if it is one digit.
char digit_of(const Scene& scene, const Choice& choice) {
  const Path words =
      choice.offers.size() == 1 ? words_of(scene.offers[choice.offers.front()]) : choice.path;
  const std::string& word = words.back();
  return word.size() == 1 && word[0] >= '1' && word[0] <= '9' ? word[0] : ' ';
}

/// Numbers those without a key by their own digit if that tells all apart, else in their order: by
/// digits if those are enough, else by letters. None is one of `taken`.
void number(const Scene& scene, const std::vector<Choice*>& choices, std::string taken) {
  std::string digits;
  for (const Choice* choice : choices) digits += digit_of(scene, *choice);
  std::string sorted = digits;
  std::sort(sorted.begin(), sorted.end());
  const bool are_clear = sorted.find(' ') == std::string::npos &&
                         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  const bool are_few = choices.size() <= kFew;
  const std::string in_order = (are_few ? std::string(kNumberKeys) : "") + std::string(kLetters);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i]->key != ' ') continue;
    const bool has_own = are_clear && taken.find(digits[i]) == std::string::npos;
    const std::size_t free = in_order.find_first_not_of(taken);
    if (has_own) {
      choices[i]->key = digits[i];
    } else if (free != std::string::npos) {
      choices[i]->key = in_order[free];
    }
    taken += choices[i]->key;
  }
}

/// Gives what is known its key again. All keys that are taken then, also by what is gone; none if
/// nothing is known, for that is another question.
std::string hold(const Scene& scene, const HeldKeys& held, std::vector<Choice>& choices) {
  bool is_known = false;
  for (Choice& choice : choices) {
    const auto known = held.find(name_of(scene, choice));
    if (known == held.end()) continue;
    choice.key = known->second;
    is_known = true;
  }
  std::string taken;
  if (!is_known) return taken;
  for (const auto& [name, key] : held) taken += key;
  return taken;
}

}  // namespace

Path name_of(const Scene& scene, const Choice& choice) {
  return choice.offers.size() == 1 ? words_of(scene.offers[choice.offers.front()]) : choice.path;
}

std::vector<Choice> choices_of(const Voice& voice, const Scene& scene, const Path& path,
                               const HeldKeys& held) {
  Path at = path;
  Indices offers = offers_at(scene, at);
  if (offers.empty()) {
    at.clear();
    offers = offers_at(scene, at);
  }
  const bool is_first = at.empty();
  for (std::string word; offers.size() > 1; at.push_back(word)) {
    word = shared_word(scene, offers, at);
    if (word.empty()) break;
  }
  std::vector<Choice> choices;
  if (is_first && at.empty()) {
    choices = grouped(voice, scene, offers, at);
    spread_first(voice, scene, choices);
    std::vector<Choice*> numbered;
    std::string taken = hold(scene, held, choices);
    for (Choice& choice : choices) {
      const bool is_spread = choice.path.size() != 1;  // else it is a verb
      if (is_spread) {
        numbered.push_back(&choice);
      } else if (choice.key == ' ') {
        choice.key = letter_for(choice.label, taken);
        taken += choice.key;
      }
    }
    number(scene, numbered, std::move(taken));
    return choices;
  }
  if (offers.size() <= kFew) {
    for (const std::size_t index : offers) choices.push_back(leaf(voice, scene, index));
  } else {
    choices = grouped(voice, scene, offers, at);
  }
  std::string taken = hold(scene, held, choices);
  std::vector<Choice*> all;
  for (Choice& choice : choices) all.push_back(&choice);
  number(scene, all, std::move(taken));
  return choices;
}

}  // namespace triquetra::cli
