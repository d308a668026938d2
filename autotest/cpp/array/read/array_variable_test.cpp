// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

std::vector<std::string> ReadTexts(const Array& array, const Selection& selection, bool reversed = false) {
  const TextConverter converter;
  std::vector<std::string> texts(CountOf(selection), "not set");
  Destination destination{reinterpret_cast<std::byte*>(texts.data()),
                          GetContiguousStrides(selection.count, sizeof(std::string)), &converter};
  if (reversed) {
    destination.data = reinterpret_cast<std::byte*>(&texts.back());
    for (std::ptrdiff_t& stride : destination.strides) stride = -stride;
  }
  EXPECT_TRUE(array.Read(selection, destination));
  return texts;
}

/// Returns the index of an element, such as "0,1", with letters that exceed the inline memory of a std::string.
std::string TextAt(const Shape& index) {
  return ToString(index) + std::string(static_cast<std::size_t>(index[0] * 40), 'x');
}

struct TextArray {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<const Array> array;

  explicit TextArray(std::string_view codecs) {
    std::string metadata = Metadata({4, 5}, "[3, 2]", codecs, "\"a fill value that is not short\"");
    metadata.replace(metadata.find("int32"), 5, "string");
    array = MakeArray(store, metadata);
  }
  void Write() {
    const ChunkRange range(array->metadata().chunk_grid, WholeOf(*array));
    for (std::uint64_t number = 0; number < range.count(); ++number) {
      const ChunkOverlap overlap = range.At(number);
      std::vector<std::string> texts;
      Shape index(2, 0);
      do {
        texts.push_back(TextAt({index[0] + overlap.live.origin[0], index[1] + overlap.live.origin[1]}));
      } while (AdvanceIndex(overlap.encoded_shape, &index));
      Bytes encoded;
      array->ResolveFor(overlap.encoded_shape)
          ->EncodeVariable(std::vector<std::string_view>(texts.begin(), texts.end()), &encoded);
      store->Set(array->MakeChunkKey(overlap.grid_index), encoded);
    }
  }
};

constexpr std::string_view kText = R"(["vlen-utf8", {"name": "gzip", "configuration": {"level": 1}}])";
constexpr std::string_view kTransposedText =
    R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, "vlen-utf8"])";

TEST(ArrayOfStrings, ReadsThroughAConverter) {
  for (const std::string_view codecs : {kText, kTransposedText}) {
    TextArray f(codecs);
    f.Write();
    const Selection region{{0, 1}, {2, 2}, {3, 2}};
    EXPECT_EQ(ReadTexts(*f.array, region),
              (std::vector<std::string>{TextAt({0, 1}), TextAt({0, 3}), TextAt({3, 1}), TextAt({3, 3})}));
    const std::vector<std::string> all = ReadTexts(*f.array, WholeOf(*f.array));
    for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(all[i], TextAt({i / 5, i % 5}));
    EXPECT_EQ(ReadTexts(*f.array, WholeOf(*f.array), true), std::vector<std::string>(all.rbegin(), all.rend()));
  }
}

TEST(ArrayOfStrings, MissingChunksAreTheFillValue) {
  TextArray f(kText);
  const std::vector<std::string> fill(20, "a fill value that is not short");
  EXPECT_EQ(ReadTexts(*f.array, WholeOf(*f.array)), fill);
  EXPECT_EQ(ReadTexts(*f.array, WholeOf(*f.array), true), fill);
}

TEST(ArrayOfStrings, ChunksAreKept) {
  TextArray f(kText);
  f.Write();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ReadTexts(*f.array, Selection::FromBox({{1, 1}, {1, 1}})), (std::vector<std::string>{TextAt({1, 1})}));
  }
  EXPECT_EQ(f.store->TakeReads(), 1);
}

TEST(ArrayOfStrings, BrokenChunksAreRefused) {
  TextArray f(R"(["vlen-utf8"])");
  const std::pair<std::vector<std::uint32_t>, const char*> wrong[] = {{{}, "vlen-utf8: "},
                                                                      {{UINT32_MAX}, "vlen-utf8: "},
                                                                      {{6, 0, 0, 0, 0, 0}, "vlen-utf8: "},
                                                                      {{6, 0, 0, 0, 0, 0, UINT32_MAX}, "vlen-utf8: "},
                                                                      {{5, 0, 0, 0, 0, 0}, "vlen-utf8: "}};
  for (const auto& [words, region] : wrong) {
    f.store->Set("a/c/0/0", LittleEndianOf(words));
    const Error error = ErrorOf([&] { ReadTexts(*f.array, WholeOf(*f.array)); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
    EXPECT_TRUE(error.message().starts_with(region)) << error.what();
    EXPECT_TRUE(error.message().ends_with("(chunk [0,0])")) << error.what();
  }
}

TEST(ArrayOfStrings, InShards) {
  TextArray f(R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 1], "codecs": ["vlen-utf8"],
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}])");
  // Two inner chunks; the first holds "p", "q", "r", the second one is absent.
  Bytes shard;
  for (const std::uint32_t word : {3, 1}) {
    shard.resize(shard.size() + 4);
    WriteLittleEndian(shard.data() + shard.size() - 4, word);
  }
  const std::string_view rest("p\1\0\0\0q\1\0\0\0r", 11);
  for (const std::byte b : AsBytes(rest)) shard.push_back(b);
  for (const std::uint64_t entry : {std::uint64_t{0}, std::uint64_t{19}, UINT64_MAX, UINT64_MAX}) {
    shard.resize(shard.size() + 8);
    WriteLittleEndian(shard.data() + shard.size() - 8, entry);
  }
  f.store->Set("a/c/0/0", shard);
  const std::string fill = "a fill value that is not short";
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ReadTexts(*f.array, Selection::FromBox({{0, 0}, {3, 2}})),
              (std::vector<std::string>{"p", fill, "q", fill, "r", fill}));
  }
}

}  // namespace
}  // namespace zarr
