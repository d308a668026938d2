#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `bytes` (Zarr v3, "Bytes codec"): elements in C order, one after the other, in the byte order `endian` ("little" or
/// "big"), which only elements of more than one byte need. Types that name their own byte order, as those of v1 and v2
/// do, keep it.
Codec MakeBytesCodec(const CodecSpec& spec);

}  // namespace zarr
