// Reading described types from JSON, strictly: a wrong type, a number out of its bounds or a
// missing field is Malformed, with the place in the document. Strict reading, for what clients
// send, also refuses fields it does not know; lenient reading, for what clients hear, passes over
// them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "protocol/reflect.hpp"
#include "protocol/wire.hpp"

namespace triquetra {

namespace detail {

inline std::int64_t decode_number(const Json& json, std::int64_t lowest, std::int64_t highest,
                                  const Place& place) {
  if (json.is_number_unsigned()) {
    const auto number = json.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) place.refuse(ErrorCode::out_of_range);
  } else if (!json.is_number_integer()) {
    // A double: what a client wrote as 1.5, 1e3 or beyond 64 bits. None of them is a whole number
    // here.
    place.refuse(json.is_number_float() ? ErrorCode::out_of_range : ErrorCode::wrong_type);
  }
  const auto number = json.get<std::int64_t>();
  if (number < lowest || number > highest) place.refuse(ErrorCode::out_of_range);
  return number;
}

template <class Item>
std::vector<Item> decode_items(const Json& json, std::size_t max_size, Reading reading,
                               const Place& place) {
  if (!json.is_array()) place.refuse(ErrorCode::wrong_type);
  if (json.size() > max_size) place.refuse(ErrorCode::out_of_range);
  std::vector<Item> items;
  items.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    items.push_back(decode<Item>(json[i], reading, Place{&place, {}, i}));
  }
  return items;
}

template <class T>
T decode_struct(const Json& json, Reading reading, const Place& place) {
  if (!json.is_object()) place.refuse(ErrorCode::wrong_type);
  T value;
  std::size_t known = 0;
  if constexpr (Tagged<T>) known += json.contains(T::kTag.key) ? 1U : 0U;
  for_each_member<T>([&](std::string_view name, auto pointer) {
    using Member = std::remove_cvref_t<decltype(value.*pointer)>;
    const Place inner{&place, name, 0};
    const auto found = json.find(name);
    if (found == json.end()) {
      if constexpr (!kIsOptional<Member>) {
        if (reading != Reading::partial) inner.refuse(ErrorCode::missing_field);
      }
      return;
    }
    ++known;
    if constexpr (kIsOptional<Member>) {
      value.*pointer = decode<typename Member::value_type>(*found, reading, inner);
    } else {
      value.*pointer = decode<Member>(*found, reading, inner);
    }
  });
  if (reading != Reading::lenient && known != json.size()) {
    for (const auto& item : json.items()) {
      bool is_known = false;
      if constexpr (Tagged<T>) is_known = item.key() == T::kTag.key;
      for_each_member<T>([&](std::string_view name, auto) { is_known |= item.key() == name; });
      if (!is_known) Place{&place, item.key(), 0}.refuse(ErrorCode::unknown_field);
    }
  }
  return value;
}

template <class Variant>
Variant decode_variant(const Json& json, Reading reading, const Place& place) {
  if (!json.is_object()) place.refuse(ErrorCode::wrong_type);
  constexpr std::string_view kKey = std::variant_alternative_t<0, Variant>::kTag.key;
  const Place inner{&place, kKey, 0};
  const auto found = json.find(kKey);
  if (found == json.end()) inner.refuse(ErrorCode::missing_field);
  if (!found->is_string()) inner.refuse(ErrorCode::wrong_type);
  const auto& word = found->get_ref<const std::string&>();
  std::optional<Variant> value;
  boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<Variant>>>([&](auto index) {
    using Alternative = std::variant_alternative_t<index, Variant>;
    static_assert(Alternative::kTag.key == kKey, "one variant, one tag key");
    if (word == Alternative::kTag.word) {
      value = decode_struct<Alternative>(json, reading, place);
    }
  });
  if (!value) inner.refuse(ErrorCode::unknown_type);
  return *std::move(value);
}

template <class E>
Counts<E> decode_counts(const Json& json, const Place& place) {
  if (!json.is_object()) place.refuse(ErrorCode::wrong_type);
  Counts<E> counts;
  for (const auto& item : json.items()) {
    const Place inner{&place, item.key(), 0};
    const auto kind = enumerator_of<E>(item.key());
    if (!kind) inner.refuse(ErrorCode::unknown_field);
    counts[*kind] = static_cast<int>(decode_number(item.value(), INT32_MIN, INT32_MAX, inner));
  }
  return counts;
}

}  // namespace detail

/// The T that `json` holds; throws Malformed. Faces (Shown, Seen) cannot be read: nobody but a
/// Secret makes them.
template <class T>
T decode(const Json& json, Reading reading, const Place& place) {
  if constexpr (std::is_same_v<T, Raw>) {
    return Raw{json.dump()};
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) place.refuse(ErrorCode::wrong_type);
    return json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr auto kMax = static_cast<std::int64_t>(
        sizeof(T) == 8 ? INT64_MAX : static_cast<std::int64_t>(std::numeric_limits<T>::max()));
    return static_cast<T>(detail::decode_number(
        json, static_cast<std::int64_t>(std::numeric_limits<T>::min()), kMax, place));
  } else if constexpr (kIsInt<T>) {
    return T(detail::decode_number(json, T::kLowest, T::kHighest, place));
  } else if constexpr (kIsId<T>) {
    return T(static_cast<std::size_t>(detail::decode_number(
        json, 0, static_cast<std::int64_t>(std::numeric_limits<typename T::rep>::max()), place)));
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) place.refuse(ErrorCode::wrong_type);
    return json.get<std::string>();
  } else if constexpr (kIsText<T>) {
    if (!json.is_string()) place.refuse(ErrorCode::wrong_type);
    const auto& text = json.get_ref<const std::string&>();
    if (!T::fits(text)) place.refuse(ErrorCode::out_of_range);
    return T(text);
  } else if constexpr (kIsEnum<T>) {
    if (!json.is_string()) place.refuse(ErrorCode::wrong_type);
    const auto value = enumerator_of<T>(json.get_ref<const std::string&>());
    if (!value) place.refuse(ErrorCode::out_of_range);
    return *value;
  } else if constexpr (kIsVector<T>) {
    return detail::decode_items<typename T::value_type>(json, SIZE_MAX, reading, place);
  } else if constexpr (kIsList<T>) {
    T list;
    for (auto&& item :
         detail::decode_items<typename T::value_type>(json, T::kMaxSize, reading, place)) {
      list.push_back(std::move(item));
    }
    return list;
  } else if constexpr (kIsArray<T>) {
    T value{};
    const auto items =
        detail::decode_items<typename T::value_type>(json, value.size(), reading, place);
    if (items.size() != value.size()) place.refuse(ErrorCode::out_of_range);
    std::copy(items.begin(), items.end(), value.begin());
    return value;
  } else if constexpr (std::is_same_v<T, SeatSet>) {
    SeatSet seats;
    for (const auto seat :
         detail::decode_items<Int<0, kMaxSeats - 1>>(json, kMaxSeats, reading, place)) {
      seats.insert(Seat(static_cast<std::size_t>(static_cast<int>(seat))));
    }
    return seats;
  } else if constexpr (kIsCounts<T>) {
    return detail::decode_counts<typename T::Kind>(json, place);
  } else if constexpr (kIsVariant<T>) {
    return detail::decode_variant<T>(json, reading, place);
  } else {
    static_assert(kIsStruct<T>, "this type cannot be read");
    return detail::decode_struct<T>(json, reading, place);
  }
}

}  // namespace triquetra
