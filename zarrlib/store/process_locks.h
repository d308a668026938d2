// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/store/store_locks.h"

namespace zarr {

/// Makes a lock that only this process knows. `node` is the same text for all objects that stand for one node of one
/// store, `value` and `waits` are those of zarr::Lock. Returns null if another thread has the lock and `waits` is
/// false. Thread-safe.
std::unique_ptr<StoreLock> LockInProcess(const std::string& node, std::string_view value, bool waits);

}  // namespace zarr
