// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_store.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#ifndef _WIN32
#include "autotest/cpp/support/file_size_limit.h"
#endif
#include "autotest/cpp/support/conformance/store_conformance.h"
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/paths.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

namespace fs = std::filesystem;

class FilesystemStoreFixture {
 public:
  static constexpr std::string_view kFacets = "folders locks";
  Store& store() { return store_; }

 private:
  TemporaryFolder folder_;
  FilesystemStore store_{folder_.path().string()};
};
INSTANTIATE_TYPED_TEST_SUITE_P(Filesystem, StoreConformance, FilesystemStoreFixture);

class SyncedStoreFixture {
 public:
  static constexpr std::string_view kFacets = "folders locks";
  Store& store() { return store_; }

 private:
  TemporaryFolder folder_;
  FilesystemStore store_{folder_.path().string() + "/not/there/yet", {.sync = true}};
};
INSTANTIATE_TYPED_TEST_SUITE_P(SyncedFilesystem, StoreConformance, SyncedStoreFixture);

class NamedStoreFixture {
 public:
  static constexpr std::string_view kFacets = "folders locks";
  Store& store() { return store_; }

 private:
  TemporaryFolder folder_;
  FilesystemStore store_{folder_.path().string(), {.unnamed_files = false}};
};
INSTANTIATE_TYPED_TEST_SUITE_P(NamedFilesystem, StoreConformance, NamedStoreFixture);

class FilesystemStoreTest : public testing::Test {
 protected:
  fs::path PathOf(const std::string& key) const { return folder_.path() / key; }

  TemporaryFolder folder_;
  FilesystemStore store_{folder_.path().string()};
  Bytes value_;
};

TEST_F(FilesystemStoreTest, KeysAreFiles) {
  store_.Set("a/b", AsBytes("value"));
  std::ifstream file(PathOf("a/b"));
  std::string text;
  file >> text;
  EXPECT_EQ(text, "value");
}

TEST_F(FilesystemStoreTest, ASlashAtTheEndOfTheRootChangesNothing) {
  const FilesystemStore other(folder_.path().string() + "//");
  store_.Set("a", AsBytes("value"));
  EXPECT_TRUE(other.Exists("a"));
  EXPECT_EQ(other.name(), store_.name());
  EXPECT_TRUE(FilesystemStore("/").List("")->prefixes.size() > 0);
}

TEST_F(FilesystemStoreTest, MakesItsRootWhenSomethingIsSet) {
  FilesystemStore store(PathOf("not/there/yet").string());
  EXPECT_TRUE(store.List("")->keys.empty());
  EXPECT_FALSE(store.Exists("a"));
  store.Set("a", AsBytes("value"));
  EXPECT_TRUE(store.Exists("a"));
}

// --- entries that are no values ---------------------------------------------------------------------------------

TEST_F(FilesystemStoreTest, AnOpenedValueIsOfOneState) {
  EXPECT_EQ(store_.folders()->Open("a/b"), nullptr);
  store_.Set("a/b", AsBytes("the old value"));
  const auto value = store_.folders()->Open("a/b");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->stamp().size, 13u);
  store_.Set("a/b", AsBytes("new"));
  Bytes part(3);
  value->Read(4, part);
  EXPECT_EQ(AsText(part), "old");
  EXPECT_THROW(value->Read(11, part), Error);
  EXPECT_EQ(store_.folders()->Open("a/b")->stamp().size, 3u);
}

