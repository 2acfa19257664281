#include "server/room/draft.hpp"

#include <memory>
#include <utility>

#include "protocol/wire.hpp"
#include "server/room/connection.hpp"

namespace triquetra {

Ok ok(const RequestId& id) {
  Ok ok;
  ok.re = id.str();
  return ok;
}

void Draft::reply(const Ok& ok) {
  replies.push_back({from->connection, nullptr, encoded(ok), false, {}, false, true});
}

void Draft::refuse(const RequestId& id, ErrorCode code, ErrorArgs args) {
  std::string text = error_text(id.str(), code, std::move(args));
  replies.push_back({from->connection, nullptr, std::move(text), false, code, false, true});
}

void Draft::keep(Record record) {
  adopt_record(room, record, now);
  records.push_back(std::move(record));
  room_changed = true;
}

void Draft::tell_all(std::string text) {
  const auto shared = std::make_shared<const std::string>(std::move(text));
  for (const auto& entry : *room.members) notices.push_back({entry.first, shared, {}});
}

void Draft::tell_news(NewsKind what, std::optional<Seat> seat, std::optional<std::string> name) {
  tell_all(encoded(News{room.terms->wanted.room, what, seat, std::move(name)}));
}

}  // namespace triquetra
