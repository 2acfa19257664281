#include "server/ops/config.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.hpp"
#include "shell/command_line.hpp"

namespace triquetra {

namespace ip = boost::asio::ip;

namespace {

constexpr int kHighestPort = 65535;
constexpr std::string_view kAddressWanted =
    "an address is wanted, not a name: such as 127.0.0.1, 0.0.0.0 for all of this machine, or "
    "[::1]";

bool is_address(const std::string& text) {
  boost::system::error_code error;
  ip::make_address(text, error);
  return !error;
}

std::string without_brackets(const std::string& text) {
  const bool has = text.size() > 2 && text.front() == '[' && text.back() == ']';
  return has ? text.substr(1, text.size() - 2) : text;
}

/// "what was given: why not", as all checks below say it.
std::string refusal(const std::string& value, std::string_view wanted) {
  return "\"" + value + "\": " + std::string(wanted);
}

/// A check of an option's value that may put it straight.
CLI::Validator check_of(std::function<std::string(std::string&)> check) {
  return {std::move(check), ""};
}

CLI::Validator address_check() {
  return check_of([](std::string& value) {
    const std::string bare = without_brackets(value);
    if (!is_address(bare)) return refusal(value, kAddressWanted);
    value = bare;
    return std::string();
  });
}

CLI::Validator address_and_port_check() {
  return check_of([](std::string& value) {
    try {
      read_address_and_port(value);
      return std::string();
    } catch (const std::runtime_error& wrong) {
      return std::string(wrong.what());
    }
  });
}

CLI::Validator network_check() {
  return check_of([](std::string& value) {
    boost::system::error_code no_v4;
    boost::system::error_code no_v6;
    ip::make_network_v4(value, no_v4);
    ip::make_network_v6(value, no_v6);
    return is_address(value) || !no_v4 || !no_v6
               ? std::string()
               : refusal(value,
                         "an address or a network is wanted, such as 10.0.0.0/8 or fd00::/8");
  });
}

bool is_of_host(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}

CLI::Validator host_check() {
  return check_of([](std::string& value) {
    const bool fits = value == "*" || is_address(without_brackets(value)) ||
                      (!value.empty() && std::all_of(value.begin(), value.end(), is_of_host));
    return fits ? std::string()
                : refusal(value,
                          "a name without scheme, port or blank is wanted, such as example.org; "
                          "commas stand between several");
  });
}

CLI::Validator node_check() {
  return check_of([](const std::string& value) {
    constexpr std::size_t kLongest = 80;
    const bool fits = !value.empty() && value.size() <= kLongest &&
                      std::all_of(value.begin(), value.end(), is_of_host);
    return fits ? std::string() : refusal(value, "letters, digits, dots and dashes are wanted");
  });
}

CLI::Validator origin_check() {
  return check_of([](std::string& value) {
    const auto slashes = value.find("://");
    const std::string host = slashes == std::string::npos ? "" : value.substr(slashes + 3);
    const bool fits = !host.empty() && host.find_first_of("/?# ,") == std::string::npos;
    return fits ? std::string()
                : refusal(value,
                          "scheme and name are wanted, without a path, such as "
                          "https://example.org");
  });
}

CLI::Validator host_and_port_check() {
  return check_of([](const std::string& value) {
    try {
      check_host_and_port(value);
      return std::string();
    } catch (const std::runtime_error& wrong) {
      return std::string(wrong.what());
    }
  });
}

/// Never repeats the value: it may have a password in it.
CLI::Validator url_check() {
  return check_of([](const std::string& value) {
    const bool fits = value.starts_with("postgresql://") || value.starts_with("postgres://");
    return fits ? std::string()
                : "a URL of PostgreSQL is wanted, such as postgresql://user@host/database";
  });
}

/// What a command line can ask for beside serving.
struct Errands {
  bool healthcheck = false;
  bool check_config = false;
  bool print_config = false;
  bool check_data = false;
  CLI::App* repair = nullptr;
  CLI::App* backup = nullptr;
  CLI::App* restore = nullptr;
  CLI::App* migrate = nullptr;
};

void add_migrate(CLI::App& app, Errands& asked, Orders& orders) {
  asked.migrate = app.add_subcommand("migrate", "Copy all that one store keeps into an empty one");
  asked.migrate->add_option("--from", orders.from, "A folder like --data, or a URL like --store")
      ->type_name("STORE")
      ->required();
  asked.migrate->add_option("--to", orders.to, "The other, in which nothing is kept")
      ->type_name("STORE")
      ->required();
  asked.migrate->footer("Example: triquetrad migrate --from games --to postgresql://db/triquetra");
}

void add_errands(CLI::App& app, Errands& asked, Orders& orders) {
  std::string& file = orders.file;
  app.add_flag("--healthcheck", asked.healthcheck,
               "Ask the server at this port how it is; exit 0 if well")
      ->configurable(false)
      ->group(shell::kSeldom);
  app.add_flag("--check-config", asked.check_config, "Only check the settings")
      ->configurable(false)
      ->group(shell::kSeldom);
  app.add_flag("--print-config", asked.print_config, "Print the settings that are in force")
      ->configurable(false);
  app.add_flag("--check-data", asked.check_data, "Only check what is kept in --data")
      ->configurable(false)
      ->group(shell::kSeldom);
  asked.repair = app.add_subcommand("repair", "Make a damaged database anew; the old one is kept");
  asked.backup =
      app.add_subcommand("backup", "Copy --data into a file, also while the server runs");
  asked.backup->add_option("FILE", file, "The file to write; must not exist")
      ->type_name(shell::kFile)
      ->required();
  asked.restore = app.add_subcommand("restore", "Bring a backup into --data, which must be empty");
  asked.restore->add_option("FILE", file, "The file that backup wrote")
      ->type_name(shell::kFile)
      ->required();
  asked.repair->footer("Example: triquetrad repair --data games");
  asked.backup->footer("Example: triquetrad backup --data games games-today.db");
  asked.restore->footer("Example: triquetrad restore --data games-new games-today.db");
  add_migrate(app, asked, orders);
  for (CLI::App* command : {asked.repair, asked.backup, asked.restore, asked.migrate}) {
    command->configurable(false);
    command->fallthrough();
  }
}

/// Variables with our prefix that others read: the clients, and the tests of the repository. A
/// server beside them must start.
constexpr std::array<std::string_view, 14> kOfOthers = {
    "TRIQUETRA_SERVER",          "TRIQUETRA_GYM_LIBRARY",   "TRIQUETRA_BOT_GAMES",
    "TRIQUETRA_CARD_GAMES",      "TRIQUETRA_KEPT_ROOMS",    "TRIQUETRA_LAW_GAMES",
    "TRIQUETRA_LOAD_ROOMS",      "TRIQUETRA_LOAD_SECONDS",  "TRIQUETRA_MAYHEM_GAMES",
    "TRIQUETRA_MAYHEM_CONTESTS", "TRIQUETRA_RECORD_FRAMES", "TRIQUETRA_SEED",
    "TRIQUETRA_SIM_SECONDS",     "TRIQUETRA_WORLDS"};

/// How many letters must be put in, taken out or changed to make one word of the other.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // of the beginnings of `b`, for one of `a`
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = before + (a[i] == b[j] ? 0 : 1);
      before = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

const std::string& nearest_of(const std::vector<std::string>& known, std::string_view name) {
  return *std::min_element(known.begin(), known.end(), [&](const auto& one, const auto& other) {
    return letters_apart(name, one) < letters_apart(name, other);
  });
}

/// Throws a ParseError for a variable with our prefix that nobody reads: somebody has misspelt it.
void refuse_unknown_variables(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_envname().empty()) known.push_back(option->get_envname());
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with("TRIQUETRA_")) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (std::find(kOfOthers.begin(), kOfOthers.end(), name) != kOfOthers.end()) continue;
    throw CLI::ValidationError(
        name, "no such environment variable; the nearest is " + nearest_of(known, name));
  }
}

