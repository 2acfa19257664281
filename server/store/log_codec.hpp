// Records as text, for stores. A codec of its own: what it writes holds the secrets of running
// matches, so nothing that talks to clients may include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/store/records.hpp"

namespace triquetra {

/// One line of JSON: `record` and the record's fields.
std::string log_text(const Record& record);
/// The same, behind what is in `out`.
void write_log_text(std::string& out, const Record& record);
/// The record that log_text wrote. Throws Malformed for anything else, also for a record or field
/// of a later version. A field that is added later must be optional, or the logs of before would
/// not be read.
Record read_log_text(std::string_view text);

/// What ties a record to all before it in its log, so that one that was changed, lost or moved is
/// seen. `before`: the same of the record before, or the room's code.
std::string chained(const std::string& before, std::uint64_t seq, std::string_view data);

}  // namespace triquetra
