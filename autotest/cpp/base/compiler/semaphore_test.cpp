// SPDX-License-Identifier: MIT
#include "zarrlib/base/compiler/semaphore.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "autotest/cpp/support/deadline.h"

namespace zarr {
namespace {

TEST(Semaphore, LetsNoMoreThreadsPassThanItCounts) {
  const test::Deadline deadline;
  Semaphore semaphore(2);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        semaphore.acquire();
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500));  // so that others wait, and not only try
        --inside;
        semaphore.release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(inside, 0);
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace zarr
