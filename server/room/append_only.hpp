// Lists and maps that only grow, shared by a room and the rooms that come after it: copying one is
// cheap, and an older room never sees what a later one has added.
#pragma once

#include <cstddef>
#include <map>
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

/// What once stands under a key stays there. Each item knows when it came, and whoever shares the
/// map sees those that came before its own end.
template <class Key, class T>
class AppendOnlyMap {
 public:
  std::size_t size() const { return size_; }
  /// Null if there is none.
  const T* find(const Key& key) const {
    const auto found = items_->find(key);
    const bool is_mine = found != items_->end() && found->second.number < size_;
    return is_mine ? &found->second.item : nullptr;
  }
  /// Does nothing if the key is there.
  void add(Key key, T item) {
    if (items_->size() != size_) leave_branch();
    items_->emplace(std::move(key), Numbered{size_, std::move(item)});
    size_ = items_->size();
  }

 private:
  struct Numbered {
    std::size_t number;
    T item;
  };
  /// As above: another room has gone on from here.
  void leave_branch() {
    auto mine = std::make_shared<std::map<Key, Numbered>>();
    for (const auto& [key, numbered] : *items_) {
      if (numbered.number < size_) mine->emplace_hint(mine->end(), key, numbered);
    }
    items_ = std::move(mine);
  }

  std::shared_ptr<std::map<Key, Numbered>> items_ = std::make_shared<std::map<Key, Numbered>>();
  std::size_t size_ = 0;
};

}  // namespace triquetra
