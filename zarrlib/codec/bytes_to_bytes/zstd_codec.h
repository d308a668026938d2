// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Zstandard (RFC 8878): the `zstd` codec of the Zarr extensions registry, and that of numcodecs.
///
/// Configuration: `level`, an integer (0 or absent is the library's default; negative levels are faster), and
/// `checksum`, whether frames end with a checksum (false if absent). For numcodecs, `checksum` may also be "YES" or
/// "NO", which GDAL writes.
///
/// Decodes any number of frames, with or without their content size, and skippable frames.
Codec MakeZstdCodec(const CodecSpec& spec);

}  // namespace zarr
