// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `bytes` (Zarr v3, "Bytes codec"): elements in C order, one after the other. `endian` ("little" or "big") is their
/// byte order, which only elements of more than one byte need. Data types that name their own byte order, as those of
/// v1 and v2 do, keep it.
Codec MakeBytesCodec(const CodecSpec& spec);

}  // namespace zarr
