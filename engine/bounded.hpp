// Values whose limits are part of their type, so that a decoder can refuse what does not fit and a
// schema can say so: Int<0, 4>, Text<64>, List<T, 8>. Int and List need no heap, and can be copied
// as bytes where their elements can.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/ensure.hpp"

namespace triquetra {

namespace detail {

/// The smallest of the standard integers that holds both.
template <std::int64_t Lowest, std::int64_t Highest>
auto smallest_integer() {
  if constexpr (Lowest >= 0) {
    if constexpr (Highest <= UINT8_MAX)
      return std::uint8_t{};
    else if constexpr (Highest <= UINT16_MAX)
      return std::uint16_t{};
    else if constexpr (Highest <= UINT32_MAX)
      return std::uint32_t{};
    else
      return std::uint64_t{};
  } else {
    if constexpr (Lowest >= INT8_MIN && Highest <= INT8_MAX)
      return std::int8_t{};
    else if constexpr (Lowest >= INT16_MIN && Highest <= INT16_MAX)
      return std::int16_t{};
    else if constexpr (Lowest >= INT32_MIN && Highest <= INT32_MAX)
      return std::int32_t{};
    else
      return std::int64_t{};
  }
}

}  // namespace detail

/// A whole number between Lowest and Highest, both allowed.
template <std::int64_t Lowest, std::int64_t Highest>
class Int {
 public:
  static constexpr std::int64_t kLowest = Lowest;
  static constexpr std::int64_t kHighest = Highest;

  constexpr Int() = default;
  // Implicit on purpose: it is a number, and a number out of bounds is a Bug at once.
  constexpr Int(std::int64_t value)  // NOLINT(google-explicit-constructor)
      : value_(static_cast<Stored>(value)) {
    ensure(fits(value), "Int out of bounds");
  }
  static constexpr bool fits(std::int64_t value) { return value >= Lowest && value <= Highest; }
  constexpr operator int() const {  // NOLINT(google-explicit-constructor)
    static_assert(Lowest >= INT32_MIN && Highest <= INT32_MAX);
    return static_cast<int>(value_);
  }
  friend constexpr bool operator==(Int, Int) = default;
  friend constexpr auto operator<=>(Int, Int) = default;

 private:
  using Stored = decltype(detail::smallest_integer<Lowest, Highest>());
  Stored value_ = Lowest > 0 ? Lowest : (Highest < 0 ? Highest : 0);
};

/// UTF-8 text of at most MaxLength characters (code points).
template <std::size_t MaxLength>
class Text {
 public:
  static constexpr std::size_t kMaxLength = MaxLength;

  Text() = default;
  Text(std::string value) : value_(std::move(value)) {  // NOLINT(google-explicit-constructor)
    ensure(fits(value_), "Text too long");
  }
  Text(const char* value) : Text(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  static bool fits(std::string_view value) {
    std::size_t length = 0;
    for (const char byte : value) length += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    return length <= MaxLength;
  }
  const std::string& str() const { return value_; }
  bool empty() const { return value_.empty(); }
  friend bool operator==(const Text&, const Text&) = default;
  friend auto operator<=>(const Text&, const Text&) = default;

 private:
  std::string value_;
};

/// A list of at most MaxSize elements, held in place. What is out of bounds is a Bug.
template <class T, std::size_t MaxSize>
class List {
 public:
  using value_type = T;
  static constexpr std::size_t kMaxSize = MaxSize;

  constexpr List() = default;
  constexpr List(std::initializer_list<T> items) : List(std::span<const T>(items)) {}
  constexpr explicit List(std::span<const T> items) {
    for (const T& item : items) push_back(item);
  }

  constexpr void push_back(T item) {
    ensure(size_ < MaxSize, "List too long");
    items_[size_] = std::move(item);
    ++size_;
  }
  template <class... Arguments>
  constexpr T& emplace_back(Arguments&&... arguments) {
    push_back(T(std::forward<Arguments>(arguments)...));
    return back();
  }
  template <class Items>
  constexpr void append(const Items& items) {
    for (const T& item : items) push_back(item);
  }
  constexpr void pop_back() { resize(at_least_one() - 1); }
  /// Takes one element out; those behind it move up.
  constexpr void erase(std::size_t index) {
    ensure(index < size_, "no such element in a List");
    for (std::size_t i = index + 1; i < size_; ++i) items_[i - 1] = std::move(items_[i]);
    pop_back();
  }
  constexpr void clear() { resize(0); }
  constexpr void resize(std::size_t size) {
    ensure(size <= MaxSize, "List too long");
    // What is gone is given back, and what comes is new.
    if (size > size_ || !std::is_trivially_destructible_v<T>) {
      const std::size_t before = size_;
      for (std::size_t i = std::min(size, before); i < std::max(size, before); ++i) items_[i] = T{};
    }
    size_ = static_cast<Size>(size);
  }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::size_t index) {
    ensure(index < size_, "no such element in a List");
    return items_[index];
  }
  constexpr const T& operator[](std::size_t index) const {
    ensure(index < size_, "no such element in a List");
    return items_[index];
  }
  constexpr T& front() { return (*this)[0]; }
  constexpr const T& front() const { return (*this)[0]; }
  constexpr T& back() { return items_[at_least_one() - 1]; }
  constexpr const T& back() const { return items_[at_least_one() - 1]; }

  constexpr T* data() { return items_.data(); }
  constexpr const T* data() const { return items_.data(); }
  constexpr T* begin() { return data(); }
  constexpr T* end() { return data() + size_; }
  constexpr const T* begin() const { return data(); }
  constexpr const T* end() const { return data() + size_; }

  std::vector<T> to_vector() const { return std::vector<T>(begin(), end()); }
  friend constexpr bool operator==(const List& one, const List& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  }

 private:
  using Size = decltype(detail::smallest_integer<0, static_cast<std::int64_t>(MaxSize)>());
  constexpr std::size_t at_least_one() const {
    ensure(size_ > 0, "an empty List has no last element");
    return size_;
  }

  Size size_ = 0;
  std::array<T, MaxSize> items_{};
};

/// The same on the heap: for what is long and rarely full, and in no state.
template <class T, std::size_t MaxSize>
class LongList {
 public:
  using value_type = T;
  static constexpr std::size_t kMaxSize = MaxSize;

  void push_back(T item) {
    ensure(items_.size() < MaxSize, "LongList too long");
    items_.push_back(std::move(item));
  }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const T& operator[](std::size_t index) const { return items_.at(index); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  friend bool operator==(const LongList&, const LongList&) = default;

 private:
  std::vector<T> items_;
};

}  // namespace triquetra
