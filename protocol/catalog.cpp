#include "protocol/catalog.hpp"

namespace triquetra {

const GameKind* find_game(std::string_view name) {
  for (const GameKind& kind : catalog()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace triquetra
