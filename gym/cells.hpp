// A value as a row of numbers of a fixed length: what a view becomes for whoever learns. Read off
// the types, so that a new game has it for nothing; docs/GYM.md tells the same in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/reflect.hpp"

namespace triquetra::gym {

/// One number of a row: what it is called, and what it may be. Of a choice between words or seats
/// each has a cell of its own, which is 1 or 0.
struct Cell {
  std::string name;
  std::int64_t lowest = 0;
  std::int64_t highest = 1;
};

template <class T>
constexpr std::size_t cells_of();

namespace detail {

template <class T>
using ValueOf = std::remove_cvref_t<decltype(*std::declval<const T&>())>;
template <class T>
using FaceOf = ValueOf<decltype(std::declval<const T&>().value())>;
template <class T, class Pointer>
using MemberOf = std::remove_cvref_t<decltype(std::declval<const T&>().*std::declval<Pointer>())>;

template <class E>
constexpr std::size_t words_of() {
  return boost::mp11::mp_size<boost::describe::describe_enumerators<E>>::value;
}

template <class T>
struct Alternatives;
template <class... T>
struct Alternatives<std::variant<T...>> {
  static constexpr std::size_t kCells = sizeof...(T) + (cells_of<T>() + ... + 0);
};

template <class T>
constexpr std::size_t cells_of_members() {
  std::size_t cells = 0;
  for_each_member<T>(
      [&](std::string_view, auto pointer) { cells += cells_of<MemberOf<T, decltype(pointer)>>(); });
  return cells;
}

template <class T>
constexpr bool kIsPlain = std::is_integral_v<T> || kIsInt<T> ||
                          (kIsId<T> && !std::is_same_v<T, Seat>);

}  // namespace detail

/// How many numbers a value of this type is, whatever it holds. Texts have none.
template <class T>
constexpr std::size_t cells_of() {
  if constexpr (detail::kIsPlain<T>) {
    return 1;
  } else if constexpr (kIsText<T> || std::is_same_v<T, std::string>) {
    return 0;
  } else if constexpr (kIsEnum<T>) {
    return detail::words_of<T>();
  } else if constexpr (std::is_same_v<T, Seat> || std::is_same_v<T, SeatSet>) {
    return kMaxSeats;
  } else if constexpr (kIsOptional<T>) {
    return 1 + cells_of<detail::ValueOf<T>>();
  } else if constexpr (kIsFace<T>) {
    return 1 + cells_of<detail::FaceOf<T>>();
  } else if constexpr (kIsList<T>) {
    return 1 + T::kMaxSize * cells_of<typename T::value_type>();
  } else if constexpr (kIsArray<T>) {
    return std::tuple_size_v<T> * cells_of<typename T::value_type>();
  } else if constexpr (kIsCounts<T>) {
    return T::kSize;
  } else if constexpr (kIsVariant<T>) {
    return detail::Alternatives<T>::kCells;
  } else {
    static_assert(kIsStruct<T>, "this type has no fixed number of cells");
    return detail::cells_of_members<T>();
  }
}

/// Writes a value over cells that are all 0: what is absent stays so. Before: `row` has
/// cells_of<T>() of them.
template <class T>
void write_cells(float* row, const T& value) {
  if constexpr (kIsId<T> && !std::is_same_v<T, Seat>) {
    *row = static_cast<float>(value.value);
  } else if constexpr (kIsInt<T>) {
    *row = static_cast<float>(int{value});
  } else if constexpr (std::is_integral_v<T>) {
    *row = static_cast<float>(value);
  } else if constexpr (cells_of<T>() == 0) {
    return;
  } else if constexpr (kIsEnum<T>) {
    std::size_t place = 0;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
      if (enumerator.value == value) row[place] = 1.0F;
      ++place;
    });
  } else if constexpr (std::is_same_v<T, Seat>) {
    ensure(value.index() < kMaxSeats, "a seat that no table has");
    row[value.index()] = 1.0F;
  } else if constexpr (std::is_same_v<T, SeatSet>) {
    for (const Seat seat : value.list()) row[seat.index()] = 1.0F;
  } else if constexpr (kIsOptional<T>) {
    if (!value) return;
    *row = 1.0F;
    write_cells(row + 1, *value);
  } else if constexpr (kIsFace<T>) {
    write_cells(row, value.value());
  } else if constexpr (kIsList<T> || kIsArray<T>) {
    if constexpr (kIsList<T>) *row++ = static_cast<float>(value.size());
    for (const auto& item : value) {
      write_cells(row, item);
      row += cells_of<typename T::value_type>();
    }
  } else if constexpr (kIsCounts<T>) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<typename T::Kind>>(
        [&](auto enumerator) { *row++ = static_cast<float>(value[enumerator.value]); });
  } else if constexpr (kIsVariant<T>) {
    row[value.index()] = 1.0F;
    row += std::variant_size_v<T>;
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<T>>>([&](auto place) {
      if (const auto* held = std::get_if<place>(&value)) write_cells(row, *held);
      row += cells_of<std::variant_alternative_t<place, T>>();
    });
  } else {
    for_each_member<T>([&](std::string_view, auto pointer) {
      write_cells(row, value.*pointer);
      row += cells_of<detail::MemberOf<T, decltype(pointer)>>();
    });
  }
}

