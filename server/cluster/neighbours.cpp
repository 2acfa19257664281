#include "server/cluster/neighbours.hpp"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "protocol/catalog.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "server/base/limits.hpp"
#include "server/ops/metrics.hpp"
#include "server/store/records.hpp"

namespace triquetra {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

/// Above those of a server's own connections, which are counted from 1.
constexpr ConnectionId kFirstFar = ConnectionId{1} << 62U;

std::int64_t as_wire(ConnectionId id) { return static_cast<std::int64_t>(id); }

/// Grows with every version that writes logs which the one before cannot read.
std::int64_t logs_known() {
  std::int64_t known = kLogFormat;
  for (const GameKind& game : catalog()) known += game.version;
  return known;
}

/// A room's clock and a stranger's first word wait for their owner; whoever is in the room already
/// is so with one owner.
bool begins(const FromClient& letter) {
  return letter.asker || std::holds_alternative<Join>(letter.frame);
}

struct Heard {
  link::Message message;
  std::string_view text;
};

/// Throws Malformed.
Heard read(std::string_view message) {
  const auto line = message.find('\n');
  const std::string_view text =
      line == std::string_view::npos ? std::string_view() : message.substr(line + 1);
  return {decode<link::Message>(message.substr(0, line), Reading::lenient, kTrustedJson), text};
}

}  // namespace

/// A connection of another server's client, as a room here sees it.
class Neighbours::Far final : public Connection {
 public:
  Far(asio::io_context& context, const InPointer& in, ConnectionId id, std::int64_t number)
      : context_(context), in_(in), id_(id), number_(number) {}
  ConnectionId id() const override { return id_; }
  asio::io_context& context() override { return context_; }
  void send(Outgoing frame, std::string room) override {
    link::Shown shown;
    shown.connection = number_;
    shown.room = std::move(room);
    shown.is_view = frame.is_view;
    shown.is_roster = frame.is_roster;
    shown.is_asked = frame.is_asked;
    shown.refusal = frame.refusal;
    std::string text = frame.shared ? *frame.shared + frame.own : std::move(frame.own);
    post(encoded(shown), std::move(text));
  }
  void finish(ByeCode code, std::int64_t retry_ms) override {
    post(encoded(link::Finish{number_, code, retry_ms}), {});
  }

  std::set<std::string> rooms;  // that have heard of it; on the first thread

 private:
  void post(std::string head, std::string text) {
    asio::post(context_, [in = in_, head = std::move(head), text = std::move(text)] {
      if (const auto there = in.lock()) there->link->send(head, text);
    });
  }
  asio::io_context& context_;
  const std::weak_ptr<In> in_;
  const ConnectionId id_;
  const std::int64_t number_;
};

Neighbours::Neighbours(asio::io_context& context, EventStore& store, Lease& lease,
                       NodeOptions options, Hub hub)
    : context_(context),
      store_(store),
      lease_(lease),
      options_(std::move(options)),
      hub_(std::move(hub)),
      links_(options_.make_links(context)),
      timer_(context),
      owners_(std::make_shared<const Owners>(options_.id, std::vector<Owner>())),
      last_far_(kFirstFar) {}

void Neighbours::start() {
  links_->listen([this](link::LinkPointer link) { let_in(std::move(link)); });
  look();
}

// ---- Leases -------------------------------------------------------------------------------------

void Neighbours::look() {
  const TimePoint at = now();
  if (!has_left_) {
    if (at >= lease_.until() && !owners_->all().empty()) lapse();
    if (at >= renew_at_) renew();
    find_owners();
  }
  look_after_links(at);
  for (Parcel& parcel : std::exchange(waiting_, {})) {
    if (at < parcel.until || !parcel.letter) {
      route(std::move(parcel));
    } else if (parcel.letter) {
      parcel.missing(ErrorCode::storage_unavailable);
    }
  }
  timer_.expires_after(limits::kLinkRetry);
  timer_.async_wait([this](error_code error) {
    if (!error) look();
  });
}

void Neighbours::renew() {
  // Who leaves takes no lease again, whatever the others say.
  if (has_left_ || std::exchange(is_asking_, true)) return;
  store_.renew({options_.id, options_.name, options_.address, logs_known(), false},
               [this, asked = now()](const std::optional<std::vector<LiveNode>>& nodes) {
                 asio::post(context_, [this, asked, nodes] { renewed(asked, nodes); });
               });
}

