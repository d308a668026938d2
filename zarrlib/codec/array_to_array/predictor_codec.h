// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// TIFF's predictors, as the Python package imagecodecs has them for references to TIFF files. Both take the members
/// `axis` (by default -1), `dist`, and `shape` if this is not the shape of the chunk.
namespace zarr {

/// `imagecodecs_delta`: integers, and floats as if they were integers, become differences along the axis. `dist` must
/// be 1.
Codec MakeAxisDeltaCodec(const CodecSpec& spec);

/// `imagecodecs_floatpred`: the bytes of the floats of a row are sorted by their significance, and become differences.
/// A row consists of the last axis, or of the last two, of which the second is that of samples; `axis` tells it.
/// Differences are taken over `dist` pixels.
Codec MakeFloatPredictorCodec(const CodecSpec& spec);

}  // namespace zarr
