#include "server/store/postgres_format.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/errors.hpp"
#include "server/store/log_codec.hpp"

namespace triquetra::postgres {

namespace asio = boost::asio;

namespace {

/// Each is run once, in this order, and never changed. Tables are in a schema of their own, and
/// compared by bytes, whatever language the database speaks.
constexpr std::array kMigrations = {
    // `start` to `total` are the numbers of an event's records, which come in the place of all from
    // `start` on. Rows that others have replaced are emptied but stay: the key of a fence is never
    // free again. A room is what is known of its log without reading it; `seq` is the log's last
    // row when it was put away, of which the note tells, and `rung` the call that took its alarm.
    R"(
    CREATE TABLE triquetra.event (
      room text COLLATE "C" NOT NULL, seq bigint NOT NULL, epoch bigint NOT NULL,
      at timestamptz NOT NULL DEFAULT now(), start bigint NOT NULL, total bigint NOT NULL,
      data bytea NOT NULL, chain bytea NOT NULL, PRIMARY KEY (room, seq));
    CREATE TABLE triquetra.room (
      room text COLLATE "C" PRIMARY KEY, made timestamptz NOT NULL DEFAULT now(),
      entry text, keys text[] COLLATE "C" NOT NULL, asleep boolean NOT NULL,
      rested timestamptz, alarm timestamptz, seq bigint, note text, rung bigint);
    CREATE INDEX room_awake ON triquetra.room (made, room) WHERE NOT asleep;
    CREATE INDEX room_asleep ON triquetra.room (room) WHERE asleep;
    CREATE INDEX room_alarm ON triquetra.room (alarm) WHERE alarm IS NOT NULL;
    CREATE INDEX room_rung ON triquetra.room (rung) WHERE rung IS NOT NULL;
    CREATE INDEX room_keys ON triquetra.room USING gin (keys) WITH (fastupdate = off);
    CREATE TABLE triquetra.player (
      token_hash text COLLATE "C" PRIMARY KEY, id text NOT NULL, name text NOT NULL,
      seen timestamptz NOT NULL DEFAULT now());
    CREATE TABLE triquetra.settled (
      one boolean PRIMARY KEY CHECK (one), at timestamptz NOT NULL);
    )",
    // Servers that share the database: a lease each, by this database's clock.
    R"(
    CREATE TABLE triquetra.node (
      id bigint PRIMARY KEY, name text NOT NULL, address text NOT NULL,
      active timestamptz NOT NULL, expires timestamptz NOT NULL);
    )",
    // How new the logs are that a server reads, 0 from those that do not say it; and one-use codes.
    R"(
    ALTER TABLE triquetra.node ADD reads bigint NOT NULL DEFAULT 0;
    CREATE TABLE triquetra.device (
      id text COLLATE "C" PRIMARY KEY, code_hash text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL, until timestamptz NOT NULL, taken boolean NOT NULL);
    CREATE INDEX device_until ON triquetra.device (until);
    )",
    // Which room came of a request, whichever server was asked: there is never a second one.
    R"(
    CREATE TABLE triquetra.made (
      maker text COLLATE "C" NOT NULL, request text COLLATE "C" NOT NULL,
      room text COLLATE "C" NOT NULL, PRIMARY KEY (maker, request));
    CREATE INDEX made_room ON triquetra.made (room);
    )",
};

/// "TQTR", so that locks of other programs in the same database are none of ours.
/// A server that is alone keeps all others away, who share the place among themselves.
const Statement kLock{
    "lock", "SELECT CASE WHEN pg_try_advisory_lock(1414616146, 1) THEN 1::bigint ELSE 0 END", {}};
const Statement kSharedLock{"shared_lock",
                            R"(SELECT CASE WHEN pg_try_advisory_lock_shared(1414616146, 1)
                 THEN CASE WHEN pg_try_advisory_lock(1414616147, ($1)[1]::integer)
                           THEN 1::bigint ELSE 0 END
                 ELSE 0 END)",
                            {Type::number}};
const Statement kFormat{
    "format", "SELECT coalesce(max(number), 0)::bigint FROM triquetra.migration", {}};
const Statement kMigrated{
    "migrated", "INSERT INTO triquetra.migration (number) SELECT unnest($1)", {Type::number}};

