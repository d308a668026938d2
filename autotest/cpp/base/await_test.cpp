// SPDX-License-Identifier: MIT
#include "zarrlib/base/await.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "autotest/cpp/support/deadline.h"

namespace zarr {
namespace {

TEST(Await, SeesAChangeOfWhichNobodyIsNotified) {
  const test::Deadline deadline;
  std::mutex mutex;
  std::condition_variable changed;
  bool holds = false;
  std::atomic<bool> waits = false;
  std::thread other([&] {
    while (!waits) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    holds = true;
  });
  std::unique_lock lock(mutex);
  Await(&changed, &lock, [&] {
    waits = true;
    return holds;
  });
  EXPECT_TRUE(holds);
  other.join();
}

TEST(Await, ReturnsAtOnceIfTheConditionHolds) {
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock lock(mutex);
  int looks = 0;
  Await(&changed, &lock, [&] { return ++looks > 0; });
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace zarr
