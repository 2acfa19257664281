// What a person types, matched against the acts that the server offered. Pure: no rules, no screen.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.hpp"

namespace triquetra::cli {

/// An act that the server offered: to be sent back as it is.
struct Offer {
  Json action;
  std::optional<int> preview;
  std::optional<int> worth;
};

/// A card of the triangles deck as a person types it: the first letter of its cut, its number or j
/// for a joker, the first letter of its colour, as in "v2r". Empty if it is none.
std::string card_word(const Json& card);

/// An action in a person's words: its verb, and its other fields as words, numbers counted from 1
/// unless they are names, cards by card_word().
struct ActWords {
  std::string verb;
  std::vector<std::string> words;
};
ActWords act_words(const Json& action);

/// The words of each offer without those that all offers of the same verb share.
std::vector<ActWords> distinct_words(const std::vector<Offer>& offers);

std::vector<std::string> split_words(std::string_view line);

/// Where among `words` the typed one points: an equal word, else all that it begins.
std::vector<std::string> completions(std::string_view typed, const std::vector<std::string>& words);

/// The offers that `verb` (in full) and `arguments` name: all words, only those that differ, or the
/// first of them. One if it is clear which is meant.
std::vector<std::size_t> match_offers(const std::vector<Offer>& offers, const std::string& verb,
                                      const std::vector<std::string>& arguments);

/// The verbs of the offers, each once, in their order.
std::vector<std::string> verbs_of(const std::vector<Offer>& offers);

/// As in "[d]raw 1-5, [t]ake 1,3": each verb with its shortest clear beginning, and the choices.
std::string prompt_of(const std::vector<Offer>& offers);

/// A line as a person would type it for this offer.
std::string typed_form(const std::vector<Offer>& offers, std::size_t index);

}  // namespace triquetra::cli