constexpr const char* kPrepareMigration = R"(
  BEGIN;
  SELECT pg_advisory_xact_lock(1414616146, 2);
  CREATE SCHEMA IF NOT EXISTS triquetra;
  CREATE TABLE IF NOT EXISTS triquetra.migration (
    number bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
)";

/// What an append of one record at the beginning of a room's log has as columns; of the room
/// nothing is said, whose row would be a fence of its own.
Row first_row(const std::string& room) {
  return {room, as_number(0), as_number(0), as_number(0), as_number(1), "{}", "", "", "", "", ""};
}

/// Each by itself, so that what is wrong has a name. Within a transaction.
asio::awaitable<std::string> migrate(Connection& connection, std::int64_t format) {
  for (auto i = static_cast<std::size_t>(format); i < kMigrations.size(); ++i) {
    const Answer made = co_await connection.run_all(kMigrations[i]);
    if (!made.ok()) co_return made.why();
    const std::vector<Row> number = {{as_number(static_cast<std::int64_t>(i) + 1)}};
    const Answer noted = co_await connection.run(kMigrated, number);
    if (!noted.ok()) co_return noted.why();
  }
  const Answer ended = co_await connection.run_all("COMMIT");
  co_return ended.why();
}

}  // namespace

const char* const kSettings = R"(
  SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 20000;
  SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off;
  SET max_parallel_workers_per_gather = 0;
)";

// `state` is what the room is from now on: '' as it was, 'awake', 'closed', or 'asleep' with a
// note. A room is put away by an append of nothing, so that who is fenced does not do it. A new
// room is fenced as well if another one has come of the same request.
const Statement kAppend{"append",
                        R"(WITH said AS (
         SELECT *, CASE WHEN known = 0 THEN nullif(entry, '')::json END AS fresh
         FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           AS a (room, epoch, known, start, total, data, state, entry, keys, note, alarm)),
       wanted AS (
         SELECT DISTINCT ON (maker, request) maker, request, room
         FROM (SELECT fresh->>'maker' AS maker, fresh->>'request' AS request, room FROM said) a
         WHERE maker <> '' AND request <> '' ORDER BY maker, request, room),
       claimed AS (
         INSERT INTO triquetra.made AS m (maker, request, room) SELECT * FROM wanted
         ON CONFLICT (maker, request) DO UPDATE SET room = excluded.room
           WHERE m.room = excluded.room
         RETURNING room),
       made AS (
         INSERT INTO triquetra.event (room, seq, epoch, start, total, data, chain)
         SELECT a.room, coalesce(last.seq + 1, 0), a.epoch, a.start, a.total, a.data,
                substr(sha256(coalesce(last.chain, convert_to(a.room, 'UTF8')) ||
                              convert_to('/' || coalesce(last.seq + 1, 0) || '/' || a.start || '/',
                                         'UTF8') || a.data), 1, 16)
         FROM said AS a
         LEFT JOIN LATERAL (SELECT seq, epoch, total, chain FROM triquetra.event
                            WHERE room = a.room ORDER BY seq DESC LIMIT 1) last ON true
         WHERE coalesce(last.total, 0) = a.known AND coalesce(last.epoch, 0) <= a.epoch AND
               (coalesce(a.fresh->>'maker', '') = '' OR a.fresh->>'request' = '' OR
                a.room = ANY(ARRAY(SELECT room FROM claimed)))
         ORDER BY a.room
         ON CONFLICT DO NOTHING RETURNING room, seq),
       listed AS (
         INSERT INTO triquetra.room AS r (room, entry, keys, asleep, rested)
         SELECT a.room, nullif(a.entry, ''), string_to_array(a.keys, E'\n'), a.state = 'closed',
                CASE a.state WHEN 'closed' THEN now() END
         FROM said AS a
         WHERE a.state IN ('awake', 'closed') AND a.room = ANY(ARRAY(SELECT room FROM made))
         ORDER BY a.room
         ON CONFLICT (room) DO UPDATE
           SET entry = excluded.entry, keys = excluded.keys, asleep = excluded.asleep,
               rested = excluded.rested, alarm = NULL, seq = NULL, note = NULL, rung = NULL
           WHERE excluded.entry IS NOT NULL),
       rested AS (
         UPDATE triquetra.room AS r
         SET asleep = true, rested = now(), note = a.note, rung = NULL,
             seq = (SELECT seq FROM made WHERE room = a.room),
             alarm = now() + nullif(a.alarm, '')::bigint * interval '1 millisecond'
         FROM said AS a
         WHERE a.state = 'asleep' AND a.room = ANY(ARRAY(SELECT room FROM made)) AND
               r.room = a.room)
       SELECT room FROM made)",
                        {Type::text, Type::number, Type::number, Type::number, Type::number,
                         Type::bytes, Type::text, Type::text, Type::text, Type::text, Type::text}};

