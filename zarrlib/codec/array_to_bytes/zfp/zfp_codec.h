// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `zfp` of zarr-extensions, a zfp stream with the parameters of the configuration, and `zfpy` of numcodecs, a stream
/// whose header tells the parameters. Both take chunks of int32, int64, float32 and float64 with at most 4 dimensions.
/// The field in a header needs the chunk's number of elements, but not its shape: filters before may have flattened the
/// chunk.
Codec MakeZfpCodec(const CodecSpec& spec);

}  // namespace zarr
