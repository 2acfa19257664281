// The terminal program: one subcommand for each thing a person or a program may do. Each is
// declared by a function below that leaves its work in `run`.
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/commands/admin.hpp"
#include "clients/cli/commands/network_arena.hpp"
#include "clients/cli/commands/robots.hpp"
#include "clients/cli/games/catalogue.hpp"
#include "clients/cli/network/connection.hpp"
#include "clients/cli/network/profile.hpp"
#include "clients/cli/terminal/full_screen.hpp"
#include "clients/cli/terminal/line_mode.hpp"
#include "engine/ensure.hpp"
#include "protocol/catalog.hpp"
#include "protocol/errors.hpp"
#include "protocol/json.hpp"
#include "shell/command_line.hpp"
#include "tools/arena.hpp"
#include "tools/exam_server.hpp"
#include "tools/record_tools.hpp"
#include "tools/strength.hpp"

namespace triquetra::cli {
namespace {

constexpr const char* kVersion = TRIQUETRA_VERSION;

using Run = std::function<Exit()>;

/// What several subcommands take.
struct Common {
  std::string server = "ws://localhost:8080";
  std::string target;
  std::string name;
  std::string profile = "default";
  std::string language;
  std::string color = "auto";
  std::string password;
  std::string device;
  bool is_program = false;
  bool as_json = false;
  bool in_lines = false;
};

/// All words of an enumeration.
template <class E>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>(
      [&](auto enumerator) { words.emplace_back(enumerator.name); });
  return words;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value != nullptr ? value : "";
}

Catalogue catalogue_of(const Common& common) {
  return Catalogue(Catalogue::choose(
      {common.language, environment("LC_ALL"), environment("LC_MESSAGES"), environment("LANG")}));
}

/// Whether there is a full screen to play on; says why not, where somebody could wonder.
bool has_screen(const Common& common, const Catalogue& catalogue) {
  if (common.in_lines) return false;
  // Asked of all programs: what is left without colours is told in lines, unless --color says more.
  if (common.color == "auto" && !environment("NO_COLOR").empty()) return false;
  const NoScreen why = why_no_screen();
  if (why == NoScreen::too_small) {
    std::cerr << catalogue.text("screen.too_small",
                                {{"columns", std::int64_t{kSmallestScreen.columns}},
                                 {"rows", std::int64_t{kSmallestScreen.rows}}})
              << std::endl;
  }
  return why == NoScreen::none;
}

void add_lines(CLI::App& app, Common& common) {
  app.add_flag("--lines", common.in_lines, "Line by line, also where there is a full screen");
}

Style style_of(const Common& common) {
  if (common.color != "auto") return {common.color == "always"};
  if (!environment("NO_COLOR").empty()) return {false};
  const std::string force = environment("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return {true};
  return {::isatty(1) == 1 && environment("TERM") != "dumb"};
}

void add_looks(CLI::App& app, Common& common) {
  app.add_option("--lang", common.language, "Language; else that of the terminal")
      ->check(CLI::IsMember(Catalogue::languages()));
  app.add_option("--color", common.color, "Colours")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->group(shell::kSeldom)
      ->capture_default_str();
}

void add_common(CLI::App& app, Common& common) {
  app.add_option("--server", common.server, "Where, or wss://HOST for TLS")
      ->type_name("URL")
      ->envname("TRIQUETRA_SERVER")
      ->capture_default_str();
  app.add_option("--name", common.name, "My name, at most 24 characters")
      ->type_name("NAME")
      ->check([](const std::string& name) {
        return PlayerName::fits(name) ? "" : "at most 24 characters";
      });
  app.add_option("--profile", common.profile, "Who I am on this machine")
      ->type_name("NAME")
      ->capture_default_str();
  add_looks(app, common);
}

void add_target(CLI::App& app, Common& common, bool is_required) {
  app.add_option("room", common.target, "Code of the table, or an address that ends with one")
      ->type_name("ROOM")
      ->required(is_required);
  app.add_option("--password", common.password, "Password of the table")->type_name("WORD");
}

/// The server and the room that the words name; throws CLI::ValidationError (exit code 2).
Target target_of(const Common& common) {
  const auto server = parse_server(common.server);
  if (!server) throw CLI::ValidationError("--server", "no address: " + common.server);
  if (common.target.empty()) return *server;
  auto target = parse_target(common.target);
  if (!target) throw CLI::ValidationError("room", "no table code or address: " + common.target);
  if (!target->names_server) target->server = server->server;
  return *target;
}

SessionOptions session_options(const Common& common, const Target& target,
                               const Catalogue& catalogue) {
  SessionOptions options;
  options.server = target.server;
  options.profile = common.profile;
  if (!common.name.empty()) options.name = common.name;
  options.language = catalogue.language();
  if (!common.device.empty()) options.device = common.device;
  options.is_program = common.is_program;
  return options;
}

/// Lets the visitor play until it is done. Ctrl-C asks once when somebody could have meant a copy.
template <class Mode>
Exit visit(boost::asio::io_context& io, Mode& mode, const Catalogue& catalogue) {
  bool was_interrupted = false;
  bool is_killed = false;
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  std::function<void(boost::system::error_code, int)> caught;
  caught = [&](boost::system::error_code error, int signal) {
    if (error) return;
    const bool may_ask = signal == SIGINT && ::isatty(0) == 1 && !was_interrupted;
    if (may_ask) {
      was_interrupted = true;
      if constexpr (requires { mode.asked_to_quit(); }) {
        mode.asked_to_quit();
      } else {
        std::cerr << "\n" << catalogue.text("cli.again_to_quit") << std::endl;
      }
      signals.async_wait(caught);
      return;
    }
    is_killed = true;
    io.stop();
  };
  signals.async_wait(caught);
  mode.open();
  io.run();
  return is_killed ? Exit::interrupted : mode.exit_code();
}

/// How many this room's game needs at least; 0 if this program does not know it.
std::size_t least_seats(const RoomFrame& room) {
  const GameKind* game = find_game(room.game);
  if (game == nullptr) return 0;
  try {
    for (std::size_t seats = game->min_seats; seats <= game->max_seats; ++seats) {
      if (!game->check(room.options.text, seats)) return seats;
    }
  } catch (const Malformed&) {
    // A server that is newer knows more ways to play.
  }
  return 0;
}

/// "a, b or c": the games that this program knows.
std::string which_game() {
  std::string text;
  for (std::size_t i = 0; i < catalog().size(); ++i) {
    if (i > 0) text += i + 1 == catalog().size() ? " or " : ", ";
    text += catalog()[i].name;
  }
  return text;
}

Exit play(const Common& common, const Entry& entry) {
  Catalogue catalogue = catalogue_of(common);
  boost::asio::io_context io(1);
  const SessionOptions options = session_options(common, target_of(common), catalogue);
  if (common.as_json) {
    Script script(io, options, entry, catalogue);
    return visit(io, script, catalogue);
  }
  if (has_screen(common, catalogue)) {
    FullScreen screen(io, options, entry, catalogue, style_of(common).has_color, least_seats);
    return visit(io, screen, catalogue);
  }
  LineMode lines(io, options, entry, catalogue, style_of(common));
  return visit(io, lines, catalogue);
}

template <class Request>
Request entering(const Common& common) {
  Request request;
  const std::string room = target_of(common).room;
  if (room.empty()) throw CLI::ValidationError("room", "which table?");
  request.room = RoomCode(room);
  if (!common.password.empty()) request.password = Password(common.password);
  return request;
}

void add_play(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("play", "Join a table and play");
  command->footer("Example: triquetra play BCDFGH --server wss://games.example.org");
  auto common = std::make_shared<Common>();
  auto seat = std::make_shared<int>(0);
  add_common(*command, *common);
  add_lines(*command, *common);
  add_target(*command, *common, false);
  command->add_option("--device", common->device, "Go on as the player who was told this code")
      ->type_name("CODE")
      ->check([](const std::string& code) { return Text<16>::fits(code) ? "" : "no such code"; });
  command->add_flag("--bot", common->is_program, "Show the seat as a bot's");
  command->add_option("--seat", *seat, "Which seat, counted from 1")
      ->check(CLI::Range(1, static_cast<int>(kMaxSeats)));
  command->add_flag("--json", common->as_json, "Frames as lines on stdin and stdout");
  command->callback([=, &run] {
    run = [=] {
      Entry entry;
      const bool has_room = !target_of(*common).room.empty();
      if (has_room || !common->as_json) entry.join = entering<Join>(*common);
      if (entry.join && *seat > 0) entry.join->seat = SeatNumber(*seat - 1);
      return play(*common, entry);
    };
  });
}

struct CreateWords {
  std::string game = "triqueta";
  std::string options;
  std::string variant;
  std::string bot_level = "normal";
  std::string chat = "reactions";
  int seats = 0;
  int bots = 0;
  int clock = 0;
  bool start = false;
  bool listed = false;
};

Entry entry_of(const CreateWords& words, const Common& common) {
  Create create;
  create.game = Text<32>(words.game);
  Json options = Json::object();
  try {
    if (!words.options.empty()) options = parse_json(words.options);
  } catch (const Malformed&) {
    throw CLI::ValidationError("--options", "this is no JSON object: " + words.options);
  }
  if (!options.is_object()) throw CLI::ValidationError("--options", "a JSON object is wanted");
  if (!words.variant.empty()) options["variant"] = words.variant;
  create.options = Raw{options.dump()};
  if (words.seats > 0) create.seats = words.seats;
  if (words.clock > 0) create.clock = words.clock;
  create.chat = enumerator_of<Chat>(words.chat);
  if (words.listed) create.visibility = Visibility::listed;
  if (!common.password.empty()) create.password = Password(common.password);
  Entry entry;
  entry.create = create;
  entry.bots = words.bots;
  entry.bot_level = enumerator_of<BotLevel>(words.bot_level).value();
  entry.start = words.start;
  return entry;
}

void add_create(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("create", "Open a table, tell its code, and play");
  command->footer("Example: triquetra create --variant wolves --seats 4 --bots 2");
  auto common = std::make_shared<Common>();
  auto words = std::make_shared<CreateWords>();
  add_common(*command, *common);
  add_lines(*command, *common);
  command->add_option("--game", words->game, which_game())
      ->type_name("GAME")
      ->capture_default_str();
  command->add_option("--variant", words->variant, "Of Triqueta: base, wolves or duo")
      ->type_name("VARIANT");
  command->add_option("--options", words->options, "The game's options as a JSON object")
      ->type_name("JSON");
  command->add_option("--seats", words->seats, "How many; as many as the game allows if absent")
      ->check(CLI::Range(1, static_cast<int>(kMaxSeats)));
  command->add_option("--bots", words->bots, "Bots to add at once")
      ->check(CLI::Range(0, static_cast<int>(kMaxSeats) - 1));
  command
      ->add_option("--bot-level", words->bot_level, "How they play: easy, normal, hard or expert")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"easy", "normal", "hard", "expert", "random", "greedy"}))
      ->capture_default_str();
  command->add_option("--clock", words->clock, "Seconds per decision; no limit if absent")
      ->check(CLI::Range(5, 86400));
  command->add_option("--password", common->password, "Joining asks for this password")
      ->type_name("WORD");
  command->add_option("--chat", words->chat, "How to talk: off, reactions or text")
      ->type_name("HOW")
      ->check(CLI::IsMember(words_of<Chat>()))
      ->capture_default_str();
  command->add_flag("--listed", words->listed, "Let everybody on this server find the table");
  command->add_flag("--start", words->start, "Start at once");
  command->add_flag("--json", common->as_json, "Frames as lines on stdin and stdout")
      ->group(shell::kSeldom);
  command->callback([=, &run] { run = [=] { return play(*common, entry_of(*words, *common)); }; });
}

