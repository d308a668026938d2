// SPDX-License-Identifier: MIT
#include "zarrlib/base/huge_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <thread>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/system/pages.h"

namespace zarr {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;

Bytes HugeBytes(std::size_t size, std::byte value) {
  Bytes bytes(size, UninitializedAllocator<std::byte>(MemoryKind::kHuge));
  std::fill(bytes.begin(), bytes.end(), value);
  return bytes;
}

bool IsFilled(const Bytes& bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte b) { return b == value; });
}

TEST(HugeMemory, BuffersBeginAtALineAndDoNotMeet) {
  std::vector<Bytes> buffers;
  for (int i = 0; i < 60; ++i)
    buffers.push_back(HugeBytes(300 * kKiB + static_cast<std::size_t>(i) * 77777, std::byte(i)));
  for (int i = 0; i < 60; ++i) {
    const Bytes& bytes = buffers[static_cast<std::size_t>(i)];
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64, 0u);
    EXPECT_TRUE(IsFilled(bytes, std::byte(i))) << i;
  }
}

TEST(HugeMemory, WhatStaysKeepsItsContentWhenItsNeighboursGo) {
  std::vector<Bytes> buffers;
  for (int i = 0; i < 50; ++i) buffers.push_back(HugeBytes(500000, std::byte(i)));
  for (int i = 0; i < 50; i += 2) buffers[static_cast<std::size_t>(i)] = Bytes();
  for (int i = 1; i < 50; i += 2) EXPECT_TRUE(IsFilled(buffers[static_cast<std::size_t>(i)], std::byte(i))) << i;
}

TEST(HugeMemory, LargeBuffersAreServedToo) {
  for (const std::size_t size : {4 * kMiB - 1, 4 * kMiB, 4 * kMiB + 1, 40 * kMiB}) {
    EXPECT_TRUE(IsFilled(HugeBytes(size, std::byte{7}), std::byte{7})) << size;
  }
}

TEST(HugeMemory, ItMovesWithTheVectorAndCopiesAreOnTheHeap) {
  Bytes bytes = HugeBytes(kMiB, std::byte{5});
  const std::byte* const memory = bytes.data();
  const Bytes copy = bytes;
  EXPECT_EQ(copy.get_allocator().memory, MemoryKind::kHeap);
  Bytes moved(10);
  moved = std::move(bytes);
  EXPECT_EQ(moved.data(), memory);
  EXPECT_EQ(moved.get_allocator().memory, MemoryKind::kHuge);
  EXPECT_EQ(moved, copy);
  moved.resize(3 * kMiB);  // grows, to another place
  EXPECT_TRUE(std::equal(copy.begin(), copy.end(), moved.begin()));
}

TEST(HugeMemory, ThreadsTakeAndGiveBackAtWill) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      std::vector<Bytes> own(5);
      for (int i = 0; i < 200; ++i) {
        Bytes& place = own[static_cast<std::size_t>(i) % own.size()];
        if (!place.empty() && !IsFilled(place, std::byte(t))) ++wrong[static_cast<std::size_t>(t)];
        place = HugeBytes(130 * kKiB + static_cast<std::size_t>(i % 7) * 99991, std::byte(t));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

#ifdef __linux__

/// The memory of this process, in bytes.
std::size_t ResidentSize() {
  std::size_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * 4096;
}

TEST(HugeMemory, TheSystemGetsBackWhatIsNotUsed) {
  if (!kHasHugePages) GTEST_SKIP() << "built without huge pages";
  const std::size_t before = ResidentSize();
  std::vector<Bytes> buffers;
  for (int i = 0; i < 128; ++i) buffers.push_back(HugeBytes(kMiB, std::byte{1}));
  EXPECT_GT(ResidentSize(), before + 120 * kMiB);
  for (std::size_t i = 0; i < buffers.size(); i += 2) buffers[i] = Bytes();  // none of the blocks is unused
  EXPECT_LT(ResidentSize(), before + 80 * kMiB);
  buffers.clear();
  EXPECT_LT(ResidentSize(), before + 16 * kMiB);
}

#endif

}  // namespace
}  // namespace zarr
