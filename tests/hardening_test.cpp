// The parts that keep strangers in bounds: names, addresses, what one address may do, and what
// waits for a slow reader.
#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/base/names.hpp"
#include "server/net/outbox.hpp"
#include "server/net/ws_frames.hpp"
#include "server/people/gatekeeper.hpp"
#include "server/people/peer_address.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const TimePoint kStart = TimePoint{} + std::chrono::hours(1);

std::string utf8(char32_t c) {
  std::string out;
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) {
    out += static_cast<char>(0xC0U | c >> 6U);
  } else {
    if (c < 0x10000) {
      out += static_cast<char>(0xE0U | c >> 12U);
    } else {
      out += static_cast<char>(0xF0U | c >> 18U);
      out += static_cast<char>(0x80U | (c >> 12U & 0x3FU));
    }
    out += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
  }
  return out + static_cast<char>(0x80U | (c & 0x3FU));
}

TEST_CASE("what scripts and emoji need is shown as it was typed") {
  for (const char* text :
       {"Ada", "Zoë", "Ωμέγα", "Łukasz 2", "李雷", "שרה", "🦊", "o'Neill", "",
        // Not in NFKC: the Thai for water, full width, ligatures, an ellipsis.
        "น้ำ", "Ａｄａ", "ﬁn", "…", "x²",
        // Joined emoji: an astronaut, families with colours of skin, a heart on fire, a pirate's
        // flag.
        "Mia 👩‍🚀", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "❤️‍🔥",
        "🏴‍☠️", "🏳️‍🌈", "👁️‍🗨️",
        // Keycaps, flags of letters and of tags, a style chosen.
        "1️⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿!", "❤︎",
        "☎️",
        // Newer than the library's tables.
        "\U0001FAE8",
        // A non-joiner in Persian, a joiner and a non-joiner in Hindi, a joiner in Sinhala, a
        // letter that is shown as joined.
        "می‌خواهم", "نامه‌ای", "क्‍ष", "क्‌ष", "ශ්‍රී",
        "ه‍",
        // Marks of direction beside letters that run to the left, and what is turned and back.
        "שלום!\u200F", "\u200E(שרה)", "C++\u200F שרה", "\u2068שרה\u2069 2", "\u202Bשרה\u202C",
        // A variant of a character in a name, Mongolian, an Arabic sign of number.
        "葛󠄀城", "ᠠ᠋", "\u0600١"}) {
    CAPTURE(text);
    CHECK(shown_text(text) == text);
    CHECK(is_showable(text));
    CHECK(normalized_name(text) == text);
  }
  CHECK(shown_text("Zoe\u0308") == "Zoë");
}

TEST_CASE("what does nothing where it stands is left out") {
  const std::vector<std::pair<const char*, const char*>> dropped = {
      {"A\u200Bda", "Ada"},                    // zero-width space
      {"\uFEFFAda", "Ada"},                    // byte order mark
      {"A\u00ADda", "Ada"},                    // soft hyphen
      {"A\u2060da\u180E", "Ada"},              // word joiner, a Mongolian separator
      {"A\u034Fda\u17B4", "Ada"},              // joiners of nothing
      {"A\u200Dd\u200Ca", "Ada"},              // joiners between Latin letters
      {"\u200DAda\u200C", "Ada"},              // and at the ends
      {"🦊\u200DA", "🦊A"},                // an emoji joined to a letter
      {"A\u200D🦊", "A🦊"},                // and the other way round
      {"Ada\uFE0F", "Ada"},                    // the style of no emoji
      {"Ada\U000E0101", "Ada"},                // the variant of no character
      {"\u200EAda\u200F", "Ada"},              // directions where all run to the right
      {"Ada\U000E0041\U000E0042", "Ada"},      // hidden writing in tags
      {"🏴\U000E0067\U000E0062!", "🏴!"},  // a flag that does not end
      {"🦊\U000E0067\U000E007F", "🦊"},    // a flag of no flag
      {"A\u2062\u2064\u206Ada", "Ada"},        // invisible operators
      {"e\u034F\u0301", "é"},                  // what stood between two that are one
      {"\u200B", ""},
  };
  for (const auto& [typed, shown] : dropped) {
    CAPTURE(typed);
    CHECK(shown_text(typed) == shown);
    CHECK(normalized_name(typed) == shown);
  }
}

