// The servers that the generator can talk to.
#pragma once

#include <memory>
#include <string_view>

#include "bench/load/workload.hpp"

namespace triquetra::load {

/// How the frames of this dialect stand on the wire.
Framing framing_of(std::string_view dialect);
/// "triquetra"; "floor", which answers with constant bytes; "draft60" (Node's ws, Beast) and
/// "boardgame.io", which play the game of bench/peers. Null for any other.
std::unique_ptr<Dialect> make_dialect(std::string_view name, Client& client, Workload& workload);

/// docs/PROTOCOL.md.
std::unique_ptr<Dialect> make_triquetra(Client& client, Workload& workload);

}  // namespace triquetra::load
