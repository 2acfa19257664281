#include "tests/told.hpp"

#include <utility>
#include <variant>

#include "protocol/catalog.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/match_record.hpp"

namespace triquetra {
namespace {

Json parsed(const std::string& text) { return parse_json(text, kTrustedJson); }

Json legal_of(const Table& table, Seat seat, bool hints) {
  Json list = Json::array();
  for (const LegalAct& act : table.legal(seat, hints)) list.push_back(parsed(encoded(act)));
  return list;
}

bool has_previews(const Json& legal) {
  for (const Json& act : legal) {
    if (act.contains("preview")) return true;
  }
  return false;
}

}  // namespace

MatchReplayed::MatchReplayed(std::string_view text) {
  const auto record = decode<MatchRecord>(parse_json(text, kTrustedJson), Reading::strict);
  match_ = record.match;
  secret_ = record.secret;
  seats_ = record.seats.size();
  const GameKind* game = find_game(record.game);
  ensure(game != nullptr, "a record of a game that this program lacks");
  tables_.push_back(game->lay_dealt(record.options.text, seats_, record.deal.text));
  for (const RecordedStep& step : record.steps) {
    if (step.lapsed) {
      tables_.push_back(tables_.back()->lapse(*step.lapsed));
      continue;
    }
    auto next = tables_.back()->act(step.seat.value(), step.action.value().text);
    ensure(std::holds_alternative<TablePointer>(next), "a recorded act that the rules forbid");
    tables_.push_back(std::get<TablePointer>(std::move(next)));
  }
}

std::optional<std::string> wrong_view(const Json& view, const Tables& tables, const Viewer& viewer,
                                      Rng& rng) {
  const auto rev = view.at("rev").get<std::size_t>();
  if (rev >= tables.size()) return "a view of what never happened";
  const auto differs = [&](const char* part) {
    return std::string(part) + " at revision " + std::to_string(rev) +
           " is not what this receiver may know: " + view.dump();
  };
  const Seat* seat = std::get_if<Seat>(&viewer);
  const TablePointer world = tables[rev]->imagined(viewer, rng);
  if (view.at("table") != parsed(world->table_view())) return differs("table");
  if (view.at("happened") != parsed(world->happened())) return differs("happened");
  Json decisions = Json::array();
  for (const Decision& decision : world->decisions()) {
    decisions.push_back({decision.id.value, parsed(encoded(asked(decision).list()))});
  }
  Json shown = Json::array();
  for (const Json& decision : view.at("decisions")) {
    shown.push_back({decision.at("id"), decision.at("seats")});
  }
  if (shown != decisions) return differs("decisions");
  if (seat == nullptr) {
    for (const char* own : {"seat", "mine", "legal", "answer"}) {
      if (view.contains(own)) return differs(own);
    }
    return std::nullopt;
  }
  if (view.at("seat") != seat->index()) return differs("seat");
  if (view.at("mine") != parsed(world->seat_view(*seat))) return differs("mine");
  const Json& legal = view.at("legal");
  if (legal != legal_of(*world, *seat, has_previews(legal))) return differs("legal");
  const auto answer = world->answer(*seat);
  if (view.contains("answer") != answer.has_value()) return differs("answer");
  if (answer && view.at("answer") != parsed(*answer)) return differs("answer");
  return std::nullopt;
}

std::optional<std::string> wrong_pages(const Json& pages, const Tables& tables, Rng& rng) {
  for (const Json& page : pages) {
    const auto rev = page.at("rev").get<std::size_t>();
    if (rev == 0 || rev >= tables.size()) return "a page of what never happened";
    const TablePointer world = tables[rev]->imagined(Spectator{}, rng);
    if (page.at("happened") != parsed(world->happened())) {
      return "the history of revision " + std::to_string(rev) + " is not what everybody may know";
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_steps(const Json& steps, const Tables& tables, std::size_t seats) {
  for (const Json& step : steps) {
    const auto rev = step.at("rev").get<std::size_t>();
    if (rev >= tables.size()) return "a step of what never happened";
    const Table& table = *tables[rev];
    bool as_it_was = step.at("table") == parsed(table.table_view()) &&
                     step.at("happened") == parsed(table.happened()) &&
                     step.at("decisions") == parsed(encoded(shown(table.decisions()))) &&
                     step.at("seats").size() == seats;
    for (std::size_t seat = 0; as_it_was && seat < seats; ++seat) {
      as_it_was = step.at("seats").at(seat) == parsed(table.seat_view(Seat{seat}));
    }
    if (!as_it_was) return "the replay of revision " + std::to_string(rev) + " is not as it was";
  }
  return std::nullopt;
}

}  // namespace triquetra
