// SPDX-License-Identifier: MIT
#include "zarrlib/base/executor.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

using std::chrono::milliseconds;

ExecutorOptions OfWidth(std::size_t width) {
  ExecutorOptions options;
  options.width = width;
  return options;
}

/// Blocks each of `count` threads until all have come.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}
  /// False if they did not come in time.
  bool Arrive() {
    --missing_;
    for (int i = 0; i < 10000 && missing_ > 0; ++i) std::this_thread::sleep_for(milliseconds(1));
    return missing_ <= 0;
  }

 private:
  std::atomic<int> missing_;
};

TEST(ExecutorTest, RunsEachTaskOnce) {
  for (const std::size_t width : {1, 2, 7, 0}) {
    std::vector<std::atomic<int>> runs(1000);
    EXPECT_TRUE(ParallelFor(runs.size(), OfWidth(width), [&](std::uint64_t i) { ++runs[i]; }));
    for (const auto& count : runs) ASSERT_EQ(count, 1);
  }
}

TEST(ExecutorTest, NoTasksIsFine) {
  EXPECT_TRUE(ParallelFor(0, OfWidth(4), [](std::uint64_t) { FAIL(); }));
}

TEST(ExecutorTest, SeesWhatTasksWrote) {
  std::vector<std::uint64_t> squares(500);
  ParallelFor(squares.size(), OfWidth(4), [&](std::uint64_t i) { squares[i] = i * i; });
  for (std::size_t i = 0; i < squares.size(); ++i) ASSERT_EQ(squares[i], i * i);
}

TEST(ExecutorTest, WorksOnAsManyThreadsAsAsked) {
  Meeting meeting(4);
  std::atomic<int> met{0};
  ParallelFor(4, OfWidth(4), [&](std::uint64_t) { met += meeting.Arrive(); });
  EXPECT_EQ(met, 4);
}

TEST(ExecutorTest, NeverWorksOnMoreThreadsThanAsked) {
  ParallelFor(16, OfWidth(16), [](std::uint64_t) {});  // so that the pool has more threads than the next run takes
  std::atomic<int> now{0}, most{0};
  ParallelFor(300, OfWidth(3), [&](std::uint64_t) {
    const int here = ++now;
    int before = most;
    while (here > before && !most.compare_exchange_weak(before, here)) continue;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    --now;
  });
  EXPECT_LE(most, 3);
}

