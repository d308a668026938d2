// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes `imagecodecs_jpeg` (imagecodecs): each chunk is a JPEG image of 8 bits a sample. Images without a header of
/// their own, as in TIFF files, get theirs from the configuration. Damaged images are errors. The codec only decodes.
Codec MakeJpegCodec(const CodecSpec& spec);

}  // namespace zarr
