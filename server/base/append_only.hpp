// What only grows, shared by a room and the rooms that come after it: copying is cheap, and an
// older room never sees what a later one has added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ensure.hpp"

namespace triquetra {

/// A list of texts, held one behind the other.
class AppendOnlyTexts {
 public:
  std::size_t size() const { return size_; }
  /// Holds until the next push_back.
  std::string_view operator[](std::size_t index) const {
    ensure(index < size_, "no such text");
    const std::size_t begin = index == 0 ? 0 : items_->ends[index - 1];
    return std::string_view(items_->bytes).substr(begin, items_->ends[index] - begin);
  }
  void push_back(std::string_view text) {
    if (!items_ || items_->ends.size() != size_) leave_branch();
    std::string& bytes = items_->bytes;
    // By an eighth: a room has few of these, and memory for rooms is dearer than moving them.
    const std::size_t wanted = bytes.size() + text.size();
    if (wanted > bytes.capacity()) bytes.reserve(wanted + std::max(kLeastRoom, wanted / 8));
    bytes += text;
    items_->ends.push_back(static_cast<std::uint32_t>(bytes.size()));
    ++size_;
  }

 private:
  static constexpr std::size_t kLeastRoom = 256;
  struct Items {
    std::string bytes;
    std::vector<std::uint32_t> ends;
  };
  /// Another room has gone on from here, and its append was refused: leave that branch to it.
  void leave_branch() {
    auto mine = std::make_shared<Items>();
    if (items_) {
      mine->ends.assign(items_->ends.begin(),
                        items_->ends.begin() + static_cast<std::ptrdiff_t>(size_));
      mine->bytes.assign(items_->bytes, 0, size_ == 0 ? 0 : mine->ends.back());
    }
    items_ = std::move(mine);
  }

  std::shared_ptr<Items> items_;
  std::size_t size_ = 0;
};

/// The newest of a list of texts: at least kLeast of them, or all, and at most twice as many.
class RecentTexts {
 public:
  static constexpr std::size_t kLeast = 6;
  /// Of the whole list.
  std::size_t size() const { return first_ + older_.size() + newer_.size(); }
  /// The number of the oldest that is still here.
  std::size_t first() const { return first_; }
  /// Holds until the next push_back. Before: first() <= index < size().
  std::string_view operator[](std::size_t index) const {
    ensure(index >= first_, "a text that is gone");
    const std::size_t at = index - first_;
    return at < older_.size() ? older_[at] : newer_[at - older_.size()];
  }
  void push_back(std::string_view text) {
    if (newer_.size() == kLeast) {
      first_ += older_.size();
      older_ = std::exchange(newer_, {});
    }
    newer_.push_back(text);
  }

 private:
  AppendOnlyTexts older_;
  AppendOnlyTexts newer_;
  std::size_t first_ = 0;
};

/// Items by keys that are spread as evenly as hashes are. What once stands under a key stays there.
/// Each item knows when it came; whoever shares the map sees those that came before its own end.
template <class T>
class AppendOnlyMap {
 public:
  using Key = std::uint64_t;
  std::size_t size() const { return size_; }
  /// Null if there is none. Holds until the next add().
  const T* find(Key key) const {
    if (size_ == 0) return nullptr;
    const std::size_t number = items_->slots[slot_of(*items_, key)];
    return number != 0 && number <= size_ ? &items_->list[number - 1].second : nullptr;
  }
  /// Does nothing if the key is there.
  void add(Key key, T item) {
    if (find(key) != nullptr) return;
    if (!items_ || items_->list.size() != size_) leave_branch();
    // Less than half of the slots are taken: a search ends soon.
    if (2 * (size_ + 1) > items_->slots.size()) spread(*items_);
    auto& list = items_->list;
    if (list.size() == list.capacity()) list.reserve(list.size() + std::max(kLeastRoom, size_ / 8));
    list.emplace_back(key, std::move(item));
    items_->slots[slot_of(*items_, key)] = static_cast<std::uint32_t>(++size_);
  }

 private:
  static constexpr std::size_t kLeastSlots = 16;
  static constexpr std::size_t kLeastRoom = 16;
  struct Items {
    std::vector<std::pair<Key, T>> list;
    // Numbers in the list, counted from 1; a power of two of them.
    std::vector<std::uint32_t> slots;
  };
  /// Where the key stands, or would.
  static std::size_t slot_of(const Items& items, Key key) {
    const std::size_t mask = items.slots.size() - 1;
    std::size_t slot = key & mask;
    while (items.slots[slot] != 0 && items.list[items.slots[slot] - 1].first != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  static void spread(Items& items) {
    items.slots.assign(std::max(kLeastSlots, 2 * items.slots.size()), 0);
    for (std::size_t i = 0; i < items.list.size(); ++i) {
      items.slots[slot_of(items, items.list[i].first)] = static_cast<std::uint32_t>(i + 1);
    }
  }
  /// As above: another room has gone on from here.
  void leave_branch() {
    auto mine = std::make_shared<Items>();
    if (items_) {
      mine->list.assign(items_->list.begin(),
                        items_->list.begin() + static_cast<std::ptrdiff_t>(size_));
      mine->slots.resize(items_->slots.size() / 2);
      spread(*mine);
    }
    items_ = std::move(mine);
  }

  std::shared_ptr<Items> items_;
  std::size_t size_ = 0;
};

}  // namespace triquetra
