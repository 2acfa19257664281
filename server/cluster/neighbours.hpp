// The other servers on the same database: renews this one's lease, learns with it who else lives,
// and says whose every room is. Frames for rooms of others go to them by links; what comes by link
// is for rooms of ours. Lives on the hub's first thread; every function is called there.
#pragma once

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/clock.hpp"
#include "server/base/lease.hpp"
#include "server/cluster/link.hpp"
#include "server/cluster/link_messages.hpp"
#include "server/cluster/owners.hpp"
#include "server/room/connection.hpp"
#include "server/room/messages.hpp"
#include "server/room/room_news.hpp"
#include "server/store/event_store.hpp"

namespace triquetra {

/// One of several servers, as its host has named it.
struct NodeOptions {
  std::uint32_t id = 0;  // drawn anew by each process
  std::string name;
  std::string address;  // HOST:PORT where others reach it
  link::MakeLinks make_links;
};

/// A frame for a room that lives elsewhere, or may.
struct Parcel {
  std::string room;
  std::optional<FromClient> letter;  // none: the room's clock has rung
  ConnectionPointer connection;      // the client's; null for a clock
  std::function<void(ErrorCode)> missing;
  TimePoint until{};  // no answer later than that
};

/// What another server has reported of an operator's order.
struct Reported {
  std::string server;     // its name
  bool is_whole = false;  // false: it has not answered in time
  link::Report report{};
};

class Neighbours {
 public:
  /// Why a room here did not take a message; none: it is not here.
  using Missing = std::function<void(std::optional<ErrorCode>)>;
  /// What the hub does for its neighbours.
  struct Hub {
    std::function<void(std::shared_ptr<const Owners>)> changed;
    std::function<void(const std::string& room, RoomMessage, ConnectionPointer, Missing)> post;
    std::function<void(const std::string& room)> wake;
    /// The rooms here that everybody is shown.
    std::function<std::vector<ListedSince>()> list;
    /// Those of another server, in place of what that link has said before; none once it is gone.
    std::function<void(std::uint64_t link, std::vector<ListedSince>)> hear_list;
    /// An order of an operator at another server.
    std::function<void(const link::Order&, const std::string& text,
                       std::function<void(link::Report)>)>
        obey;
  };

  /// Makes the links; throws what that throws.
  Neighbours(boost::asio::io_context& context, EventStore& store, Lease& lease, NodeOptions options,
             Hub hub);
  ~Neighbours() = default;
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  /// Takes a lease, and lets in who comes by link.
  void start();
  /// Brings this to the room's owner. Who waits for one that is not known is answered in the end.
  void post(Parcel parcel);
  /// A connection of ours has left a room of others.
  void gone(ConnectionId connection, const std::string& room);
  /// The list of rooms here has changed.
  void tell_list();
  /// Has all other servers that live carry this out, or the one alone for whom is(number, name).
  /// `done` hears within limits::kLinkPatience.
  void order(link::Command what, const std::string& text,
             const std::function<bool(std::uint32_t, const std::string&)>& is,
             std::function<void(std::vector<Reported>)> done);
  /// Whether other servers read newer logs than this one, and have all rooms. From any thread.
  bool is_behind() const { return is_behind_; }
  /// The numbers of those of this name that are linked with this one.
  std::vector<std::uint32_t> called(const std::string& name) const;
  /// What this server is called.
  const std::string& name() const { return options_.name; }
  /// Owns nothing from now on; still renews the lease.
  void step_down();
  /// Gives the lease up, and tells the others.
  void leave(std::function<void()> done);

