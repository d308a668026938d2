#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `sharding_indexed` (Zarr v3, "Sharding codec"): inner chunks of `chunk_shape`, each encoded with `codecs`, in any
/// order and with gaps, and an index of their offsets and lengths, encoded with `index_codecs` of fixed size, at the
/// `index_location` "end" (default) or "start". An inner chunk that is absent holds the array's fill value.
Codec MakeShardingCodec(const CodecSpec& spec);

}  // namespace zarr
