// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/removal/node_tree.h"

#include <filesystem>
#include <fstream>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/store_texts.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using namespace test;
using Names = std::vector<std::string>;

/// Array metadata of v2 with a grid of 2 x 3 chunks.
std::string MetadataOfV2(std::string_view separator) {
  return R"({"zarr_format": 2, "shape": [4, 6], "chunks": [2, 2], "dtype": "<i4", "compressor": null, "filters": null,)"
         R"("fill_value": 0, "order": "C", "dimension_separator": ")" +
         std::string(separator) + "\"}";
}

/// A group with an array of 2 x 3 chunks, and a group in it with an array of v2.
class NodeTreeTest : public testing::Test {
 protected:
  NodeTreeTest() {
    store_.SetText("zarr.json", kGroup);
    store_.SetText("a/zarr.json", Metadata({4, 6}, "[2, 2]", kPlain));
    store_.SetText("g/zarr.json", kGroup);
    store_.SetText("g/b/.zarray", MetadataOfV2("."));
    store_.SetText("g/b/.zattrs", "{}");
  }
  NodeTree Read(std::string_view path = "") const { return NodeTree::Read(store_, path); }
  Choice OfValue(const NodeTree& tree, std::string_view path, const IsSideFile& is_side_file = nullptr) const {
    return tree.Choose(store_, path, EntryKind::kValue, is_side_file);
  }
  Choice OfFolder(const NodeTree& tree, std::string_view path) const {
    return tree.Choose(store_, path, EntryKind::kFolder, nullptr);
  }

  CountingStore store_;
};

TEST_F(NodeTreeTest, NamesNodesBelowOthersFirst) {
  EXPECT_EQ(Read().GetPaths(), (Names{"g/b", "g", "a", ""}));
  EXPECT_EQ(Read().GetDocumentKeys(), (Names{"g/b/.zarray", "g/b/.zattrs", "g/zarr.json", "a/zarr.json", "zarr.json"}));
  EXPECT_EQ(Read("g").GetPaths(), (Names{"g/b", "g"}));
  EXPECT_EQ(Read("a").GetPaths(), Names{"a"});
}

TEST_F(NodeTreeTest, IsEmptyWhereThereIsNoNode) {
  EXPECT_TRUE(Read("nothing").empty());
  store_.SetText("folder/file", "text");
  EXPECT_TRUE(Read("folder").empty());
  EXPECT_FALSE(Read().empty());
}

TEST_F(NodeTreeTest, ErasesDocumentsAndChunks) {
  const NodeTree tree = Read();
  for (const char* path : {"zarr.json", "a/zarr.json", "a/c/0/0", "a/c/1/2", "g/b/.zarray", "g/b/.zattrs", "g/b/1.2"}) {
    EXPECT_EQ(OfValue(tree, path), Choice::kErase) << path;
  }
}

TEST_F(NodeTreeTest, KeepsWhatTheMetadataDoNotName) {
  const NodeTree tree = Read();
  for (const char* path :
       {"a/c/2/0",     "a/c/0/3",     "a/c/0",     "a/c/0/0/0",     "a/0/0",       "a/0.0",          "a/c/00/0",
        "a/c/0/0.bak", "a/notes.txt", "notes.txt", "c/0/0",         "g/c/0/0",     "g/b/2.0",        "g/b/0.3",
        "g/b/0/0",     "g/b/0",       "a/.zarray", "g/b/zarr.json", "g/b/.zgroup", "other/zarr.json"}) {
    EXPECT_EQ(OfValue(tree, path), Choice::kKeep) << path;
  }
}

TEST_F(NodeTreeTest, EntersFoldersOfNodesAndOfChunks) {
  const NodeTree tree = Read();
  for (const char* path : {"a", "g", "g/b", "a/c", "a/c/0", "a/c/12"}) {
    EXPECT_EQ(OfFolder(tree, path), Choice::kEnter) << path;
  }
  for (const char* path :
       {"other", "a/d", "a/c/x", "a/c/0/0", "a/c/0/x", "a/0", "g/b/0", "g/b/c", "g/c", "a/zarr.json"}) {
    EXPECT_EQ(OfFolder(tree, path), Choice::kKeep) << path;
  }
}

TEST_F(NodeTreeTest, KnowsTheFoldersOfKeysWithSlashes) {
  store_.SetText("g/b/.zarray", MetadataOfV2("/"));
  const NodeTree tree = Read();
  EXPECT_EQ(OfFolder(tree, "g/b/1"), Choice::kEnter);
  EXPECT_EQ(OfFolder(tree, "g/b/1/2"), Choice::kKeep);
  EXPECT_EQ(OfFolder(tree, "g/b/c"), Choice::kKeep);
  EXPECT_EQ(OfValue(tree, "g/b/1/2"), Choice::kErase);
  EXPECT_EQ(OfValue(tree, "g/b/1.2"), Choice::kKeep);
}

