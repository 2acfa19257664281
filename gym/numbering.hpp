// Acts as numbers that stay the same from match to match: for policies whose output is a row of
// fixed length, and for masks. Read off the types, so that a new game has it for nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "gym/cells.hpp"

namespace triquetra::gym {

/// More values than can be told apart by a number of 64 bits.
inline constexpr std::uint64_t kCountless = std::numeric_limits<std::uint64_t>::max();

namespace detail {

constexpr std::uint64_t times(std::uint64_t one, std::uint64_t other) {
  if (one == 0 || other == 0) return 0;
  return one > kCountless / other ? kCountless : one * other;
}
constexpr std::uint64_t plus(std::uint64_t one, std::uint64_t other) {
  return one > kCountless - other ? kCountless : one + other;
}

}  // namespace detail

/// How many different values a type has.
template <class T>
constexpr std::uint64_t count_of();

namespace detail {

template <class T>
struct Sum;
template <class... T>
struct Sum<std::variant<T...>> {
  static constexpr std::uint64_t count() {
    std::uint64_t sum = 0;
    ((sum = plus(sum, count_of<T>())), ...);
    return sum;
  }
};

template <class T>
constexpr std::uint64_t count_of_members() {
  std::uint64_t product = 1;
  for_each_member<T>([&](std::string_view, auto pointer) {
    product = times(product, count_of<MemberOf<T, decltype(pointer)>>());
  });
  return product;
}

template <class T>
constexpr std::uint64_t count_of_lists() {
  std::uint64_t sum = 0, of_this_length = 1;
  for (std::size_t length = 0; length <= T::kMaxSize; ++length) {
    sum = plus(sum, of_this_length);
    of_this_length = times(of_this_length, count_of<typename T::value_type>());
  }
  return sum;
}

}  // namespace detail

template <class T>
constexpr std::uint64_t count_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return 2;
  } else if constexpr (kIsInt<T>) {
    return static_cast<std::uint64_t>(T::kHighest - T::kLowest) + 1;
  } else if constexpr (kIsEnum<T>) {
    return detail::words_of<T>();
  } else if constexpr (std::is_same_v<T, Seat>) {
    return kMaxSeats;
  } else if constexpr (kIsOptional<T>) {
    return detail::plus(1, count_of<detail::ValueOf<T>>());
  } else if constexpr (kIsList<T>) {
    return detail::count_of_lists<T>();
  } else if constexpr (kIsVariant<T>) {
    return detail::Sum<T>::count();
  } else {
    static_assert(kIsStruct<T>, "values of this type have no numbers");
    return detail::count_of_members<T>();
  }
}

/// The number of a value, from 0 to below count_of<T>(): equal values have the same, others not.
template <class T>
constexpr std::uint64_t number_of(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else if constexpr (kIsInt<T>) {
    return static_cast<std::uint64_t>(int{value} - T::kLowest);
  } else if constexpr (kIsEnum<T>) {
    std::uint64_t number = 0, place = 0;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
      if (enumerator.value == value) number = place;
      ++place;
    });
    return number;
  } else if constexpr (std::is_same_v<T, Seat>) {
    return value.index();
  } else if constexpr (kIsOptional<T>) {
    return value ? 1 + number_of(*value) : 0;
  } else if constexpr (kIsList<T>) {
    // The shorter ones come first.
    std::uint64_t number = 0, shorter = 0, of_this_length = 1;
    for (const auto& item : value) {
      shorter += of_this_length;
      of_this_length *= count_of<typename T::value_type>();
      number = number * count_of<typename T::value_type>() + number_of(item);
    }
    return shorter + number;
  } else if constexpr (kIsVariant<T>) {
    std::uint64_t number = 0;
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<T>>>([&](auto place) {
      if (place < value.index()) number += count_of<std::variant_alternative_t<place, T>>();
      if (const auto* held = std::get_if<place>(&value)) number += number_of(*held);
    });
    return number;
  } else {
    std::uint64_t number = 0;
    for_each_member<T>([&](std::string_view, auto pointer) {
      number =
          number * count_of<detail::MemberOf<T, decltype(pointer)>>() + number_of(value.*pointer);
    });
    return number;
  }
}