TEST_F(FilesystemStoreTest, AFolderWhereAValueIsExpectedIsAnError) {
  fs::create_directories(PathOf("a/zarr.json"));
  ExpectError(ErrorKind::kIo, [&] { store_.Get("a/zarr.json", &value_, nullptr, UINT64_MAX); });
  ExpectError(ErrorKind::kIo, [&] { store_.GetSuffix("a/zarr.json", 1, &value_, nullptr); });
  ExpectError(ErrorKind::kIo, [&] { store_.GetRanges("a/zarr.json", {}, {}, nullptr); });
  ExpectError(ErrorKind::kIo, [&] { store_.Exists("a/zarr.json"); });
  ExpectError(ErrorKind::kIo, [&] { store_.Erase("a/zarr.json"); });
  ExpectError(ErrorKind::kIo, [&] { store_.Set("a/zarr.json", AsBytes("{}")); });
  EXPECT_EQ(folder_.CountFiles(), 0u);
}

TEST_F(FilesystemStoreTest, AMessageTellsTheFolderFromAFile) {
  fs::create_directories(PathOf("a"));
  try {
    store_.Exists("a");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), folder_.path().string() + "/a: expected a file, got a folder");
  }
}

#ifdef _WIN32

TEST_F(FilesystemStoreTest, ANamedPipeIsAnErrorAndNotWaitedFor) {
  GTEST_SKIP() << "Windows has no named pipes in folders";
}

TEST_F(FilesystemStoreTest, WhatMayNotBeReadIsAnErrorAndNotAbsent) {
  GTEST_SKIP() << "the library of C++ sets no permissions on Windows";
}

#else

TEST_F(FilesystemStoreTest, ANamedPipeIsAnErrorAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(PathOf("pipe").c_str(), 0600), 0);
  ExpectError(ErrorKind::kIo, [&] { store_.Get("pipe", &value_, nullptr, UINT64_MAX); });
  EXPECT_TRUE(store_.List("")->keys.empty());
}

TEST_F(FilesystemStoreTest, WhatMayNotBeReadIsAnErrorAndNotAbsent) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not hold for root";
  store_.Set("a/b", AsBytes("value"));
  fs::permissions(PathOf("a/b"), fs::perms::none);
  ExpectError(ErrorKind::kIo, [&] { store_.Get("a/b", &value_, nullptr, UINT64_MAX); });
  fs::permissions(PathOf("a"), fs::perms::none);
  ExpectError(ErrorKind::kIo, [&] { store_.Exists("a/b"); });
  ExpectError(ErrorKind::kIo, [&] { store_.Exists("a/nothing"); });
  ExpectError(ErrorKind::kIo, [&] { store_.List("a/"); });
  ExpectError(ErrorKind::kIo, [&] { store_.Set("a/b", AsBytes("value")); });
  ExpectError(ErrorKind::kIo, [&] { store_.Erase("a/b"); });
  fs::permissions(PathOf("a"), fs::perms::owner_all);
}

#endif

TEST_F(FilesystemStoreTest, AKeyUnderAValueCannotBeSet) {
  store_.Set("a", AsBytes("value"));
  ExpectError(ErrorKind::kIo, [&] { store_.Set("a/b", AsBytes("value")); });
  ExpectError(ErrorKind::kIo, [&] { store_.Set("a/b/c", AsBytes("value")); });
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

// --- symbolic links ---------------------------------------------------------------------------------------------

TEST_F(FilesystemStoreTest, LinksAreFollowed) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  store_.Set("a/b", AsBytes("value"));
  fs::create_symlink("a", PathOf("folder-link"));
  fs::create_symlink("a/b", PathOf("file-link"));
  EXPECT_TRUE(store_.Exists("folder-link/b"));
  EXPECT_TRUE(store_.Exists("file-link"));
  EXPECT_EQ(store_.List("")->keys, std::vector<std::string>{"file-link"});
  EXPECT_EQ(store_.List("")->prefixes, (std::vector<std::string>{"a", "folder-link"}));
}

