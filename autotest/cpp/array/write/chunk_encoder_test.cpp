// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/chunk_encoder.h"

#include "autotest/cpp/support/chunk_encoder_test_util.h"

namespace zarr {
namespace {

using test::HexOf;
using test::OctetEncoder;
using test::Octets;
using test::PipelineOf;
using test::RegionOf;
using test::ShardedCodecs;
using test::TextEncoder;
using Octet = std::uint8_t;
using Views = std::vector<std::string_view>;

constexpr std::string_view kTransposedOctets =
    R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes"])";

Bytes Filled(const ChunkEncoder& encoder) {
  Bytes elements(encoder.memory_size(), std::byte{0x55});
  encoder.Fill(elements.data());
  return elements;
}

Bytes EncodedBytes(const ChunkEncoder& encoder, const Bytes& elements) {
  Bytes buffer = ToBytes("to be replaced");
  const ByteSpan encoded = encoder.Encode(elements.data(), &buffer);
  return Bytes(encoded.begin(), encoded.end());
}

const std::byte* PointerTo(const Views& views) {
  return reinterpret_cast<const std::byte*>(views.data());
}

TEST(ChunkEncoder, TakesAPlainChunkForItsOnlyPart) {
  const ChunkEncoder encoder = OctetEncoder({2, 3});
  EXPECT_EQ(encoder.shards(), nullptr);
  EXPECT_EQ(encoder.inner_chunk_shape(), (Shape{2, 3}));
  EXPECT_EQ(encoder.grid().grid_shape(), (Shape{1, 1}));
  EXPECT_EQ(encoder.GetInnerChunkNumber({0, 0}), 0u);
  EXPECT_EQ(encoder.element_count(), 6u);
  EXPECT_EQ(encoder.memory_size(), 6u);
  EXPECT_EQ(encoder.element_strides(), (Strides{3, 1}));
}

TEST(ChunkEncoder, CutsAShardIntoItsInnerChunks) {
  const ChunkEncoder encoder = OctetEncoder({4, 6}, ShardedCodecs("[2, 2]"));
  EXPECT_NE(encoder.shards(), nullptr);
  EXPECT_EQ(encoder.inner_chunk_shape(), (Shape{2, 2}));
  EXPECT_EQ(encoder.grid().grid_shape(), (Shape{2, 3}));
  EXPECT_EQ(encoder.GetInnerChunkNumber({0, 2}), 2u);
  EXPECT_EQ(encoder.GetInnerChunkNumber({1, 1}), 4u);
  EXPECT_EQ(encoder.element_count(), 4u);
}

TEST(ChunkEncoder, CountsItemsOfMoreThanOneByte) {
  const ChunkEncoder encoder(
      PipelineOf(
          R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "little"}}])",
          test::Spec({2, 3}, "float64")),
      false);
  EXPECT_EQ(encoder.memory_size(), 48u);
  EXPECT_EQ(encoder.element_strides(), (Strides{1, 2}));
}

TEST(ChunkEncoder, FillsAllElements) {
  EXPECT_EQ(HexOf(Filled(OctetEncoder({2, 2}))), "07 07 07 07");
  const ChunkEncoder encoder = TextEncoder({3});
  Views elements(3, "nonsense");
  encoder.Fill(reinterpret_cast<std::byte*>(elements.data()));
  EXPECT_EQ(elements, (Views{"none", "none", "none"}));
}

TEST(ChunkEncoder, CopiesElementsToTheirPlaces) {
  const ChunkEncoder encoder = OctetEncoder({3, 4});
  Bytes elements = Filled(encoder);
  encoder.Copy(RegionOf<Octet>({1, 2, 3, 4}, {1, 1}, {2, 2}), elements.data());
  EXPECT_EQ(HexOf(elements), "07 07 07 07 07 01 02 07 07 03 04 07");
  encoder.Copy(RegionOf<Octet>({10, 11, 12, 13}, {0, 0}, {2, 2}, {2, 3}), elements.data());
  EXPECT_EQ(HexOf(elements), "0a 07 07 0b 07 01 02 07 0c 03 04 0d");
}

TEST(ChunkEncoder, CopiesToTheLayoutThatTheCodecsWant) {
  const ChunkEncoder encoder = OctetEncoder({2, 3}, kTransposedOctets);
  Bytes elements = Filled(encoder);
  encoder.Copy(RegionOf<Octet>({1, 2}, {1, 1}, {1, 2}), elements.data());
  EXPECT_EQ(HexOf(elements), "07 07 07 01 07 02");  // column by column
  EXPECT_EQ(HexOf(EncodedBytes(encoder, elements)), HexOf(elements));
}

TEST(ChunkEncoder, IgnoresTheStepOfASingleElement) {
  const ChunkEncoder encoder = OctetEncoder({4});
  Bytes elements = Filled(encoder);
  encoder.Copy(RegionOf<Octet>({1}, {3}, {1}, {UINT64_MAX}), elements.data());
  EXPECT_EQ(HexOf(elements), "07 07 07 01");
}

