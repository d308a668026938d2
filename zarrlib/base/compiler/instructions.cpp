// SPDX-License-Identifier: MIT
#include "zarrlib/base/compiler/instructions.h"

#if defined(ZARR_X86_64) && defined(_MSC_VER)
#include <intrin.h>
#endif

namespace zarr {

#if defined(ZARR_X86_64) && defined(_MSC_VER)

bool HasInstructions(Instructions instructions) {
  int registers[4];
  __cpuid(registers, 1);
  return (registers[2] >> (instructions == Instructions::kSsse3 ? 9 : 20) & 1) != 0;
}

#elif defined(ZARR_X86_64)

bool HasInstructions(Instructions instructions) {
  return instructions == Instructions::kSsse3 ? __builtin_cpu_supports("ssse3") != 0
                                              : __builtin_cpu_supports("sse4.2") != 0;
}

#else

bool HasInstructions(Instructions) {
  return false;
}

#endif

}  // namespace zarr