/// What the library says too little about, in words of ours: an option that is not there, on the
/// command line or in the file. Empty for all else.
std::string explained(const CLI::App& app, const CLI::ParseError& error) {
  constexpr std::string_view kUnknownKey = "INI was not able to parse ";
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
  const std::string said = error.what();
  const auto is_kind = [&](CLI::ExitCodes kind) {
    return error.get_exit_code() == static_cast<int>(kind);
  };
  if (is_kind(CLI::ExitCodes::FileError)) return "--config: " + said;
  if (said.starts_with(kUnknownKey)) {
    const std::string key = said.substr(kUnknownKey.size());
    return "--config: no such key: " + key + "; the nearest is " +
           nearest_of(known, "--" + key).substr(2);
  }
  if (!is_kind(CLI::ExitCodes::ExtrasError) || app.remaining().empty()) return {};
  const std::string word = app.remaining().front();
  if (!word.starts_with("-")) return "no such command: " + word;
  const std::string name = word.substr(0, word.find('='));
  return "no such option: " + name + "; the nearest is " + nearest_of(known, name);
}

/// Where it listens, and how it runs and tells.
void add_usual_options(CLI::App& app, Config& config) {
  app.add_option("--listen", config.listen, "Address to listen on; 0.0.0.0 for all")
      ->envname("TRIQUETRA_LISTEN")
      ->type_name("ADDRESS")
      ->transform(address_check())
      ->capture_default_str();
  app.add_option("--port", config.port, "Port; 0 takes any free one")
      ->envname("TRIQUETRA_PORT")
      ->check(CLI::Range(0, kHighestPort))
      ->capture_default_str();
  app.add_option("--threads", config.threads, "Threads; 0 is one per core")
      ->envname("TRIQUETRA_THREADS")
      ->group(shell::kSeldom)
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  app.add_option("--log-format", config.log_format, "text or json")
      ->envname("TRIQUETRA_LOG_FORMAT")
      ->group(shell::kSeldom)
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("--log-level", config.log_level, "debug, info, warn or error")
      ->envname("TRIQUETRA_LOG_LEVEL")
      ->group(shell::kSeldom)
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->capture_default_str();
  app.add_option("--bot-delay-ms", config.bot_delay_ms, "How long a bot waits before it acts")
      ->envname("TRIQUETRA_BOT_DELAY_MS")
      ->group(shell::kSeldom)
      ->check(CLI::Range(0, 60000))
      ->capture_default_str();
}

