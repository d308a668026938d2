// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `cast_value` of zarr-extensions: integers and floats are stored as `data_type`. The first of these that applies
/// determines the stored value:
/// - a value in `scalar_map` is replaced as specified there;
/// - a value that both types have is kept;
/// - others are rounded (`rounding`, by default half to even), and then clamped or wrapped around if `out_of_range`
///   specifies so.
///
/// Any other value is an error, including for the fill value. A fill value that does not survive the round trip is not
/// an error: it is rounded like other values, and reading does not need it.
Codec MakeCastValueCodec(const CodecSpec& spec);

}  // namespace zarr
