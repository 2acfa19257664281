// What a GET gets that is neither a file nor a WebSocket: how the server is, and what it knows.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/server_frames.hpp"
#include "server/ops/web_files.hpp"

namespace triquetra {

struct Page {
  std::string_view type;
  std::string body;
};

/// The page at an absolute path; `web` is the build of the browser client. None if there is none.
std::optional<Page> page_of(std::string_view path, const std::string& web);

/// /api/v1/rooms: the rooms that the lobby shows.
std::string rooms_json(std::vector<ListedRoom> rooms);
/// The same for whoever runs several servers, with the codes of those that each has awake, by name,
/// and who has not answered.
std::string rooms_json(std::vector<ListedRoom> rooms,
                       const std::map<std::string, std::vector<std::string>>& awake,
                       const std::vector<std::string>& silent);
/// How many rooms were closed at once, and which servers have not said.
std::string swept_json(std::size_t closed, const std::vector<std::string>& silent);

/// What the path of an invitation begins with; the code of its room follows.
inline constexpr std::string_view kRoomsPath = "/api/v1/rooms/";
/// The answer there: {} if there is none.
std::string invitation_json(const std::optional<Invitation>& invitation);

/// What the path of a record begins with; the id of its match follows.
inline constexpr std::string_view kRecordsPath = "/api/v1/records/";
/// The answer there: `record` as its room keeps it, which must live as long as the answer.
WebAnswer record_answer(std::string_view record);

}  // namespace triquetra
