// The gym as C functions (triquetra_gym.h): text and numbers in and out, and every exception as a
// text.
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gym/batch.hpp"
#include "gym/triquetra_gym.h"
#include "protocol/catalog.hpp"

/// What a C program holds.
struct TriquetraBatch {
  std::unique_ptr<triquetra::gym::Batch> batch;
};

namespace triquetra::gym {
namespace {

/// What was given back last, and what went wrong last, by thread.
thread_local std::string given;
thread_local std::string error;

/// What `work` gives, or `otherwise` if it fails; then `error` says why.
template <class Otherwise, class Work>
auto guarded(Otherwise otherwise, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Malformed& malformed) {
    error = "this text is not what it should be: " + std::string(word_of(malformed.code()));
    if (malformed.args().field) error += " at " + *malformed.args().field;
  } catch (const std::exception& exception) {
    error = exception.what();
  }
  return otherwise;
}

const char* give(std::string text) {
  given = std::move(text);
  return given.c_str();
}

template <class Work>
const char* text_of(const Work& work) {
  return guarded<const char*>(nullptr, [&]() -> const char* { return give(work()); });
}

template <class Work>
std::int32_t done(const Work& work) {
  return guarded<std::int32_t>(-1, [&]() -> std::int32_t {
    work();
    return 0;
  });
}

const GymKind& kind_of(const char* game) {
  for (const GymKind& kind : gym_catalog()) {
    if (kind.name == game) return kind;
  }
  throw Refused("no game has this name: " + std::string(game));
}

std::size_t counted(std::int32_t number) {
  if (number < 0) throw Refused("a number below 0");
  return static_cast<std::size_t>(number);
}

Seat seat_of(std::int32_t number) {
  if (number < 0 || static_cast<std::size_t>(number) >= kMaxSeats) throw Refused("no such seat");
  return Seat{static_cast<std::size_t>(number)};
}

BotLevel level_of(std::string_view word) {
  const auto level = enumerator_of<BotLevel>(word);
  if (!level) throw Refused("no bot has this level: " + std::string(word));
  return *level;
}

std::vector<std::string> words_of(const char* list) {
  const Json words = parse_json(list, kTrustedJson);
  if (!words.is_array()) throw Refused("not a list");
  std::vector<std::string> all;
  for (const Json& word : words) {
    if (!word.is_string()) throw Refused("not a list of words");
    all.push_back(word.get<std::string>());
  }
  return all;
}

Setting setting_of(const char* options, std::int32_t slots, const char* players, bool restarts) {
  Setting setting;
  setting.options = options;
  setting.slots = counted(slots);
  setting.restarts = restarts;
  for (const std::string& word : words_of(players)) {
    setting.players.push_back(word.empty() ? std::nullopt : std::optional(level_of(word)));
  }
  setting.seats = setting.players.size();
  return setting;
}

Rows rows_of(const TriquetraRows* rows) {
  if (rows == nullptr) return {};
  return {rows->observations, rows->masks, rows->seats, rows->rewards, rows->over};
}

std::string games() {
  Json all = Json::array();
  for (const GymKind& kind : gym_catalog()) {
    const GameKind& game = *find_game(kind.name);
    Json variants = Json::array();
    for (const std::string& options : game.variants()) {
      variants.push_back(parse_json(options, kTrustedJson));
    }
    all.push_back({{"game", kind.name},
                   {"rules", game.version},
                   {"min_seats", game.min_seats},
                   {"max_seats", game.max_seats},
                   {"variants", std::move(variants)},
                   {"cells", kind.cells},
                   {"acts", kind.acts()}});
  }
  return all.dump();
}

std::string layout(const GymKind& kind) {
  Json cells = Json::array();
  for (const Cell& cell : kind.layout()) {
    cells.push_back({cell.name, cell.lowest, cell.highest});
  }
  return cells.dump();
}

}  // namespace
}  // namespace triquetra::gym

