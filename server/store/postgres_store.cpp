#include "server/store/postgres_store.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "server/base/clock.hpp"
#include "server/base/random.hpp"
#include "server/store/log_codec.hpp"
#include "server/store/postgres_connection.hpp"
#include "server/store/postgres_format.hpp"

namespace triquetra {

namespace asio = boost::asio;
using postgres::Answer;
using postgres::as_number;

namespace {

/// A row that waits for the next statement of its kind.
struct RowToWrite {
  const postgres::Statement* statement;
  postgres::Row row;  // none for a statement without columns
  std::function<void(Kept)> done;
  std::function<void(const Answer&)> read{};  // before that, what has come back, if it is ok
};

/// What is read once all is written that was asked for before. `done` gets null if it cannot be
/// read now.
struct Look {
  const postgres::Statement* statement;
  postgres::Row row;
  std::function<void(const Answer*)> done;
  std::uint64_t after = 0;  // how many changes
};

}  // namespace

// -------------------------------------------------------------------------------------------------

/// Everything here but call() and waiting() runs on the one thread.
class PostgresStore::Worker {
 public:
  Worker(const Options& options, TellCommit tell_commit,
         std::function<void(const std::exception&)> fail)
      : url_(options.url),
        tell_commit_(std::move(tell_commit)),
        fail_(std::move(fail)),
        dice_(fresh_seed()),
        last_ring_(dice_.below(std::numeric_limits<std::uint32_t>::max())),
        work_(context_.get_executor()),
        writer_(context_, url_, options.patience),
        reader_(context_, url_, options.patience),
        renewer_(context_, url_,
                 std::min<std::chrono::milliseconds>(options.patience, limits::kLeaseTime)),
        writes_as_(options.writer),
        pause_(context_),
        to_read_(context_),
        give_up_at_(now() + options.start_patience) {
    // A Bug ends the process, as on every thread.
    const auto ended = [](const std::exception_ptr& bug) {
      if (bug) std::rethrow_exception(bug);
    };
    asio::co_spawn(context_, write(), ended);
    asio::co_spawn(context_, read(), ended);
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Worker() {
    asio::post(context_, [this] {
      is_ending_ = true;
      pause_.cancel();
      wake();
    });
    work_.reset();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs f(), which stands for so many calls, on the thread; false if too much waits there.
  template <class F>
  bool call(F f, std::size_t size = 1) {
    if (calls_.fetch_add(size) + size > limits::kStoreQueue) {
      calls_.fetch_sub(size);
      return false;
    }
    asio::post(context_, [this, f = std::move(f)]() mutable { f(*this); });
    return true;
  }
  /// The same for what is always taken.
  template <class F>
  void call_now(F f) {
    asio::post(context_, [this, f = std::move(f)]() mutable { f(*this); });
  }
  /// The same for a change that nobody has called for.
  template <class F>
  void call_later(F f) {
    calls_.fetch_add(1);
    call_now(std::move(f));
  }
  std::size_t waiting() const { return calls_.load(); }

  void change(RowToWrite change) {
    ++changes_asked_;
    changes_.push_back(std::move(change));
    if (is_lost()) return refuse_all();
    wake();
  }

  /// The same, of what nobody has called for.
  void change_too(RowToWrite change) {
    calls_.fetch_add(1);
    this->change(std::move(change));
  }

  /// Which alarms are due. What a call has taken whose end is not known, the next one takes again:
  /// nobody was told of it.
  void ring(std::size_t most, const std::function<void(std::optional<Rung>)>& done) {
    const std::int64_t number = std::exchange(lost_ring_, {}).value_or(last_ring_ + 1);
    last_ring_ = std::max(last_ring_, number);
    const auto rung = std::make_shared<Rung>();
    const auto read = [rung](const Answer& answer) {
      for (int row = 0; row < answer.rows(); ++row) {
        if (!answer.bytes(row, 0).empty()) rung->rooms.emplace_back(answer.bytes(row, 0));
      }
      if (answer.bytes(0, 1).empty()) return;
      rung->next = std::chrono::milliseconds(answer.number(0, 1));
    };
    const auto told = [this, number, rung, done](Kept kept) {
      if (kept != Kept::ok) lost_ring_ = number;
      done(kept == Kept::ok ? std::optional(std::move(*rung)) : std::nullopt);
    };
    const postgres::Row row = {as_number(number), as_number(static_cast<std::int64_t>(most))};
    change({&postgres::kRing, row, told, read});
  }

  /// The player of a device's code; a code whose taking has no certain end is given back.
  void take_device_code(const std::string& code_hash,
                        const std::function<void(FoundPlayer)>& done) {
    const auto found = std::make_shared<FoundPlayer>();
    const auto read = [found, code_hash](const Answer& answer) {
      for (int row = 0; row < answer.rows(); ++row) {
        if (answer.bytes(row, 0) != code_hash) continue;
        found->player =
            StoredPlayer{std::string(answer.bytes(row, 1)), std::string(answer.bytes(row, 2))};
      }
    };
    const auto told = [this, found, code_hash, done](Kept kept) {
      found->available = kept == Kept::ok;
      if (kept == Kept::unknown) keep_for_later(code_hash);
      done(*found);
    };
    change({&postgres::kTakeDeviceCode, {code_hash}, told, read});
  }
  void give_back_device_code(const std::string& code_hash) {
    change({&postgres::kGiveBackDeviceCode, {code_hash}, [this, code_hash](Kept kept) {
              if (kept != Kept::ok) keep_for_later(code_hash);
            }});
  }

  void look(Look look) {
    look.after = changes_asked_;
    looks_.push_back(std::move(look));
    wake();
  }

  using Nodes = std::optional<std::vector<LiveNode>>;
  /// One at a time; another one meanwhile cannot tell.
  void renew(const NodeClaim& claim, const std::function<void(Nodes)>& done) {
    if (stage_ == Stage::starting || std::exchange(is_renewing_, true)) return done(std::nullopt);
    asio::co_spawn(context_, renewed(claim),
                   [this, done](const std::exception_ptr& bug, Nodes nodes) {
                     if (bug) std::rethrow_exception(bug);
                     is_renewing_ = false;
                     done(std::move(nodes));
                   });
  }

 private:
  enum class Stage { starting, ready, lost };

  asio::awaitable<Nodes> renewed(NodeClaim claim) {
    if (!renewer_.is_open()) {
      const std::string wrong = co_await renewer_.open();
      if (!wrong.empty()) co_return std::nullopt;
      const Answer set = co_await renewer_.run_all(postgres::kSettings);
      if (!set.ok()) co_return std::nullopt;
    }
    postgres::Row row = {as_number(claim.id)};
    if (!claim.leaves) {
      const std::chrono::milliseconds lease = limits::kLeaseTime;
      row.insert(row.end(),
                 {claim.name, claim.address, as_number(claim.reads), as_number(lease.count())});
    }
    const postgres::Statement& what = claim.leaves ? postgres::kLeave : postgres::kRenew;
    const std::vector<postgres::Row> rows(1, row);
    const Answer answer = co_await renewer_.run(what, rows);
    // Whatever is wrong with the connection, the next one may work.
    if (!answer.ok()) {
      complain("cannot renew the lease: " + answer.why());
      renewer_.close();
      co_return std::nullopt;
    }
    std::vector<LiveNode> nodes;
    for (int i = 0; i < answer.rows(); ++i) {
      nodes.push_back({static_cast<std::uint32_t>(answer.number(i, 0)),
                       std::string(answer.bytes(i, 1)),
                       std::chrono::milliseconds(answer.number(i, 2)),
                       std::chrono::milliseconds(answer.number(i, 3)),
                       std::string(answer.bytes(i, 4)), answer.number(i, 5)});
    }
    co_return nodes;
  }

  /// Whoever asks now is told that it cannot be done, and does not wait.
  bool is_lost() const { return stage_ == Stage::lost; }

  void wake() {
    if (is_idle_) writer_.wake();
    to_read_.cancel();
  }

  asio::awaitable<void> write() {
    for (;;) {
      if (!writer_.is_open()) {
        co_await connect();
      } else if (!changes_.empty()) {
        co_await write_some();
      } else if (!is_ending_) {
        is_idle_ = true;
        co_await writer_.lost();
        is_idle_ = false;
        continue;
      }
      if (is_ending_ && (is_lost() || changes_.empty())) break;
    }
    refuse_all();
    has_ended_ = true;
    wake();
  }

  /// Until there is a connection over which it is certain what was kept over earlier ones.
  asio::awaitable<void> connect() {
    if (stage_ == Stage::ready) lose();
    auto pause = limits::kPostgresPause;
    for (;;) {
      const std::string wrong = co_await try_to_connect();
      if (wrong.empty()) break;
      writer_.close();
      complain("cannot use the database: " + wrong);
      if (stage_ == Stage::starting && now() > give_up_at_) give_up(StoreProblem(wrong));
      if (is_ending_) co_return lose();
      const auto half = static_cast<std::uint32_t>(pause.count() / 2);
      pause_.expires_after(std::chrono::milliseconds(half + dice_.below(half + 1)));
      pause = std::min(2 * pause, limits::kPostgresLongestPause);
      boost::system::error_code error;
      auto token = asio::redirect_error(asio::use_awaitable, error);
      co_await pause_.async_wait(token);
      if (is_ending_) co_return lose();
    }
    if (std::exchange(complained_, false)) spdlog::info("the database can be used again");
    if (stage_ == Stage::starting) spdlog::info("keeps rooms in {}", writer_.place());
    stage_ = Stage::ready;
    for (const std::string& code_hash : std::exchange(to_give_back_, {})) {
      calls_.fetch_add(1);
      give_back_device_code(code_hash);
    }
    wake();
  }

  /// Given back once the database can be used again.
  void keep_for_later(const std::string& code_hash) {
    if (to_give_back_.size() < limits::kDeviceCodes) to_give_back_.push_back(code_hash);
  }

  asio::awaitable<std::string> try_to_connect() {
    const bool is_first = stage_ == Stage::starting;
    try {
      std::string wrong = co_await writer_.open();
      if (wrong.empty()) wrong = co_await postgres::take_over(writer_, is_first, writes_as_);
      if (wrong.empty() && is_first) wrong = co_await open_reader();
      if (wrong.empty() && is_first) wrong = co_await postgres::try_fence(writer_, reader_);
      co_return wrong;
    } catch (const StoreProblem& problem) {
      if (is_first) give_up(problem);
      co_return problem.what();
    }
  }

  asio::awaitable<std::string> open_reader() {
    const std::string wrong = co_await reader_.open();
    if (!wrong.empty()) co_return wrong;
    const Answer set = co_await reader_.run_all(postgres::kSettings);
    co_return set.why();
  }

  void give_up(const StoreProblem& problem) {
    lose();
    is_ending_ = true;
    if (fail_) std::exchange(fail_, {})(problem);
  }

  void lose() {
    stage_ = Stage::lost;
    refuse_all();
    wake();
  }

  /// What waits was never sent.
  void refuse_all() {
    for (RowToWrite& change : std::exchange(changes_, {})) end(change, Kept::refused);
    to_read_.cancel();
  }

  void end(const RowToWrite& change, Kept kept) {
    ++changes_ended_;
    calls_.fetch_sub(1);
    if (change.done) change.done(kept);
  }

  /// The oldest changes that are of one kind, and each of another room, player or whatever stands
  /// first: with two of one room in a statement the second could land without the first.
  std::vector<RowToWrite> next_changes() {
    std::vector<RowToWrite> some;
    std::set<std::string> keys;
    while (!changes_.empty() && some.size() < limits::kStoreBatch) {
      RowToWrite& next = changes_.front();
      if (!some.empty() && next.statement != some.front().statement) break;
      if (!keys.insert(next.row.empty() ? "" : next.row.front()).second) break;
      some.push_back(std::move(next));
      changes_.pop_front();
    }
    return some;
  }

  asio::awaitable<void> write_some() {
    std::vector<RowToWrite> changes = next_changes();
    const postgres::Statement& statement = *changes.front().statement;
    std::vector<postgres::Row> rows;
    for (RowToWrite& change : changes) rows.push_back(std::move(change.row));
    const TimePoint start = now();
    const Answer answer = co_await writer_.run(statement, rows);
    if (!answer.ok()) complain("cannot write to the database: " + answer.why());
    // Before anybody hears of it: what is read next must tell what has become of it.
    if (answer.ended() == Answer::Ended::unknown) lose();
    std::set<std::string_view> made;
    for (int row = 0; row < answer.rows(); ++row) made.insert(answer.bytes(row, 0));
    const bool tells = &statement == &postgres::kAppend;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Kept kept = Kept::unknown;
      if (answer.ended() == Answer::Ended::refused) kept = Kept::refused;
      if (answer.ok()) kept = !tells || made.count(rows[i].front()) > 0 ? Kept::ok : Kept::fenced;
      if (answer.ok() && changes[i].read) changes[i].read(answer);
      end(changes[i], kept);
    }
    to_read_.cancel();
    if (!answer.ok()) co_return;
    if (std::exchange(complained_, false)) spdlog::info("the database can be written again");
    if (tells && tell_commit_) {
      tell_commit_(changes.size(),
                   std::chrono::duration_cast<std::chrono::microseconds>(now() - start));
    }
  }

  asio::awaitable<void> read() {
    while (!has_ended_ || !looks_.empty()) {
      const bool may_ask =
          stage_ == Stage::ready && !looks_.empty() && changes_ended_ >= looks_.front().after;
      if (may_ask) {
        co_await read_next();
      } else if (!looks_.empty() && (is_lost() || has_ended_)) {
        Look look = std::move(looks_.front());
        looks_.pop_front();
        end(look, nullptr);
      } else {
        to_read_.expires_at(TimePoint::max());
        boost::system::error_code error;
        auto token = asio::redirect_error(asio::use_awaitable, error);
        co_await to_read_.async_wait(token);
      }
    }
  }

  asio::awaitable<void> read_next() {
    const Look look = std::move(looks_.front());
    looks_.pop_front();
    const std::vector<postgres::Row> rows = {look.row};
    const bool was_open = reader_.is_open();
    // One that was open may have been cut off long ago, and another one works.
    for (int tries = was_open ? 2 : 1; tries > 0; --tries) {
      std::string wrong;
      if (!reader_.is_open()) wrong = co_await open_reader();
      if (wrong.empty()) {
        const Answer answer = co_await reader_.run(*look.statement, rows);
        if (answer.ok()) co_return end(look, &answer);
        wrong = answer.why();
      } else {
        reader_.close();
      }
      if (tries == 1) complain("cannot read from the database: " + wrong);
    }
    end(look, nullptr);
  }

  void end(const Look& look, const Answer* answer) {
    calls_.fetch_sub(1);
    look.done(answer);
  }

  void complain(const std::string& what) {
    if (!std::exchange(complained_, true)) spdlog::error("{}", what);
  }

  const postgres::Url url_;
  const TellCommit tell_commit_;
  std::function<void(const std::exception&)> fail_;
  Rng dice_;
  std::int64_t last_ring_;  // not one of an earlier process
  std::optional<std::int64_t> lost_ring_;
  std::atomic<std::size_t> calls_{0};
  std::deque<RowToWrite> changes_;
  std::deque<Look> looks_;
  std::vector<std::string> to_give_back_;  // codes of devices
  std::uint64_t changes_asked_ = 0;
  std::uint64_t changes_ended_ = 0;
  Stage stage_ = Stage::starting;
  bool is_idle_ = false;  // write() waits for something to do
  bool is_ending_ = false;
  bool has_ended_ = false;  // write() has
  bool complained_ = false;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  postgres::Connection writer_;
  postgres::Connection reader_;
  postgres::Connection renewer_;
  const std::uint32_t writes_as_;
  bool is_renewing_ = false;
  Timer pause_;
  Timer to_read_;
  const TimePoint give_up_at_;
  std::thread thread_;
};

/// What is written to a room's log, or about it, as a row, and who wants to know.
struct PostgresStore::Written {
  postgres::Row row;
  enum class Then { nothing, empty_replaced, fold } then;  // once it is kept
  std::function<void(Kept)> done;
  Kept kept = Kept::refused;
};

namespace {

std::string number(std::uint64_t value) { return as_number(static_cast<std::int64_t>(value)); }

postgres::Row row_of(const EventStore::Append& append) {
  std::string text;
  for (const Record& record : append.records) {
    if (!text.empty()) text += '\n';
    write_log_text(text, record);
  }
  std::string state;
  std::string entry;
  std::string keys;
  if (append.entry != nullptr) {
    state = append.entry->closed ? "closed" : "awake";
    entry = entry_text(*append.entry);
    for (const std::string& key : keys_of(*append.entry)) keys += (keys.empty() ? "" : "\n") + key;
  } else if (append.seq == 0) {
    state = "awake";
  }
  return {append.room,
          number(append.epoch),
          number(append.seq),
          number(append.from),
          number(append.from + append.records.size()),
          std::move(text),
          std::move(state),
          std::move(entry),
          std::move(keys),
          "",
          ""};
}

postgres::Row row_of(const EventStore::Rest& rest) {
  const std::string size = number(rest.seq);
  return {rest.room,
          number(rest.epoch),
          size,
          size,
          size,
          "",
          "asleep",
          "",
          "",
          rest.note,
          rest.alarm ? std::to_string(rest.alarm->count()) : ""};
}

}  // namespace

PostgresStore::PostgresStore(const Options& options, TellCommit tell_commit,
                             std::function<void(const std::exception&)> fail)
    : worker_(std::make_unique<Worker>(options, std::move(tell_commit), std::move(fail))),
      desks_(options.threads,
             [this](auto written, auto& thread) { hand_over(std::move(written), thread); }) {}

PostgresStore::~PostgresStore() { desks_.clear_all(); }

std::size_t PostgresStore::waiting() const { return worker_->waiting(); }

void PostgresStore::append(const Append& append, asio::io_context& thread,
                           std::function<void(Kept)> done) {
  desks_.put(append.room, thread,
             {row_of(append),
              append.from < append.seq ? Written::Then::empty_replaced : Written::Then::nothing,
              std::move(done)});
}

void PostgresStore::rest(const Rest& rest, asio::io_context& thread,
                         std::function<void(Kept)> done) {
  desks_.put(rest.room, thread, {row_of(rest), Written::Then::fold, std::move(done)});
}

void PostgresStore::hand_over(std::vector<Written> written, asio::io_context& rooms_thread) {
  struct Batch {
    std::vector<Written> all;
    std::size_t left;
  };
  const auto batch = std::make_shared<Batch>();
  batch->all = std::move(written);
  batch->left = batch->all.size();
  const auto answer = [batch, &rooms_thread] {
    asio::post(rooms_thread, [batch] {
      for (const Written& one : batch->all) one.done(one.kept);
    });
  };
  const auto wait = [batch, answer](Worker& worker) {
    for (Written& one : batch->all) {
      std::function<void()> then;
      if (one.then == Written::Then::empty_replaced) {
        then = [&worker, place = postgres::Row{one.row[0], one.row[3]}] {
          worker.change_too({&postgres::kEmptyReplaced, place, {}});
        };
      } else if (one.then == Written::Then::fold) {
        then = [&worker, room = postgres::Row{one.row[0]}] {
          worker.change_too({&postgres::kFold, room, {}});
        };
      }
      const auto done = [batch, answer, &one, then](Kept kept) {
        one.kept = kept;
        if (then && kept == Kept::ok) then();
        if (--batch->left == 0) answer();
      };
      worker.change({&postgres::kAppend, std::move(one.row), done});
    }
  };
  if (!worker_->call(wait, batch->left)) answer();
}

void PostgresStore::load(std::string room, std::function<void(LoadedLog)> done) {
  desks_.clear_beside(room);
  const auto read = [room, done](const Answer* answer) {
    done(answer != nullptr ? postgres::read_log(room, *answer)
                           : LoadedLog{LogState::unavailable, {}, {}});
  };
  if (!worker_->call([room, read](Worker& worker) {
        worker.look({&postgres::kLog, {room}, read});
      })) {
    read(nullptr);
  }
}

void PostgresStore::erase(std::string room) {
  desks_.clear_beside(room);
  worker_->call([room = std::move(room)](Worker& worker) {
    worker.change({&postgres::kErase, {room}, {}});
  });
}

void PostgresStore::ring(std::size_t most, std::function<void(std::optional<Rung>)> done) {
  if (!worker_->call([most, done](Worker& worker) { worker.ring(most, done); })) {
    done(std::nullopt);
  }
}

void PostgresStore::rooms(std::function<void(std::optional<KeptRooms>)> done) {
  const auto read = [done](const Answer* answer) {
    if (answer == nullptr) return done(std::nullopt);
    KeptRooms kept;
    kept.asleep = static_cast<std::size_t>(answer->number(0, 1));
    for (int row = 0; row < answer->rows(); ++row) {
      if (!answer->bytes(row, 0).empty()) kept.in_use.emplace_back(answer->bytes(row, 0));
    }
    done(std::move(kept));
  };
  if (!worker_->call([read](Worker& worker) { worker.look({&postgres::kRooms, {}, read}); })) {
    read(nullptr);
  }
}

void PostgresStore::find_rooms(std::string key,
                               std::function<void(std::optional<std::vector<RoomEntry>>)> done) {
  const auto read = [done](const Answer* answer) {
    if (answer == nullptr) return done(std::nullopt);
    std::vector<RoomEntry> found;
    for (int row = 0; row < answer->rows(); ++row) {
      RoomEntry bare;
      bare.room = answer->bytes(row, 0);
      found.push_back(read_entry_text(answer->bytes(row, 1)).value_or(std::move(bare)));
    }
    done(std::move(found));
  };
  const postgres::Row row = {std::move(key), number(limits::kFoundRooms)};
  if (!worker_->call([row, read](Worker& worker) {
        worker.look({&postgres::kFindRooms, row, read});
      })) {
    read(nullptr);
  }
}

void PostgresStore::sleeping_rooms(
    std::string after, std::function<void(std::optional<std::vector<SleepingRoom>>)> done) {
  const auto read = [done](const Answer* answer) {
    if (answer == nullptr) return done(std::nullopt);
    std::vector<SleepingRoom> some;
    for (int row = 0; row < answer->rows(); ++row) {
      auto entry = read_entry_text(answer->bytes(row, 1));
      const std::chrono::milliseconds since(std::max<std::int64_t>(0, answer->number(row, 2)));
      if (entry) some.push_back({*std::move(entry), since});
    }
    done(std::move(some));
  };
  const postgres::Row row = {std::move(after), number(limits::kFoundRooms)};
  if (!worker_->call([row, read](Worker& worker) {
        worker.look({&postgres::kSleepingRooms, row, read});
      })) {
    read(nullptr);
  }
}

void PostgresStore::put_player(std::string token_hash, StoredPlayer player,
                               std::function<void(Kept)> done) {
  const postgres::Row row = {std::move(token_hash), std::move(player.id), std::move(player.name)};
  if (!worker_->call([row, done](Worker& worker) {
        worker.change({&postgres::kPutPlayer, row, done});
      })) {
    done(Kept::refused);
  }
}

void PostgresStore::find_player(std::string token_hash, std::function<void(FoundPlayer)> done) {
  const auto find = [token_hash, done](Worker& worker) {
    const auto read = [&worker, token_hash, done](const Answer* answer) {
      FoundPlayer found;
      found.available = answer != nullptr;
      if (answer != nullptr && answer->rows() > 0) {
        found.player =
            StoredPlayer{std::string(answer->bytes(0, 0)), std::string(answer->bytes(0, 1))};
        if (std::chrono::seconds(answer->number(0, 2)) > limits::kSeenTime) {
          worker.change_too({&postgres::kSeePlayer, {token_hash}, {}});
        }
      }
      done(std::move(found));
    };
    worker.look({&postgres::kFindPlayer, {token_hash}, read});
  };
  if (!worker_->call(find)) done({false, std::nullopt});
}

void PostgresStore::put_device_code(std::string code_hash, StoredPlayer player,
                                    std::function<void(Kept)> done) {
  const std::chrono::milliseconds time = limits::kDeviceCodeTime;
  const postgres::Row row = {std::move(player.id), std::move(code_hash), std::move(player.name),
                             as_number(time.count())};
  if (!worker_->call([row, done](Worker& worker) {
        worker.change({&postgres::kPutDeviceCode, row, done});
      })) {
    done(Kept::refused);
  }
}

void PostgresStore::take_device_code(std::string code_hash, std::function<void(FoundPlayer)> done) {
  if (!worker_->call(
          [code_hash, done](Worker& worker) { worker.take_device_code(code_hash, done); })) {
    done({false, std::nullopt});
  }
}

void PostgresStore::give_back_device_code(std::string code_hash) {
  // Also when too much waits: it is not asked for again.
  worker_->call_later([code_hash = std::move(code_hash)](Worker& worker) {
    worker.give_back_device_code(code_hash);
  });
}

void PostgresStore::unseen_players(const std::string& after,
                                   const std::function<void(UnseenPlayers)>& done) {
  const auto read = [done](const Answer* answer) {
    UnseenPlayers unseen;
    const int rows = answer == nullptr ? 0 : answer->rows();
    for (int row = 0; row < rows; ++row) {
      if (std::chrono::seconds(answer->number(row, 2)) <= limits::kForgetPlayerTime) continue;
      if (answer->number(row, 3) != 0) continue;
      unseen.players.push_back(
          {std::string(answer->bytes(row, 0)), std::string(answer->bytes(row, 1))});
    }
    if (rows == static_cast<int>(limits::kForgetPlayers)) {
      unseen.next = answer->bytes(rows - 1, 0);
    }
    done(std::move(unseen));
  };
  const postgres::Row row = {after, number(limits::kForgetPlayers)};
  if (!worker_->call([row, read](Worker& worker) {
        worker.look({&postgres::kSomePlayers, row, read});
      })) {
    read(nullptr);
  }
}

void PostgresStore::forget_players(const std::vector<std::string>& token_hashes) {
  const std::chrono::seconds time = limits::kForgetPlayerTime;
  const auto forget = [token_hashes, age = as_number(time.count())](Worker& worker) {
    for (const std::string& token_hash : token_hashes) {
      worker.change({&postgres::kForgetPlayers, {token_hash, age}, {}});
    }
  };
  worker_->call(forget, token_hashes.size());
}

void PostgresStore::renew(const NodeClaim& claim,
                          const std::function<void(std::optional<std::vector<LiveNode>>)>& done) {
  // Also when too much waits: a lease that ends makes nothing better.
  worker_->call_now([claim, done](Worker& worker) { worker.renew(claim, done); });
}

void PostgresStore::probe(const std::function<void(Kept)>& done) {
  if (!worker_->call([done](Worker& worker) { worker.change({&postgres::kSettle, {}, done}); })) {
    done(Kept::refused);
  }
}

}  // namespace triquetra
