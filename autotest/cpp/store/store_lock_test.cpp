// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#ifndef _WIN32
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "autotest/cpp/support/open_files.h"
#include "autotest/cpp/support/processes/child_process.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/base/system/locks.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/memory_store.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

using namespace std::chrono_literals;

constexpr const char* kDocument = "a/zarr.json";

/// A store with one document, and other objects for the same store.
struct Places {
  TemporaryFolder folder;
  std::string memory_name = folder.path().string();  // one name, one store

  std::unique_ptr<Store> Make(bool in_memory) const {
    if (in_memory) return std::make_unique<MemoryStore>(memory_name);
    return std::make_unique<FilesystemStore>(folder.path().string());
  }
};

class StoreLocks : public testing::TestWithParam<bool> {
 protected:
  StoreLocks() { store_->Set(kDocument, AsBytes("{}")); }

  bool IsFree(std::string_view value) const {
    return Lock(*places_.Make(GetParam()), kDocument, value, false).lock != nullptr;
  }

  Places places_;
  std::unique_ptr<Store> store_ = places_.Make(GetParam());
};

TEST_P(StoreLocks, AFolderIsLockedByOneAfterTheOther) {
  auto held = LockFolder(*store_, "a/");
  std::atomic<bool> done = false;
  std::thread other([&] {
    const auto waits = LockFolder(*places_.Make(GetParam()), "a/");
    done = waits != nullptr;
  });
  EXPECT_TRUE(LockFolder(*store_, ""));  // another folder
  EXPECT_TRUE(IsFree(""));               // documents have locks of their own
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(done);
  held.reset();
  other.join();
  EXPECT_TRUE(done);
}

TEST_P(StoreLocks, AValueIsLockedOnce) {
  {
    const LockResult held = Lock(*store_, kDocument, "a/c/0");
    ASSERT_TRUE(held.lock);
    EXPECT_FALSE(IsFree("a/c/0"));
    EXPECT_FALSE(Lock(*store_, kDocument, "a/c/0", false).lock);
#ifdef ZARR_LOCKS_RANGES
    EXPECT_TRUE(IsFree("a/c/1"));
#endif
    EXPECT_FALSE(IsFree(""));  // all values
  }
  EXPECT_TRUE(IsFree("a/c/0"));
  EXPECT_TRUE(IsFree(""));
}

TEST_P(StoreLocks, ALockOfAllValuesExcludesEachOfThem) {
  {
    const LockResult held = Lock(*store_, kDocument, "");
    ASSERT_TRUE(held.lock);
    EXPECT_FALSE(IsFree("a/c/0"));
    EXPECT_FALSE(IsFree(""));
  }
  EXPECT_TRUE(IsFree("a/c/0"));
}

TEST_P(StoreLocks, ThreadsTakeTurns) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 500;
  int count = 0;  // guarded by the locks alone
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto store = places_.Make(GetParam());
      for (int k = 0; k < kTimes; ++k) {
        const LockResult held = Lock(*store, kDocument, (i + k) % 7 == 0 ? "" : "a/c/0");
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kTimes);
}

TEST_P(StoreLocks, AThreadThatWantsAllValuesGetsThem) {
  // Two threads hold locks of values in turns, so that there is always one.
  std::atomic<bool> stop = false;
  const auto hold = [&](const char* value) {
    const auto store = places_.Make(GetParam());
    while (!stop) {
      const LockResult held = Lock(*store, kDocument, value);
      std::this_thread::sleep_for(5ms);
    }
  };
  std::thread first(hold, "a/c/0");
  std::this_thread::sleep_for(2ms);
  std::thread second(hold, "a/c/1");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Lock(*store_, kDocument, "").lock);
  stop = true;
  first.join();
  second.join();
}

