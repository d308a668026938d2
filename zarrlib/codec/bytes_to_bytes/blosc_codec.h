#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Blosc 1: the `blosc` codec of the Zarr v3 specification, and that of numcodecs.
///
/// Configuration, with the value that an absent member has:
/// - `cname`: "lz4", or one of "lz4hc", "blosclz", "zstd", "snappy", "zlib"; "lz4";
/// - `clevel`: 0 to 9; 5;
/// - `shuffle`: "noshuffle", "shuffle" or "bitshuffle"; or 0, 1, 2, or -1 (bitshuffle for elements of one byte, else
/// shuffle); 1. All codec names take both forms, and GDAL's "NONE", "BYTE" and "BIT";
/// - `typesize`: bytes of an element; that of the array;
/// - `blocksize`: 0, which lets the library choose.
/// Decoding needs none of them: a Blosc buffer describes itself.
///
/// Encoding throws Error(limit_exceeded) for more than 2^31 - 17 bytes, and Error(unsupported) for a `cname` that the
/// installed library does not have.
Codec MakeBloscCodec(const CodecSpec& spec);

}  // namespace zarr
