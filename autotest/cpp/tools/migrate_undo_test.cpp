// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/migration/migration_undo.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::Result;

class MigrateUndo : public test::FolderTest {
 protected:
  MigrateUndo() {
    Set(".zgroup", R"({"zarr_format": 2})");
    Set("g/.zgroup", R"({"zarr_format": 2})");
    Set("g/.zattrs", R"({"title": "a test"})");
    MakeArray("g/a", {4, 6}, {2, 4});
    Set("g/a/.zattrs", R"({"_ARRAY_DIMENSIONS": ["y", "x"], "units": "m"})");
    Set("g/a/notes.txt", "somebody's");
    Consolidate();
    before_ = Names();
    EXPECT_EQ(test::Zarrkit({"migrate", folder_, "--to", "v3"}).code, kSuccess);
  }
  Result Run(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"migrate", folder_, "--undo"});
    return test::Zarrkit(options);
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      names.push_back(fs::relative(entry.path(), folder_).string());
    }
    std::ranges::sort(names);
    return names;
  }
  /// Expects that nothing is removed, and that the message says why.
  void ExpectRefused(std::string_view why) const {
    const std::vector<std::string> names = Names();
    const Result result = Run();
    EXPECT_EQ(result.code, kFailure);
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(Names(), names);
  }

  std::vector<std::string> before_;
};

TEST_F(MigrateUndo, AGroupIsMigratedWithItsStoreOnly) {
  const auto expect_refused = [&](const std::vector<std::string>& options) {
    const std::vector<std::string> names = Names();
    std::vector<std::string> arguments = {"migrate", folder_ + "/g"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Result result = test::Zarrkit(arguments);
    EXPECT_EQ(result.code, kFailure);
    EXPECT_NE(result.err.find("this is /g of the store "), std::string::npos) << result.err;
    EXPECT_EQ(Names(), names);
  };
  expect_refused({"--undo"});
  ASSERT_EQ(Run().code, kSuccess);
  expect_refused({"--to", "v3", "--delete-old"});
}

TEST_F(MigrateUndo, AStoreInAFolderThatIsAGroupIsMigratedByItself) {
  fs::rename(folder_ + "/g", folder_ + "/g.zarr");
  fs::remove(folder_ + "/.zmetadata");
  fs::remove(folder_ + "/zarr.json");
  EXPECT_EQ(test::Zarrkit({"migrate", folder_ + "/g.zarr", "--undo"}).code, kSuccess);
  EXPECT_EQ(test::Zarrkit({"migrate", folder_ + "/g.zarr", "--to", "v3"}).code, kSuccess);
}

TEST_F(MigrateUndo, IsNotPossibleWithoutTheOldMetadata) {
  const Result again = test::Zarrkit({"migrate", folder_, "--to", "v3"});
  EXPECT_EQ(again.code, kSuccess) << again.err;
  EXPECT_EQ(again.out, "all metadata are of v3 already\n");
  const Result removal = test::Zarrkit({"migrate", folder_, "--to", "v3", "--delete-old"});
  EXPECT_EQ(removal.code, kSuccess) << removal.err;
  EXPECT_TRUE(removal.out.starts_with("removed ")) << removal.out;
  EXPECT_NE(removal.out.find("\nall metadata are of v3 already; the "), std::string::npos) << removal.out;
  EXPECT_TRUE(removal.out.ends_with(" old documents were removed\n")) << removal.out;
  ExpectRefused("--delete-old removes the old ones for good");
}

TEST_F(MigrateUndo, RemovesTheNewMetadata) {
  const Result dry = Run({"--dry-run"});
  EXPECT_EQ(dry.out, "would remove zarr.json\nwould remove g/zarr.json\nwould remove g/a/zarr.json\n");
  EXPECT_TRUE(Has("zarr.json"));
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "removed zarr.json\nremoved g/zarr.json\nremoved g/a/zarr.json\n");
  EXPECT_EQ(Names(), before_);
  EXPECT_EQ(Read("g/a"), Numbers(24));
  ExpectRefused("here is no migration to take back");
  EXPECT_EQ(test::Zarrkit({"migrate", folder_, "--to", "v3"}).code, kSuccess);
}