 private:
  struct Node {
    LiveNode known;
    TimePoint active_at;
  };
  /// A request that another server has, until it answers.
  struct Awaited {
    Parcel parcel;  // without its connection
    std::weak_ptr<Connection> connection;
  };
  /// An order that others are carrying out.
  struct Ordered {
    Ordered(boost::asio::io_context& context, std::function<void(std::vector<Reported>)> hears)
        : done(std::move(hears)), deadline(context) {}
    std::vector<Reported> reports{};
    std::size_t left = 0;
    std::function<void(std::vector<Reported>)> done;
    Timer deadline;
    /// One more has answered, or never will.
    void count();
    void end();
  };
  struct AwaitedReport {
    std::shared_ptr<Ordered> order;
    std::size_t place = 0;  // in its reports
  };
  /// A link that we made.
  struct Out {
    std::uint32_t id = 0;
    std::string address;
    link::LinkPointer link;  // null: being made, or to be made
    bool is_up = false;
    bool is_being_made = false;
    TimePoint up_since{};
    TimePoint again_at{};  // no other link before
    std::int64_t last_number = 0;
    std::map<std::int64_t, Awaited> awaited{};
    std::map<std::int64_t, AwaitedReport> ordered{};
    std::map<ConnectionId, std::weak_ptr<Connection>> connections{};
  };
  class Far;
  /// A link that another server made.
  struct In {
    link::LinkPointer link;
    const std::uint64_t number;  // of all that ever came
    bool has_greeted = false;
    std::map<std::int64_t, std::shared_ptr<Far>> connections{};
  };
  using InPointer = std::shared_ptr<In>;

  void look();
  void renew();
  void renewed(TimePoint asked, const std::optional<std::vector<LiveNode>>& nodes);
  void lapse();
  void give_up();
  void find_owners();
  void set_owners(Owners owners);

  void route(Parcel parcel);
  void wait(Parcel parcel);
  void send(std::uint32_t node, Out& out, Parcel parcel);
  void cut(Connection& connection);
  std::optional<std::uint32_t> way(ConnectionId connection, const std::string& room) const;

  link::Listing listing() const;
  void look_after_links(TimePoint at);
  void make(std::uint32_t node);
  void made(std::uint32_t node, link::LinkPointer link);
  void hear(std::uint32_t node, std::string_view message);
  void on(Out& out, const link::Shown& shown, std::string_view text);
  void on(Out& out, const link::Told& told, std::string_view text);
  void on(Out& out, const link::Missing& missing, std::string_view text);
  void on(Out& out, const link::Elsewhere& elsewhere, std::string_view text);
  void on(Out& out, const link::Finish& finish, std::string_view text);
  void on(Out& out, const link::Report& report, std::string_view text);
  void on(Out& out, const link::Look& look, std::string_view text);
  void on(Out& out, const link::Beat& beat, std::string_view text);
  std::optional<Awaited> answered(Out& out, std::int64_t number);
  void lost(std::uint32_t node);

  void let_in(link::LinkPointer link);
  void hear(const InPointer& in, std::string_view message);
  void on(const InPointer& in, const link::Greeting& greeting, std::string_view text);
  void on(const InPointer& in, const link::Request& request, std::string_view text);
  void on(const InPointer& in, const link::Gone& gone, std::string_view text);
  void on(const InPointer& in, const link::Wake& wake, std::string_view text);
  void on(const InPointer& in, const link::Look& look, std::string_view text);
  void on(const InPointer& in, const link::Listing& listing, std::string_view text);
  void on(const InPointer& in, const link::Order& order, std::string_view text);
  void on(const InPointer& in, const link::Beat& beat, std::string_view text);
  void forget(Far& far);
  void lost(const InPointer& in);

  boost::asio::io_context& context_;
  EventStore& store_;
  Lease& lease_;
  const NodeOptions options_;
  Hub hub_;
  const std::unique_ptr<link::Links> links_;
  Timer timer_;
  std::map<std::uint32_t, Node> nodes_;
  std::shared_ptr<const Owners> owners_;
  bool is_asking_ = false;
  bool steps_down_ = false;
  std::atomic<bool> is_behind_{false};
  bool has_left_ = false;
  std::function<void()> left_;  // once it is kept
  TimePoint renew_at_{};
  TimePoint sweep_at_{};
  std::map<std::uint32_t, Out> out_;
  std::list<InPointer> in_;  // those that came first in front
  std::map<ConnectionId, std::map<std::string, std::uint32_t>> ways_;  // by room, to whom it went
  std::list<Parcel> waiting_;
  ConnectionId last_far_ = 0;
  std::uint64_t last_in_ = 0;
};

}  // namespace triquetra
