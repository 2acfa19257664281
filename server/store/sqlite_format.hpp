// What the SQLite file of a store looks like: whose it is, and its tables. Only the store and those
// that look after its file include this.
#pragma once

#include <string>

#include "server/store/sqlite.hpp"

namespace triquetra {

/// Whether a file says that it is Triquetra's, in the format that this program knows.
bool is_ours(sqlite::Database& database);
/// Throws StoreProblem if not, which says why.
void check_format(sqlite::Database& database, const std::string& file);
/// Makes the tables in an empty file. Before: within a transaction.
void make_tables(sqlite::Database& database);
/// Adds what later versions have in these tables, to be called within a transaction. Earlier ones
/// do not mind, so the format stays.
void add_columns(sqlite::Database& database);

}  // namespace triquetra