TEST_F(NodeTreeTest, KnowsTheOneChunkOfAScalar) {
  store_.SetText("a/zarr.json", Metadata({}, "[]", kPlain));
  const NodeTree tree = Read();
  EXPECT_EQ(OfValue(tree, "a/c"), Choice::kErase);
  EXPECT_EQ(OfFolder(tree, "a/c"), Choice::kKeep);
  EXPECT_EQ(OfValue(tree, "a/c/0"), Choice::kKeep);
}

TEST_F(NodeTreeTest, KeepsWhatIsOfAnOtherKind) {
  EXPECT_EQ(Read().Choose(store_, "a/zarr.json", EntryKind::kOther, nullptr), Choice::kKeep);
  EXPECT_EQ(Read().Choose(store_, "a/c/0/0", EntryKind::kOther, nullptr), Choice::kKeep);
}

TEST_F(NodeTreeTest, IgnoresRecordsOfRemovals) {
  EXPECT_EQ(OfValue(Read(), std::string("a/") + std::string(kRemovalPrefix) + "0123456789abcdef"), Choice::kIgnore);
  EXPECT_EQ(OfValue(Read(), std::string(kRemovalPrefix) + "0123456789abcdef"), Choice::kIgnore);
}

TEST_F(NodeTreeTest, ErasesSideFilesBesideDocuments) {
  const IsSideFile is_side_file = [](const Store&, std::string_view key) { return key.ends_with(".aux.xml"); };
  const NodeTree tree = Read();
  EXPECT_EQ(OfValue(tree, "a/zarr.json.aux.xml", is_side_file), Choice::kErase);
  EXPECT_EQ(OfValue(tree, "zarr.json.aux.xml", is_side_file), Choice::kErase);
  EXPECT_EQ(OfValue(tree, "a/zarr.json.txt", is_side_file), Choice::kKeep);
  EXPECT_EQ(OfValue(tree, "a/c/zarr.json.aux.xml", is_side_file), Choice::kKeep) << "not beside a document";
  EXPECT_EQ(OfValue(tree, "a/zarr.json.aux.xml"), Choice::kKeep) << "nobody says that it is one";
}

TEST_F(NodeTreeTest, LeavesOutNodesThatCannotBeRead) {
  for (const char* text : {"{ not JSON", R"({"zarr_format": 3, "node_type": "array", "shape": "wrong"})",
                           R"({"name": "a configuration"})"}) {
    store_.SetText("a/zarr.json", text);
    const NodeTree tree = Read();
    EXPECT_EQ(tree.GetPaths(), (Names{"g/b", "g", ""})) << text;
    ASSERT_TRUE(tree.left_out()) << text;
    EXPECT_EQ(tree.left_out()->key(), "a/zarr.json");
    EXPECT_EQ(OfValue(tree, "a/zarr.json"), Choice::kKeep) << text;
    EXPECT_EQ(OfFolder(tree, "a"), Choice::kKeep) << text;
  }
}

TEST_F(NodeTreeTest, LeavesOutWhatIsBelowAGroupThatCannotBeRead) {
  store_.SetText("g/zarr.json", "{}");
  EXPECT_EQ(Read().GetPaths(), (Names{"a", ""}));
  EXPECT_EQ(OfFolder(Read(), "g/b"), Choice::kKeep);
}

TEST_F(NodeTreeTest, IsEmptyIfItsRootCannotBeRead) {
  store_.SetText("zarr.json", "{}");
  EXPECT_TRUE(Read().empty());
  EXPECT_EQ(Read().left_out()->key(), "zarr.json");
  store_.SetText("zarr.json", kGroup);
  store_.SetText(".zgroup", "{}");
  EXPECT_TRUE(Read().empty()) << "nobody knows which of the two is right";
}

TEST_F(NodeTreeTest, TakesAttributesThatCannotBeReadForADocument) {
  store_.SetText("g/b/.zattrs", "{ not JSON");
  EXPECT_FALSE(Read().left_out());
  EXPECT_TRUE(Read().unreadable());
  EXPECT_EQ(OfValue(Read(), "g/b/.zattrs"), Choice::kErase);
  EXPECT_EQ(OfValue(Read(), "g/b/0.0"), Choice::kErase);
  EXPECT_EQ(Read().GetDocuments().size(), Read().GetDocumentKeys().size() - 1);
}

