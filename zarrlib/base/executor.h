#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "zarrlib/base/worker_hook.h"

namespace zarr {

/// How a run of tasks is spread over threads.
struct ExecutorOptions {
  /// Threads that work at once, the calling one included; 0 is one per CPU.
  std::size_t width = 0;
  const WorkerHook* hook = nullptr;
  /// Polled on the calling thread with the share done, 0 to 1, between its tasks and while it waits for those of other
  /// threads; at the end with 1. False stops the run. May be empty.
  std::function<bool(double)> progress;
};

/// The number of CPUs that this process may use, at least 1.
std::size_t CpuCount();

/// Runs `task(0)` to `task(count - 1)`, claimed in that order by the calling thread and up to `width - 1` threads of
/// the process-wide pool. Returns when all claimed tasks have ended; the calling thread never waits for one that has
/// not started, so that runs may be nested without a deadlock.
///
/// If tasks throw, no further ones are claimed and the error of the lowest index is rethrown here: since indices are
/// claimed in order, that is the same one whatever the number of threads.
/// Returns false if `progress` stopped the run, else true. Thread-safe. The pool starts when first needed, belongs to
/// one process id (a forked child starts its own) and is never joined.
bool ParallelFor(std::uint64_t count, const ExecutorOptions& options, const std::function<void(std::uint64_t)>& task);

}  // namespace zarr
