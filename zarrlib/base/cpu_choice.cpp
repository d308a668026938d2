#include "zarrlib/base/cpu_choice.h"

#include <cstddef>

namespace zarr {

#ifdef __linux__

namespace {

/// False on machines of more CPUs than the set holds, too.
bool GetAllowed(cpu_set_t* set) {
  return ::sched_getaffinity(0, sizeof(*set), set) == 0;
}

bool Allow(const cpu_set_t& set) {
  return ::sched_setaffinity(0, sizeof(set), &set) == 0;
}

}  // namespace

int CurrentCpu() {
  return ::sched_getcpu();
}

void CpuChoice::Avoid(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE || !GetAllowed(&allowed_)) return;
  others_ = allowed_;
  CPU_CLR(static_cast<std::size_t>(cpu), &others_);
  narrowed_ = CPU_COUNT(&others_) > 0 && Allow(others_);
}

void CpuChoice::Leave(int cpu) {
  AllowAll();
  if (CurrentCpu() != cpu) return;
  Avoid(cpu);
  AllowAll();
}

void CpuChoice::AllowAll() {
  cpu_set_t now;
  // Unless someone else has decided on what is allowed meanwhile.
  if (narrowed_ && GetAllowed(&now) && CPU_EQUAL(&now, &others_)) Allow(allowed_);
  narrowed_ = false;
}

#else

int CurrentCpu() {
  return -1;
}

void CpuChoice::Avoid(int) {}
void CpuChoice::Leave(int) {}

#endif

}  // namespace zarr