TEST_F(FilesystemStoreTest, LinksThatLeadToNothingAreErrorsAndNotAbsent) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  store_.Set("a/b", AsBytes("value"));
  fs::create_symlink("nothing", PathOf("a/file"));
  fs::create_symlink(PathOf("nothing"), PathOf("a/folder"));
  fs::create_symlink("folder", PathOf("a/twice"));
  for (const char* key : {"a/file", "a/folder/c/0", "a/twice/c/0"}) {
    Bytes value;
    ExpectError(ErrorKind::kIo, [&] { store_.Get(key, &value, nullptr, UINT64_MAX); });
    ExpectError(ErrorKind::kIo, [&] { store_.GetSuffix(key, 1, &value, nullptr); });
    ExpectError(ErrorKind::kIo, [&] { store_.folders()->Open(key); });
    ExpectError(ErrorKind::kIo, [&] { store_.Exists(key); });
  }
  ExpectError(ErrorKind::kIo, [&] { store_.Erase("a/folder/c/0"); });
  try {
    store_.Exists("a/folder/c/0");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              PathOf("a/folder/c/0").string() +
                  ": expected a folder, got a symbolic link that leads to nothing: " + PathOf("a/folder").string());
  }
  fs::create_symlink("a", PathOf("link"));
  EXPECT_FALSE(store_.Exists("link/c/0"));
  EXPECT_FALSE(store_.Exists("a/b/c"));
}

TEST_F(FilesystemStoreTest, LinksOutOfTheStoreAreTold) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  const TemporaryFolder other;
  store_.Set("a/b/value", {});
  fs::create_directories(other.path() / "inner");
  fs::create_symlink("a", PathOf("inside"));
  fs::create_symlink(other.path(), PathOf("a/outside"));
  fs::create_symlink("nothing", PathOf("dangling"));
  for (const std::string_view path : {"", "a", "a/b", "inside", "inside/b", "dangling", "nothing"}) {
    EXPECT_FALSE(LeadsOut(store_, path)) << path;
  }
  for (const std::string_view path : {"a/outside", "a/outside/inner", "inside/outside"}) {
    EXPECT_TRUE(LeadsOut(store_, path)) << path;
  }
  fs::create_directory_symlink(PathOf("a"), other.path() / "link");
  EXPECT_FALSE(LeadsOut(FilesystemStore((other.path() / "link").string()), "b"));
}

TEST_F(FilesystemStoreTest, LinksThatLeadNowhereAreNotListed) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  fs::create_symlink("nothing", PathOf("dangling"));
  EXPECT_TRUE(store_.List("")->keys.empty());
}

TEST_F(FilesystemStoreTest, FoldersThatLinksLeadBackToAreListedOnce) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  store_.Set("a/b/value", {});
  store_.Set("c/value", {});
  fs::create_symlink("..", PathOf("a/b/up"));
  fs::create_symlink(".", PathOf("a/b/self"));
  fs::create_symlink("../../c", PathOf("a/b/over"));
  fs::create_symlink("../a", PathOf("c/back"));
  EXPECT_EQ(store_.List("a/b/")->prefixes, (std::vector<std::string>{"over", "self", "up"}));
  EXPECT_TRUE(store_.List("a/b/up/")->prefixes.empty());
  EXPECT_TRUE(store_.List("a/b/self/")->keys.empty());
  EXPECT_EQ(store_.List("a/b/over/")->prefixes, std::vector<std::string>{"back"});
  EXPECT_TRUE(store_.List("a/b/over/back/")->prefixes.empty());
  EXPECT_EQ(store_.List("c/back/")->prefixes, std::vector<std::string>{"b"});
}

TEST_F(FilesystemStoreTest, LinksInACircleAreNotListed) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  fs::create_symlink("loop", PathOf("loop"));
  fs::create_symlink("there", PathOf("back"));
  fs::create_symlink("back", PathOf("there"));
  store_.Set("a", AsBytes("value"));
  const auto listing = store_.List("");
  EXPECT_EQ(listing->keys, std::vector<std::string>{"a"});
  EXPECT_TRUE(listing->prefixes.empty());
  ExpectError(ErrorKind::kIo, [&] { store_.Get("loop/a", &value_, nullptr, UINT64_MAX); });
}

