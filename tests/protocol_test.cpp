// The wire: what is read and what is refused, that writing and reading agree, and that the examples
// in docs/PROTOCOL.md are true.
#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "protocol/client_frames.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/fairness.hpp"
#include "protocol/server_frames.hpp"
#include "tests/dom_value.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

/// The code of the refusal, and where; "read" if there is none.
std::string verdict(const std::string& text) {
  try {
    decode<ClientFrame>(text, Reading::strict);
  } catch (const Malformed& malformed) {
    return std::string(word_of(malformed.code())) + " " + malformed.args().field.value_or("");
  }
  return "read";
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST_CASE("a frame is read only if it is exactly one") {
  CHECK(verdict(R"({"type":"ping","id":"1"})") == "read");
  CHECK(verdict(R"({"id":"1","type":"ping"})") == "read");
  CHECK(verdict("") == "not_json ");
  CHECK(verdict(R"({"type":"ping","id":"1"} x)") == "not_json ");
  CHECK(verdict(R"({"type":"ping","id":"1"})"
                R"({"type":"ping","id":"1"})") == "not_json ");
  CHECK(verdict("{\"type\":\"ping\",\"id\":\"\xC3\x28\"}") == "not_json ");
  CHECK(verdict(R"({"type":"ping","id":"\ud800"})") == "not_json ");
  CHECK(verdict(R"({"type":"ping","id":NaN})") == "not_json ");
  CHECK(verdict(R"({"type":"ping","id":"1","id":"1"})") == "duplicate_key id");
  CHECK(verdict(R"({"type":"act","id":"1","room":"R","decision":1,"action":{"a":1,"a":2}})") ==
        "duplicate_key a");
  CHECK(verdict(nested(16)) == "wrong_type ");
  CHECK(verdict(nested(17)) == "too_deep ");
  CHECK(verdict(nested(8000)) == "too_deep ");
  CHECK(verdict(std::string(16 * 1024 + 1, ' ')) == "too_large ");
  const std::string ping = R"({"type":"ping","id":"1"})";
  CHECK(verdict(ping + std::string(16 * 1024 - ping.size(), ' ')) == "read");
}

TEST_CASE("text is UTF-8, and halves of characters are none") {
  const auto id = [](const std::string& text) {
    return verdict(R"({"type":"ping","id":")" + text + "\"}");
  };
  CHECK(id(R"(\ud83d\ude00)") == "read");
  CHECK(id(R"(\udc00)") == "not_json ");
  CHECK(id(R"(\ud800\ud800)") == "not_json ");
  CHECK(id("\xC0\xAF") == "not_json ");      // longer than it need be
  CHECK(id("\xED\xA0\x80") == "not_json ");  // the bytes of half a pair
  CHECK(id("\x01") == "not_json ");
}

TEST_CASE("lists are no longer than their type says") {
  const auto size = [](const char* text) {
    return decode<List<Int<0, 4>, 3>>(text, Reading::strict).size();
  };
  CHECK(size("[]") == 0);
  CHECK(size("[0,4,2]") == 3);
  for (const char* other : {"[0,1,2,3]", "[5]", "{}", "[null]"}) {
    CAPTURE(other);
    CHECK_THROWS_AS(size(other), Malformed);
  }
}

TEST_CASE("fields have their types and their limits, and no others") {
  CHECK(verdict("[1]") == "wrong_type ");
  CHECK(verdict("{}") == "missing_field type");
  CHECK(verdict(R"({"type":7})") == "wrong_type type");
  CHECK(verdict(R"({"type":"Ping","id":"1"})") == "unknown_type type");
  CHECK(verdict(R"({"type":"ping"})") == "missing_field id");
  CHECK(verdict(R"({"type":"ping","id":null})") == "wrong_type id");
  CHECK(verdict(R"({"type":"ping","id":"1","more":0})") == "unknown_field more");
  const std::string long_id(64, 'x');
  CHECK(verdict(R"({"type":"ping","id":")" + long_id + "\"}") == "read");
  CHECK(verdict(R"({"type":"ping","id":")" + long_id + "x\"}") == "out_of_range id");
  // Characters count, not bytes.
  std::string umlauts;
  for (int i = 0; i < 64; ++i) umlauts += "\xC3\xBC";
  CHECK(verdict(R"({"type":"ping","id":")" + umlauts + "\"}") == "read");
  const auto seat = [](const std::string& number) {
    return verdict(R"({"type":"join","id":"1","room":"R","seat":)" + number + "}");
  };
  CHECK(seat("0") == "read");
  CHECK(seat("7") == "read");
  for (const char* number : {"8", "-1", "1.0", "1.5", "1e0", "1e400", "18446744073709551616",
                             "4294967296", "-9223372036854775809"}) {
    CAPTURE(number);
    CHECK(seat(number).starts_with("out_of_range"));
  }
  for (const char* other : {"true", "\"1\"", "[]", "{}", "null"}) {
    CAPTURE(other);
    CHECK(seat(other) == "wrong_type seat");
  }
  CHECK(verdict(R"({"type":"react","id":"1","room":"R","reaction":"boo"})") ==
        "out_of_range reaction");
}