/// Who may connect, from where, and how.
void add_access_options(CLI::App& app, Config& config) {
  app.add_option("--allow-origin", config.allow_origin,
                 "A further origin whose pages may connect, such as https://example.org")
      ->envname("TRIQUETRA_ALLOW_ORIGIN")
      ->type_name("ORIGIN")
      ->group(shell::kSeldom)
      ->transform(origin_check());
  app.add_option("--allow-host", config.allow_host,
                 "Names that this server is reached by; * for any")
      ->envname("TRIQUETRA_ALLOW_HOST")
      ->type_name("NAME,...")
      ->transform(host_check())
      ->delimiter(',');
  app.add_option("--trusted-proxies", config.trusted_proxies,
                 "Reverse proxies whose X-Forwarded-For is believed")
      ->envname("TRIQUETRA_TRUSTED_PROXIES")
      ->type_name("NET,...")
      ->transform(network_check())
      ->delimiter(',');
  app.add_option("--unlimited-addresses", config.unlimited_addresses,
                 "Addresses or networks without limits per address, such as a school's")
      ->envname("TRIQUETRA_UNLIMITED_ADDRESSES")
      ->type_name("NET,...")
      ->group(shell::kSeldom)
      ->transform(network_check())
      ->delimiter(',');
  auto* const certificate = app.add_option("--tls-certificate", config.tls_certificate,
                                           "A PEM file: speak TLS; read again on SIGHUP")
                                ->envname("TRIQUETRA_TLS_CERTIFICATE")
                                ->type_name(shell::kFile);
  auto* const key = app.add_option("--tls-key", config.tls_key, "A PEM file with its private key")
                        ->envname("TRIQUETRA_TLS_KEY")
                        ->type_name(shell::kFile)
                        ->needs(certificate);
  certificate->needs(key);
  auto* const metrics = app.add_option("--metrics-listen", config.metrics_listen,
                                       "ADDRESS:PORT for /metrics and `triquetra admin`")
                            ->envname("TRIQUETRA_METRICS_LISTEN")
                            ->type_name("WHERE")
                            ->transform(address_and_port_check());
  app.add_option("--admin-token-file", config.admin_token_file,
                 "With the token that `triquetra admin` must show")
      ->envname("TRIQUETRA_ADMIN_TOKEN_FILE")
      ->type_name(shell::kFile)
      ->group(shell::kSeldom)
      ->needs(metrics);
}

