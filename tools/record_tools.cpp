#include "tools/record_tools.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

#include "protocol/catalog.hpp"
#include "protocol/match_record.hpp"
#include "protocol/wire.hpp"

namespace triquetra {
namespace {

/// The text of a file; a whole `ok` frame counts as the record in it. None if it cannot be read.
std::optional<std::string> read_record(const std::string& path) {
  std::string text;
  if (path == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::cerr << "cannot read " << path << "\n";
      return std::nullopt;
    }
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const Json json = parse_json(text, kTrustedJson);
  if (json.is_object() && json.contains("record")) return json.at("record").dump();
  return text;
}

std::string whose(const MatchRecord& record, Seat seat) {
  const RecordedSeat& recorded = record.seats.at(seat.index());
  return "seat " + std::to_string(seat.index() + 1) + " (" + recorded.name.value_or("bot") + ")";
}

void print_step(const MatchRecord& record, const RecordedStep& step, const Table& table,
                std::optional<std::size_t> seat) {
  std::cout << step.rev << ". ";
  if (step.seat) {
    std::cout << whose(record, *step.seat) << " " << step.action.value_or(Raw{}).text;
    if (step.by && *step.by != ActedBy::player) std::cout << " by " << word_of(*step.by);
  } else {
    std::cout << "a window lapses";
  }
  std::cout << "\n   happened " << table.happened() << "\n   table " << table.table_view() << "\n";
  if (seat)
    std::cout << "   seat " << *seat + 1 << " sees " << table.seat_view(Seat{*seat}) << "\n";
}

TablePointer laid(const MatchRecord& record) {
  return find_game(record.game)
      ->lay_dealt(record.options.text, record.seats.size(), record.deal.text);
}

/// Before: the record is valid.
TablePointer played(const TablePointer& table, const RecordedStep& step) {
  return step.lapsed ? table->lapse(*step.lapsed)
                     : std::get<TablePointer>(table->act(*step.seat, step.action->text));
}

int replay(const MatchRecord& record, std::optional<std::size_t> last_step,
           std::optional<std::size_t> seat) {
  if (seat && *seat >= record.seats.size()) {
    std::cerr << "there is no such seat\n";
    return 1;
  }
  TablePointer table = laid(record);
  std::cout << record.game << " " << record.options.text << ", match " << record.match
            << "\n   table " << table->table_view() << "\n";
  std::size_t shown = 0;
  for (const RecordedStep& step : record.steps) {
    if (last_step && shown == *last_step) return 0;
    ++shown;
    table = played(table, step);
    print_step(record, step, *table, seat);
  }
  std::cout << "winners:";
  for (const Seat winner : record.result.winners) std::cout << " " << whose(record, winner);
  std::cout << "\n";
  return 0;
}

/// Says that a record is not valid, and why.
int refuse(const std::string& why, bool as_json) {
  if (as_json)
    std::cout << Json{{"valid", false}, {"why", why}}.dump() << "\n";
  else
    std::cout << "NOT valid: " << why << "\n";
  return 1;
}

/// The end of a valid match as the rules have it: all its acts are played again from the deal.
void print_end(const MatchRecord& record) {
  TablePointer table = laid(record);
  for (const RecordedStep& step : record.steps) table = played(table, step);
  Json end{{"valid", true}, {"match", record.match}, {"game", record.game}};
  end["steps"] = record.steps.size();
  end["winners"] = Json::array();
  if (const auto result = table->result()) {
    for (const Seat winner : result->winners) end["winners"].push_back(winner.index());
    end["scores"] = result->scores;
  }
  end["table"] = parse_json(table->table_view(), kTrustedJson);
  std::cout << end.dump() << "\n";
}

/// The record of a file; none if it is not valid, which is said on standard error.
std::optional<MatchRecord> valid_record(const std::string& path) {
  try {
    const auto text = read_record(path);
    if (!text) return std::nullopt;
    if (const auto wrong = verify_record(*text)) {
      std::cerr << "NOT valid: " << *wrong << "\n";
      return std::nullopt;
    }
    return decode<MatchRecord>(parse_json(*text, kTrustedJson), Reading::strict);
  } catch (const Malformed&) {
    std::cerr << "NOT valid: no record\n";
    return std::nullopt;
  }
}

/// What everybody sees at this point.
ReplayStep seen(const Table& table, std::size_t seats) {
  ReplayStep step;
  step.table.text = table.table_view();
  step.happened.text = table.happened();
  for (const Seat seat : seats_of(seats)) step.seats.push_back(Raw{table.seat_view(seat)});
  return step;
}

}  // namespace

int verify_file(const std::string& path, bool as_json) {
  try {
    const auto text = read_record(path);
    if (!text) return 1;
    if (const auto wrong = verify_record(*text)) return refuse(*wrong, as_json);
    const auto record = decode<MatchRecord>(parse_json(*text, kTrustedJson), Reading::strict);
    if (as_json) {
      print_end(record);
      return 0;
    }
    std::cout << "valid: the shuffle follows from the commitment and the entropies, and every act "
                 "from the rules\n"
              << unproven_in(record.format) << "\n";
    return 0;
  } catch (const Malformed& malformed) {
    return refuse("no record (" + std::string(word_of(malformed.code())) + " " +
                      malformed.args().field.value_or("") + ")",
                  as_json);
  }
}

int replay_file(const std::string& path, std::optional<std::size_t> last_step,
                std::optional<std::size_t> seat) {
  const auto record = valid_record(path);
  return record ? replay(*record, last_step, seat) : 1;
}

std::optional<PlayedMatch> played_match(const std::string& path) {
  const auto record = valid_record(path);
  if (!record) return std::nullopt;
  PlayedMatch match;
  match.game = record->game;
  for (const RecordedSeat& seat : record->seats) match.names.push_back(seat.name.value_or(""));
  TablePointer table = laid(*record);
  match.steps.push_back(seen(*table, record->seats.size()));
  for (const RecordedStep& step : record->steps) {
    table = played(table, step);
    match.steps.push_back(seen(*table, record->seats.size()));
    match.steps.back().rev = step.rev;
    match.steps.back().by = step.by;
  }
  return match;
}

}  // namespace triquetra
