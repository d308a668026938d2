// SPDX-License-Identifier: MIT
#include "zarrlib/base/once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace zarr {
namespace {

TEST(Once, RunsOnceInManyThreads) {
  Once once;
  int runs = 0;  // the threads see it whole: those that do not run the action wait for it
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        once.Run([&] { ++runs; });
        EXPECT_EQ(runs, 1);
      });
    }
  }
  EXPECT_EQ(runs, 1);
}

TEST(Once, AFailedRunIsTriedAgain) {
  Once once;
  int runs = 0;
  const auto fail_first = [&] {
    if (++runs == 1) throw std::runtime_error("not yet");
  };
  EXPECT_THROW(once.Run(fail_first), std::runtime_error);
  once.Run(fail_first);
  once.Run(fail_first);
  EXPECT_EQ(runs, 2);
}

TEST(Once, ACallFromWithinTheActionReturnsAtOnce) {
  Once once;
  int runs = 0;
  const std::function<void()> action = [&] {
    ++runs;
    once.Run(action);
  };
  once.Run(action);
  once.Run(action);
  EXPECT_EQ(runs, 1);
}

TEST(Once, AThreadThatWaitedTriesAgainAfterAFailure) {
  Once once;
  std::atomic<int> runs{0};
  const auto fail_first = [&] {
    if (++runs == 1) throw std::runtime_error("not yet");
  };
  std::atomic<int> failures{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        try {
          once.Run(fail_first);
        } catch (const std::runtime_error&) {
          ++failures;
        }
      });
    }
  }
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(failures, 1);
}

}  // namespace
}  // namespace zarr
