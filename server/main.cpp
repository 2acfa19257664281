// triquetrad: joins the parts of the server and runs them. The only file that knows them all.
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/signal_set.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "protocol/wire.hpp"
#include "server/base/random.hpp"
#include "server/cluster/tls_link.hpp"
#include "server/net/handed_socket.hpp"
#include "server/net/ws_server.hpp"
#include "server/ops/config.hpp"
#include "server/ops/metrics.hpp"
#include "server/people/hub.hpp"
#include "server/store/data_folder.hpp"
#include "server/store/memory_store.hpp"
#include "server/store/move.hpp"
#include "server/store/recovery.hpp"
#include "server/store/sqlite_store.hpp"
#ifdef TRIQUETRA_POSTGRES
#include "server/store/postgres_store.hpp"
#endif

namespace triquetra {
namespace {

/// A JSON string in ASCII, whatever the bytes are.
std::string as_string(const spdlog::string_view_t& text) {
  std::string quoted;
  encode_string(quoted, std::string_view(text.data(), text.size()));
  std::string out;
  for (const char c : quoted) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += fmt::format("\\u00{:02x}", byte);
    }
  }
  return out;
}

/// The message as a JSON string: no word of a stranger makes a line or a colour of its own.
class JsonMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& out) override {
    const std::string text = as_string(message.payload);
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonMessage>();
  }
};

/// The same without the quotes, for people.
class PlainMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& out) override {
    const std::string text = as_string(message.payload);
    out.append(text.data() + 1, text.data() + text.size() - 1);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PlainMessage>();
  }
};

void set_up_log(const Config& config) {
  spdlog::set_level(spdlog::level::from_str(config.log_level));
  const bool json = config.log_format == "json";
  auto formatter = std::make_unique<spdlog::pattern_formatter>(
      json ? spdlog::pattern_time_type::utc : spdlog::pattern_time_type::local);
  if (json) {
    formatter->add_flag<JsonMessage>('*');
    formatter->set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":%*})");
  } else {
    formatter->add_flag<PlainMessage>('*');
    formatter->set_pattern("%Y-%m-%d %H:%M:%S %l %*");
  }
  spdlog::set_formatter(std::move(formatter));
}

/// What was found only when the server had begun to run. Other threads may be logging meanwhile.
[[noreturn]] void give_up(const std::exception& problem) {
  spdlog::default_logger_raw()->flush();
  std::cerr << "triquetrad: " << problem.what() << "\n" << std::flush;
  std::quick_exit(1);
}

std::unique_ptr<EventStore> make_store(const DataFolder* folder, boost::asio::io_context& first,
                                       const Config& config,
                                       [[maybe_unused]] std::uint32_t writer) {
  const std::size_t threads = config.threads;
  const auto tell = [](auto appends, auto took) { metrics().committed(appends, took); };
  if (!config.store.empty()) {
#ifdef TRIQUETRA_POSTGRES
    PostgresStore::Options options{config.store, threads};
    options.writer = writer;
    return std::make_unique<PostgresStore>(options, tell, give_up);
#else
    throw std::runtime_error("--store: this triquetrad was built without PostgreSQL");
#endif
  }
  if (folder != nullptr) {
    const auto look = [file = folder->file()] {
      const auto recovered = recover_if_damaged(file);
      if (recovered) spdlog::error("{}", told(*recovered, file));
    };
    return std::make_unique<SqliteStore>(folder->file(), tell, threads, look, give_up);
  }
  spdlog::warn("rooms go with this process: no --data is given");
  return std::make_unique<MemoryStore>(first, threads);
}

/// None if it is alone. Throws std::runtime_error.
std::optional<NodeOptions> node_of(const Config& config) {
  if (config.link_address.empty()) return std::nullopt;
  NodeOptions node;
  // 31 bits, and not 0.
  node.id = static_cast<std::uint32_t>(std::stoul(fresh_hex(4), nullptr, 16)) >> 1U | 1U;
  node.address = config.link_address;
  const std::string secret = contents_of("--link-secret-file", config.link_secret_file);
  constexpr std::size_t kShortest = 32;
  if (secret.size() < kShortest) {
    throw std::runtime_error("--link-secret-file " + config.link_secret_file +
                             ": 32 bytes or more are wanted");
  }
  node.make_links = [address = node.address, secret](boost::asio::io_context& first) {
    return link::over_tls(first, address, secret);
  };
  node.name = config.node;
  if (node.name.empty()) node.name = boost::asio::ip::host_name() + "-" + fresh_hex(2);
  return node;
}

