// Who may see what. A face is a Secret; what travels to players is Shown (to everybody) or Seen (to
// one seat), and only a Secret can fill either. State and Secret have no codec, so sending one does
// not compile.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "engine/ids.hpp"

namespace triquetra {

struct Spectator {
  friend bool operator==(Spectator, Spectator) = default;
};
/// Somebody who looks: a spectator sees what is public, a seat also what is its own.
using Viewer = std::variant<Spectator, Seat>;

/// The permission to look with the eyes of one seat. View code gets one and cannot make another.
class Eye {
 public:
  Seat seat() const { return seat_; }

 private:
  explicit Eye(Seat seat) : seat_(seat) {}
  friend struct EyeMaker;
  Seat seat_;
};

/// For whoever sends a view to a seat, and for tests. The house rules forbid it to games.
struct EyeMaker {
  static Eye of(Seat seat) { return Eye{seat}; }
};

template <class T>
class Secret;

/// What everybody may know of a face: a value only if the face is public.
template <class T>
class Shown {
 public:
  Shown() = default;
  const std::optional<T>& value() const { return value_; }
  friend bool operator==(const Shown&, const Shown&) = default;

 private:
  explicit Shown(T value) : value_(std::move(value)) {}
  friend class Secret<T>;
  std::optional<T> value_;
};

/// What one seat may know of a face: a value only if the face was shown to that seat.
template <class T>
class Seen {
 public:
  Seen() = default;
  const std::optional<T>& value() const { return value_; }
  friend bool operator==(const Seen&, const Seen&) = default;

 private:
  explicit Seen(T value) : value_(std::move(value)) {}
  friend class Secret<T>;
  std::optional<T> value_;
};

/// A face and the seats that know it. At first nobody does.
template <class T>
class Secret {
 public:
  /// For the empty places of a List.
  Secret() = default;
  explicit Secret(T value) : value_(std::move(value)) {}

  /// The only door to a table view.
  Shown<T> shown() const { return is_public_ ? Shown<T>(value_) : Shown<T>(); }
  /// The only door to a seat view.
  Seen<T> seen_by(Eye eye) const { return visible_to(eye.seat()) ? Seen<T>(value_) : Seen<T>(); }
  /// For rules, which must know everything. The house rules forbid it in view.cpp and bot.cpp.
  const T& for_rules() const { return value_; }

  bool is_public() const { return is_public_; }
  bool visible_to(Viewer viewer) const {
    const Seat* seat = std::get_if<Seat>(&viewer);
    return is_public_ || (seat != nullptr && known_to_.contains(*seat));
  }

  /// Showing is a change of the state, and there is no way back.
  void show_to(Seat seat) { known_to_.insert(seat); }
  void show_to_all() { is_public_ = true; }

  /// Another face in the same place: for imagine() only.
  void replace(T value) { value_ = std::move(value); }

  friend bool operator==(const Secret&, const Secret&) = default;

 private:
  T value_{};
  SeatSet known_to_;
  bool is_public_ = false;
};

}  // namespace triquetra