std::string shown_config(CLI::App& app, CLI::Option* store) {
  if (store->count() > 0) {
    const std::string url = store->as<std::string>();
    store->clear();
    store->add_result(without_password(url));
  }
  return app.config_to_str(true, false);
}

/// Where rooms are kept. Gives the option whose value is not to be shown as it is.
CLI::Option* add_keeping_options(CLI::App& app, Config& config) {
  app.add_option("--data", config.data, "Where rooms and players are kept; else nowhere")
      ->envname("TRIQUETRA_DATA")
      ->type_name(shell::kFolder);
  CLI::Option* const store =
      app.add_option("--store", config.store,
                     "A PostgreSQL that keeps them: postgresql://USER@HOST/DATABASE")
          ->envname("TRIQUETRA_STORE")
          ->type_name("URL")
          ->group(shell::kSeldom)
          ->check(url_check());
  CLI::Option* const link =
      app.add_option("--link-address", config.link_address,
                     "HOST:PORT where other servers of the same --store reach this one")
          ->envname("TRIQUETRA_LINK_ADDRESS")
          ->type_name("WHERE")
          ->group(shell::kSeldom)
          ->check(host_and_port_check())
          ->needs(store);
  CLI::Option* const secret =
      app.add_option("--link-secret-file", config.link_secret_file,
                     "With what all of those servers know: 32 bytes or more")
          ->envname("TRIQUETRA_LINK_SECRET_FILE")
          ->type_name(shell::kFile)
          ->group(shell::kSeldom)
          ->needs(link);
  link->needs(secret);
  app.add_option("--node", config.node, "This server's name among them, for metrics and the log")
      ->envname("TRIQUETRA_NODE")
      ->type_name("NAME")
      ->group(shell::kSeldom)
      ->check(node_check())
      ->needs(link);
  return store;
}

}  // namespace

AddressAndPort read_address_and_port(const std::string& text) {
  constexpr std::string_view kWanted =
      "ADDRESS:PORT is wanted, such as 127.0.0.1:9100 or [::1]:9100";
  const auto colon = text.rfind(':');
  const std::string host = text.substr(0, colon);
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool bare_v6 = host.find(':') != std::string::npos && host.front() != '[';
  constexpr std::size_t kDigits = 5;
  const bool is_number = !port.empty() && port.size() <= kDigits &&
                         port.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stoi(port) > kHighestPort || bare_v6) {
    throw std::runtime_error(refusal(text, kWanted));
  }
  if (!is_address(without_brackets(host))) throw std::runtime_error(refusal(text, kAddressWanted));
  return {without_brackets(host), static_cast<std::uint16_t>(std::stoi(port))};
}

void check_host_and_port(const std::string& text) {
  constexpr std::string_view kWanted =
      "HOST:PORT is wanted, such as games2.internal:7000 or [::1]:7000";
  const auto colon = text.rfind(':');
  const std::string host = text.substr(0, colon);
  const bool is_name = !host.empty() && std::all_of(host.begin(), host.end(), is_of_host);
  const std::string port = colon == std::string::npos ? "" : text.substr(colon);
  std::optional<AddressAndPort> read;
  try {
    // The rest is as of an address.
    read = read_address_and_port(is_name ? "127.0.0.1" + port : text);
  } catch (const std::runtime_error&) {
    throw std::runtime_error(refusal(text, kWanted));
  }
  if (read->port == 0) throw std::runtime_error(refusal(text, "others must know the port"));
}

std::string contents_of(const std::string& option, const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw std::runtime_error(option + " " + path + ": " + why);
  };
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) fail(std::strerror(errno));
  struct stat known {};
  std::string text;
  std::string wrong;
  if (fstat(file, &known) != 0 || !S_ISREG(known.st_mode)) {
    wrong = "no regular file";
  } else {
    text.resize(limits::kOptionFileBytes + 1);
    const ssize_t size = ::read(file, text.data(), text.size());
    if (size < 0) wrong = std::strerror(errno);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (text.size() > limits::kOptionFileBytes) wrong = "too large";
  }
  close(file);
  if (!wrong.empty()) fail(wrong);
  return text;
}

