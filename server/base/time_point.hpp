// A moment on the server's clock. The rooms count with it and never ask what time it is.
#pragma once

#include <chrono>

namespace triquetra {

using TimePoint = std::chrono::steady_clock::time_point;

}  // namespace triquetra
