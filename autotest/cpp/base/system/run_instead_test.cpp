// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/run_instead.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace zarr {
namespace {

TEST(RunInstead, ReturnsIfThereIsNoSuchProgram) {
  std::string name = "absent";
  char* const arguments[] = {name.data(), nullptr};
  RunInstead("/there/is/no/such/program", arguments);
  SUCCEED();
}

TEST(RunInstead, FindsTheFolderOfTheProgram) {
  const std::filesystem::path folder = FindProgramFolder();
#ifdef __linux__
  ASSERT_FALSE(folder.empty());
#endif
  EXPECT_TRUE(folder.empty() || std::filesystem::is_directory(folder)) << folder;
}

}  // namespace
}  // namespace zarr
