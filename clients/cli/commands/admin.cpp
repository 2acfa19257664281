#include "clients/cli/commands/admin.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <fstream>
#include <iostream>
#include <stdexcept>

namespace triquetra::cli {

namespace asio = boost::asio;

namespace {

std::string answer_to(const AdminRequest& request, const std::string& token) {
  const auto colon = request.at.rfind(':');
  if (colon == std::string::npos) throw std::runtime_error(request.at + " is not ADDRESS:PORT");
  asio::io_context io(1);
  asio::ip::tcp::resolver resolver(io);
  asio::ip::tcp::socket socket(io);
  asio::connect(socket,
                resolver.resolve(request.at.substr(0, colon), request.at.substr(colon + 1)));
  asio::write(socket,
              asio::buffer(request.method + " " + request.path +
                           " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
                           "\r\nConnection: close\r\nContent-Length: " +
                           std::to_string(request.body.size()) + "\r\n\r\n" + request.body));
  std::string answer;
  boost::system::error_code end;
  asio::read(socket, asio::dynamic_buffer(answer), end);
  return answer;
}

}  // namespace

int run_admin(const AdminRequest& request) {
  std::ifstream file(request.token_file);
  std::string token;
  if (!std::getline(file, token)) {
    std::cerr << "triquetra: " << request.token_file << " holds no token\n";
    return 2;
  }
  try {
    const std::string answer = answer_to(request, token);
    const auto body = answer.find("\r\n\r\n");
    const bool well = answer.starts_with("HTTP/1.1 200");
    if (body != std::string::npos) (well ? std::cout : std::cerr) << answer.substr(body + 4);
    return well ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "triquetra: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace triquetra::cli
