// SPDX-License-Identifier: MIT
#include "zarrlib/base/crc32.h"

#include <gtest/gtest.h>

namespace zarr {
namespace {

TEST(Crc32Test, HasTheKnownValues) {
  EXPECT_EQ(ComputeCrc32(ToBytes("123456789")), 0xCBF43926u);
  EXPECT_EQ(ComputeCrc32({}), 0u);
}

}  // namespace
}  // namespace zarr
