// SPDX-License-Identifier: MIT
#include "zarrlib/store/repeated_change.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

/// Hundreds of writers of one value each succeed well before that.
constexpr int kMostTimes = 300;
constexpr std::chrono::milliseconds kFirstWait{4};
constexpr std::chrono::milliseconds kLongestWait{1000};

double DrawFraction() {
  thread_local std::minstd_rand generator(std::random_device{}());
  return std::uniform_real_distribution<>()(generator);
}

}  // namespace

ChangedMeanwhile::ChangedMeanwhile(std::string store, std::string key)
    : store_(std::move(store)),
      key_(std::move(key)),
      text_(store_ + "/" + key_ + ": another process has changed the value since it was read") {}

void Repetition::Wait(const ChangedMeanwhile& reason) {
  if (++times_ > kMostTimes) {
    throw Error(ErrorKind::kIo, reason.store(), reason.key(), "",
                "other processes change the value all the time: " + std::to_string(kMostTimes) + " tries have failed");
  }
  const int doublings = std::min(times_ - 1, 10);
  const auto longest = std::min(kFirstWait * (1 << doublings), kLongestWait);
  std::this_thread::sleep_for(DrawFraction() * longest);
}

}  // namespace zarr
