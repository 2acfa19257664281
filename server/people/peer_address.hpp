// Where a peer comes from: its address, or what a proxy that the host trusts says it is. Addresses
// are texts in their shortest form here, as Asio prints them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace triquetra {

/// Single addresses and networks, such as 10.0.0.1, 10.0.0.0/8, ::1 and fd00::/8.
class Networks {
 public:
  Networks() = default;
  /// Throws std::runtime_error that names the text that is none.
  explicit Networks(const std::vector<std::string>& texts);
  bool contains(std::string_view address) const;

 private:
  struct Network {
    std::array<unsigned char, 16> bytes{};
    unsigned prefix{};  // in bits of 128
  };
  std::vector<Network> networks_;
};

/// The address of who speaks to us through `peer`. If that is a trusted proxy, the last address of
/// X-Forwarded-For that is none: what stands before it is hearsay.
std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           const Networks& trusted);

/// What one household has: an IPv4 address, or the first 64 bits of an IPv6 one.
std::string household_of(std::string_view address);

/// Whether a page at this Host may be one of ours: an address, a name that no public name service
/// knows (without a dot, or below .local, .lan, .internal, .home.arpa), or one that the host allows
/// ("*" for all). Else a stranger's page could point its own name here.
bool is_host_allowed(std::string_view host, const std::vector<std::string>& allowed);

}  // namespace triquetra
