// SPDX-License-Identifier: MIT
// StoreFolders::ListNames of a folder: what it does not name must not exist.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class FilesystemNames : public testing::Test {
 protected:
  std::optional<Names> Try(std::string_view prefix, std::size_t most) const {
    auto names = store_.folders()->ListNames(prefix, most);
    if (names) std::ranges::sort(*names);
    return names;
  }
  /// Waits until the folder's last change lies so far back that its names are told.
  Names Get(std::string_view prefix) const {
    std::optional<Names> names;
    while (!(names = Try(prefix, 100))) std::this_thread::yield();
    return *names;
  }

  TemporaryFolder folder_;
  FilesystemStore store_{folder_.path().string()};
};

TEST_F(FilesystemNames, AreToldUpToALimit) {
  EXPECT_EQ(Try("c/", 0), Names());
  for (const char* key : {"c/0", "c/1", "c/2/3"}) store_.Set(key, AsBytes("x"));
  EXPECT_EQ(Get("c/"), (Names{"0", "1", "2"}));
  EXPECT_TRUE(Try("c/", 3));
  EXPECT_FALSE(Try("c/", 2));
}

TEST_F(FilesystemNames, AreToldThroughALink) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  store_.Set("c/0", AsBytes("x"));
  fs::create_directory_symlink("c", folder_.path() / "link");
  EXPECT_EQ(Get("link/"), Names{"0"});
}

TEST_F(FilesystemNames, AreUnknownBehindABrokenLink) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  fs::create_directory_symlink("nothing", folder_.path() / "link");
  for (const char* prefix : {"link/", "link/c/"}) EXPECT_FALSE(Try(prefix, 100)) << prefix;
}

TEST_F(FilesystemNames, AreUnknownAfterEachChange) {
  fs::create_directory(folder_.path() / "c");
  EXPECT_FALSE(Try("c/", 100));
  EXPECT_EQ(Get("c/"), Names());
  store_.Set("c/0", AsBytes("x"));
  EXPECT_FALSE(Try("c/", 100));
  EXPECT_EQ(Get("c/"), Names{"0"});
  store_.Set("c/0", AsBytes("y"));  // which some lists would lack
  EXPECT_FALSE(Try("c/", 100));
}

}  // namespace
}  // namespace zarr
