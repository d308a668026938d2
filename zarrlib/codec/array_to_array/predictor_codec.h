// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// TIFF's predictors, as implemented in the Python package imagecodecs for references to TIFF files. Both have the
/// members `axis` (by default -1), `dist`, and `shape` if it differs from the shape of the chunk.
namespace zarr {

/// `imagecodecs_delta`: integers, and floats treated as integers, become differences along the axis. `dist` must be 1.
Codec MakeAxisDeltaCodec(const CodecSpec& spec);

/// `imagecodecs_floatpred`: the bytes of the floats of a row are sorted by their significance, and become differences.
/// A row consists of the last axis, or of the last two, the second of which is the axis of samples; `axis` selects
/// this. Differences are taken over `dist` pixels.
Codec MakeFloatPredictorCodec(const CodecSpec& spec);

}  // namespace zarr
