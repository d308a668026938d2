// SPDX-License-Identifier: MIT
#include "zarrlib/base/compiler/streaming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace zarr {
namespace {

constexpr std::size_t kMargin = 70;

/// Memory of which `size` bytes from `begin` on are to be written, and what it is to hold then.
struct Place {
  explicit Place(std::size_t size) : memory(kMargin + 64 + size + kMargin, std::byte{1}), expected(memory) {}
  std::vector<std::byte> memory;
  std::vector<std::byte> expected;
};

TEST(Streaming, CopiesAnySizeToAnyAddress) {
  std::vector<std::byte> source(1000);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + 3);
  for (const std::size_t size : {0, 1, 15, 63, 64, 65, 127, 128, 200, 513, 900}) {
    for (std::size_t shift = 0; shift < 64; ++shift) {
      Place place(size);
      std::copy_n(source.begin() + 5, size, place.expected.data() + kMargin + shift);
      StreamCopy(place.memory.data() + kMargin + shift, source.data() + 5, size);
      StreamFence();
      ASSERT_EQ(place.memory, place.expected) << size << " bytes, " << shift;
    }
  }
}

TEST(Streaming, FillsAnySizeAtAnyAddress) {
  for (const std::size_t size : {0, 1, 15, 63, 64, 65, 127, 128, 200, 513, 900}) {
    for (std::size_t shift = 0; shift < 64; ++shift) {
      Place place(size);
      std::fill_n(place.expected.data() + kMargin + shift, size, std::byte{0xF9});
      StreamFill(place.memory.data() + kMargin + shift, std::byte{0xF9}, size);
      StreamFence();
      ASSERT_EQ(place.memory, place.expected) << size << " bytes, " << shift;
    }
  }
}

}  // namespace
}  // namespace zarr