TEST(ExecutorTest, WidthOneStaysOnTheCallingThreadInOrder) {
  std::vector<std::uint64_t> order;
  std::set<std::thread::id> threads;
  ParallelFor(5, OfWidth(1), [&](std::uint64_t i) {
    order.push_back(i);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(order, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(ExecutorTest, OneTaskStaysOnTheCallingThread) {
  std::thread::id thread;
  ParallelFor(1, OfWidth(8), [&](std::uint64_t) { thread = std::this_thread::get_id(); });
  EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST(ExecutorTest, NestedRunsEnd) {
  std::atomic<int> inner_chunks{0};
  ParallelFor(8, OfWidth(4), [&](std::uint64_t) {
    ParallelFor(8, OfWidth(4),
                [&](std::uint64_t) { ParallelFor(8, OfWidth(4), [&](std::uint64_t) { ++inner_chunks; }); });
  });
  EXPECT_EQ(inner_chunks, 512);
}

TEST(ExecutorTest, RunsOfSeveralThreadsDoNotMix) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (std::uint64_t caller = 0; caller < 6; ++caller) {
    callers.emplace_back([caller, &wrong] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<std::uint64_t> sum{0};
        ParallelFor(100, OfWidth(3), [&](std::uint64_t i) { sum += i * (caller + 1); });
        wrong += sum != 4950 * (caller + 1);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ExecutorTest, DoesNotWaitForHelpersThatHaveNotStarted) {
  // In a process of its own, all threads of the pool are held up here, and the second run has only its caller.
  Meeting started(9), released(9);
  std::thread blocked([&] {
    ParallelFor(8, OfWidth(8), [&](std::uint64_t) {
      EXPECT_TRUE(started.Arrive());
      EXPECT_TRUE(released.Arrive());
    });
  });
  EXPECT_TRUE(started.Arrive());
  std::atomic<int> done{0};
  ParallelFor(100, OfWidth(8), [&](std::uint64_t) { ++done; });
  EXPECT_EQ(done, 100);
  EXPECT_TRUE(released.Arrive());
  blocked.join();
}

// --- errors -----------------------------------------------------------------------------------------------------

TEST(ExecutorTest, TheErrorOfTheLowestIndexWinsWhateverTheWidth) {
  for (int round = 0; round < 100; ++round) {
    const std::size_t width = static_cast<std::size_t>(1 + round % 8);
    try {
      ParallelFor(1000, OfWidth(width), [](std::uint64_t i) {
        if (i == 37) std::this_thread::sleep_for(milliseconds(2));
        if (i >= 37) throw Error(ErrorKind::kCorrupt, "task " + std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      ASSERT_STREQ(error.what(), "task 37");
    }
  }
}

TEST(ExecutorTest, ALaterErrorOfAHigherIndexChangesNothing) {
  Meeting meeting(2);
  try {
    ParallelFor(2, OfWidth(2), [&](std::uint64_t i) {
      meeting.Arrive();
      if (i == 1) std::this_thread::sleep_for(milliseconds(20));
      throw static_cast<int>(i);
    });
    FAIL() << "nothing was thrown";
  } catch (int index) {
    EXPECT_EQ(index, 0);
  }
}

TEST(ExecutorTest, AnErrorEndsTheClaims) {
  std::atomic<int> runs{0};
  EXPECT_THROW(ParallelFor(1000000, OfWidth(4),
                           [&](std::uint64_t i) {
                             ++runs;
                             if (i == 0) throw std::runtime_error("first");
                             std::this_thread::sleep_for(milliseconds(1));
                           }),
               std::runtime_error);
  EXPECT_LT(runs, 100000);
}

TEST(ExecutorTest, AnythingThatIsThrownArrives) {
  for (const std::size_t width : {1, 4}) {
    EXPECT_THROW(ParallelFor(50, OfWidth(width), [](std::uint64_t) { throw 7; }), int);
  }
}

// --- progress ---------------------------------------------------------------------------------------------------

TEST(ExecutorTest, ProgressRisesToOneOnTheCallingThread) {
  for (const std::size_t width : {1, 4}) {
    std::vector<double> shares;
    ExecutorOptions options = OfWidth(width);
    const auto caller = std::this_thread::get_id();
    options.progress = [&](double share) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      shares.push_back(share);
      return true;
    };
    EXPECT_TRUE(ParallelFor(100, options, [](std::uint64_t) {}));
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), 1.0);
  }
}

TEST(ExecutorTest, ProgressStopsTheRun) {
  for (const std::size_t width : {1, 4}) {
    std::atomic<int> runs{0};
    ExecutorOptions options = OfWidth(width);
    options.progress = [&](double) { return runs < 10; };
    EXPECT_FALSE(ParallelFor(1000000, options, [&](std::uint64_t) {
      ++runs;
      std::this_thread::sleep_for(milliseconds(1));
    }));
    EXPECT_LT(runs, 100000);
  }
}

TEST(ExecutorTest, ProgressIsPolledWhileOnlyHelpersWork) {
  Meeting meeting(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> polls{0};
  ExecutorOptions options = OfWidth(2);
  options.progress = [&](double) { return ++polls < 1000; };
  ParallelFor(2, options, [&](std::uint64_t) {
    EXPECT_TRUE(meeting.Arrive());
    if (std::this_thread::get_id() == caller) return;
    for (int i = 0; i < 10000 && polls < 3; ++i) std::this_thread::sleep_for(milliseconds(1));
  });
  EXPECT_GE(polls, 3);
}

TEST(ExecutorTest, ProgressEndsAtOneIfTheLastHelperLeavesDuringAPoll) {
  Meeting meeting(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> polled{false}, helped{false};
  std::vector<double> shares;
  ExecutorOptions options = OfWidth(2);
  options.progress = [&](double share) {
    shares.push_back(share);
    polled = true;
    while (!helped) std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(20));
    return true;
  };
  ParallelFor(2, options, [&](std::uint64_t) {
    EXPECT_TRUE(meeting.Arrive());
    if (std::this_thread::get_id() == caller) return;
    while (!polled) std::this_thread::sleep_for(milliseconds(1));
    helped = true;
  });
  EXPECT_EQ(shares, (std::vector<double>{0.5, 1.0}));
}

TEST(ExecutorTest, WhatProgressThrowsArrivesAfterAllTasksEnded) {
  std::atomic<int> running{0};
  ExecutorOptions options = OfWidth(4);
  options.progress = [](double) -> bool { throw std::runtime_error("stop"); };
  EXPECT_THROW(ParallelFor(1000, options,
                           [&](std::uint64_t) {
                             ++running;
                             std::this_thread::sleep_for(milliseconds(1));
                             --running;
                           }),
               std::runtime_error);
  EXPECT_EQ(running, 0);
}

// --- hook -------------------------------------------------------------------------------------------------------

/// Counts and notes the threads that have entered.
class CountingHook : public WorkerHook {
 public:
  std::shared_ptr<void> Enter() const override {
    const std::lock_guard lock(mutex_);
    ++entries;
    threads.insert(std::this_thread::get_id());
    return std::shared_ptr<void>(nullptr, [this](void*) {
      const std::lock_guard exit_lock(mutex_);
      ++exits;
      left_elsewhere += threads.count(std::this_thread::get_id()) == 0;
    });
  }
  mutable int entries = 0, exits = 0, left_elsewhere = 0;
  mutable std::set<std::thread::id> threads;

 private:
  mutable std::mutex mutex_;
};

TEST(ExecutorTest, TheHookSurroundsTheWorkOfEachHelper) {
  const CountingHook hook;
  ExecutorOptions options = OfWidth(4);
  options.hook = &hook;
  Meeting meeting(4);
  ParallelFor(4, options, [&](std::uint64_t) { EXPECT_TRUE(meeting.Arrive()); });
  EXPECT_EQ(hook.entries, 3);
  EXPECT_EQ(hook.exits, 3);
  EXPECT_EQ(hook.left_elsewhere, 0);
  EXPECT_EQ(hook.threads.count(std::this_thread::get_id()), 0u);
}

class ThrowingHook : public WorkerHook {
 public:
  std::shared_ptr<void> Enter() const override { throw std::runtime_error("no settings"); }
};

TEST(ExecutorTest, AThreadWhoseHookThrowsTakesNoPart) {
  const ThrowingHook hook;
  ExecutorOptions options = OfWidth(4);
  options.hook = &hook;
  std::set<std::thread::id> threads;
  ParallelFor(200, options, [&](std::uint64_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

// --- the process ------------------------------------------------------------------------------------------------

#ifdef _WIN32

TEST(ExecutorTest, AForkedChildHasThreadsOfItsOwn) {
  GTEST_SKIP() << "Windows has no forks";
}

#else

TEST(ExecutorTest, AForkedChildHasThreadsOfItsOwn) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer allows no threads after a fork";
#endif
  ParallelFor(8, OfWidth(4), [](std::uint64_t) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(30);
    Meeting meeting(4);
    std::atomic<int> met{0};
    ParallelFor(4, OfWidth(4), [&](std::uint64_t) { met += meeting.Arrive(); });
    _exit(met == 4 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

#endif

}  // namespace
}  // namespace zarr
