// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace zarr::fuzz {

/// Larger blocks are not read: reading them is right, but takes the time of many other inputs.
inline constexpr std::int64_t kMaxBlockElements = std::int64_t{1} << 20;

}  // namespace zarr::fuzz
