// A record of a room's log: refused, or read, and then written to the same again.
#include "engine/ensure.hpp"
#include "protocol/errors.hpp"
#include "server/store/log_codec.hpp"
#include "tests/fuzz/fuzz.hpp"

void triquetra::fuzz::take(std::string_view bytes) {
  try {
    const Record record = read_log_text(bytes);
    const std::string text = log_text(record);
    ensure(log_text(read_log_text(text)) == text, "another record came back");
  } catch (const Malformed&) {
    // A log that this program does not read: the room is left untouched.
  }
}
