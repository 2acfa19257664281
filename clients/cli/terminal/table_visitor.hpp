// A visitor that follows a table for a person: who sits there, the newest view, and one sentence
// for each thing that has happened, whatever was passed over. How that is shown is its heirs'.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "clients/cli/games/render.hpp"
#include "clients/cli/terminal/visitor.hpp"

namespace triquetra::cli {

class TableVisitor : public Visitor {
 public:
  TableVisitor(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
               const Catalogue& catalogue, Style style);

  void on_ok(const ClientFrame& request, const Ok& ok) override;
  void on_error(const ClientFrame* request, const Error& error) override;
  void on_room(const RoomFrame& room) override;
  void on_view(const View& view) override;
  void on_reaction(const ReactionShown& reaction) override;
  void on_said(const Said& said) override;

 protected:
  /// The room has come to another stage.
  virtual void status_changed(const RoomFrame& room);
  /// The first view of a match is there.
  virtual void match_began() {}
  /// Something has happened: `sentence` says it, or is empty if others say it. `mine` is what only
  /// I saw then, or null if that is not known any more.
  virtual void happened(const Json& event, const std::string& sentence, const Json& mine) = 0;
  /// What an expert would do, in the words in which it is typed.
  virtual void tell_hint(const HintShown& hint);
  /// All that happened up to the newest view is told.
  virtual void caught_up() = 0;

  template <class Request>
  Request in_room() const {
    Request request;
    request.room = room();
    return request;
  }
  /// Where the hint's act is in scene_.offers, if it is one and not late.
  std::optional<std::size_t> offer_of(const HintShown& hint) const;
  /// Sends one of the offered acts; `index` is of scene_.offers.
  void send_act(std::size_t index);
  /// Asks for all views of the match that is over, and then which acts cost most.
  void look_back();
  /// All that looking back needs so far is there, or has come anew. `more`: the server still
  /// thinks.
  virtual void looked_back(const ReviewShown& review, bool more) = 0;
  /// Asks which acts cost most, once more.
  void ask_review();
  /// Whether the view that follows my last act is still on its way.
  bool is_behind() const;

  Style style_;
  std::unique_ptr<Voice> voice_;
  Scene scene_;
  std::optional<RoomFrame> room_frame_;
  std::optional<View> view_;
  std::vector<ReplayStep> steps_;  // of the match that is looked back at
  std::string steps_of_;           // which that is

 private:
  void add_steps(const Ok& ok);
  void catch_up();
  void tell_of_seats(const RoomFrame& room);
  void tell_events(const Raw& happened, std::int64_t rev);

  std::optional<std::int64_t> acted_rev_;  // the revision that my last act made
  std::int64_t told_rev_ = 0;              // the last revision whose events were told
  bool is_catching_up_ = false;            // history is asked for, because views were passed over
};

}  // namespace triquetra::cli
