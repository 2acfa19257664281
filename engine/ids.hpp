// Names for numbers that must not be confused: seats above all, and the containers that seats
// index.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "engine/bounded.hpp"
#include "engine/ensure.hpp"

namespace triquetra {

/// An integer with a name of its own: no arithmetic, no conversion to another kind of id.
template <class Tag, class Rep = std::uint8_t>
struct Id {
  using rep = Rep;
  Rep value{};

  constexpr Id() = default;
  constexpr explicit Id(std::size_t number) : value(static_cast<Rep>(number)) {
    ensure(static_cast<std::size_t>(value) == number, "id out of bounds");
  }
  constexpr std::size_t index() const { return value; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

/// More than any of our games needs; every per-seat table is sized by it.
inline constexpr std::size_t kMaxSeats = 8;

/// A place at the table, counted from 0; clockwise is the next higher one.
using Seat = Id<struct SeatTag, std::uint8_t>;

namespace detail {
inline constexpr auto kSeats = [] {
  std::array<Seat, kMaxSeats> seats{};
  for (std::size_t i = 0; i < kMaxSeats; ++i) seats[i] = Seat{i};
  return seats;
}();
}  // namespace detail

/// All seats of a table, in order.
constexpr std::span<const Seat> seats_of(std::size_t seat_count) {
  ensure(seat_count <= kMaxSeats, "more seats than any table has");
  return {detail::kSeats.data(), seat_count};
}

/// The seat clockwise from `seat`.
constexpr Seat next_seat(Seat seat, std::size_t seat_count) {
  return Seat{(seat.index() + 1) % seat_count};
}

/// A set of seats, iterated in seat order.
class SeatSet {
 public:
  constexpr SeatSet() = default;
  constexpr SeatSet(std::initializer_list<Seat> seats) {
    for (const Seat seat : seats) insert(seat);
  }
  static constexpr SeatSet all(std::size_t seat_count) {
    SeatSet set;
    for (const Seat seat : seats_of(seat_count)) set.insert(seat);
    return set;
  }
  constexpr void insert(Seat seat) {
    ensure(seat.index() < kMaxSeats, "seat out of bounds");
    bits_ = static_cast<std::uint8_t>(bits_ | (1U << seat.index()));
  }
  constexpr void erase(Seat seat) {
    if (contains(seat)) bits_ = static_cast<std::uint8_t>(bits_ & ~(1U << seat.index()));
  }
  constexpr bool contains(Seat seat) const {
    return seat.index() < kMaxSeats && ((bits_ >> seat.index()) & 1U) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  /// The first one. Before: there is one.
  constexpr Seat front() const {
    ensure(!empty(), "no seat in this set");
    return Seat{static_cast<std::size_t>(std::countr_zero(bits_))};
  }
  constexpr List<Seat, kMaxSeats> list() const {
    List<Seat, kMaxSeats> seats;
    for (const Seat seat : seats_of(kMaxSeats)) {
      if (contains(seat)) seats.push_back(seat);
    }
    return seats;
  }
  friend constexpr bool operator==(SeatSet, SeatSet) = default;

 private:
  std::uint8_t bits_ = 0;
};

/// One T for each seat of a table of at most MostSeats, held in place.
template <class T, std::size_t MostSeats = kMaxSeats>
class SeatMap {
 public:
  SeatMap() = default;
  explicit SeatMap(std::size_t seat_count, const T& initial = T{}) {
    for (std::size_t i = 0; i < seat_count; ++i) items_.push_back(initial);
  }
  T& operator[](Seat seat) { return items_[seat.index()]; }
  const T& operator[](Seat seat) const { return items_[seat.index()]; }
  std::size_t size() const { return items_.size(); }
  bool has(Seat seat) const { return seat.index() < items_.size(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  friend bool operator==(const SeatMap&, const SeatMap&) = default;

 private:
  List<T, MostSeats> items_;
};

}  // namespace triquetra
