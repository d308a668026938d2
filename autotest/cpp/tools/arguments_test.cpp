// SPDX-License-Identifier: MIT
#include "zarrlib/tools/arguments.h"

#include <gtest/gtest.h>

#include <fstream>

#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr::tools {
namespace {

TEST(Arguments, NamesForGdalAreKnown) {
  for (const char* name :
       {"/vsis3/bucket/a.zarr", "/vsizip/a.zip", "https://host/a.zarr", "s3://bucket/a", "ZARR:\"a\"", "ICECHUNK:a"})
    EXPECT_TRUE(IsNameForGdal(name)) << name;
  for (const char* name :
       {"a.zarr", "/data/vsi/a.zarr", "a:b.zarr", "C:/a.zarr", "--array=a://b", "file:///a.zarr", ""})
    EXPECT_FALSE(IsNameForGdal(name)) << name;
}

TEST(Arguments, NamesOfStores) {
  for (const char* name :
       {"a.zarr", "/vsicurl/https://host/a", "https://host/a.zarr", "s3://bucket", "ZARR:\"s3://b\""})
    EXPECT_EQ(ParseStoreName(name), name);
  EXPECT_EQ(ParseStoreName("file:///data/a.zarr"), "/data/a.zarr");
  EXPECT_EQ(ParseStoreName("file://localhost/data/a.zarr"), "/data/a.zarr");
  for (const char* name : {"", "foo://bar", "https://", "s3:///", "file://", "file://host/a.zarr"})
    EXPECT_THROW(ParseStoreName(name), UsageError) << name;
}

TEST(Arguments, OpenStoreTellsWhatIsNoStore) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "a.txt").string();
  std::ofstream(file) << "text";
  EXPECT_NE(test::ErrorOf([&] { OpenStore(file); }).message().find("no folder"), std::string::npos);
  EXPECT_NE(test::ErrorOf([&] { OpenStore((folder.path() / "b").string()); }).message().find("no such folder"),
            std::string::npos);
  EXPECT_EQ(OpenStore(folder.path().string())->name(), folder.path().string());
}

TEST(Arguments, WhatFollowsTwoDashesIsNoOption) {
  Arguments arguments({"--array", "a", "--", "-d.zarr", "--array"});
  EXPECT_EQ(arguments.TakeArray(), "a");
  EXPECT_EQ(arguments.TakeOutput("an output"), "--array");
  EXPECT_EQ(arguments.TakeStore(), "-d.zarr");
}

TEST(Arguments, OpenStoreListsNearNodesForAFolderThatIsNone) {
  const TemporaryFolder folder;
  EditableHierarchy::Create(std::make_shared<FilesystemStore>(folder.path().string()), ZarrFormat::kV3)
      ->CreateGroup("north");
  const auto message = [&](const char* path) {
    return test::ErrorOf([&] { OpenStore((folder.path() / path).string()); }).message();
  };
  EXPECT_EQ(message("nort"), "expected an array or a group, got none; nodes that are there: north");
  EXPECT_EQ(message("nort/"), message("nort"));
  EXPECT_EQ(message("north/a"), "expected an array or a group, got none");
  EXPECT_EQ(message("../none"), "there is no such folder");
}

TEST(Arguments, ANewStoreIsALocalFolder) {
  EXPECT_THROW(OpenNewStore("s3://bucket/a.zarr"), UsageError);
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "a.txt").string();
  std::ofstream(file) << "text";
  EXPECT_EQ(test::ErrorOf([&] { OpenNewStore(file); }).kind(), ErrorKind::kInvalidArgument);
}

}  // namespace
}  // namespace zarr::tools
