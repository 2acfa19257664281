// A released server has none of the flags that builds with tests have: see server/CMakeLists.txt,
// which gives config.cpp the definition that this test leaves out.
#include <doctest/doctest.h>

#include <array>

#include "server/ops/config.hpp"

namespace triquetra {
namespace {

template <class... Words>
Orders ordered(Words... words) {
  const std::array<const char*, sizeof...(words) + 1> line = {"triquetrad", words...};
  return read_orders(static_cast<int>(line.size()), line.data());
}

}  // namespace

TEST_CASE("a released server cannot be told how to shuffle") {
  CHECK(ordered("--port", "1234").errand == Errand::serve);
  for (const char* flag : {"--test-seed=7", "--test-seed"}) {
    const Orders orders = ordered(flag);
    CHECK(orders.errand == Errand::stop);
    CHECK(orders.exit_code == 2);
    CHECK(!orders.config.test_seed);
  }
}

}  // namespace triquetra
