// SPDX-License-Identifier: MIT
#pragma once

#ifdef __linux__
#include <sched.h>
#endif

namespace zarr {

/// The CPU that the calling thread runs on; -1 if it is not known.
int GetCurrentCpu();

/// Keeps a thread that waits for work away from the CPU of the thread that gives it work. Linux wakes a thread on the
/// waker's CPU if it believes that the others are busy; in a virtual machine it believes that of a CPU that sleeps. The
/// two threads would then take turns for some milliseconds while the other CPU does nothing. Used by the waiting
/// thread. Does nothing on other systems.
class CpuChoice {
 public:
  /// To be called before waiting: the next work is expected from a thread on this CPU.
  void Avoid(int cpu);
  /// To be called after waiting: allows all CPUs again. A thread that runs on this CPU nevertheless moves to another
  /// one.
  void Leave(int cpu);

#ifdef __linux__
 private:
  void AllowAll();

  bool narrowed_ = false;
  cpu_set_t allowed_;  // the allowed CPUs before this object changed them
  cpu_set_t others_;
#endif
};

}  // namespace zarr
