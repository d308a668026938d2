// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/folder_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "autotest/cpp/support/temporary_folder.h"

namespace zarr {
namespace {

TEST(FolderNames, AreThoseOfFilesAndFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "a");
  std::ofstream(folder.path() / ".b") << "text";
  std::error_code error;
  std::vector<std::string> names = ListNames(folder.path().string(), &error);
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{".b", "a"}));
  EXPECT_FALSE(error);
}

TEST(FolderNames, TellWhyThereAreNone) {
  const TemporaryFolder folder;
  std::error_code error;
  EXPECT_TRUE(ListNames((folder.path() / "none").string(), &error).empty());
  EXPECT_EQ(error, std::errc::no_such_file_or_directory);
  std::ofstream(folder.path() / "file") << "text";
  EXPECT_TRUE(ListNames((folder.path() / "file").string(), &error).empty());
  EXPECT_EQ(error, std::errc::not_a_directory);
}

}  // namespace
}  // namespace zarr
