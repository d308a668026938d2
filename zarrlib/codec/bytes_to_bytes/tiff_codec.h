// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `imagecodecs_tiff` codec of the Python package imagecodecs: each chunk is a TIFF file. Read-only: encoding
/// throws Error(unsupported).
///
/// Configuration: `index` is the number of the image in the file. If it is absent or null, the chunk consists of the
/// first image and as many of the following images of the same size and type as it needs. `asrgb` must not be true.
/// Other members concern writing.
///
/// An image is decoded to packed samples in native byte order, in the order in which they are stored:
/// [row][column][sample], or [sample][row][column] if the file keeps samples in separate planes. JPEG colours are
/// converted to RGB.
Codec MakeTiffCodec(const CodecSpec& spec);

}  // namespace zarr
