#include "tests/postgres_cluster.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace triquetra {

namespace fs = std::filesystem;

namespace {

constexpr auto kPatience = std::chrono::seconds(60);  // only a hang takes that long

/// Waits until f() is true.
template <class F>
void wait_for(const F& f) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!f()) {
    REQUIRE(std::chrono::steady_clock::now() < until);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

fs::path newest_programs() {
  fs::path newest;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql")) {
    if (fs::exists(version.path() / "bin/postgres") && version.path() > newest) {
      newest = version.path();
    }
  }
  REQUIRE_MESSAGE(!newest.empty(), "there is no PostgreSQL: scripts/install test");
  return newest / "bin";
}

/// What goes before a command so that it is nobody's, if we are root; it ends with us.
std::vector<std::string> as_nobody() {
  std::vector<std::string> words = {"setpriv", "--pdeathsig", "QUIT"};
  if (geteuid() == 0) {
    words.insert(words.end(), {"--reuid", "nobody", "--regid", "nogroup", "--clear-groups"});
  }
  return words;
}

pid_t spawn(std::vector<std::string> words, const std::string& output) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr mode_t kMode = 0644;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, kMode);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t pid = 0;
  REQUIRE(posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Runs a command to its end; what it has printed, which stands in a file in `folder` meanwhile.
/// Fails the test if it fails.
std::string run(const std::vector<std::string>& words, const fs::path& folder) {
  std::string output = (folder / "output-XXXXXX").string();
  const int file = mkstemp(output.data());
  REQUIRE(file >= 0);
  close(file);
  int status = 0;
  REQUIRE(waitpid(spawn(words, output), &status, 0) > 0);
  const std::string text = text_of(output);
  fs::remove(output);
  REQUIRE_MESSAGE(status == 0, text);
  return text;
}

template <class... Words>
std::vector<std::string> with(std::vector<std::string> words, const Words&... more) {
  (words.emplace_back(more), ...);
  return words;
}

}  // namespace

Cluster::Cluster() : programs_(newest_programs()) {
  std::string name = (fs::temp_directory_path() / "triquetra-pg-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
  if (geteuid() == 0) run({"chown", "nobody:nogroup", name}, folder_);
  run(with(as_nobody(), programs_ / "initdb", "--pgdata", folder_ / "data", "--auth", "trust",
           "--username", "triquetra", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
      folder_);
  start();
}

Cluster::~Cluster() {
  signal_all(SIGCONT);
  kill();
  // Its children go by themselves.
  std::error_code error;
  for (int i = 0; i < 500 && (fs::remove_all(folder_, error), fs::exists(folder_)); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

std::string Cluster::url(const std::string& database, const std::string& more) const {
  return "postgresql:///" + database + "?host=" + folder_.string() + "&user=triquetra" +
         (more.empty() ? "" : "&" + more);
}

std::string Cluster::make(const std::string& database) const {
  sql("postgres", "CREATE DATABASE " + database);
  return url(database);
}

std::string Cluster::sql(const std::string& database, const std::string& text) const {
  return run({programs_ / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set",
              "ON_ERROR_STOP=1", "--command", text, url(database)},
             folder_);
}

bool Cluster::answers() const {
  int status = 0;
  const pid_t pid =
      spawn({programs_ / "pg_isready", "--quiet", "--host", folder_, "--username", "triquetra"},
            folder_ / "log");
  REQUIRE(waitpid(pid, &status, 0) > 0);
  return status == 0;
}

void Cluster::start() {
  // Nothing here loses its power, and what the system has was written.
  const auto has_ended = [this] { return waitpid(postmaster_, nullptr, WNOHANG) != 0; };
  wait_for([&] {
    if (postmaster_ == 0 || has_ended()) {
      postmaster_ = spawn(with(as_nobody(), programs_ / "postgres", "-D", folder_ / "data", "-k",
                               folder_, "-c", "listen_addresses=", "-c", "fsync=off"),
                          folder_ / "log");
    }
    return answers();
  });
}

void Cluster::kill() {
  ::kill(postmaster_, SIGKILL);
  waitpid(postmaster_, nullptr, 0);
  postmaster_ = 0;
}

void Cluster::signal_all(int signal) const {
  // Children first, so that none is made meanwhile that is left out.
  const std::string parent = std::to_string(postmaster_);
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::ifstream stat(process.path() / "stat");
    std::string pid;
    std::string name;
    std::string state;
    std::string its_parent;
    stat >> pid >> name >> state >> its_parent;
    if (its_parent == parent) ::kill(std::stoi(pid), signal);
  }
  ::kill(postmaster_, signal);
}

}  // namespace triquetra
