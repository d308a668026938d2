// SPDX-License-Identifier: MIT
#include "zarrlib/store/linked_groups.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/store_texts.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

/// A walk through all groups: their paths and those of the arrays.
void Walk(const Hierarchy& hierarchy, const std::string& path, std::vector<std::string>* paths) {
  for (const Hierarchy::Child& child : hierarchy.List(path)) {
    const std::string child_path = JoinKey(path, child.name);
    paths->push_back(child_path);
    if (child.kind == NodeKind::kGroup) Walk(hierarchy, child_path, paths);
  }
}

std::vector<std::string> Walk(const Hierarchy& hierarchy) {
  std::vector<std::string> paths;
  Walk(hierarchy, "", &paths);
  return paths;
}

class LinkedGroupsOfFolders : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  }
  void MakeNode(const std::string& path, std::string_view document) {
    store_->Set(JoinKey(path, "zarr.json"), AsBytes(document));
  }
  void Link(const std::string& path, const std::string& target) {
    std::filesystem::create_directory_symlink(folder_.path() / target, folder_.path() / path);
  }

  const TemporaryFolder folder_;
  const std::shared_ptr<FilesystemStore> store_ = std::make_shared<FilesystemStore>(folder_.path().string());
};

TEST_F(LinkedGroupsOfFolders, AWalkMeetsEachFolderAFewTimes) {
  constexpr int kFolders = 25;
  const auto name = [](int i) { return "d" + std::to_string(i); };
  MakeNode("", kGroup);
  for (int i = 0; i < kFolders; ++i) MakeNode(name(i), kGroup);
  for (int i = 0; i + 1 < kFolders; ++i) {
    for (const std::string link : {"/a", "/b"}) Link(name(i) + link, name(i + 1));
  }
  const auto hierarchy = EditableHierarchy::Open(store_);
  const std::vector<std::string> paths = Walk(*hierarchy);
  EXPECT_LE(paths.size(), 4u * kFolders);
  EXPECT_GE(paths.size(), 3u * kFolders - 2);
  EXPECT_EQ(Walk(*hierarchy), paths);
  // What is not listed opens by its name.
  EXPECT_EQ(hierarchy->Probe("d0/b/b/a/b"), NodeKind::kGroup);
  EXPECT_LE(Walk(*EditableHierarchy::Open(std::make_shared<FilesystemStore>((folder_.path() / "d0").string()))).size(),
            2u * kFolders);
}

TEST_F(LinkedGroupsOfFolders, OrdinaryLinksAreShown) {
  for (const std::string group : {"", "real", "real/inner", "other"}) MakeNode(group, kGroup);
  for (const std::string array : {"real/x", "real/inner/y"}) MakeNode(array, Metadata({4}, "[2]", kPlain, "3"));
  for (const std::string link : {"latest", "newest", "other/again"}) Link(link, "real");
  Link("other/x", "real/x");
  Link("other/y", "real/x");
  Link("real/inner/x", "real/x");
  const auto hierarchy = EditableHierarchy::Open(store_);
  const auto text = [&](std::string_view path) {
    std::string names;
    for (const Hierarchy::Child& child : hierarchy->List(path)) names += (names.empty() ? "" : " ") + child.name;
    return names;
  };
  EXPECT_EQ(text(""), "latest newest other real");
  EXPECT_EQ(text("latest"), "inner x");
  EXPECT_EQ(text("newest"), "inner x");
  EXPECT_EQ(text("newest/inner"), "x y");
  EXPECT_EQ(text("other"), "again x y");
  EXPECT_EQ(text("other/again/inner"), "x y");
  EXPECT_EQ(hierarchy->OpenArray("other/again/inner/x")->shape(), Shape{4});
}

TEST_F(LinkedGroupsOfFolders, NodesAreNotRenamedThroughLinks) {
  for (const std::string group : {"", "real", "group"}) MakeNode(group, kGroup);
  MakeNode("real/x", Metadata({4}, "[2]", kPlain, "3"));
  MakeNode("y", Metadata({4}, "[2]", kPlain, "3"));
  Link("link", "real");
  std::filesystem::create_directory_symlink("real/x", folder_.path() / "relative");
  const auto hierarchy = EditableHierarchy::Open(store_);
  const auto kind_of = [](const auto& change) { return ErrorOf(change).kind(); };
  EXPECT_EQ(kind_of([&] { hierarchy->Rename("link/x", "here"); }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind_of([&] { hierarchy->Rename("y", "link/y"); }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind_of([&] { hierarchy->Exchange("link/x", "y"); }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind_of([&] { hierarchy->Rename("relative", "group/relative"); }), ErrorKind::kUnsupported);
  hierarchy->Rename("relative", "renamed");
  EXPECT_EQ(hierarchy->OpenArray("renamed")->shape(), Shape{4});
  EXPECT_EQ(hierarchy->OpenArray("real/x")->shape(), Shape{4});
}

}  // namespace
}  // namespace zarr
