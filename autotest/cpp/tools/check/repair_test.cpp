// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::FindingsIn;
using test::Result;
using test::Zarrkit;

class Repair : public test::FolderTest {
 protected:
  Repair() {
    Set(".zgroup", R"({"zarr_format": 2})");
    MakeArray("a", {4}, {2});
    MakeArray("b", {4}, {2});
    Set("b/.zattrs", R"({"scale_factor": 1})");
    Consolidate();
  }
  Result Run() const { return Zarrkit({"check", folder_, "--repair"}); }
};

TEST_F(Repair, NothingIsWrong) {
  const std::string before = Get(".zmetadata");
  EXPECT_EQ(Run().out, "1 groups, 2 arrays, 4 chunks, 0 errors\n");
  EXPECT_EQ(Get(".zmetadata"), before);
}

TEST_F(Repair, ConsolidatedMetadataThatDiffer) {
  Set("b/.zattrs", R"({"scale_factor": 2})");
  EXPECT_NE(FindingsIn(folder_), "");
  EXPECT_EQ(Run().out, "repaired .zmetadata\n1 groups, 2 arrays, 4 chunks, 0 errors\n");
  EXPECT_EQ(FindingsIn(folder_), "");
  EXPECT_EQ(test::Json(Get(".zmetadata")).At("metadata").At("b/.zattrs").Dump(), R"({"scale_factor":2})");
}

TEST_F(Repair, ANodeThatIsNotListed) {
  MakeArray("c", {4}, {2});
  EXPECT_NE(FindingsIn(folder_), "");
  const Result result = Run();
  EXPECT_EQ(result.out, "repaired .zmetadata\n1 groups, 3 arrays, 6 chunks, 0 errors\n");
  EXPECT_TRUE(test::Json(Get(".zmetadata")).At("metadata").Has("c/.zarray"));
}

TEST_F(Repair, ANodeThatWasRemoved) {
  fs::remove_all(folder_ + "/b");
  const Result result = Run();
  EXPECT_EQ(result.out, "repaired .zmetadata\n1 groups, 1 arrays, 2 chunks, 0 errors\n");
  EXPECT_FALSE(test::Json(Get(".zmetadata")).At("metadata").Has("b/.zarray"));
}

TEST_F(Repair, AttributesWhoseRemovalWasInterrupted) {
  const auto remove_all = [](const JsonNode&) { return JsonNode::MakeObject({}); };
  for (const bool finishes : {false, true}) {
    Set(".zattrs", R"({"a": 1})");
    fs::remove(folder_ + "/.zmetadata");
    Consolidate();
    const std::string before = Get(".zmetadata");
    EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))->EditAttributes("", remove_all);
    Set(".zmetadata", before);
    EXPECT_NE(FindingsIn(folder_), "");
    const Result result = finishes ? Zarrkit({"finish", folder_}) : Run();
    EXPECT_EQ(result.code, kSuccess) << result.err;
    EXPECT_EQ(FindingsIn(folder_), "");
    EXPECT_EQ(test::Json(Get(".zmetadata")).At("metadata").At(".zattrs").Dump(), "{}");
  }
}

/// A document that is JSON, but describes no array, is no reason to forget the one that is listed.
TEST_F(Repair, ANodeWhoseDocumentIsDamaged) {
  const std::string before = Get(".zmetadata");
  for (const char* damaged : {R"({"zarr_format": 2, "shape": [4]})", "[]", "{"}) {
    Set("b/.zarray", damaged);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"check", folder_, "--repair"}, {"finish", folder_}}) {
      const Result result = Zarrkit(arguments);
      EXPECT_EQ(result.code, kFailure);
      EXPECT_NE((result.out + result.err).find("b/.zarray"), std::string::npos) << result.out << result.err;
      EXPECT_EQ(Get(".zmetadata"), before) << damaged;
    }
  }
}