TEST_CASE("what deceives, and what cannot be shown, is refused") {
  for (char32_t c = 0; c < 0x20; ++c) CHECK_FALSE(is_showable("a" + utf8(c) + "b"));
  for (char32_t c = 0x7F; c < 0xA0; ++c) CHECK_FALSE(is_showable("a" + utf8(c) + "b"));
  const std::vector<std::pair<char32_t, char32_t>> refused = {
      {0x115F, 0x1160}, {0x2028, 0x202E},   {0x2066, 0x2069},    {0x2800, 0x2800}, {0x3164, 0x3164},
      {0xD7FF, 0xD7FF}, {0xE000, 0xE010},   {0xFDD0, 0xFDEF},    {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB},
      {0xFFFE, 0xFFFF}, {0xF0000, 0xF0010}, {0x10FFFE, 0x10FFFF}};
  for (const auto& [first, last] : refused) {
    for (char32_t c = first; c <= last; ++c) {
      CAPTURE(static_cast<unsigned>(c));
      CHECK_FALSE(is_showable("a" + utf8(c) + "b"));
      CHECK_FALSE(is_showable("שרה" + utf8(c) + "שרה"));
    }
  }
  // Overridden, although it ends; turned and not back; back without being turned; crossed.
  for (const char* text : {"a\u202Etxt.exe\u202C", "\u202Da\u202C", "\u2067a", "a\u2069", "\u202Aa",
                           "\u2067\u202Aa\u2069\u202C", "\xC3(", "\xED\xA0\x80"}) {
    CHECK_FALSE(is_showable(text));
  }
  CHECK(is_showable("a\u0301\u0301\u0301"));
  CHECK_FALSE(is_showable("a\u0301\u0301\u0301\u0301"));
  CHECK_FALSE(is_showable("\u00E1\u0301\u0301\u034F\u0301"));
}

TEST_CASE("a name has one form") {
  CHECK(normalized_name("  Ada \u00A0\u3000 Byron ") == "Ada Byron");
  CHECK(normalized_name("Ada \u200B Byron") == "Ada Byron");
  CHECK(normalized_name("Zoe\u0308") == "Zoë");
  CHECK(normalized_name(" \u2003 \u200B").empty());
  // Whatever is typed: the form of the form is the form.
  const std::u32string odd =
      U"aé\u0301\u0308\u034F\u200B\u200C\u200D\u200E\u200F\uFE0F\u094D\u0915\u0645"
      U"\u05E9\u2068\u2069\u202B\u202C\u00AD \U0001F469\U0001F680\U0001F3FD\U0001F3F4"
      U"\U000E0067\U000E0062\U000E007F\u1112\u1161\u0E33\u0958\u845B\U000E0100";
  Rng rng(tests::seed_number(tests::take_seed()));
  for (int i = 0; i < 3000; ++i) {
    std::string name;
    for (std::uint32_t n = rng.below(8) + 1; n > 0; --n) {
      name += utf8(odd.at(rng.below(static_cast<std::uint32_t>(odd.size()))));
    }
    CAPTURE(name);
    CHECK(normalized_name(normalized_name(name)) == normalized_name(name));
  }
}

TEST_CASE("names that look alike have one skeleton, others have not") {
  const std::vector<std::pair<const char*, const char*>> alike = {{"Ada", "ada"},
                                                                  {"Ada", "Аdа"},
                                                                  {"Paul", "Рaul"},
                                                                  {"Otto", "0tt0"},
                                                                  {"Otto", "Οττο"},
                                                                  {"Bill", "BiIl"},
                                                                  {"Bill", "Bi11"},
                                                                  {"Bill", "Bі||"},
                                                                  {"Moritz", "Mоritz"},
                                                                  {"Carl", "Сarl"},
                                                                  {"Max", "Мах"},
                                                                  {"Zoë", "Zoe"},
                                                                  {"Ada", "A d a"},
                                                                  {"Ada", "A.d.a"},
                                                                  {"wow", "vvow"},
                                                                  {"Emma", "Ernma"},
                                                                  {"Heike", "Неikе"},
                                                                  {"Ada", "Ａｄａ"},
                                                                  {"STRASSE", "straße"},
                                                                  {"Sisi", "$isi"},
                                                                  {"Ada", "A\u200Dda"},
                                                                  {"fin", "ﬁn"},
                                                                  {"می‌خواهم", "میخواهم"},
                                                                  {"👩‍🚀", "👩🚀"},
                                                                  {"שרה", "שרה\u200F"}};
  for (const auto& [one, other] : alike) {
    CAPTURE(one);
    CAPTURE(other);
    CHECK(skeleton_of(one) == skeleton_of(other));
  }
  const std::vector<std::pair<const char*, const char*>> different = {
      {"Ada", "Ida"}, {"Anna", "Hanna"}, {"Guest", "Guest 2"}, {"Max", "Mix"}, {"李雷", "李蕾"}};
  for (const auto& [one, other] : different) {
    CAPTURE(one);
    CHECK(skeleton_of(one) != skeleton_of(other));
  }
}