/// Appends what each cell of a type is, in the order of write_cells(); `name` stands before all.
template <class T>
void describe_cells(std::vector<Cell>& cells, const std::string& name) {
  [[maybe_unused]] const auto inside = [&](const auto& part) {
    return name.empty() ? std::string(part) : name + "." + std::string(part);
  };
  if constexpr (std::is_same_v<T, bool>) {
    cells.push_back({name, 0, 1});
  } else if constexpr (kIsInt<T>) {
    cells.push_back({name, T::kLowest, T::kHighest});
  } else if constexpr (detail::kIsPlain<T>) {
    using Limits = std::numeric_limits<std::int32_t>;
    cells.push_back({name, std::is_signed_v<T> ? Limits::min() : 0, Limits::max()});
  } else if constexpr (cells_of<T>() == 0) {
    return;
  } else if constexpr (kIsEnum<T>) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>(
        [&](auto enumerator) { cells.push_back({name + "=" + enumerator.name}); });
  } else if constexpr (std::is_same_v<T, Seat> || std::is_same_v<T, SeatSet>) {
    for (std::size_t i = 0; i < kMaxSeats; ++i) cells.push_back({name + "=" + std::to_string(i)});
  } else if constexpr (kIsOptional<T>) {
    cells.push_back({name + "?"});
    describe_cells<detail::ValueOf<T>>(cells, name);
  } else if constexpr (kIsFace<T>) {
    cells.push_back({name + "?"});
    describe_cells<detail::FaceOf<T>>(cells, name);
  } else if constexpr (kIsList<T> || kIsArray<T>) {
    std::size_t size = 0;
    if constexpr (kIsList<T>) {
      size = T::kMaxSize;
      cells.push_back({name + "#", 0, static_cast<std::int64_t>(size)});
    } else {
      size = std::tuple_size_v<T>;
    }
    for (std::size_t i = 0; i < size; ++i) {
      describe_cells<typename T::value_type>(cells, name + "[" + std::to_string(i) + "]");
    }
  } else if constexpr (kIsCounts<T>) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<typename T::Kind>>(
        [&](auto enumerator) { describe_cells<int>(cells, inside(enumerator.name)); });
  } else if constexpr (kIsVariant<T>) {
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<T>>>(
        [&](auto place) { cells.push_back({name + "=" + std::to_string(place)}); });
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<T>>>([&](auto place) {
      describe_cells<std::variant_alternative_t<place, T>>(cells, inside(std::to_string(place)));
    });
  } else {
    for_each_member<T>([&](std::string_view member, auto pointer) {
      describe_cells<detail::MemberOf<T, decltype(pointer)>>(cells, inside(member));
    });
  }
}

}  // namespace triquetra::gym