const Statement kEmptyReplaced{"empty_replaced",
                               R"(UPDATE triquetra.event AS old SET data = ''
       FROM unnest($1, $2) AS a (room, start)
       WHERE old.room = a.room AND old.start >= a.start AND old.data <> '' AND
             old.seq < (SELECT max(seq) FROM triquetra.event
                        WHERE room = a.room AND start = a.start))",
                               {Type::text, Type::number}};

// Rows of which nothing was replaced follow one another, after the last that was replaced in part
// or is a whole already: they become one, which PostgreSQL compresses, and stay as keys of the
// fence. What they say, when the last of it was written, and what is asleep stay as they were.
const Statement kFold{"fold",
                      R"(WITH log AS (
         SELECT *, min(start) OVER (PARTITION BY room ORDER BY seq DESC
                                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS later
         FROM triquetra.event WHERE room = ANY($1)),
       tail AS (
         SELECT log.* FROM log
         JOIN (SELECT room, coalesce(max(seq) FILTER (WHERE later > start AND later < total OR
                                                            length(data) >= 4096), -1) AS before
               FROM log WHERE later IS NULL OR later > start GROUP BY room) base
           ON base.room = log.room
         WHERE log.seq > base.before AND (later IS NULL OR later >= total)),
       folded AS (
         SELECT room, max(seq) + 1 AS seq, min(start) AS start, max(total) AS total,
                max(at) FILTER (WHERE data <> '') AS at,
                string_agg(data, '\x0a'::bytea ORDER BY seq) FILTER (WHERE data <> '') AS data
         FROM tail GROUP BY room HAVING count(*) FILTER (WHERE data <> '') >= 32),
       made AS (
         INSERT INTO triquetra.event (room, seq, epoch, at, start, total, data, chain)
         SELECT f.room, f.seq, last.epoch, f.at, f.start, f.total, f.data,
                substr(sha256(last.chain || convert_to('/' || f.seq || '/' || f.start || '/',
                                                       'UTF8') || f.data), 1, 16)
         FROM folded AS f JOIN tail AS last ON last.room = f.room AND last.seq = f.seq - 1
         ORDER BY f.room
         ON CONFLICT DO NOTHING RETURNING room, seq, start),
       rested AS (
         UPDATE triquetra.room AS r SET seq = made.seq FROM made
         WHERE r.room = made.room AND r.seq = made.seq - 1)
       UPDATE triquetra.event AS old SET data = '' FROM made
       WHERE old.room = made.room AND old.start >= made.start AND old.seq < made.seq AND
             old.data <> '')",
                      {Type::text}};

const Statement kErase{"erase",
                       R"(WITH log AS (DELETE FROM triquetra.event WHERE room = ANY($1)),
            claim AS (DELETE FROM triquetra.made WHERE room = ANY($1))
       DELETE FROM triquetra.room WHERE room = ANY($1))",
                       {Type::text}};

const Statement kRing{"ring",
                      R"(WITH due AS (
         SELECT room, alarm FROM triquetra.room
         WHERE alarm <= now() OR rung = ($1)[1] ORDER BY alarm NULLS FIRST, room LIMIT ($2)[1]
         FOR UPDATE SKIP LOCKED),
       taken AS (
         UPDATE triquetra.room AS r SET asleep = false, alarm = NULL, rung = ($1)[1]
         FROM due WHERE r.room = due.room RETURNING r.room, due.alarm)
       SELECT taken.room, next.wait
       FROM (SELECT (SELECT greatest(0, ceil(extract(epoch FROM alarm - now()) * 1000))::bigint
                     FROM triquetra.room
                     WHERE alarm IS NOT NULL AND room NOT IN (SELECT room FROM due)
                     ORDER BY alarm LIMIT 1) AS wait) next
       LEFT JOIN taken ON true ORDER BY taken.alarm, taken.room)",
                      {Type::number, Type::number}};

