// libFuzzer's entry: hands the bytes to the target.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  triquetra::fuzz::take({reinterpret_cast<const char*>(data), size});
  return 0;
}
