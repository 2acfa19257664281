// JSON Schema (2020-12) of a described type, from the same reflection that writes and reads it.
// Objects are closed: this is exactly what we send and accept. opened() is what a reader should
// expect.
#pragma once

#include <string>
#include <string_view>

#include "protocol/json.hpp"
#include "protocol/reflect.hpp"

namespace triquetra {

template <class T>
Json schema_of();

namespace detail {

template <class Item>
Json schema_of_items(std::size_t max_size) {
  Json schema{{"type", "array"}, {"items", schema_of<Item>()}};
  if (max_size != SIZE_MAX) schema["maxItems"] = max_size;
  return schema;
}

template <class E>
Json schema_of_words() {
  Json words = Json::array();
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>(
      [&](auto enumerator) { words.push_back(enumerator.name); });
  return words;
}

template <class T>
struct Unwrapped {
  using type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = T;
};
template <class T>
struct Unwrapped<Shown<T>> {
  using type = T;
};
template <class T>
struct Unwrapped<Seen<T>> {
  using type = T;
};

template <class T>
Json schema_of_struct() {
  Json properties = Json::object();
  Json required = Json::array();
  if constexpr (Tagged<T>) {
    properties[std::string(T::kTag.key)] = Json{{"const", T::kTag.word}};
    required.push_back(T::kTag.key);
  }
  for_each_member<T>([&](std::string_view name, auto pointer) {
    using Member = std::remove_cvref_t<decltype(std::declval<T&>().*pointer)>;
    properties[std::string(name)] = schema_of<typename Unwrapped<Member>::type>();
    if constexpr (!kIsOptional<Member> && !kIsFace<Member>) required.push_back(name);
  });
  Json schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

template <class T>
struct VariantSchema;
template <class... T>
struct VariantSchema<std::variant<T...>> {
  static Json make() { return Json{{"oneOf", Json::array({schema_of<T>()...})}}; }
};

}  // namespace detail

/// The schema of T, without $schema and $id.
template <class T>
Json schema_of() {
  if constexpr (std::is_same_v<T, Raw>) {
    return Json::object();  // anything: the game says what
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_integral_v<T>) {
    return {{"type", "integer"}};
  } else if constexpr (kIsInt<T>) {
    return {{"type", "integer"}, {"minimum", T::kLowest}, {"maximum", T::kHighest}};
  } else if constexpr (std::is_same_v<T, Seat>) {
    return {{"type", "integer"}, {"minimum", 0}, {"maximum", kMaxSeats - 1}};
  } else if constexpr (kIsId<T>) {
    return {{"type", "integer"}, {"minimum", 0}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (kIsText<T>) {
    return {{"type", "string"}, {"maxLength", T::kMaxLength}};
  } else if constexpr (kIsEnum<T>) {
    return {{"type", "string"}, {"enum", detail::schema_of_words<T>()}};
  } else if constexpr (kIsVector<T>) {
    return detail::schema_of_items<typename detail::Unwrapped<typename T::value_type>::type>(
        SIZE_MAX);
  } else if constexpr (kIsList<T>) {
    return detail::schema_of_items<typename detail::Unwrapped<typename T::value_type>::type>(
        T::kMaxSize);
  } else if constexpr (kIsArray<T>) {
    Json schema = detail::schema_of_items<typename detail::Unwrapped<typename T::value_type>::type>(
        std::tuple_size_v<T>);
    schema["minItems"] = std::tuple_size_v<T>;
    return schema;
  } else if constexpr (std::is_same_v<T, SeatSet>) {
    return detail::schema_of_items<Seat>(kMaxSeats);
  } else if constexpr (kIsCounts<T>) {
    Json properties = Json::object();
    for (const auto& word : detail::schema_of_words<typename T::Kind>()) {
      properties[word.template get<std::string>()] = Json{{"type", "integer"}};
    }
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  } else if constexpr (kIsOptional<T> || kIsFace<T>) {
    return schema_of<typename detail::Unwrapped<T>::type>();
  } else if constexpr (kIsVariant<T>) {
    return detail::VariantSchema<T>::make();
  } else {
    return detail::schema_of_struct<T>();
  }
}

/// `schema` with every object open: for readers, who must pass over what they do not know.
Json opened(Json schema);

}  // namespace triquetra
