// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/new_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/open_files.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/system/file.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {
namespace {

std::string Content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class NewFileTest : public testing::TestWithParam<NewFile::Kind> {
 protected:
  std::string PathOf(const std::string& name) const { return (folder_.path() / name).string(); }
  bool Replace(const std::string& path, std::string_view value) const {
    NewFile file(GetParent(path), GetParent(path), GetParam());
    file.Write(AsBytes(value));
    return file.Become(path);
  }
  /// Whether files in this folder can have no name.
  bool HasUnnamedFiles() const { return MakeUnnamedFile(folder_.path().string()).is_open(); }

  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Kinds, NewFileTest, testing::Values(NewFile::Kind::kUnnamedIfPossible, NewFile::Kind::kNamed));

TEST_P(NewFileTest, TakesItsName) {
  EXPECT_TRUE(Replace(PathOf("a"), "value"));
  EXPECT_EQ(Content(PathOf("a")), "value");
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

TEST_P(NewFileTest, TakesThePlaceOfAnOther) {
  EXPECT_TRUE(Replace(PathOf("a"), "an old value"));
  EXPECT_TRUE(Replace(PathOf("a"), "new"));
  EXPECT_EQ(Content(PathOf("a")), "new");
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

TEST_P(NewFileTest, TakesThePlaceOfALinkAndNotOfWhatItLeadsTo) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  EXPECT_TRUE(Replace(PathOf("target"), "target"));
  std::filesystem::create_symlink(PathOf("target"), PathOf("a"));
  EXPECT_TRUE(Replace(PathOf("a"), "new"));
  EXPECT_EQ(Content(PathOf("target")), "target");
  EXPECT_FALSE(std::filesystem::is_symlink(PathOf("a")));
}

TEST_P(NewFileTest, LeavesNothingUnlessItIsComplete) {
  {
    NewFile file(folder_.path().string(), folder_.path().string(), GetParam());
    file.Write(AsBytes("half a"));
    const bool named = GetParam() == NewFile::Kind::kNamed || !HasUnnamedFiles();
    EXPECT_EQ(folder_.CountFiles(), named ? 1u : 0u);
  }
  EXPECT_EQ(folder_.CountFiles(), 0u);
}

TEST_P(NewFileTest, LeavesNothingWhereAFolderHasTheName) {
  std::filesystem::create_directories(PathOf("a/b"));
  EXPECT_THROW((void)Replace(PathOf("a"), "value"), Error);
  EXPECT_EQ(folder_.CountFiles(), 0u);
}

TEST_P(NewFileTest, LeavesNothingWhereItGetsNoName) {
  {
    NewFile file(folder_.path().string(), folder_.path().string(), GetParam());
    const bool named = GetParam() == NewFile::Kind::kNamed || !HasUnnamedFiles();
    const auto become = [&] { return file.Become(PathOf("no/such/folder")); };
    if (named) {
      EXPECT_THROW((void)become(), Error);
    } else {
      EXPECT_FALSE(become());
    }
  }
  EXPECT_EQ(folder_.CountFiles(), 0u);
}

TEST_P(NewFileTest, MakesItsFolder) {
  const std::string folder = PathOf("x/y");
  {
    NewFile file(folder, folder, GetParam());
    EXPECT_TRUE(file.made_folders());
    EXPECT_TRUE(file.Become(folder + "/a"));
  }
  EXPECT_FALSE(NewFile(folder, folder, GetParam()).made_folders());
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

TEST_P(NewFileTest, HasNoTemporaryNameInAFolderThatItMakes) {
  const NewFile file(PathOf("root/x/y"), PathOf("root"), GetParam());
  EXPECT_TRUE(std::filesystem::is_empty(PathOf("root/x/y")));
}

TEST_P(NewFileTest, MakesItsFolderOnceMoreIfAnotherWriterRemovesIt) {
  if (GetParam() != NewFile::Kind::kNamed) GTEST_SKIP() << "a file without a name is written anew with one";
  if (!test::FreesNamesOfOpenFiles()) GTEST_SKIP() << test::kNamesOfOpenFiles;
  NewFile file(PathOf("x"), folder_.path().string(), GetParam());
  std::filesystem::remove(PathOf("x"));
  EXPECT_TRUE(file.AddName(PathOf("x/a")).value_or(true));
  std::filesystem::remove_all(PathOf("x"));
  EXPECT_TRUE(file.Become(PathOf("x/a")));
}

TEST_P(NewFileTest, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_TRUE(Replace(PathOf("a"), "a file"));
  EXPECT_THROW(NewFile(PathOf("a/b"), PathOf("a/b"), GetParam()), Error);
}

TEST_P(NewFileTest, IsSyncedWithoutAnError) {
  NewFile file(folder_.path().string(), folder_.path().string(), GetParam());
  file.Write(AsBytes("value"));
  EXPECT_NO_THROW(file.Sync());
}

}  // namespace
}  // namespace zarr
