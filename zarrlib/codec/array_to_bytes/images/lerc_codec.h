// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes `imagecodecs_lerc` (imagecodecs): each chunk is a LERC 2 image, which may be compressed by deflate or
/// Zstandard. Pixels that its mask marks as invalid are zeros, as in imagecodecs. The codec only decodes.
Codec MakeLercCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
