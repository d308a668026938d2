#pragma once

#include <cstdint>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// A CRC-32C checksum (RFC 3720) beside the bytes, little-endian: the `crc32c` codec of the Zarr v3 specification,
/// where it follows them and there is no configuration, and that of numcodecs, with the member `location`, "start" or
/// "end" ("end" if absent).
Codec MakeCrc32cCodec(const CodecSpec& spec);

/// The checksum itself, by the CPU's instruction where there is one; and by tables, for every CPU.
std::uint32_t Crc32c(ByteSpan bytes);
std::uint32_t Crc32cByTable(ByteSpan bytes);

}  // namespace zarr
