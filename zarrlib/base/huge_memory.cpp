// SPDX-License-Identifier: MIT
#include "zarrlib/base/huge_memory.h"

#include <cstdint>
#include <mutex>
#include <new>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/system/pages.h"

namespace zarr {
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

Blocks& GetSharedBlocks() {
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
  return ::new (static_cast<void*>(MapHugePages(kBlockSize))) Block{kLine, 0};
}

std::size_t RoundToLines(std::size_t size) {
  return (size + kLine - 1) / kLine * kLine;
}

}  // namespace

void* AllocateHuge(std::size_t size) {
  if (!kHasHugePages || size > kLargestHuge) return AllocateAligned(size);
  const std::size_t lines = RoundToLines(size);
  Blocks& blocks = GetSharedBlocks();
  const std::lock_guard lock(blocks.mutex);
  if (blocks.current == nullptr || blocks.current->used + lines > kBlockSize) blocks.current = MapBlock();
  auto* const memory = reinterpret_cast<std::byte*>(blocks.current) + blocks.current->used;
  blocks.current->used += lines;
  ++blocks.current->live;
  return memory;
}

void FreeHuge(void* memory, std::size_t size) noexcept {
  if (!kHasHugePages || size > kLargestHuge) return FreeAligned(memory);
  Block* const block = reinterpret_cast<Block*>(static_cast<std::byte*>(memory) - GetAddress(memory) % kBlockSize);
  DropPagesInside(static_cast<std::byte*>(memory), size);
  Blocks& blocks = GetSharedBlocks();
  const std::lock_guard lock(blocks.mutex);
  if (--block->live > 0) return;
  if (block == blocks.current) blocks.current = nullptr;
  UnmapHugePages(reinterpret_cast<std::byte*>(block), kBlockSize);
}

}  // namespace zarr
