#include "clients/cli/terminal/full_screen.hpp"

#include <boost/asio/post.hpp>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>
#include <variant>

#include "protocol/reflect.hpp"

namespace triquetra::cli {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds kReviewPause{1};  // between two looks at what has come out
constexpr std::chrono::milliseconds kTick{200};  // a count-down of seconds needs no finer

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace

// ---- The terminal in the loop

ScreenLoop::ScreenLoop(asio::io_context& io, bool has_color, Handlers handlers)
    : handlers_(std::move(handlers)),
      signals_(io, SIGWINCH, SIGTSTP),
      curses_(has_color),
      input_(io, ::dup(0)) {
  read_keys();
  hear_signals();
}

void ScreenLoop::read_keys() {
  input_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code error) {
    if (error) return;
    bool was_read = false;
    while (const auto key = curses_.read()) {
      was_read = true;
      handlers_.key(*key);
    }
    if (!was_read && curses_.is_gone()) return handlers_.gone();
    read_keys();
  });
}

void ScreenLoop::hear_signals() {
  signals_.async_wait([this](error_code error, int signal) {
    if (error) return;
    if (signal == SIGTSTP) {
      curses_.let_go();
      static_cast<void>(::raise(SIGSTOP));  // goes on here when it is in front again
    }
    curses_.take_again();
    handlers_.redraw();
    hear_signals();
  });
}

// ---- Playing

FullScreen::FullScreen(asio::io_context& io, const SessionOptions& options, Entry entry,
                       Catalogue& catalogue, bool has_color, LeastSeats least_seats)
    : TableVisitor(io, options, std::move(entry), catalogue, Style{true}),
      language_(catalogue),
      least_seats_(std::move(least_seats)),
      timer_(io),
      review_timer_(io) {
  loop_.emplace(io, has_color,
                ScreenLoop::Handlers{[this](const Key& key) { pressed(key); }, [this] { redraw(); },
                                     [this] { session_.finish(Exit::ok); }});
  redraw();
}

FullScreen::~FullScreen() {
  loop_.reset();
  // What was told last is worth knowing when the screen is gone, such as why it ended.
  if (!log_.empty()) std::cerr << without_colors(log_.back()) << std::endl;
  if (is_in() && scene_.seat) {
    std::cerr << catalogue_.text("screen.come_back", {{"room", room().str()}, {"server", server()}})
              << std::endl;
  }
}

void FullScreen::tell(const std::string& text) { add_to_log(text, {}, {}); }

void FullScreen::add_to_log(const std::string& text, const Json& event, const Json& mine) {
  if (log_.size() == kMaxLog) {
    log_.pop_front();
    events_.pop_front();
  }
  log_.push_back(text);
  events_.push_back({event, mine});
  draw_soon();
}

/// What happened in the game is told in the language that is spoken now; what was said stays.
void FullScreen::tell_again() {
  Scene scene = scene_;
  for (std::size_t i = 0; i < log_.size(); ++i) {
    if (events_[i].event.is_null()) continue;
    scene.mine = events_[i].mine;
    log_[i] = voice_->event(scene, events_[i].event);
  }
}

void FullScreen::asked_to_quit() { tell(catalogue_.text("cli.again_to_quit")); }

void FullScreen::on_entered(const std::string&, std::optional<Seat> seat) {
  if (seat) scene_.seat = seat->index();
}

void FullScreen::on_ok(const ClientFrame& request, const Ok& ok) {
  TableVisitor::on_ok(request, ok);
  if (std::holds_alternative<Say>(request)) said_.clear();
  if (const auto* wanted = std::get_if<GetRecord>(&request); wanted != nullptr && ok.record) {
    keep_record(wanted->match.str(), *ok.record);
  }
  draw_soon();
}

void FullScreen::on_error(const ClientFrame* request, const Error& error) {
  TableVisitor::on_error(request, error);
  if (request != nullptr && std::holds_alternative<Say>(*request)) say_again();
  draw_soon();
}

void FullScreen::on_unheard() {
  TableVisitor::on_unheard();
  say_again();
}

/// What was not heard stands in the line again, unless another one has been begun.
void FullScreen::say_again() {
  if (looking_.typed.empty()) {
    looking_.typed = said_;
    looking_.cursor = said_.size();
  }
  said_.clear();
}

void FullScreen::on_room(const RoomFrame& room) {
  TableVisitor::on_room(room);
  draw_soon();
}

void FullScreen::on_lost(std::chrono::milliseconds) {
  trouble_ = catalogue_.text("cli.lost");
  deadline_.reset();
  draw_soon();
}

void FullScreen::on_back() {
  trouble_.clear();
  TableVisitor::on_back();
}

