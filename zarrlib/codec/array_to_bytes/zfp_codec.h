#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `zfp` of zarr-extensions, a zfp stream whose parameters are those of the configuration, and `zfpy` of numcodecs, one
/// with a header that tells them. Of chunks of int32, int64, float32 and float64 with at most 4 dimensions. A field in
/// a header need not have the chunk's shape, only as many elements: filters before it may have flattened the chunk.
Codec MakeZfpCodec(const CodecSpec& spec);

}  // namespace zarr
