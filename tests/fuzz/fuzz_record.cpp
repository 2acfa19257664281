// The record of a match, from anybody: said to be true, false, or no record.
#include "protocol/errors.hpp"
#include "protocol/match_record.hpp"
#include "tests/fuzz/fuzz.hpp"

void triquetra::fuzz::take(std::string_view bytes) {
  try {
    static_cast<void>(verify_record(bytes));
  } catch (const Malformed&) {
    // No record.
  }
}
