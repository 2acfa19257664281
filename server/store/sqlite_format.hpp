// What the SQLite file of a store looks like: whose it is, and its tables. Only the store and those
// that look after its file include this.
#pragma once

#include <string>

#include "server/store/sqlite.hpp"

namespace triquetra {

/// Whether a file says that it is Triquetra's, in a format that this program knows.
bool is_ours(sqlite::Database& database);
/// Throws StoreProblem if not, which says why.
void check_format(sqlite::Database& database, const std::string& file);
/// Makes the tables in an empty file. Before: within a transaction.
void make_tables(sqlite::Database& database);
/// Lists a room for each log, as if nothing else were known of it. Before: within a transaction,
/// and none is listed.
void list_rooms_anew(sqlite::Database& database);
/// Makes of what an earlier version has written what this one writes, to be called within a
/// transaction.
void bring_up_to_date(sqlite::Database& database);

}  // namespace triquetra
