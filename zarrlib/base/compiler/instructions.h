// SPDX-License-Identifier: MIT
#pragma once

// Instructions of the processor that not all of its kind have, on x86-64. ZARR_X86_64 tells that there are any.
#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define ZARR_X86_64
#include <immintrin.h>
#endif

// ZARR_USES("ssse3") before a function lets it use such instructions; it may be called if HasInstructions says so. MSVC
// lets all functions use them.
#if defined(__GNUC__) || defined(__clang__)
#define ZARR_USES(instructions) __attribute__((target(instructions)))
#else
#define ZARR_USES(instructions)
#endif

namespace zarr {

enum class Instructions { kSsse3, kSse42 };

/// Returns true if the processor has these instructions. Thread-safe.
bool HasInstructions(Instructions instructions);

}  // namespace zarr
