#include "server/room/connection.hpp"

#include <utility>

#include "protocol/wire.hpp"
#include "server/base/limits.hpp"

namespace triquetra {

namespace {

/// The beginning, without half a character at its end.
std::string cut_short(std::string words) {
  if (words.size() <= limits::kQuotedBytes) return words;
  std::size_t end = limits::kQuotedBytes;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U) --end;
  return words.substr(0, end) + "...";
}

}  // namespace

std::string error_text(std::optional<std::string> re, ErrorCode code, ErrorArgs args) {
  if (args.field) args.field = cut_short(*std::move(args.field));
  return encoded(Error{std::move(re), code, std::move(args)});
}

void send_error(Connection& connection, std::optional<std::string> re, ErrorCode code,
                ErrorArgs args) {
  std::string text = error_text(std::move(re), code, std::move(args));
  connection.send({connection.id(), nullptr, std::move(text), false, code, false, true}, {});
}

}  // namespace triquetra
