#pragma once

#include <cstdint>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// The checksum of gzip and ZIP archives (IEEE 802.3's CRC-32).
std::uint32_t Crc32(ByteSpan bytes);

}  // namespace zarr
