#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `bitround` of zarr-extensions, and of numcodecs for floats: the mantissa is rounded to `keepbits` bits, half to
/// even; integers keep as many from their highest bit on, negative ones those of their magnitude. Numbers that would
/// round to what their type does not hold are cut off instead, NaN stays. Decoding changes nothing.
Codec MakeBitRoundCodec(const CodecSpec& spec);

}  // namespace zarr