const Statement kPutPlayer{"put_player",
                           R"(INSERT INTO triquetra.player (token_hash, id, name)
       SELECT * FROM unnest($1, $2, $3) AS a (token_hash, id, name) ORDER BY 1
       ON CONFLICT (token_hash) DO UPDATE
         SET id = excluded.id, name = excluded.name, seen = excluded.seen
       RETURNING token_hash)",
                           {Type::text, Type::text, Type::text}};

const Statement kSeePlayer{"see_player",
                           "UPDATE triquetra.player SET seen = now() WHERE token_hash = ANY($1)",
                           {Type::text}};

const Statement kForgetPlayers{
    "forget_players",
    R"(DELETE FROM triquetra.player USING unnest($1, $2) AS a (token_hash, seconds)
       WHERE player.token_hash = a.token_hash AND
             player.seen < now() - a.seconds * interval '1 second' AND
             NOT EXISTS (SELECT FROM triquetra.room WHERE keys @> ARRAY[player.id]))",
    {Type::text, Type::number}};

const Statement kPutDeviceCode{"put_device_code",
                               R"(WITH gone AS (
         DELETE FROM triquetra.device WHERE id IN (
           SELECT id FROM triquetra.device WHERE until < now() AND id <> ALL($1)
           LIMIT 100 FOR UPDATE SKIP LOCKED))
       INSERT INTO triquetra.device (id, code_hash, name, until, taken)
       SELECT a.id, a.code_hash, a.name, now() + a.time * interval '1 millisecond', false
       FROM unnest($1, $2, $3, $4) AS a (id, code_hash, name, time) ORDER BY 1
       ON CONFLICT (id) DO UPDATE
         SET code_hash = excluded.code_hash, name = excluded.name, until = excluded.until,
             taken = false)",
                               {Type::text, Type::text, Type::text, Type::number}};

const Statement kTakeDeviceCode{"take_device_code",
                                R"(UPDATE triquetra.device SET taken = true
       WHERE NOT taken AND id IN (SELECT id FROM triquetra.device
                                  WHERE code_hash = ANY($1) AND until > now()
                                  ORDER BY id FOR UPDATE)
       RETURNING code_hash, id, name)",
                                {Type::text}};

const Statement kGiveBackDeviceCode{"give_back_device_code",
                                    R"(UPDATE triquetra.device SET taken = false
       WHERE id IN (SELECT id FROM triquetra.device WHERE code_hash = ANY($1)
                    ORDER BY id FOR UPDATE))",
                                    {Type::text}};

const Statement kSettle{"settle",
                        R"(INSERT INTO triquetra.settled VALUES (true, now())
                           ON CONFLICT (one) DO UPDATE SET at = excluded.at)",
                        {}};

/// Whose lease had ended, or never was, owns rooms when all others have heard of it: they ask again
/// within a lease, or have stopped by then.
const Statement kRenew{"renew",
                       R"(WITH gone AS (
         DELETE FROM triquetra.node WHERE expires < now() - interval '1 hour' AND id <> ALL($1)),
       mine AS (
         INSERT INTO triquetra.node AS n (id, name, address, reads, active, expires)
         SELECT a.id, a.name, a.address, a.reads, now() + a.lease * interval '1 millisecond',
                now() + a.lease * interval '1 millisecond'
         FROM unnest($1, $2, $3, $4, $5) AS a (id, name, address, reads, lease)
         ON CONFLICT (id) DO UPDATE
           SET expires = excluded.expires, name = excluded.name, address = excluded.address,
               active = CASE WHEN n.expires < now() THEN excluded.active ELSE n.active END
         RETURNING n.id, n.name, n.address, n.reads, n.active, n.expires),
       live AS (
         SELECT * FROM mine UNION ALL
         SELECT id, name, address, reads, active, expires FROM triquetra.node
         WHERE expires > now() AND id <> ALL($1))
       SELECT id, address, greatest(0, ceil(extract(epoch FROM active - now()) * 1000))::bigint,
              ceil(extract(epoch FROM expires - now()) * 1000)::bigint, name, reads
       FROM live)",
                       {Type::number, Type::text, Type::text, Type::number, Type::number}};