std::unique_ptr<DataFolder> own_folder(const std::string& folder) try {
  return folder.empty() ? nullptr : std::make_unique<DataFolder>(folder);
} catch (const StoreProblem& problem) {
  throw StoreProblem(std::string("--data ") + problem.what());
}

void warn_of_eavesdroppers(const Config& config) {
  const bool is_loopback = config.listen.starts_with("127.") || config.listen == "::1";
  if (config.tls_certificate.empty() && config.trusted_proxies.empty() && !is_loopback) {
    spdlog::warn("on the open internet others could read along: see docs/HOSTING.md");
  }
}

[[noreturn]] void serve(Config config) {
  set_up_log(config);
  const auto handed = net::take_handed_socket();
  if (handed) {
    config.listen = handed->endpoint.address().to_string();
    config.port = handed->endpoint.port();
  }
  RoomPolicy policy;
  policy.bot_delay = std::chrono::milliseconds(config.bot_delay_ms);
#ifdef TRIQUETRA_TEST_SEED
  policy.test_seed = config.test_seed;
  if (config.test_seed) {
    spdlog::warn("whoever knows the test seed knows every deal");
    foresee(*config.test_seed);
  }
#endif
  const auto folder = own_folder(config.store.empty() ? config.data : "");
  const auto node = node_of(config);
  const std::uint32_t writer = node ? node->id : 0;
  Hub hub(
      config.threads, policy,
      [&](boost::asio::io_context& first) {
        return make_store(folder.get(), first, config, writer);
      },
      Networks(config.unlimited_addresses), node);
  if (node) spdlog::info("server {} at {}", node->name, node->address);
  WsServer server(hub, config, handed);
  boost::asio::signal_set signals(hub.first(), SIGINT, SIGTERM);
  signals.async_wait([&](boost::system::error_code error, int) {
    if (error) return;
    spdlog::info("going down");
    server.drain([&] { hub.stop(); });
  });
  warn_of_eavesdroppers(config);
  // Before the rooms are read, which may take a while: whoever looks after the server sees it live.
  server.start();
  spdlog::info("reading the rooms; until they are there port {} says 503 to all but /healthz",
               server.port());
  hub.load([&](bool all_loaded) {
    if (!all_loaded) {
      spdlog::error("not all rooms could be read");
      spdlog::shutdown();
      std::quick_exit(1);
    }
    server.loaded();
    const bool is_v6 = config.listen.find(':') != std::string::npos;
    spdlog::info("listening on {}://{}:{} with {} threads",
                 config.tls_certificate.empty() ? "http" : "https",
                 is_v6 ? "[" + config.listen + "]" : config.listen, server.port(), config.threads);
  });
  hub.run();
  // Handlers that wait on one thread own sockets of another, so no order of destruction is right
  // for peers that did not go in time. All is flushed: let the system close what is left.
  spdlog::shutdown();
  std::quick_exit(0);
}

/// Descriptors 0 to 2 that whoever started us has closed. The next file that is opened, such as the
/// data folder's lock, would be one of them else, and what is logged would go into it.
void fill_standard_streams() {
  int lowest = 0;
  while (lowest >= 0 && lowest <= 2) lowest = ::open("/dev/null", O_RDWR);
  if (lowest > 2) ::close(lowest);
}

int run(int argc, const char* const* argv) {
  const Orders orders = read_orders(argc, argv);
  if (orders.errand == Errand::stop) return orders.exit_code;
  if (orders.errand == Errand::healthcheck) {
    return is_healthy(orders.config) ? 0 : 1;
  }
  switch (orders.errand) {
    case Errand::check_data:
      std::cout << check_store(data_file(orders.config.data)) << "\n";
      return 0;
    case Errand::repair:
      std::cout << repair(orders.config.data) << "\n";
      return 0;
    case Errand::backup:
      std::cout << back_up(orders.config.data, orders.file) << "\n";
      return 0;
    case Errand::restore:
      std::cout << restore(orders.config.data, orders.file) << "\n";
      return 0;
    case Errand::migrate:
      std::cout << move_store(orders.from, orders.to) << "\n";
      return 0;
    default:
      serve(orders.config);
  }
}

}  // namespace
}  // namespace triquetra

int main(int argc, char** argv) {
  triquetra::fill_standard_streams();
  try {
    const int exit_code = triquetra::run(argc, argv);
    if (!std::cout.flush()) throw std::runtime_error("not all could be written");
    return exit_code;
  } catch (const std::exception& error) {
    std::cerr << "triquetrad: " << error.what() << "\n";
    return 1;
  }
}
