// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Blosc 1: the `blosc` codec of the Zarr v3 specification, and that of numcodecs.
///
/// Configuration:
///  - `cname`: "lz4" (default), "lz4hc", "blosclz", "zstd", "snappy" or "zlib";
///  - `clevel`: 0 to 9; 5 by default;
///  - `shuffle`: "noshuffle", "shuffle" or "bitshuffle"; or 0, 1 (default), 2, or -1 (bitshuffle for elements of one
///    byte, otherwise shuffle). All codec names accept both forms, and GDAL's "NONE", "BYTE" and "BIT";
///  - `typesize`: the size of an element in bytes; by default that of the array's elements;
///  - `blocksize`: by default 0, which lets the library choose.
/// Decoding does not need any of these: a Blosc buffer describes itself.
///
/// Encoding throws Error(limit_exceeded) for more than 2^31 - 17 bytes, and Error(unsupported) for a `cname` that the
/// installed library does not have.
Codec MakeBloscCodec(const CodecSpec& spec);

/// Returns the values of `cname` that the installed library can encode.
std::vector<std::string> ListCompressorsOfBlosc();

}  // namespace zarr
