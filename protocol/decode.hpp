// Reading described types from JSON, strictly: a wrong type, a number out of its bounds or a
// missing field is Malformed, with the place in the document. Strict reading, for what clients
// send, also refuses fields it does not know; lenient reading, for what clients hear, passes over
// them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "protocol/json_text.hpp"
#include "protocol/reflect.hpp"
#include "protocol/wire.hpp"

namespace triquetra {

namespace detail {

template <class T, class Value>
T decode_value(const Value& value, Reading reading, const Place& place);

template <class Value>
std::int64_t decode_number(const Value& value, std::int64_t lowest, std::int64_t highest,
                           const Place& place) {
  // What a client wrote as 1.5, 1e3 or beyond 64 bits is no whole number here.
  if (value.kind() == JsonKind::number) place.refuse(ErrorCode::out_of_range);
  if (value.kind() != JsonKind::whole) place.refuse(ErrorCode::wrong_type);
  const std::int64_t number = value.whole();
  if (number < lowest || number > highest) place.refuse(ErrorCode::out_of_range);
  return number;
}

template <class Value>
std::string_view decode_string(const Value& value, std::string& unescaped, const Place& place) {
  if (value.kind() != JsonKind::string) place.refuse(ErrorCode::wrong_type);
  return value.string(unescaped);
}

/// Calls take(item) for each.
template <class Item, class Value, class Take>
void decode_each(const Value& value, std::size_t max_size, Reading reading, const Place& place,
                 const Take& take) {
  if (value.kind() != JsonKind::array) place.refuse(ErrorCode::wrong_type);
  if (value.size() > max_size) place.refuse(ErrorCode::out_of_range);
  std::size_t index = 0;
  value.for_each([&](const Value& item) {
    take(decode_value<Item>(item, reading, Place{&place, {}, index++}));
  });
}

template <class Item, class Value>
std::vector<Item> decode_items(const Value& value, std::size_t max_size, Reading reading,
                               const Place& place) {
  std::vector<Item> items;
  decode_each<Item>(value, max_size, reading, place,
                    [&items](Item item) { items.push_back(std::move(item)); });
  return items;
}

/// Of several unknown members the first by its key is named.
template <class T, class Value>
void refuse_unknown(const Value& value, std::string_view tag_key, const Place& place) {
  for (const auto& member : value.sorted_members()) {
    bool is_known = member.key == tag_key;
    for_each_member<T>([&](std::string_view name, auto) { is_known |= member.key == name; });
    if (!is_known) Place{&place, member.key, 0}.refuse(ErrorCode::unknown_field);
  }
}

/// `tag_key`: where the word stands that says what it is, if there is one.
template <class T, class Value>
T decode_struct(const Value& value, Reading reading, const Place& place,
                std::string_view tag_key = {}) {
  if (value.kind() != JsonKind::object) place.refuse(ErrorCode::wrong_type);
  T whole;
  if constexpr (Tagged<T>) tag_key = T::kTag.key;
  std::size_t known = !tag_key.empty() && value.find(tag_key) ? 1 : 0;
  for_each_member<T>([&](std::string_view name, auto pointer) {
    using Member = std::remove_cvref_t<decltype(whole.*pointer)>;
    const Place inner{&place, name, 0};
    const auto found = value.find(name);
    if (!found) {
      if constexpr (!kIsOptional<Member>) {
        if (reading != Reading::partial) inner.refuse(ErrorCode::missing_field);
      }
      return;
    }
    ++known;
    if constexpr (kIsOptional<Member>) {
      whole.*pointer = decode_value<typename Member::value_type>(*found, reading, inner);
    } else {
      whole.*pointer = decode_value<Member>(*found, reading, inner);
    }
  });
  if (reading != Reading::lenient && known != value.size())
    refuse_unknown<T>(value, tag_key, place);
  return whole;
}

template <class Variant, class Value>
Variant decode_variant(const Value& value, Reading reading, const Place& place) {
  if (value.kind() != JsonKind::object) place.refuse(ErrorCode::wrong_type);
  constexpr std::string_view kKey = std::variant_alternative_t<0, Variant>::kTag.key;
  const Place inner{&place, kKey, 0};
  const auto found = value.find(kKey);
  if (!found) inner.refuse(ErrorCode::missing_field);
  std::string unescaped;
  const std::string_view word = decode_string(*found, unescaped, inner);
  std::optional<Variant> variant;
  boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<Variant>>>([&](auto index) {
    using Alternative = std::variant_alternative_t<index, Variant>;
    static_assert(Alternative::kTag.key == kKey, "one variant, one tag key");
    if (word == Alternative::kTag.word) {
      variant = decode_struct<Alternative>(value, reading, place);
    }
  });
  if (!variant) inner.refuse(ErrorCode::unknown_type);
  return *std::move(variant);
}

template <class E, class Value>
Counts<E> decode_counts(const Value& value, const Place& place) {
  if (value.kind() != JsonKind::object) place.refuse(ErrorCode::wrong_type);
  Counts<E> counts;
  for (const auto& member : value.sorted_members()) {
    const Place inner{&place, member.key, 0};
    const auto kind = enumerator_of<E>(member.key);
    if (!kind) inner.refuse(ErrorCode::unknown_field);
    counts[*kind] = static_cast<int>(decode_number(member.value, INT32_MIN, INT32_MAX, inner));
  }
  return counts;
}

/// As decode(); of any value that has what JsonValue has.
template <class T, class Value>
T decode_value(const Value& value, Reading reading, const Place& place) {
  std::string unescaped;
  if constexpr (std::is_same_v<T, Raw>) {
    return Raw{value.canonical()};
  } else if constexpr (std::is_same_v<T, bool>) {
    if (value.kind() != JsonKind::boolean) place.refuse(ErrorCode::wrong_type);
    return value.boolean();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr auto kMax = static_cast<std::int64_t>(
        sizeof(T) == 8 ? INT64_MAX : static_cast<std::int64_t>(std::numeric_limits<T>::max()));
    return static_cast<T>(decode_number(
        value, static_cast<std::int64_t>(std::numeric_limits<T>::min()), kMax, place));
  } else if constexpr (kIsInt<T>) {
    return T(decode_number(value, T::kLowest, T::kHighest, place));
  } else if constexpr (kIsId<T>) {
    constexpr auto kMax = static_cast<std::int64_t>(std::numeric_limits<typename T::rep>::max());
    return T(static_cast<std::size_t>(decode_number(value, 0, kMax, place)));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(decode_string(value, unescaped, place));
  } else if constexpr (kIsText<T>) {
    const std::string_view text = decode_string(value, unescaped, place);
    if (!T::fits(text)) place.refuse(ErrorCode::out_of_range);
    return T(std::string(text));
  } else if constexpr (kIsEnum<T>) {
    const auto enumerator = enumerator_of<T>(decode_string(value, unescaped, place));
    if (!enumerator) place.refuse(ErrorCode::out_of_range);
    return *enumerator;
  } else if constexpr (kIsVector<T>) {
    return decode_items<typename T::value_type>(value, SIZE_MAX, reading, place);
  } else if constexpr (kIsList<T>) {
    T list;
    decode_each<typename T::value_type>(
        value, T::kMaxSize, reading, place,
        [&list](typename T::value_type item) { list.push_back(std::move(item)); });
    return list;
  } else if constexpr (kIsArray<T>) {
    T array{};
    const auto items = decode_items<typename T::value_type>(value, array.size(), reading, place);
    if (items.size() != array.size()) place.refuse(ErrorCode::out_of_range);
    std::copy(items.begin(), items.end(), array.begin());
    return array;
  } else if constexpr (std::is_same_v<T, SeatSet>) {
    SeatSet seats;
    for (const auto seat : decode_items<Int<0, kMaxSeats - 1>>(value, kMaxSeats, reading, place)) {
      seats.insert(Seat(static_cast<std::size_t>(static_cast<int>(seat))));
    }
    return seats;
  } else if constexpr (kIsCounts<T>) {
    return decode_counts<typename T::Kind>(value, place);
  } else if constexpr (kIsVariant<T>) {
    return decode_variant<T>(value, reading, place);
  } else {
    static_assert(kIsStruct<T>, "this type cannot be read");
    return decode_struct<T>(value, reading, place);
  }
}

}  // namespace detail

/// The T that `value` holds; throws Malformed. Faces (Shown, Seen) cannot be read: nobody but a
/// Secret makes them.
template <class T>
T decode(const JsonValue& value, Reading reading) {
  return detail::decode_value<T>(value, reading, Place{});
}

}  // namespace triquetra
