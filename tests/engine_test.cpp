// The engine's small parts: the generator, secrets, values with limits, sets of seats, counts.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/decision.hpp"
#include "engine/ensure.hpp"
#include "engine/game.hpp"
#include "engine/ids.hpp"
#include "engine/rng.hpp"
#include "engine/secret.hpp"
#include "engine/triangles_deck.hpp"
#include "tests/seed.hpp"

namespace triquetra {
namespace {

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

struct BlockVector {
  std::array<std::uint8_t, 32> key{};
  std::uint32_t counter = 0;
  std::array<std::uint8_t, 12> nonce{};
  std::string stream;
};

/// The five vectors of RFC 8439, appendix A.1, after that of section 2.3.2.
std::vector<BlockVector> rfc_vectors() {
  std::vector<BlockVector> vectors(6);
  for (std::uint8_t i = 0; i < 32; ++i) vectors[0].key.at(i) = i;
  vectors[0].counter = 1;
  vectors[0].nonce = {0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0};
  vectors[0].stream =
      "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
      "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
  vectors[1].stream =
      "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
      "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586";
  vectors[2].counter = 1;
  vectors[2].stream =
      "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
      "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f";
  vectors[3].key[31] = 1;
  vectors[3].counter = 1;
  vectors[3].stream =
      "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
      "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0";
  vectors[4].key[1] = 0xff;
  vectors[4].counter = 2;
  vectors[4].stream =
      "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
      "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096";
  vectors[5].nonce[11] = 2;
  vectors[5].stream =
      "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
      "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d";
  return vectors;
}

Rng rng_number(std::uint32_t number, std::uint8_t use = 0) {
  return Rng(tests::seed_number(number, use));
}

/// Pearson's statistic of how far counts are from all being equal.
template <class Counted>
double chi_square(const Counted& counts, double expected) {
  double sum = 0.0;
  for (const auto& count : counts) {
    sum += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected);
  }
  return sum / expected;
}

}  // namespace

TEST_CASE("ChaCha20 blocks are those of RFC 8439") {
  for (const BlockVector& vector : rfc_vectors()) {
    CHECK(hex(chacha20_block(vector.key, vector.counter, vector.nonce)) == vector.stream);
  }
}

TEST_CASE("The generator reads the key stream as little-endian words, block after block") {
  Rng rng(Seed{});
  CHECK(rng.next() == 0xade0b876U);
  CHECK(rng.next() == 0x903df1a0U);
  for (int i = 2; i < 16; ++i) rng.next();
  CHECK(rng.next() == 0xbee7079fU);
}

TEST_CASE("A copied generator goes on with the same numbers, another seed with others") {
  Rng rng = rng_number(1);
  rng.next();
  Rng copy = rng;
  CHECK(copy == rng);
  CHECK(copy.next() == rng.next());
  CHECK(rng_number(1).next() != rng_number(2).next());
}

TEST_CASE("below() stays below, and gives every number equally often") {
  // Each limit, here and below, is passed once in a thousand million fair samples.
  const std::map<std::uint32_t, double> limits{
      {2, 37.3}, {3, 41.4}, {6, 50.7}, {10, 60.7}, {60, 148.9}};
  for (const auto& [bound, limit] : limits) {
    Rng rng = rng_number(tests::take_seed(1), static_cast<std::uint8_t>(bound));
    std::vector<int> counts(bound);
    for (std::uint32_t i = 0; i < 1000 * bound; ++i) ++counts.at(rng.below(bound));
    CHECK(chi_square(counts, 1000.0) < limit);
  }
  CHECK(rng_number(1).below(1) == 0);
  CHECK_THROWS_AS(rng_number(1).below(0), Bug);
}

TEST_CASE("below() throws away what a remainder would favour") {
  // Of a bound of 3 * 2^30, the plain remainder would give the lowest third twice as often.
  Rng rng = rng_number(tests::take_seed(1), 7);
  std::vector<int> thirds(3);
  for (int i = 0; i < 3000; ++i) ++thirds.at(rng.below(3U << 30U) >> 30U);
  CHECK(chi_square(thirds, 1000.0) < 41.4);
}

