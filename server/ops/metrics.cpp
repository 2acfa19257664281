#include "server/ops/metrics.hpp"

#include <malloc.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <atomic>
#include <map>

#include "protocol/catalog.hpp"
#include "protocol/reflect.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace triquetra {

namespace {

/// What this program has allocated and not given back; the system's figure has in it what the
/// allocator keeps for later.
std::size_t heap_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return __sanitizer_get_current_allocated_bytes();
#else
  const struct mallinfo2 known = mallinfo2();
  return known.uordblks + known.hblkhd;
#endif
}

using Labels = std::map<std::string, std::string>;
using Bounds = prometheus::Histogram::BucketBoundaries;

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

struct Metrics::Parts {
  prometheus::Registry registry;

  prometheus::Gauge& gauge(const char* name, const char* help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
  }
  prometheus::Counter& counter(const char* name, const char* help, const Labels& labels = {}) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add(labels);
  }
  prometheus::Histogram& histogram(const char* name, const char* help, const Bounds& bounds) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({}, bounds);
  }

  const Bounds times{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5};
  const Bounds sizes{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

  prometheus::Gauge& connections = gauge("triquetra_connections", "Open WebSockets");
  prometheus::Gauge& rooms = gauge("triquetra_rooms", "Rooms that are awake");
  prometheus::Gauge& asleep =
      gauge("triquetra_rooms_asleep", "Rooms that the store alone has, until somebody comes");
  prometheus::Gauge& mailbox = gauge("triquetra_mailbox_messages", "Messages that wait for rooms");
  prometheus::Gauge& outbox =
      gauge("triquetra_outbox_frames", "Frames that wait to be written to peers");
  prometheus::Gauge& thoughts_waiting =
      gauge("triquetra_thoughts_waiting", "Thoughts of bots and hints that wait for a thread");
  prometheus::Gauge& thoughts_running =
      gauge("triquetra_thoughts_running", "Thoughts that a thread is at");
  prometheus::Gauge& heap = gauge("triquetra_heap_bytes", "Bytes of memory in use");
  prometheus::Gauge& store_queue =
      gauge("triquetra_store_queue", "Calls that wait for the store's thread");
  prometheus::Gauge& store =
      gauge("triquetra_store_well", "1 while the store takes what it is given");
  prometheus::Counter& resumes =
      counter("triquetra_resumes_total", "Players who came back with a token");
  prometheus::Counter& covers = counter("triquetra_takeovers_total", "Seats that a bot took over");
  prometheus::Histogram& act_time = histogram(
      "triquetra_act_seconds", "From an act's arrival at its room until it is kept", times);
  prometheus::Histogram& commit_time =
      histogram("triquetra_commit_seconds", "One commit of the log", times);
  prometheus::Histogram& commit_size =
      histogram("triquetra_commit_appends", "Appends that one commit held", sizes);
  prometheus::Gauge& live_servers =
      gauge("triquetra_live_servers", "Servers of this database that have a lease; 0: it is alone");
  prometheus::Gauge& links = gauge("triquetra_links", "Links to other servers that are up");
  prometheus::Counter& lapses =
      counter("triquetra_lease_lapses_total", "Times that this server's lease has ended");
  prometheus::Counter& rooms_taken =
      counter("triquetra_rooms_taken_total", "Rooms whose logs another server had written last");
  std::map<std::string, prometheus::Counter*, std::less<>> acts;
  std::map<std::string, prometheus::Counter*, std::less<>> acts_refused;
  std::map<ErrorCode, prometheus::Counter*> refusals;
  std::map<std::string, prometheus::Counter*, std::less<>> turned_away;
  std::map<std::string, prometheus::Counter*, std::less<>> thoughts;
  std::atomic<bool> stores_well{true};  // read by whoever answers /readyz

  Parts() {
    for (const GameKind& game : catalog()) {
      const std::string name(game.name);
      constexpr const char* kHelp = "Acts of people by game and result";
      acts[name] = &counter("triquetra_acts_total", kHelp, {{"game", name}, {"result", "ok"}});
      acts_refused[name] =
          &counter("triquetra_acts_total", kHelp, {{"game", name}, {"result", "refused"}});
    }
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<ErrorCode>>([&](auto entry) {
      refusals[entry.value] =
          &counter("triquetra_refused_total", "Requests refused, by code", {{"code", entry.name}});
    });
    for (const char* why : {"host", "origin", "address"}) {
      turned_away[why] =
          &counter("triquetra_turned_away_total", "Connections not let in", {{"why", why}});
    }
    for (const char* time : {"whole", "shortened", "none"}) {
      thoughts[time] = &counter("triquetra_thoughts_total",
                                "Thoughts of bots and hints, by the time that there was for them",
                                {{"time", time}});
    }
    store.Set(1);
  }
};

