// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `bitround` of zarr-extensions, and of numcodecs for floats. The mantissa of a float is rounded to `keepbits` bits,
/// half to even. Of an integer, so many bits are kept from the highest set bit on, for negative ones from that of the
/// magnitude. A number that would round to one beyond its type is cut off instead; NaN stays. Decoding changes nothing.
Codec MakeBitRoundCodec(const CodecSpec& spec);

}  // namespace zarr