TEST_CASE("shuffle() gives every order equally often") {
  Rng rng = rng_number(tests::take_seed(1), 9);
  std::map<std::string, int> orders;
  for (int i = 0; i < 24000; ++i) {
    std::vector<char> items{'a', 'b', 'c', 'd'};
    rng.shuffle(items);
    ++orders[std::string(items.begin(), items.end())];
  }
  std::vector<int> counts;
  for (const auto& [order, count] : orders) counts.push_back(count);
  CHECK(counts.size() == 24);
  CHECK(chi_square(counts, 1000.0) < 89.1);
}

TEST_CASE("shuffle() is the Fisher-Yates that docs/FAIRNESS.md specifies") {
  Rng rng = rng_number(tests::take_seed());
  Rng same = rng;
  std::vector<int> items{0, 1, 2, 3, 4};
  rng.shuffle(items);
  std::vector<int> by_hand{0, 1, 2, 3, 4};
  for (std::uint32_t i = 4; i >= 1; --i) std::swap(by_hand[i], by_hand[same.below(i + 1)]);
  CHECK(items == by_hand);
}

TEST_CASE("A secret is shown to nobody, then to some, then to all") {
  Secret<int> face(7);
  const Eye first = EyeMaker::of(Seat(0));
  const Eye second = EyeMaker::of(Seat(1));
  CHECK(!face.shown().value());
  CHECK(!face.seen_by(first).value());
  CHECK(!face.visible_to(Spectator{}));

  face.show_to(Seat(1));
  CHECK(!face.shown().value());
  CHECK(!face.seen_by(first).value());
  CHECK(face.seen_by(second).value() == 7);
  CHECK(face.visible_to(Seat(1)));
  CHECK(!face.visible_to(Seat(0)));
  CHECK(!face.visible_to(Spectator{}));

  face.show_to_all();
  CHECK(face.is_public());
  CHECK(face.shown().value() == 7);
  CHECK(face.seen_by(first).value() == 7);
  CHECK(face.visible_to(Spectator{}));
}

TEST_CASE("Only a secret can fill Shown and Seen") {
  CHECK(!std::is_constructible_v<Shown<int>, int>);
  CHECK(!std::is_constructible_v<Seen<int>, int>);
  CHECK(!std::is_constructible_v<Eye, Seat>);
  CHECK(Shown<int>() == Secret<int>(1).shown());
  CHECK(Secret<int>(1).shown() == Secret<int>(2).shown());
}

TEST_CASE("A replaced face keeps its viewers") {
  Secret<int> face(7);
  face.show_to(Seat(1));
  face.replace(8);
  CHECK(face.seen_by(EyeMaker::of(Seat(1))).value() == 8);
  CHECK(!face.seen_by(EyeMaker::of(Seat(0))).value());
}

TEST_CASE("Int holds its limits") {
  using Small = Int<-2, 4>;
  CHECK(int{Small(-2)} == -2);
  CHECK(int{Small(4)} == 4);
  CHECK(int{Small()} == 0);
  CHECK(int{Int<1, 4>()} == 1);
  CHECK(int{Int<-9, -3>()} == -3);
  CHECK(Small::fits(4));
  CHECK(!Small::fits(5));
  CHECK_THROWS_AS(Small(5), Bug);
  CHECK_THROWS_AS(Small(-3), Bug);
}

TEST_CASE("Text counts characters, not bytes") {
  CHECK(Text<3>("abc").str() == "abc");
  CHECK(Text<3>("\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xbb").str().size() == 9);
  CHECK(!Text<3>::fits("abcd"));
  CHECK_THROWS_AS(Text<3>("abcd"), Bug);
  CHECK(Text<3>().empty());
}

TEST_CASE("List holds its limit") {
  List<int, 2> list{1, 2};
  CHECK(list.size() == 2);
  CHECK(list[1] == 2);
  CHECK_THROWS_AS(list.push_back(3), Bug);
  CHECK_THROWS_AS((List<int, 2>{1, 2, 3}), Bug);
  CHECK_THROWS((void)list[2]);
  CHECK_THROWS_AS((List<int, 2>{}.back()), Bug);
  CHECK_THROWS_AS((List<int, 2>{}.pop_back()), Bug);
  CHECK_THROWS_AS(list.erase(2), Bug);
  CHECK_THROWS_AS(list.resize(3), Bug);
  CHECK(List<bool, 2>{true, false}[0]);
}