const Statement kLeave{"leave", "DELETE FROM triquetra.node WHERE id = ANY($1)", {Type::number}};

const Statement kLog{
    "log",
    R"(SELECT e.seq, e.start, e.total, e.data, e.chain, extract(epoch FROM now() - e.at)::bigint,
              r.entry, r.asleep, r.seq, r.note,
              (extract(epoch FROM now() - r.rested) * 1000)::bigint, e.epoch
       FROM triquetra.event AS e LEFT JOIN triquetra.room AS r ON r.room = e.room AND e.seq = 0
       WHERE e.room = ANY($1) ORDER BY e.seq)",
    {Type::text}};

const Statement kRooms{"rooms",
                       R"(SELECT r.room, asleep.rooms
       FROM (SELECT count(*) AS rooms FROM triquetra.room WHERE asleep) asleep
       LEFT JOIN triquetra.room AS r ON NOT r.asleep ORDER BY r.made, r.room)",
                       {}};

const Statement kFindRooms{"find_rooms",
                           R"(SELECT room, entry FROM triquetra.room
       WHERE room = ($1)[1] OR keys @> $1 ORDER BY made DESC, room DESC LIMIT ($2)[1])",
                           {Type::text, Type::number}};

const Statement kSleepingRooms{
    "sleeping_rooms",
    R"(SELECT room, entry, (extract(epoch FROM now() - rested) * 1000)::bigint FROM triquetra.room
       WHERE asleep AND entry IS NOT NULL AND room > ($1)[1] ORDER BY room LIMIT ($2)[1])",
    {Type::text, Type::number}};

const Statement kFindPlayer{"find_player",
                            R"(SELECT id, name, extract(epoch FROM now() - seen)::bigint
       FROM triquetra.player WHERE token_hash = ANY($1))",
                            {Type::text}};

const Statement kSomePlayers{"some_players",
                             R"(SELECT token_hash, id, extract(epoch FROM now() - seen)::bigint,
              CASE WHEN EXISTS (SELECT FROM triquetra.room WHERE keys @> ARRAY[player.id])
                   THEN 1::bigint ELSE 0 END
       FROM triquetra.player
       WHERE token_hash > ($1)[1] ORDER BY token_hash LIMIT ($2)[1])",
                             {Type::text, Type::number}};

asio::awaitable<std::string> take_over(Connection& connection, bool may_change,
                                       std::uint32_t writer) {
  if (connection.encoding() != "UTF8") {
    throw StoreProblem("the database writes in " + connection.encoding() +
                       "; make one with ENCODING 'UTF8'");
  }
  const std::vector<Row> nothing;
  const Answer set = co_await connection.run_all(kSettings);
  if (!set.ok()) co_return set.why();
  const std::vector<Row> number_of_ours = {{as_number(writer)}};
  const Statement& is_free = writer == 0 ? kLock : kSharedLock;
  const std::vector<Row>& of_whom = writer == 0 ? nothing : number_of_ours;
  const Answer lock = co_await connection.run(is_free, of_whom);
  if (!lock.ok()) co_return lock.why();
  if (lock.number(0, 0) == 0) {
    co_return "another server uses this database, or a connection of ours has not ended there yet";
  }
  if (may_change) {
    const Answer begun = co_await connection.run_all(kPrepareMigration);
    if (!begun.ok()) co_return begun.why();
  }
  const Answer format = co_await connection.run(kFormat, nothing);
  if (!format.ok()) co_return format.why();
  const std::int64_t number = format.number(0, 0);
  const auto known = static_cast<std::int64_t>(kMigrations.size());
  if (number > known) {
    throw StoreProblem("the database has data of format " + std::to_string(number) +
                       ", and this program knows format " + std::to_string(known) +
                       "; use the version of Triquetra that wrote it");
  }
  if (may_change) {
    const std::string wrong = co_await migrate(connection, number);
    if (!wrong.empty()) co_return wrong;
  }
  const Answer settled = co_await connection.run(kSettle, nothing);
  co_return settled.why();
}

