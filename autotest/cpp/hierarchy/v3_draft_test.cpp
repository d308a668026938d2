// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/resize.h"

namespace zarr {
namespace {

using namespace test;
using namespace std::string_literals;

constexpr std::string_view kEntryPoint = R"({"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0",
    "metadata_encoding": "https://purl.org/zarr/spec/protocol/core/3.0", "metadata_key_suffix": ".json",
    "extensions": []})";

std::string ArrayDocument(const std::string& separator = "/") {
  return R"({"shape": [2, 3], "data_type": "<i2", "chunk_memory_layout": "C", "fill_value": 9, "extensions": [],
      "chunk_grid": {"type": "regular", "chunk_shape": [2, 2], "separator": ")" +
         separator + R"("}, "attributes": {"units": "m"}})";
}

using Values = std::vector<std::pair<std::string, std::string>>;

/// A store of the draft of v3 in memory, with these values besides the entry point.
std::shared_ptr<MemoryStore> DraftStoreOf(const Values& values) {
  static std::atomic<int> counter{0};
  auto store = std::make_shared<MemoryStore>("draft" + std::to_string(counter++));
  store->Set("zarr.json", AsBytes(kEntryPoint));
  for (const auto& [key, value] : values) store->Set(key, AsBytes(value));
  return store;
}

std::string Bytes16(std::initializer_list<std::int16_t> values) {
  const Bytes bytes = LittleEndianOf(values);
  return std::string(AsText(bytes));
}

std::vector<std::int16_t> ReadAll(const Array& array) {
  std::vector<std::int16_t> values(ComputeProduct(array.shape()));
  const Selection all = Selection::FromBox({Shape(array.rank(), 0), array.shape()});
  array.Read(all, {reinterpret_cast<std::byte*>(values.data()), GetContiguousStrides(array.shape(), 2), nullptr});
  return values;
}

std::string NamesOf(const Hierarchy& hierarchy, std::string_view path) {
  std::string text;
  for (const Hierarchy::Child& child : hierarchy.List(path)) {
    text += (text.empty() ? "" : " ") + child.name + (child.kind == NodeKind::kGroup ? "/" : "");
  }
  return text;
}

TEST(V3Draft, GroupsMayHaveNoDocument) {
  const auto store = DraftStoreOf({{"meta/root/g.group.json", R"({"attributes": {"a": 1}})"},
                                   {"meta/root/h/i/b.array.json", ArrayDocument()},
                                   {"meta/root/g/a.array.json", ArrayDocument(".")},
                                   {"meta/root/consolidated/.zmetadata", "{}"},
                                   {"meta/root/readme.txt", ""},
                                   {"data/root/g/a/c0.0", Bytes16({1, 2, 3, 4})},
                                   {"data/root/h/i/b/c0/1", Bytes16({5, 9, 6, 9})}});
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(hierarchy->format(), ZarrFormat::kV3Draft);
  EXPECT_EQ(NamesOf(*hierarchy, ""), "g/ h/");
  EXPECT_EQ(NamesOf(*hierarchy, "g"), "a");
  EXPECT_EQ(NamesOf(*hierarchy, "h"), "i/");
  EXPECT_EQ(hierarchy->OpenGroup("").attributes.IsNull(), true);
  EXPECT_EQ(hierarchy->OpenGroup("g").attributes.Dump(), R"({"a":1})");
  EXPECT_TRUE(hierarchy->OpenGroup("h/i").attributes.IsNull());
  EXPECT_FALSE(hierarchy->Probe("consolidated"));
  EXPECT_FALSE(hierarchy->Probe("x"));
  EXPECT_EQ(ReadAll(*hierarchy->OpenArray("g/a")), (std::vector<std::int16_t>{1, 2, 9, 3, 4, 9}));
  EXPECT_EQ(ReadAll(*hierarchy->OpenArray("h/i/b")), (std::vector<std::int16_t>{9, 9, 5, 9, 9, 6}));
  ExpectError([&] { hierarchy->OpenArray("g"); }, ErrorKind::kNotFound, "", "expected an array");
}

TEST(V3Draft, AnArrayMayBeTheRoot) {
  const auto hierarchy = EditableHierarchy::Open(
      DraftStoreOf({{"meta/root.array.json", ArrayDocument()}, {"data/root/c0/0", Bytes16({1, 2, 3, 4})}}));
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kArray);
  EXPECT_EQ(ReadAll(*hierarchy->OpenArray("")), (std::vector<std::int16_t>{1, 2, 9, 3, 4, 9}));
}

TEST(V3Draft, AnEmptyStoreIsAGroup) {
  const auto hierarchy = EditableHierarchy::Open(DraftStoreOf({}));
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kGroup);
  EXPECT_EQ(NamesOf(*hierarchy, ""), "");
}

TEST(V3Draft, ShardsHaveAnIndexWithoutAChecksum) {
  const std::string document = R"({"shape": [4], "data_type": "<i2", "fill_value": 9, "chunk_memory_layout": "C",
      "chunk_grid": {"type": "regular", "chunk_shape": [2], "separator": "/"}, "attributes": {},
      "storage_transformers": [{"type": "indexed", "configuration": {"chunks_per_shard": [2]},
          "extension": "https://purl.org/zarr/spec/storage_transformers/sharding/1.0"}]})";
  const std::string index = "\0\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"s + std::string(16, '\xFF');
  const auto hierarchy = EditableHierarchy::Open(
      DraftStoreOf({{"meta/root/a.array.json", document}, {"data/root/a/c0", Bytes16({1, 2}) + index}}));
  EXPECT_EQ(ReadAll(*hierarchy->OpenArray("a")), (std::vector<std::int16_t>{1, 2, 9, 9}));
}