Metrics::Metrics() : parts_(std::make_unique<Parts>()) {}
Metrics::~Metrics() = default;

void Metrics::connected(bool here) { parts_->connections.Increment(here ? 1 : -1); }
void Metrics::rooms(std::size_t awake, std::size_t asleep) {
  parts_->rooms.Set(static_cast<double>(awake));
  parts_->asleep.Set(static_cast<double>(asleep));
}
void Metrics::waiting(bool here) { parts_->mailbox.Increment(here ? 1 : -1); }
void Metrics::outbox(std::int64_t more) { parts_->outbox.Increment(static_cast<double>(more)); }
void Metrics::store_waits(std::size_t count) {
  parts_->store_queue.Set(static_cast<double>(count));
}
void Metrics::resumed() { parts_->resumes.Increment(); }
void Metrics::covered() { parts_->covers.Increment(); }
void Metrics::refused(ErrorCode code) { parts_->refusals.at(code)->Increment(); }

void Metrics::named(const std::string& server) {
  prometheus::BuildGauge()
      .Name("triquetra_server_info")
      .Help("1, with the name of this server among several")
      .Register(parts_->registry)
      .Add({{"server", server}})
      .Set(1);
}

void Metrics::live_servers(std::size_t count) {
  parts_->live_servers.Set(static_cast<double>(count));
}
void Metrics::links(std::size_t count) { parts_->links.Set(static_cast<double>(count)); }
void Metrics::lease_lapsed() { parts_->lapses.Increment(); }
void Metrics::took_over() { parts_->rooms_taken.Increment(); }

void Metrics::turned_away(std::string_view why) {
  parts_->turned_away.find(why)->second->Increment();
}

void Metrics::thought_waits(bool here) { parts_->thoughts_waiting.Increment(here ? 1 : -1); }
void Metrics::thought_runs(bool here) { parts_->thoughts_running.Increment(here ? 1 : -1); }
void Metrics::thought(std::string_view time) { parts_->thoughts.find(time)->second->Increment(); }

void Metrics::acted(std::string_view game, std::chrono::nanoseconds took) {
  parts_->act_time.Observe(seconds_of(took));
  const auto found = parts_->acts.find(game);
  if (found != parts_->acts.end()) found->second->Increment();
}

void Metrics::act_refused(std::string_view game) {
  const auto found = parts_->acts_refused.find(game);
  if (found != parts_->acts_refused.end()) found->second->Increment();
}

void Metrics::committed(std::size_t appends, std::chrono::microseconds took) {
  parts_->commit_time.Observe(seconds_of(took));
  parts_->commit_size.Observe(static_cast<double>(appends));
}

void Metrics::stored(bool well) {
  parts_->store.Set(well ? 1 : 0);
  parts_->stores_well = well;
}

bool Metrics::stores_well() const { return parts_->stores_well; }

std::string Metrics::text() const {
  parts_->heap.Set(static_cast<double>(heap_bytes()));
  return prometheus::TextSerializer().Serialize(parts_->registry.Collect());
}

Metrics& metrics() {
  static Metrics the_metrics;
  return the_metrics;
}

}  // namespace triquetra