TEST_F(MigrateUndo, OfAnInterruptedMigrationOrUndo) {
  for (const char* key : {"zarr.json", "g/zarr.json"}) {
    fs::remove(folder_ + "/" + key);
    const Result result = Run();
    EXPECT_EQ(result.code, kSuccess) << result.err;
    EXPECT_EQ(Names(), before_);
    EXPECT_EQ(test::Zarrkit({"migrate", folder_, "--to", "v3"}).code, kSuccess);
  }
}

TEST_F(MigrateUndo, FromV1) {
  for (const char* format : {"v2", "v3"}) {
    fs::remove_all(folder_);
    Set("meta", R"({"zarr_format": 1, "shape": [4], "chunks": [2], "dtype": "<i2", "compression": "none",
        "compression_opts": null, "fill_value": 0, "order": "C"})");
    Set("attrs", R"({"units": "m"})");
    Set("0", "abcd");
    const std::vector<std::string> before = Names();
    ASSERT_EQ(test::Zarrkit({"migrate", folder_, "--to", format}).code, kSuccess);
    const Result result = Run();
    EXPECT_EQ(result.code, kSuccess) << result.err;
    EXPECT_EQ(Names(), before) << format;
  }
}

TEST_F(MigrateUndo, RefusesWhatWouldBeLost) {
  const std::string array = Get("g/a/zarr.json");
  std::string other = array;
  other.replace(other.find("\"units\": \"m\""), 12, "\"units\": \"k\"");
  Set("g/a/zarr.json", other);
  ExpectRefused("g/a/zarr.json: this document does not say what the old metadata say");
  Set("g/a/zarr.json", array);
  Set("g/new/zarr.json", array);
  ExpectRefused("g/new/zarr.json: the node has no old metadata");
  ExpectRefused("move its folder out of the store first");
  fs::remove_all(folder_ + "/g/new");
  fs::remove(folder_ + "/.zmetadata");
  fs::remove(folder_ + "/g/a/.zarray");
  ExpectRefused("g/a/zarr.json: the node has no old metadata");
  Set("g/a/.zarray", "{");
  ExpectRefused("g/a/.zarray");
}

TEST_F(MigrateUndo, WithoutOldMetadata) {
  EXPECT_EQ(test::Zarrkit({"migrate", folder_, "--to", "v3", "--delete-old"}).code, kSuccess);
  ExpectRefused("");
  EXPECT_EQ(Read("g/a"), Numbers(24));
}

TEST_F(MigrateUndo, IsCompletedAfterEachCallThatFails) {
  fs::copy(folder_, folder_ + "-kept", fs::copy_options::recursive);
  bool happened = true;
  for (int number = 1; happened; ++number) {
    SCOPED_TRACE(number);
    fs::remove_all(folder_);
    fs::copy(folder_ + "-kept", folder_, fs::copy_options::recursive);
    test::FaultStore store(std::make_shared<FilesystemStore>(folder_), test::Fault::kFails, number);
    try {
      UndoMigration(&store);
    } catch (const Error& error) {
      EXPECT_TRUE(store.happened()) << error.what();
    }
    happened = store.happened();
    EXPECT_EQ(Read("g/a"), Numbers(24));
    EXPECT_EQ(Read("g/a", true), Numbers(24));
    Run();
    EXPECT_EQ(Names(), before_);
    ASSERT_LT(number, 1000);
  }
  fs::remove_all(folder_ + "-kept");
}

TEST_F(MigrateUndo, WrongArguments) {
  EXPECT_EQ(Run({"--to", "v3"}).code, kUsage);
  EXPECT_EQ(Run({"--delete-old"}).code, kUsage);
  EXPECT_EQ(Run({"--output", folder_ + "-new"}).code, kUsage);
}

}  // namespace
}  // namespace zarr::tools
