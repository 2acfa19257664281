// A part that a room shares with the rooms before and after it until one of them changes it:
// copying is a pointer, and an older room never sees what a later one has changed.
#pragma once

#include <memory>
#include <utility>

namespace triquetra {

/// Whoever holds it holds a value. Lives on one thread, as its room does.
template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() : value_(std::make_shared<T>()) {}
  explicit CopyOnWrite(T value) : value_(std::make_shared<T>(std::move(value))) {}
  CopyOnWrite& operator=(T value) {
    value_ = std::make_shared<T>(std::move(value));
    return *this;
  }

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  /// Whether both are the one that nobody has changed since.
  bool is(const CopyOnWrite& other) const { return value_ == other.value_; }
  /// To change it: copied first if another room has it too. What was read before is what was; read
  /// again after.
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace triquetra
