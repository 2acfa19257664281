// The PostgreSQL side of moving a store. Nothing else runs meanwhile, so each statement is waited
// for; all is written in one transaction.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/limits.hpp"
#include "server/store/event_store.hpp"
#include "server/store/move.hpp"
#include "server/store/postgres_connection.hpp"
#include "server/store/postgres_format.hpp"

namespace triquetra::postgres {

namespace asio = boost::asio;

namespace {

/// A room without a row of its own has only its log.
const Statement kCodes{"moved_codes",
                       R"(SELECT log.room FROM (SELECT DISTINCT room FROM triquetra.event) AS log
       LEFT JOIN triquetra.room AS r USING (room) ORDER BY r.made NULLS FIRST, log.room)",
                       {}};

/// Its first columns are those of a log.
const Statement kRoom{"moved_room",
                      R"(SELECT e.seq, e.start, e.total, e.data, e.chain,
              (extract(epoch FROM e.at) * 1000)::bigint, r.entry,
              array_to_string(r.keys, E'\n'), r.asleep, r.seq, r.note,
              (extract(epoch FROM r.rested) * 1000)::bigint::text,
              (extract(epoch FROM r.alarm) * 1000)::bigint::text
       FROM triquetra.event AS e LEFT JOIN triquetra.room AS r ON r.room = e.room AND e.seq = 0
       WHERE e.room = ANY($1) ORDER BY e.seq)",
                      {Type::text}};

const Statement kPlayers{"moved_players",
                         R"(SELECT token_hash, id, name, (extract(epoch FROM seen) * 1000)::bigint
       FROM triquetra.player WHERE token_hash > ($1)[1] ORDER BY token_hash LIMIT ($2)[1])",
                         {Type::text, Type::number}};

const Statement kCount{"moved_count",
                       R"(SELECT CASE WHEN EXISTS (SELECT FROM triquetra.event) OR
                                  EXISTS (SELECT FROM triquetra.room) OR
                                  EXISTS (SELECT FROM triquetra.player)
                            THEN 1::bigint ELSE 0 END)",
                       {}};

const Statement kPutRecords{
    "move_records",
    R"(INSERT INTO triquetra.event (room, seq, epoch, at, start, total, data, chain)
       SELECT room, seq, 0, to_timestamp(at / 1000.0), seq, seq + 1, data, chain
       FROM unnest($1, $2, $3, $4, $5) AS a (room, seq, at, data, chain))",
    {Type::text, Type::number, Type::number, Type::bytes, Type::bytes}};

/// Only the order counts in which rooms were made.
const Statement kPutRooms{"move_rooms",
                          R"(INSERT INTO triquetra.room
         (room, made, entry, keys, asleep, rested, alarm, seq, note)
       SELECT room, now() + place * interval '1 microsecond', nullif(entry, ''),
              string_to_array(keys, E'\n'), asleep = 1,
              to_timestamp(nullif(rested, '')::bigint / 1000.0),
              to_timestamp(nullif(alarm, '')::bigint / 1000.0),
              nullif(seq, '')::bigint, CASE WHEN seq <> '' THEN note END
       FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
         AS a (room, place, entry, keys, asleep, rested, alarm, seq, note))",
                          {Type::text, Type::number, Type::text, Type::text, Type::number,
                           Type::text, Type::text, Type::text, Type::text}};

const Statement kPutPlayers{"move_players",
                            R"(INSERT INTO triquetra.player (token_hash, id, name, seen)
       SELECT token_hash, id, name, to_timestamp(seen / 1000.0)
       FROM unnest($1, $2, $3, $4) AS a (token_hash, id, name, seen))",
                            {Type::text, Type::text, Type::text, Type::number}};

std::string text_of(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "";
}

std::optional<std::int64_t> number_in(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return std::stoll(std::string(text));
}

/// A database that no server uses as long as this is open.
class OwnDatabase {
 public:
  OwnDatabase(const std::string& url, bool may_change)
      : url_(url), connection_(context_, url_, limits::kMoveAnswerTime) {
    refuse(wait(connection_.open()));
    constexpr std::uint32_t kAlone = 0;
    refuse(wait(take_over(connection_, may_change, kAlone)));
  }

  Answer run(const Statement& statement, const std::vector<Row>& rows = {}) {
    Answer answer = wait(connection_.run(statement, rows));
    if (!answer.ok()) refuse(answer.why());
    return answer;
  }
  void run_all(const char* sql) {
    const Answer answer = wait(connection_.run_all(sql));
    if (!answer.ok()) refuse(answer.why());
  }

 private:
  static void refuse(const std::string& why) {
    if (!why.empty()) throw StoreProblem("the database: " + why);
  }
  template <class Result>
  Result wait(asio::awaitable<Result> asked) {
    std::optional<Result> result;
    std::exception_ptr thrown;
    const auto run = [&]() -> asio::awaitable<void> {
      Result given = co_await std::move(asked);
      result.emplace(std::move(given));
    };
    asio::co_spawn(context_, run, [&](const std::exception_ptr& problem) { thrown = problem; });
    // Not until nothing is left to do: a deadline that is past use waits on.
    while (!result && !thrown) context_.run_one();
    if (thrown) std::rethrow_exception(thrown);
    return *std::move(result);
  }

