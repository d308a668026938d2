// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/local_archive_file.h"

#include <gtest/gtest.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#ifndef _WIN32
#include "autotest/cpp/support/file_size_limit.h"
#endif
#include "autotest/cpp/support/conformance/store_conformance.h"
#include "autotest/cpp/support/processes/child_process.h"
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

const test::ChildTask kWritePart("write a part of an archive", [](const test::ChildTask::Arguments& arguments) {
  LocalArchiveFile file(arguments.at(0));
  file.Append(AsBytes("part"));
  test::ChildProcess::TellReady();
  test::ChildProcess::AwaitStart();
});

TEST_F(LocalArchiveFileTest, OneOfAKilledProcessIsRemovedByTheNext) {
  test::ChildProcess writer(kWritePart, {target()});
  writer.AwaitReady();
  ASSERT_TRUE(writer.Kill());
  EXPECT_EQ(folder_.CountFiles(), 1u);
  std::ofstream(folder_.path() / ".zarr-tmp-0123456789abcdef") << "of another kind";
  LocalArchiveFile first(target());
  first.Append(AsBytes("first"));
  LocalArchiveFile second(target() + ".2");
  EXPECT_EQ(folder_.CountFiles(), 3u);
  first.PutInPlace();
  EXPECT_EQ(TextOf(target()), "first");
}

#ifdef __linux__

/// Lets each later call of write in this process write nothing, and return 0. Returns whether the system can do that.
bool LetWritesWriteNothing() {
  // The kernel gives the error 0 in place of the call: no error, and the result 0.
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(steps)), steps};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_F(LocalArchiveFileTest, AWriteOfNoBytesIsAFailureAndIsNotRepeatedForEver) {
  enum Outcome : std::uint8_t { kTold, kNotTold, kCannotTest };
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);  // ends a process that writes for ever
    LocalArchiveFile file(target());
    if (!LetWritesWriteNothing()) ::_exit(kCannotTest);
    try {
      file.Append(AsBytes("value"));
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::kIo ? kTold : kNotTold);
    }
    ::_exit(kNotTold);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "the process wrote for ever";
  if (WEXITSTATUS(status) == kCannotTest) GTEST_SKIP() << "the system filters no calls";
  EXPECT_EQ(WEXITSTATUS(status), kTold);
}

#else

TEST_F(LocalArchiveFileTest, AWriteOfNoBytesIsAFailureAndIsNotRepeatedForEver) {
  GTEST_SKIP() << "this system does not filter calls";
}

#endif

#ifdef _WIN32

TEST_F(LocalArchiveFileTest, AWriteThatEndsAtAFullDiskIsAFailureAndAnOldArchiveStays) {
  GTEST_SKIP() << "Windows has no limit of the size of a process's files";
}

#else

TEST_F(LocalArchiveFileTest, AWriteThatEndsAtAFullDiskIsAFailureAndAnOldArchiveStays) {
  std::ofstream(target()) << "old";
  {
    LocalArchiveFile file(target());
    file.Append(AsBytes("abc"));
    const FileSizeLimit limit(5);  // the next write writes a part, the one after it nothing
    ExpectError(ErrorKind::kIo, [&] { file.Append(AsBytes("defgh")); });
    EXPECT_EQ(TextAt(file, 0, 5), "abcde");
  }
  EXPECT_EQ(TextOf(target()), "old");
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

#endif

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
