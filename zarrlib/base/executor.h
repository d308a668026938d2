// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "zarrlib/base/worker_hook.h"

namespace zarr {

/// Options for distributing tasks over threads.
struct ExecutorOptions {
  /// Number of threads, including the calling one; 0 means one per CPU.
  std::size_t width = 0;
  const WorkerHook* hook = nullptr;
  /// Called on the calling thread with the completed fraction of the work, from 0 to 1: between its tasks, while it
  /// waits for tasks of other threads, and with 1 at the end. Returning false stops the run. May be empty.
  std::function<bool(double)> progress;
};

/// Returns the number of CPUs that this process may use, at least 1.
std::size_t GetCpuCount();

/// Runs `task(0)` to `task(count - 1)` on the calling thread and up to `width - 1` threads of the process-wide pool,
/// which claim the tasks in this order. Returns when all claimed tasks have ended. The calling thread never waits for a
/// task that has not started, so runs may be nested without deadlock. Thread-safe.
///
/// If a task throws, no further tasks are claimed, and the error with the lowest index is rethrown here. Because tasks
/// are claimed in order, it is the same error for any number of threads. Returns false if `progress` stopped the run,
/// otherwise true.
///
/// The pool starts on first use, belongs to one process (a forked child starts its own), and is never joined.
bool ParallelFor(std::uint64_t count, const ExecutorOptions& options, const std::function<void(std::uint64_t)>& task);

}  // namespace zarr