void add_watch(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("watch", "Watch a table");
  command->footer(
      "Example: triquetra watch BCDFGH --json | jq -c 'select(.type == \"view\").table'");
  auto common = std::make_shared<Common>();
  add_common(*command, *common);
  add_lines(*command, *common);
  add_target(*command, *common, true);
  command->add_flag("--json", common->as_json, "Each frame as a line of JSON, for scripts");
  command->callback([=, &run] {
    run = [=] {
      Entry entry;
      entry.watch = entering<Watch>(*common);
      return play(*common, entry);
    };
  });
}

void add_rooms(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("rooms", "List the open tables");
  command->footer("Example: triquetra rooms --json | jq -r '.rooms[].room'");
  auto common = std::make_shared<Common>();
  add_common(*command, *common);
  command->add_flag("--json", common->as_json, "One line of JSON, for scripts");
  command->callback([=, &run] {
    run = [=] {
      const Catalogue catalogue = catalogue_of(*common);
      boost::asio::io_context io(1);
      Rooms rooms(io, session_options(*common, target_of(*common), catalogue), catalogue,
                  common->as_json);
      return visit(io, rooms, catalogue);
    };
  });
}

void add_admin(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("admin", "Look after a server that runs on this machine");
  const std::string example = "Example: triquetra admin --token-file FILE ";
  command->footer(example + "close --idle 48");
  auto admin = std::make_shared<AdminRequest>();
  command->add_option("--at", admin->at, "ADDRESS:PORT of its --metrics-listen")
      ->capture_default_str();
  command->add_option("--token-file", admin->token_file, "The file of its --admin-token-file")
      ->type_name(shell::kFile)
      ->envname("TRIQUETRA_ADMIN_TOKEN_FILE")
      ->required();
  command->require_subcommand(1);
  command->add_subcommand("rooms", "List all rooms; nothing that is hidden is in it")
      ->footer(example + "rooms | jq -r '.rooms[].room'")
      ->callback([=] { admin->method = "GET", admin->path = "/admin/rooms"; });
  auto* drain = command->add_subcommand(
      "drain", "Say goodbye to everybody and end; games go on later, or at other servers");
  drain->footer(example + "drain");
  drain->add_option("SERVER", admin->body, "Of several servers: its --node; else the asked one");
  drain->callback([=] { admin->method = "POST", admin->path = "/admin/drain"; });
  auto* announce = command->add_subcommand("announce", "Say something to everybody, on one line");
  announce->footer(example + "announce 'Back in a minute'");
  announce->add_option("TEXT", admin->body, "What to say")->required();
  announce->callback([=] { admin->method = "POST", admin->path = "/admin/announce"; });
  auto* close = command->add_subcommand(
      "close", "Close a room for good, whose log is kept; or many at once, whose logs go");
  auto room = std::make_shared<std::string>();
  auto address = std::make_shared<std::string>();
  auto hours = std::make_shared<int>(0);
  auto* const from = close->add_option("--address", *address, "All rooms made from this address");
  auto* const idle =
      close->add_option("--idle", *hours, "All rooms in which nobody has been for so many hours")
          ->check(CLI::Range(0, 24 * 365))
          ->excludes(from);
  auto* const one = close->add_option("ROOM", *room, "Its code")->excludes(from)->excludes(idle);
  one->check([](const std::string& code) { return room_code_of(code) ? "" : "no room code"; });
  close->callback([=] {
    admin->method = "POST";
    admin->path = *one ? "/admin/close/" + *room_code_of(*room) : "/admin/sweep";
    if (*from) admin->body = "address " + *address;
    if (*idle) admin->body = "idle " + std::to_string(*hours);
    if (!*one && !*from && !*idle) throw CLI::RequiredError("ROOM, --address or --idle");
  });
  command->callback(
      [=, &run] { run = [=] { return run_admin(*admin) == 0 ? Exit::ok : Exit::unexpected; }; });
}

