// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// A little-endian CRC-32C checksum (RFC 3720) of the bytes. In the `crc32c` codec of the Zarr v3 specification it
/// follows the bytes, and there is no configuration. In the codec of numcodecs it is at the `location` "start" or "end"
/// (default).
Codec MakeCrc32cCodec(const CodecSpec& spec);

/// Computes the checksum, with the CPU's instruction if available; the second function uses tables on every CPU.
std::uint32_t ComputeCrc32c(ByteSpan bytes);
std::uint32_t ComputeCrc32cByTable(ByteSpan bytes);

}  // namespace zarr
