// SPDX-License-Identifier: MIT
#include "zarrlib/base/fork_safety.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <thread>

namespace zarr {
namespace {

#ifdef _WIN32

TEST(ForkSafety, AChildFindsTheMutexUnlocked) {
  GTEST_SKIP() << "Windows has no forks";
}

TEST(ForkSafety, AChildFindsTheMutexesOfObjectsUnlocked) {
  GTEST_SKIP() << "Windows has no forks";
}

#else

TEST(ForkSafety, AChildFindsTheMutexUnlocked) {
  static std::mutex mutex;
  HoldWhileForking(&mutex);
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) {
      const std::lock_guard lock(mutex);
      usleep(200);
    }
  });
  int good = 0;
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(mutex.try_lock() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    good += status == 0 ? 1 : 0;
  }
  stop = true;
  other.join();
  EXPECT_EQ(good, 50);
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

TEST(ForkSafety, AChildFindsTheMutexesOfObjectsUnlocked) {
  ForkSafeMutex mutexes[100];
  std::atomic<bool> stop = false;
  std::thread other([&] {
    for (std::size_t i = 0; !stop; ++i) {
      const std::lock_guard lock(mutexes[i % 100]);
      usleep(50);
    }
  });
  int good = 0;
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      for (ForkSafeMutex& mutex : mutexes) const std::lock_guard lock(mutex);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    good += status == 0 ? 1 : 0;
  }
  stop = true;
  other.join();
  EXPECT_EQ(good, 50);
}

#endif

}  // namespace
}  // namespace zarr
