// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/store/store_locks.h"

namespace zarr {

/// Creates a lock between the threads of this process. `node` is the same string for all objects that represent one
/// node of one store; `value` and `waits` are as for zarr::Lock. Returns null if another thread has the lock and
/// `waits` is false. Thread-safe.
std::unique_ptr<StoreLock> LockInProcess(const std::string& node, std::string_view value, bool waits);

}  // namespace zarr
