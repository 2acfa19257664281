// `triquetra admin`: asks the operators' door of a server on this machine.
#pragma once

#include <string>

namespace triquetra::cli {

struct AdminRequest {
  std::string at = "127.0.0.1:9100";
  std::string token_file;
  std::string method;
  std::string path;
  std::string body = {};
};

/// Sends it and prints the answer; 0 if the server did it.
int run_admin(const AdminRequest& request);

}  // namespace triquetra::cli
