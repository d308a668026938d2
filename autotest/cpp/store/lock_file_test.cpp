// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/lock_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/open_files.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/base/error.h"

namespace zarr {
namespace {

TEST(LockFile, IsHeldOnceAndForAsLongAsTheObjectExists) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "a/b/lock").string();
  std::optional<File> first = HoldLockFile(path);
  ASSERT_TRUE(first);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(HoldLockFile(path));
  first.reset();
  EXPECT_TRUE(HoldLockFile(path));
}

TEST(LockFile, IsMadeAgainAfterItsHolderHasRemovedIt) {
  if (!test::FreesNamesOfOpenFiles()) GTEST_SKIP() << test::kNamesOfOpenFiles;
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "lock").string();
  const auto first = HoldLockFile(path);
  ASSERT_TRUE(first);
  std::filesystem::remove(path);
  EXPECT_TRUE(HoldLockFile(path));
}

TEST(LockFile, FollowsNoLink) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "lock").string();
  std::filesystem::create_symlink((folder.path() / "elsewhere").string(), path);
  EXPECT_THROW(HoldLockFile(path), Error);
  EXPECT_FALSE(std::filesystem::exists((folder.path() / "elsewhere").string()));
}

}  // namespace
}  // namespace zarr
