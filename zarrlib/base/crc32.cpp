// SPDX-License-Identifier: MIT
#include "zarrlib/base/crc32.h"

#include "zarrlib/base/crc_tables.h"

namespace zarr {

std::uint32_t ComputeCrc32(ByteSpan bytes) {
  static constexpr CrcTables kTables = MakeCrcTables(0xEDB88320);  // lowest bit first
  return ComputeCrc(kTables, bytes);
}

}  // namespace zarr