asio::awaitable<std::string> try_fence(Connection& one, Connection& other) {
  const std::vector<Row> row = {first_row("fence")};
  const Answer begun = co_await one.run_all("BEGIN");
  if (!begun.ok()) co_return begun.why();
  const Answer first = co_await one.run(kAppend, row);
  if (!first.ok()) co_return first.why();
  // It must wait for the first, which has not ended, and may not know yet that it comes too late.
  const Answer timed = co_await other.run_all("BEGIN; SET LOCAL lock_timeout = '20ms'");
  if (!timed.ok()) co_return timed.why();
  const Answer second = co_await other.run(kAppend, row);
  if (second.ended() == Answer::Ended::unknown) co_return second.why();
  const Answer third = co_await one.run(kAppend, row);
  if (!third.ok()) co_return third.why();
  // Nothing of it stays.
  const Answer undone = co_await other.run_all("ROLLBACK");
  if (!undone.ok()) co_return undone.why();
  const Answer left = co_await one.run_all("ROLLBACK");
  if (!left.ok()) co_return left.why();
  if (first.rows() != 1 || second.rows() != 0 || third.rows() != 0) {
    throw StoreProblem(
        "this database lets two writers have the same place in a log, so no game would be safe in "
        "it");
  }
  co_return "";
}

std::string row_chain(const std::string& before, std::uint64_t seq, std::int64_t start,
                      std::string_view data) {
  return chained(before, seq, std::to_string(start) + "/" + std::string(data));
}

std::optional<std::vector<LogText>> read_texts(const std::string& room, const Answer& rows) {
  std::string chain = room;
  std::vector<LogText> texts;  // none where a row was emptied
  for (int row = 0; row < rows.rows(); ++row) {
    const std::int64_t seq = row;
    const std::int64_t start = rows.number(row, 1);
    const std::int64_t total = rows.number(row, 2);
    std::string_view data = rows.bytes(row, 3);
    const std::string next(rows.bytes(row, 4));
    const auto known = static_cast<std::int64_t>(texts.size());
    if (rows.number(row, 0) != seq || start > known || start < 0 || total < start) return {};
    if (!data.empty() && row_chain(chain, static_cast<std::uint64_t>(seq), start, data) != next) {
      return {};
    }
    chain = next;
    texts.resize(static_cast<std::size_t>(start));
    if (data.empty()) texts.resize(static_cast<std::size_t>(total));
    while (!data.empty()) {
      const std::string_view text = data.substr(0, data.find('\n'));
      texts.push_back({text, rows.number(row, 5)});
      data.remove_prefix(std::min(data.size(), text.size() + 1));
    }
    if (static_cast<std::int64_t>(texts.size()) != total) return {};
  }
  const auto is_empty = [](const LogText& one) { return one.text.empty(); };
  if (std::any_of(texts.begin(), texts.end(), is_empty)) return {};
  return texts;
}

namespace {

LoadedLog read_records(const std::string& room, const Answer& rows) {
  const auto texts = read_texts(room, rows);
  if (!texts) return {LogState::damaged, {}, {}};
  LoadedLog loaded;
  // Of a row that says nothing, the room was put away there, or woken.
  if (!texts->empty()) {
    loaded.age = std::chrono::seconds(std::max<std::int64_t>(0, texts->back().time));
  }
  try {
    for (const LogText& one : *texts) loaded.records.push_back(read_log_text(one.text));
  } catch (const Malformed&) {
    // As it was written, and yet not for us.
    return {LogState::newer, {}, {}};
  }
  return loaded;
}

}  // namespace

LoadedLog read_log(const std::string& room, const Answer& rows) {
  LoadedLog loaded = read_records(room, rows);
  if (rows.rows() == 0) return loaded;
  loaded.epoch = static_cast<std::uint64_t>(rows.number(rows.rows() - 1, 11));
  loaded.entry = read_entry_text(rows.bytes(0, 6));
  loaded.in_use = rows.bytes(0, 7) != std::string_view("\1", 1);
  const bool has_note = !rows.bytes(0, 8).empty();
  if (has_note && rows.number(0, 8) == rows.rows() - 1) {
    const std::chrono::milliseconds since(std::max<std::int64_t>(0, rows.number(0, 10)));
    loaded.nap = Nap{std::string(rows.bytes(0, 9)), since};
  }
  return loaded;
}

}  // namespace triquetra::postgres
