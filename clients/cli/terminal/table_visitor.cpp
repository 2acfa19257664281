#include "clients/cli/terminal/table_visitor.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "protocol/reflect.hpp"

namespace triquetra::cli {

namespace {

Json parsed(const Raw& raw) { return parse_json(raw.text, kTrustedJson); }

}  // namespace

TableVisitor::TableVisitor(boost::asio::io_context& io, const SessionOptions& options, Entry entry,
                           const Catalogue& catalogue, Style style)
    : Visitor(io, options, std::move(entry), catalogue),
      style_(style),
      voice_(voice_of("", catalogue, style)) {}

void TableVisitor::on_ok(const ClientFrame& request, const Ok& ok) {
  Visitor::on_ok(request, ok);
  if (std::holds_alternative<Act>(request)) acted_rev_ = ok.rev;
  if (ok.device) {
    tell(catalogue_.text("cli.device",
                         {{"code", *ok.device}, {"room", room().str()}, {"server", server()}}));
  }
  if (ok.hint) tell_hint(*ok.hint);
  if (std::holds_alternative<Replay>(request)) add_steps(ok);
  if (ok.review) looked_back(*ok.review, ok.more.value_or(false));
  if (std::holds_alternative<History>(request)) {
    is_catching_up_ = false;
    for (const HistoryPage& page : ok.pages.value_or(std::vector<HistoryPage>{})) {
      if (page.rev != told_rev_ + 1) continue;
      told_rev_ = page.rev;
      tell_events(page.happened, page.rev);
    }
    catch_up();
  }
}

std::optional<std::size_t> TableVisitor::offer_of(const HintShown& hint) const {
  if (!view_ || view_->rev != hint.rev || !hint.action) return std::nullopt;
  const Json action = parse_json(hint.action->text, kTrustedJson);
  for (std::size_t i = 0; i < scene_.offers.size(); ++i) {
    if (scene_.offers[i].action == action) return i;
  }
  return std::nullopt;
}

void TableVisitor::tell_hint(const HintShown& hint) {
  if (!view_ || view_->rev != hint.rev) return;
  if (!hint.action) return tell(catalogue_.text("hint.wait"));
  const auto offer = offer_of(hint);
  if (offer) tell(catalogue_.text("hint.text", {{"act", typed_form(scene_.offers, *offer)}}));
}

void TableVisitor::look_back() {
  if (!view_) return;
  if (steps_of_ == view_->match) return ask_review();
  steps_.clear();
  steps_of_ = view_->match;
  auto replay = in_room<Replay>();
  replay.match = MatchId(steps_of_);
  session_.ask(replay);
}

/// A page of the match; there may be more behind it.
void TableVisitor::add_steps(const Ok& ok) {
  for (const ReplayStep& step : ok.steps.value_or(std::vector<ReplayStep>{})) {
    steps_.push_back(step);
  }
  if (!ok.more.value_or(false) || steps_.empty()) return ask_review();
  auto next = in_room<Replay>();
  next.match = MatchId(steps_of_);
  next.from = static_cast<int>(steps_.back().rev) + 1;
  session_.ask(next);
}

void TableVisitor::ask_review() {
  auto review = in_room<GetReview>();
  review.match = MatchId(steps_of_);
  session_.ask(review);
}

void TableVisitor::on_error(const ClientFrame* request, const Error& error) {
  Visitor::on_error(request, error);
  if (request != nullptr && std::holds_alternative<History>(*request)) {
    is_catching_up_ = false;
    told_rev_ = view_ ? view_->rev : 0;
  }
}

void TableVisitor::on_room(const RoomFrame& room) {
  Visitor::on_room(room);
  const bool is_new_game = !room_frame_ || room_frame_->game != room.game;
  if (is_new_game) voice_ = voice_of(room.game, catalogue_, style_);
  scene_.options = parsed(room.options);
  scene_.names.clear();
  for (const SeatShown& seat : room.seats) {
    std::string name = printable(seat.name.value_or(""));
    const auto number = static_cast<std::int64_t>(seat.seat.index()) + 1;
    if (seat.kind == SeatKind::bot && !seat.name)
      name = catalogue_.text("cli.bot_name", {{"seat", number}});
    scene_.names.push_back(name);
  }
  if (!room_frame_ || room_frame_->seats != room.seats) tell_of_seats(room);
  if (!room_frame_ || room_frame_->status != room.status) status_changed(room);
  room_frame_ = room;
}

void TableVisitor::status_changed(const RoomFrame& room) {
  tell(catalogue_.text("room." + std::string(word_of(room.status)), {{"room", room.room}}));
}

void TableVisitor::tell_of_seats(const RoomFrame& room) {
  for (const SeatShown& seat : room.seats) {
    const bool is_known = room_frame_ && seat.seat.index() < room_frame_->seats.size() &&
                          room_frame_->seats[seat.seat.index()] == seat;
    if (is_known) continue;
    tell(catalogue_.text("room.seat", {{"seat", static_cast<std::int64_t>(seat.seat.index()) + 1},
                                       {"name", scene_.name_of(seat.seat.index())},
                                       {"state", seat_state(seat)}}));
  }
}

void TableVisitor::on_view(const View& view) {
  const bool is_first = !view_ || view_->match != view.match;
  if (!is_first && view.rev < view_->rev) return;
  if (is_first) {
    told_rev_ = view.rev;
    acted_rev_.reset();
  }
  scene_.table = parsed(view.table);
  scene_.mine = view.mine ? parsed(*view.mine) : Json::object();
  scene_.seat = view.seat ? std::optional(view.seat->index()) : std::nullopt;
  scene_.offers.clear();
  for (const LegalAct& act : view.legal.value_or(std::vector<LegalAct>{})) {
    scene_.offers.push_back({parsed(act.action), act.preview, act.worth});
  }
  view_ = view;
  if (is_first) match_began();
  catch_up();
}

// Tells what happened up to the view that we have. Views may have been passed over, for the server
// sends a slow reader the newest only; then the history has what they said.
void TableVisitor::catch_up() {
  if (is_catching_up_ || !view_) return;
  if (view_->rev == told_rev_ + 1) {
    told_rev_ = view_->rev;
    tell_events(view_->happened, view_->rev);
  }
  if (view_->rev > told_rev_) {
    auto history = in_room<History>();
    history.match = MatchId(view_->match);
    history.after = told_rev_;
    is_catching_up_ = true;
    return session_.ask(history);
  }
  caught_up();
}

void TableVisitor::tell_events(const Raw& happened_text, std::int64_t rev) {
  // What I hold now says nothing of what I drew before.
  Scene scene = scene_;
  if (rev != view_->rev) scene.mine = Json();
  for (const Json& event : parsed(happened_text)) {
    happened(event, voice_->event(scene, event), scene.mine);
  }
}

void TableVisitor::on_reaction(const ReactionShown& reaction) {
  tell(catalogue_.text(
      "cli.reaction",
      {{"name", scene_.name_of(reaction.seat.index())},
       {"reaction", catalogue_.text("reaction." + std::string(word_of(reaction.reaction)))}}));
}

void TableVisitor::on_said(const Said& said) {
  tell(scene_.name_of(said.seat.index()) + ": " + printable(said.text));
}

void TableVisitor::send_act(std::size_t index) {
  if (!view_ || !scene_.seat) return;
  const Seat me(*scene_.seat);
  for (const DecisionShown& decision : view_->decisions) {
    if (std::find(decision.seats.begin(), decision.seats.end(), me) == decision.seats.end()) {
      continue;
    }
    auto act = in_room<Act>();
    act.match = MatchId(view_->match);
    act.decision = decision.id;
    act.action = Raw{scene_.offers[index].action.dump()};
    return session_.ask(act);
  }
}

bool TableVisitor::is_behind() const {
  return is_catching_up_ || (acted_rev_ && view_ && view_->rev < *acted_rev_);
}

}  // namespace triquetra::cli
