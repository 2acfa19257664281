#include "server/people/peer_address.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace triquetra {

namespace ip = boost::asio::ip;

namespace {

using Bytes = std::array<unsigned char, 16>;

std::optional<ip::address> parsed(std::string_view text) {
  boost::system::error_code error;
  ip::address address = ip::make_address(std::string(text), error);
  if (error) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

Bytes bytes_of(const ip::address& address) {
  if (address.is_v6()) return address.to_v6().to_bytes();
  return ip::make_address_v6(ip::v4_mapped, address.to_v4()).to_bytes();
}

bool agree(const Bytes& a, const Bytes& b, unsigned bits) {
  for (std::size_t i = 0; i < a.size() && bits > 0; ++i) {
    const unsigned here = std::min(bits, 8U);
    const unsigned mask = 0xFFU << (8 - here) & 0xFFU;
    if (((a[i] ^ b[i]) & mask) != 0) return false;
    bits -= here;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// A Host without its port and brackets.
std::string_view name_of(std::string_view host) {
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

}  // namespace

Networks::Networks(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const auto slash = text.find('/');
    const auto address = parsed(std::string_view(text).substr(0, slash));
    const unsigned most = address && address->is_v4() ? 32 : 128;
    unsigned prefix = most;
    bool fits = address.has_value();
    if (slash != std::string::npos) {
      const char* const end = text.data() + text.size();
      const auto read = std::from_chars(text.data() + slash + 1, end, prefix);
      fits = fits && read.ec == std::errc() && read.ptr == end && prefix <= most;
    }
    if (!fits) throw std::runtime_error(text + " is neither an address nor a network");
    networks_.push_back({bytes_of(*address), prefix + (128 - most)});
  }
}

bool Networks::contains(std::string_view address) const {
  const auto known = parsed(address);
  if (!known) return false;
  const Bytes bytes = bytes_of(*known);
  return std::any_of(networks_.begin(), networks_.end(), [&](const Network& network) {
    return agree(bytes, network.bytes, network.prefix);
  });
}

std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           const Networks& trusted) {
  const auto nearest = parsed(peer);
  std::string found = nearest ? nearest->to_string() : std::string(peer);
  while (!forwarded_for.empty() && trusted.contains(found)) {
    const auto comma = forwarded_for.rfind(',');
    const bool is_first = comma == std::string_view::npos;
    const auto next = parsed(trimmed(forwarded_for.substr(is_first ? 0 : comma + 1)));
    if (!next) break;
    found = next->to_string();
    forwarded_for = forwarded_for.substr(0, is_first ? 0 : comma);
  }
  return found;
}

std::string household_of(std::string_view address) {
  const auto known = parsed(address);
  if (!known || known->is_v4()) return std::string(address);
  ip::address_v6::bytes_type bytes = known->to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::make_address_v6(bytes).to_string() + "/64";
}

bool is_host_allowed(std::string_view host, const std::vector<std::string>& allowed) {
  std::string name = lower(name_of(host));
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) return false;
  if (parsed(name) || name.find('.') == std::string::npos) return true;
  for (const std::string_view ending : {".local", ".lan", ".internal", ".home.arpa"}) {
    if (name.ends_with(ending)) return true;
  }
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& one) { return one == "*" || lower(one) == name; });
}

}  // namespace triquetra