TEST(ChunkEncoder, TakesWholePartsAsTheyAre) {
  const ChunkEncoder encoder = OctetEncoder({2, 4});
  alignas(16) const std::byte memory[32] = {};
  RegionElements whole{{0, 0}, {2, 4}, {1, 1}, memory, {4, 1}, nullptr};
  EXPECT_TRUE(encoder.TakesAsItIs(whole));
  RegionElements other = whole;
  other.data = memory + 1;
  EXPECT_FALSE(encoder.TakesAsItIs(other)) << "not aligned";
  other = whole;
  other.count = {2, 3};
  EXPECT_FALSE(encoder.TakesAsItIs(other)) << "not whole";
  other = whole;
  other.strides = {8, 1};
  EXPECT_FALSE(encoder.TakesAsItIs(other)) << "not packed";
  other.strides = {1, 2};
  EXPECT_FALSE(encoder.TakesAsItIs(other)) << "in columns";
  EXPECT_TRUE(OctetEncoder({2, 4}, kTransposedOctets).TakesAsItIs(other));
  EXPECT_FALSE(OctetEncoder({2, 4}, kTransposedOctets).TakesAsItIs(whole));
}

TEST(ChunkEncoder, TakesNoPartsThatAreToBeConverted) {
  class NoConverter final : public RowConverter {
    void ConvertRow(const std::byte*, std::ptrdiff_t, std::byte*, std::ptrdiff_t, std::size_t) const override {}
  };
  const NoConverter converter;
  alignas(16) const std::byte memory[32] = {};
  EXPECT_FALSE(OctetEncoder({2, 4}).TakesAsItIs({{0, 0}, {2, 4}, {1, 1}, memory, {4, 1}, &converter}));
}

TEST(ChunkEncoder, TakesNoHeedOfStridesAlongAnAxisOfOne) {
  alignas(16) const std::byte memory[32] = {};
  EXPECT_TRUE(OctetEncoder({1, 4}).TakesAsItIs({{0, 0}, {1, 4}, {1, 1}, memory, {999, 1}, nullptr}));
}

TEST(ChunkEncoder, FindsPartsEmptyThatEqualTheFillValue) {
  const ChunkEncoder encoder = OctetEncoder({3});
  EXPECT_TRUE(encoder.IsEmpty(Octets({7, 7, 7}).data()));
  EXPECT_FALSE(encoder.IsEmpty(Octets({7, 7, 8}).data()));
  EXPECT_FALSE(encoder.IsEmpty(Octets({0, 0, 0}).data()));
  EXPECT_FALSE(OctetEncoder({3}, test::kOctets, true).IsEmpty(Octets({7, 7, 7}).data())) << "empty ones are stored";
}

TEST(ChunkEncoder, FindsNothingEmptyWithoutAFillValue) {
  const ChunkEncoder encoder(PipelineOf(test::kOctets, test::Spec({2}, "uint8")), false);
  EXPECT_FALSE(encoder.IsEmpty(Octets({0, 0}).data()));
}

TEST(ChunkEncoder, FindsTextEmptyThatEqualsTheFillValue) {
  const std::string other_none = "none";
  EXPECT_TRUE(TextEncoder({2}).IsEmpty(PointerTo({"none", other_none})));
  EXPECT_FALSE(TextEncoder({2}).IsEmpty(PointerTo({"none", "nonee"})));
  EXPECT_FALSE(TextEncoder({2}).IsEmpty(PointerTo({"none", ""})));
  EXPECT_TRUE(TextEncoder({2}, "").IsEmpty(PointerTo({"", std::string_view()})));
}

TEST(ChunkEncoder, EncodesAChunkAndDecodesItAgain) {
  const ChunkEncoder encoder(PipelineOf(test::kCheckedIndex, test::Spec({2}, "uint16")), false);
  const Bytes elements = test::BytesOf<std::uint16_t>({1, 0x0203});
  Bytes expected = test::LittleEndianOf<std::uint16_t>({1, 0x0203});
  test::Append(test::LittleEndianOf({test::SlowCrc32c(expected)}), &expected);
  EXPECT_EQ(HexOf(EncodedBytes(encoder, elements)), HexOf(expected));
  Bytes decoded(4);
  encoder.Decode(expected, decoded.data());
  EXPECT_EQ(HexOf(decoded), HexOf(elements));
}

TEST(ChunkEncoder, GivesTheElementsThemselvesWhereEncodingChangesNothing) {
  const Bytes elements = Octets({1, 2, 3});
  Bytes buffer;
  EXPECT_EQ(OctetEncoder({3}).Encode(elements.data(), &buffer).data(), elements.data());
}

TEST(ChunkEncoder, EncodesOneInnerChunkOfAShard) {
  const ChunkEncoder encoder = OctetEncoder({6}, ShardedCodecs("[2]"));
  EXPECT_EQ(HexOf(EncodedBytes(encoder, Octets({1, 2}))), HexOf(Octets({1, 2})));
  Bytes decoded(2);
  encoder.Decode(Octets({3, 4}), decoded.data());
  EXPECT_EQ(HexOf(decoded), HexOf(Octets({3, 4})));
}

TEST(ChunkEncoder, EncodesTextOfPlainChunksAndOfInnerChunks) {
  // vlen-utf8: the number of texts, then each with its length before it, all little-endian in 4 bytes.
  const std::string_view expected = "02 00 00 00 01 00 00 00 61 02 00 00 00 62 63";
  const Views views = {"a", "bc"};
  const ChunkEncoder plain = TextEncoder({2});
  const ChunkEncoder sharded = TextEncoder({4}, "none", ShardedCodecs("[2]", R"(["vlen-utf8"])"));
  EXPECT_EQ(plain.memory_size(), 2 * sizeof(std::string_view));
  for (const ChunkEncoder* encoder : {&plain, &sharded}) {
    Bytes encoded;
    EXPECT_EQ(HexOf(encoder->Encode(PointerTo(views), &encoded)), expected);
    VariableChunk decoded;
    encoder->DecodeVariable(encoded, &decoded);
    EXPECT_EQ(decoded.elements, views);
  }
}

}  // namespace
}  // namespace zarr