TEST_F(NodeTreeTest, EntersNoArraysForNodes) {
  store_.SetText("a/inner/zarr.json", kGroup);
  EXPECT_EQ(Read().GetPaths(), (Names{"g/b", "g", "a", ""}));
  EXPECT_EQ(OfFolder(Read(), "a/inner"), Choice::kKeep);
}

TEST_F(NodeTreeTest, HasNoNodesBelowAFolderWithoutDocuments) {
  store_.Erase("g/zarr.json");
  EXPECT_EQ(Read().GetPaths(), (Names{"a", ""}));
  store_.Erase("zarr.json");
  EXPECT_TRUE(Read().empty());
}

TEST_F(NodeTreeTest, KnowsARootOfConsolidatedMetadataAlone) {
  store_.Erase("zarr.json");
  store_.SetText(".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {}})");
  EXPECT_EQ(Read().GetPaths(), (Names{"g/b", "g", "a", ""}));
  store_.SetText(".zmetadata", R"({"mine": 1})");
  EXPECT_TRUE(Read().empty());
}

TEST_F(NodeTreeTest, IsTheSameFromDocumentsThatAreLeft) {
  const NodeTree tree = NodeTree::FromDocuments(Read().GetDocuments());
  EXPECT_EQ(tree.GetPaths(), (Names{"g/b", "g", "a", ""}));
  EXPECT_EQ(tree.GetDocumentKeys(), Read().GetDocumentKeys());
  EXPECT_EQ(OfValue(tree, "a/c/1/2"), Choice::kErase);
  EXPECT_EQ(OfValue(tree, "a/c/2/0"), Choice::kKeep);
  EXPECT_EQ(OfFolder(tree, "g/b"), Choice::kEnter);
}

TEST_F(NodeTreeTest, NeedsAStoreThatListsForGroupsOnly) {
  store_.DisableListing();
  EXPECT_EQ(Read("a").GetPaths(), Names{"a"});
  ExpectError([&] { Read("g"); }, ErrorKind::kUnsupported, "", "cannot list");
}

TEST_F(NodeTreeTest, PassesErrorsOfTheStoreOn) {
  store_.FailAt("g/b/.zarray");
  ExpectError([&] { Read(); }, ErrorKind::kIo, "", "HTTP 500");
}

TEST_F(NodeTreeTest, OnANetworkOneListTellsTheDocuments) {
  CountingStore remote(4);
  remote.TellNames();
  for (const char* key : {"zarr.json", "a/zarr.json", "g/zarr.json", "g/b/.zarray", "g/b/.zattrs"}) {
    remote.SetText(key, *store_.GetText(key));
  }
  remote.SetText("a/c/0/0", "chunk");
  remote.SetText("g/other/file", "text");
  remote.SetText("g/other.txt/zarr.json/file", "text");
  remote.TakeReads();
  EXPECT_EQ(NodeTree::Read(remote, "g").GetDocumentKeys(), Read("g").GetDocumentKeys());
  EXPECT_EQ(remote.lists(), 1);
  EXPECT_EQ(remote.TakeReads(), 3);
  EXPECT_EQ(NodeTree::Read(remote, "").GetDocumentKeys(), Read().GetDocumentKeys());
  EXPECT_EQ(NodeTree::Read(remote, "a").GetPaths(), Names{"a"});
  EXPECT_TRUE(NodeTree::Read(remote, "nothing").empty());
}

TEST(NodeTree, TakesLinksToNodesForPartsOfTheGroup) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << text;
  };
  write("s/zarr.json", kGroup);
  write("s/a/zarr.json", Metadata({4, 6}, "[2, 2]", kPlain));
  write("outside/zarr.json", kGroup);
  write("text/file", "text");
  for (const auto& [name, target] :
       {std::pair("s/node", "../outside"), {"s/text", "../text"}, {"s/a/n", "../../outside"}}) {
    std::filesystem::create_directory_symlink(target, folder.path() / name);
  }
  const FilesystemStore store((folder.path() / "s").string());
  const NodeTree tree = NodeTree::Read(store, "");
  EXPECT_EQ(tree.GetPaths(), (Names{"a", ""})) << "links are not followed";
  EXPECT_EQ(tree.Choose(store, "node", EntryKind::kLink, nullptr), Choice::kErase);
  EXPECT_EQ(tree.Choose(store, "text", EntryKind::kLink, nullptr), Choice::kKeep) << "no node";
  EXPECT_EQ(tree.Choose(store, "a/n", EntryKind::kLink, nullptr), Choice::kKeep) << "in an array";
}

}  // namespace
}  // namespace zarr
