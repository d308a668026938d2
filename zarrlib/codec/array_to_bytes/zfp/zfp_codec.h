// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `zfp` of zarr-extensions, a zfp stream with the parameters of the configuration, and `zfpy` of numcodecs, a stream
/// whose header contains the parameters. Both support chunks of int32, int64, float32 and float64 with at most 4
/// dimensions. The field in a header must have the chunk's number of elements, but not its shape: preceding filters may
/// have flattened the chunk.
Codec MakeZfpCodec(const CodecSpec& spec);

}  // namespace zarr
