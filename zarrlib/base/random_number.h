// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace zarr {

/// Returns 64 random bits, for names that no other process makes. Thread-safe.
std::uint64_t MakeRandomNumber();

}  // namespace zarr
