// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `fixedscaleoffset` of numcodecs: stores (x - offset) * scale, rounded half to even, as `astype`. Decodes x / scale +
/// offset, computed in the stored float type, or in float64 if integers are stored, and cast to `dtype`.
Codec MakeFixedScaleOffsetCodec(const CodecSpec& spec);

}  // namespace zarr
