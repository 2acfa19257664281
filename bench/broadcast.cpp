// The bare broadcast server: what Beast asks on top of the floor. No rules and no views: each act
// is answered by a short frame, and a constant one to every member of its room. One thread.
#include <CLI/CLI.hpp>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace triquetra::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Tcp = asio::ip::tcp;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<Tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;

constexpr std::size_t kMessageBytes = 4096;

class Member;
using Rooms = std::map<std::size_t, std::vector<std::shared_ptr<Member>>>;

struct Frames {
  std::string view;
  std::string answer;
};

class Member : public std::enable_shared_from_this<Member> {
 public:
  Member(Socket socket, Rooms& rooms, const Frames& frames)
      : stream_(std::move(socket)), rooms_(rooms), frames_(frames) {
    stream_.read_message_max(kMessageBytes);
    stream_.auto_fragment(false);
    stream_.text(true);
  }

  void begin() {
    beast::http::async_read(stream_.next_layer(), buffer_, request_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->upgrade();
                            });
  }

 private:
  void upgrade() {
    std::sscanf(std::string(request_.target()).c_str(), "/?room=%zu", &room_);
    stream_.async_accept(request_, [self = shared_from_this()](beast::error_code error) {
      if (error) return;
      self->request_ = {};
      self->buffer_.clear();
      self->rooms_[self->room_].push_back(self);
      self->send(self->frames_.view);
      self->read();
    });
  }
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->leave();
      self->buffer_.clear();
      self->send(self->frames_.answer);
      for (const auto& member : self->rooms_[self->room_]) member->send(self->frames_.view);
      self->read();
    });
  }
  void leave() { std::erase(rooms_[room_], shared_from_this()); }
  void send(const std::string& frame) {
    waiting_.push_back(&frame);
    if (waiting_.size() == 1) write();
  }
  void write() {
    stream_.async_write(asio::buffer(*waiting_.front()),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          if (error) return;  // reading tells
                          self->waiting_.pop_front();
                          if (!self->waiting_.empty()) self->write();
                        });
  }

  beast::websocket::stream<Socket> stream_;
  beast::flat_buffer buffer_;
  beast::http::request<beast::http::empty_body> request_;
  std::deque<const std::string*> waiting_;
  std::size_t room_ = 0;
  Rooms& rooms_;
  const Frames& frames_;
};

void let_in(Acceptor& acceptor, Rooms& rooms, const Frames& frames) {
  acceptor.async_accept([&](beast::error_code error, Socket socket) {
    if (!error) {
      socket.set_option(Tcp::no_delay(true));
      std::make_shared<Member>(std::move(socket), rooms, frames)->begin();
    }
    let_in(acceptor, rooms, frames);
  });
}

}  // namespace
}  // namespace triquetra::bench

int main(int argc, char** argv) {
  namespace bench = triquetra::bench;
  CLI::App app{"Answers acts with constant bytes, by way of Beast"};
  std::uint16_t port = 0;
  std::size_t view = 870;
  std::size_t answer = 45;
  app.add_option("--port", port, "on this machine")->required();
  app.add_option("--view", view, "bytes for everybody");
  app.add_option("--answer", answer, "bytes for who has acted");
  CLI11_PARSE(app, argc, argv);
  const bench::Frames frames{std::string(view, 'v'), std::string(answer, 'a')};
  bench::asio::io_context context(1);
  bench::Acceptor acceptor(context, {bench::asio::ip::address_v4::loopback(), port});
  bench::Rooms rooms;
  bench::let_in(acceptor, rooms, frames);
  context.run();
}
