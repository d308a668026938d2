#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `quantize` of numcodecs: floats rounded to a power of two, fine enough to keep `digits` decimal digits behind the
/// point, stored as the float type `astype`. Decoding changes the type only.
Codec MakeQuantizeCodec(const CodecSpec& spec);

}  // namespace zarr
