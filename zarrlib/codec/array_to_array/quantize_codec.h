// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `quantize` of numcodecs: rounds floats to multiples of a power of two that keeps `digits` decimal digits after the
/// decimal point, and stores them as the float type `astype`. Decoding changes only the type.
Codec MakeQuantizeCodec(const CodecSpec& spec);

}  // namespace zarr
