// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "zarrlib/base/system/which_system.h"

#ifdef ZARR_LINUX
#include <sched.h>
#endif

namespace zarr {

/// Returns the number of CPUs that the process may use.
std::size_t GetAllowedCpuCount();

/// Returns the CPU that the calling thread runs on, or -1 if it is not known.
int GetCurrentCpu();

/// Keeps a thread that waits for work away from the CPU of the thread that provides the work. Used by the waiting
/// thread. Does nothing on systems other than Linux.
///
/// Linux wakes a thread on the waker's CPU if it believes that the other CPUs are busy; in a virtual machine it
/// believes that of a sleeping CPU. The two threads would then take turns for some milliseconds while the other CPU is
/// idle.
class CpuChoice {
 public:
  /// Call this before waiting if the next work is expected from a thread on this CPU.
  void Avoid(int cpu);
  /// Call this after waiting: allows all CPUs again. A thread that nevertheless runs on this CPU moves to another one.
  void Leave(int cpu);

#ifdef ZARR_LINUX
 private:
  void AllowAll();

  bool narrowed_ = false;
  cpu_set_t allowed_;  // the CPUs that were allowed before this object changed them
  cpu_set_t others_;
#endif
};

}  // namespace zarr