void Neighbours::renewed(TimePoint asked, const std::optional<std::vector<LiveNode>>& nodes) {
  is_asking_ = false;
  if (has_left_) return give_up();
  const TimePoint at = now();
  renew_at_ = at + limits::kLinkRetry;
  if (!nodes) return;
  if (!lease_.holds(at)) lapse();
  lease_.renew(asked);
  std::map<std::uint32_t, Node> found;
  auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(limits::kLeaseTime / 3);
  for (const LiveNode& node : *nodes) {
    Node& one = found[node.id];
    one.known = node;
    // Who loses rooms to a newcomer lets go before that one takes them.
    one.active_at = asked + node.until_active;
    if (node.id == options_.id) {
      const auto before = nodes_.find(node.id);
      one.active_at = at + node.until_active + 2 * limits::kLinkRetry;
      if (node.until_active.count() == 0 && before != nodes_.end()) {
        one.active_at = before->second.active_at;
      }
    } else {
      wait = std::min(wait, node.until_expired);
    }
  }
  nodes_ = std::move(found);
  renew_at_ = std::min(asked + wait, asked + limits::kLeaseTime / 3);
  metrics().live_servers(nodes_.size());
  find_owners();
}

void Neighbours::lapse() {
  if (!owners_->all().empty()) {
    spdlog::warn("the lease of this server has ended: its rooms are put down");
    metrics().lease_lapsed();
  }
  lease_.lapse();
  set_owners(Owners(options_.id, {}));
}

void Neighbours::find_owners() {
  const TimePoint at = now();
  if (!lease_.holds(at)) return;
  std::vector<Owner> active;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (const auto& [id, node] : nodes_) {
    if (node.active_at > at || (steps_down_ && id == options_.id)) continue;
    // What a program has written that knows more, one that knows less may not be able to read.
    if (node.known.reads < most) continue;
    if (node.known.reads > most) active.clear();
    most = node.known.reads;
    active.push_back({id, node.known.address});
  }
  const auto self = nodes_.find(options_.id);
  const bool was_behind =
      is_behind_.exchange(self != nodes_.end() && self->second.known.reads < most);
  if (is_behind_ && !was_behind) {
    spdlog::warn("other servers read newer logs than this program: they have all rooms");
  }
  set_owners(Owners(options_.id, std::move(active)));
}

void Neighbours::set_owners(Owners owners) {
  std::vector<std::uint32_t> dead;
  for (const auto& [id, out] : out_) {
    if (!nodes_.contains(id)) dead.push_back(id);
  }
  for (const std::uint32_t id : dead) {
    lost(id);
    out_.erase(id);
  }
  for (const auto& [id, node] : nodes_) {
    if (id == options_.id) continue;
    out_[id].id = id;
    out_[id].address = node.known.address;
  }
  if (owners == *owners_) return;
  owners_ = std::make_shared<const Owners>(std::move(owners));
  spdlog::info("{} servers own rooms", owners_->all().size());
  hub_.changed(owners_);
}

void Neighbours::step_down() {
  steps_down_ = true;
  find_owners();
}

void Neighbours::leave(std::function<void()> done) {
  has_left_ = true;
  left_ = std::move(done);
  // A room that could not be put down in time says nothing more, for somebody else may have it now.
  lease_.lapse();
  // The store takes one such question at a time, and a renewal may be under way.
  if (!is_asking_) give_up();
}

void Neighbours::give_up() {
  store_.renew({options_.id, options_.name, options_.address, logs_known(), true},
               [this](const auto&) {
                 asio::post(context_, [this] {
                   for (auto& [id, out] : out_) {
                     if (out.is_up) out.link->send(encoded(link::Look{}));
                   }
                   left_();
                 });
               });
}

// ---- To rooms of others -------------------------------------------------------------------------

void Neighbours::post(Parcel parcel) {
  parcel.until = now() + limits::kLinkPatience;
  route(std::move(parcel));
}

