// The raw floor: what the kernel asks for the bytes of an act, and nothing else. One thread, epoll,
// no rules: each frame of a seat is answered by a short frame, and a constant one to every member
// of its room. Frames have four bytes of length before them; the first of a connection names its
// room and its place there.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace triquetra::bench {
namespace {

struct Sizes {
  std::size_t view = 870;
  std::size_t watcher_view = 870;
  std::size_t answer = 45;
  std::size_t seats = 4;
  bool joined = false;
};

struct Member {
  int socket = -1;
  std::optional<std::size_t> room;
  std::size_t place = 0;
  std::string unread;
  std::string unsent;
};

std::string framed(char content, std::size_t size) {
  const auto length = static_cast<std::uint32_t>(size);
  std::string frame(sizeof length, '\0');
  std::memcpy(frame.data(), &length, sizeof length);
  return frame.append(size, content);
}

// The frame that a text begins with; none if it is not whole.
std::optional<std::string_view> first_frame(std::string_view text) {
  std::uint32_t length = 0;
  if (text.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, text.data(), sizeof length);
  if (text.size() - sizeof length < length) return std::nullopt;
  return text.substr(sizeof length, length);
}

class Floor {
 public:
  Floor(std::uint16_t port, const Sizes& sizes)
      : sizes_(sizes),
        view_(framed('v', sizes.view)),
        watcher_view_(framed('v', sizes.watcher_view)),
        answer_(framed('a', sizes.answer)),
        answer_and_view_(answer_ + view_),
        epoll_(epoll_create1(0)),
        door_(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    const int yes = 1;
    setsockopt(door_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(door_, std::bit_cast<sockaddr*>(&address), sizeof address) != 0 ||
        listen(door_, 4096) != 0) {
      throw std::runtime_error("the port is taken");
    }
    watch(EPOLL_CTL_ADD, door_, EPOLLIN);
  }

  void run() {
    std::array<epoll_event, 256> events{};
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), events.size(), -1);
      for (std::size_t i = 0; std::cmp_less(i, count); ++i) {
        const epoll_event& event = events.at(i);
        if (event.data.fd == door_) {
          let_in();
        } else if (members_.at(static_cast<std::size_t>(event.data.fd))) {
          serve(*members_[static_cast<std::size_t>(event.data.fd)], event.events);
        }
      }
    }
  }

 private:
  void watch(int how, int socket, std::uint32_t events) const {
    epoll_event event{};
    event.events = events;
    event.data.fd = socket;
    epoll_ctl(epoll_, how, socket, &event);
  }

  void let_in() {
    for (int socket = -1; (socket = accept4(door_, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
      const int yes = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      const auto number = static_cast<std::size_t>(socket);
      if (members_.size() <= number) members_.resize(number + 1);
      members_[number] = std::make_unique<Member>();
      members_[number]->socket = socket;
      watch(EPOLL_CTL_ADD, socket, EPOLLIN);
    }
  }

  void serve(Member& member, std::uint32_t events) {
    if ((events & EPOLLOUT) != 0 && !member.unsent.empty()) flush(member);
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) return;
    const ssize_t count = recv(member.socket, buffer_.data(), buffer_.size(), 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return let_go(member);
    member.unread.append(buffer_.data(), static_cast<std::size_t>(count));
    std::size_t taken = 0;
    while (const auto frame = first_frame(std::string_view(member.unread).substr(taken))) {
      taken += sizeof(std::uint32_t) + frame->size();
      hear(member, *frame);
    }
    member.unread.erase(0, taken);
  }

  void hear(Member& member, std::string_view frame) {
    if (member.room) {
      if (!sizes_.joined) send(member, answer_);
      return tell_room(member);
    }
    std::size_t room = 0;
    std::sscanf(std::string(frame).c_str(), "%zu %zu", &room, &member.place);
    member.room = room;
    if (rooms_.size() <= room) rooms_.resize(room + 1);
    rooms_[room].push_back(&member);
    send(member, view_);
  }

  void tell_room(const Member& actor) {
    for (Member* member : rooms_[*actor.room]) {
      const bool is_actor = member == &actor;
      const std::string& view = member->place < sizes_.seats ? view_ : watcher_view_;
      send(*member, is_actor && sizes_.joined ? answer_and_view_ : view);
    }
  }

  void send(Member& member, std::string_view bytes) {
    if (member.unsent.empty()) {
      const ssize_t sent = ::send(member.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent == static_cast<ssize_t>(bytes.size())) return;
      if (sent < 0 && errno != EAGAIN) return;
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
      watch(EPOLL_CTL_MOD, member.socket, EPOLLIN | EPOLLOUT);
    }
    member.unsent.append(bytes);
  }

  void flush(Member& member) {
    const ssize_t sent =
        ::send(member.socket, member.unsent.data(), member.unsent.size(), MSG_NOSIGNAL);
    if (sent > 0) member.unsent.erase(0, static_cast<std::size_t>(sent));
    if (member.unsent.empty()) watch(EPOLL_CTL_MOD, member.socket, EPOLLIN);
  }

  void let_go(Member& member) {
    if (member.room) std::erase(rooms_[*member.room], &member);
    close(member.socket);
    members_[static_cast<std::size_t>(member.socket)].reset();
  }

  Sizes sizes_;
  std::string view_;
  std::string watcher_view_;
  std::string answer_;
  std::string answer_and_view_;
  int epoll_;
  int door_;
  std::array<char, 64 * 1024> buffer_{};
  std::vector<std::unique_ptr<Member>> members_;  // by their sockets
  std::vector<std::vector<Member*>> rooms_;
};

}  // namespace
}  // namespace triquetra::bench

int main(int argc, char** argv) {
  CLI::App app{"Answers acts with constant bytes"};
  std::uint16_t port = 0;
  triquetra::bench::Sizes sizes;
  app.add_option("--port", port, "on this machine")->required();
  app.add_option("--view", sizes.view, "bytes for each seat");
  app.add_option("--watcher-view", sizes.watcher_view, "bytes for everybody else");
  app.add_option("--answer", sizes.answer, "bytes for who has acted");
  app.add_option("--seats", sizes.seats, "of each room");
  app.add_flag("--joined", sizes.joined, "answer and view of who has acted go out together");
  CLI11_PARSE(app, argc, argv);
  const auto floor = std::make_unique<triquetra::bench::Floor>(port, sizes);
  floor->run();
}