TEST_F(Repair, AListedDocumentThatIsDamaged) {
  std::string damaged = Get(".zmetadata");
  const std::size_t chunks = damaged.rfind("\"chunks\"");
  ASSERT_NE(chunks, std::string::npos);
  Set(".zmetadata", damaged.replace(chunks, 8, "\"chunky\""));
  EXPECT_NE(FindingsIn(folder_), "");
  EXPECT_EQ(Run().out, "repaired .zmetadata\n1 groups, 2 arrays, 4 chunks, 0 errors\n");
}

/// The consolidated metadata are all that describes the chunks in the folder.
TEST_F(Repair, ANodeThatHasLostItsDocument) {
  fs::remove(folder_ + "/b/.zarray");
  const std::string before = Get(".zmetadata");
  const Result result = Run();
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.out.find("[consolidated-absent]"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("repaired"), std::string::npos) << result.out;
  EXPECT_EQ(Get(".zmetadata"), before);
}

/// zarr-python 3 lists attributes of every node.
TEST_F(Repair, ListedAttributesThatSayNothingNeedNoDocument) {
  std::string listed = Get(".zmetadata");
  ASSERT_EQ(listed.find("\".zattrs\""), std::string::npos);
  const std::size_t group = listed.find("\".zgroup\"");
  ASSERT_NE(group, std::string::npos);
  Set(".zmetadata", listed.insert(group, "\".zattrs\": {}, "));
  EXPECT_EQ(FindingsIn(folder_), "");
}

TEST_F(Repair, ADocumentThatCannotBeRead) {
  Set("b/.zarray", "{");
  const std::string before = Get(".zmetadata");
  const Result result = Run();
  EXPECT_EQ(result.code, kFailure);
  EXPECT_EQ(result.out.find("repaired"), std::string::npos) << result.out;
  EXPECT_EQ(Get(".zmetadata"), before);
}

TEST_F(Repair, MetadataOfV3) {
  fs::remove_all(folder_);
  Set("zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
  Set("g/zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
  Consolidate();
  Set("g/zarr.json", R"({"zarr_format": 3, "node_type": "group", "attributes": {"a": 1}})");
  EXPECT_EQ(Run().out, "repaired zarr.json\n2 groups, 0 arrays, 0 chunks, 0 errors\n");
  EXPECT_EQ(FindingsIn(folder_), "");
}

TEST_F(Repair, AnInterruptedReshard) {
  fs::create_directories(folder_ + "/.zarr-tmp-reshard-a/array");
  Set(".zarr-tmp-reshard-a/reshard.json",
      R"({"zarrkit": "reshard", "array": "/a", "step": "copy", "consolidated": false, "zarr_format": 2})");
  Set(".zarr-tmp-reshard-a/array/0", "x");
  fs::create_directories(folder_ + "/.zarr-tmp-reshard-b");
  Set(".zarr-tmp-reshard-b/notes.txt", "somebody's");
  const Result result = Run();
  EXPECT_NE(result.out.find("repaired .zarr-tmp-reshard-a\n"), std::string::npos) << result.out;
  EXPECT_FALSE(Has(".zarr-tmp-reshard-a"));
  EXPECT_EQ(result.code, kFailure);  // zarrkit has not made the other folder
  EXPECT_NE(result.out.find("[repair-failed]"), std::string::npos) << result.out;
  EXPECT_TRUE(Has(".zarr-tmp-reshard-b/notes.txt"));
  EXPECT_EQ(Read("a"), Numbers(4));
}

/// A reshard that could not exchange folders, and was killed between two renames.
TEST_F(Repair, AnArrayThatIsNotInItsPlace) {
  Set(".zarr-tmp-reshard-a/reshard.json",
      R"({"zarrkit": "reshard", "array": "/a", "step": "swap", "consolidated": true, "zarr_format": 2})");
  fs::remove(folder_ + "/.zmetadata");
  fs::rename(folder_ + "/a", folder_ + "/.zarr-tmp-reshard-a/array");
  EXPECT_EQ(Zarrkit({"check", folder_}).code, kFailure);
  EXPECT_EQ(Run().out, "repaired .zarr-tmp-reshard-a\n1 groups, 2 arrays, 4 chunks, 0 errors\n");
  EXPECT_EQ(Read("a", true), Numbers(4));
}

}  // namespace
}  // namespace zarr::tools
