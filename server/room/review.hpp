// A look at a match that is over: which acts of its people cost most, and what an expert would have
// done. Thought out beside the room, an act at a time; whoever asks hears what has come out so far.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "protocol/server_frames.hpp"
#include "protocol/table.hpp"
#include "server/room/logged_match.hpp"
#include "server/room/messages.hpp"
#include "server/room/thinkers.hpp"

namespace triquetra {

/// Lives on the room's thread; goes on by itself until it is over, or is dropped.
class Review {
 public:
  /// Before: the match is over.
  Review(std::shared_ptr<const LoggedMatch> match, Thinkers& thinkers,
         boost::asio::io_context& thread);
  const std::string& match() const { return match_->match; }
  /// What has come out so far. Before: `client` asked for a review.
  Outgoing answer(const FromClient& client) const;

 private:
  struct Costly {
    double worth = 0.0;  // how much less than the best
    ReviewedAct act;
  };
  void go_on();
  void weigh(const Acted& acted, const Thought& thought);

  std::shared_ptr<const LoggedMatch> match_;
  const FinishedMatch& finished_;
  Thinkers& thinkers_;
  boost::asio::io_context& thread_;
  TablePointer table_;    // before the next step
  std::size_t step_ = 0;  // the next
  std::size_t looked_at_ = 0;
  std::vector<Costly> costly_;
  AwaitedThought thought_{nullptr};
};

}  // namespace triquetra
