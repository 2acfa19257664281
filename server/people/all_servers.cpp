#include "server/people/all_servers.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>

#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/cluster/neighbours.hpp"
#include "server/people/hub.hpp"

namespace triquetra {

namespace {

bool everybody(std::uint32_t /*number*/, const std::string& /*name*/) { return true; }

AllServers::Silent silent_of(const std::vector<Reported>& reports) {
  AllServers::Silent silent;
  for (const Reported& one : reports) {
    if (!one.is_whole) silent.push_back(one.server);
  }
  return silent;
}

Closing closing_of(const std::optional<ErrorCode>& refusal) {
  if (!refusal) return Closing::closed;
  const bool is_none = *refusal == ErrorCode::no_such_room;
  return is_none ? Closing::no_such_room : Closing::storage_unavailable;
}

std::optional<ErrorCode> refusal_of(Closing closing) {
  switch (closing) {
    case Closing::closed:
      return std::nullopt;
    case Closing::no_such_room:
      return ErrorCode::no_such_room;
    case Closing::storage_unavailable:
    case Closing::unknown:
      break;
  }
  return ErrorCode::storage_unavailable;
}

std::vector<std::string> codes_of(const std::vector<ListedRoom>& rooms) {
  std::vector<std::string> codes;
  for (const ListedRoom& room : rooms) codes.push_back(room.room);
  return codes;
}

}  // namespace

std::optional<Swept> read_swept(const std::string& text) {
  const auto space = text.find(' ');
  const std::string word = text.substr(0, space);
  const std::string value = space == std::string::npos ? "" : text.substr(space + 1);
  constexpr int kHoursOfAYear = 24 * 365;
  Swept what;
  if (word == "address") {
    boost::system::error_code error;
    const bool is_any = boost::asio::ip::make_address(value, error).is_unspecified();
    if (error || is_any) return std::nullopt;
    what.address = value;
    return what;
  }
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, what.hours);
  const bool is_number = !value.empty() && read.ptr == end && read.ec == std::errc{};
  const bool is_time = is_number && what.hours >= 0 && what.hours <= kHoursOfAYear;
  return word == "idle" && is_time ? std::optional(what) : std::nullopt;
}

void AllServers::rooms(std::function<void(const std::optional<AllRooms>&)> done) {
  Neighbours* const others = hub_.neighbours();
  hub_.all_rooms([this, others, done = std::move(done)](const auto& here) {
    if (!here) return done(std::nullopt);
    if (others == nullptr) return done(AllRooms{*here, {}, {}});
    AllRooms all{*here, {}, {}};
    all.awake[others->name()] = codes_of(hub_.awake_rooms());
    const auto gathered = [all, done](const std::vector<Reported>& reports) mutable {
      std::set<std::string> known;
      for (const ListedRoom& room : all.rooms) known.insert(room.room);
      for (const Reported& one : reports) {
        std::vector<std::string>& awake = all.awake[one.server];
        for (const std::string& code : codes_of(one.report.rooms)) awake.push_back(code);
        for (const ListedRoom& room : one.report.rooms) {
          if (known.insert(room.room).second) all.rooms.push_back(room);
        }
      }
      all.silent = silent_of(reports);
      done(all);
    };
    others->order(link::Command::rooms, "", everybody, gathered);
  });
}

void AllServers::announce(const std::string& line, const std::function<void(const Silent&)>& done) {
  here_.announce(line);
  Neighbours* const others = hub_.neighbours();
  if (others == nullptr) return done({});
  others->order(link::Command::announce, line, everybody,
                [done](const auto& reports) { done(silent_of(reports)); });
}

void AllServers::close(const std::string& room, std::function<void(Closing)> done) {
  const auto owner = hub_.owner_elsewhere(room);
  if (!owner) return hub_.close(room, std::move(done));
  const auto is_it = [owner](std::uint32_t number, const auto&) { return number == *owner; };
  hub_.neighbours()->order(link::Command::close, room, is_it, [done](const auto& reports) {
    const bool is_told = reports.size() == 1 && reports.front().is_whole;
    done(is_told ? closing_of(reports.front().report.refusal) : Closing::unknown);
  });
}

void AllServers::sweep(const std::string& text, const Swept& what,
                       std::function<void(std::size_t, const Silent&)> done) {
  hub_.sweep(what, [this, text, done = std::move(done)](std::size_t here) {
    Neighbours* const others = hub_.neighbours();
    if (others == nullptr) return done(here, {});
    others->order(link::Command::sweep, text, everybody, [here, done](const auto& reports) {
      std::size_t all = here;
      for (const Reported& one : reports) all += static_cast<std::size_t>(one.report.count);
      done(all, silent_of(reports));
    });
  });
}

void AllServers::drain(const std::string& name, const std::function<void(bool)>& done) {
  Neighbours* const others = hub_.neighbours();
  const auto called = others == nullptr ? std::vector<std::uint32_t>() : others->called(name);
  const bool is_here = others != nullptr && name == others->name();
  if (name.empty() || (is_here && called.empty())) {
    done(true);
    return here_.drain();
  }
  if (is_here || called.size() != 1) return done(false);
  const auto is_it = [called](std::uint32_t number, const auto&) {
    return number == called.front();
  };
  others->order(link::Command::drain, "", is_it, [done](const auto& reports) {
    done(!reports.empty() && silent_of(reports).empty());
  });
}

void AllServers::obey(const link::Order& order, const std::string& text,
                      const std::function<void(link::Report)>& report) {
  link::Report whole;
  switch (order.what) {
    case link::Command::rooms:
      whole.rooms = hub_.awake_rooms();
      return report(std::move(whole));
    case link::Command::announce:
      here_.announce(text);
      return report(std::move(whole));
    case link::Command::close:
      return hub_.close(text, [whole, report](Closing closing) mutable {
        whole.refusal = refusal_of(closing);
        report(std::move(whole));
      });
    case link::Command::sweep: {
      const auto what = read_swept(text);
      if (!what) return report(std::move(whole));
      return hub_.sweep(*what, [whole, report](std::size_t count) mutable {
        whole.count = static_cast<std::int64_t>(count);
        report(std::move(whole));
      });
    }
    case link::Command::drain:
      report(std::move(whole));
      return here_.drain();
  }
}

}  // namespace triquetra
