// Rows out of the pages of an SQLite file that SQLite itself no longer reads: each page is looked
// at by itself, so one that is damaged costs what stood on it and nothing else. Nothing that the
// file says is believed before it is checked. (https://sqlite.org/fileformat2.html)
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace triquetra::sqlite {

struct Blob {
  std::string bytes;
};
using Value = std::variant<std::monostate, std::int64_t, std::string, Blob>;
using Row = std::vector<Value>;

/// Calls `of_table` with each row of a table with row numbers, and `of_index` with each of an index
/// or of a table without them, in the order of the pages. Rows that are not whole are left out.
/// Gives the number of pages. Throws std::runtime_error if the file cannot be read at all.
std::size_t each_row(const std::string& file, const std::function<void(const Row&)>& of_table,
                     const std::function<void(const Row&)>& of_index);

}  // namespace triquetra::sqlite
