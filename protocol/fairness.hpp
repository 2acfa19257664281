// How a shuffle is made that neither the server nor a player can bend, and how it is checked
// afterwards. docs/FAIRNESS.md says the same for other languages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rng.hpp"

namespace triquetra {

/// SHA-256 of bytes.
std::array<std::uint8_t, 32> sha256(std::string_view bytes);
/// Lower-case hex of bytes, and back; none unless `text` is an even number of lower-case hex
/// digits.
std::string to_hex(std::string_view bytes);
std::optional<std::string> from_hex(std::string_view text);
/// SHA-256 of bytes, in hex: what is kept of tokens and passwords.
std::string sha256_hex(std::string_view bytes);
/// SHA-256 of the bytes that `hex` names, in hex; none if it is no hex. Commitments and entropy
/// hashes.
std::optional<std::string> commitment_of(std::string_view hex);

/// SHA-256 over parts, each preceded by its length as 4 bytes, big end first.
std::array<std::uint8_t, 32> sha256_of_parts(const std::vector<std::string>& parts);

/// The seed of a match: SHA-256 over the label "triquetra shuffle 1", the secret, the match id and
/// the entropies in seat order, each part preceded by its length as 4 bytes, big end first. Hex in;
/// parts that are no hex are a Bug.
Seed seed_of(std::string_view secret, std::string_view match,
             const std::vector<std::string>& entropies);

}  // namespace triquetra
