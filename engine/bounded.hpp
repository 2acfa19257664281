// Values whose limits are part of their type, so that a decoder can refuse what does not fit and a
// schema can say so: Int<0, 4>, Text<64>, List<T, 8>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ensure.hpp"

namespace triquetra {

/// A whole number between Lowest and Highest, both allowed.
template <std::int64_t Lowest, std::int64_t Highest>
class Int {
 public:
  static constexpr std::int64_t kLowest = Lowest;
  static constexpr std::int64_t kHighest = Highest;

  constexpr Int() = default;
  // Implicit on purpose: it is a number, and a number out of bounds is a Bug at once.
  constexpr Int(std::int64_t value) : value_(value) {  // NOLINT(google-explicit-constructor)
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
  std::int64_t value_ = Lowest > 0 ? Lowest : (Highest < 0 ? Highest : 0);
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

/// A list of at most MaxSize elements.
template <class T, std::size_t MaxSize>
class List {
 public:
  using value_type = T;
  static constexpr std::size_t kMaxSize = MaxSize;

  List() = default;
  List(std::initializer_list<T> items) : List(std::vector<T>(items)) {}
  explicit List(std::vector<T> items) : items_(std::move(items)) {
    ensure(items_.size() <= MaxSize, "List too long");
  }
  void push_back(T item) {
    ensure(items_.size() < MaxSize, "List too long");
    items_.push_back(std::move(item));
  }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  // A const_reference, for a vector<bool> has no bool to refer to.
  typename std::vector<T>::const_reference operator[](std::size_t index) const {
    return items_.at(index);
  }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  friend bool operator==(const List&, const List&) = default;

 private:
  std::vector<T> items_;
};

}  // namespace triquetra