void add_bot(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("bot", "Join a table as a bot over the network");
  command->footer("Example: triquetra bot BCDFGH --level greedy --once");
  auto common = std::make_shared<Common>();
  auto level = std::make_shared<std::string>("greedy");
  auto once = std::make_shared<bool>(false);
  common->profile = "bot";
  common->is_program = true;
  add_common(*command, *common);
  add_target(*command, *common, true);
  command->add_option("--level", *level, "How it plays")
      ->check(CLI::IsMember({"random", "greedy"}))
      ->capture_default_str();
  command->add_flag("--once", *once, "Leave when the match is over");
  command->callback([=, &run] {
    run = [=] {
      const Catalogue catalogue = catalogue_of(*common);
      boost::asio::io_context io(1);
      Entry entry;
      entry.join = entering<Join>(*common);
      Bot bot(io, session_options(*common, target_of(*common), catalogue), entry, catalogue,
              *level == "random" ? BotLevel::random : BotLevel::greedy, *once);
      return visit(io, bot, catalogue);
    };
  });
}

Exit network_arena(const Common& common, const ArenaPlan& plan) {
  if (NetworkArena::host_bot(plan.bots) == plan.bots.size()) {
    throw CLI::ValidationError("--bots", "one of them must be random or greedy: it is the host");
  }
  const Catalogue catalogue = catalogue_of(common);
  boost::asio::io_context io(1);
  SessionOptions options = session_options(common, target_of(common), catalogue);
  options.is_program = true;
  NetworkArena arena(io, options, catalogue, plan, std::filesystem::read_symlink("/proc/self/exe"));
  return visit(io, arena, catalogue);
}

