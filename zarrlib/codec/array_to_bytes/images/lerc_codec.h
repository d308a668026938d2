// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes `imagecodecs_lerc` (imagecodecs): each chunk is an image of LERC 2, which may be compressed by deflate or
/// Zstandard. Pixels that its mask says are invalid are zeros, as imagecodecs has them. The codec only decodes.
Codec MakeLercCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
