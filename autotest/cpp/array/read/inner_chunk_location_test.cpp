// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/inner_chunk_location.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

#include "autotest/cpp/support/read_shards_test_util.h"

namespace zarr {
namespace {

using namespace test;

/// Decodes the bytes at the place of an inner chunk.
std::vector<std::int32_t> ReadInnerChunk(const CountingStore& store, const Array& array,
                                         const InnerChunkLocation& place, const Shape& shape) {
  Bytes encoded(static_cast<std::size_t>(place.range.length));
  const MutableByteSpan buffer = encoded;
  EXPECT_TRUE(store.GetRanges(place.key, {&place.range, 1}, {&buffer, 1}, nullptr));
  std::vector<std::int32_t> elements(static_cast<std::size_t>(ComputeProduct(shape)));
  const auto metadata = ParseArrayV3(Json(Metadata(shape, ToString(shape), kCompressed)));
  const auto pipeline = MakePipeline(metadata.codecs, false)->Resolve({shape, array.data_type(), {}});
  pipeline->Decode(encoded, std::as_writable_bytes(std::span(elements)));
  return elements;
}

TEST(InnerChunkLocation, OfAChunkIsTheWholeValue) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({7, 9}, "[4, 5]", kPlain));
  Write(store.get(), *array, {1});
  EXPECT_EQ(GetInnerChunkGridShape(*array), (Shape{2, 2}));
  const auto place = LocateInnerChunk(*array, {1, 1});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->key, "a/c/1/1");
  EXPECT_EQ(place->range, (ByteRange{0, 80}));
  EXPECT_FALSE(LocateInnerChunk(*array, {0, 1}));
}

TEST(InnerChunkLocation, InARectilinearGridCountsChunks) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({7, 9}, "[[2, 5], [4, 5]]", kPlain));
  Write(store.get(), *array);
  EXPECT_EQ(GetInnerChunkGridShape(*array), (Shape{2, 2}));
  EXPECT_EQ(LocateInnerChunk(*array, {1, 0})->range.length, 5u * 4 * sizeof(std::int32_t));
}

TEST(InnerChunkLocation, InAShardIsAPartOfTheValue) {
  for (const char* chunks : {"[6, 8]", "[[3, 9], [2, 6, 8]]"}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({12, 15}, chunks, "[" + kPlainIndexShards + "]"));
    Write(store.get(), *array);
    EXPECT_EQ(GetInnerChunkGridShape(*array), (Shape{4, 8}));
    for (const Shape& index : {Shape{0, 0}, Shape{1, 2}, Shape{3, 6}}) {
      const auto place = LocateInnerChunk(*array, index);
      ASSERT_TRUE(place);
      const Selection selection = Selection::FromBox({{index[0] * 3, index[1] * 2}, {3, 2}});
      EXPECT_EQ(ReadInnerChunk(*store, *array, *place, {3, 2}), Expected(array->shape(), selection));
    }
  }
}

TEST(InnerChunkLocation, OfAnInnerChunkThatIsAbsentIsNothing) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({6, 8}, "[6, 8]", "[" + kPlainIndexShards + "]"));
  EXPECT_FALSE(LocateInnerChunk(*array, {0, 0}));
  Bytes value;
  array->ResolveFor({6, 8})->Encode(BytesOf(std::vector<std::int32_t>(48, -1)), &value);  // all fill value
  store->Set("a/c/0/0", value);
  EXPECT_FALSE(LocateInnerChunk(*array, {1, 1}));
}

TEST(InnerChunkLocation, InsideAnEncodedShardIsAnError) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({6, 8}, "[6, 8]", "[" + kPlainIndexShards + R"(, {"name": "crc32c"}])"));
  Write(store.get(), *array);
  EXPECT_EQ(ErrorOf([&] { LocateInnerChunk(*array, {0, 0}); }).kind(), ErrorKind::kUnsupported);
}

TEST(InnerChunkLocation, BeyondTheGridIsAnError) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({7, 9}, "[4, 5]", kPlain));
  for (const Shape& index : {Shape{2, 0}, Shape{0, 2}, Shape{0}, Shape{0, 0, 0}}) {
    EXPECT_EQ(ErrorOf([&] { LocateInnerChunk(*array, index); }).kind(), ErrorKind::kInvalidArgument);
  }
}

TEST(InnerChunkLocation, NeedsNoCodecs) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4}, "[4]", R"([{"name": "nosuch"}])"));
  store->SetText("a/c/0", "12345");
  EXPECT_EQ(LocateInnerChunk(*array, {0})->range, (ByteRange{0, 5}));
}

}  // namespace
}  // namespace zarr
