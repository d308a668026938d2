// SPDX-License-Identifier: MIT
#include "zarrlib/base/memory_share.h"

#include <condition_variable>
#include <mutex>

#include "zarrlib/base/await.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/base/system/forking.h"

namespace zarr {
namespace {

struct Memory {
  std::mutex mutex;
  std::condition_variable freed;
  std::uint64_t taken = 0;
};

thread_local std::uint64_t own_taken = 0;

Memory* shared = nullptr;

/// Makes a new object in a forked child, which has only the forking thread. The parent's object is left alone: its
/// mutex and its waiting threads belong to threads that do not exist here.
void StartAnew() {
  shared = new Memory;
  shared->taken = own_taken;
}

Memory& GetSharedMemory() {
  static const bool made = [] {
    shared = new Memory;  // never destroyed: pool threads may outlive static destructors
    CallWhenForking(nullptr, nullptr, &StartAnew);
    return true;
  }();
  static_cast<void>(made);
  return *shared;
}

}  // namespace

MemoryShare::MemoryShare(std::uint64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  Memory& memory = GetSharedMemory();
  std::unique_lock lock(memory.mutex);
  const auto has_room = [&] {
    const std::uint64_t limit = GetLimit(Limit::kSharedMemory);
    return own_taken > 0 || memory.taken == 0 || (bytes <= limit && memory.taken <= limit - bytes);
  };
  Await(&memory.freed, &lock, has_room);
  memory.taken += bytes;
  own_taken += bytes;
}

void MemoryShare::Release() {
  if (bytes_ == 0) return;
  Memory& memory = GetSharedMemory();
  {
    const std::lock_guard lock(memory.mutex);
    memory.taken -= bytes_;
  }
  own_taken -= bytes_;
  bytes_ = 0;
  memory.freed.notify_all();
}

std::uint64_t MemoryShare::GetTaken() {
  Memory& memory = GetSharedMemory();
  const std::lock_guard lock(memory.mutex);
  return memory.taken;
}

}  // namespace zarr
