#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `imagecodecs_tiff` codec of the Python package imagecodecs: each chunk is a TIFF file. Reading only: encoding is
/// Error(unsupported).
///
/// Configuration: `index`, the number of the image in the file; if it is absent or null, the chunk is made of the first
/// image and of those behind it that are like it in size and type, as many as it takes. `asrgb` must not be true. What
/// else there is concerns writing.
///
/// An image is decoded to packed samples in native byte order, as they are stored: [row][column][sample], or
/// [sample][row][column] where the file keeps the samples in separate planes. JPEG's colours are turned to RGB.
Codec MakeTiffCodec(const CodecSpec& spec);

}  // namespace zarr
