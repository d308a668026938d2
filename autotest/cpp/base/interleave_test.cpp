// SPDX-License-Identifier: MIT
#include "zarrlib/base/interleave.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace zarr {
namespace {

/// Bands of which each ends where its memory does, and the next begins `gap` bytes behind: a sanitizer sees to the
/// last.
void ExpectInterleaved(std::size_t item_size, std::size_t bands, std::size_t count, std::size_t gap) {
  const std::size_t band_bytes = count * item_size;
  std::vector<std::byte> source(bands * band_bytes + (bands - 1) * gap);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 11 + i / 256);
  std::vector<std::byte> expected(bands * band_bytes + 3, std::byte{0xEE});
  std::vector<std::byte> actual = expected;
  for (std::size_t i = 0; i < count * bands; ++i) {
    const std::size_t from = i % bands * (band_bytes + gap) + i / bands * item_size;
    std::memcpy(expected.data() + i * item_size, source.data() + from, item_size);
  }
  InterleaveRow(item_size, bands, static_cast<std::ptrdiff_t>(band_bytes + gap), count, source.data(), actual.data());
  ASSERT_EQ(actual, expected) << count << " pixels of " << bands << " items of " << item_size;
}

TEST(Interleave, MakesPixelsAndTouchesNothingElse) {
  for (const std::size_t item_size : {1, 2, 4, 8}) {
    for (std::size_t bands = 2; bands <= 5; ++bands) {
      for (std::size_t count = 0; count < 70; ++count) ExpectInterleaved(item_size, bands, count, count % 5);
    }
  }
}

TEST(Interleave, BandsMayStandInAnyOrder) {
  std::vector<std::byte> source(64 * 2);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i);
  std::vector<std::byte> actual(source.size());
  InterleaveRow(1, 2, -64, 64, source.data() + 64, actual.data());
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(actual[2 * i], source[64 + i]);
    EXPECT_EQ(actual[2 * i + 1], source[i]);
  }
}

}  // namespace
}  // namespace zarr