std::string without_password(const std::string& url) {
  // More is hidden than must be, where somebody has written what is none.
  const auto query = url.find('?');
  std::string shown = url.substr(0, query);
  const auto colon = shown.find(':', shown.find("://") + 1);
  const auto at = shown.rfind('@');
  if (at != std::string::npos && colon < at) shown.replace(colon + 1, at - colon - 1, "***");
  constexpr std::array<std::string_view, 7> kHarmless = {
      "host", "port", "user", "dbname", "sslmode", "sslrootcert", "target_session_attrs"};
  for (auto begin = query; begin != std::string::npos;) {
    const auto end = url.find('&', begin + 1);
    const std::string one = url.substr(begin, end - begin);  // with the sign before it
    const auto equals = one.find('=');
    const std::string_view name = std::string_view(one).substr(1, equals - 1);
    const bool is_harmless = std::find(kHarmless.begin(), kHarmless.end(), name) != kHarmless.end();
    shown += is_harmless ? one : one.substr(0, 1) + std::string(name) + "=***";
    begin = end;
  }
  return shown;
}

Orders read_orders(int argc, const char* const* argv) {
  Orders orders;
  Config& config = orders.config;
  CLI::App app("The Triquetra game server", "triquetrad");
  shell::set_help(app, false);
  app.set_config("--config", "", "A file of key = value lines, keys as these flags")
      ->type_name(shell::kFile);
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.set_version_flag("--version", std::string("triquetrad ") + TRIQUETRA_VERSION,
                       "Show the version")
      ->group(shell::kSeldom);
  add_usual_options(app, config);
  add_access_options(app, config);
  CLI::Option* const store = add_keeping_options(app, config);
  app.add_option("--web-root", config.web_root,
                 "The browser client to serve instead of the one built in")
      ->envname("TRIQUETRA_WEB_ROOT")
      ->type_name(shell::kFolder)
      ->group(shell::kSeldom);
#ifdef TRIQUETRA_TEST_SEED
  app.add_option("--test-seed", config.test_seed,
                 "For tests: whoever knows it knows every deal. No released server has this flag")
      ->group(shell::kSeldom)
      ->configurable(false);
#endif
  Errands asked;
  add_errands(app, asked, orders);
  // After the commands, which would take them over.
  app.set_help_all_flag("--help-all", "Show every setting");
  app.footer(
      "--allow-host is TRIQUETRA_ALLOW_HOST in the environment, and so on.\n"
      "Example: triquetrad --listen 0.0.0.0 --data games --allow-host games.example.org");
  if (argc > 1 && std::string_view(argv[1]) == "complete") {
    std::cout << shell::completion(app, {argv + 2, argv + argc}, {});
    orders.errand = Errand::stop;
    return orders;
  }
  try {
    app.parse(argc, argv);
    refuse_unknown_variables(app);
  } catch (const CLI::ParseError& error) {
    orders.errand = Errand::stop;
    const std::string words = explained(app, error);
    if (!words.empty()) std::cerr << words << "\nRun with --help for more information.\n";
    orders.exit_code = words.empty() && app.exit(error) == 0 ? 0 : 2;
    return orders;
  }
  if (asked.print_config) std::cout << shown_config(app, store);
  if (asked.check_config || asked.print_config) orders.errand = Errand::stop;
  if (asked.healthcheck) orders.errand = Errand::healthcheck;
  if (asked.check_data) orders.errand = Errand::check_data;
  if (asked.repair->parsed()) orders.errand = Errand::repair;
  if (asked.backup->parsed()) orders.errand = Errand::backup;
  if (asked.restore->parsed()) orders.errand = Errand::restore;
  if (asked.migrate->parsed()) orders.errand = Errand::migrate;
  if (config.threads == 0) config.threads = std::max(1U, std::thread::hardware_concurrency());
  return orders;
}

}  // namespace triquetra
