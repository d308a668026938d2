#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `fixedscaleoffset` of numcodecs: (x - offset) * scale, rounded half to even, stored as `astype`; back by
/// x / scale + offset, in the float type that is stored, or in float64 if that is an integer type, cast to `dtype`.
Codec MakeFixedScaleOffsetCodec(const CodecSpec& spec);

}  // namespace zarr
