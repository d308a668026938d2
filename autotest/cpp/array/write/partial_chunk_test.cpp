// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/partial_chunk.h"

#include "autotest/cpp/support/chunk_encoder_test_util.h"

namespace zarr::test {
namespace {

using Octet = std::uint8_t;
using Views = std::vector<std::string_view>;

/// A partial chunk, with all that it needs.
class TestChunk {
 public:
  /// `live` is the shape of the chunk's part within the array.
  TestChunk(ChunkEncoder encoder, const Shape& live) : encoder_(std::move(encoder)), chunk_(encoder_, live, &stock_) {}

  PartialChunk* get() { return &chunk_; }
  PartialChunk* operator->() { return &chunk_; }
  PartialChunk& operator*() { return chunk_; }
  const ChunkEncoder& encoder() const { return encoder_; }

 private:
  BufferStock stock_;
  ChunkEncoder encoder_;
  PartialChunk chunk_;
};

std::string ElementsOf(const PartialChunk& chunk, std::size_t size) {
  return HexOf({chunk.elements(), size});
}

Views TextsOf(const PartialChunk& chunk, std::size_t count) {
  const auto* first = reinterpret_cast<const std::string_view*>(chunk.elements());
  return Views(first, first + count);
}

Bytes EncodedText(const ChunkEncoder& encoder, const Views& views) {
  Bytes encoded;
  encoder.Encode(reinterpret_cast<const std::byte*>(views.data()), &encoded);
  return encoded;
}

/// The text may go once it has been put.
void PutTexts(PartialChunk* chunk, std::vector<std::string> texts, const Shape& first, const Shape& step = {1}) {
  const Views views(texts.begin(), texts.end());
  chunk->Put(RegionOf(views, first, {views.size()}, step));
  for (std::string& text : texts) text.assign(text.size(), '#');
}

TEST(PartialChunk, IsCompleteOnceAllIsPut) {
  TestChunk chunk(OctetEncoder({2, 2}), {2, 2});
  EXPECT_FALSE(chunk->complete());
  chunk->Put(RegionOf<Octet>({1, 2}, {0, 0}, {2, 1}));
  EXPECT_FALSE(chunk->complete());
  chunk->Put(RegionOf<Octet>({3, 4}, {0, 1}, {2, 1}));
  EXPECT_TRUE(chunk->complete());
  EXPECT_EQ(ElementsOf(*chunk, 4), "01 03 02 04");
}

TEST(PartialChunk, TakesTheLastOfSeveralValues) {
  TestChunk chunk(OctetEncoder({3}), {3});
  chunk->Put(RegionOf<Octet>({1, 2}, {0}, {2}));
  chunk->Put(RegionOf<Octet>({8, 9}, {1}, {2}));
  EXPECT_TRUE(chunk->complete());
  EXPECT_EQ(ElementsOf(*chunk, 3), "01 08 09");
}

TEST(PartialChunk, PutsElementsWithSteps) {
  TestChunk chunk(OctetEncoder({6}), {6});
  chunk->Put(RegionOf<Octet>({1, 3, 5}, {0}, {3}, {2}));
  chunk->Complete(Octets({90, 91, 92, 93, 94, 95}));
  EXPECT_EQ(ElementsOf(*chunk, 6), HexOf(Octets({1, 91, 3, 93, 5, 95})));
}

TEST(PartialChunk, PutsElementsOfSeveralBytes) {
  TestChunk chunk(ChunkEncoder(PipelineOf(kLittleBytes, Spec({4}, "uint16")), false), {4});
  chunk->Put(RegionOf<std::uint16_t>({0x0102, 0x0304}, {1}, {2}, {2}));
  chunk->Complete(BytesOf<std::uint16_t>({0x1111, 0x2222, 0x3333, 0x4444}));
  EXPECT_EQ(ValuesOf<std::uint16_t>({chunk->elements(), 8}),
            (std::vector<std::uint16_t>{0x1111, 0x0102, 0x3333, 0x0304}));
}

TEST(PartialChunk, CompletesWithTheFillValue) {
  TestChunk chunk(OctetEncoder({2, 3}), {2, 3});
  chunk->Put(RegionOf<Octet>({1, 2}, {0, 1}, {2, 1}));
  chunk->Complete(std::nullopt);
  EXPECT_EQ(ElementsOf(*chunk, 6), "07 01 07 07 02 07");
}

TEST(PartialChunk, IsCompletedAgainWithAnotherStoredChunk) {
  TestChunk chunk(OctetEncoder({3}), {3});
  chunk->Put(RegionOf<Octet>({1}, {1}, {1}));
  chunk->Complete(Octets({90, 91, 92}));
  EXPECT_FALSE(chunk->complete());
  chunk->Complete(Octets({80, 81, 82}));
  EXPECT_EQ(ElementsOf(*chunk, 3), HexOf(Octets({80, 1, 82})));
}

TEST(PartialChunk, CompletesInTheLayoutOfTheCodecs) {
  TestChunk chunk(OctetEncoder({2, 3}, R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes"])"),
                  {2, 3});
  chunk->Put(RegionOf<Octet>({1, 2, 3}, {1, 0}, {1, 3}));
  chunk->Complete(Octets({10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(ElementsOf(*chunk, 6), HexOf(Octets({10, 1, 12, 2, 14, 3})));
}

TEST(PartialChunk, IsCompleteWithoutWhatIsBeyondTheArray) {
  TestChunk chunk(OctetEncoder({2, 3}), {1, 2});
  EXPECT_FALSE(chunk->complete());
  chunk->Put(RegionOf<Octet>({1, 2}, {0, 0}, {1, 2}));
  EXPECT_TRUE(chunk->complete());
  EXPECT_EQ(ElementsOf(*chunk, 6), "01 02 07 07 07 07");
}

TEST(PartialChunk, KeepsTheFillValueBeyondTheArrayWhateverIsStored) {
  TestChunk chunk(OctetEncoder({4}), {3});
  chunk->Put(RegionOf<Octet>({1}, {0}, {1}));
  chunk->Complete(Octets({90, 91, 92, 93}));
  EXPECT_EQ(ElementsOf(*chunk, 4), HexOf(Octets({1, 91, 92, 7})));
}

TEST(PartialChunk, StartsFromWhatIsStored) {
  BufferStock stock;
  const ChunkEncoder encoder = OctetEncoder({3});
  const Bytes stored = Octets({4, 5, 6});
  PartialChunk from_bytes(encoder, std::optional<ByteSpan>(stored), &stock);
  EXPECT_TRUE(from_bytes.complete());
  from_bytes.Put(RegionOf<Octet>({1}, {1}, {1}));
  EXPECT_TRUE(from_bytes.complete());
  EXPECT_EQ(ElementsOf(from_bytes, 3), "04 01 06");
  const PartialChunk from_nothing(encoder, std::optional<ByteSpan>(), &stock);
  EXPECT_TRUE(from_nothing.complete());
  EXPECT_EQ(ElementsOf(from_nothing, 3), "07 07 07");
}

TEST(PartialChunk, RefusesStoredBytesThatCannotBeDecoded) {
  TestChunk chunk(OctetEncoder({3}), {3});
  ExpectError([&] { chunk->Complete(Octets({1, 2})); }, ErrorKind::kCorrupt, "", "bytes");
  EXPECT_FALSE(chunk->complete());
}

TEST(PartialChunk, TakesAScalar) {
  TestChunk chunk(OctetEncoder({}), Shape{});
  EXPECT_FALSE(chunk->complete());
  chunk->Put(RegionOf<Octet>({9}, {}, {}));
  EXPECT_TRUE(chunk->complete());
  EXPECT_EQ(ElementsOf(*chunk, 1), "09");
}

TEST(PartialChunk, CountsItsElementsAndWhichAreThere) {
  BufferStock stock;
  const ChunkEncoder encoder = OctetEncoder({100});
  EXPECT_EQ(PartialChunk(encoder, {100}, &stock).memory_size(), 100u + 16);
}

// --- memory of parts that are gone --------------------------------------------------------------------------------

TEST(PartialChunk, GivesItsMemoryToTheNextOne) {
  BufferStock stock;
  const ChunkEncoder encoder = OctetEncoder({1000});
  const std::byte* memory = nullptr;
  {
    PartialChunk chunk(encoder, {1000}, &stock);
    memory = chunk.elements();
  }
  const PartialChunk next(encoder, {1000}, &stock);
  EXPECT_EQ(next.elements(), memory);
  EXPECT_FALSE(next.complete());
}

TEST(BufferStock, GivesOnlyBuffersOfTheVerySize) {
  BufferStock stock;
  Bytes given(10);
  const std::byte* const memory = given.data();
  stock.Give(std::move(given));
  EXPECT_EQ(stock.Take(9).size(), 9u);
  EXPECT_EQ(stock.Take(11).size(), 11u);
  EXPECT_EQ(stock.Take(10).data(), memory);
  EXPECT_NE(stock.Take(10).data(), nullptr);
  stock.Give(Bytes());
  EXPECT_EQ(stock.Take(0).size(), 0u);
}

TEST(BufferStock, KeepsNoMoreThanIsItsShare) {
  constexpr std::size_t kSize = std::size_t{10} << 20;
  BufferStock stock;
  Bytes first(kSize, std::byte{1});
  Bytes second(kSize, std::byte{2});
  const std::byte* const memory = first.data();
  stock.Give(std::move(first));
  stock.Give(std::move(second));  // more than 16 MiB: not kept
  const Bytes taken = stock.Take(kSize);
  EXPECT_EQ(taken.data(), memory);
  EXPECT_EQ(taken.front(), std::byte{1});
}

// --- text ---------------------------------------------------------------------------------------------------------

TEST(PartialTextChunk, OwnsTheTextThatIsPut) {
  TestChunk chunk(TextEncoder({4}), {4});
  PutTexts(chunk.get(), {"a", "long enough not to be short"}, {1}, {2});
  EXPECT_FALSE(chunk->complete());
  PutTexts(chunk.get(), {"", "c"}, {0}, {2});
  EXPECT_TRUE(chunk->complete());
  EXPECT_EQ(TextsOf(*chunk, 4), (Views{"", "a", "c", "long enough not to be short"}));
}

TEST(PartialTextChunk, CountsTheTextThatItTakes) {
  TestChunk chunk(TextEncoder({4}), {4});
  const std::size_t before = chunk->memory_size();
  EXPECT_EQ(before, 4 * sizeof(std::string_view) + 8);
  PutTexts(chunk.get(), {"abc", "de"}, {0});
  EXPECT_EQ(chunk->memory_size(), before + 5);
  PutTexts(chunk.get(), {"f"}, {0});
  EXPECT_EQ(chunk->memory_size(), before + 6) << "what is overwritten stays";
}

TEST(PartialTextChunk, CompletesFromWhatIsStored) {
  TestChunk chunk(TextEncoder({4}), {4});
  PutTexts(chunk.get(), {"new"}, {2});
  {
    const Bytes stored = EncodedText(chunk.encoder(), {"old", "", "replaced", "older"});
    chunk->Complete(stored);
  }
  EXPECT_EQ(TextsOf(*chunk, 4), (Views{"old", "", "new", "older"}));
}

TEST(PartialTextChunk, CompletesWithTheFillValue) {
  BufferStock stock;
  const ChunkEncoder encoder = TextEncoder({3});
  PartialChunk chunk(encoder, {3}, &stock);
  PutTexts(&chunk, {"new"}, {1});
  chunk.Complete(std::nullopt);
  EXPECT_EQ(TextsOf(chunk, 3), (Views{"none", "new", "none"}));
  const PartialChunk empty(encoder, std::optional<ByteSpan>(), &stock);
  EXPECT_EQ(TextsOf(empty, 3), (Views{"none", "none", "none"}));
}

TEST(PartialTextChunk, HasTheFillValueBeyondTheArray) {
  TestChunk chunk(TextEncoder({3}), {2});
  PutTexts(chunk.get(), {"a", "b"}, {0});
  EXPECT_TRUE(chunk->complete());
  EXPECT_EQ(TextsOf(*chunk, 3), (Views{"a", "b", "none"}));
  chunk->Complete(EncodedText(chunk.encoder(), {"x", "y", "z"}));
  EXPECT_EQ(TextsOf(*chunk, 3), (Views{"a", "b", "none"}));
}

}  // namespace
}  // namespace zarr::test
