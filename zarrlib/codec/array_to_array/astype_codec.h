// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `astype` of numcodecs: elements of `decode_dtype` are stored as `encode_dtype`, cast as in NumPy.
Codec MakeAsTypeCodec(const CodecSpec& spec);

}  // namespace zarr
