#include "tests/games/bids/rules.hpp"

#include <algorithm>

namespace triquetra::bids {
namespace {

constexpr std::chrono::milliseconds kWindow{3000};
constexpr int kRounds = 3;

std::size_t seat_count(const State& state) { return state.points.size(); }

DecisionId next_id(State& state) { return DecisionId{static_cast<std::size_t>(++state.last_id)}; }

void open_round(State& state) {
  if (++state.round > kRounds) {
    state.stage = Over{};
    return;
  }
  state.stage = Bidding{next_id(state), decltype(Bidding::sealed)(seat_count(state))};
}

void open_bids(State& state) {
  const auto sealed = std::get<Bidding>(state.stage).sealed;
  Opened opened;
  SeatMap<Secret<Number>, kMostSeats> shown(seat_count(state));
  Seat winner{0};
  for (const Seat seat : seats_of(seat_count(state))) {
    auto& hand = state.hands[seat];
    const auto place = static_cast<std::size_t>(*sealed[seat]);
    Secret<Number> card = hand[place];
    hand.erase(place);
    card.show_to_all();
    opened.bids.push_back(card.shown());
    shown[seat] = card;
    if (card.for_rules() > shown[winner].for_rules()) winner = seat;
  }
  opened.winner = winner;
  state.happened.emplace_back(opened);
  const DecisionId turn = next_id(state);
  state.stage = Claiming{turn, winner, shown[winner], next_id(state)};
}

}  // namespace

std::optional<Fault> Rules::check(const Options& /*options*/, std::size_t seats) {
  if (seats < kMinSeats || seats > kMaxSeats) return Fault{"B1"};
  return std::nullopt;
}

State Rules::setup(const Options& options, std::size_t seats, Chance<Deal>& chance) {
  ensure(!check(options, seats), "bids: options");
  State state;
  state.points = decltype(state.points)(seats);
  state.hands = decltype(state.hands)(seats);
  if (const Deal* written = chance.written()) ensure(written->hands.size() == seats, "bids: deal");
  for (const Seat seat : seats_of(seats)) {
    for (std::size_t i = 0; i < kHandSize; ++i) {
      const Deal* written = chance.written();
      if (written != nullptr)
        ensure(written->hands[seat.index()].size() == kHandSize, "bids: deal");
      Secret<Number> card(written != nullptr ? written->hands[seat.index()][i]
                                             : Number(chance.rng().below(12) + 1));
      card.show_to(seat);
      state.hands[seat].push_back(card);
    }
  }
  open_round(state);
  return state;
}

Deal Rules::deal(const State& start, const State& /*end*/) {
  Deal deal;
  for (const auto& hand : start.hands) {
    List<Number, kHandSize> numbers;
    for (const auto& card : hand) numbers.push_back(card.for_rules());
    deal.hands.push_back(numbers);
  }
  return deal;
}

Decisions Rules::decisions(const State& state) {
  if (const auto* bidding = std::get_if<Bidding>(&state.stage)) {
    Ballot ballot;
    for (const Seat seat : seats_of(seat_count(state))) {
      if (!bidding->sealed[seat]) ballot.seats.insert(seat);
    }
    return {{bidding->id, ballot}};
  }
  if (const auto* claiming = std::get_if<Claiming>(&state.stage)) {
    Decisions open{{claiming->id, Turn{claiming->winner}}};
    if (claiming->window) {
      SeatSet others = SeatSet::all(seat_count(state));
      others.erase(claiming->winner);
      open.push_back({*claiming->window, Window{others, kWindow}});
    }
    return open;
  }
  return {};
}

void Rules::legal(const State& state, Seat seat, std::vector<Action>& acts) {
  acts.clear();
  for (const int card : {0, 1, 2}) acts.emplace_back(Bid{card});
  for (const int prize : {0, 1}) acts.emplace_back(Claim{prize});
  acts.emplace_back(Grab{});
  std::erase_if(acts, [&](const Action& act) { return check(state, seat, act).has_value(); });
}

std::optional<Fault> Rules::check(const State& state, Seat seat, const Action& action) {
  if (!decision_for(decisions(state), seat)) return Fault{"B2"};
  if (const auto* bid = std::get_if<Bid>(&action)) {
    if (!std::holds_alternative<Bidding>(state.stage)) return Fault{"B2"};
    const bool has = static_cast<std::size_t>(int{bid->card}) < state.hands[seat].size();
    return has ? std::nullopt : std::optional(Fault{"B2"});
  }
  const auto* claiming = std::get_if<Claiming>(&state.stage);
  if (claiming == nullptr) return Fault{"B4"};
  const bool wins = seat == claiming->winner;
  if (std::holds_alternative<Claim>(action))
    return wins ? std::nullopt : std::optional(Fault{"B4"});
  return wins ? std::optional(Fault{"B5"}) : std::nullopt;
}

void Rules::apply(State& state, Seat seat, const Action& action) {
  ensure(!check(state, seat, action), "bids: an act that is not allowed");
  state.happened.clear();
  if (const auto* bid = std::get_if<Bid>(&action)) {
    auto& bidding = std::get<Bidding>(state.stage);
    bidding.sealed[seat] = int{bid->card};
    state.happened.emplace_back(Answered{seat});
    const bool all = std::all_of(bidding.sealed.begin(), bidding.sealed.end(),
                                 [](const auto& sealed) { return sealed.has_value(); });
    if (all) open_bids(state);
  } else if (const auto* claim = std::get_if<Claim>(&action)) {
    const auto& claiming = std::get<Claiming>(state.stage);
    const int points = int{claim->prize} == 0 ? 3 : int{claiming.bid.for_rules()};
    state.points[seat] += points;
    state.happened.emplace_back(Claimed{seat, points});
    open_round(state);
  } else {
    state.points[seat] += 1;
    state.happened.emplace_back(Grabbed{seat});
    std::get<Claiming>(state.stage).window.reset();
  }
}

void Rules::lapse(State& state, DecisionId decision) {
  auto& claiming = std::get<Claiming>(state.stage);
  ensure(claiming.window == decision, "bids: no such window");
  claiming.window.reset();
  state.happened = {WindowLapsed{}};
}

std::optional<Result> Rules::result(const State& state) {
  if (!std::holds_alternative<Over>(state.stage) || state.round == 0) return std::nullopt;
  Result result;
  result.scores.append(state.points);
  const int best = *std::max_element(result.scores.begin(), result.scores.end());
  for (const Seat seat : seats_of(seat_count(state))) {
    if (state.points[seat] == best) result.winners.push_back(seat);
  }
  return result;
}

void Rules::verify(const State& state) {
  const bool claiming = std::holds_alternative<Claiming>(state.stage);
  for (const Seat seat : seats_of(seat_count(state))) {
    const auto left = static_cast<std::size_t>(kRounds + 1 - state.round - (claiming ? 1 : 0));
    ensure(state.hands[seat].size() == left, "bids: cards are conserved");
  }
}

void Rules::imagine(State& state, Viewer viewer, Rng& rng) {
  for (auto& hand : state.hands) {
    for (auto& card : hand) {
      if (!card.visible_to(viewer)) card.replace(Number(rng.below(12) + 1));
    }
  }
  auto* bidding = std::get_if<Bidding>(&state.stage);
  if (bidding == nullptr) return;
  for (const Seat seat : seats_of(seat_count(state))) {
    if (!bidding->sealed[seat] || viewer == Viewer{seat}) continue;
    bidding->sealed[seat] =
        static_cast<int>(rng.below(static_cast<std::uint32_t>(state.hands[seat].size())));
  }
}

}  // namespace triquetra::bids