TEST_CASE("List keeps its order, and forgets what is out of it") {
  List<int, 4> list{1, 2, 3, 4};
  list.erase(1);
  CHECK(list == List<int, 4>{1, 3, 4});
  list.pop_back();
  list.resize(4);
  CHECK(list == List<int, 4>{1, 3, 0, 0});
  list[2] = 7;
  CHECK(list.to_vector() == std::vector{1, 3, 7, 0});
  list.clear();
  CHECK(list == List<int, 4>{});
  list.append(std::vector{5, 6});
  CHECK(std::span<const int>(list).back() == 6);

  const auto held = std::make_shared<int>(1);
  List<std::shared_ptr<int>, 2> shared{held, held};
  shared.pop_back();
  CHECK(held.use_count() == 2);
}

TEST_CASE("What a state is made of is small and copied as bytes") {
  using Tokens = List<Secret<Int<0, 6>>, 20>;
  CHECK(std::is_trivially_copyable_v<SeatMap<Tokens>>);
  CHECK(sizeof(Int<0, 255>) == 1);
  CHECK(sizeof(Int<-1, 127>) == 1);
  CHECK(sizeof(Int<0, 256>) == 2);
  CHECK(sizeof(Int<-1, 40'000>) == 4);
  CHECK(sizeof(Tokens) == 61);
  // Copies of a chance share what was written, so copying one never needs the heap.
  CHECK(std::is_nothrow_copy_constructible_v<Chance<std::vector<int>>>);
  CHECK(Chance(std::vector{1}) == Chance(std::vector{1}));
  CHECK(!(Chance(std::vector{1}) == Chance(std::vector{2})));
  CHECK(!(Chance(std::vector{1}) == Chance<std::vector<int>>(Rng(Seed{}))));
}

TEST_CASE("Seats, sets of them, and tables by seat") {
  SeatSet set{Seat(4), Seat(1)};
  CHECK(set.size() == 2);
  CHECK(set.list() == List<Seat, kMaxSeats>{Seat(1), Seat(4)});
  CHECK(!set.contains(Seat(0)));
  CHECK(!set.contains(Seat(200)));
  set.erase(Seat(4));
  set.erase(Seat(200));
  CHECK(set == SeatSet{Seat(1)});
  CHECK_THROWS_AS(set.insert(Seat(kMaxSeats)), Bug);
  CHECK(next_seat(Seat(2), 3) == Seat(0));
  CHECK_THROWS_AS(Seat(256), Bug);

  SeatMap<int> table(3, 5);
  table[Seat(2)] = 6;
  CHECK(table[Seat(0)] == 5);
  CHECK(table[Seat(2)] == 6);
  CHECK(table.has(Seat(2)));
  CHECK(!table.has(Seat(3)));
  CHECK_THROWS((void)table[Seat(3)]);
}

TEST_CASE("Whom a decision asks") {
  CHECK(asked({DecisionId(1), Turn{Seat(2)}}) == SeatSet{Seat(2)});
  CHECK(asked({DecisionId(1), Ballot{{Seat(0), Seat(2)}}}) == SeatSet{Seat(0), Seat(2)});
  CHECK(asked({DecisionId(1), Window{{Seat(1)}, {}}}) == SeatSet{Seat(1)});
}

TEST_CASE("The triangles deck: 81 pieces, sorted, each with a code that leads back to it") {
  const auto pieces = triangles::all_pieces();
  REQUIRE(pieces.size() == triangles::kPieces);
  CHECK(std::is_sorted(pieces.begin(), pieces.end()));
  std::map<std::string, int> copies;
  for (const auto& piece : pieces) {
    const auto code = triangles::code_of(piece);
    ++copies[code.str()];
    CHECK(triangles::piece_from(code) == piece);
  }
  CHECK(copies.size() == 27);
  CHECK(copies["v2r"] == triangles::kCopies);
  for (const char* const wrong : {"", "v", "v2", "V2r", "v4r", "v0r", "vJr", "x2r", "v2x"}) {
    CHECK(!triangles::piece_from(wrong));
  }
}

}  // namespace triquetra
