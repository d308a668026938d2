// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/cpu_choice.h"

#ifdef ZARR_LINUX

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace zarr {
namespace {

cpu_set_t Allowed() {
  cpu_set_t set;
  EXPECT_EQ(::sched_getaffinity(0, sizeof(set), &set), 0);
  return set;
}

/// Runs on a thread of its own, so that other tests keep their CPUs.
template <typename Function>
void OnThread(const Function& function) {
  std::thread(function).join();
}

class CpuChoiceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const cpu_set_t allowed = Allowed(); CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "needs two CPUs";
  }
};

TEST_F(CpuChoiceTest, AThreadThatWaitsIsKeptAway) {
  OnThread([] {
    const cpu_set_t before = Allowed();
    const int cpu = GetCurrentCpu();
    CpuChoice choice;
    choice.Avoid(cpu);
    const cpu_set_t waiting = Allowed();
    EXPECT_FALSE(CPU_ISSET(static_cast<std::size_t>(cpu), &waiting));
    EXPECT_EQ(CPU_COUNT(&waiting), CPU_COUNT(&before) - 1);
    EXPECT_NE(GetCurrentCpu(), cpu);
    choice.Leave(cpu);
    const cpu_set_t after = Allowed();
    EXPECT_TRUE(CPU_EQUAL(&after, &before));
  });
}

TEST_F(CpuChoiceTest, AThreadThatRunsThereMovesAndMayRunEverywhere) {
  OnThread([] {
    const cpu_set_t before = Allowed();
    CpuChoice choice;
    bool moved = false;
    for (int i = 0; i < 100 && !moved; ++i) {  // the system may move it back at once
      const int cpu = GetCurrentCpu();
      choice.Leave(cpu);
      moved = GetCurrentCpu() != cpu;
    }
    EXPECT_TRUE(moved);
    const cpu_set_t after = Allowed();
    EXPECT_TRUE(CPU_EQUAL(&after, &before));
  });
}

TEST_F(CpuChoiceTest, WhatSomeoneElseDecidesMeanwhileStays) {
  OnThread([] {
    const int cpu = GetCurrentCpu();
    CpuChoice choice;
    choice.Avoid(cpu);
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(static_cast<std::size_t>(cpu), &only);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(only), &only), 0);
    choice.Leave(cpu);
    const cpu_set_t after = Allowed();
    EXPECT_TRUE(CPU_EQUAL(&after, &only));
    choice.Avoid(cpu);  // there is no other
    const cpu_set_t waiting = Allowed();
    EXPECT_TRUE(CPU_EQUAL(&waiting, &only));
  });
}

TEST_F(CpuChoiceTest, ACpuThatIsNotKnownChangesNothing) {
  OnThread([] {
    const cpu_set_t before = Allowed();
    CpuChoice choice;
    choice.Avoid(-1);
    choice.Leave(-1);
    const cpu_set_t after = Allowed();
    EXPECT_TRUE(CPU_EQUAL(&after, &before));
  });
}

TEST(AllowedCpuCount, HonoursTheAffinityOfTheProcess) {
  EXPECT_GE(GetAllowedCpuCount(), 1u);
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
  const std::size_t count = GetAllowedCpuCount();
  ASSERT_EQ(::sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(GetAllowedCpuCount(), static_cast<std::size_t>(CPU_COUNT(&before)));
}

}  // namespace
}  // namespace zarr

#endif