TEST_P(StoreLocks, SeveralNodesAreLockedInAnyOrder) {
  store_->Set("b/zarr.json", AsBytes("{}"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const auto store = places_.Make(GetParam());
      const std::vector<std::string> forwards = {kDocument, "b/zarr.json"};
      const std::vector<std::string> backwards = {"b/zarr.json", kDocument};
      for (int k = 0; k < 200; ++k) EXPECT_EQ(LockAll(*store, i % 2 == 0 ? forwards : backwards).size(), 2u);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(LockAll(*store_, {}).empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreLocks, testing::Bool(),
                         [](const auto& test) { return test.param ? "Memory" : "FileSystem"; });

// --- files ------------------------------------------------------------------------------------------------------

class FileLocks : public testing::Test {
 protected:
  FileLocks() { store_.Set(kDocument, AsBytes("{}")); }
  bool IsFree(std::string_view value) const {
    return Lock(FilesystemStore(folder_.path().string()), kDocument, value, false).lock != nullptr;
  }
  /// Waits until the lock of a value is taken or free.
  void Await(std::string_view value, bool free) const {
    for (int i = 0; i < 5000 && IsFree(value) != free; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(IsFree(value), free);
  }

  TemporaryFolder folder_;
  FilesystemStore store_{folder_.path().string()};
};

const test::ChildTask kHoldLock("hold a lock until killed", [](const test::ChildTask::Arguments& arguments) {
  const LockResult held = Lock(FilesystemStore(arguments.at(0)), kDocument, arguments.at(1));
  test::ChildProcess::TellReady();
  test::ChildProcess::AwaitStart();
});

TEST_F(FileLocks, LocksOfAKilledProcessEnd) {
  for (const char* value : {"a/c/0", ""}) {
    test::ChildProcess holder(kHoldLock, {folder_.path().string(), value});
    holder.AwaitReady();
    EXPECT_FALSE(IsFree(value));
    EXPECT_TRUE(holder.Kill());
    Await(value, true);
  }
}

#ifdef _WIN32

TEST_F(FileLocks, AChildOfAForkDoesNotKeepALock) {
  GTEST_SKIP() << "Windows has no forks";
}

#else

TEST_F(FileLocks, AChildOfAForkDoesNotKeepALock) {
  LockResult held = Lock(store_, kDocument, "a/c/0");
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  held.lock.reset();
  EXPECT_TRUE(IsFree("a/c/0"));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
}

#endif

TEST_F(FileLocks, AWaitingThreadFollowsAReplacedDocument) {
  LockResult held = Lock(store_, kDocument, "");
  std::atomic<bool> got = false;
  std::thread waiting([&] {
    const LockResult lock = Lock(FilesystemStore(folder_.path().string()), kDocument, "a/c/0");
    got = true;
    EXPECT_EQ(lock.stamp->size, 7u);  // of the new document
    EXPECT_FALSE(IsFree("a/c/0"));
  });
  std::this_thread::sleep_for(20ms);
  store_.Set(kDocument, AsBytes("{\"x\":1}"));
  EXPECT_FALSE(got);
  held.lock.reset();
  waiting.join();
}

TEST_F(FileLocks, AWaitingThreadLearnsThatTheDocumentIsGone) {
  if (!test::FreesNamesOfOpenFiles()) GTEST_SKIP() << test::kNamesOfOpenFiles;
  LockResult held = Lock(store_, kDocument, "");
  EXPECT_TRUE(held.has_document);
  std::thread waiting(
      [&] { EXPECT_FALSE(Lock(FilesystemStore(folder_.path().string()), kDocument, "a/c/0").has_document); });
  std::this_thread::sleep_for(20ms);
  store_.Erase(kDocument);
  held.lock.reset();
  waiting.join();
}

TEST_F(FileLocks, NothingIsLeftInTheFolder) {
  { const LockResult held = Lock(store_, kDocument, "a/c/0"); }
  { const LockResult held = Lock(store_, "none/zarr.json", "none/c/0"); }
  EXPECT_EQ(folder_.CountFiles(), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "none"));
  EXPECT_EQ(store_.locks()->fault(), "");
}

TEST_F(FileLocks, AFileThatCannotBeLockedIsTold) {
  std::filesystem::create_directory(folder_.path() / "b");
  std::filesystem::create_directory(folder_.path() / "b/zarr.json");  // a folder is not opened for writing
  const LockResult held = Lock(store_, "b/zarr.json", "b/c/0");
  EXPECT_TRUE(held.lock);
  EXPECT_FALSE(Lock(store_, "b/zarr.json", "b/c/0", false).lock);  // this process is excluded all the same
  EXPECT_NE(store_.locks()->fault().find("cannot lock"), std::string::npos) << store_.locks()->fault();
}

}  // namespace
}  // namespace zarr