void add_arena(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("arena", "Let bots play a tournament");
  command->footer("Example: triquetra arena --bots greedy,random --games 100");
  auto common = std::make_shared<Common>();
  auto plan = std::make_shared<ArenaPlan>();
  common->profile = "arena";
  auto* bots =
      command
          ->add_option("--bots", plan->bots,
                       "One per seat: random, greedy, easy, normal, hard, expert; with --server "
                       "random, greedy and commands, to which a room code and --server URL are "
                       "added")
          ->type_name("BOT,...")
          ->delimiter(',')
          ->expected(1, static_cast<int>(kMaxSeats));
  auto page = std::make_shared<std::string>();
  auto* table =
      command
          ->add_option("--table", *page,
                       "Instead of one tournament, how strong each level is; into this page, if "
                       "one is named")
          ->type_name("FILE")
          ->expected(0, 1)
          ->excludes(bots);
  auto kept = std::make_shared<std::string>();
  command
      ->add_option("--kept", *kept,
                   "With --table: keep each match there, and go on from those that are there")
      ->type_name("FILE")
      ->needs(table);
  auto* games = command->add_option("--games", plan->games, "How many matches")
                    ->check(CLI::Range(1, 1'000'000))
                    ->capture_default_str();
  command->add_option("--seed", plan->seed, "The same seed gives the same matches; not at a server")
      ->capture_default_str();
  const auto* game = command->add_option("--game", plan->game, which_game())
                         ->type_name("GAME")
                         ->capture_default_str();
  command->add_option("--options", plan->options, "The game's options as a JSON object")
      ->type_name("JSON")
      ->capture_default_str();
  const auto* server =
      command->add_option("--server", common->server, "Play there, as in ws://HOST:PORT")
          ->type_name("URL");
  command->add_flag("--json", plan->as_json, "The report as one line of JSON");
  command->callback([=, &run] {
    if (table->count() == 0 && bots->count() == 0) throw CLI::RequiredError("--bots or --table");
    run = [=] {
      if (table->count() > 0) {
        StrengthPlan strength{"", StrengthPlan().matches, plan->seed, *page, *kept};
        if (game->count() > 0) strength.game = plan->game;
        if (games->count() > 0) strength.matches = plan->games;
        return run_strength(strength) == 0 ? Exit::ok : Exit::usage;
      }
      if (server->count() > 0) return network_arena(*common, *plan);
      return run_arena(*plan) == 0 ? Exit::ok : Exit::usage;
    };
  });
}

