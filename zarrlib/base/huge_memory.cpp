// SPDX-License-Identifier: MIT
#include "zarrlib/base/huge_memory.h"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdint>
#include <mutex>
#include <new>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/fork_safety.h"

namespace zarr {

#ifdef __linux__

namespace {

/// A block holds consecutive buffers. Its address is a multiple of its size. Memory of freed buffers is reused only
/// when the whole block is free.
constexpr std::size_t kBlockSize = std::size_t{16} << 20;

/// A block has room for several of the largest buffers.
constexpr std::size_t kLargestHuge = std::size_t{4} << 20;

struct Block {
  std::size_t used;  // bytes from the start of the block
  std::size_t live;  // number of buffers
};
constexpr std::size_t kLine = 64;
static_assert(sizeof(Block) <= kLine && kLargestHuge <= kBlockSize - kLine);

struct Blocks {
  std::mutex mutex;
  Block* current = nullptr;  // the block from which buffers are allocated
};

Blocks& GetShared() {
  static Blocks* const blocks = [] {
    auto* const made = new Blocks;  // never destroyed: buffers may outlive static objects
    HoldWhileForking(&made->mutex);
    return made;
  }();
  return *blocks;
}

std::uintptr_t GetAddress(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

Block* MapBlock() {
  // A mapping of twice the size contains an aligned block.
  void* const whole = ::mmap(nullptr, 2 * kBlockSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc();
  const std::size_t before = (kBlockSize - GetAddress(whole) % kBlockSize) % kBlockSize;
  auto* const begin = static_cast<std::byte*>(whole) + before;
  if (before > 0) ::munmap(whole, before);
  ::munmap(begin + kBlockSize, kBlockSize - before);
  ::madvise(begin, kBlockSize, MADV_HUGEPAGE);  // on failure, the pages are small
  return ::new (static_cast<void*>(begin)) Block{kLine, 0};
}

std::size_t RoundToLines(std::size_t size) {
  return (size + kLine - 1) / kLine * kLine;
}

/// Returns to the system the small pages that are completely inside a buffer.
void DropPages(std::byte* memory, std::size_t size) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = (page - GetAddress(memory) % page) % page;
  if (size < before + page) return;
  ::madvise(memory + before, (size - before) / page * page, MADV_DONTNEED);
}

}  // namespace

void* AllocateHuge(std::size_t size) {
  if (size > kLargestHuge) return AllocateAligned(size);
  const std::size_t lines = RoundToLines(size);
  Blocks& blocks = GetShared();
  const std::lock_guard lock(blocks.mutex);
  if (blocks.current == nullptr || blocks.current->used + lines > kBlockSize) blocks.current = MapBlock();
  auto* const memory = reinterpret_cast<std::byte*>(blocks.current) + blocks.current->used;
  blocks.current->used += lines;
  ++blocks.current->live;
  return memory;
}

void FreeHuge(void* memory, std::size_t size) noexcept {
  if (size > kLargestHuge) return FreeAligned(memory);
  Block* const block = reinterpret_cast<Block*>(static_cast<std::byte*>(memory) - GetAddress(memory) % kBlockSize);
  DropPages(static_cast<std::byte*>(memory), size);
  Blocks& blocks = GetShared();
  const std::lock_guard lock(blocks.mutex);
  if (--block->live > 0) return;
  if (block == blocks.current) blocks.current = nullptr;
  ::munmap(block, kBlockSize);
}

#else

void* AllocateHuge(std::size_t size) {
  return AllocateAligned(size);
}

void FreeHuge(void* memory, std::size_t) noexcept {
  FreeAligned(memory);
}

#endif

}  // namespace zarr
