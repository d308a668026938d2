// SPDX-License-Identifier: MIT
#include "zarrlib/base/memory_share.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

/// Lets threads take shares of that size again and again, and returns the most that was taken at once.
std::uint64_t MostTaken(std::size_t threads, std::uint64_t bytes) {
  std::atomic<std::uint64_t> most = 0;
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads; ++i) {
    running.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        const MemoryShare share(bytes);
        const std::uint64_t taken = MemoryShare::GetTaken();
        for (std::uint64_t seen = most; seen < taken && !most.compare_exchange_weak(seen, taken);) {
        }
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  return most;
}

TEST(MemoryShare, AllTogetherTakeNoMoreThanThereIs) {
  EXPECT_LE(MostTaken(8, GetLimit(Limit::kSharedMemory) / 3), GetLimit(Limit::kSharedMemory));
  EXPECT_LE(MostTaken(8, GetLimit(Limit::kSharedMemory)), GetLimit(Limit::kSharedMemory));
  EXPECT_EQ(MemoryShare::GetTaken(), 0u);
}

TEST(MemoryShare, WhatIsLargerThanAllGetsItsTurnAlone) {
  EXPECT_EQ(MostTaken(4, 3 * GetLimit(Limit::kSharedMemory)), 3 * GetLimit(Limit::kSharedMemory));
  EXPECT_EQ(MostTaken(4, UINT64_MAX), UINT64_MAX);
}

TEST(MemoryShare, AThreadThatHasOneDoesNotWait) {
  const MemoryShare outer(GetLimit(Limit::kSharedMemory));
  const MemoryShare inner(GetLimit(Limit::kSharedMemory));
  EXPECT_EQ(MemoryShare::GetTaken(), 2 * GetLimit(Limit::kSharedMemory));
}

TEST(MemoryShare, MovesAndIsGivenUpOnce) {
  MemoryShare share(1000);
  MemoryShare moved = std::move(share);
  EXPECT_FALSE(share);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(moved);
  EXPECT_EQ(MemoryShare::GetTaken(), 1000u);
  moved.Release();
  moved.Release();
  EXPECT_EQ(MemoryShare::GetTaken(), 0u);
}

#ifdef _WIN32

TEST(MemoryShare, AChildOfAForkHasTheSharesOfItsThreadAlone) {
  GTEST_SKIP() << "Windows has no forks";
}

#else

TEST(MemoryShare, AChildOfAForkHasTheSharesOfItsThreadAlone) {
  const MemoryShare own(7);
  std::atomic<bool> taken = false;
  std::atomic<bool> stop = false;
  std::thread other([&] {
    const MemoryShare share(GetLimit(Limit::kSharedMemory) - 7);
    taken = true;
    while (!stop) usleep(200);
  });
  while (!taken) usleep(200);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool good = MemoryShare::GetTaken() == 7;
    std::thread([&] {
      const MemoryShare share(GetLimit(Limit::kSharedMemory) - 7);
      good = good && MemoryShare::GetTaken() == GetLimit(Limit::kSharedMemory);
    }).join();
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  stop = true;
  other.join();
  EXPECT_EQ(status, 0);
}

#endif

}  // namespace
}  // namespace zarr
