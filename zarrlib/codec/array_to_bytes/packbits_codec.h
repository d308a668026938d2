// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes one of two codecs with this name. `packbits` of zarr-extensions packs the bits `first_bit` to `last_bit` of
/// each number, the lowest first, into bytes, from their lowest bit on. The number of padding bits in the last byte may
/// be stored in a byte at one end (`padding_encoding`).
///
/// `numcodecs.packbits` is an array-to-array codec: booleans become a vector of uint8, which begins with the number of
/// padding bits and then holds eight booleans in each byte, from its highest bit on.
Codec MakePackBitsCodec(const CodecSpec& spec);

}  // namespace zarr
