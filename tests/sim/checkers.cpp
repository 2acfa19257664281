#include "tests/sim/checkers.hpp"

#include <algorithm>
#include <utility>

#include "protocol/catalog.hpp"
#include "protocol/fairness.hpp"
#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/room/after.hpp"
#include "server/room/logged_match.hpp"
#include "server/room/room.hpp"
#include "tests/told.hpp"

namespace triquetra::sim {
namespace {

/// Whether the receiver's own half ends as the wire has it, with previews or without.
bool ends_well(const std::string& text, const Table& table, Seat seat, bool hints) {
  std::string end = R"(,"legal":)" + encoded(table.legal(seat, hints));
  if (const auto answer = table.answer(seat)) end += R"(,"answer":)" + *answer;
  return text.ends_with(end + "}");
}

}  // namespace

const MatchKept* Logs::match(const std::string& room, const std::string& match) {
  RoomKept& kept = rooms_[room];
  read(room, kept);
  for (const MatchKept& one : kept.matches) {
    if (one.match == match) return &one;
  }
  return nullptr;
}

std::size_t Logs::matches(const std::string& room) {
  RoomKept& kept = rooms_[room];
  read(room, kept);
  return kept.matches.size();
}

void Logs::read(const std::string& room, RoomKept& kept) {
  const std::vector<Record>& log = store_.log(room);
  for (; kept.read < log.size(); ++kept.read) {
    const Record& record = log[kept.read];
    if (const auto* created = std::get_if<RoomCreated>(&record)) kept.settings = *created;
    if (const auto* opened = std::get_if<MatchOpened>(&record)) {
      kept.matches.push_back({opened->match, opened->secret, kept.settings.hints, 0, {}, {}});
    } else if (const auto* starting = std::get_if<MatchStarting>(&record)) {
      if (starting->options) kept.settings.options = *starting->options;
    } else if (const auto* started = std::get_if<MatchStarted>(&record)) {
      MatchKept& match = kept.matches.back();
      const auto until = log.begin() + static_cast<std::ptrdiff_t>(kept.read) + 1;
      match.seats = started->entropies.size();
      match.players = Room::replayed({log.begin(), until}, now())->players();
      match.tables.push_back(find_game(kept.settings.game)
                                 ->lay(kept.settings.options, started->entropies.size(),
                                       seed_of(match.secret, match.match, started->entropies)));
    } else if (const auto* acted = std::get_if<Acted>(&record)) {
      auto& tables = kept.matches.back().tables;
      if (static_cast<std::size_t>(acted->rev) != tables.size()) {
        throw Wrong("the revisions of room " + room + " have a gap or stand twice");
      }
      tables.push_back(std::get<TablePointer>(tables.back()->act(acted->seat, acted->action)));
    } else if (const auto* lapsed = std::get_if<Lapsed>(&record)) {
      auto& tables = kept.matches.back().tables;
      tables.push_back(tables.back()->lapse(lapsed->decision));
    }
  }
}

std::string Checkers::player_of(const std::string& token_hash) const {
  const auto player = store_.player(token_hash);
  return player ? player->id : "";
}

void Checkers::hears(const std::string& token_hash, const std::string& text, const Json& frame) {
  const std::string type = frame.at("type");
  const std::string player = player_of(token_hash);
  if (!player.empty() && text.find(player) != std::string::npos) {
    throw Wrong("an inner id is told: " + text);
  }
  if (type == "room") {
    const std::string match_id = frame.at("match");
    const MatchKept* match = logs_.match(frame.at("room"), match_id);
    if (match == nullptr) throw Wrong("a match is shown that is not kept: " + text);
    if (frame.at("status") == "over") {
      secrets_.erase(match_id);
    } else {
      secrets_[match_id] = match->secret;
    }
  }
  if (type == "view") view(player, text, frame);
  if (type == "ok" && frame.contains("record")) {
    const std::string record = frame.at("record").dump();
    secrets_.erase(frame.at("record").at("match"));
    // The same bytes are as true as they were.
    std::string& known = records_[frame.at("record").at("match")];
    if (known != record) {
      if (const auto wrong = verify_record(record)) throw Wrong("a record is wrong: " + *wrong);
      known = record;
    }
  }
  for (const auto& [match, secret] : secrets_) {
    if (text.find(secret) != std::string::npos) throw Wrong("a secret is told: " + text);
  }
}

void Checkers::view(const std::string& player, const std::string& text, const Json& view) {
  ++views;
  const MatchKept* match = logs_.match(view.at("room"), view.at("match"));
  const auto rev = view.at("rev").get<std::size_t>();
  if (match == nullptr || rev >= match->tables.size()) {
    throw Wrong("shown, but not kept: " + text);
  }
  Viewer viewer = Spectator{};
  for (const auto& [who, seat] : match->players) {
    // Who has given the seat up since may watch.
    if (who == player && view.contains("seat")) viewer = seat;
  }
  if (!world_.chance(views_looked_at)) return;
  Rng rng(Seed{});
  for (std::uint32_t skip = world_.below(5); skip > 0; --skip) rng.next();
  if (const auto fault = wrong_view(view, match->tables, viewer, rng)) throw Wrong(*fault);
  const Seat* seat = std::get_if<Seat>(&viewer);
  if (seat != nullptr && !ends_well(text, *match->tables[rev], *seat, match->hints)) {
    throw Wrong("a half without the previews that the room says: " + text);
  }
}

void Checkers::answered(const Json& request, const Json& answer) {
  const std::string type = request.at("type");
  if (type != "history" && type != "replay") return;
  const MatchKept* match = logs_.match(request.at("room"), request.at("match"));
  if (match == nullptr) throw Wrong("told of a match that is not kept: " + request.dump());
  Rng rng(Seed{});
  std::optional<std::string> fault;
  if (type == "history") {
    fault = wrong_pages(answer.at("pages"), match->tables, rng);
  } else if (!match->is_over()) {
    fault = "a replay before the end: " + answer.dump();
  } else {
    fault = wrong_steps(answer.at("steps"), match->tables, match->seats);
  }
  if (fault) throw Wrong(*fault);
}

void Checkers::acknowledged(const std::string& token_hash, const std::string& room,
                            const std::string& id, std::int64_t rev) {
  ++acts;
  said_.push_back({room, id, player_of(token_hash), rev, {}, 0});
}

void Checkers::refused(const std::string& token_hash, const std::string& room,
                       const std::string& id, const std::string& code) {
  said_.push_back({room, id, player_of(token_hash), std::nullopt, code, logs_.matches(room)});
}

void Checkers::at_the_end() {
  for (const auto& [room, log] : store_.logs()) {
    check_acts(room, log);
    check_replay(room, log);
  }
}

void Checkers::check_acts(const std::string& room, const std::vector<Record>& log) {
  struct Kept {
    std::int64_t rev;
    std::size_t match;  // which of the room's, from 1
  };
  std::size_t matches = 0;
  std::map<std::pair<std::string, std::string>, Kept> kept;  // by player and id
  std::vector<PlayerAtTable> seated;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (std::holds_alternative<MatchStarted>(log[i])) {
      seated =
          Room::replayed({log.begin(), log.begin() + static_cast<std::ptrdiff_t>(i) + 1}, now())
              ->players();
    }
    if (std::holds_alternative<MatchOpened>(log[i])) ++matches;
    const auto* acted = std::get_if<Acted>(&log[i]);
    if (acted == nullptr || acted->id.empty()) continue;
    const auto who = std::find_if(seated.begin(), seated.end(),
                                  [&](const auto& entry) { return entry.seat == acted->seat; });
    if (who == seated.end()) throw Wrong("a person's act for an empty seat in room " + room);
    if (!kept.emplace(std::pair(who->player, acted->id), Kept{acted->rev, matches}).second) {
      throw Wrong("an act stands twice in the log of room " + room + ": " + acted->id);
    }
  }
  for (const Said& said : said_) {
    if (said.room != room) continue;
    const auto found = kept.find({said.player, said.id});
    if (said.rev && (found == kept.end() || found->second.rev != *said.rev)) {
      throw Wrong("an acknowledged act is not in the log of room " + room + ": " + said.id);
    }
    // Answers are known for the match that runs and the one before.
    const bool is_forgotten =
        found != kept.end() && said.code == "too_late" && said.matches > found->second.match + 1;
    if (!said.rev && found != kept.end() && !is_forgotten) {
      throw Wrong("an act that was refused (" + said.code + ") is in the log of room " + room +
                  ": " + said.id);
    }
  }
}

