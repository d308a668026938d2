#pragma once

#ifdef __linux__
#include <sched.h>
#endif

namespace zarr {

/// The CPU that the calling thread runs on, -1 where that is not known.
int CurrentCpu();

/// Keeps a thread that waits for work away from the CPU of the one that gives it. Linux wakes a thread on the waker's
/// CPU if it takes the others for busy, and in a virtual machine it takes one that sleeps for busy: the two then take
/// turns for some milliseconds while the other CPU does nothing. Used by the thread that waits; does nothing elsewhere.
class CpuChoice {
 public:
  /// Before waiting: the next one who gives work is expected on this CPU.
  void Avoid(int cpu);
  /// After waiting: all CPUs are allowed again; if it runs on this one all the same, it moves to another.
  void Leave(int cpu);

#ifdef __linux__
 private:
  void AllowAll();

  bool narrowed_ = false;
  cpu_set_t allowed_;  // before it was narrowed
  cpu_set_t others_;
#endif
};

}  // namespace zarr
