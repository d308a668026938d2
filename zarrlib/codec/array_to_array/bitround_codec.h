// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `bitround` of zarr-extensions, and of numcodecs for floats. Decoding changes nothing.
///
/// The mantissa of a float is rounded to `keepbits` bits, half to even. An integer keeps `keepbits` bits, starting with
/// its highest set bit; for a negative integer, the highest set bit of its magnitude counts. A number that would round
/// beyond the range of its type is truncated instead; NaN stays.
Codec MakeBitRoundCodec(const CodecSpec& spec);

}  // namespace zarr
