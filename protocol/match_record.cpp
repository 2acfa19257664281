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

/// What format 1 left open: the terms, and promises without what they promised.
std::optional<std::string> verify_terms(const MatchRecord& record) {
  if (record.format == 1) {
    const bool is_later = record.binding || record.called_off;
    return is_later ? std::optional("fields that its format does not have") : std::nullopt;
  }
  if (!record.called_off) return "the starts that were called off are missing";
  for (const RecordedSeat& seat : record.seats) {
    if (seat.entropy_hash && seat.entropy.empty()) return "an entropy was never opened";
  }
  if (record.binding != binding_of(record)) {
    return "game, options or seats are not those that the binding names";
  }
  return std::nullopt;
}

/// Times and who acted are told, not proven; but not every tale can be true.
std::optional<std::string> verify_told(const MatchRecord& record) {
  std::int64_t before_ms = 0;
  for (const RecordedStep& step : record.steps) {
    if (step.at_ms < 0) return "a time before the start";
    if (record.format == 1) continue;
    if (step.at_ms < before_ms) return "the times go back";
    before_ms = step.at_ms;
    if (step.lapsed) continue;
    if (!step.by) return "an act does not say who made it";
    const bool is_known = step.seat && step.seat->index() < record.seats.size();
    if (is_known && record.seats[step.seat->index()].level && step.by == ActedBy::player) {
      return "a player acts on the seat of a bot";
    }
  }
  return std::nullopt;
}

bool is_open_window(const Table& table, DecisionId id) {
  for (const Decision& decision : table.decisions()) {
    if (decision.id == id) return std::holds_alternative<Window>(decision.ask);
  }
  return false;
}

/// Null if the rules do not allow it, or if it is no step at all.
TablePointer replay_step(const TablePointer& table, const RecordedStep& step) {
  if (step.lapsed) {
    const bool is_act = step.seat || step.action || step.by;
    return !is_act && is_open_window(*table, *step.lapsed) ? table->lapse(*step.lapsed) : nullptr;
  }
  if (!step.seat || step.seat->index() >= kMaxSeats || !step.action) return nullptr;
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
  if (recorded(*result) != record.result) return "the result is another";
  return std::nullopt;
}

}  // namespace

std::string binding_of(const MatchRecord& record) {
  Json terms{{"game", record.game}, {"rules", record.rules}};
  terms["options"] = parse_json(record.options.text, kTrustedJson);
  terms["seats"] = Json::array();
  for (const RecordedSeat& seat : record.seats) {
    Json named = parse_json(encoded(seat), kTrustedJson);
    named.erase("entropy");
    terms["seats"].push_back(std::move(named));
  }
  terms["called_off"] = Json::array();
  for (const CalledOff& start : record.called_off.value_or(std::vector<CalledOff>{})) {
    terms["called_off"].push_back(parse_json(encoded(start), kTrustedJson));
  }
  const auto commitment = from_hex(record.commitment);
  const auto match = from_hex(record.match);
  ensure(commitment && match, "not hex");
  // The library writes keys in order and no spaces: the one way to write these terms.
  const auto digest = sha256_of_parts({"triquetra terms 1", *commitment, *match, terms.dump()});
  return to_hex(std::string(digest.begin(), digest.end()));
}

std::string unproven_in(std::int64_t format) {
  std::string always =
      "Told, not proven: at_ms, by, who sat at the keyboard, and, unless you compare commitment "
      "and binding with what the room showed before the deal, that this is the match you played.";
  if (format >= 2) return always;
  return always +
         " A record of format 1 has no binding: names, kind, level and options that the deal and "
         "the acts do not depend on are told as well, and an entropy may be missing to its hash.";
}

std::optional<std::string> verify_record(std::string_view text) {
  const auto record = decode<MatchRecord>(text, Reading::strict, kTrustedJson);
  const GameKind* game = find_game(record.game);
  if (record.format != 1 && record.format != 2) return "an unknown format";
  if (game == nullptr) return "an unknown game";
  if (record.rules != game->version)
    return "a version of the rules that this program does not have";
  if (const auto wrong = verify_shuffle(record)) return wrong;
  if (const auto wrong = verify_terms(record)) return wrong;
  if (const auto wrong = verify_told(record)) return wrong;
  try {
    return verify_play(record, *game);
  } catch (const Bug&) {
    // What a Bug says is for us: it names our sources.
    return "it cannot be played again by the rules";
  }
}

}  // namespace triquetra
