// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/name_rules.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/system/file_names.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

namespace fs = std::filesystem;

TEST(NameRules, CaseMattersWhereTheFileSystemSaysSo) {
  const TemporaryFolder folder;
  const fs::path name = folder.path() / "Store";
  fs::create_directory(name);
  EXPECT_EQ(FoldsCase(GetCanonicalPath(name.string())), fs::exists(folder.path() / "sTORE"));
}

/// As on a file system that takes upper and lower case for the same, where no other key finds a file.
TEST(NameRules, ANameIsThatOfItsFile) {
  const TemporaryFolder folder;
  const std::string root = GetCanonicalPath(folder.path().string());
  fs::create_directory(folder.path() / "Array");
  EXPECT_TRUE(IsSpelledSo(root, "Array"));
  EXPECT_TRUE(IsSpelledSo(root, "Array/zarr.json"));  // absent, and so not another
  EXPECT_TRUE(IsSpelledSo(root, "absent"));
  EXPECT_NO_THROW(CheckCanBeNamed(root, "Array/zarr.json", true));
  EXPECT_NO_THROW(CheckCanBeNamed(root, "other/zarr.json", true));
  EXPECT_NO_THROW(CheckCanBeNamed(root, "Array/c/0/0", true));
}

/// The folder of a file system that takes upper and lower case for the same: of Windows, or the one that
/// ZARR_TEST_FOLDING_FOLDER names, such as a mounted FAT.
class FoldingFolder : public testing::Test {
 protected:
  void SetUp() override {
    const char* const named = std::getenv("ZARR_TEST_FOLDING_FOLDER");
    root_ = named ? std::string(named) + "/Names" : (folder_.path() / "Names").string();
    fs::remove_all(root_);
    fs::create_directory(root_);
    if (!FoldsCase(GetCanonicalPath(root_))) GTEST_SKIP() << "this file system tells upper from lower case";
  }
  void TearDown() override { fs::remove_all(root_); }

  TemporaryFolder folder_;
  std::string root_;
};

TEST_F(FoldingFolder, NoTwoKeysShareAFile) {
  FilesystemStore store(root_);
  store.Set("a/zarr.json", AsBytes("one"));
  EXPECT_EQ(test::ErrorOf([&] { store.Set("A/zarr.json", AsBytes("two")); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_EQ(test::ErrorOf([&] { store.Set("a/ZARR.json", AsBytes("two")); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_EQ(test::ErrorOf([&] { store.Set("A/new.json", AsBytes("two")); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_FALSE(fs::exists(root_ + "/a/new.json"));
  EXPECT_FALSE(store.Exists("A/zarr.json"));
  EXPECT_FALSE(store.Exists("a/Zarr.json"));
  store.Erase("A/zarr.json");
  EXPECT_TRUE(store.Exists("a/zarr.json"));
  EXPECT_TRUE(store.List("A/")->keys.empty());
  EXPECT_FALSE(store.folders()->GetKind("A"));
  EXPECT_FALSE(store.folders()->FindFolder("A"));
  EXPECT_THROW(store.folders()->Rename("A/", "b/"), Error);
  EXPECT_TRUE(EraseChosen(store, "A/", [](auto, EntryKind) { return Choice::kErase; }).examples.empty());
  store.Set("a/zarr.json", AsBytes("three"));
  store.Set("a/c/0/0", AsBytes("chunk"));
  EXPECT_EQ(store.List("")->prefixes, std::vector<std::string>{"a"});
}

#ifdef _WIN32

TEST(NameRules, NamesThatWindowsForbidsAreRefusedBeforeAByteIsWritten) {
  const TemporaryFolder folder;
  FilesystemStore store(folder.path().string());
  for (const std::string name : {"con", "CON", "nul.txt", "Com1", "lpt9.json", "a:b", "a.", "a ", "a<b", "a|b", "a?b",
                                 "a*b", "a\"b", "a\\b", "a\tb"}) {
    SCOPED_TRACE(name);
    for (const std::string& key : {name, name + "/zarr.json", "group/" + name}) {
      const Error error = test::ErrorOf([&] { store.Set(key, AsBytes("x")); });
      EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument) << error.what();
      EXPECT_NE(std::string(error.what()).find("\"" + name + "\""), std::string::npos) << error.what();
      EXPECT_FALSE(store.Exists(key));
    }
  }
  EXPECT_EQ(folder.CountFiles(), 0u);
  EXPECT_TRUE(fs::is_empty(folder.path()));
  for (const std::string name : {"console", "com0", "com10", "a.b", ".zarray", "é", "a b"}) {
    store.Set(name, AsBytes("x"));
    EXPECT_TRUE(store.Exists(name)) << name;
  }
}

#else

TEST(NameRules, NamesOfAnyKindAreKept) {
  const TemporaryFolder folder;
  FilesystemStore store(folder.path().string());
  for (const std::string name : {"con", "a:b", "a.", "a ", "a\\b", "A:B"}) {
    store.Set(name, AsBytes(name));
    EXPECT_TRUE(fs::exists(folder.path() / name)) << name;
  }
}

#endif

}  // namespace
}  // namespace zarr
