// SPDX-License-Identifier: MIT
#include "zarrlib/store/local_archive_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "autotest/cpp/support/store_conformance.h"
#include "autotest/cpp/support/temporary_folder.h"

namespace zarr {
namespace {

namespace fs = std::filesystem;

class LocalArchiveFileTest : public testing::Test {
 protected:
  std::string target() const { return (folder_.path() / "a.zip").string(); }
  static std::string TextOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::string TextAt(ArchiveFile& file, std::uint64_t offset, std::size_t length) {
    Bytes bytes(length);
    file.ReadAt(offset, bytes);
    return std::string(AsText(bytes));
  }

  TemporaryFolder folder_;
};

TEST_F(LocalArchiveFileTest, IsReadBeforeAndAfterItIsPutInPlace) {
  LocalArchiveFile file(target());
  file.Append(AsBytes("one "));
  EXPECT_EQ(TextAt(file, 1, 2), "ne");
  file.Append(AsBytes("two"));
  EXPECT_FALSE(fs::exists(target()));
  file.PutInPlace();
  EXPECT_EQ(TextOf(target()), "one two");
  EXPECT_EQ(TextAt(file, 4, 3), "two");
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

TEST_F(LocalArchiveFileTest, WithoutThatItIsRemovedAndAnOldOneStays) {
  std::ofstream(target()) << "old";
  std::make_unique<LocalArchiveFile>(target())->Append(AsBytes("new"));
  EXPECT_EQ(TextOf(target()), "old");
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

TEST_F(LocalArchiveFileTest, SeveralInOneFolderAreApart) {
  LocalArchiveFile first(target());
  LocalArchiveFile second(target() + ".2");
  const auto third = first.MakeAnother();
  first.Append(AsBytes("first"));
  second.Append(AsBytes("second"));
  third->Append(AsBytes("third"));
  first.PutInPlace();
  second.PutInPlace();
  EXPECT_EQ(TextOf(target()), "first");
  EXPECT_EQ(TextOf(target() + ".2"), "second");
}

TEST_F(LocalArchiveFileTest, OneElsewhereIsMadeAnewInThePlace) {
  LocalArchiveFile file(folder_.path().string(), [this] { return std::make_unique<LocalArchiveFile>(target()); });
  EXPECT_FALSE(file.CanBePutInPlace());
  const auto other = file.MakeAnother();
  EXPECT_TRUE(other->CanBePutInPlace());
  other->PutInPlace();
  EXPECT_TRUE(fs::exists(target()));
}

TEST_F(LocalArchiveFileTest, OneOfAKilledProcessIsRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    LocalArchiveFile file(target());
    file.Append(AsBytes("part"));
    ::_exit(0);  // as if killed: no destructor runs
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(folder_.CountFiles(), 1u);
  std::ofstream(folder_.path() / ".zarr-tmp-0123456789abcdef") << "of another kind";
  LocalArchiveFile first(target());
  first.Append(AsBytes("first"));
  LocalArchiveFile second(target() + ".2");
  EXPECT_EQ(folder_.CountFiles(), 3u);
  first.PutInPlace();
  EXPECT_EQ(TextOf(target()), "first");
}

TEST_F(LocalArchiveFileTest, FailuresAreTold) {
  ExpectError(ErrorKind::kIo, [&] { LocalArchiveFile(folder_.path().string() + "/missing/a.zip"); });
  LocalArchiveFile file(target());
  file.Append(AsBytes("value"));
  ExpectError(ErrorKind::kIo, [&] { TextAt(file, 3, 3); });
  fs::create_directory(target());
  std::ofstream(target() + "/file") << "other";
  ExpectError(ErrorKind::kIo, [&] { file.PutInPlace(); });
  EXPECT_EQ(TextOf(target() + "/file"), "other");
}

}  // namespace
}  // namespace zarr
