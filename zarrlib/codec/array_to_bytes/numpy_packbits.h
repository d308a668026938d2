// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `packbits` of numcodecs: see MakePackBitsCodec.
Codec MakeNumPyPackBitsCodec(const CodecSpec& spec);

}  // namespace zarr
