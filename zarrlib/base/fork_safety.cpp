#include "zarrlib/base/fork_safety.h"

#include <pthread.h>

#include <vector>

namespace zarr {
namespace {

struct HeldMutexes {
  std::mutex mutex;  // of the list
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
  static const int registered = pthread_atfork(&LockAll, &UnlockAll, &UnlockAll);
  static_cast<void>(registered);  // without memory for the handlers, forks are as they were before
  HeldMutexes& all = HeldMutexes::Get();
  const std::lock_guard lock(all.mutex);
  all.list.push_back(mutex);
}

}  // namespace zarr
