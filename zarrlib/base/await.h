// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace zarr {

/// Waits for a notification, but not for ever: with glibc before 2.41, one may wake no thread (its bug 25847). The
/// caller looks in a loop whether what it waits for has happened.
inline void AwaitChange(std::condition_variable* changed, std::unique_lock<std::mutex>* lock) {
  changed->wait_for(*lock, std::chrono::milliseconds(100));
}

/// Waits until a condition holds that other threads change under the lock's mutex and then notify of.
template <typename Condition>
void Await(std::condition_variable* changed, std::unique_lock<std::mutex>* lock, const Condition& holds) {
  while (!holds()) AwaitChange(changed, lock);
}

}  // namespace zarr
