#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Zstandard (RFC 8878): the `zstd` codec of the Zarr extensions registry, and that of numcodecs.
///
/// Configuration: `level`, an integer (0, if absent, is the library's default; negative ones are faster), and
/// `checksum`, whether frames end with one; false if absent. For numcodecs, `checksum` may also be the text that GDAL
/// writes, "YES" or "NO".
///
/// Decodes any number of frames, with or without their content size, skippable ones included.
Codec MakeZstdCodec(const CodecSpec& spec);

}  // namespace zarr