void Neighbours::route(Parcel parcel) {
  const Owner* const owner = owners_->owner_of(parcel.room);
  if (owner != nullptr && owner->id == options_.id) {
    if (!parcel.letter) return hub_.wake(parcel.room);
    const auto shared = std::make_shared<Parcel>(parcel);
    const auto missing = [this, shared](std::optional<ErrorCode> why) {
      if (why) return shared->missing(*why);
      asio::post(context_, [this, shared] { wait(std::move(*shared)); });
    };
    return hub_.post(parcel.room, *parcel.letter, parcel.connection, missing);
  }
  const auto out = owner == nullptr ? out_.end() : out_.find(owner->id);
  const bool is_reached = out != out_.end() && out->second.is_up;
  if (parcel.letter && !begins(*parcel.letter)) {
    const bool is_there =
        is_reached && way(parcel.connection->id(), parcel.room) == std::optional(owner->id);
    if (!is_there) return cut(*parcel.connection);
  }
  if (!is_reached) return wait(std::move(parcel));
  send(owner->id, out->second, std::move(parcel));
}

void Neighbours::wait(Parcel parcel) {
  if (waiting_.size() < limits::kLinkWaiting) {
    waiting_.push_back(std::move(parcel));
  } else if (parcel.letter) {
    parcel.missing(ErrorCode::busy);
  }
}

void Neighbours::send(std::uint32_t node, Out& out, Parcel parcel) {
  if (!parcel.letter) return out.link->send(encoded(link::Wake{parcel.room}));
  if (out.link->is_full() || out.awaited.size() >= limits::kLinkRequests) {
    return parcel.missing(ErrorCode::busy);
  }
  const FromClient& letter = *parcel.letter;
  const ConnectionId id = letter.from.connection;
  link::Request request;
  request.number = ++out.last_number;
  request.connection = as_wire(id);
  request.room = parcel.room;
  request.player = letter.from.player;
  request.name = letter.from.name;
  request.is_program = letter.from.is_program;
  request.address = letter.from.address;
  out.connections[id] = parcel.connection;
  ways_[id][parcel.room] = node;
  const std::string text = encoded(letter.frame);
  const std::weak_ptr<Connection> connection = std::exchange(parcel.connection, nullptr);
  out.awaited.emplace(request.number, Awaited{std::move(parcel), connection});
  out.link->send(encoded(request), text);
}

void Neighbours::cut(Connection& connection) {
  connection.finish(ByeCode::restarting, limits::kMovedRetryMs);
}

std::optional<std::uint32_t> Neighbours::way(ConnectionId connection,
                                             const std::string& room) const {
  const auto known = ways_.find(connection);
  if (known == ways_.end()) return std::nullopt;
  const auto found = known->second.find(room);
  return found == known->second.end() ? std::nullopt : std::optional(found->second);
}

void Neighbours::gone(ConnectionId connection, const std::string& room) {
  const auto node = way(connection, room);
  if (!node) return;
  const auto known = ways_.find(connection);
  known->second.erase(room);
  if (known->second.empty()) ways_.erase(known);
  const auto out = out_.find(*node);
  if (out == out_.end() || !out->second.is_up) return;
  out->second.link->send(encoded(link::Gone{as_wire(connection), room}));
}

link::Listing Neighbours::listing() const {
  link::Listing listing;
  for (const ListedSince& one : hub_.list()) {
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now() - one.since);
    listing.rooms.push_back({one.room, since.count()});
  }
  return listing;
}

void Neighbours::tell_list() {
  const std::string message = encoded(listing());
  for (auto& [id, out] : out_) {
    if (out.is_up) out.link->send(message);
  }
}

void Neighbours::Ordered::count() {
  if (--left == 0) end();
}

void Neighbours::Ordered::end() {
  deadline.cancel();
  if (const auto hears = std::exchange(done, nullptr)) hears(std::move(reports));
}

std::vector<std::uint32_t> Neighbours::called(const std::string& name) const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [id, node] : nodes_) {
    const auto out = out_.find(id);
    if (node.known.name == name && out != out_.end() && out->second.is_up) numbers.push_back(id);
  }
  return numbers;
}

