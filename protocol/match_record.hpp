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

inline RecordedResult recorded(const Result& result) {
  return {result.winners.to_vector(), result.scores.to_vector()};
}

/// A start that ended without a deal, since somebody did not open what a hash had promised.
struct CalledOff {
  std::string match;
  std::string commitment;
  std::vector<std::string> names;  // of those who did not
};
BOOST_DESCRIBE_STRUCT(CalledOff, (), (match, commitment, names))

/// Format 1 has neither `binding` nor `called_off`, and promises that were never opened.
struct MatchRecord {
  std::int64_t format{};  // 1 or 2
  std::string match;
  std::string game;
  std::int64_t rules{};  // the version of the game's rules
  Raw options;
  std::vector<RecordedSeat> seats;
  std::string secret;
  std::string commitment;
  std::optional<std::string> binding;                // see binding_of()
  std::optional<std::vector<CalledOff>> called_off;  // starts of this match, the first one first
  Raw deal;                                          // what chance decided, in the game's words
  std::vector<RecordedStep> steps;
  RecordedResult result;
};
BOOST_DESCRIBE_STRUCT(MatchRecord, (),
                      (format, match, game, rules, options, seats, secret, commitment, binding,
                       called_off, deal, steps, result))

/// What ties a match to the terms that it was started under: SHA-256, in hex, over the label
/// "triquetra terms 1", the commitment, the match id, and game, rules, options, seats (without
/// their entropy) and called_off as JSON. Everybody is shown it before any entropy is opened.
/// Before: commitment and match id are hex.
std::string binding_of(const MatchRecord& record);

/// What a record of this format tells without proof, in plain words.
std::string unproven_in(std::int64_t format);

/// Replays a record: the commitment, the entropies, the deal, every act, and the result. None if
/// all is well; else what is wrong, in plain words. Throws Malformed if `text` is no record.
std::optional<std::string> verify_record(std::string_view text);

}  // namespace triquetra