void add_conformance(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(
      "conformance", "Let a client or bot play at a scripted server that tells what it did wrong");
  command->footer("Example: triquetra conformance 'python3 my_bot.py'");
  auto orders = std::make_shared<ExamOrders>();
  auto seconds = std::make_shared<int>(10);
  auto without_history = std::make_shared<bool>(false);
  command->add_option("command", orders->command,
                      "What to start; a room code and --server URL are added. Without it, wait for "
                      "whoever connects");
  command->add_option("--port", orders->port, "Where to listen; 0 is any free port")
      ->capture_default_str();
  command->add_option("--game", orders->plan.game, which_game())
      ->type_name("GAME")
      ->capture_default_str();
  command->add_option("--options", orders->plan.options, "The game's options as a JSON object")
      ->type_name("JSON")
      ->capture_default_str();
  command->add_option("--seats", orders->plan.seats, "At that table")->capture_default_str();
  command->add_option("--patience", *seconds, "Seconds to wait for each answer")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  auto only = std::make_shared<std::vector<std::string>>();
  command->add_option("--only", *only, "These sittings alone, each named after what it is about")
      ->delimiter(',')
      ->check(CLI::IsMember(words_of<SittingName>()));
  command->add_option("--host", orders->host,
                      "What the command takes instead of a room code to make a room, as in "
                      "'--game triqueta --seats 3 --bots 2'");
  command->add_flag("--without-history", *without_history,
                    "The candidate goes by the newest view alone");
  command->add_flag("--json", orders->as_json, "The report as one line of JSON");
  command->callback([=, &run] {
    run = [=] {
      orders->plan.needs_history = !*without_history;
      orders->plan.patience = std::chrono::seconds(*seconds);
      orders->plan.has_process = !orders->command.empty();
      orders->sittings = usual_sittings(*orders);
      if (!only->empty()) orders->sittings.clear();
      for (const std::string& word : *only) {
        orders->sittings.push_back(*enumerator_of<SittingName>(word));
      }
      const int code = run_exam(*orders);
      return code == 0 ? Exit::ok : code == 1 ? Exit::unexpected : Exit::usage;
    };
  });
}

