// Writing described types as JSON straight into a string, without a document in between: the path
// of every view that is sent. What is absent is left out, never null.
//
// Only the types named here and structs described with Boost.Describe can be written. State, Secret
// and Seed are not among them, so sending one does not compile.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "protocol/reflect.hpp"
#include "protocol/wire.hpp"

namespace triquetra {

template <class T>
bool is_absent(const T& value) {
  if constexpr (kIsOptional<T>) return !value.has_value();
  if constexpr (kIsFace<T>) return !value.value().has_value();
  return false;
}

namespace detail {

inline void encode_number(std::string& out, std::int64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

void encode_key(std::string& out, std::string_view key, bool& first);

template <class Items>
void encode_items(std::string& out, const Items& items) {
  out += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ',';
    first = false;
    ensure(!is_absent<typename Items::value_type>(item),
           "a hidden face in a list: show its count instead");
    encode<typename Items::value_type>(out, item);
  }
  out += ']';
}

template <class E>
void encode_counts(std::string& out, const Counts<E>& counts) {
  out += '{';
  bool first = true;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
    const int number = counts[enumerator.value];
    if (number == 0) return;
    encode_key(out, enumerator.name, first);
    encode_number(out, number);
  });
  out += '}';
}

}  // namespace detail

template <class T>
void encode_members(std::string& out, const T& value, bool& first) {
  if constexpr (Tagged<T>) {
    detail::encode_key(out, T::kTag.key, first);
    encode_string(out, T::kTag.word);
  }
  for_each_member<T>([&](std::string_view name, auto pointer) {
    const auto& member = value.*pointer;
    if (is_absent(member)) return;
    detail::encode_key(out, name, first);
    encode(out, member);
  });
}

template <class T>
void encode(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, Raw>) {
    out += value.text;
  } else if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    detail::encode_number(out, static_cast<std::int64_t>(value));
  } else if constexpr (kIsInt<T>) {
    detail::encode_number(out, static_cast<int>(value));
  } else if constexpr (kIsId<T>) {
    detail::encode_number(out, static_cast<std::int64_t>(value.value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    encode_string(out, value);
  } else if constexpr (kIsText<T>) {
    encode_string(out, value.str());
  } else if constexpr (kIsEnum<T>) {
    encode_string(out, word_of(value));
  } else if constexpr (kIsVector<T> || kIsList<T> || kIsArray<T>) {
    detail::encode_items(out, value);
  } else if constexpr (std::is_same_v<T, SeatSet>) {
    detail::encode_items(out, value.list());
  } else if constexpr (kIsCounts<T>) {
    detail::encode_counts(out, value);
  } else if constexpr (kIsOptional<T>) {
    ensure(value.has_value(), "encoding what is absent");
    encode(out, *value);
  } else if constexpr (kIsFace<T>) {
    ensure(value.value().has_value(), "encoding a hidden face");
    encode(out, *value.value());
  } else if constexpr (kIsVariant<T>) {
    std::visit([&](const auto& alternative) { encode(out, alternative); }, value);
  } else {
    static_assert(kIsStruct<T>, "this type has no codec: describe it, or do not send it");
    static_assert(!KeptOnly<T>, "a log holds secrets and is never sent");
    out += '{';
    bool first = true;
    encode_members(out, value, first);
    out += '}';
  }
}

template <class T>
std::string encoded(const T& value) {
  Scratch scratch;
  encode(scratch.text(), value);
  return {scratch.text().data(), scratch.text().size()};
}

}  // namespace triquetra
