// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::tools {
namespace {

using test::Result;

/// A store of the draft of v3 with an array in an implied group, and the folder of a new store beside it.
class MigrateDraft : public test::FolderTest {
 protected:
  MigrateDraft() : old_(folder_ + "/old.zarr"), new_(folder_ + "/new.zarr") {
    Set("old.zarr/zarr.json", R"({"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0",
        "metadata_key_suffix": ".json", "extensions": []})");
    Set("old.zarr/meta/root.group.json", R"({"attributes": {"title": "t"}})");
    Set("old.zarr/meta/root/g/a.array.json", Document(R"("u1")"));
    for (const char* chunk : {"c0", "c2"}) Set("old.zarr/data/root/g/a/" + std::string(chunk), "ab");
  }

  static std::string Document(const std::string& type) {
    return R"({"shape": [5], "chunk_grid": {"type": "regular", "chunk_shape": [2], "separator": "/"},
        "chunk_memory_layout": "C", "fill_value": 9, "attributes": {"_ARRAY_DIMENSIONS": ["x"]}, "data_type": )" +
           type + "}";
  }
  Result Migrate(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"migrate", old_, "--to", "v3", "--output", new_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::Zarrkit(arguments);
  }

  const std::string old_;
  const std::string new_;
};

TEST_F(MigrateDraft, MakesAnArchive) {
  const std::string archive = folder_ + "/new.zip";
  Result result = test::Zarrkit({"migrate", old_, "--to", "v3", "--output", archive, "--dry-run"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_FALSE(Has("new.zip"));
  result = test::Zarrkit({"migrate", old_, "--to", "v3", "--output", archive});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_TRUE(std::filesystem::is_regular_file(archive));
  EXPECT_EQ(test::Zarrkit({"check", archive}).out, "2 groups, 1 arrays, 2 chunks, 0 errors\n");
}

TEST_F(MigrateDraft, MakesAnotherStore) {
  Result result = Migrate({"--dry-run"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "would write g/a/zarr.json\nwould write g/zarr.json\nwould write zarr.json\n");
  EXPECT_FALSE(Has("new.zarr"));
  result = Migrate();
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out,
            "wrote g/a/zarr.json\nwrote g/zarr.json\nwrote zarr.json\n"
            "1 arrays, 2 groups migrated to v3, 2 chunks copied to " +
                new_ + "\n");
  EXPECT_EQ(Get("new.zarr/g/a/c/0"), "ab");
  EXPECT_EQ(Get("new.zarr/g/a/c/2"), "ab");
  EXPECT_FALSE(Has("new.zarr/g/a/c/1"));
  EXPECT_TRUE(Has("old.zarr/data/root/g/a/c2"));
  const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(new_));
  EXPECT_EQ(hierarchy->format(), ZarrFormat::kV3);
  EXPECT_EQ(hierarchy->OpenGroup("").attributes.Dump(), R"({"title":"t"})");
  EXPECT_EQ(hierarchy->OpenArray("g/a")->metadata().dimension_names, (std::vector<std::optional<std::string>>{"x"}));
  EXPECT_EQ(test::Zarrkit({"check", new_}).code, kSuccess);
  result = Migrate();
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("expected an empty folder"), std::string::npos) << result.err;
}

TEST_F(MigrateDraft, NeedsAnotherFolder) {
  Result result = test::Zarrkit({"migrate", old_, "--to", "v3"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("--output NEW_STORE"), std::string::npos) << result.err;
  for (const std::string& folder : {old_, old_ + "/new", folder_}) {
    result = test::Zarrkit({"migrate", old_, "--to", "v3", "--output", folder});
    EXPECT_EQ(result.code, kFailure) << folder;
    EXPECT_NE(result.err.find("apart from the old one"), std::string::npos) << result.err;
  }
  EXPECT_EQ(Migrate({"--delete-old"}).code, kUsage);
  EXPECT_EQ(test::Zarrkit({"migrate", old_, "--to", "v2", "--output", new_}).code, kUsage);
  EXPECT_FALSE(Has("new.zarr"));
}

TEST_F(MigrateDraft, IsForStoresOfTheDraft) {
  Set("v2.zarr/.zgroup", R"({"zarr_format": 2})");
  const Result result = test::Zarrkit({"migrate", folder_ + "/v2.zarr", "--to", "v3", "--output", new_});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("expected a store of the draft of v3, got one of v2"), std::string::npos) << result.err;
}

TEST_F(MigrateDraft, WritesNothingIfANodeHasNoEqual) {
  Set("old.zarr/meta/root/g/b.array.json",
      Document(R"({"type": "quux", "extension": "https://a.b/c", "fallback": null})"));
  Set("old.zarr/meta/root/zarr.json.array.json", Document(R"("u1")"));
  const Result result = Migrate();
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("meta/root/g/b.array.json: /data_type: v3 has no data type \"quux\""), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("zarr.json: v3 has no nodes of that name"), std::string::npos) << result.err;
  EXPECT_FALSE(Has("new.zarr"));
}

TEST_F(MigrateDraft, OtherCommands) {
  Result result = test::Zarrkit({"info", old_});
  EXPECT_EQ(result.out,
            old_ + ": Zarr v3 (draft)\n/\n  g/\n    a  [5] u1  dimensions [\"x\"]  chunks [2]  codecs none\n");
  result = test::Zarrkit({"check", old_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "2 groups, 1 arrays, 2 chunks, 0 errors\n");
  Set("old.zarr/data/root/g/a/c1", "x");
  result = test::Zarrkit({"check", old_});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.out.find(old_ + "/data/root/g/a/c1: "), std::string::npos) << result.out;
  result = test::Zarrkit({"plan", old_, "--array", "g/a"});
  EXPECT_EQ(result.out, "0:2\n2:4\n4:5\n");
  result = test::Zarrkit({"finish", old_, "--no-consolidate"});
  EXPECT_EQ(result.out, "/g/a: 0 of 3 chunks missing\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"finish", old_},
        std::vector<std::string>{"reshard", old_, "--array", "g/a", "--chunks", "3"}}) {
    result = test::Zarrkit(command);
    EXPECT_EQ(result.code, kFailure);
    EXPECT_NE(result.err.find("is only read"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace zarr::tools
