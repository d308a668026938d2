#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `cast_value` of zarr-extensions: integers and floats are stored as `data_type`, by value: what `scalar_map` maps
/// goes by it; else a value that both types have stays; else it is rounded (`rounding`, by default half to even), and
/// then clamped or wrapped around if `out_of_range` says so. All else is an error, that of the fill value too. A fill
/// value that does not come back the same is taken: it is rounded like any other, and reading never needs it.
Codec MakeCastValueCodec(const CodecSpec& spec);

}  // namespace zarr
