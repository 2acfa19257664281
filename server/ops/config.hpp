// What a host can choose: flags, then environment variables (TRIQUETRA_...), then a file; unknown
// keys are errors, in the environment too.
//
// Folder: what whoever runs the server sets and reads: options, metrics, pages and web files.
// May see: server/base, shell, protocol, engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triquetra {

struct Config {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any free one, printed at the start
  std::size_t threads = 0;    // 0: one per core
  std::string log_format = "text";
  std::string log_level = "info";
  std::int64_t bot_delay_ms = 600;
  std::vector<std::string> allow_origin;         // beside pages from the server's own address
  std::vector<std::string> allow_host;           // names of this server; "*": any
  std::vector<std::string> trusted_proxies;      // whose X-Forwarded-For is believed
  std::vector<std::string> unlimited_addresses;  // without limits per address
  std::string tls_certificate;                   // a PEM file with the chain; empty: no TLS
  std::string tls_key;
  std::string metrics_listen;    // ADDRESS:PORT for /metrics and the admin commands; empty: none
  std::string admin_token_file;  // a file with the word that the admin commands must say
  std::string data;              // the folder of rooms and players; empty: none is kept
  std::string store;  // the URL of a PostgreSQL that keeps them instead; may have a password in it
  std::string link_address;  // HOST:PORT for other servers of the same store; empty: it is alone
  std::string link_secret_file;  // a file with what all of them know
  std::string node;              // its name for people; empty: the machine's, and something drawn
  std::string web_root;          // a folder of the browser client; empty: the one built in
  std::optional<std::string> test_seed;  // RoomPolicy::test_seed; no flag in a released server
};

enum class Errand { serve, healthcheck, check_data, repair, backup, restore, migrate, stop };
struct Orders {
  Errand errand = Errand::serve;
  int exit_code = 0;  // when errand is stop
  std::string file;   // when errand is backup or restore
  std::string from;   // when errand is migrate: folders, or URLs of PostgreSQL
  std::string to;
  Config config;
};

/// An address and a port as an option has them: ADDRESS:PORT, an IPv6 address in brackets. Throws
/// std::runtime_error that says what is wanted.
struct AddressAndPort {
  std::string address;
  std::uint16_t port = 0;
};
AddressAndPort read_address_and_port(const std::string& text);

/// Where another program reaches this one: a name or an address, and a port. Throws as above.
void check_host_and_port(const std::string& text);

/// What the file holds that an option names. Throws std::runtime_error that names both, also for
/// what is no regular file: to open a pipe could take for ever.
std::string contents_of(const std::string& option, const std::string& path);

/// A URL of PostgreSQL without what may be a password in it, to be shown.
std::string without_password(const std::string& url);

/// What the command line asks for. Prints help, version, the configuration or what is wrong with
/// it.
Orders read_orders(int argc, const char* const* argv);

}  // namespace triquetra
