// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/transpose_codec.h"

#include <numeric>

#include "autotest/cpp/support/array_codec_test_util.h"

namespace zarr {
namespace {

using test::BytesOf;
using test::ExpectError;
using test::NamedCodec;
using test::Spec;
using test::ValuesOf;

std::shared_ptr<const ResolvedArrayToArray> Resolve(std::string_view order, const ChunkSpec& spec) {
  const Codec codec = MakeCodec(NamedCodec("transpose", R"({"order": )" + std::string(order) + "}"));
  return std::get<std::shared_ptr<const ArrayToArrayCodec>>(codec)->Resolve(spec);
}

TEST(TransposeCodec, AxesOfTheEncodedChunkAreThoseOfTheOrder) {
  const auto codec = Resolve("[1, 2, 0]", Spec({2, 3, 4}, "uint16"));
  EXPECT_EQ(codec->encoded().shape, (Shape{3, 4, 2}));
  ASSERT_NE(codec->permutation(), nullptr);
  EXPECT_EQ(*codec->permutation(), (Shape{1, 2, 0}));
}

/// encoded[i, j, k] is decoded[k, i, j].
TEST(TransposeCodec, MovesElementsBothWays) {
  const auto codec = Resolve("[1, 2, 0]", Spec({2, 3, 4}, "uint16"));
  std::vector<std::uint16_t> decoded(24);
  std::iota(decoded.begin(), decoded.end(), std::uint16_t{0});
  Bytes encoded(48);
  codec->Encode(BytesOf(decoded), encoded);
  const auto values = ValuesOf<std::uint16_t>(encoded);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(values[(i * 4 + j) * 2 + k], decoded[(k * 3 + i) * 4 + j]);
    }
  }
  Bytes again(48);
  codec->Decode(encoded, again);
  EXPECT_EQ(ValuesOf<std::uint16_t>(again), decoded);
}

TEST(TransposeCodec, TakesTheNamesOfOldDrafts) {
  EXPECT_EQ(*Resolve("\"C\"", Spec({2, 3, 4}, "uint8"))->permutation(), (Shape{0, 1, 2}));
  EXPECT_EQ(*Resolve("\"F\"", Spec({2, 3, 4}, "uint8"))->permutation(), (Shape{2, 1, 0}));
}

TEST(TransposeCodec, RankZero) {
  EXPECT_EQ(Resolve("[]", Spec({}, "uint8"))->encoded().shape, Shape{});
  EXPECT_EQ(Resolve("\"F\"", Spec({}, "uint8"))->encoded().shape, Shape{});
}

TEST(TransposeCodec, KeepsTypeAndFillValue) {
  ChunkSpec spec = Spec({2, 3}, "int32");
  spec.fill_value = ParseFillValueV3(test::Json("7"), spec.data_type);
  const auto codec = Resolve("[1, 0]", spec);
  EXPECT_EQ(codec->encoded().data_type, spec.data_type);
  EXPECT_EQ(codec->encoded().fill_value, spec.fill_value);
}

TEST(TransposeCodec, RefusesWhatIsNoPermutation) {
  for (const char* order : {"[0, 0]", "[0, 7]", "[-1, 0]", "[0]", "[0, 1, 2]", "[]", "[0, 1.0]", "[0, \"1\"]", "\"X\"",
                            "5", "null", "{}", "[0, 18446744073709551615]"}) {
    SCOPED_TRACE(order);
    ExpectError([&] { Resolve(order, Spec({2, 3}, "uint8")); }, ErrorKind::kCorrupt, "/order", "a permutation of 0..1");
  }
}

TEST(TransposeCodec, NeedsAnOrder) {
  ExpectError([] { MakeCodec(NamedCodec("transpose")); }, ErrorKind::kCorrupt, "", "a member \"order\"");
}

}  // namespace
}  // namespace zarr