// --- writing ----------------------------------------------------------------------------------------------------

TEST_F(FilesystemStoreTest, TemporaryFilesAreNotListed) {
  std::ofstream(PathOf(".zarr-tmp-1-2")) << "half a value";
  store_.Set(".zattrs", AsBytes("{}"));
  EXPECT_EQ(store_.List("")->keys, std::vector<std::string>{".zattrs"});
}

TEST_F(FilesystemStoreTest, OfThoseThatSetAnAbsentKeyOneSucceeds) {
  for (int round = 0; round < 50; ++round) {
    const std::string key = "c/" + std::to_string(round);
    std::atomic<int> succeeded = 0;
    std::string value;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        FilesystemStore store(folder_.path().string());
        if (!store.Write(key, AsBytes(std::to_string(i)), WriteIf::kAbsent)) return;
        ++succeeded;
        value = std::to_string(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(succeeded, 1);
    EXPECT_EQ(store_.GetText(key), value);
  }
  EXPECT_EQ(folder_.CountFiles(), 50u);
}

TEST_F(FilesystemStoreTest, SetLeavesNoTemporaryFile) {
  for (int i = 0; i < 3; ++i) store_.Set("a/b", AsBytes("value"));
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

#ifdef _WIN32

TEST_F(FilesystemStoreTest, AWriteThatFailsLeavesTheOldValueAndNoTemporaryFile) {
  GTEST_SKIP() << "Windows has no limit of the size of a process's files";
}

TEST_F(FilesystemStoreTest, ThePermissionsAreThoseThatTheUmaskLeaves) {
  GTEST_SKIP() << "Windows has no umask";
}

#else

TEST_F(FilesystemStoreTest, AWriteThatFailsLeavesTheOldValueAndNoTemporaryFile) {
  store_.Set("a", AsBytes("old"));
  {
    const FileSizeLimit limit(1000);
    ExpectError(ErrorKind::kIo, [&] { store_.Set("a", AsBytes(std::string(5000, 'x'))); });
  }
  EXPECT_EQ(store_.GetText("a"), "old");
  EXPECT_EQ(folder_.CountFiles(), 1u);
}

TEST_F(FilesystemStoreTest, ThePermissionsAreThoseThatTheUmaskLeaves) {
  const mode_t before = ::umask(027);
  store_.Set("a/b", AsBytes("value"));
  ::umask(before);
  EXPECT_EQ(fs::status(PathOf("a/b")).permissions(), fs::perms{0640});
  EXPECT_EQ(fs::status(PathOf("a")).permissions(), fs::perms{0750});
}

#endif

TEST_F(FilesystemStoreTest, ANameTooLongToBeWrittenIsAnError) {
  ExpectError(ErrorKind::kIo, [&] { store_.Set(std::string(300, 'x'), AsBytes("value")); });
  EXPECT_EQ(folder_.CountFiles(), 0u);
}

TEST_F(FilesystemStoreTest, TheStampChangesEvenIfTheOldValueSeemsToBeFromTheFuture) {
  store_.Set("a", AsBytes("old"));
  fs::last_write_time(PathOf("a"), fs::file_time_type::clock::now() + std::chrono::hours(1));
  VersionStamp old_stamp, new_stamp;
  store_.Get("a", &value_, &old_stamp, UINT64_MAX);
  store_.Set("a", AsBytes("new"));
  store_.Get("a", &value_, &new_stamp, UINT64_MAX);
  EXPECT_GT(new_stamp.time, old_stamp.time);
}

TEST_F(FilesystemStoreTest, TheStampTellsApartFilesThatWerePutInPlaceWithTheirTimes) {
  store_.Set("a", AsBytes("old"));
  store_.Set("b", AsBytes("new"));
  fs::last_write_time(PathOf("b"), fs::last_write_time(PathOf("a")));
  VersionStamp old_stamp, new_stamp;
  store_.Get("a", &value_, &old_stamp, UINT64_MAX);
  fs::rename(PathOf("b"), PathOf("a"));
  store_.Get("a", &value_, &new_stamp, UINT64_MAX);
  EXPECT_NE(old_stamp, new_stamp);
}

// --- the folder of a store ---------------------------------------------------------------------------------------

TEST_F(FilesystemStoreTest, IsOneStoreHoweverItIsSpelled) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  const std::string folder = fs::canonical(folder_.path()).string();
  fs::create_directory(PathOf("real"));
  fs::create_directory_symlink("real", PathOf("link"));
  const std::string relative = fs::relative(folder).string();
  for (const fs::path rest : {"", "not/there/yet"}) {
    const std::string expected = (fs::path(folder) / "real" / rest).lexically_normal().string();
    const std::string real = rest.empty() ? expected.substr(0, expected.size() - 1) : expected;
    for (const fs::path start :
         {folder + "/real", folder + "//real/.", folder + "/link", folder + "/link/../real", relative + "/link"}) {
      EXPECT_EQ(FilesystemStore((start / rest).string()).identity(), real) << start;
    }
  }
  EXPECT_EQ(FilesystemStore(folder + "/link").name(), folder + "/link");
  EXPECT_NE(FilesystemStore(folder + "/real2").identity(), FilesystemStore(folder + "/real").identity());
}

TEST_F(FilesystemStoreTest, StaysWithTheFolderThatALinkLedTo) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  for (const std::string name : {"one", "two"}) {
    FilesystemStore((folder_.path() / name).string()).Set("a", AsBytes(name));
  }
  fs::create_directory_symlink("one", PathOf("latest"));
  const FilesystemStore store(PathOf("latest").string());
  fs::remove(PathOf("latest"));
  fs::create_directory_symlink("two", PathOf("latest"));
  EXPECT_EQ(store.GetText("a"), "one");
  EXPECT_EQ(FilesystemStore(PathOf("latest").string()).GetText("a"), "two");
}

