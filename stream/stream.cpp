#include "stream/stream.hpp"

#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include <utility>

namespace triquetra {

void Stream::async_handshake(asio::ssl::stream_base::handshake_type as,
                             std::function<void(error_code)> done) {
  tls().async_handshake(as, std::move(done));
}

void Stream::async_shutdown(std::function<void(error_code)> done) {
  tls().async_shutdown(std::move(done));
}

void Stream::read_some(const Some<asio::mutable_buffer>& buffers, WhenDone done) {
  if (is_tls()) return tls().async_read_some(buffers, std::move(done));
  next_layer().async_read_some(buffers, std::move(done));
}

void Stream::write_some(const Some<asio::const_buffer>& buffers, WhenDone done) {
  if (is_tls()) return tls().async_write_some(buffers, std::move(done));
  next_layer().async_write_some(buffers, std::move(done));
}

void Stream::tear_down(beast::role_type role, std::function<void(error_code)> done) {
  using beast::websocket::async_teardown;
  if (is_tls()) return async_teardown(role, tls(), std::move(done));
  async_teardown(role, next_layer(), std::move(done));
}

}  // namespace triquetra
