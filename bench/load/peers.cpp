// The floor and the peers. All of them answer each act with one update for every member, and seats
// act in turn: who has n updates knows whose turn it is, and nothing needs to be read.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/load/dialects.hpp"

namespace triquetra::load {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
// bench/peers/draft60.mjs: laps of drafting and playing alternate.
constexpr std::uint64_t kActsOfAMatch = 88;
constexpr std::uint64_t kSeats = 4;

class InTurn : public Dialect {
 public:
  InTurn(Client& client, Workload& workload)
      : Dialect(client, workload),
        people_(workload.plan().rooms * workload.plan().members()),
        acts_(workload.plan().rooms) {}

  void act(std::size_t room, std::uint64_t due) override {
    const std::uint64_t number = acts_[room]++;
    const std::size_t actor = workload_.connection_of(room, number % workload_.plan().seats);
    people_[actor].due = due;
    ++open_;
    send_act(actor, number);
  }
  std::size_t open_acts() const override { return open_; }

 protected:
  virtual void send_act(std::size_t connection, std::uint64_t number) = 0;

  /// The first frame that counts: the connection has arrived, and the first seat may act.
  void joined(std::size_t connection) {
    if (people_[connection].has_arrived) return;
    people_[connection].has_arrived = true;
    arrive(connection);
    if (workload_.member_of(connection) == 0) {
      workload_.ready(*this, workload_.room_of(connection));
    }
  }
  bool has_joined(std::size_t connection) const { return people_[connection].has_arrived; }

  void updated(std::size_t connection, std::size_t bytes) {
    workload_.viewed(bytes);
    const std::uint64_t number = people_[connection].updates++;
    const std::uint64_t seats = workload_.plan().seats;
    const std::size_t member = workload_.member_of(connection);
    if (number % seats == member) {
      workload_.acted(people_[connection].due, number);
      --open_;
    }
    if ((number + 1) % seats == member) workload_.ready(*this, workload_.room_of(connection));
  }

 private:
  struct Person {
    std::uint64_t updates = 0;
    std::uint64_t due = 0;
    bool has_arrived = false;
  };
  std::vector<Person> people_;
  std::vector<std::uint64_t> acts_;  // of each room
  std::size_t open_ = 0;
};

std::string draft60_act(std::uint64_t number) {
  const bool is_draft = number % kActsOfAMatch / kSeats % 2 == 0;
  const std::uint64_t slot = number * 2654435761U >> 16U & 3U;
  return R"({"t":"act","seq":)" + std::to_string(number) + R"(,"move":")" +
         (is_draft ? "draft" : "play") + R"(","slot":)" + std::to_string(slot) + "}";
}

// bench/floor.cpp: a frame of its own kind is an answer, which the first byte tells.
class Floor final : public InTurn {
 public:
  using InTurn::InTurn;
  std::string path_of(std::size_t /*connection*/) override { return {}; }
  void opened(std::size_t connection) override {
    client_.send(connection, std::to_string(workload_.room_of(connection)) + ' ' +
                                 std::to_string(workload_.member_of(connection)));
  }
  void heard(std::size_t connection, std::string_view frame) override {
    if (frame.starts_with('a')) return workload_.answered(frame.size());
    if (has_joined(connection)) return updated(connection, frame.size());
    joined(connection);
  }

 private:
  void send_act(std::size_t connection, std::uint64_t number) override {
    std::string frame = draft60_act(number);
    if (frame.size() < workload_.plan().frame_bytes) {
      frame.resize(workload_.plan().frame_bytes, ' ');
    }
    client_.send(connection, frame);
  }
};

// bench/peers/ws-server.mjs and bench/broadcast.cpp.
class Draft60 final : public InTurn {
 public:
  using InTurn::InTurn;
  std::string path_of(std::size_t connection) override {
    return "/?room=" + std::to_string(workload_.room_of(connection)) +
           "&seat=" + std::to_string(workload_.member_of(connection));
  }
  void opened(std::size_t /*connection*/) override {}
  void heard(std::size_t connection, std::string_view frame) override {
    if (!has_joined(connection)) return joined(connection);
    if (frame.starts_with(R"({"t":"err)")) return workload_.complain(frame);
    if (frame.starts_with('a')) return workload_.answered(frame.size());
    updated(connection, frame.size());
  }

 private:
  void send_act(std::size_t connection, std::uint64_t number) override {
    client_.send(connection, draft60_act(number));
  }
};

// bench/peers/bgio-server.cjs, by socket.io's transport over one WebSocket.
class BoardgameIo final : public InTurn {
 public:
  BoardgameIo(Client& client, Workload& workload)
      : InTurn(client, workload), states_(workload.plan().rooms * workload.plan().members()) {}
  std::string path_of(std::size_t /*connection*/) override {
    return "/socket.io/?EIO=4&transport=websocket";
  }
  void opened(std::size_t /*connection*/) override {}
  void heard(std::size_t connection, std::string_view frame) override {
    if (frame.starts_with('2')) return client_.send(connection, "3");
    if (frame.starts_with('0')) return client_.send(connection, "40/draft60,");
    if (frame.starts_with("40")) {
      return client_.send(connection, R"(42/draft60,["sync",)" + names_of(connection) + ",null," +
                                          std::to_string(kSeats) + "]");
    }
    if (frame.starts_with("44")) return workload_.complain(frame);
    // A sync has the state as it was at first before the newest; an update has older ones behind
    // it.
    const bool is_sync = frame.starts_with(R"(42/draft60,["sync")");
    static constexpr std::string_view kState = R"("_stateID":)";
    const std::size_t state = is_sync ? frame.rfind(kState) : frame.find(kState);
    if (state != kNowhere) {
      states_[connection] = std::stoull(std::string(frame.substr(state + kState.size(), 12)));
    }
    if (is_sync) return joined(connection);
    if (frame.starts_with(R"(42/draft60,["update")")) updated(connection, frame.size());
  }

 private:
  std::string names_of(std::size_t connection) const {
    return "\"m" + std::to_string(workload_.room_of(connection)) + R"(",")" +
           std::to_string(workload_.member_of(connection)) + '"';
  }
  void send_act(std::size_t connection, std::uint64_t number) override {
    const bool is_draft = number % kActsOfAMatch / kSeats % 2 == 0;
    const std::string seat = std::to_string(workload_.member_of(connection));
    client_.send(connection, R"(42/draft60,["update",{"type":"MAKE_MOVE","payload":{"type":")" +
                                 std::string(is_draft ? "draft" : "play") + R"(","args":[)" +
                                 std::to_string(number * 2654435761U >> 16U & 3U) +
                                 R"(],"playerID":")" + seat + R"(","credentials":null}},)" +
                                 std::to_string(states_[connection]) + "," + names_of(connection) +
                                 "]");
  }

  std::vector<std::uint64_t> states_;
};

}  // namespace

Framing framing_of(std::string_view dialect) {
  return dialect == "floor" ? Framing::length : Framing::web_socket;
}

std::unique_ptr<Dialect> make_dialect(std::string_view name, Client& client, Workload& workload) {
  if (name == "triquetra") return make_triquetra(client, workload);
  if (name == "floor") return std::make_unique<Floor>(client, workload);
  if (name == "draft60") return std::make_unique<Draft60>(client, workload);
  if (name == "boardgame.io") return std::make_unique<BoardgameIo>(client, workload);
  return nullptr;
}

}  // namespace triquetra::load
