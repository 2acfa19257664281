// What encoding, decoding and schemas need to know of a type: a thin layer over Boost.Describe.
#pragma once

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/bounded.hpp"
#include "engine/counts.hpp"
#include "engine/game.hpp"
#include "engine/ids.hpp"
#include "engine/secret.hpp"

namespace triquetra {

/// JSON text that is already written: goes out as it is, comes in as it was. For what only one
/// layer understands, such as a game's action inside a frame.
struct Raw {
  std::string text;
  friend bool operator==(const Raw&, const Raw&) = default;
};

template <class T>
inline constexpr bool kIsEnum = boost::describe::has_describe_enumerators<T>::value;

/// The word of a record in a log. What carries one is kept and never sent.
struct LogTag {
  std::string_view word;
};
template <class T>
concept KeptOnly = requires {
  { T::kLogTag.word } -> std::convertible_to<std::string_view>;
};

template <class T>
concept Tagged = requires {
  { T::kTag.word } -> std::convertible_to<std::string_view>;
};

template <class T>
inline constexpr bool kIsInt = false;
template <std::int64_t L, std::int64_t H>
inline constexpr bool kIsInt<Int<L, H>> = true;

template <class T>
inline constexpr bool kIsText = false;
template <std::size_t N>
inline constexpr bool kIsText<Text<N>> = true;

template <class T>
inline constexpr bool kIsId = false;
template <class Tag, class Rep>
inline constexpr bool kIsId<Id<Tag, Rep>> = true;

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <class T>
inline constexpr bool kIsList = false;
template <class T, std::size_t N>
inline constexpr bool kIsList<List<T, N>> = true;
template <class T, std::size_t N>
inline constexpr bool kIsList<LongList<T, N>> = true;

template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsArray<std::array<T, N>> = true;

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

template <class T>
inline constexpr bool kIsCounts = false;
template <class E>
inline constexpr bool kIsCounts<Counts<E>> = true;

/// Shown and Seen: faces that may be absent.
template <class T>
inline constexpr bool kIsFace = false;
template <class T>
inline constexpr bool kIsFace<Shown<T>> = true;
template <class T>
inline constexpr bool kIsFace<Seen<T>> = true;

/// Public members, those of base structs first.
template <class T>
using Members = boost::describe::describe_members<T, boost::describe::mod_public |
                                                         boost::describe::mod_inherited>;

template <class T>
inline constexpr bool kIsStruct = boost::describe::has_describe_members<T>::value;

/// Calls f(name, member pointer) for each member of T, in order.
template <class T, class F>
constexpr void for_each_member(F&& f) {
  boost::mp11::mp_for_each<Members<T>>(
      [&](auto member) { f(std::string_view(member.name), member.pointer); });
}

/// The word of an enumerator, as it stands in the source and on the wire.
template <class E>
constexpr std::string_view word_of(E value) {
  std::string_view word;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
    if (enumerator.value == value) word = enumerator.name;
  });
  return word;
}

/// The enumerator with this word.
template <class E>
constexpr std::optional<E> enumerator_of(std::string_view word) {
  std::optional<E> found;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
    if (word == enumerator.name) found = enumerator.value;
  });
  return found;
}

}  // namespace triquetra
