#include "server/ops/pages.hpp"

#include <utility>

#include "protocol/catalog.hpp"
#include "protocol/encode.hpp"

namespace triquetra {

namespace {

struct GameShown {
  std::string name;
  std::int64_t version{};
  std::int64_t min_seats{};
  std::int64_t max_seats{};
};
BOOST_DESCRIBE_STRUCT(GameShown, (), (name, version, min_seats, max_seats))
struct GamesShown {
  std::vector<GameShown> games;
};
BOOST_DESCRIBE_STRUCT(GamesShown, (), (games))
struct VersionShown {
  std::string version;
  std::int64_t protocol{};
  std::string web;  // changes whenever the browser client does
};
BOOST_DESCRIBE_STRUCT(VersionShown, (), (version, protocol, web))
struct RoomsShown {
  std::vector<ListedRoom> rooms;
};
BOOST_DESCRIBE_STRUCT(RoomsShown, (), (rooms))
struct ServerShown {
  std::string server;
  std::vector<std::string> awake;
};
BOOST_DESCRIBE_STRUCT(ServerShown, (), (server, awake))
struct RoomsOfServers {
  std::vector<ListedRoom> rooms;
  std::vector<ServerShown> servers;
  std::vector<std::string> silent;  // have not answered
};
BOOST_DESCRIBE_STRUCT(RoomsOfServers, (), (rooms, servers, silent))
struct RoomsClosed {
  std::int64_t closed{};
  std::optional<std::vector<std::string>> silent;
};
BOOST_DESCRIBE_STRUCT(RoomsClosed, (), (closed, silent))

std::string games_json() {
  GamesShown shown;
  for (const GameKind& game : catalog()) {
    shown.games.push_back({std::string(game.name), game.version,
                           static_cast<std::int64_t>(game.min_seats),
                           static_cast<std::int64_t>(game.max_seats)});
  }
  return encoded(shown);
}

}  // namespace

std::optional<Page> page_of(std::string_view path, const std::string& web) {
  if (path == "/healthz") return Page{"text/plain", "ok\n"};
  if (path == "/version") {
    return Page{"application/json",
                encoded(VersionShown{TRIQUETRA_VERSION, kProtocolVersion, web})};
  }
  if (path == "/api/v1/games") return Page{"application/json", games_json()};
  return std::nullopt;
}

std::string rooms_json(std::vector<ListedRoom> rooms) {
  return encoded(RoomsShown{std::move(rooms)});
}

std::string rooms_json(std::vector<ListedRoom> rooms,
                       const std::map<std::string, std::vector<std::string>>& awake,
                       const std::vector<std::string>& silent) {
  if (awake.empty()) return rooms_json(std::move(rooms));
  RoomsOfServers shown{std::move(rooms), {}, silent};
  for (const auto& [server, codes] : awake) shown.servers.push_back({server, codes});
  return encoded(shown);
}

std::string swept_json(std::size_t closed, const std::vector<std::string>& silent) {
  RoomsClosed told{static_cast<std::int64_t>(closed), std::nullopt};
  if (!silent.empty()) told.silent = silent;
  return encoded(told);
}

std::string invitation_json(const std::optional<Invitation>& invitation) {
  return invitation ? encoded(*invitation) : "{}";
}

WebAnswer record_answer(std::string_view record) {
  WebAnswer answer;
  answer.status = 200;
  answer.headers = security_headers();
  answer.headers.emplace_back("Content-Type", "application/json");
  // What is over never changes; but the names in it are people's, so copies go after a day.
  answer.headers.emplace_back("Cache-Control", "public, max-age=86400, immutable");
  answer.body = record;
  return answer;
}

}  // namespace triquetra