TEST(V3Draft, ErrorsNameTheDocument) {
  const auto store = DraftStoreOf({{"meta/root/g/a.array.json", "{"},
                                   {"meta/root/g/b.array.json", R"({"shape": 5})"},
                                   {"meta/root/g/c.group.json", R"({"attributes": 5})"}});
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(NamesOf(*hierarchy, "g"), "a b c/");
  EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray("g/a"); }).key(), "meta/root/g/a.array.json");
  const Error error = ErrorOf([&] { hierarchy->OpenArray("g/b"); });
  EXPECT_EQ(error.what(), store->name() + "/meta/root/g/b.array.json: /shape: expected a list of integers, got 5");
  EXPECT_EQ(ErrorOf([&] { hierarchy->OpenGroup("g/c"); }).key(), "meta/root/g/c.group.json");
}

TEST(V3Draft, NamesDoNotLeadOutOfTheStore) {
  const auto hierarchy = EditableHierarchy::Open(DraftStoreOf({{"meta/root/..array.json", ArrayDocument()},
                                                               {"meta/root/...array.json", ArrayDocument()},
                                                               {"meta/root/.array.json", ArrayDocument()}}));
  EXPECT_EQ(NamesOf(*hierarchy, ""), "");
  for (const char* path : {"a/../b", "/a", "../a"}) {
    ExpectError([&] { hierarchy->OpenArray(path); }, ErrorKind::kInvalidArgument, "", "expected a key");
  }
}

TEST(V3Draft, AnEntryPointThatIsNotKnownIsRefused) {
  const auto store = DraftStoreOf({});
  store->Set("zarr.json", AsBytes(R"({"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0",
      "metadata_key_suffix": ".yaml"})"s));
  const Error error = ErrorOf([&] { EditableHierarchy::Open(store); });
  EXPECT_EQ(error.what(), store->name() + "/zarr.json: /metadata_key_suffix: expected \".json\", got \".yaml\"");
}

TEST(V3Draft, EveryChangeIsRefused) {
  const auto store = DraftStoreOf({{"meta/root/g.group.json", R"({"attributes": {}})"},
                                   {"meta/root/a.array.json", ArrayDocument()},
                                   {"data/root/a/c0/0", Bytes16({1, 2, 3, 4})}});
  const auto hierarchy = EditableHierarchy::Open(store);
  const auto array = hierarchy->OpenArray("a");
  const auto expect_refused = [](const auto& change) {
    ExpectError(change, ErrorKind::kReadOnly, "", "zarrkit migrate");
  };
  expect_refused([&] { hierarchy->CheckWritable(); });
  expect_refused([&] { hierarchy->CreateGroup("n"); });
  expect_refused([&] { hierarchy->CreateArray("n", array->metadata()); });
  expect_refused([&] { SetAttributes(*hierarchy, "g", Json("{}")); });
  expect_refused([&] { SetAttributes(*hierarchy, "a", Json("{}")); });
  expect_refused([&] { UpdateArray(*hierarchy, "a", array->metadata()); });
  expect_refused([&] { hierarchy->Delete("a"); });
  expect_refused([&] { hierarchy->Rename("a", "b"); });
  expect_refused([&] { ResizeArray(*hierarchy, array, {4, 3}); });
  expect_refused([&] { ArrayWriter::Make(array); });
  expect_refused([&] { NodeTree::Read(*store, ""); });
  expect_refused([&] { RemoveNode(*store, ""); });
  expect_refused([&] {
    hierarchy->SetConsolidate(true);
    hierarchy->WriteConsolidated();
  });
  const auto listing = store->List("");
  EXPECT_EQ(listing->keys, (std::vector<std::string>{"zarr.json"}));
  EXPECT_EQ(listing->prefixes, (std::vector<std::string>{"data", "meta"}));
  EXPECT_EQ(store->List("meta/root/")->keys, (std::vector<std::string>{"a.array.json", "g.group.json"}));
  ExpectError([&] { EditableHierarchy::Create(store, ZarrFormat::kV3); }, ErrorKind::kInvalidArgument, "",
              "Zarr store already");
}

TEST(V3Draft, OnANetworkOneListTellsAbsentChunks) {
  const auto store = std::make_shared<CountingStore>(1);
  store->TellNames();
  store->Set("zarr.json", AsBytes(kEntryPoint));
  std::string document = ArrayDocument();
  document.replace(document.find("[2, 3]"), 6, "[2, 512]");
  store->Set("meta/root/a.array.json", AsBytes(document));
  store->Set("data/root/a/c0/100", AsBytes(Bytes16({1, 2, 3, 4})));
  const auto array = EditableHierarchy::Open(store)->OpenArray("a");
  EXPECT_EQ(ReadAll(*array)[200], 1);
  EXPECT_EQ(store->lists(), 1);
}

}  // namespace
}  // namespace zarr