// Before and after a match the list says what can be done, by keys and not by words.
void FullScreen::status_changed(const RoomFrame& room) {
  const bool has_list = room.status == RoomStatus::open || room.status == RoomStatus::over;
  if (!has_list) TableVisitor::status_changed(room);
}

void FullScreen::match_began() {
  looking_.path.clear();
  if (looking_.panel == Panel::look_back) looking_.panel = Panel::table;
}

void FullScreen::happened(const Json& event, const std::string& sentence, const Json& mine) {
  if (!sentence.empty()) add_to_log(sentence, event, mine);
}

void FullScreen::caught_up() {
  looking_ = followed(known(), std::move(looking_));
  take_times();
  draw_soon();
}

// ---- The person

Known FullScreen::known() const {
  static const std::vector<DecisionShown> kNone;
  std::vector<bool> bots;
  if (room_frame_) {
    for (const SeatShown& seat : room_frame_->seats) bots.push_back(seat.kind == SeatKind::bot);
  }
  return {catalogue_,
          *voice_,
          scene_,
          room_frame_,
          view_ ? view_->decisions : kNone,
          log_,
          steps_,
          costly_,
          server(),
          trouble_,
          left_ms(),
          entry_.watch.has_value(),
          whose_time_,
          room_frame_ ? least_seats_(*room_frame_) : 0,
          std::move(bots)};
}

void FullScreen::pressed(const Key& key) {
  const bool is_bounce = bounce_.is_bounce(key, now());
  Pressed outcome = press(known(), looking_, key, spots_);
  const bool is_act = outcome.wish && std::holds_alternative<TakeOffer>(*outcome.wish);
  if (is_bounce && (is_act || outcome.looking.path != looking_.path)) return;
  looking_ = std::move(outcome.looking);
  if (is_act) bounce_.took_act(key, now());
  if (outcome.wish) grant(*outcome.wish);
  draw_soon();
}

void FullScreen::grant(const Wish& wish) {
  const auto ask = [this](auto request) {
    if (!is_in()) return;
    if constexpr (requires { request.room; }) request.room = room();
    session_.ask(std::move(request));
  };
  std::visit(Overloaded{
                 [&](const TakeOffer& take) {
                   looking_.path.clear();
                   looking_.selected = 0;
                   if (take.offer < scene_.offers.size()) send_act(take.offer);
                 },
                 [&](const Leaving&) { session_.finish(Exit::ok); },
                 [&](const SpeakLanguage& speak) {
                   language_ = Catalogue(speak.language);
                   tell_again();
                 },
                 [&](Rematch request) {
                   request.entropy_hash = promise();
                   ask(std::move(request));
                 },
                 [&](const Say& say) {
                   said_ = say.text.str();
                   ask(say);
                 },
                 [&](const Replay&) {
                   if (view_ && steps_of_ != view_->match) costly_.clear();
                   if (is_in()) look_back();
                 },
                 [&](GetRecord request) {
                   if (!view_) return;
                   request.match = MatchId(view_->match);
                   ask(std::move(request));
                 },
                 [&](const auto& request) { ask(request); },
             },
             wish);
}

void FullScreen::looked_back(const ReviewShown& review, bool more) {
  costly_ = review.acts;
  draw_soon();
  if (!more || looking_.panel != Panel::look_back) return;
  review_timer_.expires_after(kReviewPause);
  review_timer_.async_wait([this](error_code cancelled) {
    if (!cancelled && looking_.panel == Panel::look_back && is_in()) ask_review();
  });
}

/// Into the folder in which the program was started, for whoever wants to check the shuffle.
void FullScreen::keep_record(const std::string& match, const Raw& record) {
  const std::string file = "triquetra-" + match + ".json";
  std::ofstream out(file);
  out << record.text << std::endl;
  std::error_code unknown;
  const std::string where = std::filesystem::absolute(file, unknown).string();
  tell(catalogue_.text(out ? "screen.record_kept" : "screen.record_not_kept", {{"file", where}}));
}

// ---- Time and drawing

