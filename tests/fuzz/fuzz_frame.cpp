// A frame from a client: refused with a code, or read, and then written and read again to the same;
// and that by way of a document as straight from the text.
#include <type_traits>
#include <variant>

#include "engine/ensure.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/wire.hpp"
#include "server/base/names.hpp"
#include "tests/dom_value.hpp"
#include "tests/fuzz/fuzz.hpp"

void triquetra::fuzz::take(std::string_view bytes) {
  // The library takes a NUL for the end of the text.
  if (bytes.find('\0') == std::string_view::npos) {
    ensure(outcome_by_text(bytes) == outcome_by_document(bytes), "text and document differ");
  }
  try {
    const auto frame = decode<ClientFrame>(bytes, Reading::strict);
    const std::string text = std::visit([](const auto& one) { return encoded(one); }, frame);
    const auto again = decode<ClientFrame>(text, Reading::strict);
    ensure(again.index() == frame.index(), "another frame came back");
    ensure(std::visit([](const auto& one) { return encoded(one); }, again) == text,
           "another text came back");
    if (const auto* hello = std::get_if<Hello>(&frame); hello != nullptr && hello->name) {
      const std::string name = normalized_name(hello->name->str());
      if (is_showable(hello->name->str())) {
        ensure(normalized_name(name) == name, "a name has two forms");
      }
      static_cast<void>(skeleton_of(hello->name->str()));
    }
  } catch (const Malformed&) {
    // The answer that it would get.
  }
}
