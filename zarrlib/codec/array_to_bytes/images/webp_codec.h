// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes `imagecodecs_webp` (imagecodecs): each chunk is a WebP image with three or four samples per pixel; animations
/// are not supported. The codec only decodes.
Codec MakeWebpCodec(const CodecSpec& spec);

}  // namespace zarr
