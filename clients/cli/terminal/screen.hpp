// The full screen as values: what it shows is a function of what the client knows, where the person
// looks and how large the window is; what a key does is another. No terminal, no network, no clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "clients/cli/games/canvas.hpp"
#include "clients/cli/games/menu.hpp"
#include "clients/cli/games/render.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra::cli {

/// Every table fits from this on; below, play is in lines.
inline constexpr Size kSmallestScreen{72, 20};

/// What the client has been told. Borrowed for one call.
struct Known {
  const Catalogue& catalogue;
  const Voice& voice;
  const Scene& scene;
  const std::optional<RoomFrame>& room;
  const std::vector<DecisionShown>& decisions;
  const std::deque<std::string>& log;      // sentences, the newest last
  const std::vector<ReplayStep>& steps;    // of the finished match, once they were asked for
  const std::vector<ReviewedAct>& costly;  // of its acts, the costliest first
  std::string server;                      // as others type it
  std::string trouble;                     // what hinders, such as a lost line; or empty
  std::optional<std::int64_t> left_ms{};   // until the time of what is asked runs out
  bool is_watching = false;                // or looks at a record: nothing is ever asked
  std::string whose_time{};                // that is, if it is not mine
  std::size_t least_seats = 0;             // that can play like this; 0: not known
  std::vector<bool> bots{};                // which seats were bots' from the beginning
};

// What is in front: the table with what is asked; the list of what can be done to the room; that of
// reactions; the line that is being typed; pages to read; the match step by step.
enum class Panel { table, room, reactions, say, help, all, look_back };

/// Where the person looks, and what has been typed.
struct Looking {
  Panel panel = Panel::table;
  Path path;                 // in the list of acts
  std::size_t selected = 0;  // in the list in front
  std::size_t scroll = 0;    // lines of the log or the page that are passed over
  std::string typed;         // kept until it is said
  std::size_t cursor = 0;    // in `typed`, in bytes
  std::size_t step = 0;      // looked back at
  std::size_t eyes = 0;      // whose: 0 everybody's, else a seat from 1
  bool is_leaving = false;   // asked whether that is meant
  std::string notice;        // why the last key did nothing, or empty
  // What stood in the lists of acts since I was asked, so that no key changes its meaning under a
  // finger while others act.
  std::map<Path, HeldKeys> keys;
  Path marked;  // what is selected in the list of acts in front
  friend bool operator==(const Looking&, const Looking&) = default;
};

struct TakeOffer {
  std::size_t offer = 0;
};
struct Leaving {};
struct SpeakLanguage {
  std::string language;
};
/// What a person wants done. Requests have no id and no room yet.
using Wish =
    std::variant<TakeOffer, Leaving, SpeakLanguage, Start, AddBot, SetLevel, RemoveBot, Kick,
                 AskHint, Readmit, Cover, Door, Rematch, Device, React, Say, Replay, GetRecord>;

/// Why nobody here can do that, as a sentence; empty if it can be done.
std::string why_no_talk(const Known& known);
std::string why_no_wave(const Known& known);

/// Whether an expert can be asked now.
bool may_ask_hint(const Known& known);
/// Before the match: whether somebody can still sit down, and whether more must.
bool has_free_seat(const Known& known);
bool lacks_players(const Known& known);

/// Something that can be chosen: by its key, by the arrows and Enter, or by the mouse.
struct Item {
  char key = ' ';
  std::string label;
  std::variant<Wish, Path, Panel> does;
};

/// The list in front.
std::vector<Item> items_of(const Known& known, const Looking& looking);

struct Key {
  enum class Kind {
    letter,  // `text`
    enter,
    escape,
    up,
    down,
    left,
    right,
    page_up,
    page_down,
    home,
    end,
    backspace,
    remove,
    click,  // at row and column
    wheel_up,
    wheel_down
  };
  Kind kind = Kind::letter;
  std::string text{};
  std::size_t row = 0;
  std::size_t column = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

/// A place on the screen that can be clicked, as if this key were pressed, or this step wanted.
struct Spot {
  std::size_t row = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::variant<char, std::size_t> means;
};

struct Drawn {
  Canvas canvas;
  std::vector<Spot> spots;
  std::optional<std::pair<std::size_t, std::size_t>> cursor;  // row and column, while typing
};

/// Where the person looks once the table or the list has changed: whatever is still in the list of
/// acts keeps its key, and what was selected stays so, or nothing is.
Looking followed(const Known& known, Looking looking);

/// With the list in front in which this offer is a choice of its own, and that one selected.
Looking pointed_at(const Known& known, Looking looking, std::size_t offer);

/// Whether a key that took an act is pressed again at once: by a finger that bounces, or a key that
/// repeats itself. The list is another one by then, and nobody has seen it. Whoever goes on
/// pressing means it.
class Bounce {
 public:
  using Time = std::chrono::steady_clock::time_point;

  bool is_bounce(const Key& key, Time now);
  void took_act(const Key& key, Time now);

 private:
  static constexpr std::chrono::milliseconds kShortest{300};  // nobody reads a list faster

  static constexpr std::chrono::milliseconds kLongest{1000};  // since the act

  std::optional<Key> key_;
  Time took_{};
  Time last_{};
};

Drawn draw(const Known& known, const Looking& looking, Size size);

struct Pressed {
  Looking looking;
  std::optional<Wish> wish;
};

/// What a key does. `spots` are those of the screen on which somebody clicked.
Pressed press(const Known& known, Looking looking, const Key& key, const std::vector<Spot>& spots);

}  // namespace triquetra::cli
