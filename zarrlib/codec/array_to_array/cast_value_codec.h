// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `cast_value` of zarr-extensions: integers and floats are stored as `data_type`. A value in `scalar_map` is mapped by
/// it; another value that both types have stays; others are rounded (`rounding`, by default half to even), and then
/// clamped or wrapped around if `out_of_range` says so. Any other value is an error, also for the fill value. A fill
/// value that does not survive the round trip is no error: it is rounded like other values, and reading does not need
/// it.
Codec MakeCastValueCodec(const CodecSpec& spec);

}  // namespace zarr