void Neighbours::order(link::Command what, const std::string& text,
                       const std::function<bool(std::uint32_t, const std::string&)>& is,
                       std::function<void(std::vector<Reported>)> done) {
  const auto ordered = std::make_shared<Ordered>(context_, std::move(done));
  ordered->left = 1;  // until all are asked
  for (const auto& [id, node] : nodes_) {
    if (id == options_.id || !is(id, node.known.name)) continue;
    ordered->reports.push_back({node.known.name});
    const auto out = out_.find(id);
    if (out == out_.end() || !out->second.is_up) continue;
    const std::int64_t number = ++out->second.last_number;
    out->second.ordered.emplace(number, AwaitedReport{ordered, ordered->reports.size() - 1});
    ++ordered->left;
    out->second.link->send(encoded(link::Order{number, what}), text);
  }
  ordered->deadline.expires_after(limits::kLinkPatience);
  ordered->deadline.async_wait([ordered](error_code stopped) {
    if (!stopped) ordered->end();
  });
  ordered->count();
}

// ---- Links that we make -------------------------------------------------------------------------

void Neighbours::look_after_links(TimePoint at) {
  std::size_t up = 0;
  for (auto& [id, out] : out_) {
    const bool is_missing = !out.link && !out.is_being_made && at >= out.again_at;
    if (is_missing && !has_left_) make(id);
    up += out.is_up ? 1U : 0U;
  }
  metrics().links(up);
  // By copies: a link that ends goes out of these.
  std::vector<link::LinkPointer> links;
  for (const auto& [id, out] : out_) {
    if (out.link) links.push_back(out.link);
  }
  for (const InPointer& in : in_) links.push_back(in->link);
  for (const link::LinkPointer& link : links) link->look(at);
  if (at < sweep_at_) return;
  sweep_at_ = at + limits::kSweepTime;
  for (auto& [id, out] : out_) {
    std::erase_if(out.ordered, [](const auto& entry) { return !entry.second.order->done; });
    std::erase_if(out.connections, [&, &there = out](const auto& entry) {
      if (!entry.second.expired()) return false;
      ways_.erase(entry.first);
      if (there.is_up) there.link->send(encoded(link::Gone{as_wire(entry.first), std::nullopt}));
      return true;
    });
  }
}

void Neighbours::make(std::uint32_t node) {
  Out& out = out_[node];
  out.is_being_made = true;
  links_->make(out.address, [this, node](link::LinkPointer link) { made(node, std::move(link)); });
}

void Neighbours::made(std::uint32_t node, link::LinkPointer link) {
  const auto found = out_.find(node);
  if (found == out_.end()) return;
  found->second.is_being_made = false;
  // One of this number may have been forgotten and come back while the link was made.
  if (!link || found->second.link || has_left_) return;
  found->second.link = std::move(link);
  const auto ready = [this, node] {
    Out& out = out_.at(node);
    out.link->send(encoded(link::Greeting{link::kVersion, options_.id, node}));
    out.is_up = true;
    out.up_since = now();
    out.link->send(encoded(listing()));
    spdlog::info("linked with the server at {}", out.address);
  };
  found->second.link->begin(
      ready, [this, node](std::string_view message) { hear(node, message); },
      [this, node] { lost(node); });
}

void Neighbours::hear(std::uint32_t node, std::string_view message) {
  const auto found = out_.find(node);
  if (found == out_.end()) return;
  try {
    const Heard heard = read(message);
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { on(found->second, one, heard.text); }) {
            on(found->second, one, heard.text);
          }
        },
        heard.message);
  } catch (const Malformed&) {
    spdlog::error("the server at {} says what is none of a link's words", found->second.address);
    lost(node);
  }
}

void Neighbours::on(Out& out, const link::Shown& shown, std::string_view text) {
  const auto id = static_cast<ConnectionId>(shown.connection);
  const auto found = out.connections.find(id);
  const auto connection = found == out.connections.end() ? nullptr : found->second.lock();
  if (!connection) return;
  // Who has the room now may have shown what came after this.
  const Owner* const owner = shown.room.empty() ? nullptr : owners_->owner_of(shown.room);
  if (owner != nullptr && owner->id != out.id) return cut(*connection);
  Outgoing frame{id,
                 nullptr,
                 std::string(text),
                 shown.is_view,
                 shown.refusal,
                 shown.is_roster,
                 shown.is_asked};
  connection->send(std::move(frame), shown.room);
}

