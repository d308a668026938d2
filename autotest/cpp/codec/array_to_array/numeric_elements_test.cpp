// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/numeric_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr std::string_view kNumberTypes[] = {"|b1", "|i1", "<i2", "<i4", "<i8", "|u1",
                                             "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"};
constexpr std::size_t kSeveralBlocks = 2 * kElementBlock + 100;

/// Elements of a type with the values 0 to 96, again and again.
Bytes MakeElements(const DataType& type) {
  std::vector<std::int32_t> numbers(kSeveralBlocks);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i % 97);
  Bytes elements(kSeveralBlocks * type.size);
  GetStoreElements<std::int32_t>(type)(numbers, elements.data());
  return elements;
}

TEST(NumericElements, OfSeveralBlocksAreCastLikeSingleOnes) {
  for (const std::string_view from_name : kNumberTypes) {
    const DataType from = DataType::FromV2(JsonNode::MakeString(from_name));
    const Bytes elements = MakeElements(from);
    for (const std::string_view to_name : kNumberTypes) {
      SCOPED_TRACE(std::string(from_name) + " to " + std::string(to_name));
      const DataType to = DataType::FromV2(JsonNode::MakeString(to_name));
      const ElementLoop cast = MakeCast(from, to);
      Bytes together(kSeveralBlocks * to.size);
      cast(elements, together);
      Bytes single(together.size());
      for (std::size_t i = 0; i < kSeveralBlocks; ++i) {
        cast(ByteSpan(elements).subspan(i * from.size, from.size),
             MutableByteSpan(single).subspan(i * to.size, to.size));
      }
      EXPECT_EQ(together, single);
      if (from.kind == DataType::Kind::kBool) continue;  // all numbers but 0 are 1
      EXPECT_EQ(together, MakeElements(to));
    }
  }
}

TEST(NumericElements, OfSeveralBlocksAreAddedUp) {
  for (const std::string_view type : {"<i4", "<i2", "<f4"}) {
    SCOPED_TRACE(type);
    const auto filter = ResolveFilter("numcodecs.delta", R"({"dtype": "<i4", "astype": ")" + std::string(type) + "\"}",
                                      SpecV2({kSeveralBlocks}, "<i4"));
    std::vector<std::int32_t> numbers(kSeveralBlocks);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i * i % 9973);
    const DataType encoded = DataType::FromV2(JsonNode::MakeString(type));
    Bytes stored(kSeveralBlocks * encoded.size);
    filter->Encode(std::as_bytes(std::span(numbers)), stored);
    std::vector<std::int32_t> steps(numbers);
    std::adjacent_difference(numbers.begin(), numbers.end(), steps.begin());
    Bytes expected(stored.size());
    GetStoreElements<std::int32_t>(encoded)(steps, expected.data());
    EXPECT_EQ(stored, expected);
    std::vector<std::int32_t> decoded(kSeveralBlocks);
    filter->Decode(stored, std::as_writable_bytes(std::span(decoded)));
    EXPECT_EQ(decoded, numbers);
  }
}

TEST(NumericElements, OfSeveralBlocksAreScaled) {
  const auto filter =
      ResolveFilter("numcodecs.fixedscaleoffset", R"({"scale": 4, "offset": 8, "dtype": "<f4", "astype": "<i2"})",
                    SpecV2({kSeveralBlocks}, "<f4"));
  std::vector<std::int16_t> stored(kSeveralBlocks);
  std::iota(stored.begin(), stored.end(), std::int16_t{-500});
  std::vector<float> numbers;
  for (const std::int16_t number : stored) numbers.push_back(static_cast<float>(number) / 4 + 8);
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, numbers), stored);
  EXPECT_EQ(DecodeTo<float>(filter, stored), numbers);
}

TEST(NumericElements, OfSeveralBlocksAreCastByRules) {
  const auto filter = ResolveFilter("cast_value", R"({"data_type": "uint8", "out_of_range": "clamp"})",
                                    Spec({kSeveralBlocks}, "int16"));
  std::vector<std::int16_t> numbers(kSeveralBlocks);
  std::iota(numbers.begin(), numbers.end(), std::int16_t{-500});
  std::vector<std::uint8_t> clamped;
  for (const std::int16_t number : numbers) {
    clamped.push_back(static_cast<std::uint8_t>(std::clamp<int>(number, 0, 255)));
  }
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, numbers), clamped);
}

}  // namespace
}  // namespace zarr
