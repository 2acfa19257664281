// What a GET gets that is neither a file nor a WebSocket: how the server is, and what it knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/server_frames.hpp"

namespace triquetra {

struct Page {
  std::string_view type;
  std::string body;
};

/// The page at an absolute path; `web` is the build of the browser client. None if there is none.
std::optional<Page> page_of(std::string_view path, const std::string& web);

/// /api/v1/rooms: the rooms that the lobby shows.
std::string rooms_json(std::vector<ListedRoom> rooms);

}  // namespace triquetra