TEST_CASE("networks hold what they say") {
  const Networks networks({"10.0.0.0/8", "192.168.1.7", "fd00::/8", "::1"});
  for (const char* inside : {"10.1.2.3", "192.168.1.7", "fd12::5", "::1", "::ffff:10.0.0.1"}) {
    CAPTURE(inside);
    CHECK(networks.contains(inside));
  }
  for (const char* outside : {"11.0.0.1", "192.168.1.8", "fe80::1", "::2", "rubbish", ""}) {
    CAPTURE(outside);
    CHECK_FALSE(networks.contains(outside));
  }
  CHECK(Networks({"0.0.0.0/0"}).contains("8.8.8.8"));
  CHECK_FALSE(Networks({"0.0.0.0/0"}).contains("2001:db8::1"));
  for (const char* wrong :
       {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "host", "", "::/129", "1.2.3.4/-1"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(Networks({wrong}), std::runtime_error);
  }
}

TEST_CASE("X-Forwarded-For is believed from trusted proxies, and back to the first stranger") {
  const Networks trusted({"127.0.0.1", "10.0.0.0/8"});
  CHECK(client_address("203.0.113.5", "1.2.3.4", trusted) == "203.0.113.5");
  CHECK(client_address("127.0.0.1", "1.2.3.4", trusted) == "1.2.3.4");
  CHECK(client_address("127.0.0.1", "9.9.9.9, 1.2.3.4", trusted) == "1.2.3.4");
  CHECK(client_address("127.0.0.1", "1.2.3.4, 10.0.0.9", trusted) == "1.2.3.4");
  CHECK(client_address("127.0.0.1", "", trusted) == "127.0.0.1");
  CHECK(client_address("127.0.0.1", "rubbish", trusted) == "127.0.0.1");
  CHECK(client_address("127.0.0.1", "1.2.3.4, rubbish, 10.0.0.9", trusted) == "10.0.0.9");
  CHECK(client_address("127.0.0.1", " 2001:db8::1 ", trusted) == "2001:db8::1");
  // HAProxy adds a line of its own below its client's: the two are one list.
  CHECK(client_address("127.0.0.1", "9.9.9.9, 1.2.3.4, 10.0.0.9", trusted) == "1.2.3.4");
  CHECK(client_address("::ffff:127.0.0.1", "1.2.3.4", trusted) == "1.2.3.4");
  CHECK(household_of("2001:db8:1:2:3:4:5:6") == household_of("2001:db8:1:2::9"));
  CHECK(household_of("2001:db8:1:2::9") != household_of("2001:db8:1:3::9"));
}

TEST_CASE("a Host is an address, a name of the house, or one that is allowed") {
  for (const char* host : {"127.0.0.1:8080", "[::1]:8080", "localhost", "games", "pi.local:8080",
                           "pi.LAN", "Play.Example.org:443", "play.example.org."}) {
    CAPTURE(host);
    CHECK(is_host_allowed(host, {"play.example.org"}));
  }
  for (const char* host :
       {"", "evil.example", "play.example.org.evil.example", "local.evil.example",
        "127.0.0.1.evil.example", "[::1", "evil.example:80@localhost"}) {
    CAPTURE(host);
    CHECK_FALSE(is_host_allowed(host, {"play.example.org"}));
  }
  CHECK(is_host_allowed("evil.example", {"*"}));
}

TEST_CASE("one address has so many connections, and gets them back") {
  Gatekeeper gate(Networks({"10.0.0.0/8"}));
  for (std::size_t i = 0; i < limits::kConnectionsPerAddress; ++i)
    CHECK(gate.admit("1.2.3.4", kStart));
  CHECK_FALSE(gate.admit("1.2.3.4", kStart));
  CHECK(gate.admit("1.2.3.5", kStart));
  gate.leave("1.2.3.4", kStart);
  CHECK(gate.admit("1.2.3.4", kStart));
  for (std::size_t i = 0; i < 2 * limits::kConnectionsPerAddress; ++i)
    CHECK(gate.admit("10.0.0.1", kStart));
}

TEST_CASE("arrivals and rooms of one address come back with time") {
  Gatekeeper gate;
  for (int i = 0; i < limits::kArrivalBurst; ++i) {
    CHECK(gate.admit("2001:db8::1", kStart));
    gate.leave("2001:db8::1", kStart);
  }
  CHECK_FALSE(gate.admit("2001:db8::2", kStart));
  CHECK(gate.admit("2001:db8::2", kStart + seconds(1)));
  for (int i = 0; i < limits::kNewRoomBurst; ++i) CHECK(gate.may_create("1.1.1.1", kStart));
  CHECK_FALSE(gate.may_create("1.1.1.1", kStart));
  CHECK(gate.may_create("1.1.1.1", kStart + minutes(1)));
  CHECK(gate.may_create("", kStart));
}

/// Many who guess from one address at the same time.
struct Guessers {
  Gatekeeper gate;
  std::size_t let = 0;
  std::size_t refused = 0;
  void ask(Guessed what, std::size_t times, TimePoint at) {
    for (std::size_t i = 0; i < times; ++i) {
      gate.ask_to_guess("1.1.1.1", what, at, [this](bool may) { ++(may ? let : refused); });
    }
  }
};

TEST_CASE("of many guesses at once no more are let through than there are credits") {
  constexpr auto kCredits = std::size_t{limits::kWrongGuessBurst};
  constexpr std::size_t kMany = 380;
  Guessers guessers;
  guessers.ask(Guessed::code, kMany, kStart);
  CHECK(guessers.let == kCredits);
  CHECK(guessers.refused == 0);  // they wait for what becomes of those
  for (std::size_t i = 0; i < kCredits; ++i) {
    guessers.gate.guessed("1.1.1.1", Guessed::code, true, kStart);
  }
  CHECK(guessers.let == kCredits);
  CHECK(guessers.refused == kMany - kCredits);
  // Whoever comes now does not wait: nothing is under way.
  guessers.ask(Guessed::code, 1, kStart);
  CHECK(guessers.refused == kMany - kCredits + 1);
  guessers.ask(Guessed::code, kMany, kStart + minutes(1));
  CHECK(guessers.let == kCredits + limits::kWrongGuessesPerMinute);
}

TEST_CASE("of many guesses at once all get through if they are right") {
  constexpr std::size_t kMany = 380;
  Guessers guessers;
  guessers.ask(Guessed::code, kMany, kStart);
  for (std::size_t i = 0; i < kMany; ++i) {
    guessers.gate.guessed("1.1.1.1", Guessed::code, false, kStart);
  }
  CHECK(guessers.let == kMany);
  CHECK(guessers.refused == 0);
}

TEST_CASE("whoever guesses codes keeps no token of the same address out") {
  Guessers guessers;
  guessers.ask(Guessed::code, limits::kWrongGuessBurst, kStart);
  for (int i = 0; i < limits::kWrongGuessBurst; ++i) {
    guessers.gate.guessed("1.1.1.1", Guessed::code, true, kStart);
  }
  guessers.ask(Guessed::token, 1, kStart);
  CHECK(guessers.let == limits::kWrongGuessBurst + 1);
}

TEST_CASE("what one address is answered has a budget, and its files another") {
  Gatekeeper gate(Networks({"10.0.0.0/8"}));
  constexpr auto kAll = static_cast<std::size_t>(limits::kAddressAnswerBurst);
  CHECK(gate.wait_to_send("1.1.1.1", Sent::answer, kStart) == seconds(0));
  gate.sent("1.1.1.1", Sent::answer, 2 * kAll, kStart);
  const auto wait = gate.wait_to_send("1.1.1.1", Sent::answer, kStart);
  CHECK(wait > seconds(1));
  CHECK(gate.wait_to_send("1.1.1.1", Sent::file, kStart) == seconds(0));
  CHECK(gate.wait_to_send("1.1.1.2", Sent::answer, kStart) == seconds(0));
  CHECK(gate.wait_to_send("1.1.1.1", Sent::answer, kStart + wait) == seconds(0));
  gate.sent("10.1.1.1", Sent::answer, 2 * kAll, kStart);
  CHECK(gate.wait_to_send("10.1.1.1", Sent::answer, kStart) == seconds(0));
}

TEST_CASE("of the views and the people of a room only the newest wait, all else in order") {
  const auto text = [](const char* words) { return std::make_shared<const std::string>(words); };
  Outbox outbox;
  CHECK(outbox.push({1, text("ok"), {}}, "A"));
  for (const char* people : {"one", "two", "three"}) {
    CHECK(outbox.push({1, text(people), {}, false, {}, true}, "A"));
    CHECK(outbox.push({1, text(people), {}, false, {}, true}, "B"));
    CHECK(outbox.push({1, text("view"), {}, true}, "A"));
  }
  CHECK(outbox.push({1, text("said"), {}}, "A"));
  std::vector<std::string> left;
  for (std::size_t i = 0; i < outbox.size(); ++i) left.push_back(*outbox[i].shared);
  CHECK(left == std::vector<std::string>{"ok", "three", "three", "view", "said"});
  outbox.drop(2);
  CHECK(*outbox[0].shared == "three");
  CHECK(outbox.bytes() == std::string("threeviewsaid").size());
  outbox.drop(3);
  CHECK(outbox.empty());
  CHECK(outbox.bytes() == 0);
  for (int i = 0; i < 10'000; ++i) REQUIRE(outbox.push({1, text("x"), {}, false, {}, true}, "A"));
  CHECK(outbox.size() == 1);
}

/// A client's frame.
std::string masked(unsigned first_byte, std::string_view payload, std::uint32_t mask) {
  std::string frame(1, static_cast<char>(first_byte));
  frame += static_cast<char>(0x80U | (payload.size() < 126 ? payload.size() : 126));
  if (payload.size() >= 126) {
    frame += static_cast<char>(payload.size() >> 8U);
    frame += static_cast<char>(payload.size() & 255U);
  }
  for (unsigned i = 0; i < 4; ++i) frame += static_cast<char>(mask >> (8 * i) & 255U);
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame +=
        static_cast<char>(static_cast<unsigned char>(payload[i]) ^ (mask >> (8 * (i % 4)) & 255U));
  }
  return frame;
}

TEST_CASE("a WebSocket hears the same however the network cuts what is said") {
  Rng rng(tests::seed_number(tests::take_seed()));
  std::string umlauts;
  for (int i = 0; i < 300; ++i) umlauts += "\xC3\xBC\xF0\x9F\x90\xBB";
  std::string said;
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    const std::string text = umlauts.substr(0, 6 * rng.below(300));
    const std::size_t cut = text.empty() ? 0 : rng.below(static_cast<std::uint32_t>(text.size()));
    said += masked(0x01, std::string_view(text).substr(0, cut), rng.next());
    said += masked(0x89, std::string(rng.below(126), 'p'), rng.next());
    expected.push_back("ping");
    said += masked(0x80, std::string_view(text).substr(cut), rng.next());
    expected.push_back("text " + text);
    said += masked(0x82, std::string("\xFF"), rng.next());
    expected.push_back("binary \xFF");
  }
  said += masked(0x88,
                 std::string("\x03\xE8"
                             "bye"),
                 rng.next());
  expected.push_back("closed");
  for (int round = 0; round < 200; ++round) {
    net::WsReader reader(64 * 1024);
    std::vector<std::string> heard;
    for (std::size_t at = 0; at < said.size();) {
      std::string piece = said.substr(at, 1 + rng.below(round % 2 == 0 ? 3000 : 7));
      at += piece.size();
      std::span<char> bytes(piece);
      while (const auto one = reader.next(bytes)) {
        using What = net::Heard::What;
        REQUIRE(one->what != What::failed);
        if (one->what == What::text) heard.push_back("text " + std::string(one->payload));
        if (one->what == What::binary) heard.push_back("binary " + std::string(one->payload));
        if (one->what == What::ping) heard.emplace_back("ping");
        if (one->what == What::closed) heard.emplace_back("closed");
      }
    }
    REQUIRE(heard == expected);
    CHECK(!reader.is_within());
  }
}

TEST_CASE("addresses are forgotten when they owe nothing, and bounded until then") {
  Gatekeeper gate;
  for (std::size_t i = 0; i < limits::kAddresses + 10; ++i) {
    const std::string address = "10." + std::to_string(i >> 16U) + "." +
                                std::to_string(i >> 8U & 255U) + "." + std::to_string(i & 255U);
    const bool in = gate.admit(address, kStart);
    CHECK(in == (i < limits::kAddresses));
    if (in) gate.leave(address, kStart);
  }
  CHECK(gate.known() == limits::kAddresses);
  CHECK(gate.admit("1.1.1.1", kStart + minutes(10)));
  CHECK(gate.known() == 1);
}

}  // namespace
}  // namespace triquetra
