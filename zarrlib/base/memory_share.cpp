#include "zarrlib/base/memory_share.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>

#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

struct Memory {
  std::mutex mutex;
  std::condition_variable freed;
  std::uint64_t taken = 0;
};

thread_local std::uint64_t own_taken = 0;

Memory* shared = nullptr;

/// The child has the forking thread alone. The parent's object is left as it is: its mutex and those who wait on it
/// belong to threads that are not there any more.
void StartAnew() {
  shared = new Memory;
  shared->taken = own_taken;
}

Memory& Shared() {
  static const bool made = [] {
    shared = new Memory;  // never destroyed: pool threads may outlive static destructors
    return ::pthread_atfork(nullptr, nullptr, &StartAnew) == 0;
  }();
  static_cast<void>(made);
  return *shared;
}

}  // namespace

MemoryShare::MemoryShare(std::uint64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  Memory& memory = Shared();
  std::unique_lock lock(memory.mutex);
  const auto has_room = [&] {
    return own_taken > 0 || memory.taken == 0 ||
           (bytes <= kMaxSharedMemory && memory.taken <= kMaxSharedMemory - bytes);
  };
  memory.freed.wait(lock, has_room);
  memory.taken += bytes;
  own_taken += bytes;
}

void MemoryShare::Release() {
  if (bytes_ == 0) return;
  Memory& memory = Shared();
  {
    const std::lock_guard lock(memory.mutex);
    memory.taken -= bytes_;
  }
  own_taken -= bytes_;
  bytes_ = 0;
  memory.freed.notify_all();
}

std::uint64_t MemoryShare::Taken() {
  Memory& memory = Shared();
  const std::lock_guard lock(memory.mutex);
  return memory.taken;
}

}  // namespace zarr
