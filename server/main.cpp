// triquetrad: joins the parts of the server and runs them. The only file that knows them all.
#include <spdlog/spdlog.h>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "server/config.hpp"
#include "server/hub.hpp"
#include "server/ws_server.hpp"

namespace triquetra {
namespace {

void set_up_log(const Config& config) {
  spdlog::set_level(spdlog::level::from_str(config.log_level));
  if (config.log_format == "json") {
    spdlog::set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":"%v"})",
                        spdlog::pattern_time_type::utc);
  } else {
    spdlog::set_pattern("%Y-%m-%d %H:%M:%S %l %v");
  }
}

[[noreturn]] void serve(const Config& config) {
  set_up_log(config);
  RoomPolicy policy;
  policy.bot_delay = std::chrono::milliseconds(config.bot_delay_ms);
  Hub hub(config.threads, policy);
  WsServer server(hub, config);
  server.start();
  boost::asio::signal_set signals(hub.first(), SIGINT, SIGTERM);
  signals.async_wait([&](boost::system::error_code error, int) {
    if (error) return;
    spdlog::info("going down");
    server.drain([&] { hub.stop(); });
  });
  spdlog::info("listening on http://{}:{} with {} threads", config.listen, server.port(),
               config.threads);
  hub.run();
  // Handlers that wait on one thread own sockets of another, so no order of destruction is right
  // for peers that did not go in time. All is flushed: let the system close what is left.
  spdlog::shutdown();
  std::quick_exit(0);
}

int run(int argc, const char* const* argv) {
  const Orders orders = read_orders(argc, argv);
  if (orders.errand == Errand::stop) return orders.exit_code;
  if (orders.errand == Errand::healthcheck) {
    return is_healthy(orders.config.listen, orders.config.port) ? 0 : 1;
  }
  serve(orders.config);
}

}  // namespace
}  // namespace triquetra

int main(int argc, char** argv) {
  try {
    return triquetra::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "triquetrad: " << error.what() << "\n";
    return 1;
  }
}
