// SPDX-License-Identifier: MIT
#include "zarrlib/base/strided_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace zarr {
namespace {

using Random = std::mt19937;

std::size_t Pick(Random* random, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(*random);
}

/// Memory in which an array of `shape` is laid out with axes in any order, gaps, and either sign.
struct Layout {
  std::vector<std::byte> memory;
  Strides strides;
  std::size_t first = 0;  // where element [0, 0, ...] is

  std::byte* data() { return memory.data() + first; }
};

/// With `repeats`, some strides are 0: all elements along that axis are one in memory.
Layout RandomLayout(const Shape& shape, std::size_t item_size, bool repeats, Random* random) {
  Layout layout;
  layout.strides = Strides(shape.size());
  std::vector<std::size_t> order(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (Pick(random, 0, 2) > 0) std::shuffle(order.begin(), order.end(), *random);
  std::size_t stride = item_size;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t axis = order[i];
    if (repeats && Pick(random, 0, 9) == 0) continue;
    if (Pick(random, 0, 4) == 0) stride += Pick(random, 1, 2 * item_size);
    layout.strides[axis] = static_cast<std::ptrdiff_t>(stride);
    const std::size_t extent = stride * static_cast<std::size_t>(shape[axis]);
    if (Pick(random, 0, 4) == 0) {
      layout.first += extent - std::min(extent, stride);
      layout.strides[axis] = -layout.strides[axis];
    }
    stride = std::max(extent, stride);
  }
  layout.memory.resize(stride);
  for (std::byte& byte : layout.memory) byte = static_cast<std::byte>((*random)());
  return layout;
}

Shape RandomShape(Random* random) {
  Shape shape;
  std::size_t total = 1;
  for (std::size_t rank = Pick(random, 0, 5); rank > 0; --rank) {
    const std::size_t longest = Pick(random, 0, 2) > 0 ? 5 : 150;
    const std::size_t length = std::min(Pick(random, 1, longest), std::max<std::size_t>(1, 20000 / total));
    shape.push_back(length);
    total *= length;
  }
  return shape;
}

std::ptrdiff_t OffsetOf(const Shape& index, const Strides& strides) {
  std::ptrdiff_t offset = 0;
  for (std::size_t i = 0; i < index.size(); ++i) offset += static_cast<std::ptrdiff_t>(index[i]) * strides[i];
  return offset;
}

/// A model of StridedCopy that copies one element at a time.
void NaiveCopy(const std::byte* source, const Strides& source_strides, const Shape& shape, std::size_t item_size,
               std::byte* destination, const Strides& strides) {
  Shape index(shape.size());
  do {
    std::memcpy(destination + OffsetOf(index, strides), source + OffsetOf(index, source_strides), item_size);
  } while (AdvanceIndex(shape, &index));
}

class StridedCopyTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t item_size() const { return GetParam(); }
  Random random_{static_cast<unsigned>(1000 + GetParam())};
};
INSTANTIATE_TEST_SUITE_P(ItemSizes, StridedCopyTest, testing::Range<std::size_t>(1, 18));

TEST_P(StridedCopyTest, AgreesWithElementwiseCopyForRandomLayouts) {
  for (int round = 0; round < 300; ++round) {
    const Shape shape = RandomShape(&random_);
    Layout source = RandomLayout(shape, item_size(), true, &random_);
    Layout actual = RandomLayout(shape, item_size(), false, &random_);
    Layout expected = actual;
    NaiveCopy(source.data(), source.strides, shape, item_size(), expected.data(), expected.strides);
    StridedCopy(source.data(), source.strides, shape, item_size(),
                {actual.data(), actual.strides, nullptr, round % 3 == 0});
    ASSERT_EQ(actual.memory, expected.memory) << "round " << round << ", shape " << ToString(shape);
  }
}

TEST_P(StridedCopyTest, TransposesPlanesThatNoTileDivides) {
  for (const Shape& shape :
       {Shape{131, 77}, Shape{3, 1001}, Shape{1001, 3}, Shape{999, 4}, Shape{64, 128}, Shape{1, 7}}) {
    const auto size = static_cast<std::ptrdiff_t>(item_size());
    const Strides source_strides{size, size * static_cast<std::ptrdiff_t>(shape[0])};
    const Strides strides = GetContiguousStrides(shape, item_size());
    std::vector<std::byte> source(ComputeProduct(shape) * item_size());
    for (std::byte& byte : source) byte = static_cast<std::byte>(random_());
    std::vector<std::byte> actual(source.size()), expected(source.size());
    NaiveCopy(source.data(), source_strides, shape, item_size(), expected.data(), strides);
    StridedCopy(source.data(), source_strides, shape, item_size(), {actual.data(), strides, nullptr});
    ASSERT_EQ(actual, expected) << ToString(shape);
  }
}