void add_verify(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("verify", "Check the record of a finished match");
  command->footer("Example: triquetra verify record.json");
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("file", *path, "The record; - is standard input")
      ->type_name(shell::kFile)
      ->required();
  command->add_flag("--json", *as_json,
                    "One line of JSON, with the end of the match as it was played again");
  command->callback([=, &run] {
    run = [=] { return verify_file(*path, *as_json) == 0 ? Exit::ok : Exit::unexpected; };
  });
}

void add_replay(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("replay", "Show a finished match step by step");
  command->footer("Example: triquetra replay record.json --seat 1");
  auto path = std::make_shared<std::string>();
  auto step = std::make_shared<std::size_t>(0);
  auto seat = std::make_shared<std::size_t>(0);
  command->add_option("file", *path, "The record; - is standard input")
      ->type_name(shell::kFile)
      ->required();
  const auto* step_given = command->add_option("--step", *step, "The last step to show");
  command->add_option("--seat", *seat, "Show also what this seat saw, counted from 1")
      ->check(CLI::Range(std::size_t{1}, kMaxSeats));
  auto common = std::make_shared<Common>();
  add_lines(*command, *common);
  add_looks(*command, *common);
  command->callback([=, &run] {
    const auto last_step = step_given->count() > 0 ? std::optional(*step) : std::nullopt;
    const auto eyes = *seat > 0 ? std::optional(*seat - 1) : std::nullopt;
    run = [=] {
      Catalogue catalogue = catalogue_of(*common);
      // What was asked for up to a step is asked for as text.
      if (last_step || *path == "-" || !has_screen(*common, catalogue)) {
        return replay_file(*path, last_step, eyes) == 0 ? Exit::ok : Exit::unexpected;
      }
      auto match = played_match(*path);
      if (!match) return Exit::unexpected;
      boost::asio::io_context io(1);
      look_back(io, {match->game, std::move(match->names), std::move(match->steps)}, catalogue,
                style_of(*common).has_color, *seat);
      return Exit::ok;
    };
  });
}

/// Descriptors 0 to 2 that whoever started us has closed. The next file that is opened, such as a
/// profile's lock, would be one of them else, and what is printed would go into it.
void fill_standard_streams() {
  int lowest = 0;
  while (lowest >= 0 && lowest <= 2) lowest = ::open("/dev/null", O_RDWR);
  if (lowest > 2) ::close(lowest);
}