std::optional<Neighbours::Awaited> Neighbours::answered(Out& out, std::int64_t number) {
  const auto found = out.awaited.extract(number);
  return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

void Neighbours::on(Out& out, const link::Told& told, std::string_view /*text*/) {
  const auto awaited = answered(out, told.number);
  if (awaited && awaited->parcel.letter->asker) awaited->parcel.letter->asker->tell(told.refusal);
}

void Neighbours::on(Out& out, const link::Missing& missing, std::string_view /*text*/) {
  const auto awaited = answered(out, missing.number);
  if (awaited) awaited->parcel.missing(missing.why);
}

void Neighbours::on(Out& out, const link::Elsewhere& elsewhere, std::string_view /*text*/) {
  auto awaited = answered(out, elsewhere.number);
  const auto connection = awaited ? awaited->connection.lock() : nullptr;
  if (!connection) return;
  if (!begins(*awaited->parcel.letter)) return cut(*connection);
  awaited->parcel.connection = connection;
  wait(std::move(awaited->parcel));
}

void Neighbours::on(Out& out, const link::Finish& finish, std::string_view /*text*/) {
  const auto found = out.connections.find(static_cast<ConnectionId>(finish.connection));
  const auto connection = found == out.connections.end() ? nullptr : found->second.lock();
  if (connection) connection->finish(finish.code, finish.retry_ms);
}

void Neighbours::on(Out& out, const link::Report& report, std::string_view /*text*/) {
  const auto found = out.ordered.find(report.number);
  if (found == out.ordered.end()) return;
  const auto [order, place] = found->second;
  if (report.is_last) out.ordered.erase(found);
  if (!order->done) return;
  Reported& one = order->reports[place];
  one.report.rooms.insert(one.report.rooms.end(), report.rooms.begin(), report.rooms.end());
  one.report.count += report.count;
  one.report.refusal = report.refusal;
  if (!report.is_last) return;
  one.is_whole = true;
  order->count();
}

void Neighbours::on(Out& /*out*/, const link::Look& /*look*/, std::string_view /*text*/) {
  renew();
}

void Neighbours::on(Out& /*out*/, const link::Beat& /*beat*/, std::string_view /*text*/) {}

void Neighbours::lost(std::uint32_t node) {
  const auto found = out_.find(node);
  if (found == out_.end()) return;
  Out out = std::exchange(found->second, Out());
  found->second.id = out.id;
  found->second.address = out.address;
  found->second.is_being_made = out.is_being_made;
  // Who ends it at once takes us for another, or itself: that is not over in a moment.
  const bool was_short = now() - out.up_since < limits::kLinkBeat;
  if (out.is_up && was_short) found->second.again_at = now() + limits::kLinkBeat;
  if (out.link) out.link->end();
  if (out.is_up) spdlog::info("the link with the server at {} has ended", out.address);
  for (const auto& [id, weak] : out.connections) {
    if (const auto connection = weak.lock()) cut(*connection);
    const auto ways = ways_.find(id);
    if (ways == ways_.end()) continue;
    std::erase_if(ways->second, [node](const auto& way) { return way.second == node; });
    if (ways->second.empty()) ways_.erase(ways);
  }
  for (const auto& [number, awaited] : out.awaited) {
    const auto& asker = awaited.parcel.letter->asker;
    if (asker) asker->tell(ErrorCode::storage_unavailable);
  }
  for (const auto& [number, awaited] : out.ordered) awaited.order->count();
}

// ---- Links that others make ---------------------------------------------------------------------

void Neighbours::let_in(link::LinkPointer link) {
  const auto is_stranger = [](const InPointer& in) { return !in->has_greeted; };
  const auto strangers = std::count_if(in_.begin(), in_.end(), is_stranger);
  if (static_cast<std::size_t>(strangers) >= limits::kLinkStrangers) {
    const InPointer first = *std::find_if(in_.begin(), in_.end(), is_stranger);
    lost(first);
  }
  const auto in = std::make_shared<In>(In{std::move(link), ++last_in_});
  in_.push_back(in);
  const std::weak_ptr<In> weak = in;
  const auto heard = [this, weak](std::string_view message) {
    if (const auto there = weak.lock()) hear(there, message);
  };
  const auto ended = [this, weak] {
    if (const auto there = weak.lock()) lost(there);
  };
  in->link->begin([] {}, heard, ended);
}

void Neighbours::hear(const InPointer& in, std::string_view message) {
  try {
    const Heard heard = read(message);
    const bool is_greeting = std::holds_alternative<link::Greeting>(heard.message);
    if (is_greeting == in->has_greeted) return lost(in);
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { on(in, one, heard.text); }) on(in, one, heard.text);
        },
        heard.message);
  } catch (const Malformed&) {
    lost(in);
  }
}

