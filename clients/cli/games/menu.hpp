// The acts that the server offered as a list of choices with a key each; many acts become lists
// within lists, by the words of typed.hpp. Pure: no rules, no screen.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "clients/cli/games/render.hpp"

namespace triquetra::cli {

/// The words that all acts of a list begin with: none, a verb, a verb and a card, ...
using Path = std::vector<std::string>;

struct Choice {
  char key = ' ';
  std::string label;                // in the reader's language, painted
  std::vector<std::size_t> offers;  // one: the act itself. More: those of the list at `path`
  Path path;
};

/// The keys of one list, by the words of an act or, of a list within it, by its path.
using HeldKeys = std::map<Path, char>;

/// The words by which a choice is known again when the list has changed.
Path name_of(const Scene& scene, const Choice& choice);

/// The list at `path`, or the first one if no offer begins like that any more. Every offer stands
/// in exactly one choice. Keys are small letters and digits, then capital letters; different ones
/// as long as there are any. What has a key in `held` keeps it, and no other choice gets it.
std::vector<Choice> choices_of(const Voice& voice, const Scene& scene, const Path& path,
                               const HeldKeys& held = {});

}  // namespace triquetra::cli