// --- stamps ------------------------------------------------------------------------------------------------------

TEST_F(FilesystemStoreTest, ATimeThatWasSetBackHidesNoChange) {
  store_.Set("a", AsBytes("old"));
  const auto time = fs::last_write_time(PathOf("a"));
  VersionStamp before, after;
  while (!before.settled || before.size == 0) ASSERT_TRUE(store_.GetStamp("a", &before));
  std::ofstream(PathOf("a")) << "new";
  fs::last_write_time(PathOf("a"), time);
  ASSERT_TRUE(store_.GetStamp("a", &after));
  EXPECT_NE(before, after);
}

/// Clocks of file systems count in steps: within a step, a file may change again without another time.
TEST_F(FilesystemStoreTest, AStampIsSettledOnceTheClockHasMovedOn) {
  const auto is_settled = [](std::int64_t age, bool whole_seconds) {
    const std::int64_t changed = GetTimeOfFiles() - age;
    const std::int64_t fraction = whole_seconds ? 0 : std::max<std::int64_t>(changed % 1'000'000'000, 1);
    FileStatus status;
    status.changed = changed / 1'000'000'000 * 1'000'000'000 + fraction;
    return MakeFileStamp(status).settled;
  };
  EXPECT_FALSE(is_settled(0, false));
  EXPECT_FALSE(is_settled(-5'000'000'000, false)) << "in the future";
  EXPECT_TRUE(is_settled(1'000'000'000, false));
  EXPECT_FALSE(is_settled(900'000'000, true));
  EXPECT_TRUE(is_settled(4'000'000'000, true));
}

TEST(PosixFile, AFolderThatCannotBeMadeIsNamed) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "file").string();
  std::ofstream(file) << "text";
  EXPECT_NE(test::ErrorOf([&] { MakeFolders(file + "/a/b"); }).message().find("cannot make the folder " + file + "/a"),
            std::string::npos);
}

}  // namespace
}  // namespace zarr