TEST_P(StridedCopyTest, FillAgreesWithElementwiseCopyForRandomLayouts) {
  for (int round = 0; round < 300; ++round) {
    const Shape shape = RandomShape(&random_);
    std::vector<std::byte> value(item_size(), std::byte{7});
    if (round % 2 == 0) value[0] = std::byte{8};
    Layout actual = RandomLayout(shape, item_size(), false, &random_);
    Layout expected = actual;
    NaiveCopy(value.data(), Strides(shape.size()), shape, item_size(), expected.data(), expected.strides);
    StridedFill(value, shape, item_size(), {actual.data(), actual.strides, nullptr, round % 3 == 0});
    ASSERT_EQ(actual.memory, expected.memory) << "round " << round << ", shape " << ToString(shape);
  }
}

TEST(StridedCopyEdgeTest, RankZeroIsOneElement) {
  const std::int32_t source = 42;
  std::int32_t destination = 0;
  StridedCopy(reinterpret_cast<const std::byte*>(&source), {}, {}, sizeof(source),
              {reinterpret_cast<std::byte*>(&destination), {}, nullptr});
  EXPECT_EQ(destination, 42);
}

TEST(StridedCopyEdgeTest, AZeroLengthTouchesNoMemory) {
  const Shape shape{3, 0, 2};
  StridedCopy(nullptr, GetContiguousStrides(shape, 4), shape, 4, {nullptr, GetContiguousStrides(shape, 4), nullptr});
  StridedFill(AsBytes("abcd"), shape, 4, {nullptr, GetContiguousStrides(shape, 4), nullptr});
}

TEST(StridedCopyEdgeTest, ElementsWithoutBytesTouchNoMemory) {
  StridedCopy(nullptr, {0, 0}, {3, 2}, 0, {nullptr, {0, 0}, nullptr});
  StridedFill({}, {3, 2}, 0, {nullptr, {0, 0}, nullptr});
}

TEST(StridedCopyEdgeTest, TakesAsManyDimensionsAsThereCanBe) {
  Shape shape(kMaxRank, 1);
  shape[0] = shape[20] = shape[63] = 3;
  std::vector<std::uint16_t> source(27), destination(27);
  for (std::size_t i = 0; i < 27; ++i) source[i] = static_cast<std::uint16_t>(i);
  const Strides strides = GetContiguousStrides(shape, 2);
  StridedCopy(reinterpret_cast<const std::byte*>(source.data()), strides, shape, 2,
              {reinterpret_cast<std::byte*>(destination.data()), strides, nullptr});
  EXPECT_EQ(destination, source);
}

TEST(StridedCopyEdgeTest, AFillLargerThanItsPatternIsWhole) {
  const std::string value(5000, 'x');
  std::string expected = value + value + value;
  expected[0] = expected[5000] = expected[10000] = 'y';
  std::string actual(15000, ' ');
  std::string item = value;
  item[0] = 'y';
  StridedFill(AsBytes(item), {3}, 5000, {reinterpret_cast<std::byte*>(actual.data()), {5000}, nullptr});
  EXPECT_EQ(actual, expected);
}

// --- converters -------------------------------------------------------------------------------------------------

/// Converts std::int16_t to double, multiplied by 2.5.
class ToDouble : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    ++calls;
    longest = std::max(longest, count);
    stride = destination_stride;
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      std::int16_t in;
      std::memcpy(&in, source, sizeof(in));
      const double out = 2.5 * in;
      std::memcpy(destination, &out, sizeof(out));
    }
  }
  mutable std::size_t calls = 0;
  mutable std::size_t longest = 0;
  mutable std::ptrdiff_t stride = 0;  // in the destination, of the last row
};

