// SPDX-License-Identifier: MIT
#include "zarrlib/base/fork_safety.h"

#include <atomic>
#include <cstddef>
#include <vector>

#include "zarrlib/base/system/forking.h"

namespace zarr {
namespace {

struct HeldMutexes {
  std::mutex mutex;  // protects the list
  std::vector<std::mutex*> list;

  static HeldMutexes& Get() {
    static auto* const all = new HeldMutexes;
    return *all;
  }
};

void LockAll() {
  HeldMutexes& all = HeldMutexes::Get();
  all.mutex.lock();
  for (std::mutex* mutex : all.list) mutex->lock();
}

void UnlockAll() {
  HeldMutexes& all = HeldMutexes::Get();
  for (std::mutex* mutex : all.list) mutex->unlock();
  all.mutex.unlock();
}

}  // namespace

void HoldWhileForking(std::mutex* mutex) {
  static const bool registered = (CallWhenForking(&LockAll, &UnlockAll, &UnlockAll), true);
  static_cast<void>(registered);
  HeldMutexes& all = HeldMutexes::Get();
  const std::lock_guard lock(all.mutex);
  all.list.push_back(mutex);
}

ForkSafeMutex::ForkSafeMutex()
    : mutex_([]() -> std::mutex& {
        constexpr std::size_t kCount = 64;
        static std::mutex* const mutexes = [] {
          auto* const made = new std::mutex[kCount];
          for (std::size_t i = 0; i < kCount; ++i) HoldWhileForking(&made[i]);
          return made;
        }();
        static std::atomic<std::size_t> next{0};
        return mutexes[next++ % kCount];
      }()) {}

}  // namespace zarr
