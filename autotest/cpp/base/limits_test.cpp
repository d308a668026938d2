// SPDX-License-Identifier: MIT
#include "zarrlib/base/limits.h"

#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/limit_test_util.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/base/text.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::string_view kGzip = R"({"name": "gzip", "configuration": {"level": 1}})";
constexpr std::string_view kLittle = R"({"name": "bytes", "configuration": {"endian": "little"}})";

std::string Sharded(const std::string& more = "") {
  return R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1], "codecs": [)" +
         std::string(kLittle) + R"(], "index_codecs": [)" + std::string(kLittle) + "]}}" + more + "]";
}

TEST(Limits, AreInTheOrderOfTheirNumbers) {
  for (std::size_t i = 0; i < kLimitCount; ++i) {
    const LimitInfo& info = ListLimits()[i];
    EXPECT_EQ(static_cast<std::size_t>(info.limit), i);
    EXPECT_EQ(GetLimit(info.limit), info.standard) << info.name;
  }
}

TEST(Limits, OfElements) {
  ExpectNeed(Limit::kElement, 10, [] { DataType::FromV2(JsonNode::MakeString("|S10")); });
}

TEST(Limits, OfDocuments) {
  const auto store = std::make_shared<MemoryStore>("documents");
  store->Set("a/.zattrs", AsBytes("{}  "));
  ExpectNeed(Limit::kDocument, 4, [&] { store->GetText("a/.zattrs"); });
  const std::string root = R"({"zarr_format": 3, "node_type": "group"})";
  store->Set("zarr.json", AsBytes(root));
  ExpectNeed(Limit::kText, root.size(), [&] { EditableHierarchy::Open(store); });
  ExpectNeed(Limit::kJsonValues, 4, [] { Json("[1, 2, 3]"); });
}

TEST(Limits, OfCodecs) {
  const auto store = std::make_shared<CountingStore>();
  const std::string codecs = "[" + std::string(kLittle) + ", " + std::string(kGzip) + ", " + std::string(kGzip) + "]";
  ExpectNeed(Limit::kCodecs, 3, [&] { MakeArray(store, Metadata({4}, "[2]", codecs))->ResolveFor({2}); });
}

TEST(Limits, OfChunks) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4}, "[4]", kPlain));
  Write(store.get(), *array);
  ExpectNeed(Limit::kChunk, 16, [&] {
    ReadOptions options;
    options.use_cache = false;
    Read(*array, WholeOf(*array), options);
  });
}

TEST(Limits, OfElementsOfVariableLength) {
  LimitSetting limit(Limit::kUnknownChunk, 1000);
  EXPECT_EQ(GetMaxUnknownSize(2), 1000u);
  EXPECT_EQ(GetMaxUnknownSize(100), 6400u);
  EXPECT_EQ(GetMaxUnknownSize(UINT64_MAX), UINT64_MAX);
}

TEST(Limits, OfShards) {
  const auto store = std::make_shared<CountingStore>();
  const auto make = [&](const std::string& more) {
    return MakeArray(store, Metadata({2, 2}, "[2, 2]", Sharded(more)));
  };
  ExpectNeed(Limit::kInnerChunks, 4, [&] { make("")->ResolveFor({2, 2}); });
  // Four elements of four bytes, and four entries of sixteen.
  const auto whole = make("," + std::string(kGzip));
  const auto write = [](const std::shared_ptr<const Array>& array, const Box& box) {
    const std::vector<std::int32_t> values(static_cast<std::size_t>(ComputeProduct(box.shape)), 5);
    const auto writer = ArrayWriter::Make(array, {});
    writer->Write(Selection::FromBox(box), {reinterpret_cast<const std::byte*>(values.data()),
                                            GetContiguousStrides(box.shape, sizeof(std::int32_t)), nullptr});
    writer->Flush();
  };
  const Box all{{0, 0}, {2, 2}};
  ExpectNeed(Limit::kWholeShard, 80, [&] { write(whole, all); });
  const auto part = make("");
  write(part, all);
  ExpectNeed(Limit::kKeptOfShard, 12, [&] { write(part, {{1, 1}, {1, 1}}); });
}

TEST(Limits, OfLooksInAStoreThatCannotList) {
  const auto store = std::make_shared<CountingStore>();
  store->DisableListing();
  const auto array = MakeArray(store, Metadata({8}, "[2]", kPlain));
  ExpectNeed(Limit::kLooks, 4, [&] { CheckChunksCanBeFound(*array, {{0}, {4}}); });
}

TEST(Limits, OfTheDepthOfHierarchies) {
  const auto store = std::make_shared<MemoryStore>("deep");
  const std::string group = R"({"zarr_format": 3, "node_type": "group"})";
  for (const std::string path : {"", "a/", "a/b/", "a/b/c/"}) store->Set(path + "zarr.json", AsBytes(group));
  const auto walk = [](const Hierarchy& hierarchy) {
    std::string path;
    for (auto children = hierarchy.List(""); !children.empty(); children = hierarchy.List(path)) {
      path = JoinKey(path, children[0].name);
    }
  };
  ExpectNeed(Limit::kDepth, 3, [&] { walk(*EditableHierarchy::Open(store)); });
  const auto consolidated = std::make_shared<MemoryStore>("deep and consolidated");
  consolidated->Set(".zmetadata",
                    AsBytes(R"({"zarr_consolidated_format": 1, "metadata": {"a/b/c/d/.zgroup": {"zarr_format": 2}}})"));
  ExpectNeed(Limit::kDepth, 4, [&] { walk(*EditableHierarchy::Open(consolidated)); });
}

TEST(Limits, OfFoldersThatAListLooksInto) {
  const auto store = std::make_shared<MemoryStore>("folders");
  store->Set("zarr.json", AsBytes(R"({"zarr_format": 3, "node_type": "group"})"));
  for (const std::string name : {"a", "b"}) store->Set(name + "/c/d/e/file", {});
  store->Set("z/y/x/zarr.json", AsBytes(Metadata({4}, "[2]", kPlain)));
  const auto finds = [&](std::uint64_t limit) {
    const LimitSetting setting(Limit::kListedNodes, limit);
    return EditableHierarchy::Open(store)->List("").size() == 1;
  };
  EXPECT_TRUE(finds(7));
  EXPECT_FALSE(finds(6));
}

TEST(ParseSize, TakesUnits) {
  EXPECT_EQ(ParseSize("17"), 17u);
  EXPECT_EQ(ParseSize("2KB"), 2048u);
  EXPECT_EQ(ParseSize("3 mb"), 3u << 20);
  EXPECT_EQ(ParseSize("4GB"), std::uint64_t{4} << 30);
  for (const char* text : {"", "x", "-1", "1.5MB", "1 TB", "1 M B", "99999999999999999999", "18446744073709551615KB"}) {
    EXPECT_FALSE(ParseSize(text)) << text;
  }
}

}  // namespace
}  // namespace zarr