void Checkers::check_replay(const std::string& room, const std::vector<Record>& log) {
  if (log.empty()) return;
  const auto replayed = Room::replayed(log, now());
  std::size_t newer = 0;
  for (auto record = log.rbegin(); record != log.rend(); ++record) {
    const auto* opened = std::get_if<MatchOpened>(&*record);
    if (opened == nullptr) continue;
    const MatchKept* match = logs_.match(room, opened->match);
    if (!match->is_over()) continue;
    ++matches_over_;
    if (++newer > limits::kRecordsPerRoom) continue;
    // The room that the log makes opens the same record that the match has.
    Rng rng(Seed{});
    if (match->players.empty()) continue;
    const Sender sender{1, match->players.front().player, "Somebody"};
    GetRecord ask;
    ask.id = RequestId("record");
    ask.room = RoomCode(room);
    ask.match = MatchId(opened->match);
    const FromClient client{sender, ask};
    const Outcome outcome = replayed->handle(client, now(), rng);
    const bool is_told = outcome.next && !outcome.effects.wanted_match.empty();
    const auto logged = logged_match(log, opened->match);
    const bool told = is_told && logged && logged->finished &&
                      answer_from(*logged, client, 0).own.find(opened->secret) != std::string::npos;
    const bool still_here = replayed->seat_of(sender.player).has_value();
    if (still_here && !told) throw Wrong("a replayed room has lost a record: " + room);
  }
}

}  // namespace triquetra::sim
