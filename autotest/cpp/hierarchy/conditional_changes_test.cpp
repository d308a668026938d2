// SPDX-License-Identifier: MIT
// Changes in a store with conditions, while another process changes the same nodes between reading and writing.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/comparing_store.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/store/conditional_store.h"

namespace zarr {
namespace {

using namespace test;

std::shared_ptr<EditableHierarchy> OpenAsProcess(const std::shared_ptr<Store>& server, bool defers = true) {
  HierarchyOptions options;
  options.may_wait = defers;
  auto hierarchy = EditableHierarchy::Open(std::make_shared<ConditionalStore>(server), options);
  if (defers) hierarchy->waiting().Defer();
  return hierarchy;
}

struct TwoProcesses {
  std::shared_ptr<ComparingStore> server = std::make_shared<ComparingStore>();
  std::shared_ptr<EditableHierarchy> mine;
  std::shared_ptr<EditableHierarchy> other;

  explicit TwoProcesses(const std::vector<std::pair<std::string, ArrayMetadata>>& arrays, bool consolidates = false) {
    const auto maker = EditableHierarchy::Create(std::make_shared<ConditionalStore>(server), ZarrFormat::kV3);
    for (const auto& [path, metadata] : arrays) maker->CreateArray(path, metadata);
    maker->SetConsolidate(consolidates);
    maker->WriteConsolidated();
    mine = OpenAsProcess(server);
    other = OpenAsProcess(std::make_shared<OtherProcess>(server));
  }
  std::shared_ptr<EditableHierarchy> OpenLater() const { return OpenAsProcess(server); }
};

ArrayMetadata MetadataOf(const Shape& shape, const std::string& chunk, std::string_view codecs = kPlain) {
  return ParseArrayV3(Json(Metadata(shape, chunk, codecs)));
}

void SetAttribute(EditableHierarchy& hierarchy, const std::string& path, const std::string& name) {
  hierarchy.EditAttributes(path, [&](const JsonNode& stored) {
    auto members = stored.GetMembers();
    std::vector<std::pair<std::string, JsonNode>> all(members.begin(), members.end());
    all.emplace_back(name, JsonNode::MakeInteger(1));
    return JsonNode::MakeObject(all);
  });
  hierarchy.WriteConsolidated();
}

void WritePart(EditableHierarchy& hierarchy, std::uint64_t start, const std::vector<std::int32_t>& values,
               const std::string& path = "a") {
  const auto writer = ArrayWriter::Make(hierarchy.OpenArray(path));
  WriteAll(writer.get(), Selection::FromBox({{start}, {values.size()}}), values);
  writer->Flush();
}

std::vector<std::int32_t> ReadArray(EditableHierarchy& hierarchy, const std::string& path = "a") {
  const auto array = hierarchy.OpenArray(path);
  return Read(*array, WholeOf(*array));
}

TEST(ConditionalChanges, AttributesOfBothAreKept) {
  for (const bool consolidates : {false, true}) {
    TwoProcesses test({{"a", MetadataOf({4}, "[2]")}}, consolidates);
    for (const std::string path : {"a", ""}) {
      const std::string key = path.empty() ? "zarr.json" : "a/zarr.json";
      test.server->BeforeWriteOf(key, [&] { SetAttribute(*test.other, path, "other"); });
      SetAttribute(*test.mine, path, "mine");
      EXPECT_TRUE(test.server->was_interrupted());
      const auto later = test.OpenLater();
      const JsonNode attributes =
          path.empty() ? later->OpenGroup("").attributes : later->OpenArray("a")->metadata().attributes;
      EXPECT_TRUE(attributes.Has("mine") && attributes.Has("other")) << path << attributes.Dump();
    }
  }
}

TEST(ConditionalChanges, ConsolidatedMetadataGetTheLastState) {
  TwoProcesses test({{"a", MetadataOf({4}, "[2]")}, {"b", MetadataOf({4}, "[2]")}}, true);
  test.server->BeforeWriteOf("zarr.json", [&] {
    SetAttribute(*test.other, "a", "other");
    SetAttribute(*test.other, "b", "other");
  });
  SetAttribute(*test.mine, "a", "mine");
  const auto later = test.OpenLater();
  ASSERT_TRUE(later->consolidated());
  EXPECT_TRUE(later->OpenArray("a")->metadata().attributes.Has("mine"));
  EXPECT_TRUE(later->OpenArray("a")->metadata().attributes.Has("other"));
  EXPECT_TRUE(later->OpenArray("b")->metadata().attributes.Has("other"));
}

TEST(ConditionalChanges, TheLargerLengthCounts) {
  for (const std::uint64_t length : {8, 12}) {
    TwoProcesses test({{"a", MetadataOf({4}, "[2]")}});
    test.server->BeforeWriteOf("a/zarr.json", [&] { ResizeArray(*test.other, test.other->OpenArray("a"), {10}); });
    ResizeArray(*test.mine, test.mine->OpenArray("a"), {length});
    EXPECT_TRUE(test.server->was_interrupted());
    EXPECT_EQ(test.OpenLater()->OpenArray("a")->shape(), Shape{std::max<std::uint64_t>(length, 10)});
  }
}

TEST(ConditionalChanges, AResizeKeepsTheAttributesOfOthers) {
  TwoProcesses test({{"a", MetadataOf({4}, "[2]")}});
  test.server->BeforeWriteOf("a/zarr.json", [&] { SetAttribute(*test.other, "a", "other"); });
  ResizeArray(*test.mine, test.mine->OpenArray("a"), {8});
  const auto later = test.OpenLater()->OpenArray("a");
  EXPECT_EQ(later->shape(), Shape{8});
  EXPECT_TRUE(later->metadata().attributes.Has("other"));
}

TEST(ConditionalChanges, SeveralArraysAreResizedTogetherOrNotAtAll) {
  TwoProcesses test({{"a", MetadataOf({4, 3}, "[2, 3]")}, {"t", MetadataOf({4}, "[2]")}});
  const auto resize = [](EditableHierarchy& hierarchy, std::uint64_t length) {
    return ResizeArrays(hierarchy, {{hierarchy.OpenArray("a"), {length, 3}}, {hierarchy.OpenArray("t"), {length}}});
  };
  test.server->BeforeWriteOf("t/zarr.json", [&] { EXPECT_TRUE(resize(*test.other, 10)); });
  EXPECT_FALSE(resize(*test.mine, 8));
  const auto later = test.OpenLater();
  EXPECT_EQ(later->OpenArray("a")->shape(), (Shape{10, 3}));
  EXPECT_EQ(later->OpenArray("t")->shape(), Shape{10});
}

TEST(ConditionalChanges, PartsOfAChunkAreMerged) {
  const std::string shard = "[" + Sharding("[2]", kPlain) + "]";
  for (const std::string& codecs : {std::string(kPlain), shard}) {
    TwoProcesses test({{"a", MetadataOf({8}, "[8]", codecs)}});
    test.server->BeforeWriteOf("a/c/0", [&] { WritePart(*test.other, 1, {21, 22, 23}); });
    WritePart(*test.mine, 0, {10});
    EXPECT_TRUE(test.server->was_interrupted());
    EXPECT_EQ(ReadArray(*test.OpenLater()), (std::vector<std::int32_t>{10, 21, 22, 23, -1, -1, -1, -1}));
  }
}

TEST(ConditionalChanges, AChunkThatBecomesEmptyDoesNotEraseWhatOthersWrite) {
  const std::string shard = "[" + Sharding("[2]", kPlain) + "]";
  for (const std::string& codecs : {std::string(kPlain), shard}) {
    TwoProcesses test({{"a", MetadataOf({4}, "[4]", codecs)}});
    WritePart(*test.mine, 0, {10});
    test.server->BeforeWriteOf("a/c/0", [&] { WritePart(*test.other, 3, {23}); });
    WritePart(*test.mine, 0, {-1});
    EXPECT_TRUE(test.server->was_interrupted());
    EXPECT_EQ(ReadArray(*test.OpenLater()), (std::vector<std::int32_t>{-1, -1, -1, 23}));
  }
}

TEST(ConditionalChanges, AWriterOfTheShorterArrayKeepsElementsBeyondItsEnd) {
  const std::string shard = "[" + Sharding("[2]", kPlain) + "]";
  for (const std::string& codecs : {std::string(kPlain), shard}) {
    TwoProcesses test({{"a", MetadataOf({3}, "[8]", codecs)}});
    test.mine->OpenArray("a");
    ResizeArray(*test.other, test.other->OpenArray("a"), {6});
    WritePart(*test.other, 3, {23, 24, 25});
    WritePart(*test.mine, 0, {10, 11, 12});
    EXPECT_EQ(ReadArray(*test.OpenLater()), (std::vector<std::int32_t>{10, 11, 12, 23, 24, 25}));
  }
}

TEST(ConditionalChanges, OneOfTwoMakesANode) {
  for (const bool defers : {false, true}) {
    TwoProcesses test({});
    const auto mine = OpenAsProcess(test.server, defers);
    test.server->BeforeWriteOf("n/zarr.json", [&] {
      test.other->CreateArray("n", MetadataOf({5}, "[2]"));
      test.other->WriteConsolidated();
    });
    const auto make = [&] {
      mine->CreateArray("n", MetadataOf({4}, "[2]"));
      mine->WriteConsolidated();
    };
    ExpectError(make, ErrorKind::kInvalidArgument, "", "there is a node already");
    EXPECT_EQ(test.OpenLater()->OpenArray("n")->shape(), Shape{5});
  }
}

TEST(ConditionalChanges, ANodeThatAnotherProcessHasMadeKeepsNoOtherFromBeingStored) {
  TwoProcesses test({});
  const auto mine = OpenAsProcess(test.server, true);
  mine->CreateArray("n", MetadataOf({4}, "[2]"));
  mine->CreateArray("o", MetadataOf({4}, "[2]"));
  test.other->CreateArray("n", MetadataOf({5}, "[2]"));
  test.other->WriteConsolidated();
  WritePart(*mine, 0, {1, 2}, "o");
  ExpectError([&] { WritePart(*mine, 0, {1, 2}, "n"); }, ErrorKind::kInvalidArgument, "", "there is a node already");
  ExpectError([&] { mine->Delete("n"); }, ErrorKind::kInvalidArgument, "", "there is a node already");
  ExpectError([&] { mine->WriteConsolidated(); }, ErrorKind::kInvalidArgument, "", "there is a node already");
  mine->CreateArray("p", MetadataOf({4}, "[2]"));
  EXPECT_NO_THROW(mine->WriteConsolidated());
  for (const char* name : {"o", "p"}) EXPECT_EQ(test.OpenLater()->OpenArray(name)->shape(), Shape{4});
  EXPECT_EQ(test.OpenLater()->OpenArray("n")->shape(), Shape{5});
}

/// The node and what is below it stay, in the consolidated metadata, too.
TEST(ConditionalChanges, ANodeThatAnotherProcessHasMadeIsNotChanged) {
  for (const bool is_group : {false, true}) {
    TwoProcesses test({{"a", MetadataOf({3}, "[8]")}});
    const auto mine = OpenAsProcess(test.server, true);
    mine->SetConsolidate(true);
    is_group ? mine->CreateGroup("n", Json("{}")) : (void)mine->CreateArray("n", MetadataOf({4}, "[2]"));
    is_group ? test.other->CreateGroup("n", Json(R"({"made_by": "other"})"))
             : (void)test.other->CreateArray("n", MetadataOf({5}, "[2]"));
    if (is_group) test.other->CreateArray("n/x", MetadataOf({5}, "[2]"));
    test.other->WriteConsolidated();
    const auto fails = [&](const std::function<void()>& change) {
      ExpectError(change, ErrorKind::kInvalidArgument, "", "there is a node already");
    };
    fails([&] { mine->WriteConsolidated(); });
    fails([&] { mine->Delete("n"); });
    fails([&] { mine->Rename("n", "m"); });
    fails([&] { mine->EditAttributes("n", [](const JsonNode&) { return Json(R"({"made_by": "me"})"); }); });
    EXPECT_EQ(mine->CreatedNodes(), std::vector<std::string>());
    EXPECT_NO_THROW(mine->EditAttributes("", [](const JsonNode&) { return Json(R"({"k": 1})"); }));
    mine->WriteConsolidated();
    for (const auto& reader : {test.OpenLater(), EditableHierarchy::Open(test.server)}) {
      EXPECT_EQ(reader->OpenArray(is_group ? "n/x" : "n")->shape(), Shape{5});
      EXPECT_TRUE(!is_group || reader->OpenGroup("n").attributes.Has("made_by"));
    }
  }
}

/// The other process has stored the array, and has not consolidated it yet.
TEST(ConditionalChanges, ANodeThatAnotherProcessHasMadeIsConsolidatedAsItIs) {
  TwoProcesses test({{"a", MetadataOf({3}, "[8]")}});
  test.other->SetConsolidate(true);
  test.other->WriteConsolidated();
  const auto mine = OpenAsProcess(test.server, true);
  ASSERT_TRUE(mine->consolidated());
  mine->CreateArray("n", MetadataOf({4}, "[2]"));
  test.other->CreateArray("n", MetadataOf({5}, "[2]"));
  test.other->waiting().Put();
  EXPECT_THROW(mine->WriteConsolidated(), Error);
  const auto reader = test.OpenLater();
  ASSERT_TRUE(reader->consolidated());
  EXPECT_EQ(reader->OpenArray("n")->shape(), Shape{5});
}

TEST(ConditionalChanges, OneOfTwoMakesTheStore) {
  const auto server = std::make_shared<ComparingStore>();
  HierarchyOptions options;
  options.may_wait = true;
  const auto mine =
      EditableHierarchy::Create(std::make_shared<ConditionalStore>(server), ZarrFormat::kV3, JsonNode(), options);
  const auto other =
      EditableHierarchy::Create(std::make_shared<ConditionalStore>(std::make_shared<OtherProcess>(server)),
                                ZarrFormat::kV3, Json(R"({"made_by": "other"})"), options);
  other->WriteConsolidated();
  EXPECT_THROW(mine->WriteConsolidated(), Error);
  EXPECT_TRUE(OpenAsProcess(server)->OpenGroup("").attributes.Has("made_by"));
}

TEST(ConditionalChanges, AMakerKeepsWhatOthersSetInItsNodes) {
  TwoProcesses test({});
  test.mine->CreateArray("n", MetadataOf({4}, "[2]"));
  test.mine->WriteConsolidated();
  SetAttribute(*test.other, "n", "other");
  SetAttribute(*test.mine, "n", "mine");
  const auto attributes = test.OpenLater()->OpenArray("n")->metadata().attributes;
  EXPECT_TRUE(attributes.Has("mine") && attributes.Has("other")) << attributes.Dump();
}

}  // namespace
}  // namespace zarr