  asio::io_context context_{1};
  Url url_;
  Connection connection_;
};

class PostgresSource final : public MoveSource {
 public:
  explicit PostgresSource(const std::string& url) : database_(url, false) {}

  void each_room(
      const std::function<void(std::optional<MovedRoom>, const std::string&)>& take) override {
    const Answer codes = database_.run(kCodes);
    for (int row = 0; row < codes.rows(); ++row) {
      const std::string room(codes.bytes(row, 0));
      take(read(room), room);
    }
  }

  void each_player(const std::function<void(MovedPlayer)>& take) override {
    std::string after;
    for (;;) {
      const Row from = {after, as_number(static_cast<std::int64_t>(limits::kStoreBatch))};
      const Answer some = database_.run(kPlayers, {from});
      for (int row = 0; row < some.rows(); ++row) {
        after = some.bytes(row, 0);
        take({after, std::string(some.bytes(row, 1)), std::string(some.bytes(row, 2)),
              some.number(row, 3)});
      }
      if (some.rows() == 0) return;
    }
  }

 private:
  std::optional<MovedRoom> read(const std::string& code) {
    const Answer rows = database_.run(kRoom, {{code}});
    const auto texts = read_texts(code, rows);
    if (!texts) return std::nullopt;
    MovedRoom room;
    room.room = code;
    for (const LogText& text : *texts) {
      room.log.push_back({std::string(text.text), text.time});
    }
    if (!rows.bytes(0, 6).empty()) room.entry = rows.bytes(0, 6);
    for (std::string_view keys = rows.bytes(0, 7); !keys.empty();) {
      const std::string_view key = keys.substr(0, keys.find('\n'));
      room.keys.emplace_back(key);
      keys.remove_prefix(std::min(keys.size(), key.size() + 1));
    }
    room.asleep = rows.bytes(0, 8) == std::string_view("\1", 1);
    const bool has_note = !rows.bytes(0, 9).empty() && rows.number(0, 9) == rows.rows() - 1;
    if (has_note) room.note = rows.bytes(0, 10);
    room.rested_ms = number_in(rows.bytes(0, 11));
    room.alarm_ms = number_in(rows.bytes(0, 12));
    return room;
  }

  OwnDatabase database_;
};

class PostgresTarget final : public MoveTarget {
 public:
  explicit PostgresTarget(const std::string& url) : database_(url, true) {
    database_.run_all("BEGIN");
    if (database_.run(kCount).number(0, 0) != 0) {
      throw StoreProblem("the database has rooms or players already; give an empty one");
    }
  }

  void put(const MovedRoom& room) override {
    std::string chain = room.room;
    for (std::size_t seq = 0; seq < room.log.size(); ++seq) {
      const auto place = static_cast<std::int64_t>(seq);
      const MovedRecord& record = room.log[seq];
      chain = row_chain(chain, seq, place, record.text);
      records_.push_back(
          {room.room, as_number(place), as_number(record.at_ms), record.text, chain});
      write(kPutRecords, records_, limits::kStoreBatch);
    }
    std::string keys;
    for (const std::string& key : room.keys) keys += (keys.empty() ? "" : "\n") + key;
    const std::string last = room.note ? std::to_string(room.log.size() - 1) : "";
    rooms_.push_back({room.room, as_number(place_++), room.entry.value_or(""), keys,
                      as_number(room.asleep ? 1 : 0), text_of(room.rested_ms),
                      text_of(room.alarm_ms), last, room.note.value_or("")});
    write(kPutRooms, rooms_, limits::kStoreBatch);
  }

  void put(const MovedPlayer& player) override {
    players_.push_back({player.token_hash, player.id, player.name, as_number(player.seen_ms)});
    write(kPutPlayers, players_, limits::kStoreBatch);
  }

  void keep() override {
    write(kPutRecords, records_, 1);
    write(kPutRooms, rooms_, 1);
    write(kPutPlayers, players_, 1);
    // Plans are made by what is known of the tables.
    database_.run_all("ANALYZE triquetra.event, triquetra.room, triquetra.player");
    database_.run_all("COMMIT");
  }

 private:
  /// What has been gathered, once there are so many.
  void write(const Statement& statement, std::vector<Row>& rows, std::size_t enough) {
    if (rows.size() >= enough) database_.run(statement, std::exchange(rows, {}));
  }

  OwnDatabase database_;
  std::int64_t place_ = 0;
  std::vector<Row> records_;
  std::vector<Row> rooms_;
  std::vector<Row> players_;
};

}  // namespace

}  // namespace triquetra::postgres

namespace triquetra {

std::unique_ptr<MoveSource> postgres_source(const std::string& url) {
  return std::make_unique<postgres::PostgresSource>(url);
}

std::unique_ptr<MoveTarget> postgres_target(const std::string& url) {
  return std::make_unique<postgres::PostgresTarget>(url);
}

}  // namespace triquetra