TEST(RowConverterTest, AgreesWithElementwiseConversionForRandomLayouts) {
  Random random(5);
  const ToDouble converter;
  for (int round = 0; round < 300; ++round) {
    const Shape shape = RandomShape(&random);
    Layout source = RandomLayout(shape, sizeof(std::int16_t), true, &random);
    Layout actual = RandomLayout(shape, sizeof(double), false, &random);
    Layout expected = actual;
    Shape index(shape.size());
    do {
      converter.ConvertRow(source.data() + OffsetOf(index, source.strides), 0,
                           expected.data() + OffsetOf(index, expected.strides), 0, 1);
    } while (AdvanceIndex(shape, &index));
    StridedCopy(source.data(), source.strides, shape, 2, {actual.data(), actual.strides, &converter});
    ASSERT_EQ(actual.memory, expected.memory) << "round " << round << ", shape " << ToString(shape);
  }
}

TEST(RowConverterTest, APackedArrayIsOneRow) {
  const Shape shape{4, 5, 6};
  std::vector<std::int16_t> source(120, 2);
  std::vector<double> destination(120);
  const ToDouble converter;
  StridedCopy(reinterpret_cast<const std::byte*>(source.data()), GetContiguousStrides(shape, 2), shape, 2,
              {reinterpret_cast<std::byte*>(destination.data()), GetContiguousStrides(shape, 8), &converter});
  EXPECT_EQ(converter.calls, 1u);
  EXPECT_EQ(destination, std::vector<double>(120, 5.0));
}

TEST(RowConverterTest, RowsDoNotFollowAShortAxis) {
  // Three bands to pixel-interleaved: rows of 100 pixels rather than of 3 bands.
  const Shape shape{100, 3};
  std::vector<std::int16_t> source(300, 2);
  std::vector<double> destination(300);
  const ToDouble converter;
  StridedCopy(reinterpret_cast<const std::byte*>(source.data()), {2, 200}, shape, 2,
              {reinterpret_cast<std::byte*>(destination.data()), GetContiguousStrides(shape, 8), &converter});
  EXPECT_EQ(converter.calls, 3u);
  EXPECT_EQ(converter.longest, 100u);
}

TEST(RowConverterTest, RowsOfATransposeAreContiguousInTheDestination) {
  const Shape shape{100, 150};
  std::vector<std::int16_t> source(15000, 2);
  std::vector<double> destination(15000);
  const ToDouble converter;
  StridedCopy(reinterpret_cast<const std::byte*>(source.data()), {2, 200}, shape, 2,
              {reinterpret_cast<std::byte*>(destination.data()), GetContiguousStrides(shape, 8), &converter});
  EXPECT_EQ(converter.calls, 100u);
  EXPECT_EQ(converter.stride, 8);
}

TEST(RowConverterTest, AFillConvertsAReplicableElementOnce) {
  const std::int16_t value = 4;
  std::vector<double> destination(60);
  const ToDouble converter;
  StridedFill({reinterpret_cast<const std::byte*>(&value), 2}, {3, 20}, 8,
              {reinterpret_cast<std::byte*>(destination.data()), {160, 8}, &converter});
  EXPECT_EQ(converter.calls, 1u);
  EXPECT_EQ(destination, std::vector<double>(60, 10.0));
}

/// Assigns a std::string_view to the std::string at the destination.
class ToOwnedString : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      *reinterpret_cast<std::string*>(destination) = *reinterpret_cast<const std::string_view*>(source);
    }
  }
  bool replicable() const override { return false; }
};

TEST(RowConverterTest, AFillConvertsElementsThatOwnMemoryOneByOne) {
  const std::string_view value = "longer than what a string holds in place";
  std::vector<std::string> destination(50);
  const ToOwnedString converter;
  StridedFill({reinterpret_cast<const std::byte*>(&value), sizeof(value)}, {50}, sizeof(std::string),
              {reinterpret_cast<std::byte*>(destination.data()), {sizeof(std::string)}, &converter});
  EXPECT_EQ(destination, std::vector<std::string>(50, std::string(value)));
}

TEST(RowConverterTest, RankZeroIsOneRowOfOneElement) {
  const std::int16_t value = 4;
  double copied = 0, filled = 0;
  const ToDouble converter;
  const auto* source = reinterpret_cast<const std::byte*>(&value);
  StridedCopy(source, {}, {}, 2, {reinterpret_cast<std::byte*>(&copied), {}, &converter});
  StridedFill({source, 2}, {}, 8, {reinterpret_cast<std::byte*>(&filled), {}, &converter});
  EXPECT_EQ(copied, 10.0);
  EXPECT_EQ(filled, 10.0);
}

}  // namespace
}  // namespace zarr
