// SPDX-License-Identifier: MIT
#include "zarrlib/base/gather.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace zarr {
namespace {

TEST(Gather, TakesEveryNthItemAndReadsNoFurther) {
  for (const std::size_t item_size : {1, 2, 4, 8}) {
    for (std::size_t stride = 2; stride <= 5; ++stride) {
      for (std::size_t count = 0; count < 70; ++count) {
        // The memory ends with the last item, so that a sanitizer finds reads beyond it.
        std::vector<std::byte> source(count == 0 ? 0 : ((count - 1) * stride + 1) * item_size);
        for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 11 + 1);
        std::vector<std::byte> expected(count * item_size + 3, std::byte{0xEE});
        std::vector<std::byte> actual = expected;
        for (std::size_t i = 0; i < count; ++i) {
          std::memcpy(expected.data() + i * item_size, source.data() + i * stride * item_size, item_size);
        }
        GatherRow(item_size, stride, count, source.data(), actual.data());
        ASSERT_EQ(actual, expected) << count << " items of " << item_size << ", stride " << stride;
      }
    }
  }
}

}  // namespace
}  // namespace zarr
