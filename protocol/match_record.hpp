// The record of a finished match: all that is needed to replay it elsewhere and to check the
// shuffle.
#pragma once

#include <boost/describe/class.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/server_frames.hpp"

namespace triquetra {

struct RecordedSeat {
  SeatKind kind{};
  std::optional<std::string> name;
  std::optional<BotLevel> level;
  std::optional<std::string> entropy_hash;
  std::string entropy;  // hex; empty if none was given or opened
};
BOOST_DESCRIBE_STRUCT(RecordedSeat, (), (kind, name, level, entropy_hash, entropy))

/// An act (seat, action, by) or a lapse (decision).
struct RecordedStep {
  std::int64_t rev{};
  std::int64_t at_ms{};  // since the match started
  std::optional<Seat> seat;
  std::optional<Raw> action;
  std::optional<ActedBy> by;
  std::optional<DecisionId> lapsed;
};
BOOST_DESCRIBE_STRUCT(RecordedStep, (), (rev, at_ms, seat, action, by, lapsed))

struct RecordedResult {
  std::vector<Seat> winners;
  std::vector<int> scores;
  friend bool operator==(const RecordedResult&, const RecordedResult&) = default;
};
BOOST_DESCRIBE_STRUCT(RecordedResult, (), (winners, scores))

struct MatchRecord {
  std::int64_t format{};  // 1
  std::string match;
  std::string game;
  std::int64_t rules{};  // the version of the game's rules
  Raw options;
  std::vector<RecordedSeat> seats;
  std::string secret;
  std::string commitment;
  Raw deal;  // what chance decided, in the game's words
  std::vector<RecordedStep> steps;
  RecordedResult result;
};
BOOST_DESCRIBE_STRUCT(MatchRecord, (),
                      (format, match, game, rules, options, seats, secret, commitment, deal, steps,
                       result))

/// Replays a record: the commitment, the entropies, the deal, every act, and the result. None if
/// all is well; else what is wrong, in plain words. Throws Malformed if `text` is no record.
std::optional<std::string> verify_record(std::string_view text);

}  // namespace triquetra
