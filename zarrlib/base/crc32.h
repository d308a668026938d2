// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Computes the checksum of gzip and ZIP archives (the CRC-32 of IEEE 802.3).
std::uint32_t ComputeCrc32(ByteSpan bytes);

}  // namespace zarr
