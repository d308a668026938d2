// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `scale_offset` of zarr-extensions: stores (x - offset) * scale and decodes x / scale + offset, in the arithmetic of
/// the array's data type. A result that an integer cannot hold exactly is an error; floats overflow to infinity.
Codec MakeScaleOffsetCodec(const CodecSpec& spec);

}  // namespace zarr