/// The value of a number. Before: it is below count_of<T>().
template <class T>
T value_of(std::uint64_t number) {
  ensure(number < count_of<T>(), "no value has this number");
  if constexpr (std::is_same_v<T, bool>) {
    return number == 1;
  } else if constexpr (kIsInt<T>) {
    return T(T::kLowest + static_cast<std::int64_t>(number));
  } else if constexpr (kIsEnum<T>) {
    T value{};
    std::uint64_t place = 0;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
      if (place == number) value = enumerator.value;
      ++place;
    });
    return value;
  } else if constexpr (std::is_same_v<T, Seat>) {
    return Seat{number};
  } else if constexpr (kIsOptional<T>) {
    if (number == 0) return std::nullopt;
    return value_of<detail::ValueOf<T>>(number - 1);
  } else if constexpr (kIsList<T>) {
    using Item = typename T::value_type;
    std::size_t length = 0;
    std::uint64_t of_this_length = 1;
    while (number >= of_this_length) {
      number -= of_this_length;
      of_this_length *= count_of<Item>();
      ++length;
    }
    T value;
    while (length-- > 0) {
      of_this_length /= count_of<Item>();
      value.push_back(value_of<Item>(number / of_this_length));
      number %= of_this_length;
    }
    return value;
  } else if constexpr (kIsVariant<T>) {
    std::optional<T> value;
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<T>>>([&](auto place) {
      using Alternative = std::variant_alternative_t<place, T>;
      if (value) return;
      if (number < count_of<Alternative>()) {
        value.emplace(value_of<Alternative>(number));
      } else {
        number -= count_of<Alternative>();
      }
    });
    return *value;
  } else {
    T value{};
    std::uint64_t left = count_of<T>();
    for_each_member<T>([&](std::string_view, auto pointer) {
      using Member = detail::MemberOf<T, decltype(pointer)>;
      left /= count_of<Member>();
      value.*pointer = value_of<Member>(number / left);
      number %= left;
    });
    return value;
  }
}

/// A game whose acts, as its types have them, are far more than its rules ever allow: it lists
/// those that could be legal in some state, each once.
template <class G>
concept ListsItsActs = requires {
  { G::every_act() } -> std::same_as<std::vector<typename G::Action>>;
};

/// The number of an act is 0 for none (a window is left to its clock), else from 1 on in the order
/// of its type: its alternative first, then member by member.
template <Game G>
class Numbering {
 public:
  using Action = typename G::Action;
  /// A mask has a byte for each.
  static constexpr std::uint64_t kMost = 65'536;

  static const Numbering& get() {
    static const Numbering kNumbering;
    return kNumbering;
  }
  /// None counted too.
  std::uint32_t size() const {
    if constexpr (ListsItsActs<G>) {
      return static_cast<std::uint32_t>(listed_.size() + 1);
    } else {
      return static_cast<std::uint32_t>(count_of<Action>() + 1);
    }
  }
  std::uint32_t number(const Action& action) const {
    const std::uint64_t own = number_of(action);
    if constexpr (!ListsItsActs<G>) return static_cast<std::uint32_t>(own + 1);
    const auto found = std::lower_bound(listed_.begin(), listed_.end(), own);
    ensure(found != listed_.end() && *found == own, "an act that every_act() does not list");
    return static_cast<std::uint32_t>(found - listed_.begin()) + 1;
  }
  /// Before: `number` is below size(), and not 0.
  Action act(std::uint32_t number) const {
    ensure(number != 0 && number < size(), "no act has this number");
    if constexpr (ListsItsActs<G>) return value_of<Action>(listed_[number - 1]);
    return value_of<Action>(number - 1);
  }

 private:
  Numbering() {
    if constexpr (ListsItsActs<G>) {
      for (const Action& action : G::every_act()) listed_.push_back(number_of(action));
      std::sort(listed_.begin(), listed_.end());
      ensure(std::adjacent_find(listed_.begin(), listed_.end()) == listed_.end(), "an act twice");
      ensure(listed_.size() < kMost, "more acts than a mask can have");
    } else {
      static_assert(count_of<Action>() < kMost, "too many acts by type: see ListsItsActs");
    }
  }
  std::vector<std::uint64_t> listed_;
};

}  // namespace triquetra::gym
