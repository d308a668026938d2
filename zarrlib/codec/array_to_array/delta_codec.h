// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `delta` of numcodecs: stores the first element of the chunk, and then the differences between adjacent elements in C
/// order. They are computed in `dtype` (integers wrap around) and stored as `astype`.
Codec MakeDeltaCodec(const CodecSpec& spec);

}  // namespace zarr