/// What completes words whose values this program knows: docs/TERMINAL.md, "At home in a shell".
shell::Sources sources() {
  const auto value = [](const shell::Given& given, const std::string& option,
                        const std::string& otherwise) {
    const auto found = given.find(option);
    return found != given.end() ? found->second : otherwise;
  };
  shell::Sources sources;
  sources["GAME"] = [](const shell::Given&) {
    std::vector<shell::Candidate> games;
    for (const GameKind& game : catalog()) games.push_back({std::string(game.name), ""});
    return games;
  };
  sources["JSON"] = [=](const shell::Given& given) {
    std::vector<shell::Candidate> options;
    const GameKind* const game = find_game(value(given, "--game", CreateWords().game));
    if (game == nullptr) return options;
    for (std::string& text : game->variants()) options.push_back({std::move(text), ""});
    return options;
  };
  sources["VARIANT"] = [](const shell::Given&) {
    std::vector<shell::Candidate> variants;
    for (const std::string& text : find_game(CreateWords().game)->variants()) {
      variants.push_back({parse_json(text).value("variant", ""), ""});
    }
    return variants;
  };
  sources["BOT,..."] = [](const shell::Given&) {
    return std::vector<shell::Candidate>{{"easy", ""},   {"normal", ""}, {"hard", ""},
                                         {"expert", ""}, {"greedy", ""}, {"random", ""}};
  };
  sources["ROOM"] = [=](const shell::Given& given) {
    std::vector<shell::Candidate> rooms;
    const std::string otherwise = environment("TRIQUETRA_SERVER");
    const auto server =
        parse_server(value(given, "--server", otherwise.empty() ? Common().server : otherwise));
    if (!server) return rooms;
    const std::string profile = value(given, "--profile", Common().profile);
    for (std::string& room :
         Profile::rooms(server->server.host + "-" + server->server.port, profile)) {
      rooms.push_back({std::move(room), ""});
    }
    return rooms;
  };
  return sources;
}

void declare(CLI::App& app, Run& run) {
  shell::set_help(app, true);
  app.set_version_flag("--version", std::string("triquetra ") + kVersion, "Show the version");
  app.require_subcommand(1);
  add_play(app, run);
  add_create(app, run);
  add_watch(app, run);
  add_rooms(app, run);
  add_bot(app, run);
  add_arena(app, run);
  add_conformance(app, run);
  add_admin(app, run);
  add_verify(app, run);
  add_replay(app, run);
  // After the commands, which would take them over.
  app.set_help_all_flag("--help-all", "Show this for every command");
  app.footer(
      "A table for you and two bots:  triquetra create --seats 3 --bots 2 --start\n"
      "Sit down at a friend's:        triquetra play BCDFGH --server wss://example.org\n"
      "What a command takes:          triquetra create --help");
}

Exit run_program(int argc, char** argv) {
  CLI::App app("Play, watch and let bots play at a Triquetra server", "triquetra");
  Run run;
  declare(app, run);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "complete") {
    std::cout << shell::completion(app, {words.begin() + 1, words.end()}, sources());
    return Exit::ok;
  }
  try {
    app.parse(argc, argv);
    return run();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? Exit::ok : Exit::usage;
  }
}

}  // namespace
}  // namespace triquetra::cli

int main(int argc, char** argv) {
  using triquetra::cli::Exit;
  triquetra::cli::fill_standard_streams();
  try {
    const Exit exit = triquetra::cli::run_program(argc, argv);
    if (std::cout.flush() || exit != Exit::ok) return static_cast<int>(exit);
    throw std::runtime_error("not all could be written");
  } catch (const triquetra::Bug&) {
    // What it says names our sources, which tells nobody here what to do.
    std::cerr << "triquetra: a mistake of its own; please report what led to it" << std::endl;
    return static_cast<int>(triquetra::cli::Exit::unexpected);
  } catch (const std::exception& error) {
    std::cerr << "triquetra: " << error.what() << std::endl;
    return static_cast<int>(triquetra::cli::Exit::unexpected);
  }
}