/// Of what is asked of me, else of the first thing that runs out.
void FullScreen::take_times() {
  deadline_.reset();
  whose_time_.clear();
  if (!view_ || !view_->left_ms) return;
  const auto seats_of = [&](const TimeLeft& left) {
    const auto found =
        std::find_if(view_->decisions.begin(), view_->decisions.end(),
                     [&](const DecisionShown& decision) { return decision.id == left.decision; });
    return found == view_->decisions.end() ? decltype(found->seats){} : found->seats;
  };
  const auto is_mine = [&](const TimeLeft& left) {
    const auto seats = seats_of(left);
    return std::any_of(seats.begin(), seats.end(),
                       [&](Seat seat) { return scene_.seat == seat.index(); });
  };
  const TimeLeft* first = nullptr;
  for (const TimeLeft& left : *view_->left_ms) {
    const bool is_sooner = first == nullptr || (is_mine(left) && !is_mine(*first)) ||
                           (is_mine(left) == is_mine(*first) && left.ms < first->ms);
    if (is_sooner) first = &left;
  }
  if (first == nullptr) return;
  if (!is_mine(*first)) {
    std::vector<std::string> names;
    for (const Seat seat : seats_of(*first)) names.push_back(scene_.name_of(seat.index()));
    whose_time_ = catalogue_.list(names);
  }
  deadline_ = now() + std::chrono::milliseconds(first->ms);
  tick();
}

/// In the words of the list, which shows the act chosen: Enter takes it.
void FullScreen::tell_hint(const HintShown& hint) {
  const auto offer = offer_of(hint);
  if (!offer) return TableVisitor::tell_hint(hint);
  looking_ = pointed_at(known(), std::move(looking_), *offer);
  tell(catalogue_.text("hint.text", {{"act", voice_->label(scene_, *offer)}}));
}

/// Without the rule's number, for there is no book beside the screen.
std::string FullScreen::error_text(const Error& error) const {
  if (error.code != ErrorCode::too_few_players || !room_frame_) {
    Error bare = error;
    bare.args.rule.reset();
    return TableVisitor::error_text(bare);
  }
  const auto least = static_cast<std::int64_t>(least_seats_(*room_frame_));
  return least == 0 ? catalogue_.text("web.lobby.too_few")
                    : catalogue_.text("web.lobby.more", {{"count", least}});
}

std::optional<std::int64_t> FullScreen::left_ms() const {
  if (!deadline_) return std::nullopt;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - now());
  return std::max<std::int64_t>(0, left.count());
}

void FullScreen::tick() {
  if (!deadline_) return;
  timer_.expires_after(kTick);
  timer_.async_wait([this](error_code cancelled) {
    if (cancelled) return;
    redraw();
    if (left_ms() != 0) tick();
  });
}

/// Once, however much comes in one go.
void FullScreen::draw_soon() {
  if (std::exchange(is_drawing_soon_, true)) return;
  asio::post(timer_.get_executor(), [this] {
    is_drawing_soon_ = false;
    redraw();
  });
}

void FullScreen::redraw() {
  if (!loop_) return;
  Drawn drawn = draw(known(), looking_, loop_->curses().size());
  spots_ = drawn.spots;
  loop_->curses().show(drawn);
}

// ---- A record

void look_back(asio::io_context& io, const ReadMatch& match, Catalogue& catalogue, bool has_color,
               std::size_t eyes) {
  const auto voice = voice_of(match.game, catalogue, Style{true});
  const std::optional<RoomFrame> room;
  const std::vector<DecisionShown> decisions;
  const std::deque<std::string> log;
  Scene scene;
  for (std::string name : match.names) {
    const auto number = static_cast<std::int64_t>(scene.names.size()) + 1;
    if (name.empty()) name = catalogue.text("cli.bot_name", {{"seat", number}});
    scene.names.push_back(printable(std::move(name)));
  }
  Looking looking;
  looking.panel = Panel::look_back;
  looking.eyes = eyes;
  std::vector<Spot> spots;
  const std::vector<ReviewedAct> costly;
  std::vector<bool> bots;
  for (const std::string& name : match.names) bots.push_back(name.empty());
  const Known known{catalogue, *voice, scene, room, decisions, log, match.steps, costly,
                    "",        "",     {},    true, "",        0,   bots};
  std::optional<ScreenLoop> loop;
  const auto show = [&] {
    Drawn drawn = draw(known, looking, loop->curses().size());
    spots = drawn.spots;
    loop->curses().show(drawn);
  };
  const auto pressed = [&](const Key& key) {
    Pressed outcome = press(known, looking, key, spots);
    looking = std::move(outcome.looking);
    if (outcome.wish && std::holds_alternative<Leaving>(*outcome.wish)) return io.stop();
    if (outcome.wish && std::holds_alternative<SpeakLanguage>(*outcome.wish)) {
      catalogue = Catalogue(std::get<SpeakLanguage>(*outcome.wish).language);
    }
    // There is no table to go back to.
    if (looking.panel == Panel::table) looking.panel = Panel::look_back;
    show();
  };
  loop.emplace(io, has_color, ScreenLoop::Handlers{pressed, show, [&] { io.stop(); }});
  show();
  io.run();
}

}  // namespace triquetra::cli
