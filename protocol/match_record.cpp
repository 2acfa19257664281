#include "protocol/match_record.hpp"

#include "protocol/catalog.hpp"
#include "protocol/fairness.hpp"
#include "protocol/wire.hpp"

namespace triquetra {
namespace {

std::optional<std::string> verify_shuffle(const MatchRecord& record) {
  if (commitment_of(record.secret) != record.commitment) {
    return "the secret does not match the commitment";
  }
  if (!from_hex(record.match)) return "the match id is not hex";
  for (const RecordedSeat& seat : record.seats) {
    if (!from_hex(seat.entropy)) return "an entropy is not hex";
    if (!seat.entropy.empty() && commitment_of(seat.entropy) != seat.entropy_hash) {
      return "an entropy does not match its hash";
    }
  }
  return std::nullopt;
}

TablePointer replay_step(const TablePointer& table, const RecordedStep& step) {
  if (step.lapsed) return table->lapse(*step.lapsed);
  if (!step.seat || !step.action) return nullptr;
  auto next = table->act(*step.seat, step.action->text);
  return std::holds_alternative<Fault>(next) ? nullptr : std::get<TablePointer>(next);
}

std::optional<std::string> verify_play(const MatchRecord& record, const GameKind& game) {
  std::vector<std::string> entropies;
  for (const RecordedSeat& seat : record.seats) entropies.push_back(seat.entropy);
  if (game.check(record.options.text, record.seats.size()))
    return "these seats cannot play this game";
  const TablePointer start = game.lay(record.options.text, record.seats.size(),
                                      seed_of(record.secret, record.match, entropies));
  TablePointer table = start;
  std::int64_t rev = 0;
  for (const RecordedStep& step : record.steps) {
    if (step.rev != ++rev) return "the revisions have a gap";
    table = replay_step(table, step);
    if (!table) return "revision " + std::to_string(rev) + " is not allowed by the rules";
  }
  if (parse_json(table->deal(*start), kTrustedJson) != parse_json(record.deal.text, kTrustedJson)) {
    return "the deal does not follow from the secret and the entropies";
  }
  const auto result = table->result();
  if (!result) return "the match does not end";
  if (RecordedResult{result->winners, result->scores} != record.result)
    return "the result is another";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> verify_record(std::string_view text) {
  const auto record = decode<MatchRecord>(parse_json(text, kTrustedJson), Reading::strict);
  const GameKind* game = find_game(record.game);
  if (record.format != 1) return "an unknown format";
  if (game == nullptr) return "an unknown game";
  if (record.rules != game->version)
    return "a version of the rules that this program does not have";
  if (const auto wrong = verify_shuffle(record)) return wrong;
  try {
    return verify_play(record, *game);
  } catch (const Bug& bug) {
    return std::string("it cannot be replayed: ") + bug.what();
  }
}

}  // namespace triquetra
