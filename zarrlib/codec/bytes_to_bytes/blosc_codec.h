#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Blosc 1: the `blosc` codec of the Zarr v3 specification, and that of numcodecs.
///
/// Configuration, with what holds if a member is absent:
///  - `cname`: "lz4", or one of "lz4hc", "blosclz", "zstd", "snappy", "zlib";
///  - `clevel`: 0 to 9; 5;
///  - `shuffle`: "noshuffle", "shuffle" or "bitshuffle", or 0, 1, 2, or -1 (bitshuffle for elements of one byte, else
///    shuffle); 1. Both forms, and GDAL's "NONE", "BYTE" and "BIT", are taken under all names;
///  - `typesize`: bytes of an element; that of the array;
///  - `blocksize`: 0, which lets the library choose.
/// Decoding depends on none of them: a Blosc buffer describes itself.
///
/// Encoding throws Error(limit_exceeded) for more than 2^31 - 17 bytes, and Error(unsupported) for a `cname` that the
/// library at hand does not have.
Codec MakeBloscCodec(const CodecSpec& spec);

}  // namespace zarr
