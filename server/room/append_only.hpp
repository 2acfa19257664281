// A list that grows at the end, shared by a room and the rooms that come after it: copying it is
// cheap, and an older room never sees what a later one has added.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace triquetra {

template <class T>
class AppendOnly {
 public:
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t index) const { return (*items_)[index]; }
  void push_back(T item) {
    // Another room has gone on from here, and its append was refused: leave that branch to it.
    if (items_->size() != size_) {
      items_ = std::make_shared<std::vector<T>>(
          items_->begin(), items_->begin() + static_cast<std::ptrdiff_t>(size_));
    }
    items_->push_back(std::move(item));
    ++size_;
  }
  auto begin() const { return items_->cbegin(); }
  auto end() const { return items_->cbegin() + static_cast<std::ptrdiff_t>(size_); }

 private:
  std::shared_ptr<std::vector<T>> items_ = std::make_shared<std::vector<T>>();
  std::size_t size_ = 0;
};

}  // namespace triquetra