void Neighbours::on(const InPointer& in, const link::Greeting& greeting,
                    std::string_view /*text*/) {
  const bool is_for_us = greeting.version == link::kVersion && greeting.to == options_.id;
  if (!is_for_us) return lost(in);
  in->has_greeted = true;
}

void Neighbours::on(const InPointer& in, const link::Request& request, std::string_view text) {
  auto& far = in->connections[request.connection];
  if (!far) far = std::make_shared<Far>(context_, in, ++last_far_, request.connection);
  far->rooms.insert(request.room);
  // Not by way of this: a room that ends with its server tells whoever still waits.
  const auto say = [&context = context_, weak = std::weak_ptr(in)](std::string message) {
    asio::post(context, [weak, message = std::move(message)] {
      if (const auto there = weak.lock()) there->link->send(message);
    });
  };
  const auto number = request.number;
  const auto told = [say, number](std::optional<ErrorCode> refusal) {
    say(encoded(link::Told{number, refusal}));
  };
  const auto missing = [say, number](std::optional<ErrorCode> why) {
    say(why ? encoded(link::Missing{number, *why}) : encoded(link::Elsewhere{number}));
  };
  FromClient letter{{far->id(), request.player, request.name, request.is_program, request.address},
                    decode<ClientFrame>(JsonText(text).root(), Reading::strict),
                    std::make_shared<Asker>(told)};
  hub_.post(request.room, std::move(letter), far, missing);
}

void Neighbours::on(const InPointer& in, const link::Gone& gone, std::string_view /*text*/) {
  const auto found = in->connections.find(gone.connection);
  if (found == in->connections.end()) return;
  Far& far = *found->second;
  if (gone.room && far.rooms.erase(*gone.room) > 0) {
    hub_.post(*gone.room, Disconnected{far.id()}, nullptr, [](std::optional<ErrorCode>) {});
  }
  if (gone.room && !far.rooms.empty()) return;
  forget(far);
  in->connections.erase(found);
}

void Neighbours::on(const InPointer& /*in*/, const link::Wake& wake, std::string_view /*text*/) {
  hub_.wake(wake.room);
}

void Neighbours::on(const InPointer& /*in*/, const link::Look& /*look*/,
                    std::string_view /*text*/) {
  renew();
}

void Neighbours::on(const InPointer& in, const link::Listing& listing, std::string_view /*text*/) {
  std::vector<ListedSince> rooms;
  for (const link::Listed& one : listing.rooms) {
    if (rooms.size() == limits::kLobbyRooms) break;
    rooms.push_back({one.room, now() - std::chrono::milliseconds(one.since_ms)});
  }
  hub_.hear_list(in->number, std::move(rooms));
}

void Neighbours::on(const InPointer& in, const link::Order& order, std::string_view text) {
  const auto say = [weak = std::weak_ptr(in)](const link::Report& report) {
    if (const auto there = weak.lock()) there->link->send(encoded(report));
  };
  const auto report = [&context = context_, say, number = order.number](link::Report whole) {
    asio::post(context, [say, number, whole = std::move(whole)] {
      link::Report part{number, {}, whole.count, whole.refusal, false};
      for (const ListedRoom& room : whole.rooms) {
        part.rooms.push_back(room);
        if (part.rooms.size() < limits::kReportRooms) continue;
        say(part);
        part.rooms.clear();
        part.count = 0;
      }
      part.is_last = true;
      say(part);
    });
  };
  hub_.obey(order, std::string(text), report);
}

void Neighbours::on(const InPointer& /*in*/, const link::Beat& /*beat*/,
                    std::string_view /*text*/) {}

void Neighbours::forget(Far& far) {
  for (const std::string& room : std::exchange(far.rooms, {})) {
    hub_.post(room, Disconnected{far.id()}, nullptr, [](std::optional<ErrorCode>) {});
  }
}

void Neighbours::lost(const InPointer& in) {
  in->link->end();
  for (const auto& [number, far] : std::exchange(in->connections, {})) forget(*far);
  hub_.hear_list(in->number, {});
  std::erase(in_, in);
}

}  // namespace triquetra
