#include "server/store/sqlite_pages.hpp"

#include <array>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace triquetra::sqlite {
namespace {

// The first bytes of a page, by what it holds. Inner pages of a table have row numbers only.
constexpr std::uint8_t kTableLeaf = 0x0d;
constexpr std::uint8_t kIndexLeaf = 0x0a;
constexpr std::uint8_t kIndexInner = 0x02;

constexpr std::size_t kFileHeader = 100;
constexpr std::size_t kUsualPage = 4096;
// Far above any record of ours: whatever claims to be larger is none.
constexpr std::size_t kLargestRow = 1024 * 1024;

/// Bytes that are read one after the other; no answer beyond the end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}

  std::optional<std::string_view> take(std::size_t count) {
    if (count > left_.size()) return std::nullopt;
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  /// A number of so many bytes, the highest first.
  std::optional<std::uint64_t> number(std::size_t count) {
    const auto bytes = take(count);
    if (!bytes) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : *bytes) value = value << 8U | static_cast<std::uint8_t>(c);
    return value;
  }
  /// A number of 1 to 9 bytes, seven bits of each but the ninth.
  std::optional<std::uint64_t> varint() {
    constexpr int kLongest = 9;
    std::uint64_t value = 0;
    for (int i = 1; i <= kLongest; ++i) {
      const auto byte = number(1);
      if (!byte) return std::nullopt;
      if (i == kLongest) return value << 8U | *byte;
      value = value << 7U | (*byte & 0x7fU);
      if (*byte < 0x80) return value;
    }
    return std::nullopt;
  }
  bool is_empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

class Pages {
 public:
  explicit Pages(const std::string& file) : stream_(file, std::ios::binary) {
    stream_.seekg(0, std::ios::end);
    const auto size = static_cast<std::streamoff>(stream_.tellg());
    if (!stream_ || size < 0) throw std::runtime_error(file + " cannot be read");
    read_header(static_cast<std::size_t>(size));
    count_ = static_cast<std::size_t>(size) / size_;
  }

  std::size_t count() const { return count_; }
  /// Bytes of a page that SQLite uses.
  std::size_t usable() const { return usable_; }
  /// The n-th page, from 1; empty if there is none.
  std::string page(std::uint64_t number) {
    if (number < 1 || number > count_) return {};
    std::string bytes(size_, '\0');
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>((number - 1) * size_));
    stream_.read(bytes.data(), static_cast<std::streamsize>(size_));
    if (!stream_) return {};
    bytes.resize(usable_);
    return bytes;
  }

 private:
  /// The first page may be the damaged one: then pages are as SQLite makes them.
  void read_header(std::size_t size) {
    std::array<char, kFileHeader> header{};
    stream_.seekg(0);
    if (size < header.size() || !stream_.read(header.data(), header.size())) return;
    Bytes bytes({header.data(), header.size()});
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    if (bytes.take(kMagic.size()) != kMagic) return;
    const std::size_t wide = *bytes.number(2);
    const std::size_t page = wide == 1 ? 65536 : wide;
    bytes.take(2);
    const std::size_t reserved = *bytes.number(1);
    constexpr std::size_t kSmallest = 512;
    if (page < kSmallest || (page & (page - 1)) != 0 || page - reserved < kSmallest - 32) return;
    size_ = page;
    usable_ = page - reserved;
  }

  std::ifstream stream_;
  std::size_t size_ = kUsualPage;
  std::size_t usable_ = kUsualPage;
  std::size_t count_ = 0;
};

/// What a cell holds, with what stands on further pages.
std::optional<std::string> payload(Pages& pages, Bytes cell, std::size_t size, bool of_table) {
  const std::size_t usable = pages.usable();
  const std::size_t most = of_table ? usable - 35 : (usable - 12) * 64 / 255 - 23;
  const std::size_t least = (usable - 12) * 32 / 255 - 23;
  std::size_t here = size;
  if (size > most) {
    here = least + (size - least) % (usable - 4);
    if (here > most) here = least;
  }
  const auto first = cell.take(here);
  if (!first) return std::nullopt;
  std::string whole(*first);
  std::optional<std::uint64_t> next = here < size ? cell.number(4) : 0;
  // Each page has bytes of it, so this ends.
  while (whole.size() < size) {
    const std::string page = next ? pages.page(*next) : std::string();
    Bytes bytes(page);
    next = bytes.number(4);
    if (!next) return std::nullopt;
    whole += *bytes.take(std::min(size - whole.size(), page.size() - 4));
  }
  return whole;
}

/// One value, by the number that says what it is.
std::optional<Value> value(Bytes& body, std::uint64_t kind) {
  constexpr std::array<std::size_t, 7> kWidths = {0, 1, 2, 3, 4, 6, 8};
  if (kind == 0) return Value();
  if (kind < kWidths.size()) {
    const std::size_t width = kWidths.at(kind);
    const auto bits = body.number(width);
    if (!bits) return std::nullopt;
    // The sign is the highest bit of its own width.
    const std::size_t shift = 64 - 8 * width;
    return Value(static_cast<std::int64_t>(*bits << shift) >> shift);
  }
  if (kind == 8 || kind == 9) return Value(static_cast<std::int64_t>(kind - 8));
  if (kind < 12) return std::nullopt;  // a fraction, or reserved: no table of ours has one
  const auto bytes = body.take((kind - 12) / 2);
  if (!bytes) return std::nullopt;
  if (kind % 2 == 0) return Value(Blob{std::string(*bytes)});
  return Value(std::string(*bytes));
}

std::optional<Row> row(const std::string& record) {
  Bytes all(record);
  const auto size = all.varint();
  if (!size || *size > record.size()) return std::nullopt;
  Bytes kinds(std::string_view(record).substr(0, *size));
  Bytes body(std::string_view(record).substr(*size));
  kinds.varint();
  Row values;
  while (!kinds.is_empty()) {
    const auto kind = kinds.varint();
    auto one = kind ? value(body, *kind) : std::nullopt;
    if (!one) return std::nullopt;
    values.push_back(*std::move(one));
  }
  if (!body.is_empty()) return std::nullopt;
  return values;
}

}  // namespace

std::size_t each_row(const std::string& file, const std::function<void(const Row&)>& of_table,
                     const std::function<void(const Row&)>& of_index) {
  Pages pages(file);
  for (std::size_t number = 1; number <= pages.count(); ++number) {
    const std::string page = pages.page(number);
    if (page.empty()) continue;
    const std::size_t start = number == 1 ? kFileHeader : 0;
    Bytes header(std::string_view(page).substr(start));
    const auto type = static_cast<std::uint8_t>(*header.number(1));
    if (type != kTableLeaf && type != kIndexLeaf && type != kIndexInner) continue;
    header.take(2);
    const std::uint64_t cells = *header.number(2);
    header.take(type == kIndexInner ? 7 : 3);
    for (std::uint64_t i = 0; i < cells; ++i) {
      const auto at = header.number(2);
      if (!at) break;
      if (*at >= page.size()) continue;
      Bytes cell(std::string_view(page).substr(*at));
      if (type == kIndexInner) cell.take(4);
      const auto size = cell.varint();
      if (type == kTableLeaf) cell.varint();
      if (!size || *size > kLargestRow) continue;
      const auto record = payload(pages, cell, *size, type == kTableLeaf);
      const auto found = record ? row(*record) : std::nullopt;
      if (found) (type == kTableLeaf ? of_table : of_index)(*found);
    }
  }
  return pages.count();
}

}  // namespace triquetra::sqlite
