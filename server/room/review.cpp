#include "server/room/review.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/json.hpp"
#include "protocol/wire.hpp"
#include "server/base/limits.hpp"
#include "server/base/random.hpp"

namespace triquetra {

Review::Review(std::shared_ptr<const LoggedMatch> match, Thinkers& thinkers,
               boost::asio::io_context& thread)
    : match_(std::move(match)),
      finished_(match_->finished.value()),
      thinkers_(thinkers),
      thread_(thread),
      table_(finished_.marks.front()) {
  go_on();
}

Outgoing Review::answer(const FromClient& client) const {
  ReviewShown shown;
  shown.steps = static_cast<std::int64_t>(finished_.steps.size());
  shown.looked_at = static_cast<std::int64_t>(step_);
  for (const Costly& one : costly_) shown.acts.push_back(one.act);
  Ok ok;
  ok.re = std::get<GetReview>(client.frame).id.str();
  ok.more = shown.looked_at < shown.steps;
  ok.review = std::move(shown);
  Outgoing answer{client.from.connection, nullptr, encoded(ok)};
  answer.is_asked = true;
  return answer;
}

void Review::go_on() {
  while (step_ < finished_.steps.size()) {
    const Step& step = finished_.steps[step_];
    const auto* acted = std::get_if<Acted>(&step);
    const TablePointer before = std::exchange(table_, after(table_, step));
    const bool is_a_persons = acted != nullptr && acted->by == ActedBy::player;
    if (is_a_persons && looked_at_ < limits::kReviewActs) {
      ++looked_at_;
      auto done = [this, acted](const Thought& thought) {
        ++step_;
        weigh(*acted, thought);
        go_on();
      };
      auto thinking = before->think(acted->seat, Level::expert, fresh_seed());
      thought_ = thinkers_.think(std::move(thinking), thread_, std::move(done),
                                 {limits::kReviewPlayouts, limits::kReviewedActTime});
      return;
    }
    ++step_;
  }
}

void Review::weigh(const Acted& acted, const Thought& thought) {
  if (!thought.action) return;
  const auto act_of = [&](const std::string& action) {
    // A client may write the same act otherwise.
    const Json wanted = parse_json(action, kTrustedJson);
    return std::find_if(thought.acts.begin(), thought.acts.end(), [&](const WeighedAct& act) {
      return act.action && act.worlds > 0 && parse_json(*act.action, kTrustedJson) == wanted;
    });
  };
  const auto best = act_of(*thought.action);
  const auto made = act_of(acted.action);
  const auto none = thought.acts.end();
  if (best == none || made == none || best == made || best->worth <= made->worth) return;
  Costly costly{best->worth - made->worth, {}};
  costly.act.rev = acted.rev;
  costly.act.seat = acted.seat;
  costly.act.action.text = acted.action;
  costly.act.better.text = *thought.action;
  costly.act.wins = std::lround(100 * (best->wins - made->wins));
  if (best->points && made->points) costly.act.points = std::lround(*best->points - *made->points);
  const auto costs_less = [&](const Costly& one) { return one.worth < costly.worth; };
  costly_.insert(std::find_if(costly_.begin(), costly_.end(), costs_less), std::move(costly));
  if (costly_.size() > limits::kReviewedActs) costly_.pop_back();
}

}  // namespace triquetra
