// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/band_planes.h"
#include "zarrlib/codec/codec_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "zarrlib/base/gather.h"

// Chunks whose pixels hold few bands, cached band by band.

namespace zarr {
namespace {

using namespace test;

constexpr std::string_view kBandsLast =
    R"([{"name": "transpose", "configuration": {"order": [1, 2, 0]}},
        {"name": "bytes", "configuration": {"endian": "little"}}])";

struct BandArray {
  CacheLimit limit{std::size_t{64} << 20};
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  Shape shape;
  std::shared_ptr<const Array> array;

  BandArray(const Shape& array_shape, std::string_view chunks, std::string_view codecs)
      : shape(array_shape), array(MakeArray(store, Metadata(shape, chunks, codecs))) {
    Write(store.get(), *array);
  }
  std::shared_ptr<const ResolvedPipeline> decoder() const {
    return array->ResolveFor(array->metadata().chunk_grid.max_chunk_shape());
  }
  void ExpectRead(const Selection& selection) const {
    EXPECT_EQ(Read(*array, selection), Expected(shape, selection)) << ToString(selection.start);
  }
  /// Reads to a buffer in which the axes are in reverse order.
  void ExpectReadReversed(const Selection& selection) const {
    Shape order = selection.count;
    std::reverse(order.begin(), order.end());
    Strides strides = GetContiguousStrides(order, sizeof(std::int32_t));
    std::reverse(strides.begin(), strides.end());
    std::vector<std::int32_t> values(CountOf(selection), 0x77777777);
    array->Read(selection, {reinterpret_cast<std::byte*>(values.data()), strides, nullptr});
    const std::vector<std::int32_t> expected = Expected(shape, selection);
    Shape position(selection.count.size(), 0);
    std::size_t number = 0;
    do {
      std::ptrdiff_t offset = 0;
      for (std::size_t i = 0; i < position.size(); ++i) offset += static_cast<std::ptrdiff_t>(position[i]) * strides[i];
      ASSERT_EQ(values[static_cast<std::size_t>(offset) / 4], expected[number++]) << ToString(position);
    } while (AdvanceIndex(selection.count, &position));
  }
};

TEST(BandPlanes, ServeWhoTakesSomeBandsOfMostPixels) {
  if (!CanGather(4, 3)) GTEST_SKIP() << "no instructions for it";
  const BandArray f({40, 40, 3}, "[16, 16, 3]", kPlain);
  const auto decoder = f.decoder();
  EXPECT_EQ(FindPlaneAxis(*decoder, {16, 16, 1}), 2u);
  EXPECT_EQ(FindPlaneAxis(*decoder, {8, 16, 2}), 2u);
  EXPECT_EQ(FindPlaneAxis(*decoder, {7, 16, 1}), std::nullopt);   // few pixels
  EXPECT_EQ(FindPlaneAxis(*decoder, {16, 16, 3}), std::nullopt);  // all bands
}

TEST(BandPlanes, NeedBandsThatAreNeighbours) {
  if (!CanGather(4, 3)) GTEST_SKIP() << "no instructions for it";
  EXPECT_EQ(FindPlaneAxis(*BandArray({3, 40, 40}, "[3, 16, 16]", kPlain).decoder(), {1, 16, 16}), std::nullopt);
  EXPECT_EQ(FindPlaneAxis(*BandArray({3, 40, 40}, "[3, 16, 16]", kBandsLast).decoder(), {1, 16, 16}), 0u);
  EXPECT_EQ(FindPlaneAxis(*BandArray({40, 40, 5}, "[16, 16, 5]", kPlain).decoder(), {16, 16, 1}), std::nullopt);
  EXPECT_EQ(FindPlaneAxis(*BandArray({40, 40, 1}, "[16, 16, 1]", kPlain).decoder(), {16, 8, 1}), std::nullopt);
  // An axis of length 1 has no neighbours, so it is not the fastest one.
  EXPECT_EQ(FindPlaneAxis(*BandArray({1, 40, 3}, "[1, 16, 3]", kBandsLast).decoder(), {1, 16, 1}), 2u);
}

TEST(BandPlanes, HoldOneBandEach) {
  const BandArray f({2, 4, 3}, "[2, 4, 3]", kNative);
  const auto decoder = f.decoder();
  const Bytes elements = StoredAt(*f.store, "a/c/0/0/0").value();
  Bytes planes(elements.size());
  SplitIntoPlanes(*decoder, 2, elements, planes);
  const Strides layout = GetPlanarLayout(*decoder, 2);
  EXPECT_EQ(layout, (Strides{16, 4, 32}));
  Shape index(3, 0);
  const auto values = ValuesOf<std::int32_t>(planes);
  do {
    const auto place = static_cast<std::ptrdiff_t>(index[0]) * layout[0] +
                       static_cast<std::ptrdiff_t>(index[1]) * layout[1] +
                       static_cast<std::ptrdiff_t>(index[2]) * layout[2];
    EXPECT_EQ(values.at(static_cast<std::size_t>(place) / 4), ElementAt(f.shape, index));
  } while (AdvanceIndex(f.shape, &index));
}

TEST(BandPlanes, AreDecodedOnceAndKept) {
  if (!CanGather(4, 3)) GTEST_SKIP() << "no instructions for it";
  const BandArray f({40, 40, 3}, "[16, 16, 3]", kCompressed);
  for (std::uint64_t band = 0; band < 3; ++band) {
    f.ExpectRead(Selection::FromBox({{0, 0, band}, {40, 40, 1}}));
    EXPECT_EQ(f.store->TakeReads(), band == 0 ? 9 : 0);
  }
  const auto inner_chunk = ChunkCache::GetShared().Find({f.array->id(), 0, 0});
  ASSERT_NE(inner_chunk, nullptr);
  EXPECT_EQ(inner_chunk->plane_axis, 2u);
  f.ExpectRead(WholeOf(*f.array));
  EXPECT_EQ(f.store->TakeReads(), 0);
}

TEST(BandPlanes, AgreeWithTheElementsForAnyPart) {
  struct Case {
    Shape shape;
    std::string_view chunks;
    std::string codecs;
    std::size_t bands_axis;
  };
  const std::string shards = "[" + Sharding("[16, 16, 4]", kCompressed) + "]";
  const Case cases[] = {{{40, 70, 3}, "[16, 32, 3]", std::string(kCompressed), 2},
                        {{40, 70, 2}, "[16, 32, 2]", std::string(kPlain), 2},
                        {{3, 40, 70}, "[3, 16, 32]", std::string(kBandsLast), 0},
                        {{40, 70, 4}, "[32, 32, 4]", shards, 2}};
  std::mt19937 random(7);
  for (const Case& c : cases) {
    const BandArray f(c.shape, c.chunks, c.codecs);
    for (int round = 0; round < 4; ++round) {
      ChunkCache::GetShared().Clear();
      Selection band = WholeOf(*f.array);
      band.start[c.bands_axis] = static_cast<std::uint64_t>(round) % c.shape[c.bands_axis];
      band.count[c.bands_axis] = 1;
      f.ExpectRead(band);
      for (int i = 0; i < 30; ++i) {
        Selection region = WholeOf(*f.array);
        for (std::size_t axis = 0; axis < region.count.size(); ++axis) {
          region.start[axis] = random() % c.shape[axis];
          region.step[axis] = 1 + random() % 2;
          region.count[axis] = 1 + random() % ((c.shape[axis] - region.start[axis] - 1) / region.step[axis] + 1);
        }
        f.ExpectRead(region);
        f.ExpectReadReversed(region);
      }
    }
  }
}

}  // namespace
}  // namespace zarr