/// Texts that are nearly frames: the examples of the documentation, and what else has been thought
/// of, with some bytes changed.
std::vector<std::string> near_frames() {
  const char* const act =
      R"({"type":"act","id":"1","room":"R","decision":1,"action":{"b":[1,-0,2.50,1e3,)"
      R"(18446744073709551615],"a":{"x":null,"":"\u0041\ud83d\ude00\n\/"}}})";
  const char* const create =
      R"({"type":"create","id":"1","game":"g","options":{"a":-9223372036854775808,)"
      R"("\u00e9":"\u0000"}})";
  const char* const many =
      R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,)"
      R"("l":12,"m":13,"n":14,"o":15,"p":16,"q":17,"r":18,"s":19,"\u0071":20})";
  std::vector<std::string> texts{
      act,
      create,
      many,
      R"({"id":"\u0031","type":"p\u0069ng"})",
      "\xEF\xBB\xBF{\"type\":\"ping\",\"id\":\"\xC3\xBC\xE2\x82\xAC\xF0\x9F\x90\xBB\x7F\"}",
      nested(16),
      nested(17),
      "[1e308,1e309,-1e400,0.1e-400]",
      "[" + std::string(400, '9') + "]"};
  std::ifstream file(TRIQUETRA_SOURCE_DIR "/docs/PROTOCOL.md");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("{")) texts.push_back(line);
  }
  return texts;
}

TEST_CASE("straight from the text the same is read and refused as by way of a document") {
  Rng rng(tests::seed_number(tests::take_seed()));
  const auto below = [&rng](std::size_t bound) {
    return std::size_t{rng.below(static_cast<std::uint32_t>(bound))};
  };
  const std::vector<std::string> texts = near_frames();
  REQUIRE(texts.size() > 40);
  constexpr std::string_view kLikely = "{}[],:\"\\u0019-.eE tfnl\xC3\xBC\xED\xF4";
  std::size_t read = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string text = rng.pick(texts);
    for (std::size_t change = below(4); change > 0 && !text.empty(); --change) {
      const std::size_t at = below(text.size());
      const std::size_t other = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = kLikely[below(kLikely.size())];
          break;
        case 1:
          text.erase(at, 1 + below(3));
          break;
        case 2:
          text.insert(at, text.substr(other, below(12)));
          break;
        default:
          text[at] = static_cast<char>(1 + below(255));
      }
    }
    CAPTURE(text);
    const std::string by_document = outcome_by_document(text);
    REQUIRE(outcome_by_text(text) == by_document);
    read += by_document.starts_with("read") ? 1U : 0U;
  }
  CHECK(read > 1000);
}

TEST_CASE("a byte that ends a text in C ends none here") {
  const std::string ping = R"({"type":"ping","id":"1"})";
  CHECK(verdict(ping + '\0') == "not_json ");
}

TEST_CASE("text goes out as JSON that reads back the same") {
  std::string text;
  for (int c = 0; c < 128; ++c) text += static_cast<char>(c);
  text += "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x90\xBB</script>";
  std::string out;
  encode_string(out, text);
  CHECK(parse_json(out).get<std::string>() == text);
}

TEST_CASE("what is absent is left out, and faces that are hidden are absent") {
  Secret<int> face(7);
  face.show_to(Seat{1});
  CHECK(is_absent(face.shown()));
  CHECK(is_absent(face.seen_by(EyeMaker::of(Seat{0}))));
  CHECK(encoded(face.seen_by(EyeMaker::of(Seat{1}))) == "7");
  CHECK_THROWS_AS(encoded(std::vector{face.shown()}), Bug);
  CHECK(encoded(Ok{}) == R"({"type":"ok","re":""})");
}

template <class Frame>
void check_examples(const std::string& side, Reading reading) {
  std::ifstream file(TRIQUETRA_SOURCE_DIR "/docs/PROTOCOL.md");
  REQUIRE(file.good());
  std::set<std::size_t> seen;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line == "```json " + side;
      continue;
    }
    if (!inside) continue;
    CAPTURE(line);
    const Json json = parse_json(line);
    const auto frame = decode<Frame>(json, reading);
    seen.insert(frame.index());
    CHECK(parse_json(encoded(frame)) == json);
  }
  CHECK(seen.size() == std::variant_size_v<Frame>);
}

TEST_CASE("docs/PROTOCOL.md has a true example of every frame") {
  check_examples<ClientFrame>("client", Reading::strict);
  check_examples<ServerFrame>("server", Reading::strict);
}

TEST_CASE("docs/PROTOCOL.md names every error code") {
  std::ifstream file(TRIQUETRA_SOURCE_DIR "/docs/PROTOCOL.md");
  std::stringstream text;
  text << file.rdbuf();
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<ErrorCode>>([&](auto enumerator) {
    CAPTURE(enumerator.name);
    CHECK(text.str().find("`" + std::string(enumerator.name) + "`") != std::string::npos);
  });
}

TEST_CASE("readers of server frames pass over what they do not know") {
  const Json frame = parse_json(R"({"type":"pong","re":"1","new":{"a":[1]}})");
  CHECK(std::holds_alternative<Pong>(decode<ServerFrame>(frame, Reading::lenient)));
  CHECK_THROWS_AS(decode<ServerFrame>(frame, Reading::strict), Malformed);
}

TEST_CASE("seeds are made as docs/FAIRNESS.md says") {
  const std::string secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
  const std::string match = "00112233445566778899aabbccddeeff";
  std::string entropy;
  for (int i = 0; i < 32; ++i) entropy += "aa";
  // Both worked out with Python's hashlib and struct.
  const auto seed = seed_of(secret, match, {"", entropy});
  CHECK(to_hex(std::string(seed.bytes.begin(), seed.bytes.end())) ==
        "8ee427ad6023c0e9e9681fdaffad90bf22fbb5c83d5122cf8513f9bd4a188600");
  CHECK(seed != seed_of(secret, match, {entropy, ""}));  // seat order counts
  CHECK(seed != seed_of(secret, match, {entropy}));      // and so does an empty part
  CHECK(commitment_of(secret) ==
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  CHECK(!commitment_of("xyz").has_value());
}

}  // namespace
}  // namespace triquetra
