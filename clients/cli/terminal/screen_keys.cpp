// What keys do on the full screen: lists of what can be chosen, moving in them, and typing.
#include <algorithm>
#include <array>
#include <cctype>

#include "clients/cli/terminal/screen.hpp"
#include "protocol/reflect.hpp"

namespace triquetra::cli {

namespace {

constexpr std::size_t kPage = 10;
constexpr std::array<std::pair<const char*, const char*>, 3> kLanguages = {
    {{"en", "English"}, {"de", "Deutsch"}, {"fr", "Français"}}};

// The levels for people, from the weakest on, each with its key.
constexpr std::array kLevels = {std::pair(BotLevel::easy, 'e'), std::pair(BotLevel::normal, 'b'),
                                std::pair(BotLevel::hard, 'h'), std::pair(BotLevel::expert, 'x')};

bool is_host(const Known& known) {
  return known.room && known.room->host && known.scene.seat &&
         known.room->host->index() == *known.scene.seat;
}

template <class Request>
Wish about(const SeatShown& seat) {
  Request request;
  request.seat = SeatNumber(static_cast<int>(seat.seat.index()));
  return request;
}

/// Before the match, the usual things stand in the list in front.
std::vector<Item> opening_items(const Known& known) {
  std::vector<Item> items;
  const Catalogue& words = known.catalogue;
  if (!is_host(known)) return items;
  if (!lacks_players(known)) {
    items.push_back({'s', words.text("web.lobby.start"), Wish(Start{})});
  }
  if (!has_free_seat(known)) return items;
  for (const auto& [level, key] : kLevels) {
    AddBot bot;
    bot.level = level;
    const std::string word(word_of(level));
    items.push_back({key,
                     words.text("screen.add_bot", {{"level", words.text("web.level." + word)}}),
                     Wish(bot)});
  }
  return items;
}

std::vector<Item> closing_items(const Known& known) {
  std::vector<Item> items;
  if (!known.is_watching) {
    items.push_back({'r', known.catalogue.text("web.over.rematch"), Wish(Rematch{})});
  }
  items.push_back({'l', known.catalogue.text("web.over.replay"), Panel::look_back});
  items.push_back({'k', known.catalogue.text("screen.keep_record"), Wish(GetRecord{})});
  return items;
}

/// The next stronger level of this bot, or the weakest.
Item other_level(const Known& known, const SeatShown& seat, char key) {
  const Catalogue& words = known.catalogue;
  const BotLevel now = seat.level.value_or(BotLevel::normal);
  const auto is_now = [&](const auto& each) { return each.first == now; };
  auto next = std::find_if(kLevels.begin(), kLevels.end(), is_now);
  if (next != kLevels.end()) ++next;
  if (next == kLevels.end()) next = kLevels.begin();
  SetLevel change;
  change.seat = SeatNumber(static_cast<int>(seat.seat.index()));
  change.level = next->first;
  const auto text = [&](BotLevel level) {
    return words.text("web.level." + std::string(word_of(level)));
  };
  return {key,
          words.text("screen.set_level", {{"name", known.scene.name_of(seat.seat.index())},
                                          {"level", text(change.level)}}),
          Wish(change)};
}

// In the list of what can be done to the room each thing has a key of its own, whatever else is
// there: a seat's number for what is done with it, and a capital letter for sending it away.
void add_seat_items(const Known& known, const SeatShown& seat, std::vector<Item>& items) {
  const Catalogue& words = known.catalogue;
  const std::size_t index = seat.seat.index();
  if (seat.kind == SeatKind::empty || known.scene.seat == index) return;
  const char digit = static_cast<char>('1' + index);
  const char capital = static_cast<char>('A' + index);
  const Values name = {{"name", known.scene.name_of(index)}};
  const bool is_open = known.room->status == RoomStatus::open;
  if (is_open) {
    if (!is_host(known)) return;
    const bool is_own_bot = seat.kind == SeatKind::bot && !seat.name;
    if (is_own_bot) items.push_back(other_level(known, seat, digit));
    const Wish wish = is_own_bot ? about<RemoveBot>(seat) : about<Kick>(seat);
    return items.push_back({capital, words.text("web.lobby.remove", name), wish});
  }
  if (seat.kind != SeatKind::human) return;
  if (seat.sent_away.value_or(false)) {
    return items.push_back({digit, words.text("web.table.readmit", name), about<Readmit>(seat)});
  }
  if (!seat.covered.value_or(false)) {
    items.push_back({digit, words.text("web.table.cover", name), about<Cover>(seat)});
  }
  items.push_back({capital, words.text("web.table.kick", name), about<Kick>(seat)});
}

void add_door_items(const Known& known, std::vector<Item>& items) {
  const Catalogue& words = known.catalogue;
  Door door;
  const bool is_closed = known.room->door_closed.value_or(false);
  door.open = is_closed;
  const char* key = is_closed ? "web.lobby.open_door" : "web.lobby.close_door";
  items.push_back({'c', words.text(key), Wish(door)});
  Door watching;
  watching.spectators = !known.room->spectators;
  key = known.room->spectators ? "web.lobby.end_watching" : "web.lobby.let_watch";
  items.push_back({'w', words.text(key), Wish(watching)});
  Door forgiving;
  forgiving.forgive = true;
  items.push_back({'a', words.text("screen.forgive"), Wish(forgiving)});
}

std::vector<Item> room_items(const Known& known) {
  std::vector<Item> items;
  for (const auto& [language, name] : kLanguages) {
    if (language == known.catalogue.language()) continue;
    items.push_back({language[0], name, Wish(SpeakLanguage{language})});
  }
  if (known.room && !known.is_watching) {
    items.push_back({'m', known.catalogue.text("screen.device"), Wish(Device{})});
    for (const SeatShown& seat : known.room->seats) add_seat_items(known, seat, items);
    if (is_host(known)) add_door_items(known, items);
  }
  return items;
}

std::vector<Item> reaction_items(const Known& known) {
  std::vector<Item> items;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<ReactionKind>>(
      [&](auto enumerator) {
        React react;
        react.reaction = enumerator.value;
        items.push_back({static_cast<char>('1' + items.size()),
                         known.catalogue.text("reaction." + std::string(enumerator.name)),
                         Wish(react)});
      });
  return items;
}

std::vector<Choice> act_choices(const Known& known, const Looking& looking) {
  const auto held = looking.keys.find(looking.path);
  return choices_of(known.voice, known.scene, looking.path,
                    held == looking.keys.end() ? HeldKeys{} : held->second);
}

std::vector<Item> act_items(const Known& known, const Looking& looking) {
  std::vector<Item> items;
  for (Choice& choice : act_choices(known, looking)) {
    Item item{choice.key, std::move(choice.label), std::move(choice.path)};
    if (choice.offers.size() == 1) item.does = Wish(TakeOffer{choice.offers.front()});
    items.push_back(std::move(item));
  }
  return items;
}

// ---- Typing

std::size_t letter_before(const std::string& text, std::size_t at) {
  if (at == 0) return 0;
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

std::size_t letter_behind(const std::string& text, std::size_t at) {
  if (at >= text.size()) return text.size();
  do {
    ++at;
  } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

Pressed typed(Looking looking, const Key& key) {
  std::string& text = looking.typed;
  std::size_t& at = looking.cursor;
  std::optional<Wish> wish;
  switch (key.kind) {
    case Key::Kind::letter:
      // What is longer than can be said is not taken, so that nothing is lost later.
      if (!Text<200>::fits(text + key.text)) break;
      text.insert(at, key.text);
      at += key.text.size();
      break;
    case Key::Kind::backspace: {
      const std::size_t from = letter_before(text, at);
      text.erase(from, at - from);
      at = from;
      break;
    }
    case Key::Kind::remove:
      text.erase(at, letter_behind(text, at) - at);
      break;
    case Key::Kind::left:
      at = letter_before(text, at);
      break;
    case Key::Kind::right:
      at = letter_behind(text, at);
      break;
    case Key::Kind::home:
      at = 0;
      break;
    case Key::Kind::end:
      at = text.size();
      break;
    case Key::Kind::enter: {
      looking.panel = Panel::table;
      if (text.find_first_not_of(' ') == std::string::npos) break;
      Say say;
      say.text = Text<200>(text);
      wish = say;
      text.clear();
      at = 0;
      break;
    }
    case Key::Kind::escape:
      looking.panel = Panel::table;
      break;
    default:
      break;
  }
  return {std::move(looking), std::move(wish)};
}

// ---- Lists and pages

Pressed chosen(Looking looking, const Item& item) {
  looking.selected = 0;
  if (const auto* path = std::get_if<Path>(&item.does)) {
    looking.path = *path;
    return {std::move(looking), std::nullopt};
  }
  looking.path.clear();
  looking.scroll = 0;
  if (const auto* panel = std::get_if<Panel>(&item.does)) {
    looking.panel = *panel;
    if (*panel == Panel::look_back) {
      looking.step = 0;
      return {std::move(looking), Wish(Replay{})};
    }
    return {std::move(looking), std::nullopt};
  }
  const Wish& wish = std::get<Wish>(item.does);
  // The next level is a press of the same key away.
  if (!std::holds_alternative<SetLevel>(wish)) looking.panel = Panel::table;
  return {std::move(looking), wish};
}

Pressed closed(Looking looking) {
  if (looking.panel == Panel::table) looking.path.clear();
  looking.panel = Panel::table;
  looking.selected = 0;
  looking.scroll = 0;
  return {std::move(looking), std::nullopt};
}

Pressed opened(Looking looking, Panel panel) {
  const bool is_open = looking.panel == panel;
  looking.panel = is_open ? Panel::table : panel;
  looking.selected = 0;
  looking.scroll = 0;
  return {std::move(looking), std::nullopt};
}

/// The keys that mean the same everywhere but in the typing line.
std::optional<Pressed> common_key(const Known& known, const Looking& looking, char letter) {
  switch (letter) {
    case '?':
      return opened(looking, Panel::help);
    case '=':
      return opened(looking, Panel::all);
    case '+':
      return opened(looking, Panel::room);
    // Where that is not possible it says so, and takes what was meant for it.
    case '!':
      if (!known.room) return std::nullopt;
      return opened(looking, Panel::reactions);
    case '/':
      if (!known.room) return std::nullopt;
      return opened(looking, Panel::say);
    case '#':
      if (!may_ask_hint(known)) return std::nullopt;
      return Pressed{looking, Wish(AskHint{})};
    case 'Q': {
      if (known.is_watching) return Pressed{looking, Wish(Leaving{})};
      Looking leaving = looking;
      leaving.is_leaving = true;
      return Pressed{std::move(leaving), std::nullopt};
    }
    default:
      return std::nullopt;
  }
}

Pressed lettered(const Known& known, Looking looking, char letter) {
  if (letter == ' ') return {std::move(looking), std::nullopt};
  const std::vector<Item> items = items_of(known, looking);
  for (const Item& item : items) {
    if (item.key == letter) return chosen(std::move(looking), item);
  }
  if (auto pressed = common_key(known, looking, letter)) return std::move(*pressed);
  looking.notice = known.catalogue.text("screen.no_key", {{"key", std::string(1, letter)}});
  return {std::move(looking), std::nullopt};
}

Pressed moved(const Known& known, Looking looking, Key::Kind kind) {
  const std::vector<Item> items = items_of(known, looking);
  const bool is_page = looking.panel == Panel::help || looking.panel == Panel::all;
  const std::size_t last = items.empty() ? 0 : items.size() - 1;
  std::size_t& at = looking.selected;
  std::size_t& scroll = looking.scroll;
  switch (kind) {
    // A page is read downwards from its beginning, the log upwards from its end.
    case Key::Kind::up:
      if (is_page) scroll -= std::min<std::size_t>(scroll, 1);
      at = at == 0 ? last : std::min(at, last + 1) - 1;
      break;
    case Key::Kind::down:
      if (is_page) ++scroll;
      at = at >= last ? 0 : at + 1;
      break;
    case Key::Kind::left:
      return closed(std::move(looking));
    case Key::Kind::right:
    case Key::Kind::enter:
      if (at < items.size()) return chosen(std::move(looking), items[at]);
      break;
    case Key::Kind::page_up:
    case Key::Kind::wheel_up:
      scroll = is_page ? scroll - std::min(scroll, kPage) : scroll + kPage / 2;
      break;
    case Key::Kind::page_down:
    case Key::Kind::wheel_down:
      scroll = is_page ? scroll + kPage : scroll - std::min(scroll, kPage / 2);
      break;
    case Key::Kind::home:
      scroll = 0;
      break;
    default:
      break;
  }
  return {std::move(looking), std::nullopt};
}

/// Takes what somebody types who cannot talk, up to its end: none of it is an act.
Pressed swallowed(Looking looking, const Key& key) {
  const bool is_end = key.kind == Key::Kind::enter || key.kind == Key::Kind::escape;
  return is_end ? closed(std::move(looking)) : Pressed{std::move(looking), std::nullopt};
}

// ---- Looking back

/// The next of the acts that cost most, or the first of them.
std::size_t next_costly(const Known& known, std::size_t at) {
  std::size_t first = at;
  std::size_t next = known.steps.size();
  for (const ReviewedAct& act : known.costly) {
    const auto step = static_cast<std::size_t>(act.rev);
    if (step >= known.steps.size()) continue;
    if (step > at) next = std::min(next, step);
    if (first == at || step < first) first = step;
  }
  return next < known.steps.size() ? next : first;
}

Pressed looked_back(const Known& known, Looking looking, const Key& key) {
  const std::size_t last = known.steps.empty() ? 0 : known.steps.size() - 1;
  const std::size_t seats = known.steps.empty() ? 0 : known.steps.front().seats.size();
  std::size_t& at = looking.step;
  switch (key.kind) {
    case Key::Kind::left:
    case Key::Kind::up:
    case Key::Kind::wheel_up:
      at -= std::min<std::size_t>(at, 1);
      break;
    case Key::Kind::right:
    case Key::Kind::down:
    case Key::Kind::wheel_down:
      at = std::min(at + 1, last);
      break;
    case Key::Kind::page_up:
      at -= std::min(at, kPage);
      break;
    case Key::Kind::page_down:
      at = std::min(at + kPage, last);
      break;
    case Key::Kind::home:
      at = 0;
      break;
    case Key::Kind::end:
      at = last;
      break;
    case Key::Kind::escape:
      return closed(std::move(looking));
    case Key::Kind::letter:
      if (key.text == "e") {
        looking.eyes = looking.eyes >= seats ? 0 : looking.eyes + 1;
      } else if (key.text == "c") {
        at = next_costly(known, at);
      } else if (key.text.size() == 1) {
        if (auto pressed = common_key(known, looking, key.text[0])) return std::move(*pressed);
      }
      break;
    default:
      break;
  }
  return {std::move(looking), std::nullopt};
}

Pressed pressed(const Known& known, Looking looking, const Key& key,
                const std::vector<Spot>& spots);

Pressed clicked(const Known& known, Looking looking, const Key& key,
                const std::vector<Spot>& spots) {
  for (const Spot& spot : spots) {
    if (spot.row != key.row || key.column < spot.begin || key.column >= spot.end) continue;
    if (const auto* step = std::get_if<std::size_t>(&spot.means)) {
      looking.step = *step;
      return {std::move(looking), std::nullopt};
    }
    const char letter = std::get<char>(spot.means);
    const Key meant{Key::Kind::letter, std::string(1, letter)};
    return pressed(known, std::move(looking), meant, {});
  }
  return {std::move(looking), std::nullopt};
}

/// Remembers the keys of the list of acts in front, and what is selected in it.
Looking marked(const Known& known, Looking looking) {
  if (looking.panel != Panel::table || known.scene.offers.empty()) return looking;
  const std::vector<Choice> choices = act_choices(known, looking);
  HeldKeys& held = looking.keys[looking.path];
  const bool goes_on = std::any_of(choices.begin(), choices.end(), [&](const Choice& choice) {
    return held.count(name_of(known.scene, choice)) != 0;
  });
  if (!goes_on) held.clear();
  for (const Choice& choice : choices) held[name_of(known.scene, choice)] = choice.key;
  if (looking.selected < choices.size()) {
    looking.marked = name_of(known.scene, choices[looking.selected]);
  }
  return looking;
}

Pressed pressed(const Known& known, Looking looking, const Key& key,
                const std::vector<Spot>& spots) {
  if (key.kind == Key::Kind::click) return clicked(known, std::move(looking), key, spots);
  if (looking.is_leaving) {
    looking.is_leaving = false;
    if (key.kind == Key::Kind::letter && key.text == "Q") {
      return {std::move(looking), Wish(Leaving{})};
    }
    return {std::move(looking), std::nullopt};
  }
  if (looking.panel == Panel::say) {
    return why_no_talk(known).empty() ? typed(std::move(looking), key)
                                      : swallowed(std::move(looking), key);
  }
  if (looking.panel == Panel::look_back) return looked_back(known, std::move(looking), key);
  if (key.kind == Key::Kind::letter) {
    if (key.text.size() != 1) return {std::move(looking), std::nullopt};
    return lettered(known, std::move(looking), key.text[0]);
  }
  if (key.kind == Key::Kind::escape || key.kind == Key::Kind::backspace) {
    return closed(std::move(looking));
  }
  return moved(known, std::move(looking), key.kind);
}

}  // namespace

std::vector<Item> items_of(const Known& known, const Looking& looking) {
  if (looking.panel == Panel::room) return room_items(known);
  if (looking.panel == Panel::reactions) {
    return why_no_wave(known).empty() ? reaction_items(known) : std::vector<Item>{};
  }
  if (looking.panel != Panel::table || !known.room) return {};
  if (known.room->status == RoomStatus::open) return opening_items(known);
  if (known.room->status == RoomStatus::over) return closing_items(known);
  return act_items(known, looking);
}

bool may_ask_hint(const Known& known) {
  return known.room && known.room->hints && !known.is_watching && !known.scene.offers.empty();
}

bool has_free_seat(const Known& known) {
  return std::any_of(known.room->seats.begin(), known.room->seats.end(),
                     [](const SeatShown& seat) { return seat.kind == SeatKind::empty; });
}

bool lacks_players(const Known& known) {
  const auto taken =
      std::count_if(known.room->seats.begin(), known.room->seats.end(),
                    [](const SeatShown& seat) { return seat.kind != SeatKind::empty; });
  return static_cast<std::size_t>(taken) < known.least_seats;
}

std::string why_no_talk(const Known& known) {
  if (!known.room) return "";
  if (!known.scene.seat) return known.catalogue.text("screen.no_talk.watching");
  return known.room->chat == Chat::text ? "" : known.catalogue.text("screen.no_talk.off");
}

std::string why_no_wave(const Known& known) {
  if (!known.room) return "";
  if (!known.scene.seat) return known.catalogue.text("screen.no_talk.watching");
  return known.room->chat != Chat::off ? "" : known.catalogue.text("screen.no_wave.off");
}

Looking followed(const Known& known, Looking looking) {
  if (known.scene.offers.empty()) {
    looking.keys.clear();
    looking.marked.clear();
    return looking;
  }
  if (looking.panel != Panel::table) return looking;
  if (looking.marked.empty()) {
    looking.selected = 0;
  } else {
    const std::vector<Choice> choices = act_choices(known, looking);
    const auto marked = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
      return name_of(known.scene, choice) == looking.marked;
    });
    looking.selected = static_cast<std::size_t>(marked - choices.begin());
  }
  return marked(known, std::move(looking));
}

Looking pointed_at(const Known& known, Looking looking, std::size_t offer) {
  looking.panel = Panel::table;
  looking.path.clear();
  for (bool is_found = false; !is_found;) {
    const std::vector<Choice> choices = act_choices(known, looking);
    const auto has = [&](const Choice& choice) {
      return std::find(choice.offers.begin(), choice.offers.end(), offer) != choice.offers.end();
    };
    const auto choice = std::find_if(choices.begin(), choices.end(), has);
    if (choice == choices.end()) return looking;
    is_found = choice->offers.size() == 1;
    looking.selected = static_cast<std::size_t>(choice - choices.begin());
    if (!is_found) looking.path = choice->path;
  }
  return marked(known, std::move(looking));
}

bool Bounce::is_bounce(const Key& key, Time now) {
  if (key_ != key || now - last_ >= kShortest || now - took_ >= kLongest) {
    key_.reset();
    return false;
  }
  last_ = now;
  return true;
}

void Bounce::took_act(const Key& key, Time now) {
  key_ = key;
  took_ = now;
  last_ = now;
}

Pressed press(const Known& known, Looking looking, const Key& key, const std::vector<Spot>& spots) {
  looking.notice.clear();
  Pressed outcome = pressed(known, std::move(looking), key, spots);
  outcome.looking = marked(known, std::move(outcome.looking));
  if (outcome.wish && std::holds_alternative<TakeOffer>(*outcome.wish)) {
    outcome.looking.keys.clear();
    outcome.looking.marked.clear();
  }
  return outcome;
}

}  // namespace triquetra::cli
