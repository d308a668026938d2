// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `bytes` (Zarr v3, "Bytes codec"): consecutive elements in C order. `endian` ("little" or "big") is their byte order,
/// which only elements of more than one byte need. Data types with their own byte order, as in v1 and v2, keep it.
Codec MakeBytesCodec(const CodecSpec& spec);

}  // namespace zarr
