// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace zarr {

/// Wraps the work of a pool thread, for instance to install the calling thread's settings there.
class WorkerHook {
 public:
  virtual ~WorkerHook() = default;
  /// Called on a pool thread before its first task of a run; the returned object is destroyed there after the last
  /// task. If it throws, that thread does not take part in the run.
  virtual std::shared_ptr<void> Enter() const = 0;
};

}  // namespace zarr