namespace gym = triquetra::gym;

const char* triquetra_gym_error(void) { return gym::error.c_str(); }

const char* triquetra_gym_games(void) { return gym::text_of(gym::games); }

const char* triquetra_gym_layout(const char* game) {
  return gym::text_of([&] { return gym::layout(gym::kind_of(game)); });
}

const char* triquetra_gym_act(const char* game, std::int32_t number) {
  return gym::text_of([&] {
    const gym::GymKind& kind = gym::kind_of(game);
    const bool is_act = number > 0 && static_cast<std::uint32_t>(number) < kind.acts();
    if (!is_act) throw gym::Refused("no act has this number");
    return kind.act_text(static_cast<std::uint32_t>(number));
  });
}

std::int32_t triquetra_gym_number(const char* game, const char* act) {
  return gym::guarded<std::int32_t>(
      -1, [&] { return static_cast<std::int32_t>(gym::kind_of(game).act_number(act)); });
}

TriquetraBatch* triquetra_gym_make(const char* game, const char* options, std::int32_t slots,
                                   const char* players, std::int32_t restarts) {
  return gym::guarded<TriquetraBatch*>(nullptr, [&] {
    const gym::Setting setting = gym::setting_of(options, slots, players, restarts != 0);
    return new TriquetraBatch{gym::kind_of(game).make(setting)};
  });
}

void triquetra_gym_free(TriquetraBatch* batch) { delete batch; }

std::int32_t triquetra_gym_start(TriquetraBatch* batch, const char* seed,
                                 const TriquetraRows* rows) {
  return gym::done([&] { batch->batch->start(seed, gym::rows_of(rows)); });
}

std::int32_t triquetra_gym_step(TriquetraBatch* batch, const std::int32_t* acts, std::int32_t slots,
                                const TriquetraRows* rows) {
  return gym::done([&] { batch->batch->step({acts, gym::counted(slots)}, gym::rows_of(rows)); });
}

std::int32_t triquetra_gym_observe(const TriquetraBatch* batch, std::int32_t slot,
                                   std::int32_t seat, float* observation, std::uint8_t* mask) {
  return gym::done(
      [&] { batch->batch->observe(gym::counted(slot), gym::seat_of(seat), observation, mask); });
}

const char* triquetra_gym_view(const TriquetraBatch* batch, std::int32_t slot, std::int32_t seat) {
  return gym::text_of([&] { return batch->batch->view(gym::counted(slot), gym::seat_of(seat)); });
}

std::int32_t triquetra_gym_draw(TriquetraBatch* batch, std::int32_t* acts, std::int32_t slots) {
  return gym::done([&] { batch->batch->draw({acts, gym::counted(slots)}); });
}

std::int32_t triquetra_gym_choose(TriquetraBatch* batch, std::int32_t slot, const char* level) {
  return gym::guarded<std::int32_t>(-1, [&] {
    return static_cast<std::int32_t>(
        batch->batch->choose(gym::counted(slot), gym::level_of(level)));
  });
}

const char* triquetra_gym_result(const TriquetraBatch* batch, std::int32_t slot) {
  return gym::text_of([&] { return batch->batch->result(gym::counted(slot)); });
}

const char* triquetra_gym_record(const TriquetraBatch* batch, std::int32_t slot,
                                 const char* names) {
  return gym::text_of(
      [&] { return batch->batch->record(gym::counted(slot), gym::words_of(names)); });
}

std::int32_t triquetra_gym_copy(TriquetraBatch* batch, std::int32_t from, std::int32_t to) {
  return gym::done([&] { batch->batch->copy(gym::counted(from), gym::counted(to)); });
}

std::int32_t triquetra_gym_imagine(TriquetraBatch* batch, std::int32_t slot, std::int32_t seat,
                                   const char* seed) {
  return gym::done([&] { batch->batch->imagine(gym::counted(slot), gym::seat_of(seat), seed); });
}
