// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes `imagecodecs_jpeg` (imagecodecs): each chunk is a JPEG image with 8 bits per sample. Images without their own
/// header, as in TIFF files, get it from the configuration. Damaged images are errors. The codec only decodes.
Codec MakeJpegCodec(const CodecSpec& spec);

}  // namespace zarr
