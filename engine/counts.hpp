// How many of each kind: a small table indexed by an enum. On the wire an object with words as
// keys,
// {"bear": 2, "owl": 1}; kinds with none are absent.
#pragma once

#include <boost/describe/enumerators.hpp>
#include <boost/mp11/list.hpp>

#include <array>
#include <cstddef>
#include <numeric>

namespace triquetra {

/// One whole number per enumerator of E, a described enum whose enumerators count up from 0.
template <class E>
class Counts {
 public:
  using Kind = E;
  static constexpr std::size_t kSize =
      boost::mp11::mp_size<boost::describe::describe_enumerators<E>>::value;

  int& operator[](E kind) { return numbers_.at(static_cast<std::size_t>(kind)); }
  int operator[](E kind) const { return numbers_.at(static_cast<std::size_t>(kind)); }
  int total() const { return std::accumulate(numbers_.begin(), numbers_.end(), 0); }
  friend bool operator==(const Counts&, const Counts&) = default;

 private:
  std::array<int, kSize> numbers_{};
};

}  // namespace triquetra
