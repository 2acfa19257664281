#include "server/clock.hpp"

namespace triquetra {

TimePoint now() { return std::chrono::steady_clock::now(); }

}  // namespace triquetra
